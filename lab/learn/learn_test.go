package learn

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"moot/domain"
	"moot/lab/corpora"
	"moot/resolver/detect"
	"moot/state"
)

// asked is a domain that knows no word: what a fact does has to be learnt.
func asked() state.Domain {
	d := state.Domain{Name: "asked", Question: "Is it?", Margin: 0.05}
	for _, role := range state.Readings() {
		d.Rules = append(d.Rules, state.FactRule{ID: "reads-as-" + string(role), Name: "what reads so", Role: role, Weight: 0.5, Reads: true})
	}
	return d
}

// scenario is one in JSON, whose facts differ by their words alone. Their roles are those
// that stand before a colon, and what is not said to do anything has none.
func scenario(id, expected string, facts ...string) string {
	roles := map[string][]string{}
	var written []string
	for i, f := range facts {
		role, words, _ := strings.Cut(f, ":")
		fact := fmt.Sprintf("f%d", i+1)
		if role != "" {
			roles[role] = append(roles[role], `"`+fact+`"`)
		}
		written = append(written, fmt.Sprintf(`{"id":%q,"entity":"it","entity_type":"node","field":"line","value":%q,"timestamp":"2026-03-02T10:%02d:00Z","source_type":"syslog","source_id":"log"}`, fact, words, i%60))
	}
	var said, accounts []string
	for _, role := range state.Readings() {
		if ids := roles[string(role)]; len(ids) > 0 {
			said = append(said, fmt.Sprintf(`%q:[%s]`, role, strings.Join(ids, ",")))
		}
	}
	for _, cover := range roles["cover"] {
		accounts = append(accounts, cover+":["+strings.Join(roles["act"], ",")+"]")
	}
	return fmt.Sprintf(
		`{"id":%q,"tier":"CLEAR_THREAT","expected":%q,"roles":{%s},"accounts_for":{%s},"packet":{"packet_id":%q,"window":["2026-03-02T10:00:00Z","2026-03-02T11:00:00Z"],"facts":[%s]}}`,
		id, expected, strings.Join(said, ","), strings.Join(accounts, ","), id, strings.Join(written, ","),
	)
}

// file is a file of scenarios in which a word means an act, one a cover and one a gap.
func file(name, act, cover, gap string) string {
	var lines []string
	for i := range 4 {
		id := fmt.Sprintf("%s-%d", name, i)
		lines = append(
			lines,
			scenario(id+"-yes", "CONFIRMED", ":plain", "act:"+act+" it", ":level", "act:"+act),
			scenario(id+"-no", "DISMISSED", "cover:"+cover+" that", "act:"+act+" it", ":level"),
			scenario(id+"-open", "INCONCLUSIVE", "gap:"+gap+" there", ":plain", "act:"+act, "gap:"+gap),
		)
	}
	return strings.Join(lines, "\n")
}

// opened reads the scenarios of a folder.
func opened(t *testing.T, files map[string]string) []corpora.Scenario {
	t.Helper()
	made := fstest.MapFS{}
	for name, text := range files {
		made[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o600}
	}
	c, err := corpora.Read(made, "made")
	if err != nil || len(c.Broken) > 0 {
		t.Fatal(err, c.Broken)
	}
	return c.Scenarios
}

func learnt(t *testing.T, o Options, scenarios []corpora.Scenario) *Learnt {
	t.Helper()
	l, err := Learn(t.Context(), o, scenarios)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// does is the reading that a term speaks for most, "" where it speaks for none.
func does(w *state.Weights, name string) state.FactRole {
	for _, term := range w.Terms {
		if term.Name == name && slices.Max(term.Weights) > 0 {
			return state.Readings()[slices.Index(term.Weights, slices.Max(term.Weights))]
		}
	}
	return ""
}

// What words mean is learnt from scenarios alone, and every file is judged rightly by what
// was learnt from the others.
func TestWordsAreLearnt(t *testing.T) {
	scenarios := opened(t, map[string]string{
		"a.jsonl": file("a", "zorched", "blessed", "unlogged"), "b.jsonl": file("b", "zorched", "blessed", "unlogged"), "c.jsonl": file("c", "zorched", "blessed", "unlogged"),
	})
	var told []int
	o := Options{Domain: asked(), Progress: func(done, of int) { told = append(told, done, of) }}
	l := learnt(t, o, scenarios)
	for word, want := range map[string]state.FactRole{"zorched": state.RoleAct, "blessed": state.RoleCover, "unlogged": state.RoleGap, "bless*": state.RoleCover} {
		if got := does(&l.Weights, word); got != want {
			t.Errorf("%s means %q, and not %s", word, got, want)
		}
	}
	if l.Scenarios != 36 || l.Facts != 4*3*(4+3+4) || len(l.Checked) != 36 {
		t.Errorf("of %d scenarios with %d facts %d were checked", l.Scenarios, l.Facts, len(l.Checked))
	}
	for _, c := range l.Checked {
		if c.Outcome != c.Expected || c.Part != c.ID[:1] {
			t.Errorf("%s of part %s came out %s", c.ID, c.Part, c.Outcome)
		}
	}
	if !slices.Equal(told, []int{1, 4, 2, 4, 3, 4, 4, 4}) {
		t.Errorf("told were %v", told)
	}
	if again := learnt(t, o, scenarios); !reflect.DeepEqual(again, l) {
		t.Error("the second time it learns something else")
	}
	d := asked()
	d.Weights = &l.Weights
	if _, err := detect.Compile(&d); err != nil {
		t.Error(err)
	}
	book := "question = \"Is it?\"\nmargin = 0.1\n[[rule]]\nid = \"r\"\nname = \"r\"\nrole = \"act\"\nweight = 0.5\nreads = true\n"
	if read, err := domain.Read([]byte(book+domain.WriteWeights(&l.Weights)), "mine.toml"); err != nil || !reflect.DeepEqual(read.Weights, &l.Weights) {
		t.Errorf("what was learnt is not read as it was written: %v", err)
	}
}

// A file is judged by what was learnt from others alone: a word that does something in no
// other means nothing there, and means something in the weights of all.
func TestNoFileIsJudgedByItself(t *testing.T) {
	l, err := newLearner(asked(), opened(t, map[string]string{
		"a.jsonl": file("a", "zorched", "blessed", "unlogged"), "c.jsonl": file("c", "quuxed", "blessed", "unlogged"),
		"b.jsonl": file("b", "zorched", "blessed", "unlogged") + "\n" + scenario("b", "DISMISSED", ":quuxed by nobody", "act:zorched"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range []state.FactRole{state.RoleAct, state.RoleAct, "", state.RoleAct} {
		w := &state.Weights{Terms: l.terms(t.Context(), part)}
		if got := does(w, "quuxed"); got != want {
			t.Errorf("without part %d of %q quuxed means %q", part, l.parts, got)
		}
		if got := does(w, "zorched"); got != state.RoleAct {
			t.Errorf("without part %d of %q zorched means %q", part, l.parts, got)
		}
	}
}

// Without words there are weights for a domain that goes by its rules.
func TestRulesAlone(t *testing.T) {
	scenarios := opened(t, map[string]string{"a.jsonl": file("a", "zorched", "blessed", "unlogged"), "b.jsonl": file("b", "zorched", "blessed", "unlogged")})
	d := asked()
	for i, word := range []string{"zorched", "blessed"} {
		d.Rules[i].Reads, d.Rules[i].When = false, []state.FactCondition{{Words: []string{word}}}
	}
	// Weights that it has are not looked at.
	d.Weights = &state.Weights{Ties: []state.Weight{{Name: "no such tie", Weight: 1}}}
	l := learnt(t, Options{Domain: d, RulesAlone: true}, scenarios)
	if len(l.Weights.Terms)+len(l.Weights.Company) > 0 || len(l.Weights.Ties) == 0 || len(l.Weights.Sums) != len(detect.SumNames()) {
		t.Errorf("%+v", l.Weights)
	}
	for _, c := range l.Checked {
		if c.Expected != state.Inconclusive && c.Outcome != c.Expected {
			t.Errorf("%s came out %s", c.ID, c.Outcome)
		}
	}
}

// The files of one folder are parts of their own, of which none is judged by itself.
func TestAFolderIsDealtOut(t *testing.T) {
	files := map[string]string{}
	for i, line := range strings.Split(file("a", "zorched", "blessed", "unlogged"), "\n") {
		files[fmt.Sprintf("incidents/%02d.json", i)] = line
	}
	l := learnt(t, Options{Domain: asked()}, opened(t, files))
	parts := map[string]int{}
	for _, c := range l.Checked {
		parts[c.Part]++
	}
	if len(parts) != 10 || parts["incidents (1 of 10)"] != 2 || parts["incidents (10 of 10)"] != 1 {
		t.Errorf("the parts are %v", parts)
	}
	// Beside a file of lines the folder is one part.
	files["more.jsonl"] = file("b", "zorched", "blessed", "unlogged")
	parts = map[string]int{}
	for _, c := range learnt(t, Options{Domain: asked()}, opened(t, files)).Checked {
		parts[c.Part]++
	}
	if !reflect.DeepEqual(parts, map[string]int{"incidents": 12, "more": 12}) {
		t.Errorf("the parts are %v", parts)
	}
}

// What could be tried on nothing else is not learnt: one file, one scenario given twice,
// scenarios that nobody sorted.
func TestTooFew(t *testing.T) {
	a, b := opened(t, map[string]string{"a.jsonl": file("a", "zorched", "blessed", "unlogged")}), opened(t, map[string]string{"b.jsonl": file("a", "zorched", "blessed", "unlogged")})
	unsorted := opened(t, map[string]string{"a.jsonl": file("a", "x", "y", "z"), "b.jsonl": file("b", "x", "y", "z")})
	for i := range unsorted {
		unsorted[i].Roles = nil
	}
	for name, scenarios := range map[string][]corpora.Scenario{
		"one file": a, "the same under another name": slices.Concat(a, b), "no roles": unsorted, "nothing": nil,
		"one scenario": opened(t, map[string]string{"a.json": scenario("a", "CONFIRMED", "act:zorched")}),
	} {
		if l, err := Learn(t.Context(), Options{Domain: asked()}, scenarios); !errors.Is(err, ErrTooFew) || l != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// It ends where its context does, wherever it is, and nothing is learnt then.
func TestLearningIsLeft(t *testing.T) {
	scenarios := opened(t, map[string]string{"a.jsonl": file("a", "zorched", "blessed", "unlogged"), "b.jsonl": file("b", "zorched", "blessed", "unlogged")})
	for _, alone := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if l, err := Learn(ctx, Options{Domain: asked(), RulesAlone: alone}, scenarios); !errors.Is(err, context.Canceled) || l != nil {
			t.Errorf("left before it began, with rules alone %v: %v", alone, err)
		}
	}
	for _, after := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		l, err := Learn(ctx, Options{Domain: asked(), Progress: func(done, _ int) {
			if done == after {
				cancel()
			}
		}}, scenarios)
		if !errors.Is(err, context.Canceled) || l != nil {
			t.Errorf("left after %d parts: %v", after, err)
		}
		cancel()
	}
}

// A domain that is none is refused.
func TestNoDomain(t *testing.T) {
	d := asked()
	d.Rules[0].Weight = 7
	if _, err := Learn(t.Context(), Options{Domain: d}, nil); err == nil || !strings.Contains(err.Error(), "reads-as-act") {
		t.Error(err)
	}
}

// Packets that are too large to be read with company are learnt from as well.
func TestLargePackets(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"a", "b"} {
		facts := []string{"act:zorched it", "cover:blessed that"}
		for range 205 {
			facts = append(facts, ":plain")
		}
		files[name+".jsonl"] = file(name, "zorched", "blessed", "unlogged") + "\n" + scenario(name+"-large", "CONFIRMED", facts...)
	}
	l := learnt(t, Options{Domain: asked()}, opened(t, files))
	if l.Scenarios != 26 || len(l.Weights.Company) == 0 {
		t.Errorf("%d scenarios, %d terms of company", l.Scenarios, len(l.Weights.Company))
	}
}
