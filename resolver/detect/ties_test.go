package detect

import (
	"math"
	"slices"
	"strings"
	"testing"

	"moot/state"
)

// A cover and an act have something in common in the first case, and not in the second.
// The act is fs-01 running dump-a by adm-k at 10:00; a case is the time, the entity and
// the text of the cover, and what else is in the packet.
func TestTies(t *testing.T) {
	const (
		act       = `10:00 | fs-01 | cmd | "ran dump-a by adm-k" | process_list`
		during    = `,"from":"2026-03-02T09:30Z","to":"2026-03-02T11:00Z"}`
		evening   = `,"from":"2026-03-02T18:00Z","to":"2026-03-02T19:00Z"}`
		nextToIt  = `10:05 | fs-01 | logon | "by svc-b and key-9, backup" | auth_log`
		elsewhere = `07:00 | ups-2 | charge | 100 | syslog`
		note      = `08:00 | CHG-1 | note | "see there" | manual`
	)
	d := example(t, nil)
	known := map[string]bool{}
	for _, c := range []struct{ tie, holds, not, other string }{
		{"always", `09:00 | CHG-1 | "approved"`, ``, ``},
		{"one name", `09:00 | CHG-1 | "approved for adm-k"`, `09:00 | CHG-1 | "approved for adm-j"`, ``},
		{"more names", `09:00 | CHG-1 | "approved dump-a for adm-k"`, `09:00 | CHG-1 | "approved for adm-k"`, ``},
		{"place", `09:00 | fs-01 | "approved"`, `09:00 | fs-02 | "approved"`, ``},
		{"place", `09:00 | CHG-1 | "approved for fs-01 to fs-09"`, `09:00 | CHG-1 | "approved for fs-01"`, ``},
		{"same entity", `09:00 | fs-01 | "approved"`, `09:00 | CHG-1 | "approved for fs-01"`, ``},
		{"kind", `09:00 | CHG-1 | "approved, dumps"`, `09:00 | CHG-1 | "approved, backups"`, ``},
		{"nothing", `09:00 | CHG-1 | "approved"`, `09:00 | CHG-1 | "approved for adm-k"`, ``},
		{"name and kind", `09:00 | CHG-1 | "approved, dumps by adm-k"`, `09:00 | CHG-1 | "approved for adm-k"`, ``},
		{"name and place", `09:00 | fs-01 | "approved for adm-k"`, `09:00 | CHG-1 | "approved for adm-k"`, ``},
		{"joined", `09:00 | CHG-1 | "approved"`, `09:00 | CHG-2 | "approved"`, note},
		{"within its time", `09:00 | CHG-1 | {"what":"approved"` + during, `09:00 | CHG-1 | {"what":"approved"` + evening, ``},
		{"name within its time", `09:00 | CHG-1 | {"what":"approved for adm-k"` + during, `09:00 | CHG-1 | {"what":"approved"` + during, ``},
		{"kind within its time", `09:00 | CHG-1 | {"what":"approved, dumps"` + during, `09:00 | CHG-1 | {"what":"approved"` + during, ``},
		{"without its time", `09:00 | CHG-1 | {"what":"approved"` + evening, `09:00 | CHG-1 | {"what":"approved"` + during, ``},
		{"no time", `09:00 | CHG-1 | "approved"`, `09:00 | CHG-1 | {"what":"approved"` + evening, ``},
		{"name and no time", `09:00 | CHG-1 | "approved for adm-k"`, `09:00 | CHG-1 | {"what":"approved for adm-k"` + evening, ``},
		{"kind and no time", `09:00 | CHG-1 | "approved, dumps"`, `09:00 | CHG-1 | {"what":"approved, dumps"` + evening, ``},
		{"later", `11:00 | CHG-1 | "approved"`, `09:00 | CHG-1 | "approved"`, ``},
		{"within minutes", `10:14 | CHG-1 | "approved"`, `10:15 | CHG-1 | "approved"`, ``},
		{"within the hour", `09:01 | CHG-1 | "approved"`, `09:00 | CHG-1 | "approved"`, ``},
		{"elsewhere", `09:00 | CHG-1 | {"what":"approved","hosts":["fs-02"]}`, `09:00 | CHG-1 | {"what":"approved","hosts":["fs-01"]}`, ``},
		{"elsewhere within its time", `09:00 | CHG-1 | {"what":"approved","hosts":["fs-02"]` + during, `09:00 | CHG-1 | {"what":"approved","hosts":["fs-02"]` + evening, ``},
		{"sibling", `09:00 | CHG-1 | "approved for fs-02"`, `09:00 | CHG-1 | "approved for db-02"`, ``},
		{"names others", `09:00 | CHG-1 | "approved for ups-2"`, `09:00 | CHG-1 | "approved for ups-2 and adm-k"`, elsewhere},
		{"names nobody", `09:00 | CHG-1 | "approved for adm-j"`, `09:00 | CHG-1 | "approved for ups-2"`, elsewhere},
		{"near: name", `09:00 | CHG-1 | "approved for svc-b"`, `09:00 | CHG-1 | "approved for svc-c"`, nextToIt},
		{"near: names", `09:00 | CHG-1 | "approved for svc-b, key-9"`, `09:00 | CHG-1 | "approved for svc-b"`, nextToIt},
		{"near: kind", `09:00 | CHG-1 | "approved, backups"`, `09:00 | CHG-1 | "approved, dumps"`, nextToIt},
		{"near: name and kind", `09:00 | CHG-1 | "approved, backups by svc-b"`, `09:00 | CHG-1 | "approved for svc-b"`, nextToIt},
		{"near: within its time", `09:00 | CHG-1 | {"what":"approved, backups"` + during, `09:00 | CHG-1 | {"what":"approved, backups"` + evening, nextToIt},
		{"whole", `09:00 | CHG-1 | "approved exercise"`, `09:00 | CHG-1 | "approved"`, ``},
	} {
		known[c.tie] = true
		for cover, want := range map[string]bool{c.holds: true, c.not: false} {
			if cover == "" {
				continue
			}
			columns := strings.SplitN(cover, " | ", 3)
			lines := []string{act, columns[0] + " | " + columns[1] + " | ticket | " + columns[2] + " | manual"}
			if c.other != "" {
				lines = append(lines, c.other)
			}
			found := d.Find(packetOf(t, lines...))
			has := found.ties(itemOf(found, "f2"), itemOf(found, "f1"))
			if has[slices.Index(names(), c.tie)] != want {
				t.Errorf("%s: %v of %s", c.tie, !want, cover)
			}
		}
	}
	for _, name := range names() {
		if !known[name] {
			t.Errorf("no case has the tie %s", name)
		}
	}
}

func names() []string {
	all := tieNames()
	return all[:]
}

// What a machine observed has ties of its own; who goes where nothing was asked for is
// elsewhere.
func TestPairs(t *testing.T) {
	d := example(t, nil)
	pairs := d.Find(packetOf(
		t, `10:00 | fs-01 | cmd | "ran dump-a" | process_list`, `09:00 | CHG-1 | ticket | "approved dump-a" | manual`,
		`09:00 | fs-01 | job | "approved" | syslog`, `10:10 | fs-01 | cmd | "ran, approved" | process_list`,
	)).Pairs()
	if len(pairs) != 5 {
		t.Errorf("%d covers and acts: %+v", len(pairs), pairs)
	}
	for _, p := range pairs {
		if p.Cover == p.Act {
			t.Errorf("%s accounts for itself", p.Cover)
		}
		whose, other := ofSeen, ofRecord
		if p.Cover == "f2" {
			whose, other = ofRecord, ofSeen
		}
		if !slices.Contains(p.Ties, whose+"always") || slices.ContainsFunc(p.Ties, func(tie string) bool { return strings.HasPrefix(tie, other) }) {
			t.Errorf("%s has the ties %q", p.Cover, p.Ties)
		}
	}
	if all := TieNames(); len(slices.Compact(slices.Sorted(slices.Values(all)))) != 2*int(tieCount) {
		t.Errorf("names of ties stand twice in %q", all)
	}
}

// How far a cover accounts for an act is what its ties weigh, and an act is left by what
// no cover accounts for, but never quite gone.
func TestShares(t *testing.T) {
	lines := []string{`10:00 | fs-01 | cmd | "ran dump-a" | process_list`, `09:00 | CHG-1 | ticket | "approved dump-a" | manual`}
	for weight, want := range map[float64]float64{-20: 0, 0: 0.25, 1: 0.5 / (1 + math.Exp(-1)), 20: 0.5} {
		c := example(t, &state.Weights{Ties: []state.Weight{{Name: "record: one name", Weight: weight}, {Name: "seen: one name", Weight: 7}, {Name: "record: place", Weight: -7}}}).Find(packetOf(t, lines...))
		if left := itemOf(c, "f1").left; math.Abs(left-(1-want)) > 1e-6 {
			t.Errorf("a weight of %v leaves %v, want %v", weight, left, 1-want)
		}
	}
	for range 5 {
		lines = append(lines, lines[1])
	}
	c := example(t, &state.Weights{Ties: []state.Weight{{Name: "record: always", Weight: 20}}}).Find(packetOf(t, lines...))
	if left := itemOf(c, "f1").left; left != leastLeft {
		t.Errorf("six covers leave %v", left)
	}
	if bound := itemOf(c, "f2").bound; math.Abs(bound-0.5) > 1e-6 {
		t.Errorf("a cover that accounts for an act of 0.5 is bound by %v", bound)
	}
}
