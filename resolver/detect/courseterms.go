package detect

import (
	"slices"

	"moot/ledger"
)

// courseTerms takes the terms that a fact of a hearing about a change has: its courses,
// the classes of its words, and both together.
func (c *Case) courseTerms(w *wording, place int32, f *ledger.PacketFact) {
	classes := c.classesOf(c.scanner.text.words)
	marks := c.marks(place)
	for _, class := range classes {
		marks = append(marks, "class:"+class)
	}
	said := "seen"
	if isStatement(f) {
		said = "stated"
	}
	for i, mark := range marks {
		w.write(mark)
		w.add()
		w.write(mark, " & ", said)
		w.add()
		if c.courses.end.IsZero() {
			w.write(mark, " & never returned")
			w.add()
		}
		for _, other := range marks[:i] {
			w.write(other, " & ", mark)
			w.add()
		}
	}
}

// classes are the vocabularies that a fact has phrases of.
func (c *Case) classes(f *ledger.PacketFact) []string {
	c.scanner.read(f)
	return c.classesOf(c.scanner.text.words)
}

// classesOf are the vocabularies of whose phrases some words are.
func (c *Case) classesOf(words []word) []string {
	var names []string
	c.detector.classes.find(words, func(number int32, _, _ int) {
		for _, h := range c.detector.classes.phrases[number].heeds {
			if name := c.detector.domain.Vocabularies[h.condition].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	})
	return names
}

// marks are what is known of how a fact lies to the change.
func (c *Case) marks(place int32) []string {
	k := c.courses
	if marks, known := k.marks[place]; known {
		return marks
	}
	marks := []string{}
	if c.packet.Len() > maxNear {
		return marks
	}
	for _, phase := range k.phases(place) {
		marks = append(marks, "phase:"+phase)
	}
	for _, tell := range k.tells(place) {
		marks = append(marks, "tells:"+tell)
	}
	for _, relation := range k.relations(c, place) {
		marks = append(marks, "lies:"+relation)
	}
	for _, peer := range k.peers(place) {
		marks = append(marks, "lies:"+peer)
	}
	if k.changes[place] {
		marks = append(marks, "is the change")
	}
	if k.ender != nil && k.ender.place == place {
		marks = append(marks, "is the return")
	}
	for _, course := range k.of(place) {
		marks = append(marks, "course:"+string(course))
	}
	k.marks[place] = marks
	return marks
}

// courseSums is how many marks are summed up.
const courseSums = 16

// marksSummed are the marks of facts that tell by themselves what a case comes to.
func marksSummed() []string {
	return []string{
		"course:changed apart", "course:changed alike", "course:names the change", "course:rises",
		"phase:out first after the change", "phase:out before the change", "phase:as before",
		"phase:back after the return", "phase:back before the return", "phase:back without a return", "phase:out after the return",
		"phase:uneven", "phase:even", "tells:before the change", "tells:soon after the change", "is the return",
	}
}

// sumMarks counts facts with a mark: one is half, and more are all.
func (c *Case) sumMarks() {
	if c.courses == nil {
		return
	}
	const half = 0.5
	names := marksSummed()
	for _, one := range c.all {
		for _, mark := range c.marks(one.place) {
			if at := slices.Index(names, mark); at >= 0 {
				c.marked[at] = min(c.marked[at]+half, 1)
			}
		}
	}
}
