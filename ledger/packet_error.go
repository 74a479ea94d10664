package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrFrozen says that a packet takes no further fact.
var ErrFrozen = errors.New("the packet is frozen: it takes no further fact; make another one")

// PacketError says what is wrong with a packet, or with one of its facts, and where.
type PacketError struct {
	// Name is that of the file that was read, and Line the line in it, from 1; "" and
	// 0 where the packet was not read from text.
	Name string
	Line int
	// Packet is its id, "" where that is not known, and Fact that of the fact, "" where
	// it is about the packet, or the fact has none.
	Packet, Fact string
	// Index is the place of the fact, from 0, -1 for the packet.
	Index int
	// Field is which key of the fact or packet is wrong, "" where none is by itself.
	Field string
	// What is wrong, in a clause.
	What string
}

// Error names whatever is known of the place. What is long in it is cut.
func (e *PacketError) Error() string {
	var out strings.Builder
	if e.Name != "" {
		out.WriteString(e.Name + ": ")
	}
	if e.Line > 0 {
		fmt.Fprintf(&out, "line %d: ", e.Line)
	}
	if e.Packet != "" || e.Name == "" {
		fmt.Fprintf(&out, "packet %s: ", quoted(e.Packet))
	}
	switch {
	case e.Index < 0:
	case e.Fact == "":
		fmt.Fprintf(&out, "fact %d: ", e.Index+1)
	default:
		fmt.Fprintf(&out, "fact %s: ", quoted(e.Fact))
	}
	if e.Field != "" {
		out.WriteString(cut(e.Field) + ": ")
	}
	out.WriteString(e.What)
	return out.String()
}

// longestShown is how much of a foreign text an error shows, in bytes.
const longestShown = 200

// cut is the beginning of a text, where it is long.
func cut(text string) string {
	if len(text) <= longestShown {
		return text
	}
	return strings.ToValidUTF8(text[:longestShown], "") + "…"
}

// quoted is a text in quotes with its escapes, cut where it is long.
func quoted(text string) string { return strconv.Quote(cut(text)) }
