package constitution

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/config"
	"moot/internal/enum"
	"moot/state"
)

// form is the decoded TOML, in the order of CouncilSeats. Its values are checked afterwards, so that each problem is
// reported with its line.
type form struct {
	Strategist []entry `toml:"strategist"`
	Critic     []entry `toml:"critic"`
	Adversary  []entry `toml:"adversary"`
	Expert     []entry `toml:"expert"`
	Moderator  []entry `toml:"moderator"`
}

// entry is a table such as [[strategist]].
type entry struct {
	ID    string   `toml:"id"`
	Text  string   `toml:"text"`
	Check Check    `toml:"check"`
	Deny  []string `toml:"deny"`
}

// reader turns a form into a constitution.
type reader struct {
	config.Reader

	form form
	// first maps the ids so far to their places.
	first map[string]string
}

// kind describes the file for config.Reader.
func kind() config.Kind {
	return config.Kind{
		Name: "constitution", MaxBytes: MaxBytes,
		Mistyped: func(key []string) string {
			switch last := key[len(key)-1]; {
			case len(key) == 1:
				seat := config.Named(last)
				return "the constraints of " + seat + " are a list: start each with [[" + seat +
					"]], followed by id and text"
			case last == "deny":
				return `deny is a list of phrases, such as deny = ["delete the backup"]`
			}
			return ""
		},
	}
}

// constraints reads the entries of all seats.
func (r *reader) constraints(c *Constitution) {
	f := &r.form
	for i, entries := range [][]entry{f.Strategist, f.Critic, f.Adversary, f.Expert, f.Moderator} {
		seat := CouncilSeats()[i]
		if len(entries) > MaxPerSeat {
			r.Tell(string(seat)+"["+strconv.Itoa(MaxPerSeat)+"]",
				"the %s has %d constraints; the limit is %d, since its prompt holds all of them", seat, len(entries),
				MaxPerSeat)
			entries = entries[:MaxPerSeat]
		}
		for at := range entries {
			path := string(seat) + "[" + strconv.Itoa(at) + "]"
			c.Constraints = append(c.Constraints, r.constraint(path, seat, &entries[at]))
		}
	}
	if len(c.Constraints) == 0 && r.Wrong() == 0 {
		r.Tell("", "no constraint: add at least one, such as [[strategist]] with id and text, or leave the file "+
			"out to use the built-in constitution")
	}
}

// constraint reads one entry.
func (r *reader) constraint(path string, seat state.Seat, given *entry) Constraint {
	r.ID(path+".id", given.ID, r.first)
	r.Text(path+".text", &given.Text, MaxText)
	c := Constraint{Seat: seat, ID: given.ID, Text: given.Text, Check: given.Check, Deny: []string{}}
	if c.Check != CheckNone && config.Word(&r.Reader, path+".check", "check", c.Check, Checks()) {
		if seats := Seats(c.Check); !slices.Contains(seats, seat) {
			r.Tell(path+".check", "the check %s does not apply to the %s; it applies to the %s", c.Check, seat,
				strings.Join(enum.Words(seats), ", "))
		}
	}
	if (c.Check == CheckNoHarm) != (len(given.Deny) > 0) {
		r.Tell(path, "check = %q and deny belong together: add deny = [\"delete the backup\"]", CheckNoHarm)
	}
	if len(given.Deny) > MaxDeny {
		r.Tell(path+".deny", "deny has %d phrases; the limit is %d", len(given.Deny), MaxDeny)
		return c
	}
	for _, phrase := range given.Deny {
		r.Text(path+".deny", &phrase, MaxPhrase)
		if !deniable(phrase) {
			r.Tell(path+".deny", "%q in deny is not a phrase: write whole words; a star may replace the end of a word "+
				"after at least three letters, as in delet*", phrase)
		}
		c.Deny = append(c.Deny, phrase)
	}
	return c
}

// deniable reports whether a phrase has words, and stars only after a stem of some letters.
func deniable(phrase string) bool {
	// leastStem is the number of characters required before a star.
	const leastStem = 3
	for word := range strings.FieldsSeq(phrase) {
		stem, starred := strings.CutSuffix(word, "*")
		letters := strings.IndexFunc(stem, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) >= 0
		if strings.Contains(stem, "*") || starred && (!letters || utf8.RuneCountInString(stem) < leastStem) {
			return false
		}
	}
	return strings.ContainsFunc(phrase, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}
