package workspace

import (
	"errors"
	"strings"

	"moot/protocol"
)

// Told adds notes of a call to its error, which has none of its own: so that what a
// program changed before it failed is on the record too. An error of another sort
// than a participant's stays as it is.
func Told(err error, notes ...string) error {
	if len(notes) == 0 {
		return err
	}
	more := "; " + strings.Join(notes, "; ")
	if broken, ok := errors.AsType[*protocol.Broken](err); ok {
		broken.What += more
	}
	if gone, ok := errors.AsType[*protocol.Unreachable](err); ok {
		gone.What += more
	}
	if long, ok := errors.AsType[*protocol.TooLong](err); ok {
		long.What += more
	}
	return err
}
