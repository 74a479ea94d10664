package detect

import (
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/ledger"
)

// trace is what one fact has in common with others: whom and what it names, and when.
type trace struct {
	fact  *ledger.PacketFact
	place int32
	// own are the names of the entity, names all that the fact has: hosts, accounts,
	// addresses, files, tickets, in lower case.
	own, names set
	// wild are beginnings of names, of "web-01 to web-40" and "agent-*".
	wild []string
	// nets are ranges of addresses.
	nets []netip.Prefix
	// scope are names of machines that a record is said to be about, targets those of
	// where it has something go.
	scope, targets set
	// stems are the beginnings of its longer words.
	stems set
	// acts are the activities that it speaks of, a bit for each.
	acts uint64
	// window is from the first to the last time that it names; dated says that it
	// names any.
	window span
	dated  bool
	// bounded says that its times, scope and targets were read.
	bounded bool
}

// set is a few texts, each once.
type set []string

func (s *set) add(text string) {
	if !s.has(text) {
		*s = append(*s, text)
	}
}

func (s set) has(text string) bool { return slices.Contains(s, text) }

// span is a window of time, both ends included; a zero end is open.
type span struct{ from, to time.Time }

// tracer makes traces of the facts of a packet, once each.
type tracer struct {
	d      *Detector
	packet *ledger.Packet
	// traces are those that were made; of packets that are not large by place.
	traces map[int32]*trace
	near   []*trace
	// known are names of entities that a word alone would not be taken for: of hosts
	// and accounts that consist of letters.
	known map[string]bool
	// actors are names of accounts and persons.
	actors map[string]bool
	// seen are the names of entities that machines observe.
	seen map[string]bool
	// heads are what the names of those begin with.
	heads map[string]bool
	// aliases are the addresses of machines, and the machines of addresses.
	aliases map[string][]string
	text    text
}

// maxKnown is in how many facts a tracer looks for names of entities.
const maxKnown = 2000

func newTracer(d *Detector, p *ledger.Packet) *tracer {
	t := &tracer{d: d, packet: p, traces: map[int32]*trace{}, known: map[string]bool{}, seen: map[string]bool{}, heads: map[string]bool{}, aliases: map[string][]string{}, actors: map[string]bool{}}
	if p.Len() <= maxNear {
		t.near = make([]*trace, p.Len())
	}
	for i := range min(p.Len(), maxKnown) {
		f := p.At(i)
		t.alias(&f)
		from, to := ends(f.Entity)
		for _, end := range []string{from, to} {
			t.know(end)
			var names set
			t.add(&names, end)
			isActor := isPerson(end, f.Field, f.SourceType == ledger.SourceManual)
			for _, name := range names {
				t.seen[name] = t.seen[name] || f.SourceType != ledger.SourceManual
				if head := headOf(name); head != "" && f.SourceType != ledger.SourceManual {
					t.heads[head] = true
				}
				t.actors[name] = t.actors[name] || isActor
			}
		}
	}
	return t
}

// isPerson reports whether an entity is an account or a person, by how it is written and
// by what is said of it.
func isPerson(end, field string, manual bool) bool {
	if end == "" {
		return false
	}
	end = strings.ToLower(end)
	if strings.Contains(end, "@") || strings.HasPrefix(end, "user") || strings.HasPrefix(end, "account") {
		return true
	}
	if a, b, dotted := strings.Cut(end, "."); dotted && a != "" && b != "" && !hasDigit(end) && !strings.ContainsAny(b, ".-_") && len(b) > len("com") {
		return true
	}
	for _, head := range []string{"adm-", "adm_", "adm.", "svc-", "svc_", "svc.", "sa-", "sa_", "admin-", "admin.", "ext_", "ext-", "dba.", "dba_", "robot", "sa/"} {
		if strings.HasPrefix(end, head) {
			return true
		}
	}
	return manual && hasWord(nameWords(field), "role", "roles", "account", "statement", "owner", "hr", "reply", "membership", "groups", "travel", "shift", "user", "permission")
}

// know takes the last part of an entity for a name, whatever it consists of.
func (t *tracer) know(end string) {
	const shortest = 3
	end = strings.ToLower(end)
	if strings.Contains(end, " ") {
		return
	}
	if at := strings.LastIndexAny(end, `\\/@:`); at >= 0 && !strings.Contains(end, "@") {
		end = end[at+1:]
	}
	if len(end) >= shortest && !isCommon(end[:min(len(end), stemLength)]) {
		t.known[end] = true
	}
}

// made is a trace that was made before, or nil.
func (t *tracer) made(place int32) *trace {
	if t.near != nil {
		return t.near[place]
	}
	return t.traces[place]
}

func (t *tracer) of(place int32) *trace {
	if known := t.made(place); known != nil {
		return known
	}
	f := t.packet.At(int(place))
	const few = 8
	made := &trace{fact: &f, place: place, own: make(set, 0, few/2)} //nolint:mnd // most have fewer
	if t.near != nil {
		t.near[place] = made
	} else {
		t.traces[place] = made
	}
	from, to := ends(f.Entity)
	for _, end := range []string{from, to} {
		for piece := range strings.FieldsFuncSeq(end, isGap) {
			t.add(&made.own, piece)
		}
	}
	for _, name := range slices.Clone(made.own) {
		for _, other := range t.aliases[name] {
			made.own.add(other)
		}
	}
	made.addWild(f.Entity)
	made.names = append(make(set, 0, few), made.own...)
	for _, l := range leavesOf(f.Field, f.Value) {
		t.read(made, &l)
	}
	t.text.reset()
	t.text.read(f.Field, false)
	t.text.read(string(f.Value), false)
	if t.text.camel {
		t.text.segment++
		t.text.read(string(f.Value), true)
	}
	t.d.activities.find(t.text.words, func(number int32, _, _ int) {
		for _, h := range t.d.activities.phrases[number].heeds {
			made.acts |= 1 << h.condition
		}
	})
	return made
}

// read adds what a leaf names.
func (t *tracer) read(made *trace, l *leaf) {
	s, is := l.value.(string)
	if !is {
		made.number(l)
		return
	}
	for piece := range strings.FieldsFuncSeq(s, isGap) {
		t.add(&made.names, piece)
	}
	made.addWild(s)
	made.addNets(s)
	made.addStems(s)
}

// bounds reads what a record says of the times, the machines and the targets that it is
// about, once.
func (t *tracer) bounds(made *trace) {
	if made.bounded {
		return
	}
	made.bounded = true
	day := dayOf(string(made.fact.Value), made.fact.At)
	for _, l := range leavesOf(made.fact.Field, made.fact.Value) {
		s, is := l.value.(string)
		if !is {
			continue
		}
		for piece := range strings.FieldsFuncSeq(s, isGap) {
			switch {
			case isPlaces(l.name()):
				t.add(&made.scope, piece)
			case isTarget(l.name()):
				t.add(&made.targets, piece)
			}
		}
		if hasDigit(s) && !hasWord(l.name(), "approved", "created", "opened", "requested", "raised", "submitted", "signed", "logged", "registered", "hired", "joined", "last", "known", "seen", "added") {
			made.when(&l, s, day)
		}
	}
}

// isPlaces reports whether a name is of the machines that a record is about.
func isPlaces(name []word) bool {
	return hasWord(
		name, "host", "hosts", "scope", "servers", "server", "systems", "system", "devices", "device", "machines", "machine",
		"controllers", "controller", "nodes", "node", "cluster", "clusters", "tier", "instances", "workstations", "on",
	)
}

// isTarget reports whether a name is of where a record has something go.
func isTarget(name []word) bool {
	return hasWord(name, "output", "destination", "deliver", "drop", "recipient", "bucket", "target", "targets", "upload", "to")
}

// lasts is how long a thing is taken to last of which only one time is known.
const lasts = 4 * time.Hour

// when adds the times that a leaf names. What is called an end is none of a beginning.
func (t *trace) when(l *leaf, s string, day time.Time) {
	one, is := spanIn(s, day)
	if !is {
		return
	}
	switch {
	case hasWord(l.name(), "to", "until", "till", "end", "ends", "due", "expires", "expiry", "deadline"):
		one.from = time.Time{}
	case hasWord(l.name(), "from", "start", "starts", "begin", "begins", "since"):
		one.to = time.Time{}
	case one.from.Equal(one.to):
		one.to = one.to.Add(lasts)
	}
	if !one.from.IsZero() && (t.window.from.IsZero() || one.from.Before(t.window.from)) {
		t.window.from = one.from
	}
	if !one.to.IsZero() && one.to.After(t.window.to) {
		t.window.to = one.to
	}
	t.dated = true
}

// isGap reports whether a character parts names from each other.
func isGap(r rune) bool { return strings.ContainsRune(" \t\n,;()[]{}<>\"'|&=", r) }

// hasWord reports whether one of the words is there.
func hasWord(words []word, texts ...string) bool {
	for _, w := range words {
		for _, one := range texts {
			if w.equal(one) {
				return true
			}
		}
	}
	return false
}

// add adds a name and its parts that name something themselves: the account
// without its domain, the host of a share, the base name of a path.
func (t *tracer) add(names *set, piece string) {
	piece = strings.ToLower(strings.Trim(piece, ".:!?-/\\*`"))
	if piece == "" || len(piece) > 120 {
		return
	}
	for part := range strings.FieldsFuncSeq(piece, func(r rune) bool { return strings.ContainsRune(`\/@:`, r) }) {
		part = strings.Trim(part, ".:$")
		if !isName(part) && !t.known[part] {
			continue
		}
		names.add(part)
		if head, _, cut := strings.Cut(part, "."); cut && isName(head) && !strings.ContainsAny(part, "0123456789") {
			names.add(head)
		}
	}
	if isName(piece) {
		names.add(piece)
	}
}

// isName reports whether a word stands for one thing alone: it has letters and, beside
// them, digits or marks between; or it is an address.
func isName(s string) bool {
	const shortest = 3
	if len(s) < shortest || isClock(s) {
		return false
	}
	letters, digits, marks := 0, 0, 0
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z':
			letters++
		case r >= '0' && r <= '9':
			digits++
		case r == '-' || r == '_' || r == '.' || r == '$':
			marks++
		}
	}
	const dotted, account = 3, 9
	if letters == 0 {
		return digits > 0 && strings.Count(s, ".") >= dotted || digits == len(s) && digits >= account
	}
	return digits > 0 || marks > 0
}

// isClock reports whether a text is a date or a time, or a measure.
func isClock(s string) bool {
	if len(s) >= len("2026-01-02") && s[4] == '-' && s[7] == '-' && s[0] == '2' {
		return true
	}
	digits := strings.TrimLeft(s, "0123456789.:+-")
	return len(digits) < len(s) && (digits == "" && strings.Count(s, ".") < 3 || unitFactor(digits) > 0 || digits == "z" || digits == "x" || digits == "utc")
}

// stemLength is how many letters of a word are compared.
const stemLength = 6

// addStems adds the beginnings of the longer words.
func (t *trace) addStems(s string) {
	const least = 4
	for piece := range strings.FieldsFuncSeq(strings.ToLower(s), isGap) {
		piece = strings.Trim(piece, ".:!?-/*`")
		if len(piece) < least || strings.IndexFunc(piece, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0 {
			continue
		}
		if stem := piece[:min(len(piece), stemLength)]; !isCommon(stem) {
			t.stems.add(stem)
		}
	}
}

// number takes a long number for a name: two facts seldom have the same by chance.
func (t *trace) number(l *leaf) {
	const least = 10_000
	n, is := l.value.(float64)
	if is && n >= least && n == math.Trunc(n) && math.Mod(n, 1000) != 0 {
		t.names.add("#" + strconv.FormatFloat(n, 'f', -1, 64))
	}
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func hasLetter(s string) bool { return strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") }
