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
	about    = "A session of moot in the terminal: the debate, the points in their buckets, the challenges and the ledger"
)

// now is the time at which all of it happens.
func now() time.Time { return time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC) }

// acts are the keys that the person presses, and what must be on the screen
// before the next ones. The picture is what is there after the last.
func acts() [][2]string {
	return [][2]string{
		{"", "next: orchestrator map"},
		{" ", "next: consultee propose"},
		{"Fthe mail handler is idempotent\r", "recorded as a fact of the user"},
		{"1", "next: consultee propose"},
		{" ", "next: orchestrator evaluate"},
		{" ", "next: consultee answer"},
		{"8\x1b[F", "▸ P6"},
		{"D", "P6 is Dismissed, by you"},
		{"1", "next: consultee answer"},
		{" ", "next: orchestrator judge"},
		{" ", "next: consultee coverage"},
	}
}

// The pictures in docs/ are what a session looks like now.
func TestPicturesOfTheReadme(t *testing.T) {
	t.Parallel()
	for _, theme := range []struct {
		file       string
		background color.Color
		options    picture.Options
	}{
		{"screen.svg", color.Black, picture.Dark()},
		{"screen-light.svg", color.White, picture.Light()},
	} {
		t.Run(theme.file, func(t *testing.T) {
			t.Parallel()
			theme.options.Title, theme.options.Description = caption, about
			e := newTerminal(t, 120, 36, theme.background)
			play(t, e)
			got, screen := e.picture(theme.options), e.text()
			e.leave()
			path := filepath.Join("..", "..", "docs", theme.file)
			if *update {
				if err := os.WriteFile(path, got, 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v; draw it with go test ./tui/picture -update, and look at it", err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("docs/%s is not what the screen looks like now; draw it anew with go test ./tui/picture -update, and look at it. The screen:\n%s", theme.file, screen)
			}
		})
	}
}

// play opens the session on the terminal and acts.
func play(t *testing.T, e *terminal) {
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
	for _, act := range acts() {
		e.press(act[0])
		e.shows(act[1])
	}
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
