package detect

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// isOut reports whether a number is out of the course of another one.
func isOut(n, base float64) bool {
	high, low := max(n, base), min(n, base)
	return low < 0 != (high < 0) && high-low > 1 || high > 0 && high >= outOf*low && high-low > 0.02*high
}

// phases are how the numbers of a fact lie to the change and its end.
func (k *courses) phases(place int32) []string {
	var all []string
	note := func(phase string) {
		if !slices.Contains(all, phase) {
			all = append(all, phase)
		}
	}
	for _, name := range k.gauges.of[place] {
		k.phasesOf(k.gauges.series[name], place, note)
	}
	if points := k.gauges.groups[place]; len(points) > 1 {
		top := slices.MaxFunc(points, func(a, b point) int { return cmp.Compare(a.n, b.n) }).n
		low := slices.MinFunc(points, func(a, b point) int { return cmp.Compare(a.n, b.n) }).n
		switch {
		case isOut(top, low) && top >= 3*low:
			note("uneven")
		case !isOut(top, low):
			note("even")
		}
	}
	return all
}

// phasesOf are those of one series.
func (k *courses) phasesOf(series []sample, place int32, note func(string)) {
	if k.change.IsZero() || len(series) < 2 {
		return
	}
	// Where nothing was measured before the change, the first number is all there is to
	// hold the others against.
	base, known, wasOut := series[0].n, series[0].at.Before(k.change), false
	for i, s := range series {
		out := i > 0 && isOut(s.n, base)
		var phase string
		switch {
		case s.at.Before(k.change.Add(-early)):
			phase = phaseBefore(out)
		case !known:
			phase = k.phaseAlone(out, s.at)
		case out:
			phase = k.phaseOut(wasOut, s.at)
		default:
			phase = k.phaseBack(wasOut, s.at)
		}
		wasOut = wasOut || out
		if s.place == place {
			note(phase)
		}
	}
}

func phaseBefore(out bool) string {
	if out {
		return "out before the change"
	}
	return "base before the change"
}

// isReturned reports whether the change had been taken back at a time.
func (k *courses) isReturned(at time.Time) bool { return !k.end.IsZero() && !at.Before(k.end) }

// phaseAlone is that of a number of which none is known from before the change.
func (k *courses) phaseAlone(other bool, at time.Time) string {
	switch {
	case !other:
		return "after the change alone"
	case k.isReturned(at):
		return "other after the return"
	}
	return "other later"
}

// phaseOut is that of a number that is not what it was before the change.
func (k *courses) phaseOut(was bool, at time.Time) string {
	switch {
	case k.isReturned(at) && at.After(k.end.Add(5*early)):
		return "out after the return"
	case !was && !k.isReturned(at):
		return "out first after the change"
	}
	return "out after the change"
}

// phaseBack is that of a number that is what it was before the change.
func (k *courses) phaseBack(was bool, at time.Time) string {
	switch {
	case !was:
		return "as before"
	case k.isReturned(at):
		return "back after the return"
	case k.end.IsZero():
		return "back without a return"
	}
	return "back before the return"
}

// tells are how the times that a fact names lie to the change.
func (k *courses) tells(place int32) []string {
	f := k.tracer.packet.At(int(place))
	var all []string
	note := func(word string) {
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	if k.change.IsZero() {
		return nil
	}
	const most = 16
	for _, piece := range moment.FindAllString(string(f.Value), most) {
		at, is := timeIn(piece, f.At)
		if !is || !strings.Contains(piece, ":") {
			continue
		}
		if at.After(f.At.Add(12 * time.Hour)) {
			at = at.Add(-24 * time.Hour)
		}
		switch {
		case within(k.change, at, early) && !at.Before(k.change.Add(-early)):
			note("at the change")
		case at.Before(k.change):
			note("before the change")
		case !k.end.IsZero() && !at.Before(k.end.Add(-early)):
			note("after the return")
		case within(k.change, at, soonEnds):
			note("soon after the change")
		default:
			note("later")
		}
	}
	if len(all) > 0 {
		if slices.Contains(all, "before the change") {
			note("some before")
		} else {
			note("none before")
		}
	}
	return all
}
