package detect

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/state"
)

// What is said of a fact by its terms, each once.
func TestTerms(t *testing.T) {
	d := example(t, nil)
	for _, c := range []struct {
		name, fact string
		others     []string
		has, lacks []string
	}{
		{
			"every fact has one in common", `10:00 | h | f | 1 | syslog`, nil,
			[]string{"always", "source:syslog"},
			[]string{"edge", "source:manual"},
		},
		{
			"words in small letters, and two in a row", `10:00 | h | note | "Copied THE reports" | syslog`, nil,
			[]string{"copied", "the", "reports", "copied the", "the reports", "note copied"},
			[]string{"Copied", "copied reports", "said:copied"},
		},
		{
			"words of two elements are not in a row", `10:00 | h | note | ["one two","three"] | syslog`, nil,
			[]string{"one two", "three"},
			[]string{"two three"},
		},
		{
			"a word that stands again counts once", `10:00 | h | note | "again again again" | syslog`, nil,
			[]string{"again", "again again"},
			nil,
		},
		{
			"how a longer word begins", `10:00 | h | note | "encryption of disks Überwachung" | syslog`, nil,
			[]string{"encryption", "encry*", "disks"},
			[]string{"disks*", "of*", "überw*"},
		},
		{
			"of a number how many digits it has", `10:00 | h | note | [4821,7,3.25] | syslog`, nil,
			[]string{"#4", "7", "#3"},
			[]string{"4821", "3.25", "#1"},
		},
		{
			"of letters with digits that they are mixed", `10:00 | h | note | "wks01 x86 c$ 5$" | syslog`, nil,
			[]string{"mix", "x86", "mix x86", "c$", "5$"},
			[]string{"wks01"},
		},
		{
			"nothing in a value", `10:00 | h | tickets | [] | syslog`, nil,
			[]string{"tickets", "none"},
			nil,
		},
		{
			"a statement and who says it", `10:00 | desk lead | reply | "confirmed it" | manual`, nil,
			[]string{"confirmed", "said:confirmed", "said:reply", "speaker:desk", "speaker:lead", "said of:0", "source:manual"},
			[]string{"entity:desk", "said:confirmed it"},
		},
		{
			"the entity of what a machine observed", `10:00 | desk lead | reply | "confirmed it" | syslog`, nil,
			[]string{"entity:desk"},
			[]string{"speaker:desk", "said:confirmed", "said of:0"},
		},
		{
			"a field, however it is written", `10:00 | h | CommandLine | "x" | process_list`, nil,
			[]string{"field:commandline", "field:command", "field:line"},
			[]string{"field:x"},
		},
		{
			"the collector", `10:00 | h | f | 1 | syslog | siem core-12`, nil,
			[]string{"from:siem", "from:core", "from:#2"},
			[]string{"from:edr"},
		},
		{
			"a name in which a backslash stands before a letter beyond ASCII", `10:00 | h | f | 1 | syslog | "\À x\u€€ y`, nil,
			[]string{"from:À", "from:x", "from:€€", "from:y"},
			nil,
		},
		{
			"an edge", `10:00 | h -> g | bytes_out | 1 | netflow`, nil,
			[]string{"edge", "field:bytes", "field:out", "source:netflow"},
			nil,
		},
		{
			"the rules that speak of it", `10:00 | h | cmd | "ran it" | syslog`, nil,
			[]string{"rule:act"},
			[]string{"rule:cover"},
		},
		{
			"what has a name in common with it", `10:00 | h | f | "dump-a by adm-k" | syslog`,
			[]string{`11:00 | g | f | "dump-a" | syslog`, `12:00 | i | f | "adm-k" | manual`, `12:00 | j | f | "other-x" | syslog`, `12:00 | k | f | 1 | syslog`},
			[]string{"seen:1", "stated:1"},
			[]string{"said of:1"},
		},
		{
			"of a statement what was seen of it", `10:00 | h | f | "dump-a" | manual`,
			[]string{`11:00 | g | f | "dump-a" | syslog`, `12:00 | j | f | 1 | syslog`, `12:00 | k | f | 1 | syslog`},
			[]string{"said of:1", "seen:1", "stated:0"},
			nil,
		},
		{
			"a name that most facts have tells nothing", `10:00 | h | f | "dump-a" | syslog`,
			[]string{`11:00 | g | f | "dump-a" | syslog`},
			[]string{"seen:0"},
			nil,
		},
		{
			"the quarter of the packet that it is in", `10:00 | h | f | 1 | syslog`,
			[]string{`11:00 | h | f | 2 | syslog`, `09:00 | h | f | 3 | syslog`, `08:00 | h | f | 4 | syslog`},
			[]string{"time:2"},
			[]string{"time:0", "time:1", "time:3"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := d.look(packetOf(t, append([]string{c.fact}, c.others...)...)).Terms(0)
			for _, want := range c.has {
				if !slices.Contains(all, want) {
					t.Errorf("%q is not among %q", want, all)
				}
			}
			for _, other := range c.lacks {
				if slices.Contains(all, other) {
					t.Errorf("%q is among %q", other, all)
				}
			}
			if slices.ContainsFunc(all, func(term string) bool { return !utf8.ValidString(term) }) {
				t.Errorf("one is no text in %q", all)
			}
			if len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
				t.Errorf("one stands twice in %q", all)
			}
		})
	}
}

// Where a change is asked about, terms say how a fact lies to it, and nothing of what
// things are called.
func TestCourseTerms(t *testing.T) {
	rose := ruleOf("rose", state.RoleAct, "errors")
	rose.When[0].Course = []state.Course{state.CourseRises}
	c := example(t, nil, ruleOf("change", state.RoleChange, "deployed"), rose).Find(packetOf(
		t, `10:30 | desk h | errors | {"10:00":1,"10:20":9} | syslog`, `10:10 | h | release | "deployed" | syslog`,
	))
	all := c.Terms(0)
	for name, want := range map[string]bool{
		"course:rises": true, "course:soon after the change": true, "rule:rose": true, "field:errors": true,
		"course:falls": false, "course:before the change": false, "entity:desk": false, "from:edr": false,
	} {
		if slices.Contains(all, name) != want {
			t.Errorf("%q: %v among %q", name, !want, all)
		}
	}
	if terms, logits := c.CompanyTerms("f1"); len(terms) > 0 || len(logits) != len(readings{}) {
		t.Errorf("it is read by company: %q, %v", terms, logits)
	}
}

// hundred is a term that adds one logit to a reading.
func hundred(name string, reading int) state.Term {
	one := state.Term{Name: name, Weights: make([]int, len(readings{}))}
	one.Weights[reading] = 100
	return one
}

// A term counts once in a fact, however often it stands there, and again in the next.
func TestTermsCountOnce(t *testing.T) {
	d := example(t, &state.Weights{Terms: []state.Term{hundred("copied", readAct), hundred("copie*", readAct), hundred("ticket", readCover)}})
	c := d.Find(packetOf(t, `10:00 | h | note | "copied, copied and copied" | syslog`, `10:01 | h | note | "copied by ticket" | syslog`, `10:02 | h | note | "nothing" | syslog`))
	for id, want := range map[string]readings{"f1": {readAct: 2}, "f2": {readAct: 2, readCover: 1}, "f3": {}} {
		if got := itemOf(c, id).logits; got != want {
			t.Errorf("%s comes to %v, want %v", id, got, want)
		}
	}
}

// What a fact is among are terms as well: what the others do by their words, and how a
// cover fits the acts.
func TestCompanyTerms(t *testing.T) {
	d := example(t, &state.Weights{Terms: []state.Term{
		{Name: "ran", Weights: []int{900, 0, 0, 0, 0, 0}}, {Name: "approved", Weights: []int{0, 900, 0, 0, 0, 0}}, {Name: "always", Weights: []int{-300, -300, -300, -300, -300, -300}},
	}})
	c := d.Find(packetOf(
		t, `10:00 | fs-01 | cmd | "ran dump-a" | process_list`, `10:05 | fs-01 | cmd | "ran dump-b" | process_list`,
		`09:00 | CHG-1 | ticket | "approved dump-a" | manual`, `08:00 | ups-2 | charge | 100 | syslog`, `08:30 | ups-2 | charge | 99 | syslog`,
	))
	for id, want := range map[string][]string{
		"f1": {"always", "others act:1", "others cover:1", "first act:4", "first cover:0", "acts of its entity:1", "acts with its names:1"},
		"f3": {"others act:2", "others cover:0", "first cover:4", "acts with its names:1", "acts of its entity:0", "some record: one name", "all record: always", "fits:2"},
		"f4": {"others act:2", "others cover:1", "acts with its names:0"},
	} {
		terms, logits := c.CompanyTerms(id)
		for _, one := range want {
			if !slices.Contains(terms, one) {
				t.Errorf("%s: %q is not among %q", id, one, terms)
			}
		}
		if own := itemOf(c, id).logits; !slices.Equal(logits, own[:]) {
			t.Errorf("%s comes to %v, and is told as %v", id, own, logits)
		}
		if len(slices.Compact(slices.Sorted(slices.Values(terms)))) != len(terms) {
			t.Errorf("%s: one stands twice in %q", id, terms)
		}
	}
	if terms, _ := c.CompanyTerms("f3"); slices.Contains(terms, "all record: one name") {
		t.Error("a tie with one act of two is taken for one with all")
	}
	if terms, logits := c.CompanyTerms("nobody"); terms != nil || logits != nil {
		t.Errorf("a fact that is not there is among %q", terms)
	}
}

// many are facts of which the first two are spoken of by rules, and the third has a word of
// theirs.
func many(t *testing.T, count int) *ledger.Packet {
	lines := []string{`10:00 | fs-01 | cmd | "ran dump-a, copied" | process_list`, `09:00 | CHG-1 | ticket | "approved dump-a, copied" | manual`, `09:30 | CHG-1 | note | "copied" | manual`}
	for i := len(lines); i < count; i++ {
		lines = append(lines, fmt.Sprintf(`%02d:%02d | ups-%d | note | "nothing" | syslog`, i/60%24, i%60, i))
	}
	return packetOf(t, lines...)
}

// A packet of more than 200 facts is read by its rules and without company, one of more
// than 2000 without joining records as well.
func TestManyFacts(t *testing.T) {
	const certain = 2000
	d := example(t, &state.Weights{
		Terms:   []state.Term{{Name: "copied", Weights: []int{certain, certain, 0, 0, 0, 0}}},
		Company: []state.Term{{Name: "always", Weights: []int{-certain, 0, 0, 0, 0, 0}}},
	})
	for _, c := range []struct {
		facts, read int
		// act is how likely the first one is one, with company none.
		act    float64
		joined bool
	}{{maxNear, maxNear, 0, true}, {maxNear + 1, 2, 0.5, true}, {maxRecords + 1, 2, 0.5, false}} {
		found := d.Find(many(t, c.facts))
		if got := itemOf(found, "f1").reads[readAct]; len(found.all) != c.read || math.Abs(got-c.act) > 0.01 {
			t.Errorf("of %d facts %d do something, and the first is an act by %v", c.facts, len(found.all), got)
		}
		if joined := itemOf(found, "f2").joined; (len(joined) > 0) != c.joined {
			t.Errorf("of %d facts %d are joined", c.facts, len(joined))
		}
		if terms, _ := found.CompanyTerms("f1"); (terms != nil) != (c.facts <= maxNear) {
			t.Errorf("of %d facts the first is among %q", c.facts, terms)
		}
	}
}

// Company adds to what words come to; where facts go by rules alone it adds nothing.
func TestCompanyWithoutTerms(t *testing.T) {
	w := &state.Weights{Company: []state.Term{{Name: "always", Weights: []int{-2000, 0, 0, 0, 0, 0}}}}
	p := packetOf(t, `10:00 | fs-01 | cmd | "ran dump-a" | process_list`)
	if got := itemOf(example(t, w).Find(p), "f1").reads[readAct]; got != 0.5 {
		t.Errorf("the rule of 0.5 makes it an act by %v", got)
	}
}

// Weights that others wrote into a session are refused by name, and not read beyond what
// there is.
func TestWeightsAreRefused(t *testing.T) {
	for want, w := range map[string]state.Weights{
		`the term "copied" has 7 weights`: {Terms: []state.Term{{Name: "copied", Weights: make([]int, 7)}}},
		`the term "always" has 0 weights`: {Company: []state.Term{{Name: "always"}}},
		`no tie is named "rope"`:          {Ties: []state.Weight{{Name: "rope", Weight: 1}}},
		`no sum is named "total"`:         {Sums: []state.SumWeight{{Name: "total"}}},
	} {
		if _, err := Compile(&state.Domain{Name: "example", Weights: &w}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `domain "example"`) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// drawn draws a packet of facts that anybody could write.
func drawn(t *rapid.T) *ledger.Packet {
	from := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket("drawn", from, from.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	texts := rapid.OneOf(rapid.SampledFrom([]string{
		"ran dump-a on fs-01", "approved dump-a 09:00-11:00 for fs-01, fs-02", "CHG-1 approved by adm-k", "exercise", "\x1b[2J\u202e", "Ünïcode — “quoted” ｆｕｌｌ", "deployed", "nobody was asked", "fs-01 to fs-09",
	}), rapid.String())
	for i := range rapid.IntRange(1, 8).Draw(t, "count") {
		value := rapid.OneOf(rapid.Map(texts, func(s string) any { return s }), rapid.Map(rapid.SliceOf(texts), func(s []string) any { return s }),
			rapid.Map(rapid.Float64(), func(n float64) any { return n }), rapid.Map(rapid.MapOf(texts, rapid.Int()), func(m map[string]int) any { return m })).Draw(t, "value")
		raw, err := json.Marshal(value)
		if err != nil {
			t.Skip(err)
		}
		canonical, err := ledger.ParseValue(raw)
		if err != nil {
			t.Skip(err)
		}
		f := ledger.PacketFact{
			ID: fmt.Sprint("f", i), Entity: rapid.OneOf(rapid.SampledFrom([]string{"fs-01", "fs-02", "CHG-1", "fs-01 -> 203.0.113.9"}), rapid.String()).Draw(t, "entity"),
			EntityType: ledger.EntityNode, Field: rapid.OneOf(rapid.SampledFrom([]string{"cmd", "CommandLine", "ticket", "errors"}), rapid.String()).Draw(t, "field"),
			Value: canonical, At: from.Add(time.Duration(rapid.IntRange(0, 1439).Draw(t, "minute")) * time.Minute),
			SourceType: rapid.SampledFrom(ledger.SourceTypes()).Draw(t, "source"), SourceID: rapid.OneOf(rapid.Just("edr-4"), rapid.String()).Draw(t, "from"),
		}
		if err := p.Add(f); err != nil {
			t.Skip(err)
		}
	}
	return p
}

// extreme draws weights of ±20 for whatever the facts of a packet have.
func extreme(t *rapid.T, c *Case) *state.Weights {
	logit := rapid.SampledFrom([]float64{-20, 20, 0})
	w := &state.Weights{}
	known := map[string]bool{}
	term := func(to *[]state.Term, name string) {
		if !known[name] {
			known[name] = true
			*to = append(*to, state.Term{Name: name, Weights: rapid.SliceOfN(rapid.SampledFrom([]int{-2000, 2000, 0}), len(readings{}), len(readings{})).Draw(t, "weights")})
		}
	}
	for place := range c.packet.Len() {
		for _, name := range c.Terms(place) {
			term(&w.Terms, name)
		}
	}
	known = map[string]bool{}
	for _, one := range c.all {
		terms, _ := c.CompanyTerms(one.fact.ID)
		for _, name := range terms {
			term(&w.Company, name)
		}
	}
	for _, name := range TieNames() {
		w.Ties = append(w.Ties, state.Weight{Name: name, Weight: logit.Draw(t, "tie")})
	}
	for _, name := range SumNames() {
		w.Sums = append(w.Sums, state.SumWeight{Name: name, Confirmed: logit.Draw(t, "confirmed"), Dismissed: logit.Draw(t, "dismissed")})
	}
	return w
}

// Whatever stands in facts, and however far weights go: terms are text, what a fact does
// is from 0 to 1 and together no more than 1, and what it comes to does not depend on the
// order of the facts.
func TestReadingsAreShares(t *testing.T) {
	bare := example(t, nil)
	isShare := func(n float64) bool { return n >= 0 && n <= 1 }
	rapid.Check(t, func(r *rapid.T) {
		p := drawn(r)
		d := example(r, extreme(r, bare.Find(p)))
		c := d.Find(p)
		for place := range p.Len() {
			for _, term := range c.Terms(place) {
				if !utf8.ValidString(term) {
					r.Fatalf("%q is no text", term)
				}
			}
		}
		for _, one := range c.all {
			total := 0.0
			for _, n := range one.reads {
				total += n
				if !isShare(n) {
					r.Fatalf("%s: %v", one.fact.ID, one.reads)
				}
			}
			if total > 1+1e-9 || !isShare(one.left) || !isShare(one.bound) {
				r.Fatalf("%s: %v, together %v; %v is left, %v is bound", one.fact.ID, one.reads, total, one.left, one.bound)
			}
		}
		s := c.Weigh(nil, nil)
		if !isShare(s.Architect) || !isShare(s.Skeptic) || !isShare(s.Neither) || math.Abs(s.Architect+s.Skeptic+s.Neither-1) > 1e-9 {
			r.Fatalf("%+v", s)
		}
		other := reordered(r, p)
		again := d.Find(other)
		for _, one := range c.all {
			if twin := itemOf(again, one.fact.ID); twin == nil || twin.reads != one.reads || twin.left != one.left || twin.bound != one.bound {
				r.Fatalf("%s: %+v, and in another order %+v", one.fact.ID, one, twin)
			}
		}
		if then := again.Weigh(nil, nil); then != s {
			r.Fatalf("%+v, and in another order %+v", s, then)
		}
	})
}

// reordered is a packet with its facts in another order.
func reordered(t *rapid.T, p *ledger.Packet) *ledger.Packet {
	from, to := p.Window()
	other, err := ledger.NewPacket("other", from, to)
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range rapid.Permutation(slices.Collect(func(yield func(int) bool) {
		for i := range p.Len() {
			if !yield(i) {
				return
			}
		}
	})).Draw(t, "order") {
		if err := other.Add(p.At(place)); err != nil {
			t.Fatal(err)
		}
	}
	return other
}
