package domain

import (
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
)

// events returns the events of a packet, over which relations are computed. A fact with a whole event in its value
// is an event. Facts with one field of an event each are merged if they have the same entity and time. Events that
// merge have parts; the facts themselves stay as they are.
func events(facts []*fact, packet *ledger.Packet, p *patterns) []*fact {
	var all []*fact
	groups := map[string][]*fact{}
	var keys []string
	for _, f := range facts {
		if !f.OfRecord() && (!f.isField || f.flow(p) != nil || f.address() != "" && f.account() != "" && (f.accepted() || f.refused())) {
			all = append(all, merged(p, f))
			continue
		}
		key := f.Entity + "\x00" + strconv.FormatInt(f.At.UnixNano(), 10)
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], f)
	}
	for _, key := range keys {
		if record, ok := packet.Event(groups[key][0].ID); ok {
			event := merged(p, groups[key]...)
			event.record = &record
			if record.Host != "" {
				// The entity names the record, and it happened on the host.
				event.ends = append([]string{name(record.Host)}, event.ends[min(1, len(event.ends)):]...)
			}
			all = append(all, event)
			continue
		}
		for _, parts := range splitEvents(groups[key]) {
			all = append(all, merged(p, parts...))
		}
	}
	return all
}

// records returns the facts with those that are fields of a record replaced by the whole record, so that a rule can read
// several of its fields.
func records(facts, events []*fact) []*fact {
	whole := map[string]*fact{}
	for _, e := range events {
		if e.record != nil {
			for _, part := range e.parts {
				whole[part.ID] = e
			}
		}
	}
	var all []*fact
	seen := map[*fact]bool{}
	for _, f := range facts {
		one := f
		if record := whole[f.ID]; record != nil {
			one = record
		}
		if !seen[one] {
			seen[one] = true
			all = append(all, one)
		}
	}
	return all
}

// splitEvents splits the fields of one entity and time into events, none of which has a field twice. If each field
// occurs equally often, the nth of each belong together; otherwise a repeated field begins the next event.
func splitEvents(group []*fact) [][]*fact {
	counts := map[string]int{}
	for _, f := range group {
		counts[f.Field]++
	}
	most := slices.Max(slices.Collect(maps.Values(counts)))
	even := !slices.ContainsFunc(slices.Collect(maps.Values(counts)), func(n int) bool { return n != most })
	split := make([][]*fact, 1, most)
	seen := map[string]int{}
	for _, f := range group {
		at := len(split) - 1
		if even {
			at = seen[f.Field]
		} else if slices.ContainsFunc(split[at], func(one *fact) bool { return one.Field == f.Field }) {
			at++
		}
		seen[f.Field]++
		if at == len(split) {
			split = append(split, nil)
		}
		split[at] = append(split[at], f)
	}
	return split
}

// merged returns an event of parts. The ends of a flow that it states are ends of it.
func merged(p *patterns, parts ...*fact) *fact {
	event := *parts[0]
	event.parts, event.names = parts, maps.Clone(event.names)
	for _, f := range parts[1:] {
		event.leaves = append(slices.Clip(event.leaves), f.leaves...)
		event.words = append(slices.Clip(event.words), f.words...)
		event.accounts = append(slices.Clip(event.accounts), f.accounts...)
		maps.Copy(event.names, f.names)
	}
	for _, f := range parts {
		if flow := f.flow(p); flow != nil && event.flows == nil {
			event.flows = flow
			event.ends = lists.Distinct(append(slices.Clip(event.ends), flow.from, flow.to))
			event.names[flow.from], event.names[flow.to] = true, true
		}
	}
	for _, f := range parts {
		f.flows = event.flows // Its bytes go where the flow goes.
	}
	return &event
}

// ids returns the ids of the facts of an event or fact.
func (f *fact) ids() []string {
	if len(f.parts) == 0 {
		return []string{f.ID}
	}
	return lists.Map(f.parts, func(part *fact) string { return part.ID })
}

// flow is a transfer that a text states, as in "10.0.0.1:5000 -> 203.0.113.7:443/TCP (4 pkts, 250 bytes)".
type flow struct {
	from, to string
	bytes    float64
}

// patterns match what relations read in texts.
type patterns struct{ arrow, bytes, address *regexp.Regexp }

func newPatterns() patterns {
	return patterns{
		arrow:   regexp.MustCompile(`([0-9a-fA-F.:\[\]]+) *(?:->|→|=>) *([0-9a-fA-F.:\[\]]+)`),
		bytes:   regexp.MustCompile(`(\d[\d,]*) *bytes\b`),
		address: regexp.MustCompile(`^([0-9a-fA-F.:]+) *\(([\pL][\pL .'-]*), *([A-Z]{2})\)$`),
	}
}

// flow returns the flow that a text of a fact states, or nil.
func (f *fact) flow(p *patterns) *flow {
	for i := range f.leaves {
		m := p.arrow.FindStringSubmatch(f.leaves[i].text)
		if m == nil {
			continue
		}
		from, to := host(m[1]), host(m[2])
		if from == "" || to == "" {
			continue
		}
		stated := &flow{from: from, to: to}
		if n := p.bytes.FindStringSubmatch(f.leaves[i].text); n != nil {
			if sent, err := strconv.ParseFloat(strings.ReplaceAll(n[1], ",", ""), 64); err == nil {
				stated.bytes = sent
			}
		}
		return stated
	}
	return nil
}

// host returns the address of an endpoint with or without a port, or "".
func host(endpoint string) string {
	if both, err := netip.ParseAddrPort(endpoint); err == nil {
		return both.Addr().String()
	}
	if one, err := netip.ParseAddr(strings.Trim(endpoint, "[]")); err == nil {
		return one.String()
	}
	return ""
}

// place returns where an event is from: a country or city, or one after a public address, as in
// "198.51.100.4 (Lisbon, PT)".
func (f *fact) place(p *patterns) string {
	for i := range f.leaves {
		if last := f.leaves[i].path[len(f.leaves[i].path)-1]; last == "country" || last == "city" {
			return f.leaves[i].text
		}
	}
	for i := range f.leaves {
		if m := p.address.FindStringSubmatch(strings.TrimSpace(f.leaves[i].text)); m != nil && isPublic(m[1]) {
			return fmt.Sprintf("%s, %s", m[2], m[3])
		}
	}
	return ""
}
