package jsonlines

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Error says what is wrong with an object, and where.
type Error struct {
	// Line counts from 1 in the whole of what is read.
	Line int
	// Path is the place within the object, "artifact.objections[2].severity", or
	// "" for the object itself.
	Path string
	// What is wrong, in a clause.
	What string
}

// Error names line and path. What is long in them is shown by its ends.
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("line %d: %s", e.Line, bothEnds(e.What))
	}
	return fmt.Sprintf("line %d: %s: %s", e.Line, bothEnds(e.Path), bothEnds(e.What))
}

// longestShown is how much of each end of a long text an error shows, in bytes.
const longestShown = 300

// bothEnds is a text without what is between its ends, where it is long.
func bothEnds(text string) string {
	if len(text) <= 2*longestShown {
		return text
	}
	return strings.ToValidUTF8(text[:longestShown], "") + " … " + strings.ToValidUTF8(text[len(text)-longestShown:], "")
}

// Dotted writes a pointer as people write a path: artifact.objections[2].severity.
func Dotted(at jsontext.Pointer) string {
	var path strings.Builder
	for token := range at.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			path.WriteString("[" + token + "]")
			continue
		}
		if path.Len() > 0 {
			path.WriteByte('.')
		}
		path.WriteString(token)
	}
	return path.String()
}
