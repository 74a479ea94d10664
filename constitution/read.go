package constitution

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/config"
	"moot/internal/enum"
	"moot/internal/plain"
	"moot/state"
)

// form is the decoded TOML. Its values are checked afterwards, so that each problem is reported with its line.
type form struct {
	Strategist []entry `toml:"strategist"`
	Critic     []entry `toml:"critic"`
	Adversary  []entry `toml:"adversary"`
	Expert     []entry `toml:"expert"`
	Moderator  []entry `toml:"moderator"`
}

// of returns the entries of a seat.
func (f *form) of(seat state.Seat) []entry {
	return map[state.Seat][]entry{
		state.Strategist: f.Strategist, state.Critic: f.Critic, state.Adversary: f.Adversary,
		state.Expert: f.Expert, state.Moderator: f.Moderator,
	}[seat]
}

// entry is a table such as [[strategist]].
type entry struct {
	ID    string   `toml:"id"`
	Text  string   `toml:"text"`
	Check string   `toml:"check"`
	Deny  []string `toml:"deny"`
}

// reader turns a form into a constitution.
type reader struct {
	config.Reader

	form form
	// first maps the ids so far, in lower case, to their lines.
	first map[string]string
}

// kind describes the file for config.Reader.
func kind() config.Kind {
	return config.Kind{
		Name: "constitution", MaxBytes: MaxBytes,
		Keys: func(table string) (key, whole string) {
			if table == "" {
				return "seat", "a council"
			}
			return "key", "a constraint"
		},
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
	for _, seat := range state.CouncilSeats() {
		entries := r.form.of(seat)
		if len(entries) > MaxPerSeat {
			r.Tell(string(seat)+"["+strconv.Itoa(MaxPerSeat)+"]",
				"the %s has %d constraints; the limit is %d, since its prompt holds all of them", seat, len(entries),
				MaxPerSeat)
			entries = entries[:MaxPerSeat]
		}
		for i := range entries {
			path := string(seat) + "[" + strconv.Itoa(i) + "]"
			c.Constraints = append(c.Constraints, r.constraint(path, seat, &entries[i]))
		}
	}
	if len(c.Constraints) == 0 && r.Wrong() == 0 {
		r.Tell("", "no constraint: add at least one, such as [[strategist]] with id and text, or leave the file "+
			"out to use the built-in constitution")
	}
}

// constraint reads one entry.
func (r *reader) constraint(path string, seat state.Seat, given *entry) Constraint {
	c := Constraint{Seat: seat, ID: r.id(path, seat, given.ID), Deny: []string{}}
	about := cmp.Or(c.ID, "this constraint")
	c.Text = r.text(path+".text", about, given.Text)
	if given.Check != "" {
		c.Check = r.check(path+".check", about, seat, given.Check)
	}
	switch {
	case c.Check == CheckNoHarm:
		c.Deny = r.deny(path, about, given.Deny)
	case r.Given(path+".deny") && (given.Check == "" || c.Check != CheckNone):
		r.Tell(path+".deny", "deny of %s has no effect without check = %q", about, CheckNoHarm)
	}
	return c
}

// id checks an id and returns "" for an invalid one.
func (r *reader) id(path string, seat state.Seat, given string) string {
	folded := strings.ToLower(given)
	where, twice := r.first[folded]
	switch {
	case strings.TrimSpace(given) == "":
		r.Tell(path, "a constraint of the %s has no id: give it one, such as id = \"cite-facts\"", seat)
		return ""
	case !isID(given):
		r.Tell(path+".id", "the id %s is not valid: use at most %d letters, digits and hyphens, starting with a letter",
			config.Named(given), MaxID)
		return ""
	case isRecordID(given):
		r.Tell(path+".id", "the id %s looks like an id of the record, such as P1 or C1: use words, such as cite-facts",
			given)
		return ""
	case twice:
		r.Tell(path+".id", "the id %s is already used %s", given, where)
		return ""
	}
	r.first[folded] = "on line " + strconv.Itoa(r.Line(path+".id"))
	return given
}

// isID reports whether a text is ASCII letters, digits and hyphens, starting with a letter.
func isID(text string) bool {
	foreign := strings.IndexFunc(text, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_'
	})
	return foreign < 0 && len(text) <= MaxID && unicode.IsLetter(rune(text[0]))
}

// isRecordID reports whether an id looks like one of a session's record: the letter of claims, challenges,
// evidence, facts, questions or conflicts, and a number.
func isRecordID(id string) bool {
	return strings.ContainsRune("PCEFQK", unicode.ToUpper(rune(id[0]))) && len(id) > 1 &&
		strings.Trim(id[1:], "0123456789") == ""
}

// text checks a text and joins its lines.
func (r *reader) text(path, about, given string) string {
	joined := strings.Join(strings.Fields(given), " ")
	switch {
	case joined == "":
		r.Tell(path, "%s has no text: write a sentence for the prompt of the seat", about)
	case utf8.RuneCountInString(joined) > MaxText:
		r.Tell(path, "the text of %s is longer than %d characters; it is part of every prompt of its seat", about,
			MaxText)
	case hides(joined):
		r.Tell(path, "the text of %s contains a control or hidden character: remove it", about)
	default:
		return joined
	}
	return ""
}

// hides reports whether a text has control or hidden characters.
func hides(text string) bool { return plain.Line(text) != text }

// check reads the name of a check that applies to the seat.
func (r *reader) check(path, about string, seat state.Seat, given string) Check {
	check, err := enum.Parse("check", given, Checks())
	if err != nil {
		near := config.Meant(enum.Nearest(given, enum.Words(Checks())))
		near = cmp.Or(near, "; use one of "+strings.Join(enum.Words(Checks()), ", "))
		r.Tell(path, "unknown check %s of %s%s", config.Named(given), about, near)
		return CheckNone
	}
	if seats := Seats(check); !slices.Contains(seats, seat) {
		checked := "claims"
		if check == CheckMethod {
			checked = "challenges"
		}
		words := enum.Words(seats)
		last := len(words) - 1
		r.Tell(path, "%s checks %s and does not apply to the %s: put %s under [[%s]] or [[%s]], or remove its check",
			check, checked, seat, about, strings.Join(words[:last], "]], [["), words[last])
	}
	return check
}

// deny reads the phrases that no claim may contain.
func (r *reader) deny(entry, about string, given []string) []string {
	path := entry + ".deny"
	switch {
	case len(given) == 0:
		r.Tell(path, "%s has the check %s but no phrases: add deny = [\"delete the backup\"]", about,
			CheckNoHarm)
	case len(given) > MaxDeny:
		r.Tell(path, "deny of %s has %d phrases; the limit is %d", about, len(given), MaxDeny)
		given = given[:MaxDeny]
	}
	phrases := []string{}
	for _, one := range given {
		phrase := strings.Join(strings.Fields(one), " ")
		switch {
		case utf8.RuneCountInString(phrase) > MaxPhrase:
			r.Tell(path, "a phrase in deny of %s is longer than %d characters", about, MaxPhrase)
		case hides(phrase):
			r.Tell(path, "%q in deny of %s contains a control or hidden character: remove it", phrase, about)
		case !deniable(phrase):
			r.Tell(path, "%q in deny of %s is not a phrase: write whole words; a star may replace the end of a word "+
				"after at least three letters, as in delet*", phrase, about)
		default:
			phrases = append(phrases, phrase)
		}
	}
	return phrases
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
