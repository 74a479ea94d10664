package detect

import (
	"bytes"
	"strconv"

	"moot/state"
)

// compare holds a number against the last one of the same thing.
func (k *courses) compare(m *motion, place int32, n float64) {
	f := k.tracer.packet.At(int(place))
	top, found := 0.0, false
	for _, other := range k.history[f.Entity] {
		o := k.tracer.packet.At(int(other))
		if other == place || !o.At.Before(f.At) || !sameMeasure(o.Field, f.Field) {
			continue
		}
		if v, is := greatest(other, k.tracer); is {
			top, found = max(top, v), true
		}
	}
	switch {
	case !found || top <= 0:
	case n*twice <= top:
		m.course = state.CourseFalls
	case n >= twice*top:
		m.course = state.CourseRises
	case n <= about*top && n*about >= top:
		m.course = state.CourseLevel
	}
}

// sameMeasure reports whether two fields begin with the same two words.
func sameMeasure(a, b string) bool {
	x, y := nameWords(a), nameWords(b)
	const enough = 2
	for i := range enough {
		if i >= len(x) || i >= len(y) {
			return i > 0 && len(x) == len(y)
		}
		if !bytes.Equal(x[i].text, y[i].text) {
			return false
		}
	}
	return true
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, n := range all {
		sum += n
	}
	return sum / float64(len(all))
}

// single is the number that a value is.
func single(place int32, t *tracer) (float64, bool) {
	n, err := strconv.ParseFloat(string(t.packet.At(int(place)).Value), 64)
	return n, err == nil
}

// greatest is the number that a value is, or the greatest of its members.
func greatest(place int32, t *tracer) (float64, bool) {
	if n, is := single(place, t); is {
		return n, true
	}
	top, found := 0.0, false
	for _, one := range members(t.packet.At(int(place)).Value) {
		top, found = max(top, one.n), true
	}
	return top, found
}
