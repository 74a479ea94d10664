// Package protocoltest drives sessions in tests: a desk that hands over replies one at a time, and the scenarios of the
// formats, which any package can play to check what it makes of their sessions.
package protocoltest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
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
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/dialectic/playbook"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/protocol/reply"
	"moot/protocol/review"
	"moot/resolver"
	"moot/state"
)

// Scenarios plays the files of a folder as sessions of a format, and calls check with the session after each command.
// Each file describes some rules. A reply is written as lines or as JSON; the text after "----" is the protocol's
// output.
//
//	open [SETTING …]  opens a session on the question; see openScenario
//	reply SEAT        the seat's reply to what it was asked; then the rules run
//	user VERB …       what the user does
//	during VERB …     the same, while the prompts are out
//	allow             the patterns of commands that may run, one a line
//	resume [attended] resumes the session after an interruption
//	gone SEAT         the seat cannot be reached; the reason is the input
//	tokens SEAT=N …   what the seats processed
//	silence           from here on every seat replies with nothing
//	rulings           the current rulings
//	prompt SEAT       what the asked seat is shown
//	due SEAT          the ids that the asked seat must respond to
//	show WHAT         the challenges, facts, … of the session; see (*Desk).show
//	validate [POINT]  the confidences in the claims of a council, and what CV1 to CV4 find
//
// References are checked by a table: "bad…" is refused, "run/…" is an
// execution, "official/…" an official source, "web/…" fresh research, "model/…" a computed
// estimate, and all others are textual. Commands run by name: "$ bad …" ends with exit 1, all
// others with exit 0.
func Scenarios(t *testing.T, format state.Format, dir string, check func(*testing.T, *Desk)) {
	t.Helper()
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		var d *Desk
		datadriven.RunTest(t, path, func(t *testing.T, c *datadriven.TestData) string {
			if c.Cmd == "open" {
				d = openScenario(t, format, c)
			}
			out := d.command(t, c)
			check(t, d)
			return out
		})
	})
}

// AllScenarios plays the scenarios of every format, and the ones of protocol/claims as consultations. protocolDir is
// the path of the folder protocol.
func AllScenarios(t *testing.T, protocolDir string, check func(*testing.T, *Desk)) {
	t.Helper()
	folders := map[string]state.Format{"claims": consult.Name}
	for _, format := range formats.Rules() {
		folders[string(format.Name())] = format.Name()
	}
	for folder, format := range folders {
		t.Run(folder, func(t *testing.T) {
			Scenarios(t, format, filepath.Join(protocolDir, folder, "testdata", "scenarios"), check)
		})
	}
}

// openScenario opens a session of a format with the settings that a scenario names.
func openScenario(t *testing.T, format state.Format, c *datadriven.TestData) *Desk {
	t.Helper()
	o, facts := Opened(format), 9
	if text := strings.TrimSpace(c.Input); text != "" {
		o.Question = text
	}
	set := &o.Settings
	number := func(key string) (n int) {
		c.ScanArgs(t, key, &n)
		return n
	}
	seat := func(seats ...state.Seat) {
		for _, s := range seats {
			o.Seats = append(o.Seats, state.SeatAssignment{Seat: s, Participant: "script"})
		}
	}
	var config []string
	var withheld []state.Payload
	var known []review.Known
	for _, arg := range c.CmdArgs {
		value := strings.Join(arg.Vals, ",")
		switch key := arg.Key; key {
		case "changed":
			// The change under review: a file each, which a number of bytes shows.
			change := state.Document{Path: "change.diff"}
			for _, file := range arg.Vals {
				name, size, _ := strings.Cut(file, ":")
				n, _ := strconv.Atoi(size)
				change.Files = append(change.Files, state.ChangedFile{Path: name, Bytes: n})
				change.Text += strings.Repeat("+", max(0, n-1)) + strings.Repeat("\n", min(1, n))
			}
			set.Context = append(set.Context, change)
		case "withheld":
			for _, file := range arg.Vals {
				name, lines, _ := strings.Cut(file, ":")
				withheld = append(withheld, &state.Withheld{Path: name, Lines: lines, Reason: "it may hold secrets"})
			}
		case "budget":
			set.PromptBudget = number(key)
		case "attended":
			set.Attended = true
		case "agent":
			set.Agent = true
		case "workspace":
			set.Workspace = "/work"
		case "framing":
			set.Framing = state.Framing(value)
		case "mode":
			set.Mode = state.Mode(value)
		case "stakes":
			set.HighStakes = true
		case "arbiter":
			seat(state.Arbiter)
		case "author":
			seat(review.Author)
			o.Seats[len(o.Seats)-1].Participant = value
		case "reviewers":
			o.Seats = o.Seats[:0]
			for i, name := range arg.Vals {
				s := review.Reviewer
				if i > 0 {
					s = state.Seat(fmt.Sprintf("%s-%d", s, i+1))
				}
				o.Seats = append(o.Seats, state.SeatAssignment{Seat: s, Participant: name, NoModel: name == state.BuiltInRules})
			}
		case "known":
			known = append(known, knownFinding(t, len(known), value))
		case "ignored":
			for i := range set.Own.(*review.Settings).Change.Files {
				if f := &set.Own.(*review.Settings).Change.Files[i]; f.Path == value {
					f.Ignored, f.Diff = "a glob of your configuration", ""
				}
			}
		case "turns":
			set.Own.(*review.Settings).Turns = number(key)
		case "big":
			f := &set.Own.(*review.Settings).Change.Files[1]
			f.Diff += strings.Repeat("+// more\n", number(key))
			f.Diff = strings.Replace(f.Diff, "+1,3", fmt.Sprintf("+1,%d", 3+number(key)), 1)
			f.Lines += number(key)
		case "consultees":
			seat("consultee-2")
		case "design":
			set.Input.Design = strings.ReplaceAll(value, "|", "\n")
		case "position":
			set.Input.Position = value
		case "views":
			for i, text := range arg.Vals {
				set.Input.Views = append(set.Input.Views, state.View{Name: "team " + strconv.Itoa(i+1), Text: text})
			}
		case "options":
			set.Input.Options = arg.Vals
		case "panelists":
			o.Seats = Opened(format, Panelists(number(key))).Seats
		case "strategy":
			set.Own.(*panel.Settings).Strategy = value
		case "then":
			if own, is := set.Own.(*panel.Settings); is {
				own.Then = panel.ThenConsult
			} else {
				set.Own.(*hearing.Settings).Then = hearing.Form(value)
			}
		case "rounds":
			switch {
			case set.Format == council.Name:
				set.Own.(*council.Settings).Rounds = number(key)
			case set.Format == hearing.Name:
				set.Own.(*hearing.Settings).Rounds = number(key)
			case set.Format == review.Name:
				set.Own.(*review.Settings).Exchanges = number(key)
			default:
				config = append(config, `"maxRounds":`+value)
			}
		case "fresh":
			config = append(config, `"freshness":{"`+arg.Vals[0]+`":"`+arg.Vals[1]+`"}`)
		case "parallel":
			set.Own.(*council.Settings).Parallel = true
		case "expert":
			seat(constitution.Expert)
		case "without":
			o.Seats = slices.DeleteFunc(o.Seats, func(a state.SeatAssignment) bool { return string(a.Seat) == value })
		case "constitution":
			book, err := constitution.Default()
			if err != nil {
				t.Fatal(err)
			}
			set.Own.(*council.Settings).Constitution = book
		case "deny":
			set.Own.(*council.Settings).Constitution.Constraints = append(set.Own.(*council.Settings).Constitution.Constraints, constitution.Constraint{
				ID: "H1", Seat: constitution.Strategist, Text: "Recommend no such thing.", Check: constitution.CheckNoHarm,
				Deny: []string{strings.Join(arg.Vals, " ")},
			})
		case "form":
			set.Own.(*hearing.Settings).Form = hearing.Form(value)
		case "judge":
			set.Own.(*hearing.Settings).Judge = judge.Version(value)
		case "gate":
			if own, is := set.Own.(*review.Settings); is {
				own.Gate = review.Severity(value)
			} else {
				set.Own.(*hearing.Settings).Gate = judge.Gate(value)
			}
		case "oracle":
			set.Own.(*hearing.Settings).Oracle = true
			seat(hearing.Oracle)
		case "domain":
			built, err := domain.BuiltIn(value)
			if err != nil {
				t.Fatal(err)
			}
			set.Own.(*hearing.Settings).Domain = built
		case "facts":
			facts = number(key)
		case "unfrozen":
			facts = -1
		default:
			t.Fatalf("%s: open does not know %q", c.Pos, key)
		}
	}
	if own, ok := set.Own.(*dialectic.Settings); ok {
		if err := json.Unmarshal([]byte("{"+strings.Join(config, ",")+"}"), &own.Playbook.Config); err != nil {
			t.Fatal(err)
		}
	}
	d := &Desk{T: t, State: &state.State{}}
	d.Append(append([]state.Payload{o}, withheld...)...)
	if len(known) > 0 {
		d.Append(&review.MemoryTaken{Source: "memory.jsonl", Known: known})
	}
	if set.Format == hearing.Name && facts >= 0 {
		d.Freeze(facts)
	}
	return d
}

// knownFinding reads a remembered finding: "agreed/independent/lock.go/12/unchanged/what it says". On another branch than
// work, the bucket is followed by it, as in "agreed@other".
func knownFinding(t *testing.T, n int, text string) review.Known {
	t.Helper()
	parts := strings.SplitN(text, "/", 6)
	if len(parts) != 6 {
		t.Fatalf("not a known finding: %s", text)
	}
	k := review.Known{ID: state.NextID('M', n), Unchanged: parts[4] == "unchanged", Gone: parts[4] == "gone"}
	bucket, branch, found := strings.Cut(parts[0], "@")
	if !found {
		branch = "work"
	}
	k.Bucket, k.Path, k.Session, k.Branch = state.Bucket(bucket), parts[2], "earlier", branch
	k.Line, _ = strconv.Atoi(parts[3])
	k.End, k.What, k.Severity, k.Fingerprint = k.Line, parts[5], review.High, "f"+k.ID
	if k.Tag = state.Tag(parts[1]); k.Bucket == state.BucketUnresolved {
		k.Tag, k.Status = "", state.Status(parts[1])
	}
	k.ByUser = k.Tag == state.TagUser || k.Tag == state.TagIntended
	return k
}

// Opened opens a session of a format with its defaults and a script in each seat.
func Opened(format state.Format, change ...func(*state.SessionOpened)) *state.SessionOpened {
	o := &state.SessionOpened{
		Rules: formats.ByName(format), Version: state.Version, ID: "s", Question: "Is it so?",
		Settings: state.Settings{Format: format, Nonce: "5eed", Input: state.Input{Options: []string{}, Views: []state.View{}}},
	}
	set := &o.Settings
	seats := []state.Seat{state.Orchestrator, state.Consultee}
	switch format {
	case dialectic.Name:
		set.Workspace, set.Own = "w", &dialectic.Settings{Playbook: Playbook(gates.Config{})}
		seats = []state.Seat{dialectic.Proposer, dialectic.PressureTester}
	case panel.Name:
		set.Own = &panel.Settings{Strategy: "tiered"}
		seats = []state.Seat{state.Orchestrator, panel.Panelist, "panelist-2"}
	case council.Name:
		set.Own = &council.Settings{
			Rounds: council.DefaultRounds, Weights: council.DefaultWeights(), Decision: council.DefaultDecision,
			Constitution: constitution.Constitution{Name: "none", Constraints: []constitution.Constraint{}},
		}
		seats = []state.Seat{constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator}
	case hearing.Name:
		o.Question = "Is this a threat?"
		set.Own = &hearing.Settings{
			Form: hearing.FormSingle, Judge: judge.V1, Rounds: hearing.DefaultRounds,
			Domain: domain.Domain{Prefix: "THREAT"},
		}
		seats = []state.Seat{judge.Architect, judge.Skeptic}
	case review.Name:
		o.Question, set.Workspace = "Review of 2 commits (2 files)", "w"
		set.Own = &review.Settings{
			Change: Change(), Gate: review.DefaultGate, Exchanges: 1, Turns: review.DefaultTurns,
			Playbook: Playbook(gates.Config{}),
		}
		seats = []state.Seat{review.Reviewer, "reviewer-2", "reviewer-3"}
	case consult.Name:
		set.Framing, set.Mode = state.FramingPropose, state.ModeStandard
	}
	for _, seat := range seats {
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: seat, Participant: "script"})
	}
	if format == review.Name {
		for i := range o.Seats {
			o.Seats[i].Participant = fmt.Sprintf("script:%d", i+1) // Reviewers of one name count as one.
		}
	}
	for _, f := range change {
		f(o)
	}
	return o
}

// Change is the change under review in tests: lock.go lost two lines and got three, store.go is new.
func Change() review.Change {
	return review.Change{
		Title: "Review of 2 commits (2 files)", Base: strings.Repeat("a", 40), Head: strings.Repeat("b", 40),
		Branch: "work", Repository: "r",
		Files: []review.File{
			{
				Path: "lock.go", Status: review.Modified, Lines: 41, Was: 40, Around: []string{"lock_test.go"},
				Diff: "--- a/lock.go\n+++ b/lock.go\n@@ -10,6 +10,7 @@ func Unlock() {\n a()\n-b()\n-c()\n+d()\n+e()\n+f()\n }\n \n func Lock() {\n",
			},
			{
				Path: "store.go", Status: review.Added, Lines: 3, Around: []string{},
				Diff: "--- /dev/null\n+++ b/store.go\n@@ -0,0 +1,3 @@\n+package store\n+\n+var open int\n",
			},
		},
	}
}

// Panelists seats so many panelists.
func Panelists(n int) func(*state.SessionOpened) {
	return func(o *state.SessionOpened) {
		o.Seats = o.Seats[:2]
		for i := 2; i <= n; i++ {
			seat := state.Seat(fmt.Sprintf("panelist-%d", i))
			o.Seats = append(o.Seats, state.SeatAssignment{Seat: seat, Participant: "script"})
		}
	}
}

// Desk drives a session by hand, one reply at a time.
type Desk struct {
	T     testing.TB
	State *state.State
	// Asks holds what the seats have to answer now, Events the whole record.
	Asks   []protocol.Ask
	Events []state.Event
	// Prompts are those that were sent.
	Prompts []SentPrompt
	// Quiet leaves events out of the trace.
	Quiet bool
	trace strings.Builder
	// answers says that the seats answer the question at the end; else code composes it.
	answers bool
}

// SentPrompt is a prompt with what it asks.
type SentPrompt struct {
	protocol.Ask
	protocol.Prompt
}

// Parser reads the replies of all sessions.
func Parser() (*reply.Parser, error) { return parser() }

// parser is made once and never changes.
var parser = sync.OnceValues(func() (*reply.Parser, error) { return reply.NewParser(formats.All()) })

// New opens a session, a hearing on a packet of nine facts.
func New(t testing.TB, opened *state.SessionOpened) *Desk {
	t.Helper()
	d := &Desk{T: t, State: &state.State{}}
	d.Append(opened)
	if opened.Settings.Format == hearing.Name {
		d.Freeze(9)
	}
	return d
}

// Freeze adds a packet of so many facts to a hearing.
func (d *Desk) Freeze(facts int) {
	d.Quiet = true
	d.Append(state.PacketEvents(Packet(d.T, facts))...)
	d.Quiet = false
}

// Packet is a frozen packet of so many facts, f1, f2, …. Those of one host are tied: f1 and f7; f2, f5 and f8;
// f3, f4, f6 and f9.
func Packet(t testing.TB, count int) *ledger.Packet {
	t.Helper()
	from := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket("night", from, from.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	sources := []ledger.SourceType{"syslog", "auth_log"}
	hosts := []int{1, 2, 3, 3, 2, 3, 1, 2, 3}
	for i := range count {
		err := p.Add(ledger.PacketFact{
			ID: fmt.Sprintf("f%d", i+1), Entity: fmt.Sprintf("host-%d", hosts[i%len(hosts)]), EntityType: "node", Field: "event", Value: ledger.Value(fmt.Sprintf(`"what %d shows"`, i+1)),
			At: from.Add(time.Duration(i) * time.Minute), SourceType: sources[i%2], SourceID: "collector",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Freeze(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (d *Desk) command(t *testing.T, c *datadriven.TestData) string {
	t.Helper()
	d.T = t
	d.trace.Reset()
	seat := state.Seat("")
	if len(c.CmdArgs) > 0 {
		seat = state.Seat(c.CmdArgs[0].Key)
	}
	switch c.Cmd {
	case "open":
		d.Run()
	case "reply":
		d.Reply(seat, c.Input)
		d.Run()
	case "user":
		d.user(c.CmdArgs, c.Input)
		d.Run()
	case "during":
		d.user(c.CmdArgs, c.Input)
	case "allow":
		d.Append(&state.CommandsAllowed{Patterns: strings.Split(strings.TrimSpace(c.Input), "\n"), By: state.User})
		d.Run()
	case "resume":
		d.Append(&state.SessionResumed{Attended: c.HasArg("attended")})
		d.Run()
	case "gone":
		d.Append(&state.SeatMissed{Seat: seat, Stage: d.askOf(seat).Stage, Reason: strings.TrimSpace(c.Input)})
		d.Run()
	case "tokens":
		for _, arg := range c.CmdArgs {
			n := 0
			c.ScanArgs(t, arg.Key, &n)
			d.Append(&state.UsageCounted{Seat: state.Seat(arg.Key), Calls: 1, CompletionTokens: n, Notes: []string{}})
		}
		return ""
	case "phase":
		d.Append(&state.PhaseChanged{Phase: state.PhaseUnknown, Reason: "a word of another version"})
	case "answers":
		d.answers = true
		return ""
	case "silence":
		return d.silence()
	case "rulings":
		return RulingLines(d.State)
	case "prompt":
		return d.Prompted(seat).Text
	case "due":
		return d.due(seat)
	case "show":
		return d.show(string(seat))
	case "validate":
		return d.validations(string(seat))
	default:
		t.Fatalf("%s: unknown command %s", c.Pos, c.Cmd)
	}
	return d.trace.String()
}

// Append records events.
func (d *Desk) Append(payloads ...state.Payload) {
	d.T.Helper()
	for _, p := range payloads {
		e := state.Event{Seq: d.State.Seq + 1, At: time.Unix(int64(d.State.Seq), 0).UTC(), Data: p}
		next, err := state.Apply(d.State, e)
		if err != nil {
			d.T.Fatalf("apply: %v", err)
		}
		d.State, d.Events = next, append(d.Events, e)
		d.tell(p)
	}
}

// Run does what the rules do by themselves, until a seat is asked.
func (d *Desk) Run() {
	d.T.Helper()
	d.Asks = nil
	for range 200 {
		if d.State.Closed || d.State.Paused != state.PauseNone {
			return
		}
		turn := protocol.Of(d.State).Next(d.State)
		switch {
		case turn.Close:
			d.Append(protocol.Closing(d.State, turn.Exit))
		case len(turn.Events) > 0:
			d.Append(turn.Events...)
		case len(turn.Check) > 0:
			var findings []ledger.Finding
			for _, id := range turn.Check {
				findings = append(findings, Finding(d.State.Item(id)))
			}
			d.Append(claims.AdmitFindings(d.State, turn.Check, findings)...)
		case len(turn.Await) > 0:
			d.say("-> waits for the user: %s", strings.Join(turn.Await, " "))
			return
		case len(turn.Asks) > 0 && turn.Asks[0].Stage == state.StageConclude && !d.answers:
			for _, a := range turn.Asks {
				d.Append(&state.ReplyReceived{Seat: a.Seat, Stage: a.Stage, Valid: true})
			}
		case len(turn.Asks) > 0:
			d.Asks = turn.Asks
			for _, a := range turn.Asks {
				retry := ""
				if a.Retry != "" {
					retry = " again: " + strings.Join(strings.Fields(a.Retry), " ")
				}
				d.say("-> asks %s to %s%s", a.Seat, a.Stage, retry)
				d.send(a)
			}
			return
		default:
			d.T.Fatal("the format knows no next turn")
		}
	}
	d.T.Fatal("the rules do not come to an end")
}

// send records the prompt of an ask.
func (d *Desk) send(ask protocol.Ask) {
	p := protocol.Of(d.State).Prompt(d.State, ask)
	d.Prompts = append(d.Prompts, SentPrompt{ask, p})
	d.Append(p.Sent(ask)...)
}

// askOf returns the ask that a seat has to answer.
func (d *Desk) askOf(seat state.Seat) protocol.Ask {
	d.T.Helper()
	at := slices.IndexFunc(d.Asks, func(a protocol.Ask) bool { return a.Seat == seat })
	if at < 0 {
		d.T.Fatalf("%s was not asked", seat)
	}
	return d.Asks[at]
}

// Prompted is the prompt of a seat that was asked.
func (d *Desk) Prompted(seat state.Seat) protocol.Prompt {
	d.T.Helper()
	return protocol.Of(d.State).Prompt(d.State, d.askOf(seat))
}

// Finding returns the result of the check of an item, by the table of Scenarios.
func Finding(item *ledger.Evidence) ledger.Finding {
	f := ledger.Finding{
		Verified: true, Reason: "in place", Type: ledger.Textual, SourceKind: ledger.DomainEvidence,
		Confidence: ledger.ConfidenceInPlace, Reference: item.Reference, Excerpt: item.Excerpt, Digest: "sha256:0",
	}
	switch {
	case item.Approval != ledger.ApprovalNone:
		return ranFinding(item, f)
	case item.Asked:
		// Lookups find whatever does not begin with "no".
		_, what, _ := strings.Cut(item.Reference, " ")
		f.Verified = strings.HasPrefix(what, "no") == (item.Expect == "none")
		f.Unmet, f.Excerpt, f.Reason = !f.Verified, "what is there", "expected "+item.Expect
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
	if strings.HasPrefix(item.Reference, "$ hangs") {
		return ledger.Finding{Reason: "it was still running after 1 s", Run: &ledger.Run{ExitCode: -1}}
	}
	expected, err := ledger.ParseExpectation(item.Expect)
	if err != nil {
		return ledger.Finding{Reason: err.Error()}
	}
	run := &ledger.Run{ExitCode: ended.Code}
	if unmet := expected.Unmet(ended); len(unmet) > 0 {
		return ledger.Finding{
			Reason: "not met: " + unmet.String(), Run: run, Nearest: string(ended.Stdout), Unmet: true,
			Type: ledger.Execution, SourceKind: ledger.LiveAPI, Confidence: ledger.ConfidenceExecution,
			Reference: item.Reference,
		}
	}
	f.Type, f.SourceKind, f.Confidence = ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution
	f.Excerpt, f.Reason, f.Run = string(ended.Stdout), "met: "+expected.String(), run
	return f
}

// Reply admits one seat's reply. If several were asked, the others stay due.
func (d *Desk) Reply(seat state.Seat, text string) {
	d.T.Helper()
	ask := d.askOf(seat)
	parser, err := Parser()
	if err != nil {
		d.T.Fatal(err)
	}
	parsed, failed := parser.In(protocol.Of(d.State)).Parse(text, ask)
	if failed != nil {
		d.say("refused: %s", failed.Code)
		failure := reply.FormatFailure(text)
		failure.Seat = seat
		d.Append(&state.ReplyReceived{Seat: seat, Stage: ask.Stage, Text: text}, &state.ReplyRefused{
			Seat: seat, Stage: ask.Stage, Code: failed.Code, Reason: failed.Reason, Failure: &failure,
		})
		return
	}
	admission := protocol.Of(d.State).Admit(d.State, ask, parsed.Moves)
	refused := append(parsed.Refused, admission.Refused...)
	for _, r := range refused {
		d.say("refused %s: %s", r.Code, r.Text)
	}
	d.Append(&state.ReplyReceived{Seat: seat, Stage: ask.Stage, Text: text, Valid: true, Refused: refused, ReadAs: parsed.ReadAs})
	d.Append(admission.Events...)
}

func (d *Desk) say(format string, args ...any) { fmt.Fprintf(&d.trace, format+"\n", args...) }

// tell writes an event in one line: its kind, and the fields that are not
// empty.
func (d *Desk) tell(p state.Payload) {
	if d.Quiet {
		return
	}
	if _, ok := p.(*state.AnswerGiven); ok && !d.answers {
		return
	}
	switch p := p.(type) {
	case *state.ReplyReceived, *state.PromptSent, *state.SessionOpened, *state.EvidenceVerified:
		if v, ok := p.(*state.EvidenceVerified); ok {
			d.say("evidence-verified %s %s %s admitted=%v", v.ID, v.Type, v.SourceKind, v.Admitted)
		}
		return
	case *dialectic.RoundResolved:
		d.resolved(p)
		return
	case *state.Ruled:
		d.say("ruled round %d", p.Round)
		for _, r := range p.Rulings {
			line := RulingLine(&r)
			if d.State.Settings.Format == hearing.Name {
				// Other tests cover the sentences of a hearing's rulings.
				line, _, _ = strings.Cut(line, ": ")
			}
			d.say("  %s", line)
		}
		return
	case *state.FactRecorded:
		if p.Tag == ledger.TagVerified {
			return
		}
	case *state.ReplyRefused:
		return // The desk says it.
	}
	encoded, err := json.Marshal(p)
	if err != nil {
		d.T.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(encoded, &fields); err != nil {
		d.T.Fatal(err)
	}
	var keys []string
	for k, v := range fields {
		if v == nil || v == "" || v == false || v == 0.0 || fmt.Sprint(v) == "[]" || k == "digest" {
			continue
		}
		keys = append(keys, k)
	}
	sort.Strings(keys)
	line := state.KindOf(p)
	if failure, ok := fields["failure"].(map[string]any); ok {
		fields["failure"] = failure["kind"]
	}
	for _, k := range keys {
		line += fmt.Sprintf(" %s=%v", k, fields[k])
	}
	d.say("%s", line)
}

// resolved tells a resolution without what merely passed.
func (d *Desk) resolved(p *dialectic.RoundResolved) {
	d.say("resolved round %d: %s", p.Round, p.Decision)
	for _, r := range p.Receipts {
		if r.Outcome != "PASS" {
			d.say("  %s %s %s: %s", r.Rule, r.Subject, r.Outcome, r.Reason)
		}
	}
	for _, w := range p.Artifact.Validation.Warnings {
		d.say("  warning: %s", w)
	}
}

// RulingLine returns a ruling on one line.
func RulingLine(r *state.Ruling) string {
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

// RulingLines returns the current rulings, one on each line.
func RulingLines(s *state.State) string {
	out := ""
	rulings := resolver.Rule(s)
	for i := range rulings {
		out += RulingLine(&rulings[i]) + "\n"
	}
	return out
}

// Playbook is a playbook of three flags.
func Playbook(config gates.Config) playbook.Playbook {
	return playbook.Playbook{
		Name: "small", Config: config,
		Flags: []playbook.Flag{
			{
				ID: "no-rollback", Title: "no way back", Look: "a change that cannot be undone", Category: "Safety",
				Severity:  "BLOCKING",
				Predicate: "the change can be undone", Clears: "a tested way back",
			},
			{
				ID: "untested", Title: "not tested", Look: "what no test covers", Category: "Factual", Severity: "HIGH",
				Predicate: "a test covers the change", Clears: "the test",
			},
			{
				ID: "undocumented", Title: "not documented", Look: "what users must know", Category: "Categorical",
				Severity:  "MEDIUM",
				Predicate: "the change is documented", Clears: "the passage",
			},
			{
				ID: "not-permitted", Title: "not permitted", Look: "what a rule forbids", Category: "Regulatory",
				Severity: "BLOCKING", Predicate: "the rules permit it", Clears: "the rule",
				ClearedBy: []ledger.SourceKind{ledger.UserOverride, ledger.OfficialSource},
			},
		},
	}
}
