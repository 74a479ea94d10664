package cli_test

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/report"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// stopped are events of sessions that paused or ended badly, with what happened at their end.
func stopped(d *desk, end ...state.Payload) []state.Payload {
	return append([]state.Payload{
		&state.SessionOpened{
			Rules: formats.ByName(consult.Name), Version: state.Version, ID: "20261128-120000-aaaa", Question: "Is it safe?",
			Settings: state.Settings{
				Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "n", Workspace: d.Dir,
				Input: state.Input{Options: []string{}, Views: []state.View{}},
			},
			Seats: []state.SeatAssignment{
				{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
				{Seat: state.Consultee, Participant: "openai:m"},
			},
		},
		&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"},
	}, end...)
}

// Why a session stopped is the same words in every form, in the first lines, and the same data in JSON (SE3, SE4).
// What a server said cannot act in any of them.
func TestEveryFormSaysWhyItStopped(t *testing.T) {
	// The words are as they are recorded: on one line, without control characters.
	const hostile = `</td><script>alert(1)</script> @everyone #1 ![x](http://tracker.example/a.png) **a** <!-- | ` + "`b`"
	failure := state.Failure{
		Seat: state.Consultee, Kind: state.FailureLimit, Text: hostile, Said: true,
		Resets: time.Date(2026, 11, 28, 16, 30, 0, 0, time.UTC),
	}
	refused := state.Failure{Seat: state.Consultee, Kind: state.FailureRefused, Text: hostile, Said: true}
	for name, end := range map[string][]state.Payload{
		"limit": {&state.SessionPaused{
			Why: state.PauseUnreachable, Reason: view.FailureLine("openai:m", failure) + "; add credit", Failure: &failure,
		}},
		"budget": {&state.SessionPaused{Why: state.PauseBudget, Reason: "9 of 8 tokens are used; raise it with --max-tokens"}},
		"declined": {
			&state.ExitReached{Exit: state.ExitQuality, Reason: view.FailureLine("openai:m", refused, refused), Failure: &refused},
			&state.SessionClosed{Exit: state.ExitQuality, Inconclusive: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			dir, err := store.Dir()
			if err != nil {
				t.Fatal(err)
			}
			s, events, err := state.Extend(&state.State{}, time.Now(), stopped(d, end...)...)
			if err != nil {
				t.Fatal(err)
			}
			file, err := store.Create(dir, s.ID)
			if err != nil {
				t.Fatal(err)
			}
			if err := file.Append(events); err != nil {
				t.Fatal(err)
			}
			file.Close()
			want, line := view.StopOf(s)
			// As Markdown shows it: without the marks that keep text from acting.
			shown := func(text string) string {
				return html.UnescapeString(strings.NewReplacer("\u200b", "", `\`, "").Replace(text))
			}
			output := func(args ...string) string {
				t.Helper()
				d.out.Reset()
				if code := d.run(args...); code != int(protocol.ExitConcluded) {
					t.Fatalf("%v: exit code %d\n%s", args, code, d.err.String())
				}
				return d.out.String()
			}
			for form, text := range map[string]string{
				"text": output("show", s.ID), "Markdown": shown(output("show", s.ID, "-o", "markdown")),
				"comment": shown(output("export", s.ID, "--as", "pr")), "list": output("list"),
			} {
				first := strings.Join(strings.SplitAfter(text, "\n")[:min(4, strings.Count(text, "\n"))], "")
				if !strings.Contains(strings.Join(strings.Fields(first), " "), line) {
					t.Errorf("%s begins with\n%s\nwant %s", form, first, line)
				}
			}
			replayed := strings.Join(strings.Fields(output("replay", s.ID, "--plain")), " ")
			if !strings.Contains(replayed, strings.TrimPrefix(strings.TrimPrefix(line, "paused, no decision: "), "ended early: ")) {
				t.Errorf("replay: %s", replayed)
			}
			comment := output("export", s.ID, "--as", "pr")
			if _, rest, _ := strings.Cut(comment, "\n"); !strings.HasPrefix(shown(rest), line) {
				t.Errorf("the comment begins with %s", rest)
			}
			// An escaped character and one before a gap do nothing.
			bare := regexp.MustCompile("\\\\.|[@:]\u200b|<!-- moot.session/1 -->|moot session `[0-9a-z-]+`").ReplaceAllString(comment, "")
			if found := regexp.MustCompile("[<`@#]|://|!?\\[").FindString(bare); found != "" {
				t.Errorf("%q acts in the comment:\n%s", found, comment)
			}
			var exported struct {
				Session report.Header `json:"session"`
			}
			if err := json.Unmarshal([]byte(output("export", s.ID, "--as", "json")), &exported); err != nil {
				t.Fatal(err)
			}
			var rows []struct {
				Failure view.Failure `json:"failure"`
			}
			if err := json.Unmarshal([]byte(output("list", "-o", "json")), &rows); err != nil {
				t.Fatal(err)
			}
			if exported.Session.Failure != want || rows[0].Failure != want || want.Text == "" {
				t.Errorf("export has %+v, list %+v, want %+v", exported.Session.Failure, rows, want)
			}
			a := d.agent(t, nil)
			status, failed := a.call("status", map[string]any{"session": s.ID})
			var told struct {
				Stopped string       `json:"stopped"`
				Failure view.Failure `json:"failure"`
			}
			if err := json.Unmarshal([]byte(status), &told); failed || err != nil || told.Stopped != line || told.Failure != want {
				t.Errorf("status: %s, %v", status, err)
			}
			if text, failed := a.call("result", map[string]any{"session": s.ID}); failed || !strings.Contains(shown(text), line) {
				t.Errorf("result: %s", text)
			}
			a.end()
		})
	}
}
