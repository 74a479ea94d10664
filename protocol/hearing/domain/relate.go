package domain

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
)

// computation names the algorithm of a relation.
type computation string

const (
	// failuresThenSuccess is at_least failed logons followed by an accepted one, with the same address and
	// account.
	failuresThenSuccess computation = "failures then success"
	// manyAccounts is failed logons of at_least accounts from one address, then an accepted one from there.
	manyAccounts computation = "failures of many accounts"
	// oneAfterAnother is a finding of the second rule of Of after one of the first, about the same target. AtLeast is how
	// many of the second there are.
	oneAfterAnother computation = "one after another"
	// twoPlaces is logons of one account from at_least countries or cities within hours.
	twoPlaces computation = "two places"
	// regularFlows is at_least flows to one public address at even intervals.
	regularFlows computation = "regular flows"
	// farVolume is a volume to a public address of a gigabyte or more, and at_least times the next largest in
	// the packet.
	farVolume computation = "far volume"
	// firstUse is a remote logon of an account to a new host after at_least logons to other hosts.
	firstUse computation = "first use"
	// afterChange is a measure of an entity that is at_least times as high after a change that names the
	// entity.
	afterChange computation = "after a change"
)

func computations() []computation {
	return []computation{failuresThenSuccess, manyAccounts, oneAfterAnother, twoPlaces, regularFlows, farVolume, firstUse, afterChange}
}

const gigabyte = 1 << 30

// find computes a relation over the events of a packet in order of time. Only measures before and after a change
// are read from the facts.
func (r *relation) find(facts, events []*fact, p *patterns) []Finding {
	if r.Computes == afterChange {
		return r.afterChange(facts)
	}
	facts = slices.SortedStableFunc(slices.Values(events), func(a, b *fact) int { return a.At.Compare(b.At) })
	var all []Finding
	add := func(note string, of ...*fact) { all = append(all, found(&r.head, r.Strength, note, of...)) }
	within := time.Duration(r.Hours * float64(time.Hour))
	switch r.Computes {
	case failuresThenSuccess, manyAccounts:
		all = r.guesses(facts, within)
	case oneAfterAnother: // over findings
	case twoPlaces:
		for _, group := range grouped(facts, func(f *fact) string {
			if f.place(p) == "" || !f.accepted() {
				return ""
			}
			return f.account()
		}) {
			for i, f := range group {
				places := map[string]*fact{}
				for _, other := range group[i:] {
					if other.At.Sub(f.At) <= within && places[other.place(p)] == nil {
						places[other.place(p)] = other
					}
				}
				if float64(len(places)) >= r.AtLeast {
					add(strings.Join(slices.Sorted(maps.Keys(places)), " and "), values(places)...)
					break
				}
			}
		}
	case regularFlows:
		for _, group := range grouped(facts, outbound) {
			if float64(len(group)) >= r.AtLeast && group[len(group)-1].At.Sub(group[0].At) >= within && even(group) {
				add(plain.Counted(len(group), "flow")+" in even intervals", group...)
			}
		}
	case farVolume:
		var largest *fact
		most, next := 0.0, 0.0
		for _, f := range facts {
			switch sent := f.sent(); {
			case sent > most:
				most, next, largest = sent, most, f
			case sent > next:
				next = sent
			}
		}
		if most >= gigabyte && next > 0 && most >= r.AtLeast*next && outbound(largest) != "" {
			add(fmt.Sprintf("%.0f times the next largest of the packet", most/next), largest)
		}
	case firstUse:
		for _, group := range grouped(facts, func(f *fact) string {
			if !f.accepted() || !f.says("10", "rdp", "ssh", "sshd", "remote") {
				return ""
			}
			return f.account()
		}) {
			last := group[len(group)-1]
			entities := lists.Distinct(lists.Map(group, func(f *fact) string { return f.Entity }))
			if len(last.parts) > 1 && len(entities) == len(group) {
				continue // The entity names the event and not a host.
			}
			host := last.ends[len(last.ends)-1]
			known := func(f *fact) bool { return slices.Contains(f.ends, host) }
			if !slices.ContainsFunc(group[:len(group)-1], known) && float64(len(group)) > r.AtLeast {
				add("first on "+host+" after "+plain.Counted(len(group)-1, "logon")+" elsewhere", last)
			}
		}
	case afterChange:
	}
	return all
}

// guesses finds failed logons followed by an accepted one: with the same account, or of many accounts.
func (r *relation) guesses(facts []*fact, within time.Duration) (all []Finding) {
	many := r.Computes == manyAccounts
	for _, group := range grouped(facts, func(f *fact) string {
		address, account := f.address(), f.account()
		switch {
		case address == "" || account == "" || !f.accepted() && !f.refused():
			return ""
		case many:
			return address
		}
		return address + " " + account
	}) {
		var failed []*fact
		for _, f := range group {
			if !f.accepted() {
				failed = append(failed, f)
				continue
			}
			failed = slices.DeleteFunc(failed, func(one *fact) bool { return f.At.Sub(one.At) > within })
			count, note := attempts(failed), "%v failures, then accepted"
			if many {
				count, note = float64(len(lists.Distinct(lists.Map(failed, (*fact).account)))), "failures of %v accounts, then one accepted"
			}
			if count >= r.AtLeast {
				all = append(all, found(&r.head, r.Strength, fmt.Sprintf(note, count), append([]*fact{f}, failed...)...))
				break
			}
		}
	}
	return all
}

// oneAfterAnother finds the findings of a rule that follow one of another rule about the same target.
func (r *relation) oneAfterAnother(findings []Finding) []Finding {
	within := time.Duration(r.Hours * float64(time.Hour))
	var all []Finding
	for i := range findings {
		first := &findings[i]
		if first.Rule != r.Of[0] {
			continue
		}
		about := first.facts[0].targets()
		var then []*fact
		for j := range findings {
			second := &findings[j]
			after := second.facts[0].At.Sub(first.facts[0].At)
			if second.Rule == r.Of[1] && after >= 0 && after <= within && second.facts[0] != first.facts[0] &&
				slices.ContainsFunc(second.facts[0].targets(), func(name string) bool { return slices.Contains(about, name) }) {
				then = append(then, second.facts[0])
			}
		}
		if float64(len(then)) >= r.AtLeast {
			all = append(all, found(&r.head, r.Strength, "", append([]*fact{then[0], first.facts[0]}, then[1:]...)...))
		}
	}
	return all
}

// targets returns the identifiers of the accounts that a fact acts on.
func (f *fact) targets() (names []string) {
	for i := range f.leaves {
		l := &f.leaves[i]
		acted := slices.ContainsFunc(l.path, func(word string) bool { return word == "target" || word == "member" })
		if acted && !slices.Contains(l.path, "domain") && name(l.text) != "" {
			names = append(names, name(l.text))
		}
	}
	return names
}

// afterChange compares the measures of an entity before and after a change that names it.
func (r *relation) afterChange(facts []*fact) []Finding {
	facts = slices.SortedStableFunc(slices.Values(facts), func(a, b *fact) int { return a.At.Compare(b.At) })
	within := time.Duration(r.Hours * float64(time.Hour))
	var all []Finding
	for _, change := range facts {
		if !change.says("change", "deploy", "deployed", "deployment", "rollout", "release", "released", "upgrade",
			"upgraded") {
			continue
		}
		for _, group := range grouped(facts, func(f *fact) string {
			if len(f.leaves) != 1 || f.leaves[0].number == nil || f == change || !change.names[f.ends[0]] {
				return ""
			}
			return f.Entity + " " + f.Field
		}) {
			before, after := 0.0, 0.0
			var of []*fact
			for _, f := range group {
				n, distance := *f.leaves[0].number, f.At.Sub(change.At)
				switch {
				case distance < 0 && -distance <= within:
					before = max(before, n)
				case distance >= 0 && distance <= within && n > after:
					after, of = n, []*fact{f, change}
				}
			}
			if before > 0 && after >= r.AtLeast*before {
				note := fmt.Sprintf("%v before and %v after", before, after)
				all = append(all, found(&r.head, r.Strength, note, of...))
			}
		}
	}
	return all
}

// grouped returns the facts grouped by key, in the order of the keys, without those whose key is "".
func grouped(facts []*fact, key func(*fact) string) [][]*fact {
	groups := map[string][]*fact{}
	for _, f := range facts {
		if len(f.ends) == 0 {
			continue
		}
		if k := key(f); k != "" {
			groups[k] = append(groups[k], f)
		}
	}
	return values(groups)
}

func values[V any](m map[string]V) []V {
	return lists.Map(slices.Sorted(maps.Keys(m)), func(key string) V { return m[key] })
}

func (f *fact) says(words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(f.words, word) })
}

func (f *fact) accepted() bool {
	return f.says("accepted", "success", "successful", "succeeded", "ok", "4624", "loggedin", "login", "logged") &&
		!f.says("failed", "failure", "invalid", "4625", "rejected", "denied")
}

func (f *fact) refused() bool { return f.says("failed", "failure", "invalid", "4625", "rejected") }

func (f *fact) account() string {
	if len(f.accounts) == 0 {
		for i, word := range f.words[:max(0, len(f.words)-1)] {
			if word == "for" || word == "user" {
				return f.words[i+1]
			}
		}
		return ""
	}
	return f.accounts[0]
}

// address returns the IP address that a field of a fact names as one, else the first in the fact: hosts may be named
// by their addresses too.
func (f *fact) address() string {
	for i := range f.leaves {
		l := &f.leaves[i]
		if last := l.path[len(l.path)-1]; last != "address" && last != "ip" || slices.ContainsFunc(l.path, func(word string) bool {
			return slices.Contains([]string{"destination", "dst", "server", "local", "host"}, word)
		}) {
			continue
		}
		if _, err := netip.ParseAddr(l.text); err == nil {
			return name(l.text)
		}
	}
	for _, one := range slices.Concat(f.ends, slices.Sorted(maps.Keys(f.names))) {
		if _, err := netip.ParseAddr(one); err == nil {
			return one
		}
	}
	return ""
}

// attempts counts logons. A fact may state a count.
func attempts(facts []*fact) float64 {
	n := 0.0
	for _, f := range facts {
		count := 1.0
		for i := range f.leaves {
			if l := &f.leaves[i]; l.number != nil && slices.Contains(l.path, "count") {
				count = *l.number
			}
		}
		n += count
	}
	return n
}

// sent returns the number of outgoing bytes.
func (f *fact) sent() float64 {
	most := 0.0
	if f.flows != nil {
		most = f.flows.bytes
	}
	for i := range f.leaves {
		l := &f.leaves[i]
		path := " " + strings.Join(l.path, " ") + " "
		isVolume := strings.Contains(path, " bytes ") || strings.Contains(path, " octets ")
		if l.number != nil && isVolume && !strings.Contains(path, " in ") {
			most = max(most, *l.number)
		}
	}
	return most
}

// outbound returns the edge of a flow to a public address, or "".
func outbound(f *fact) string {
	if f != nil && f.flows != nil {
		if isPublic(f.flows.to) && !isPublic(f.flows.from) {
			return f.flows.from + " -> " + f.flows.to
		}
		return ""
	}
	if f == nil || len(f.ends) != 2 || !isPublic(f.ends[1]) || isPublic(f.ends[0]) {
		return ""
	}
	return f.Entity
}

// even reports whether the intervals between facts differ by less than a tenth of their mean.
func even(group []*fact) bool {
	gaps := make([]float64, len(group)-1)
	mean := 0.0
	for i := range gaps {
		gaps[i] = group[i+1].At.Sub(group[i].At).Seconds()
		mean += gaps[i] / float64(len(gaps))
	}
	off := slices.MaxFunc(gaps, func(a, b float64) int { return cmp.Compare(math.Abs(a-mean), math.Abs(b-mean)) })
	return mean > 0 && math.Abs(off-mean) < mean/10
}
