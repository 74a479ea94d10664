package endpoint

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"moot/protocol"
	"moot/state"
)

// LE7: a server that refuses a prompt for its length is asked again with fewer facts,
// within what it tells of its context, in the same round; the other side is not asked
// twice. Where it takes none at all the session pauses and says what was tried.
func TestAHearingOverASmallContext(t *testing.T) {
	for name, c := range map[string]struct {
		most  int
		pause state.PauseKind
	}{"small": {24_000, state.PauseNone}, "none": {100, state.PauseContext}} {
		t.Run(name, func(t *testing.T) {
			refused := 0
			small := func(next http.Handler) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					if len(body) > c.most {
						refused++
						refuse(w, 400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_ctx":4096}}`)
						return
					}
					r.Body = io.NopCloser(bytes.NewReader(body))
					next.ServeHTTP(w, r)
				}
			}
			architect, skeptic := sits(t, architectArgues, concludesAgain), sits(t, skepticArgues, contradicts)
			architect.server.Config.Handler = small(architect.server.Config.Handler)
			s, err := hear(t.Context(), t, opensHearing(t, 1000), map[state.Seat]protocol.Participant{state.Architect: architect, state.Skeptic: skeptic})
			if err != nil || s.Paused != c.pause || s.Closed != (c.pause == state.PauseNone) {
				t.Fatalf("%v, paused %q (%s), closed %t", err, s.Paused, s.PauseReason, s.Closed)
			}
			if c.pause == state.PauseNone {
				if refused != 1 || skeptic.calls != 2 || s.Round != 2 || s.PromptBudget(state.Architect, 24_000) != 3072 {
					t.Errorf("refused %d times, the skeptic asked %d times, %d tokens count, round %d", refused, skeptic.calls, s.PromptBudget(state.Architect, 24_000), s.Round)
				}
				return
			}
			if refused > 4 || s.Hearing.Argument(state.Skeptic, 1) == nil || !strings.Contains(s.PauseReason, "with less in it") {
				t.Errorf("refused %d times: %s", refused, s.PauseReason)
			}
		})
	}
}
