package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// TestScenarios runs the files of testdata/scenarios. Each describes some rules. A reply is
// written as lines or as JSON; the text after "----" is the protocol's output.
//
//	open [framing=… mode=… stakes=high attended workspace arbiter consultees=2 round=…]
//	reply SEAT        the seat's reply to what it was asked; then the rules run
//	user VERB …       what the user does
//	during VERB …     the same, while the prompts are out
//	allow             the patterns of commands that may run, one a line
//	resume [attended] resumes the session after an interruption
//	rulings           the current rulings
//	show CHALLENGE|FACTS|…
//
// References are checked by a table: "bad…" is refused, "run/…" is an
// execution, "official/…" an official source, "web/…" fresh research, "model/…" a computed
// estimate, and all others are textual. Commands run by name: "$ bad …" ends with exit 1, all
// others with exit 0.
func TestScenarios(t *testing.T) {
	datadriven.Walk(t, "testdata/scenarios", func(t *testing.T, path string) {
		var d *desk
		datadriven.RunTest(t, path, func(t *testing.T, c *datadriven.TestData) string {
			if c.Cmd == "open" {
				d = openDesk(t, c)
			}
			return d.command(t, c)
		})
	})
}

// desk drives a format by hand, one reply at a time.
type desk struct {
	t      testing.TB
	parser *protocol.Parser
	format protocol.Format
	s      state.State
	asks   []protocol.Ask
	replay []state.Event
	trace  strings.Builder
	quiet  bool
	// terse omits the sentences of rulings; other tests cover them.
	terse bool
	// sent receives each prompt, if it is set.
	sent func(protocol.Ask)
}

// theParser reads the replies of all sessions: it is made once, and nothing changes
// it.
var theParser = sync.OnceValues(protocol.NewParser)

func newDesk(t testing.TB, opened *state.SessionOpened) *desk {
	t.Helper()
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, parser: parser, format: consult.Format{}}
	d.append(opened)
	return d
}

func openDesk(t *testing.T, c *datadriven.TestData) *desk {
	t.Helper()
	opened := &state.SessionOpened{
		Rules:   formats.ByName(state.FormatConsult),
		Version: state.Version, ID: "s", Question: strings.TrimSpace(c.Input),
		Settings: state.Settings{
			Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "5eed",
			Input: state.Input{Options: []string{}, Views: []state.View{}},
		},
		Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}},
	}
	for _, arg := range c.CmdArgs {
		value := strings.Join(arg.Vals, ",")
		switch arg.Key {
		case "framing":
			opened.Settings.Framing = state.Framing(value)
		case "mode":
			opened.Settings.Mode = state.Mode(value)
		case "stakes":
			opened.Settings.HighStakes = true
		case "attended":
			opened.Settings.Attended = true
		case "workspace":
			opened.Settings.Workspace = "/work"
		case "arbiter":
			opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: state.Arbiter})
		case "consultees":
			opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: "consultee-2"})
		case "design":
			opened.Settings.Input.Design = strings.ReplaceAll(value, "|", "\n")
		case "position":
			opened.Settings.Input.Position = value
		case "views":
			for i, text := range arg.Vals {
				opened.Settings.Input.Views = append(opened.Settings.Input.Views,
					state.View{Name: "team " + strconv.Itoa(i+1), Text: text})
			}
		case "options":
			opened.Settings.Input.Options = arg.Vals
		default:
			t.Fatalf("%s: open does not know %q", c.Pos, arg.Key)
		}
	}
	return newDesk(t, opened)
}

func (d *desk) command(t *testing.T, c *datadriven.TestData) string {
	t.Helper()
	d.t = t
	d.trace.Reset()
	switch c.Cmd {
	case "open":
		d.run()
	case "reply":
		d.reply(state.Seat(c.CmdArgs[0].Key), c.Input)
		d.run()
	case "user":
		d.user(c.CmdArgs, c.Input)
		d.run()
	case "during":
		for _, a := range d.asks {
			d.append(&state.PromptSent{Seat: a.Seat, Stage: a.Stage})
		}
		d.user(c.CmdArgs, c.Input)
	case "allow":
		d.append(&state.CommandsAllowed{Patterns: strings.Split(strings.TrimSpace(c.Input), "\n"), By: state.User})
		d.run()
	case "resume":
		d.append(&state.SessionResumed{Attended: c.HasArg("attended")})
		d.run()
	case "rulings":
		return d.rulings()
	case "prompt":
		return d.prompt(state.Seat(c.CmdArgs[0].Key))
	case "show":
		return d.show(c.CmdArgs[0].Key)
	case "phase":
		d.append(&state.PhaseChanged{Phase: state.PhaseUnknown, Reason: "a word of another version"})
	case "silence":
		return d.silence()
	default:
		t.Fatalf("%s: unknown command %s", c.Pos, c.Cmd)
	}
	return d.trace.String()
}

func (d *desk) append(payloads ...state.Payload) {
	d.t.Helper()
	for _, p := range payloads {
		e := state.Event{Seq: d.s.Seq + 1, At: time.Unix(int64(d.s.Seq), 0).UTC(), Data: p}
		next, err := state.Apply(d.s, e)
		if err != nil {
			d.t.Fatalf("apply: %v", err)
		}
		d.s, d.replay = next, append(d.replay, e)
		d.tell(p)
	}
}

// run does what the rules do by themselves, until a seat is asked.
func (d *desk) run() {
	d.t.Helper()
	d.asks = nil
	for range 200 {
		if d.s.Closed || d.s.Paused != state.PauseNone {
			return
		}
		turn := d.format.Next(d.s)
		switch {
		case turn.Close:
			rulings := resolver.Rule(d.s)
			d.append(&state.SessionClosed{
				Exit: d.s.Exit, Inconclusive: cameToNothing(&d.s, rulings),
				Digest: resolver.Digest(rulings),
			})
		case len(turn.Events) > 0:
			d.append(turn.Events...)
		case len(turn.Check) > 0:
			var findings []ledger.Finding
			for _, id := range turn.Check {
				findings = append(findings, finding(d.s.Item(id)))
			}
			d.append(protocol.Found(d.s, turn.Check, findings)...)
		case len(turn.Await) > 0:
			d.say("-> waits for the user: %s", strings.Join(turn.Await, " "))
			return
		case len(turn.Asks) > 0:
			d.asks = turn.Asks
			for _, a := range turn.Asks {
				retry := ""
				if a.Retry != "" {
					retry = " again: " + strings.Join(strings.Fields(a.Retry), " ")
				}
				d.say("-> asks %s to %s%s", a.Seat, a.Stage, retry)
				if d.sent != nil {
					d.sent(a)
				}
			}
			return
		default:
			d.t.Fatal("the format knows no next turn")
		}
	}
	d.t.Fatal("the rules do not come to an end")
}

func finding(item *ledger.Evidence) ledger.Finding {
	f := ledger.Finding{
		Verified: true, Reason: "in place", Type: ledger.Textual, SourceKind: ledger.DomainEvidence,
		Confidence: ledger.ConfidenceInPlace, Reference: item.Reference, Excerpt: item.Excerpt, Digest: "sha256:0",
	}
	switch {
	case item.Approval != ledger.ApprovalNone:
		return ranFinding(item, f)
	case strings.HasPrefix(item.Reference, "bad"):
		return ledger.Finding{Reason: "the quote does not stand there"}
	case strings.HasPrefix(item.Reference, "run/"):
		f.Type, f.SourceKind = ledger.Execution, ledger.LiveAPI
	case strings.HasPrefix(item.Reference, "official/"):
		f.SourceKind = ledger.OfficialSource
	case strings.HasPrefix(item.Reference, "web/"):
		f.SourceKind, f.Confidence = ledger.FreshResearch, ledger.ConfidenceFetched
	case strings.HasPrefix(item.Reference, "model/"):
		f.SourceKind, f.Confidence = ledger.ModeledFallback, ledger.ConfidenceModeled
	}
	return f
}

// ranFinding is how a command of the tests runs.
func ranFinding(item *ledger.Evidence, f ledger.Finding) ledger.Finding {
	ended := ledger.Ended{Stdout: []byte("some output\n")}
	if strings.HasPrefix(item.Reference, "$ bad ") {
		ended.Code = 1
	}
	expected, err := ledger.ParseExpectation(item.Expect)
	if err != nil {
		return ledger.Finding{Reason: err.Error()}
	}
	run := &ledger.Run{ExitCode: ended.Code}
	if unmet := expected.Unmet(ended); len(unmet) > 0 {
		return ledger.Finding{Reason: "not met: " + unmet.String(), Run: run, Nearest: string(ended.Stdout)}
	}
	f.Type, f.SourceKind, f.Confidence = ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution
	f.Excerpt, f.Reason, f.Run = string(ended.Stdout), "met: "+expected.String(), run
	return f
}

// reply admits one seat's reply; where several were asked the others stay due.
func (d *desk) reply(seat state.Seat, text string) {
	d.t.Helper()
	at := slices.IndexFunc(d.asks, func(a protocol.Ask) bool { return a.Seat == seat })
	if at < 0 {
		d.t.Fatalf("%s was not asked", seat)
	}
	ask := d.asks[at]
	parsed, err := d.parser.Parse(text, ask)
	if err != nil {
		d.say("refused: %s", err.Code)
		d.append(&state.ReplyReceived{Seat: seat, Stage: ask.Stage, Text: text})
		return
	}
	admission := d.format.Admit(d.s, ask, parsed.Moves)
	refused := append(parsed.Refused, admission.Refused...)
	for _, r := range refused {
		d.say("refused %s: %s", r.Code, r.Text)
	}
	d.append(&state.ReplyReceived{Seat: seat, Stage: ask.Stage, Text: text, Valid: true, Refused: refused})
	d.append(admission.Events...)
}

func (d *desk) say(format string, args ...any) { fmt.Fprintf(&d.trace, format+"\n", args...) }

// tell writes an event in one line: its kind, and the fields that are not
// empty.
func (d *desk) tell(p state.Payload) {
	if d.quiet {
		return
	}
	switch p := p.(type) {
	case *state.ReplyReceived, *state.PromptSent, *state.SessionOpened, *state.EvidenceVerified:
		if v, ok := p.(*state.EvidenceVerified); ok {
			d.say("evidence-verified %s %s %s admitted=%v", v.ID, v.Type, v.SourceKind, v.Admitted)
		}
		return
	case *state.RoundResolved:
		d.resolved(p)
		return
	case *state.Ruled:
		d.say("ruled round %d", p.Round)
		for _, r := range p.Rulings {
			line := rulingLine(&r)
			if d.terse {
				line, _, _ = strings.Cut(line, ": ")
			}
			d.say("  %s", line)
		}
		return
	case *state.FactRecorded:
		if p.Tag == ledger.TagVerified {
			return
		}
	}
	encoded, err := json.Marshal(p)
	if err != nil {
		d.t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(encoded, &fields); err != nil {
		d.t.Fatal(err)
	}
	var keys []string
	for k, v := range fields {
		if v == nil || v == "" || v == false || v == 0.0 || fmt.Sprint(v) == "[]" || k == "digest" {
			continue
		}
		keys = append(keys, k)
	}
	sort.Strings(keys)
	line := p.Kind()
	for _, k := range keys {
		line += fmt.Sprintf(" %s=%v", k, fields[k])
	}
	d.say("%s", line)
}

func rulingLine(r *state.Ruling) string {
	parts := []string{r.Point, r.Rule, string(r.Bucket)}
	for _, p := range []string{string(r.Tag), string(r.Status)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	line := strings.Join(parts, " ")
	if len(r.Reads) > 0 {
		line += " (" + strings.Join(r.Reads, " ") + ")"
	}
	line += ": " + r.Reason
	if r.Crux != "" {
		line += " | crux: " + r.Crux
	}
	return line
}

func (d *desk) rulings() string {
	out := ""
	rulings := resolver.Rule(d.s)
	for i := range rulings {
		out += rulingLine(&rulings[i]) + "\n"
	}
	return out
}
