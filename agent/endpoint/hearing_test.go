package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/state/store"
)

// side is a server behind which one side of a hearing sits. What goes wrong goes wrong
// once, with its first call.
type side struct {
	*Endpoint
	server *httptest.Server
	mu     sync.Mutex
	calls  int
}

// sits starts a server that replies to the first argument and to the exchange. It
// answers its first calls by the handlers, one each.
func sits(t *testing.T, argument, exchange string, first ...http.HandlerFunc) *side {
	t.Helper()
	s := &side{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := s.calls
		s.calls++
		s.mu.Unlock()
		switch {
		case n < len(first):
			first[n](w, r)
		case strings.Contains(string(body), "Round 1 of"):
			good(w, argument)
		default:
			good(w, exchange)
		}
	}))
	t.Cleanup(server.Close)
	s.server = server
	s.Endpoint = New(Config{Name: server.URL, Base: server.URL, Model: "m"}, Limits{Attempts: 1})
	return s
}

// opensHearing stores a hearing that has not begun, of four facts and so many more.
func opensHearing(t *testing.T, more ...int) string {
	t.Helper()
	file, err := store.Create(t.TempDir(), "s", store.WithoutSync())
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	packet, err := ledger.NewPacket("night", at, at)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"f1", "f2", "f3", "f7"} {
		if err := packet.Add(ledger.PacketFact{ID: id, Entity: "h", EntityType: "node", Field: "event", Value: `"x"`, At: at, SourceType: "syslog", SourceID: "c"}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range slices.Max(append(more, 0)) {
		if err := packet.Add(ledger.PacketFact{ID: fmt.Sprintf("g%d", i), Entity: "h", EntityType: "node", Field: "event", Value: `"y"`, At: at, SourceType: "syslog", SourceID: "c"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	payloads := append([]state.Payload{&state.SessionOpened{
		Version: state.Version, ID: "s", Question: "Is this a threat?",
		Settings: state.Settings{Format: state.FormatHearing, Nonce: "5eed", Hearing: &state.HearingSettings{Form: state.FormAnchored, Judge: state.JudgeV1, Rounds: 2}},
		Seats:    []state.SeatAssignment{{Seat: state.Architect, Participant: "m"}, {Seat: state.Skeptic, Participant: "m"}},
	}}, state.PacketEvents(packet)...)
	var events []state.Event
	for i, p := range payloads {
		events = append(events, state.Event{Seq: i + 1, At: at, Data: p})
	}
	if err := errors.Join(file.Append(events), file.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Path()
}

// hear goes on with the stored hearing until it ends or pauses.
func hear(ctx context.Context, t *testing.T, path string, seats map[state.Seat]protocol.Participant) (state.State, error) {
	t.Helper()
	file, opened, err := store.Open(path, store.WithoutSync())
	if err != nil {
		t.Fatal(err)
	}
	s, err := state.Replay(opened.Events)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := protocol.NewParser()
	if err != nil {
		t.Fatal(err)
	}
	run := protocol.NewRunner(protocol.Options{
		Format: protocol.Hearing{}, State: s, Log: file, Participants: seats, Parser: parser, Now: time.Now, Watch: func(protocol.Notice) {},
	})
	ran := run.Run(ctx)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	file, opened, err = store.Open(path, store.WithoutSync())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if s, err = resolver.Verify(opened.Events, resolver.Rule); err != nil {
		t.Fatal(err)
	}
	return s, ran
}

// the replies of both sides.
const (
	architectArgues = "CLAIM [f1, f2] 0.8: the account logged on from outside\nCONCLUDE 0.8"
	skepticArgues   = "CLAIM [f3] 0.6: the backup ran\nCONCLUDE 0.4"
	concludesAgain  = "CONCLUDE 0.8"
	// Whose claim is P2 is a matter of whose answer came first; of one's own it is refused.
	contradicts = "CONTRADICT P2 [f7]: the logon failed\nCONTRADICT P3 [f7]: the logon failed\nCONCLUDE 0.45"
)

// A hearing over two servers of which one fails once, in whatever way: it pauses where
// the server cannot be used and goes on when it is resumed; a reply that is none costs a
// call. What the other side said is kept, and nothing is asked of it twice.
func TestAHearingOverServersThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		fails http.HandlerFunc
		pause state.PauseKind
	}{
		"streams piece by piece": {func(w http.ResponseWriter, _ *http.Request) {
			var pieces []string
			for word := range strings.SplitAfterSeq(architectArgues, " ") {
				pieces = append(pieces, token(word))
			}
			stream(w, append(pieces, finish("stop"), counted, "[DONE]")...)
		}, state.PauseNone},
		"breaks off": {func(w http.ResponseWriter, _ *http.Request) {
			stream(w, token("CLAIM [f1"))
			panic(http.ErrAbortHandler)
		}, state.PauseNone},
		"garbage":    {func(w http.ResponseWriter, _ *http.Request) { good(w, "\x00\x01 {\"moves\":[{\"mo") }, state.PauseNone},
		"500":        {func(w http.ResponseWriter, _ *http.Request) { refuse(w, 500, `{"error":{"message":"oops"}}`) }, state.PauseUnreachable},
		"429":        {func(w http.ResponseWriter, _ *http.Request) { refuse(w, 429, `{"error":{"message":"slow down"}}`) }, state.PauseUnreachable},
		"hangs up":   {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, state.PauseUnreachable},
		"other JSON": {func(w http.ResponseWriter, _ *http.Request) { refuse(w, 200, `{"hello":"world"}`) }, state.PauseUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			path := opensHearing(t)
			architect, skeptic := sits(t, architectArgues, concludesAgain, c.fails), sits(t, skepticArgues, contradicts)
			seats := map[state.Seat]protocol.Participant{state.Architect: architect, state.Skeptic: skeptic}
			s, err := hear(t.Context(), t, path, seats)
			if err != nil || s.Paused != c.pause || s.Closed != (c.pause == state.PauseNone) {
				t.Fatalf("%v, paused %q (%s), closed %t", err, s.Paused, s.PauseReason, s.Closed)
			}
			if s.Paused != state.PauseNone {
				if !strings.HasPrefix(s.PauseReason, "architect: ") || s.Hearing.Argument(state.Skeptic, 1) == nil {
					t.Errorf("%s; of the skeptic %+v is kept", s.PauseReason, s.Hearing.Arguments)
				}
				if s, err = hear(t.Context(), t, path, seats); err != nil {
					t.Fatal(err)
				}
			}
			if !s.Closed || s.Exit != state.ExitCap || s.Round != 2 || s.Points.Len() != 3 || s.Challenges.Len() != 1 {
				t.Errorf("exit %q in round %d with %d points: %s", s.Exit, s.Round, s.Points.Len(), s.ExitReason)
			}
			if skeptic.calls != 2 {
				t.Errorf("the skeptic was asked %d times", skeptic.calls)
			}
		})
	}
}

// Who cancels while a side thinks loses nothing: the hearing goes on from there.
func TestAHearingThatIsCancelledGoesOn(t *testing.T) {
	path := opensHearing(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	waits := func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		untilGone(r)
	}
	seats := map[state.Seat]protocol.Participant{
		state.Architect: sits(t, architectArgues, concludesAgain, waits), state.Skeptic: sits(t, skepticArgues, contradicts),
	}
	s, err := hear(ctx, t, path, seats)
	if s.Closed || s.Exit != state.ExitNone || s.Hearing.Argument(state.Architect, 1) != nil {
		t.Fatalf("%v, exit %q with %d points", err, s.Exit, s.Points.Len())
	}
	if s, err = hear(t.Context(), t, path, seats); err != nil || s.Exit != state.ExitCap || s.Points.Len() != 3 {
		t.Fatalf("%v, exit %q with %d points", err, s.Exit, s.Points.Len())
	}
	authors := []state.Seat{s.Point("P2").Authors[0], s.Point("P3").Authors[0]}
	if slices.Sort(authors); !slices.Equal(authors, []state.Seat{state.Architect, state.Skeptic}) {
		t.Errorf("the claims are of %v", authors)
	}
}
