package endpoint

import (
	"net/http"
	"strings"
	"testing"
)

// streams answers with the pieces of a reply, and its end.
func streams(pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		events := make([]string, 0, len(pieces)+2)
		for _, piece := range pieces {
			events = append(events, token(piece))
		}
		stream(w, append(events, finish("stop"), counted, "[DONE]")...)
	}
}

func (b *bench) forget() { b.texts, b.thoughts, b.restarts = nil, nil, 0 }

// mustTell fails the test unless that was shown as the reply, and that as thought.
func (b *bench) mustTell(text, thought string, restarts int) {
	b.Helper()
	if got := strings.Join(b.texts, ""); got != text || b.restarts != restarts {
		b.Errorf("shown %q after %d restarts, want %q after %d", got, b.restarts, text, restarts)
	}
	if got := strings.Join(b.thoughts, ""); got != thought {
		b.Errorf("thought %q, want %q", got, thought)
	}
}

func TestAThoughtWithoutItsFirstTag(t *testing.T) {
	thinks := streams("well, ", "hm\n</thi", "nk>", "fine")
	inBubble(t, setup{}, firstly(thinks, streams("<think>hm</think>fine"), streams("fine")), func(b *bench) {
		b.mustReply("fine")
		b.mustTell("fine", "well, hm\n", 1)
		b.forget()
		b.mustReply("fine")
		b.forget()
		b.mustReply("fine")
		b.mustTell("fine", "", 0)
	})
}
