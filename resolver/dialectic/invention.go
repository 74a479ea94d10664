package dialectic

import "strings"

// invention is G3: what stands in a grounded field comes from somewhere.
func (b *bench) invention() finding {
	f := finding{note: "no field is grounded"}
	fields := b.in.Artifact.Proposal.Fields
	origins := b.newOrigins()
	circular := map[int]bool{}
	for _, at := range b.cyclic() {
		circular[at] = true
	}
	for i := range fields {
		if !fields[i].Grounded {
			continue
		}
		f.note, f.silent = "every atom of every grounded field occurs in what it cites, in the directive, or follows from it", true
		f.reads = append(f.reads, fields[i].Evidence...)
		f.failures = append(f.failures, b.invented(&fields[i], origins, circular[i])...)
	}
	return f
}

// invented names the atoms of a field that come from nowhere.
func (b *bench) invented(field *Field, origins *origins, circular bool) []string {
	atoms := atomsOf(field.Value)
	if len(atoms) == 0 {
		return nil
	}
	var failures []string
	type meaning struct {
		kind       atomKind
		text, with string
	}
	seen := make(map[meaning]bool, len(atoms))
	for i := range atoms {
		a := &atoms[i]
		means := meaning{a.kind, a.text, a.with}
		if seen[means] {
			continue
		}
		seen[means] = true
		if origins.hold(a, field) {
			continue
		}
		lacks := ""
		if field.Derived != nil && a.kind == atomNumber {
			if lacks = b.underived(a, field, circular); lacks == "" {
				continue
			}
		}
		if failures = append(failures, field.Path+": INVENTED("+a.shown+")"+lacks); len(failures) == mostInvented {
			return append(failures, field.Path+": what else is in it was not looked at")
		}
	}
	return failures
}

// mostInvented is how many atoms of a field are named; it has failed with the
// first.
const mostInvented = 100

// underived says why a number does not follow from the field's derivation, or
// nothing where it does.
func (b *bench) underived(a *atom, field *Field, circular bool) string {
	d := field.Derived
	called := string(d.Op) + " of " + strings.Join(d.Of, ", ")
	if circular {
		return ", as " + called + " leads back to the field"
	}
	result, ok := b.compute(d)
	switch {
	case !ok:
		return ", as " + called + " does not give a number"
	case !recomputes(a, &result):
		return ", as " + called + " is " + short(&result)
	}
	return ""
}

// origins are the texts that atoms may come from, each read once, when it is
// first asked for.
type origins struct {
	b         *bench
	directive *origin
	items     map[int]*origin
}

func (b *bench) newOrigins() *origins {
	return &origins{b: b, directive: newOrigin(b.in.Directive, nil), items: map[int]*origin{}}
}

// hold reports whether an atom occurs where that of a field may come from: in
// the directive, or in an item that the field cites.
func (o *origins) hold(a *atom, field *Field) bool {
	if o.directive.holds(a) {
		return true
	}
	for _, id := range field.Evidence {
		if at, ok := o.b.items.byID[id]; ok && o.b.grounds(at) && o.item(at).holds(a) {
			return true
		}
	}
	return false
}

func (o *origins) item(at int) *origin {
	read, ok := o.items[at]
	if !ok {
		e := &o.b.items.all[at]
		read = newOrigin(e.Quote, e.Value)
		o.items[at] = read
	}
	return read
}

// origin is one text with what is found in it.
type origin struct {
	// text is folded; a line break keeps its parts apart.
	text string
	// found are its atoms.
	found []atom
}

// newOrigin reads a text and a JSON value, either of which may be empty.
func newOrigin(text string, value []byte) *origin {
	o := &origin{}
	o.read(text)
	if len(value) > 0 {
		eachLiteral(value, func(text string, _ bool) { o.read(text) })
	}
	return o
}

func (o *origin) read(text string) {
	if text = fold(text); text == "" {
		return
	}
	if o.text != "" {
		o.text += "\n"
	}
	o.text += text
	first := len(o.found)
	s := scanner{text: text, found: o.found}
	s.run()
	o.found = s.found
	for i := range o.found[first:] {
		switch a := &o.found[first+i]; a.kind {
		case atomDate:
			o.noteDate(a.text)
		case atomCode:
			// go1.26 is the number 1.26 too, and v1.20 is not 1.2.
			if n := (&scanner{text: strings.TrimLeft(a.text, letters)}); n.number() && n.at == len(n.text) {
				n.found[0].exact = true
				o.found = append(o.found, n.found[0])
			}
		case atomNumber, atomClock, atomURL, atomFile, atomHash, atomPassage:
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// yearOf takes the place of a unit for the year of a date, so that only a bare number matches it.
const yearOf = "year of a date"

// noteDate notes what a date says besides itself: its month, its day, its year.
func (o *origin) noteDate(date string) {
	if len(date) != len("2026-11-21") || date[4] != '-' {
		return
	}
	o.found = append(
		o.found,
		atom{kind: atomDate, text: date[:7]},
		atom{kind: atomDate, text: "-" + date[4:]},
		atom{kind: atomNumber, text: date[:4], with: yearOf},
	)
}

// holds reports whether the origin has an atom.
func (o *origin) holds(a *atom) bool {
	switch a.kind {
	case atomPassage:
		return occurs(o.text, a.text, false)
	case atomHash:
		return occurs(o.text, a.text, true)
	case atomCode:
		if o.versionOccurs(a.text) {
			return true
		}
	case atomFile:
		// ./makefile is makefile, which nothing marks as a file.
		if a.with == "" && !strings.ContainsAny(a.text, "./") && occurs(o.text, a.text, false) {
			return true
		}
	case atomNumber, atomDate, atomClock, atomURL:
	}
	for i := range o.found {
		if a.isIn(&o.found[i]) {
			return true
		}
	}
	return false
}

// versionOccurs reports whether a version, or a name with a number in it, occurs, also with a blank before its number:
// tls 1.3, version 2.
func (o *origin) versionOccurs(version string) bool {
	if occurs(o.text, version, false) {
		return true
	}
	number := strings.TrimLeft(version, letters)
	name := version[:len(version)-len(number)]
	if name == "v" {
		name = "version"
	}
	return name != "" && number != "" && isDigit(number[0]) && occurs(o.text, name+" "+number, false)
}

// isIn reports whether an atom matches another. A bare number matches any unit, on either side; a file at a line needs
// that line.
func (a *atom) isIn(o *atom) bool {
	if a.kind != o.kind || a.text != o.text {
		return false
	}
	if o.exact && a.digits != o.digits {
		return false
	}
	loose := a.kind == atomNumber || a.kind == atomClock
	return a.with == o.with || a.with == "" || loose && o.with == ""
}
