package resolver

import "moot/state"

// What tests ask of the checks of a constitution.

func Denied(text string, phrases []string) string { return denied(wording(text), phrases) }

func StatesLimit(text string) bool { return limited(wording(text)) }

func Proposes(text string) bool { return proposing(wording(text)) }

func SaysHow(text string) bool { return sayingHow(wording(text)) }

// Breaches are the violations of the constitution as things stand (CV3): of the
// claims that are held and of the challenges to them, in the order of the points.
func Breaches(s *state.State) []state.Breach {
	var found []state.Breach
	for _, p := range s.Points.All() {
		if Held(p) {
			found = append(found, BreachesOf(s, p)...)
		}
	}
	return found
}
