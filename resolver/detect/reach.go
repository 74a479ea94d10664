package detect

import (
	"net/netip"
	"strings"

	"moot/ledger"
)

// addWild adds the beginnings of names that a text gives a range of.
func (t *trace) addWild(s string) {
	if !strings.Contains(s, "..") && !strings.Contains(s, "*") && !strings.Contains(s, " to ") && !strings.Contains(s, " through ") {
		return
	}
	for piece := range strings.FieldsFuncSeq(strings.ToLower(s), isGap) {
		head := strings.TrimRight(strings.TrimRight(piece, "*"), "0123456789.")
		const shortest = 3
		if len(head) >= shortest && head != piece && strings.ContainsAny(head[len(head)-1:], "-_") && hasLetter(head) {
			t.wild = append(t.wild, head)
		}
	}
}

// reaches reports whether a range of the trace includes one of the names.
func (t *trace) reaches(names set) bool {
	for _, head := range t.wild {
		for _, name := range names {
			if strings.HasPrefix(name, head) {
				return true
			}
		}
	}
	for _, net := range t.nets {
		for _, name := range names {
			if a, err := netip.ParseAddr(name); err == nil && net.Contains(a) {
				return true
			}
		}
	}
	return false
}

// addNets adds the ranges of addresses that a text names.
func (t *trace) addNets(s string) {
	if !strings.Contains(s, "/") {
		return
	}
	for piece := range strings.FieldsFuncSeq(s, isGap) {
		if net, err := netip.ParsePrefix(strings.Trim(piece, ".:")); err == nil && !net.IsSingleIP() {
			t.nets = append(t.nets, net)
		}
	}
}

// alias notes which address a machine has, as a fact of it says.
func (t *tracer) alias(f *ledger.PacketFact) {
	if !hasWord(t.text.name(f.Field), "ip", "ips", "ipv4", "ipaddr", "address", "addresses", "addr", "fqdn", "hostname", "lease") || strings.Contains(f.Entity, "->") {
		return
	}
	var addresses []string
	for _, l := range leavesOf(f.Field, f.Value) {
		if s, is := l.value.(string); is {
			if _, err := netip.ParseAddr(s); err == nil {
				addresses = append(addresses, s)
			}
		}
	}
	var names set
	for piece := range strings.FieldsFuncSeq(f.Entity, isGap) {
		t.add(&names, piece)
	}
	if len(names) != len(addresses) {
		return
	}
	for i, name := range names {
		t.aliases[name] = append(t.aliases[name], addresses[i])
		t.aliases[addresses[i]] = append(t.aliases[addresses[i]], name)
	}
}

// isMachine reports whether a name is written as that of a machine, and is no account.
func (t *tracer) isMachine(name string) bool {
	return (t.seen[name] || hasDigit(name) && t.heads[headOf(name)]) && !t.actors[name] && hasLetter(name) && !isDomain(name)
}

// headOf is what names of a kind begin with: "plc-" of "plc-12", empty where a name has
// no number behind a mark.
func headOf(name string) string {
	head := strings.TrimRight(name, "0123456789")
	if head == name || head == "" || !strings.ContainsAny(head[len(head)-1:], "-_") || !hasLetter(head) {
		return ""
	}
	return head
}
