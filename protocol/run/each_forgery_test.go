package run

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/protocol/reply"
	"moot/state"
)

// forgery is a copy of a session in which somebody changed one thing.
type forgery struct {
	// what names the change: "without ruled", "ruled.rulings[].bucket".
	what string
	// from is the first event that differs, from 0.
	from   int
	events []state.Event
}

// forgeries yields a session with each event deleted, swapped with the next, and repeated, and with each leaf of each
// event changed, in ways that a file can hold. The sums of the chain are those that somebody recomputes.
func forgeries(t testing.TB, events []state.Event, yield func(forgery)) {
	decoder := state.NewDecoder(formats.Rules()...)
	moved := func(what string, i int, data []state.Payload) {
		forged := make([]state.Event, len(data))
		for k, p := range data {
			// The times stay in order.
			forged[k] = state.Event{Seq: k + 1, At: events[min(k, len(events)-1)].At, Data: p}
		}
		yield(forgery{what + " " + state.KindOf(events[i].Data), i, forged})
	}
	data := make([]state.Payload, len(events))
	for i, e := range events {
		data[i] = e.Data
	}
	var seats []string
	for _, a := range events[0].Data.(*state.SessionOpened).Seats {
		seats = append(seats, string(a.Seat))
	}
	for i, e := range events {
		if i < len(events)-1 { // Without the last one it is a shorter session.
			moved("without", i, slices.Delete(slices.Clone(data), i, i+1))
			swapped := slices.Clone(data)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			moved("swapped", i, swapped)
		}
		moved("twice", i, slices.Insert(slices.Clone(data), i, e.Data))
		kind := state.KindOf(e.Data)
		for _, at := range []time.Time{e.At.Add(time.Millisecond), e.At.Add(-time.Hour)} {
			forged := slices.Clone(events)
			forged[i].At = at
			what := kind + " at"
			if i > 0 && at.Before(events[i-1].At) || i+1 < len(events) && at.After(events[i+1].At) {
				what = kind + " at, out of order"
			}
			yield(forgery{what, i, forged})
		}
		payload := copied(t, decoder, e.Data)
		l := leaves{seats: seats, visit: func(path string) {
			var line bytes.Buffer
			if state.Encode(&line, payload) != nil {
				return // It cannot be written.
			}
			changed, err := decoder.Decode(kind, line.Bytes())
			if err != nil {
				return // It cannot be read.
			}
			var again, was bytes.Buffer
			if state.Encode(&again, changed) != nil || state.Encode(&was, e.Data) != nil || bytes.Equal(again.Bytes(), was.Bytes()) {
				return // It reads as before.
			}
			forged := slices.Clone(events)
			forged[i].Data = changed
			yield(forgery{path, i, forged})
		}}
		l.walk(kind, reflect.ValueOf(payload).Elem())
	}
}

// copied reads the data of an event again, as from a file.
func copied(t testing.TB, decoder *state.Decoder, p state.Payload) state.Payload {
	t.Helper()
	var line bytes.Buffer
	if err := state.Encode(&line, p); err != nil {
		t.Fatal(err)
	}
	again, err := decoder.Decode(state.KindOf(p), line.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// leaves changes each leaf of a value in turn, calls visit, and changes it back.
type leaves struct {
	seats []string
	visit func(path string)
}

func (l *leaves) walk(path string, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		if at := v.Interface().(time.Time); !at.IsZero() {
			l.set(path, v, at.Add(time.Second))
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if inner := v.Elem(); inner.Kind() == reflect.Pointer || v.Kind() == reflect.Pointer {
			l.walk(path, inner)
		}
		if v.Kind() == reflect.Pointer && v.CanSet() {
			l.set(path, v, reflect.Zero(v.Type()).Interface())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case name == "-" || !field.IsExported():
				continue
			case field.Anonymous && name == "":
				l.walk(path, v.Field(i))
				continue
			case name == "":
				name = field.Name
			}
			l.walk(path+"."+name, v.Field(i))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			l.set(path, v, []byte(`"forged"`))
			return
		}
		if v.Len() > 0 {
			l.set(path+"[]", v, reflect.MakeSlice(v.Type(), 0, 0).Interface())
		}
		for i := range v.Len() {
			l.walk(path+"[]", v.Index(i))
		}
	case reflect.Map:
		if v.Len() > 0 {
			l.set(path+"[]", v, reflect.MakeMap(v.Type()).Interface())
		}
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			inner := &leaves{seats: l.seats, visit: func(path string) {
				was := reflect.ValueOf(v.MapIndex(key).Interface())
				v.SetMapIndex(key, value)
				l.visit(path)
				v.SetMapIndex(key, was)
			}}
			inner.walk(path+"[]", value)
		}
	case reflect.Bool:
		l.set(path, v, !v.Bool())
	case reflect.Int, reflect.Int64:
		l.set(path, v, v.Int()+1)
		if v.Int() > 0 {
			l.set(path, v, v.Int()/2)
		}
	case reflect.Float64:
		l.set(path, v, v.Float()+0.07)
		l.set(path, v, v.Float()/2)
	case reflect.String:
		for _, text := range l.otherTexts(v) {
			l.set(path, v, text)
		}
	}
}

// set changes a value, calls visit, and changes it back.
func (l *leaves) set(path string, v reflect.Value, to any) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	v.Set(reflect.ValueOf(to).Convert(v.Type()))
	if !reflect.DeepEqual(v.Interface(), was.Interface()) {
		l.visit(path)
	}
	v.Set(was)
}

// otherTexts are other values of a string: all words of a closed list, or texts that are longer, of the same length, and
// empty.
func (l *leaves) otherTexts(v reflect.Value) []string {
	if words, closed := closedLists()[v.Type()]; closed {
		return words
	}
	switch v.Interface().(type) {
	case state.Seat:
		return append(slices.Clone(l.seats), string(state.User), string(state.Protocol))
	case state.Stage:
		return []string{string(state.StagePropose), string(state.StageEvaluate), string(state.StageJudge)}
	}
	text := v.String()
	others := []string{text + "x", ""}
	if i := len(text) / 2; text != "" && text[i] < 0x80 {
		other := "e"
		if text[i] == 'e' {
			other = "a"
		}
		others = append(others, text[:i]+other+text[i+1:])
	}
	if strings.HasPrefix(text, "P") || strings.HasPrefix(text, "E") || strings.HasPrefix(text, "C") {
		others = append(others, text[:1]+"1", text[:1]+"2") // another point, item or challenge
	}
	return others
}

// closedLists are the words of the closed lists, by their types.
func closedLists() map[reflect.Type][]string {
	lists := map[reflect.Type][]string{}
	add := func(t reflect.Type, words []string) { lists[t] = words }
	add(reflect.TypeFor[state.Mode](), enum.Words(state.Modes()))
	add(reflect.TypeFor[state.Framing](), enum.Words(state.Framings()))
	add(reflect.TypeFor[state.Kind](), enum.Words(state.Kinds()))
	add(reflect.TypeFor[state.Class](), enum.Words(state.Classes()))
	add(reflect.TypeFor[state.Scope](), enum.Words(state.Scopes()))
	add(reflect.TypeFor[state.ChallengeStatus](), enum.Words(state.ChallengeStatuses()))
	add(reflect.TypeFor[state.Judgment](), enum.Words(state.Judgments()))
	add(reflect.TypeFor[state.QuestionKind](), enum.Words(state.QuestionKinds()))
	add(reflect.TypeFor[state.Exit](), enum.Words(state.Exits()))
	add(reflect.TypeFor[state.FailureKind](), enum.Words(state.FailureKinds()))
	add(reflect.TypeFor[state.PauseKind](),
		enum.Words([]state.PauseKind{state.PauseUser, state.PauseBudget, state.PauseUnreachable, state.PauseContext}))
	add(reflect.TypeFor[state.Bucket](), enum.Words(state.Buckets()))
	add(reflect.TypeFor[state.Tag](), enum.Words(state.Tags()))
	add(reflect.TypeFor[state.Status](), enum.Words(state.Statuses()))
	add(reflect.TypeFor[state.StressGrade](), enum.Words(state.StressGrades()))
	add(reflect.TypeFor[state.OverrideKind](), enum.Words(state.OverrideKinds()))
	add(reflect.TypeFor[state.Phase](), enum.Words(state.Phases()))
	add(reflect.TypeFor[ledger.Type](), enum.Words(ledger.Types()))
	add(reflect.TypeFor[ledger.SourceKind](), enum.Words(ledger.SourceKinds()))
	add(reflect.TypeFor[ledger.Relation](), enum.Words(ledger.Relations()))
	add(reflect.TypeFor[ledger.Tag](), enum.Words(ledger.Tags()))
	add(reflect.TypeFor[ledger.Approval](), enum.Words(ledger.Approvals()))
	add(reflect.TypeFor[state.PlaceVerdict](), enum.Words(state.PlaceVerdicts()))
	return lists
}

// tally counts the forgeries of one kind.
type tally struct{ made, missed int }

// attack verifies the forgeries of a session that pick chooses, and counts them by what they change.
func attack(t testing.TB, parser *reply.Parser, events []state.Event, pick func() bool) map[string]tally {
	t.Helper()
	// The replay of a forgery begins with the last step before what it changes.
	var steps []verifier
	v := &verifier{parser: parser, events: events, state: &state.State{}}
	for v.at < len(events) {
		before := *v
		before.calls = slices.Clone(v.calls)
		steps = append(steps, before)
		if why := v.step(); why != "" {
			t.Fatalf("line %d of the session does not verify: %s", v.at+1, why)
		}
	}
	counts := map[string]tally{}
	forgeries(t, events, func(f forgery) {
		if !pick() {
			return
		}
		i, _ := slices.BinarySearchFunc(steps, f.from, func(v verifier, from int) int { return v.at - from })
		i = min(i, len(steps)-1)
		if steps[i].at > f.from {
			i--
		}
		v := steps[i]
		v.calls, v.events = slices.Clone(v.calls), f.events
		why := ""
		for why == "" && v.at < len(v.events) {
			why = v.step()
		}
		count := counts[f.what]
		count.made++
		if why == "" {
			if _, err := Verify(parser, f.events); err == nil {
				count.missed++
			}
		}
		counts[f.what] = count
	})
	return counts
}

// TestEachForgeryIsFoundOrListed changes one thing at a time in sessions of all formats. Verify finds it, or the list
// names it as what only a known head finds. To try the whole battery, run
// go test ./protocol/run -run EachForgery -forgeries 1.
func TestEachForgeryIsFoundOrListed(t *testing.T) {
	parser, err := protocoltest.Parser()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]tally{}
	sessions := attacked(t)
	for _, name := range slices.Sorted(maps.Keys(sessions)) {
		random := rand.New(rand.NewPCG(36, 6))
		counts := attack(t, parser, sessions[name], func() bool { return *share >= 1 || random.Float64() < *share })
		var made, found, named int
		for what, c := range counts {
			made, found = made+c.made, found+c.made-c.missed
			if onlyHead(what) {
				named += c.missed
			}
			sum := all[what]
			sum.made, sum.missed = sum.made+c.made, sum.missed+c.missed
			all[what] = sum
		}
		t.Logf("%s: %d events, %d forgeries, %d found, %d listed, %d missed", name, len(sessions[name]), made, found, named,
			made-found-named)
	}
	for _, what := range slices.Sorted(maps.Keys(all)) {
		if c := all[what]; c.missed > 0 && !onlyHead(what) {
			t.Errorf("%s: %d of %d forgeries verify, and the list does not name it", what, c.missed, c.made)
		}
	}
	if *share < 1 {
		return
	}
	for _, row := range taken() {
		for _, field := range row.fields {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(what string) bool { return all[what].missed > 0 && fits(field, what) }) {
				t.Errorf("the list names %s, and each forgery of it is found", field)
			}
		}
	}
}

// The page on sessions lists what only a known head finds.
func TestDocsListWhatVerifyTakes(t *testing.T) {
	page, err := os.ReadFile("../../docs/session.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString("| what it cannot check | fields of events |\n|---|---|\n")
	for _, row := range taken() {
		fields := "`" + strings.Join(row.fields, "`, `") + "`"
		fmt.Fprintf(&want, "| %s | %s |\n", row.says, strings.NewReplacer("`* at`", "`at` of each event",
			"`twice prompt-sent`", "`prompt-sent` twice", "`swapped ", "the order of `").Replace(fields))
	}
	if !strings.Contains(string(page), want.String()) {
		t.Errorf("docs/session.md lacks this table:\n%s", want.String())
	}
}

// fits reports whether a forgery is one that an entry of the list names.
func fits(field, what string) bool {
	if prefix, all := strings.CutSuffix(field, "*"); all {
		return strings.HasPrefix(what, prefix)
	}
	if after, all := strings.CutPrefix(field, "*"); all {
		return strings.HasSuffix(what, after)
	}
	return field == what
}

// onlyHead reports whether the list names a forgery.
func onlyHead(what string) bool {
	for _, row := range taken() {
		if slices.ContainsFunc(row.fields, func(field string) bool { return fits(field, what) }) {
			return true
		}
	}
	return false
}

// row is a row of the list of what only a known head finds.
type row struct {
	// says describes the fields.
	says   string
	fields []string
}

// taken lists the fields that verify cannot check.
func taken() []row {
	return []row{
		{"times that stay in order", []string{"* at"}},
		{"what a seat wrote, if the same moves follow from it", []string{"reply-received.text"}},
		{"what the participant reported about itself: its model, its conversation and how that was lost", []string{
			"reply-received.model", "reply-received.conversation", "reply-received.recovered",
		}},
		{"what the participant or its server reported: tokens, cost, attempts, times and notes", []string{
			"usage-counted.prompt_tokens", "usage-counted.completion_tokens", "usage-counted.estimated", "usage-counted.cost",
			"usage-counted.unpriced", "usage-counted.attempts", "usage-counted.waited_ms", "usage-counted.took_ms",
			"usage-counted.notes[]", "prompt-shrunk.cut", "prompt-shrunk.reason",
		}},
		{"what a check found: the lines, their digest and commit, the run of a command, and the reason in words", []string{
			"evidence-verified.reason", "evidence-verified.digest", "evidence-verified.commit",
			"evidence-verified.run.exit_code", "evidence-verified.run.confinement", "evidence-verified.run.milliseconds", "evidence-verified.run.output_bytes",
			"evidence-refused.nearest_reference", "evidence-refused.similarity",
		}},
		{"what a lookup asked for, how much it was shown, and the digests of the files, unless a prompt shows it again", []string{
			"lookup-answered.query", "lookup-answered.glob", "lookup-answered.path", "lookup-answered.from", "lookup-answered.to",
			"lookup-answered.bytes", "lookup-answered.bound", "lookup-answered.refused", "lookup-answered.shown[].path",
			"lookup-answered.shown[].to", "lookup-answered.shown[].digest", "swapped lookup-answered",
		}},
		{"what the user decided, where another decision would be followed by the same", []string{
			"override-made.max_tokens", "override-made.max_cost", "override-made.max_seconds", "swapped override-made",
			"swapped fact-recorded", "conflict-argued.by", "answer-given.by", "requested.by",
			"commands-allowed.trials", "commands-allowed.unconfined",
		}},
		{"that a call was cancelled, which leaves its prompt alone", []string{"twice prompt-sent"}},
		{"how the session was run: the session ID, the item of a batch, who filled the seats, and whether a person was there", []string{
			"session-opened.id", "session-opened.item", "session-opened.seats[].participant",
			"session-opened.seats[].model", "session-opened.seats[].no_model", "session-opened.seats[].looks",
			"session-opened.settings.agent", "session-opened.settings.attended", "session-resumed.agent",
		}},
		{"settings that neither a prompt nor a ruling of the session reads", []string{
			"session-opened.settings.arbitration", "session-opened.settings.framing", "session-opened.settings.high_stakes",
			"session-opened.settings.input.audit.commit", "session-opened.settings.input.audit.no_history",
			"session-opened.settings.input.audit.statements[].line",
			"session-opened.settings.input.audit.statements[].places[].commit",
			"session-opened.settings.input.audit.statements[].places[].found",
			"session-opened.settings.input.design", "session-opened.settings.input.design_path",
			"session-opened.settings.input.position", "session-opened.settings.lookups", "session-opened.settings.max_tokens",
			"session-opened.settings.max_cost", "session-opened.settings.max_seconds", "session-opened.settings.mode",
			"session-opened.settings.no_redact", "session-opened.settings.official[]",
			"session-opened.settings.own.constitution.name", "session-opened.settings.own.domain.name",
			"session-opened.settings.own.domain.question", "session-opened.settings.own.domain.rules",
			"session-opened.settings.own.weights[].seat", "session-opened.settings.own.weights[].weight",
			"session-opened.settings.prompt_budget", "session-opened.settings.question_path", "session-opened.settings.workspace",
			"session-opened.settings.tree",
		}},
	}
}

// share is the part of the battery that a test run tries.
var share = flag.Float64("forgeries", 0.02, "the share of the forgeries that TestEachForgeryIsFoundOrListed tries")

// attacked are the sessions of the battery. The one in consult has what any format may have: lookups, a reply that is
// refused, a prompt that the user edits, one that is too long, a pause, decisions of the user, and one after the end.
func attacked(t *testing.T) map[string][]state.Event {
	t.Helper()
	return map[string][]state.Event{
		"consult": consulted(t), "panel": disputed(t), "dialectic": held(t), "council": vetted(t), "hearing": heardOut(t),
		"audit": audited(t),
	}
}

// audited is a consultation about a written review.
func audited(t *testing.T) []state.Event {
	t.Helper()
	log := &record{}
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Settings.Framing = state.FramingAudit
		o.Settings.Input.Design, o.Settings.Input.DesignPath = "Alpha holds, see a/a.go:1.", "review.md"
		o.Settings.Input.Audit = &state.Audit{Commit: "0011223344", Statements: []state.AuditedStatement{{
			Text: "Alpha holds, see a/a.go:1.", Line: 1, Places: []state.AuditedPlace{{
				Cited: "a/a.go:1", Path: "a/a.go", Verdict: state.PlaceVerified, Reason: "its quote is there", Text: "1: alpha\n",
			}},
		}}}
	}), map[state.Seat]protocol.Participant{
		state.Orchestrator: says(map[state.Stage]string{state.StageAnswer: "NOTHING"}),
		state.Consultee: says(map[state.Stage]string{
			state.StageEvaluate: `AGREE P1: it is so a/a.go:1 "alpha"`, state.StageCoverage: "NOTHING",
		}),
	})
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

func consulted(t *testing.T) []state.Event {
	t.Helper()
	log, seats := &record{}, agreeable()
	good, calls, looked := seats[state.Consultee], 0, false
	replies := []string{
		`{"moves":[{"move":"READ","path":"a/a.go"},{"move":"SEARCH","query":"beta","glob":"*.go"},{"move":"READ","path":".env"}]}`, "hm",
		"1. Alpha holds a/a.go:1 \"alpha\"\n2. Beta holds b/b.go:3\n3. It builds `$ go build ./... => exit 0`\n4. Gamma holds bad/c.go:1 \"gamma\"",
	}
	seats[state.Consultee] = &lookingSeat{seat{name: "script", reply: func(ctx context.Context, call protocol.Call,
		watch func(protocol.Delta),
	) (protocol.Reply, error) {
		switch {
		case call.Ask.Stage != state.StagePropose && !looked:
			looked = true
			return protocol.Reply{Attempts: 1, Text: `{"moves":[{"move":"READ","path":"a/a.go","from":1},{"move":"SEARCH","query":"beta","glob":"*.go"},{"move":"READ","path":".env"}]}`}, nil
		case call.Ask.Stage != state.StagePropose:
			return good.Reply(ctx, call, watch)
		}
		if calls++; calls == 1 {
			return protocol.Reply{Attempts: 1}, &protocol.TooLong{Participant: "script", What: "it takes less", Limit: 3000}
		}
		return protocol.Reply{
			Text: replies[calls-2], Model: "m", PromptTokens: 900, CompletionTokens: 10, Cost: 0.01, Attempts: 1, Notes: []string{"429, waited 2 s"},
			Learned: []state.Lesson{},
		}, nil
	}}}
	seats[state.Orchestrator] = says(map[state.Stage]string{
		state.StageEvaluate: "SHAPE: yes or no\nAGREE: P1 because E1 shows it\nREJECT: P2 because beta is lost — UPGRADE_IF: a test",
	})
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Settings.Lookups, o.Settings.Workspace, o.Settings.AllowPaths, o.Settings.Official = 3, "w", []string{}, []string{"spec.md"}
		o.Settings.MaxTokens = 2700
		o.Settings.Context = []state.Document{{Path: "notes.md", Text: strings.Repeat("what was noted at length. ", 800)}}
		o.Seats[1].Looks = true
	}), seats)
	add := func(payloads ...state.Payload) {
		t.Helper()
		next, events, err := state.Extend(o.State, o.Now(), payloads...)
		if err != nil {
			t.Fatal(err)
		}
		o.State, log.events = next, append(log.events, events...)
	}
	decide := func(moves ...protocol.UserMove) {
		t.Helper()
		for _, move := range moves {
			payloads, err := protocol.AdmitUser(o.State, move)
			if err != nil {
				t.Fatal(err)
			}
			add(payloads...)
		}
	}
	add(&state.FactRecorded{ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: "Go 1.26 is given"},
		&state.CommandsAllowed{Patterns: []string{"go build ..."}, By: state.User})
	o.Looker, o.Researcher = looker{}, &runner{log: log}
	run := New(o)
	run.edited[state.Orchestrator] = edit{text: "Judge what was said."}
	if err := run.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	o = again(t, o, log)
	decide(protocol.SetBudget{MaxTokens: 100_000}, protocol.RecordFact{Text: "The queue is small"})
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	o = again(t, o, log)
	events, _, err := Decide(o.State, claims.RuleOn{Point: "P1", What: state.OverrideDismiss, Reason: "I know better"}, o.Now())
	if err != nil {
		t.Fatal(err)
	}
	log.events = append(log.events, events...)
	return log.events
}
