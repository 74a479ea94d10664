package detect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"moot/state"
)

// How close in time a thing is that follows from another, and how far numbers are apart.
const (
	soonAfter  = time.Hour
	soonEnds   = 30 * time.Minute
	early      = time.Minute
	twice      = 2.0
	about      = 1.3
	mostSeries = 64
)

// courses is what is known of the change that a hearing is about.
type courses struct {
	tracer *tracer
	// change and end are when it was made and taken back; zero where nothing says so.
	change, end time.Time
	// ender is the fact of the end, or nil.
	ender  *trace
	gauges *gauges
	// stems are those of the change's facts, set what it set.
	stems map[string]bool
	set   set
	// marks are those of facts, once they are known.
	marks map[int32][]string
	// names are those of the change's facts, own those of their entities.
	names, own set
	// seen is the fact that first shows the incident, or nil.
	seen *trace
	// changes are the places of the change's facts.
	changes map[int32]bool
	// motions are those of facts, once reckoned.
	motions map[int32]motion
	// last is for an entity and field the place of the fact before.
	history map[string][]int32
}

// motion is how the numbers of a fact go, when they turned, and when it begins.
type motion struct {
	course   state.Course
	turned   time.Time
	contrast state.Course
	// begins is the time that the value names, or that of the fact.
	begins time.Time
}

// coursesIn finds the change and its end among what the rules found.
func (c *Case) coursesIn(found *scanner) *courses {
	k := &courses{
		tracer: c.tracer, changes: map[int32]bool{},
		motions: map[int32]motion{}, stems: map[string]bool{}, marks: map[int32][]string{}, history: map[string][]int32{},
	}
	ids := set{}
	for number, places := range found.hits {
		if found.d.rules[number].Role != state.RoleChange || found.d.rules[number].Weight < 1 {
			continue
		}
		for _, place := range places {
			for _, name := range c.tracer.of(place).names {
				if !c.tracer.of(place).own.has(name) {
					ids.add(name)
				}
			}
		}
	}
	var made *trace
	if all := c.blamedOf(found, ids); len(all) > 0 {
		made = all[0]
		k.add(made.place)
	}
	for _, t := range c.spoken(found, state.RoleChange) {
		if meet(t.own, k.own) && within(k.change, t.fact.At, 3*early) {
			k.add(t.place)
		}
	}
	for i := range min(c.packet.Len(), maxKnown) {
		f := c.packet.At(i)
		k.history[f.Entity] = append(k.history[f.Entity], int32(i))
	}
	if made != nil {
		k.returned(c, made)
	}
	k.begin(found)
	k.gauges = newGauges(c.tracer, c.near())
	return k
}

// spoken are the facts that rules of a role speak of, but for those that only name the
// change.
func (c *Case) spoken(found *scanner, role state.FactRole) []*trace {
	var all []*trace
	for number, places := range found.hits {
		if rule := found.d.rules[number]; rule.Role == role && rule.Weight < 1 {
			for _, place := range places {
				all = append(all, c.tracer.of(place))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *trace) int {
		return cmp.Or(a.fact.At.Compare(b.fact.At), cmp.Compare(a.fact.ID, b.fact.ID))
	})
	return all
}

// begin finds where the incident was first seen: the earliest of what rules look for soon
// after the change.
func (k *courses) begin(found *scanner) {
	var earliest time.Time
	for number, places := range found.hits {
		if !slices.ContainsFunc(found.d.rules[number].When, func(w state.FactCondition) bool { return slices.Contains(w.Course, state.CourseSoon) }) {
			continue
		}
		for _, place := range places {
			m := k.motion(place)
			if within(k.change, m.begins, soonAfter) && (earliest.IsZero() || m.begins.Before(earliest)) {
				earliest, k.seen = m.begins, k.tracer.of(place)
			}
		}
	}
}

// add takes a fact of the change.
func (k *courses) add(place int32) {
	t := k.tracer.of(place)
	k.changes[place] = true
	for _, name := range t.names {
		k.names.add(name)
	}
	for _, name := range t.own {
		k.own.add(name)
	}
	for _, l := range leavesOf("", t.fact.Value) {
		if s, is := l.value.(string); is {
			for piece := range strings.FieldsSeq(s) {
				k.names.add(strings.ToLower(strings.Trim(piece, ",;:()")))
			}
		}
	}
	if k.change.IsZero() || t.fact.At.Before(k.change) {
		k.change = t.fact.At
	}
	k.learnSet(t)
}

// of are the courses that hold of a fact; none of the change itself, or where no change is
// known of.
func (k *courses) of(place int32) []state.Course {
	if k == nil || k.changes[place] {
		return nil
	}
	return slices.DeleteFunc(state.Courses(), func(c state.Course) bool { return !k.holds(c, place) })
}

// hold reports whether all courses hold of a fact. Before the change is known
// all do.
func (k *courses) hold(all []state.Course, place int32) bool {
	if k == nil {
		return true
	}
	if k.changes[place] {
		return false
	}
	return !slices.ContainsFunc(all, func(c state.Course) bool { return !k.holds(c, place) })
}

func (k *courses) holds(course state.Course, place int32) bool {
	m := k.motion(place)
	switch course {
	case state.CourseBefore:
		return !k.change.IsZero() && m.begins.Before(k.change.Add(-early))
	case state.CourseSoon:
		return !k.change.IsZero() && within(k.change, m.begins, soonAfter)
	case state.CourseAfter:
		return !k.change.IsZero() && !m.begins.Before(k.change.Add(-early))
	case state.CourseUnreturned:
		return !k.end.IsZero() && m.turned.Before(k.end.Add(-early))
	case state.CourseEnds:
		return !k.end.IsZero() && within(k.end, m.turned, soonEnds)
	case state.CourseReturned:
		return !k.end.IsZero() && !m.turned.Before(k.end.Add(5*early))
	case state.CourseRises, state.CourseFalls, state.CourseLevel:
		return m.course == course
	case state.CourseApart, state.CourseAlike:
		return m.contrast == course
	case state.CourseNames:
		return k.isNamed(place)
	case state.CourseOther:
		t := k.tracer.of(place)
		return k.seen != nil && !meet(t.own, k.seen.own) && !meet(t.names, k.own) && !meet(t.own, k.names)
	}
	return false
}

func within(from, at time.Time, most time.Duration) bool {
	return !at.Before(from.Add(-early)) && !at.After(from.Add(most))
}

// isNamed reports whether a fact names something of the change beside its place.
func (k *courses) isNamed(place int32) bool {
	t := k.tracer.of(place)
	return slices.ContainsFunc(t.names, func(name string) bool { return k.names.has(name) && !k.own.has(name) && !t.own.has(name) })
}

// point is a number of a series, with its key.
type point struct {
	key string
	at  time.Time
	n   float64
}

// motion reckons how the numbers of a fact go.
func (k *courses) motion(place int32) motion {
	if m, known := k.motions[place]; known {
		return m
	}
	f := k.tracer.packet.At(int(place))
	m := motion{turned: f.At, begins: f.At}
	timed, others := k.points(place)
	if named, is := timeIn(string(f.Value), f.At); is && hasWord(nameWords(f.Field), "first", "at", "fired", "began", "begin", "since", "start", "started", "onset", "from", "seen") {
		m.begins, m.turned = named, named
	}
	if len(timed) > 1 {
		m.follow(timed)
	}
	m.contrast = k.contrast(others)
	if m.course == "" {
		if n, is := single(place, k.tracer); is {
			k.compare(&m, place, n)
		}
	}
	k.motions[place] = m
	return m
}

// points takes an object of numbers apart: those by times, and those by other names.
func (k *courses) points(place int32) (timed, others []point) {
	f := k.tracer.packet.At(int(place))
	for _, one := range members(f.Value) {
		if len(timed)+len(others) == mostSeries {
			break
		}
		switch key := strings.ToLower(one.key); {
		case key == "before" || key == "previous" || key == "earlier" || key == "baseline" || key == "old":
			timed = append(timed, point{key, f.At.Add(-time.Hour), one.n})
		case key == "after" || key == "now" || key == "current" || key == "today" || key == "new":
			timed = append(timed, point{key, f.At, one.n})
		default:
			if at, is := timeIn(key, f.At); is {
				timed = append(timed, point{key, at, one.n})
				continue
			}
			others = append(others, point{key: key, n: one.n})
		}
	}
	slices.SortStableFunc(timed, func(a, b point) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.key, b.key)) })
	return timed, others
}

// follow finds where a series turns.
func (m *motion) follow(series []point) {
	first, last := series[0], series[len(series)-1]
	top := slices.MaxFunc(series, func(a, b point) int { return cmp.Compare(a.n, b.n) })
	switch {
	case last.n*twice <= top.n:
		m.course = state.CourseFalls
		for _, p := range slices.Backward(series) {
			if p.n*twice > top.n {
				break
			}
			m.turned = p.at
		}
	case top.n >= twice*first.n && top.n > 0:
		m.course = state.CourseRises
		for _, p := range series[1:] {
			if p.n >= twice*first.n {
				m.begins = p.at
				break
			}
		}
	case top.n <= about*slices.MinFunc(series, func(a, b point) int { return cmp.Compare(a.n, b.n) }).n:
		m.course = state.CourseLevel
	}
}

// contrast compares what was changed with what was not.
func (k *courses) contrast(others []point) state.Course {
	var changed, rest []float64
	for _, p := range others {
		isChanged, isRest := k.isChanged(p.key)
		switch {
		case isChanged:
			changed = append(changed, p.n)
		case isRest:
			rest = append(rest, p.n)
		}
	}
	if len(changed) == 0 || len(rest) == 0 {
		return ""
	}
	a, b := mean(changed), mean(rest)
	switch {
	case a >= twice*b && a > 0:
		return state.CourseApart
	case max(a, b) <= about*min(a, b) || a == b:
		return state.CourseAlike
	}
	return ""
}

// isChanged says whether a key names what was changed, or what was not: another one of
// the same form.
func (k *courses) isChanged(key string) (changed, rest bool) {
	if strings.Contains(key, "unknown") || strings.Contains(key, "total") {
		return false, false
	}
	var parts set
	for piece := range strings.FieldsFuncSeq(key, func(r rune) bool { return strings.ContainsRune(" =:/,", r) }) {
		parts.add(piece)
	}
	switch {
	case meet(parts, set{"canary", "with", "treatment", "on", "enabled"}):
		return true, false
	case meet(parts, set{"stable", "without", "control", "off", "disabled"}):
		return false, true
	}
	for _, piece := range parts {
		if k.previous(piece) {
			return false, true
		}
		if k.names.has(piece) {
			return true, false
		}
	}
	return false, true
}

// previous reports whether a name is that of what was there before the change.
func (k *courses) previous(name string) bool {
	for place := range k.changes {
		for _, l := range leavesOf("", k.tracer.packet.At(int(place)).Value) {
			s := l.text()
			if hasWord(l.name(), "from", "previous", "old", "before", "prior") && strings.EqualFold(s, name) {
				return true
			}
			if head, _, cut := strings.Cut(strings.ToLower(s), name+" ->"); cut && !strings.Contains(head, "->") {
				return true
			}
		}
	}
	return false
}
