package protocol

import (
	"fmt"
	"strings"
)

const (
	// brokeOff is the code of a reply that ended in the middle.
	brokeOff = "broke-off"
	// maxSaid bounds what the retry is told of it, in bytes.
	maxSaid = 4 << 10
)

// completeMoves quotes the moves of a reply that broke off which are complete, for
// the seat that is asked again; "" where there are none.
//
// None of them counts. A seat's silence on a challenge, a point or a question means
// something (CH2, CH3, ST3), and of a reply that broke off nobody knows what it would
// have been silent on: to take a part of it would burn the window of the rest (CH6),
// and to take the part and ask for the rest would let one round speak twice (PH3). So
// the reply is a format failure, the round does not move, and what was lost is the
// work of saying it again.
func completeMoves(text string) string {
	var out strings.Builder
	text = speech(strings.ToValidUTF8(text[:min(len(text), MaxReply)], "\uFFFD"))
	unclosed := 0
	for at := strings.IndexByte(text, '{'); at >= 0 && unclosed < maxUnclosed; {
		length := balanced(text[at:])
		var dropped repairs
		if value, err := decodeJSON(text[at:at+length], &dropped); err == nil && knownMoves([]any{value}) && out.Len()+length < maxSaid {
			fmt.Fprintf(&out, "%s\n", oneLine(text[at:at+length]))
		}
		if length == 0 {
			unclosed++
			length = 1
		}
		next := strings.IndexByte(text[at+length:], '{')
		if next < 0 {
			break
		}
		at += length + next
	}
	if out.Len() == 0 {
		return ""
	}
	return "of a reply that cannot be read to its end nothing counts, since what is missing would count as silence; these moves of it were complete: say them again with the others, shorter if need be:\n" + out.String()
}
