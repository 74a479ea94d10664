package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/state"
)

// looker shows one line of any file but .env.
type looker struct{}

func (looker) Look(_ context.Context, lookup protocol.Move, limit int) (string, []state.Passage, error) {
	read, ok := lookup.(*protocol.Read)
	switch {
	case !ok:
		return "a/a.go", nil, nil
	case read.Path == ".env":
		return "", nil, errors.New(".env holds secrets")
	case read.Path == "lines.go":
		return fmt.Sprintf("lines %d to %d", read.From, read.To),
			[]state.Passage{{Path: read.Path, From: max(1, read.From), To: max(1, read.From, read.To), Digest: "d"}}, nil
	case read.Path == "long.go":
		return strings.Repeat("x", limit), []state.Passage{{Path: read.Path, From: 1, To: 9, Digest: "d"}}, nil
	}
	return "1: alpha", []state.Passage{{Path: read.Path, From: 1, To: 1, Digest: "d"}}, nil
}

// lookingSeat is a participant without a view of the workspace.
type lookingSeat struct{ seat }

func (*lookingSeat) NeedsLookups() bool { return true }

// lookingSession plays a consultation in which the consultee gives these replies, one for each
// call of its first turn. It returns the record and the prompts of that turn.
func lookingSession(t *testing.T, replies ...string) (*record, []string) {
	t.Helper()
	log, seats := &record{}, agreeable()
	var prompts []string
	good := seats[state.Consultee]
	seats[state.Consultee] = &lookingSeat{seat{reply: func(ctx context.Context, call protocol.Call,
		watch func(protocol.Delta),
	) (protocol.Reply, error) {
		if call.Ask.Stage != state.StagePropose {
			return good.Reply(ctx, call, watch)
		}
		prompts = append(prompts, call.Prompt.System+"\n"+call.Prompt.Text)
		text := `1. Alpha holds a/a.go:1 "alpha"`
		if len(prompts) <= len(replies) {
			text = replies[len(prompts)-1]
		}
		return protocol.Reply{Text: text, PromptTokens: 100, CompletionTokens: 10, Attempts: 1}, nil
	}}}
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Settings.Lookups = 3 }), seats)
	o.Looker = looker{}
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log, prompts
}

// LU1: a failed reply does not lose what the seat looked up. The retry shows it and has the rest of the budget.
func TestARetryKeepsWhatWasLookedUp(t *testing.T) {
	log, prompts := lookingSession(t, `{"moves":[{"move":"READ","path":"a/a.go"},{"move":"LIST"}]}`, "hm", `{"moves":[{"move":"READ","path":"b.go"}]}`)
	if len(prompts) != 4 || len(lookups(log)) != 3 {
		t.Fatalf("%d prompts, %d lookups", len(prompts), len(lookups(log)))
	}
	for i, want := range []string{"", "Lookups left in this turn: 1", "Lookups left in this turn: 1", "No lookups are left in this turn"} {
		if !strings.Contains(prompts[i], want) || i > 0 && strings.Count(prompts[i], "1: alpha") != max(1, i-1) {
			t.Errorf("prompt %d: %s", i+1, prompts[i])
		}
	}
	// The record has the prompt as it was sent.
	for _, e := range log.events {
		if sent, ok := e.Data.(*state.PromptSent); ok && sent.Seat == state.Consultee && strings.Contains(sent.Text, "1: alpha") {
			return
		}
	}
	t.Error("no recorded prompt shows what was looked up")
}

// largeLooker looks at a part of a large folder.
type largeLooker struct{ looker }

func (largeLooker) Bound() string { return "the first 20 files" }

// LU5: what a lookup looked at of a large folder is on the record, and told; a file that is read is one.
func TestLookupsOfALargeFolder(t *testing.T) {
	parser, err := protocol.NewParser(formats.All())
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	look := protocol.NewTurnLookups(parser.Specs, largeLooker{}, protocol.Ask{Seat: state.Consultee}, 3, func(text string) {
		told = append(told, text)
	})
	look.Answer(t.Context(), &protocol.Search{Query: "alpha"})
	look.Answer(t.Context(), &protocol.Read{Path: "a/a.go", From: 1, To: 1})
	var bounds []string
	for _, e := range look.Done {
		bounds = append(bounds, e.(*state.LookupAnswered).Bound)
	}
	if want := []string{"the first 20 files", ""}; !slices.Equal(bounds, want) {
		t.Errorf("recorded %q, want %q", bounds, want)
	}
	if want := []string{"searches alpha (only the first 20 files)", "reads a/a.go:1-1"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func lookups(log *record) (done []string) {
	for _, e := range log.events {
		if l, ok := e.Data.(*state.LookupAnswered); ok {
			done = append(done, fmt.Sprintf("%s %s%s%s %d %s", l.What, l.Glob, l.Query, l.Path, l.Bytes, l.Refused))
		}
	}
	return done
}

// LU1: lookups are answered within the turn and recorded before its reply; the reply counts
// once, with the usage of all calls.
func TestLookups(t *testing.T) {
	log, prompts := lookingSession(t, `{"moves":[{"move":"READ","path":"a/a.go","from":1,"to":9}]}`,
		`{"moves":[{"move":"SEARCH","query":"alpha"},{"move":"READ","path":".env:2"}]}`)
	if want := []string{"READ a/a.go 8 ", "SEARCH alpha 6 ", "READ .env 0 .env holds secrets"}; !slices.Equal(lookups(log), want) {
		t.Errorf("recorded %q, want %q", lookups(log), want)
	}
	if len(prompts) != 3 || !strings.Contains(prompts[0], "up to 3 times") || !strings.Contains(prompts[1], "1: alpha") ||
		!strings.Contains(prompts[2], "1: alpha") || !strings.Contains(prompts[2], "refused: .env holds secrets") ||
		!strings.Contains(prompts[2], "No lookups are left in this turn") {
		t.Errorf("prompts: %q", prompts)
	}
	s, err := state.Replay(log.events)
	if err != nil {
		t.Fatal(err)
	}
	if s.Points.Len() != 1 || s.Exit != state.ExitConverged || s.Lookups.Len() != 3 {
		t.Errorf("%d points, exit %s, %d lookups", s.Points.Len(), s.Exit, s.Lookups.Len())
	}
	var told []string
	for _, n := range log.notices {
		if r, ok := n.(protocol.Reported); ok {
			told = append(told, r.Text)
		}
	}
	if want := []string{"reads a/a.go:1-1", "searches alpha", "reads .env: refused, .env holds secrets"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	for _, e := range log.events {
		if used, ok := e.Data.(*state.UsageCounted); ok && used.Seat == state.Consultee {
			if used.PromptTokens != 300 || used.Attempts != 1 {
				t.Errorf("usage of the turn: %+v", used)
			}
			break
		}
	}
}

// LU1: a seat that looks for ever is answered within its bounds, then refused.
func TestLookupsEnd(t *testing.T) {
	again := `{"moves":[{"move":"READ","path":"a/a.go"},{"move":"RAISE","text":"Beta"}]}`
	log, prompts := lookingSession(t, again, again, again, again)
	if len(prompts) != 4 || len(lookups(log)) != 3 {
		t.Errorf("%d calls, %d lookups", len(prompts), len(lookups(log)))
	}
	s, err := state.Replay(log.events)
	if err != nil {
		t.Fatal(err)
	}
	refused := ""
	for _, e := range log.events {
		if r, ok := e.Data.(*state.ReplyReceived); ok && len(r.Refused) > 0 {
			refused = r.Refused[0].Code
		}
	}
	if s.Points.Len() != 1 || s.Points.At(0).Text != "Beta" || refused != "no-lookups" {
		t.Errorf("%d points, refused %q", s.Points.Len(), refused)
	}
	log, prompts = lookingSession(t, `{"moves":[{"move":"READ","path":"long.go"},{"move":"LIST"}]}`)
	if len(prompts) != 2 || !strings.Contains(prompts[1], "this turn has shown all that it may") || len(lookups(log)) != 1 {
		t.Errorf("%d calls, %d lookups", len(prompts), len(lookups(log)))
	}
}

// A tool that does not exist and arguments that are wrong are refused, and counted.
func TestLookupTools(t *testing.T) {
	parser, err := protocoltest.Parser()
	if err != nil {
		t.Fatal(err)
	}
	l := protocol.NewTurnLookups(parser.Specs, looker{}, protocol.Ask{Seat: state.Consultee}, 7, func(string) {})
	if tools := l.Tools(); len(tools) != 3 || tools[2].Name != "read" || !strings.Contains(string(tools[2].Schema), `"path"`) ||
		strings.Contains(string(tools[2].Schema), `"move"`) {
		t.Errorf("tools %+v", tools)
	}
	for _, call := range []struct{ name, arguments, want string }{
		{"delete", `{}`, `refused: there is no tool "delete"`},
		{"read", `{"path":`, "refused: the arguments are not a JSON object"},
		{"read", `{"from":3}`, "path is missing"},
		{"search", `{"query":["a"]}`, "query"},
		{"read", `{"path":"a/a.go","from":"1"}`, "1: alpha"},
		{"read", `{"path":"lines.go","from":3,"to":4}`, "lines 3 to 4"},
		{"list", "", "a/a.go"},
		{"list", "", "refused: no lookups are left"},
	} {
		if got := l.Call(t.Context(), call.name, []byte(call.arguments)); !strings.Contains(got, call.want) {
			t.Errorf("%s %s: %q, want %q", call.name, call.arguments, got, call.want)
		}
	}
}

// A lookup shows lines of the files that it may show, in a size that a turn may have, and is on the record by digests.
func TestLookupsOnTheRecordAreBounded(t *testing.T) {
	log, _ := lookingSession(t, `{"moves":[{"move":"READ","path":"a/a.go","from":1,"to":1},{"move":"LIST"}]}`)
	at := slices.IndexFunc(log.events, func(e state.Event) bool { return state.KindOf(e.Data) == "lookup-answered" })
	read, list := *log.events[at].Data.(*state.LookupAnswered), *log.events[at+1].Data.(*state.LookupAnswered)
	shown := func(change func(*state.Passage)) func(*state.LookupAnswered) {
		return func(e *state.LookupAnswered) {
			e.Shown = slices.Clone(e.Shown)
			change(&e.Shown[0])
		}
	}
	for name, change := range map[string]func(*state.LookupAnswered){
		"another seat":            func(e *state.LookupAnswered) { e.Seat = state.Orchestrator },
		"another stage":           func(e *state.LookupAnswered) { e.Stage = state.StageJudge },
		"an unknown kind":         func(e *state.LookupAnswered) { e.What = "WRITE" },
		"a query of a READ":       func(e *state.LookupAnswered) { e.Query = "alpha" },
		"too many bytes":          func(e *state.LookupAnswered) { e.Bytes = 1 << 20 },
		"negative bytes":          func(e *state.LookupAnswered) { e.Bytes = -1 },
		"nothing shown":           func(e *state.LookupAnswered) { e.Shown = nil },
		"shown and refused":       func(e *state.LookupAnswered) { e.Refused = "it holds secrets" },
		"a file outside":          shown(func(p *state.Passage) { p.Path = "../a.go" }),
		"an absolute path":        shown(func(p *state.Passage) { p.Path = "/etc/passwd" }),
		"the repository's folder": shown(func(p *state.Passage) { p.Path = ".git/config" }),
		"no digest":               shown(func(p *state.Passage) { p.Digest = "" }),
		"a text":                  shown(func(p *state.Passage) { p.Text = "alpha" }),
		"line 0":                  shown(func(p *state.Passage) { p.From = 0 }),
		"lines after the end":     shown(func(p *state.Passage) { p.To = 2 }),
	} {
		forged, changed := slices.Clone(log.events), read
		change(&changed)
		forged[at].Data = &changed
		if recomputes(t, forged) == nil {
			t.Errorf("%s verifies", name)
		}
	}
	list.Shown = read.Shown
	forged := slices.Clone(log.events)
	forged[at+1].Data = &list
	if recomputes(t, forged) == nil {
		t.Error("a LIST that shows lines verifies")
	}
	// A turn has three.
	four := slices.Clone(log.events[:at])
	for range 4 {
		again := read
		four = append(four, state.Event{At: log.events[at].At, Data: &again})
	}
	if recomputes(t, renumbered(four)) == nil {
		t.Error("a fourth lookup of a turn verifies")
	}
	if err := recomputes(t, renumbered(four[:at+3])); err != nil {
		t.Error(err)
	}
}
