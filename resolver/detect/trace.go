package detect

import (
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
	own, names map[string]bool
	// stems are the beginnings of its longer words.
	stems map[string]bool
	// acts are the activities that it speaks of, a bit for each.
	acts uint64
	// window is from the first to the last time that it names; dated says that it
	// names any.
	window span
	dated  bool
}

// span is a window of time, both ends included; a zero end is open.
type span struct{ from, to time.Time }

// tracer makes traces of the facts of a packet, once each.
type tracer struct {
	d      *Detector
	packet *ledger.Packet
	traces map[int32]*trace
	text   text
}

func (t *tracer) of(place int32) *trace {
	if known := t.traces[place]; known != nil {
		return known
	}
	f := t.packet.At(int(place))
	made := &trace{fact: &f, place: place, own: map[string]bool{}, names: map[string]bool{}, stems: map[string]bool{}}
	t.traces[place] = made
	from, to := ends(f.Entity)
	addName(made.own, from)
	addName(made.own, to)
	for name := range made.own {
		made.names[name] = true
	}
	made.addStems(f.Entity)
	made.addStems(f.Field)
	day := dayOf(string(f.Value), f.At)
	for _, l := range leavesOf(f.Field, f.Value) {
		made.read(&l, day)
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
func (t *trace) read(l *leaf, day time.Time) {
	s, is := l.value.(string)
	if !is {
		return
	}
	for piece := range strings.FieldsFuncSeq(s, isGap) {
		addName(t.names, piece)
	}
	t.addStems(s)
	if !hasWord(l.name, "approved", "created", "opened", "requested", "raised", "submitted", "signed", "logged", "registered", "hired", "joined", "last") {
		t.when(l, s, day)
	}
}

// when adds the times that a leaf names. What is called an end is none of a beginning.
func (t *trace) when(l *leaf, s string, day time.Time) {
	one, is := spanIn(s, day)
	if !is {
		return
	}
	switch {
	case hasWord(l.name, "to", "until", "till", "end", "ends", "due", "expires", "expiry", "deadline"):
		one.from = time.Time{}
	case hasWord(l.name, "from", "start", "starts", "begin", "begins", "since"):
		one.to = time.Time{}
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
func hasWord(words []word, any ...string) bool {
	for _, w := range words {
		for _, one := range any {
			if w.equal(one) {
				return true
			}
		}
	}
	return false
}

// addName adds a name and its parts that name something themselves: the account
// without its domain, the host of a share, the base name of a path.
func addName(names map[string]bool, piece string) {
	piece = strings.ToLower(strings.Trim(piece, ".:!?-/\\*`"))
	if piece == "" || len(piece) > 120 {
		return
	}
	for part := range strings.FieldsFuncSeq(piece, func(r rune) bool { return strings.ContainsRune(`\/@`, r) }) {
		part = strings.Trim(part, ".:$")
		if !isName(part) {
			continue
		}
		names[part] = true
		if head, _, cut := strings.Cut(part, "."); cut && isName(head) && !strings.ContainsAny(part, "0123456789") {
			names[head] = true
		}
	}
	if isName(piece) {
		names[piece] = true
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
	const dotted = 3
	if letters == 0 {
		return digits > 0 && strings.Count(s, ".") >= dotted
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

// addStems adds the beginnings of the longer words.
func (t *trace) addStems(s string) {
	const least, most = 4, 6
	var read text
	read.read(s, false)
	if read.camel {
		read.read(s, true)
	}
	for _, w := range read.words {
		if len(w.text) < least || strings.ContainsAny(string(w.text), "0123456789") {
			continue
		}
		stem := string(w.text[:min(len(w.text), most)])
		if !isCommon(stem) {
			t.stems[stem] = true
		}
	}
}
