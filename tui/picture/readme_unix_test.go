//go:build unix

package picture_test

import (
	"bytes"
	"context"
	"flag"
	"image/color"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moot/agent/rules"
	"moot/agent/script"
	"moot/protocol"
	"moot/research"
	"moot/state"
	"moot/state/store"
	"moot/tui"
	"moot/tui/picture"
)

var update = flag.Bool("update", false, "draw the pictures of the README anew")

// The session of the pictures: the rules judge what a review claims of a small
// repository, and the person has a say.
const (
	corpus   = "../../agent/search/testdata/corpus"
	review   = "testdata/review.txt"
	question = "Can two workers ever run the same job?"
	caption  = `moot ask --step --orchestrator rules --consultee script:review.txt "` + question + `"`
)

// now is the time at which all of it happens.
func now() time.Time { return time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC) }

// act is what the person presses, and what must be on the screen before the
// next one.
type act struct {
	keys, shows string
	// shot is the file in docs/ that shows the screen then, without its ending;
	// about is what is read aloud in its place.
	shot, about string
}

// acts are a session, and the looks at it that the README shows.
func acts() []act {
	return []act{
		{shows: "next: orchestrator map"},
		{keys: " ", shows: "next: consultee propose"},
		{keys: "Fthe mail handler is idempotent\r", shows: "recorded as a fact of the user"},
		{keys: "1", shows: "next: consultee propose"},
		{keys: " ", shows: "next: orchestrator evaluate"},
		{keys: " ", shows: "next: consultee answer"},
		{keys: "8\x1b[F", shows: "▸ P6"},
		{keys: "D", shows: "P6 is Dismissed, by you"},
		{keys: "1", shows: "next: consultee answer"},
		{keys: " ", shows: "next: orchestrator judge"},
		{
			keys: " ", shows: "next: consultee coverage", shot: "session",
			about: "A session of moot in the terminal: the debate, the points in their buckets, the challenges and the ledger",
		},
		{
			keys: "8\x1b[H\x1b[B\x1b[B\x1b[B5z", shows: "hidden: 8 Buckets", shot: "map",
			about: "The argument of a session as a map: points with the challenges, answers and evidence that attack and support them",
		},
		{
			keys: "8\x1b[Fw", shows: "What would change it", shot: "receipt",
			about: "The receipt of a point: why it is where it is, what the ruling read, and what would change it",
		},
		{keys: "q", shows: "? help"},
	}
}

// The pictures in docs/ are what moot looks like now.
func TestPicturesOfTheReadme(t *testing.T) {
	t.Parallel()
	for _, theme := range []struct {
		ending     string
		background color.Color
		options    picture.Options
	}{
		{".svg", color.Black, picture.Dark()},
		{"-light.svg", color.White, picture.Light()},
	} {
		t.Run(theme.ending, func(t *testing.T) {
			t.Parallel()
			e := newTerminal(t, 120, 36, theme.background)
			open(t, e)
			for _, act := range acts() {
				e.press(act.keys)
				e.shows(act.shows)
				if act.shot != "" {
					theme.options.Title, theme.options.Description = caption, act.about
					keep(t, act.shot+theme.ending, e.picture(theme.options), e.text())
				}
			}
			e.leave()
		})
	}
}

// keep compares a picture with the one in docs/, or writes it anew.
func keep(t *testing.T, file string, got []byte, screen string) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", file)
	if *update {
		must(t, os.WriteFile(path, got, 0o600))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; draw it with go test ./tui/picture -update, and look at it", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("docs/%s is not what the screen looks like now; draw it anew with go test ./tui/picture -update, and look at it. The screen:\n%s", file, screen)
	}
}

// open opens the session on the terminal.
func open(t *testing.T, e *terminal) {
	t.Helper()
	seats := map[state.Seat]protocol.Participant{
		state.Orchestrator: timeless{rules.New(rules.Options{Workspace: corpus})},
		state.Consultee:    timeless{reviewer(t)},
	}
	opened := &state.SessionOpened{
		Version: state.Version, ID: "k3f9", Question: question,
		Settings: state.Settings{
			Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "n",
			Workspace: corpus, Context: []state.Document{}, Official: []string{}, Attended: true,
		},
	}
	for _, seat := range []state.Seat{state.Orchestrator, state.Consultee} {
		p := seats[seat]
		opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: p.Name(), NoModel: p.Modelless()})
	}
	events := []state.Event{{Seq: 1, At: now(), Data: opened}}
	first, err := state.Apply(state.State{}, events[0])
	must(t, err)
	log := &store.Memory{}
	must(t, log.Append(events))
	parser, err := protocol.NewParser()
	must(t, err)
	citation, err := research.OpenCitation(corpus)
	must(t, err)
	t.Cleanup(func() { must(t, citation.Close()) })
	e.open(tui.Options{Now: now, Opened: &tui.Opened{
		Start: func(watch func(protocol.Notice)) (tui.Session, error) {
			return protocol.NewRunner(protocol.Options{
				Format: protocol.Consult{}, State: first, Log: log, Participants: seats, Researcher: citation, Parser: parser,
				Now: now, Watch: watch, Step: true, Attended: true,
			}), nil
		},
		State: first, Events: events, ResumeCommand: "moot resume k3f9", ShowCommand: "moot show k3f9",
	}})
}

// reviewer gives what stands in the review.
func reviewer(t *testing.T) *script.Script {
	t.Helper()
	file, err := os.Open(review)
	must(t, err)
	defer file.Close()
	s, err := script.Read(file, filepath.Base(review))
	must(t, err)
	return s
}

// timeless is a participant that takes no time: its haste is not in the picture.
type timeless struct{ protocol.Participant }

func (p timeless) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	reply, err := p.Participant.Reply(ctx, call, watch)
	reply.Took = 0
	return reply, err
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
