package constitution

import (
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

// form is a file as TOML decodes it: words that are looked at afterwards, so that
// each problem is told with its line.
type form struct {
	Strategist []entry `toml:"strategist"`
	Critic     []entry `toml:"critic"`
	Adversary  []entry `toml:"adversary"`
	Expert     []entry `toml:"expert"`
	Moderator  []entry `toml:"moderator"`
}

// of are the entries of a seat.
func (f *form) of(seat state.Seat) []entry {
	return map[state.Seat][]entry{
		state.Strategist: f.Strategist, state.Critic: f.Critic, state.Adversary: f.Adversary,
		state.Expert: f.Expert, state.Moderator: f.Moderator,
	}[seat]
}

// entry is a [[strategist]], and so on.
type entry struct {
	ID    string   `toml:"id"`
	Text  string   `toml:"text"`
	Check *string  `toml:"check"`
	Deny  []string `toml:"deny"`
}

// reader turns a form into a constitution.
type reader struct {
	config.Reader

	form form
	// first are the ids so far, in lower case, with where each stands.
	first map[string]string
}

// kind is what a file of a constitution is.
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
				return noList(config.Named(last))
			case last == "deny":
				return `deny is a list of phrases, such as deny = ["delete the backup"]`
			}
			return ""
		},
	}
}

func noList(seat string) string {
	return "the constraints of " + seat + " are a list: begin each with [[" + seat + "]], and put id and text below it"
}

// single reports whether a seat has one table in place of a list, which the decoder
// takes for a list of one.
func (r *reader) single(seat state.Seat) bool {
	return slices.ContainsFunc(config.Keys(entry{}), func(key string) bool { return r.Given(string(seat) + "." + key) })
}

// constraints reads the entries of all seats.
func (r *reader) constraints(c *state.Constitution) {
	for _, seat := range state.CouncilSeats() {
		entries := r.form.of(seat)
		if r.single(seat) {
			r.Tell(string(seat), "%s", noList(string(seat)))
			continue
		}
		if len(entries) > MaxPerSeat {
			r.Tell(string(seat)+"["+strconv.Itoa(MaxPerSeat)+"]",
				"the %s has %d constraints; %d are the most, since its prompt holds them all", seat, len(entries),
				MaxPerSeat)
			entries = entries[:MaxPerSeat]
		}
		for i := range entries {
			path := string(seat) + "[" + strconv.Itoa(i) + "]"
			c.Constraints = append(c.Constraints, r.constraint(path, seat, &entries[i]))
		}
	}
	if len(c.Constraints) == 0 && r.Wrong() == 0 {
		r.Tell("", "no constraint: a constitution has at least one, such as [[strategist]] with id and text; leave "+
			"the file out for the one that is built in")
	}
}

// constraint reads one entry.
func (r *reader) constraint(path string, seat state.Seat, given *entry) state.Constraint {
	c := state.Constraint{Seat: seat, ID: r.id(path, seat, given.ID), Deny: []string{}}
	about := c.ID
	if about == "" {
		about = "this constraint"
	}
	c.Text = r.text(path+".text", about, given.Text)
	switch {
	case given.Check == nil:
	case *given.Check == "":
		r.Tell(path+".check", "check of %s is empty: leave it out, or take one of %s", about,
			strings.Join(enum.Words(state.Checks()), ", "))
	default:
		c.Check = r.check(path+".check", about, seat, *given.Check)
	}
	denies := r.Given(path + ".deny")
	switch {
	case c.Check == state.CheckNoHarm:
		c.Deny = r.deny(path, about, given.Deny)
	case denies && (given.Check == nil || c.Check != state.CheckNone):
		r.Tell(path+".deny", "deny of %s says nothing without check = %q", about, state.CheckNoHarm)
	}
	return c
}

// id reads an id; "" where it is none.
func (r *reader) id(path string, seat state.Seat, given string) string {
	folded := strings.ToLower(given)
	where, twice := r.first[folded]
	switch {
	case strings.TrimSpace(given) == "":
		r.Tell(path, "a constraint of the %s has no id: give it one, such as id = \"cite-facts\"", seat)
		return ""
	case !isID(given):
		r.Tell(path+".id", "the id %s is none: write at most %d letters, digits and hyphens, a letter first",
			config.Named(given), MaxID)
		return ""
	case isRecordID(given):
		r.Tell(path+".id", "the id %s reads as one of the record, where claims are P1 and challenges C1: take words, "+
			"such as cite-facts", given)
		return ""
	case twice:
		r.Tell(path+".id", "the id %s is taken %s", given, where)
		return ""
	}
	r.first[folded] = "in line " + strconv.Itoa(r.Line(path+".id"))
	return given
}

// isID reports whether a text is letters, digits and hyphens of ASCII, a letter first.
func isID(text string) bool {
	foreign := strings.IndexFunc(text, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_'
	})
	return foreign < 0 && len(text) <= MaxID && unicode.IsLetter(rune(text[0]))
}

// isRecordID reports whether an id reads as one that a session gives: a letter of
// claims, challenges, evidence, facts, questions or conflicts, and a number.
func isRecordID(id string) bool {
	return strings.ContainsRune("PCEFQK", unicode.ToUpper(rune(id[0]))) && len(id) > 1 &&
		strings.Trim(id[1:], "0123456789") == ""
}

// text reads a text on one line; a file may break it over several.
func (r *reader) text(path, about, given string) string {
	joined := strings.Join(strings.Fields(given), " ")
	switch {
	case joined == "":
		r.Tell(path, "%s has no text: say in a sentence what the seat is bound to", about)
	case utf8.RuneCountInString(joined) > MaxText:
		r.Tell(path, "the text of %s is longer than %d characters; it goes into each prompt of its seat", about,
			MaxText)
	case hides(joined):
		r.Tell(path, "the text of %s has a control or hidden character in it: take it out", about)
	default:
		return joined
	}
	return ""
}

// hides reports whether a text would be shown other than it is.
func hides(text string) bool { return plain.Line(text) != text }

// check reads the name of a check that may stand under the seat.
func (r *reader) check(path, about string, seat state.Seat, given string) state.Check {
	check, err := enum.Parse("check", given, state.Checks())
	if err != nil {
		near := config.Meant(enum.Nearest(given, enum.Words(state.Checks())))
		if near == "" {
			near = "; known are " + strings.Join(enum.Words(state.Checks()), ", ")
		}
		r.Tell(path, "unknown check %s of %s%s", config.Named(given), about, near)
		return state.CheckNone
	}
	if seats := Seats(check); !slices.Contains(seats, seat) {
		looks := "claims"
		if check == state.CheckMethod {
			looks = "challenges"
		}
		words := enum.Words(seats)
		last := len(words) - 1
		r.Tell(path, "%s looks at %s, and cannot stand under the %s: put %s under [[%s]] or [[%s]], or leave its "+
			"check out",
			check, looks, seat, about, strings.Join(words[:last], "]], [["), words[last])
	}
	return check
}

// deny reads the phrases that no claim may hold.
func (r *reader) deny(entry, about string, given []string) []string {
	path := entry + ".deny"
	switch {
	case len(given) == 0:
		r.Tell(path, "%s has the check %s and no phrase to look for: add deny = [\"delete the backup\"]", about,
			state.CheckNoHarm)
	case len(given) > MaxDeny:
		r.Tell(path, "deny of %s has %d phrases; %d are the most", about, len(given), MaxDeny)
		given = given[:MaxDeny]
	}
	phrases, seen := []string{}, map[string]bool{}
	for _, one := range given {
		phrase := strings.Join(strings.Fields(one), " ")
		folded := strings.ToLower(phrase)
		switch {
		case utf8.RuneCountInString(phrase) > MaxPhrase:
			r.Tell(path, "a phrase in deny of %s is longer than %d characters", about, MaxPhrase)
		case hides(phrase):
			r.Tell(path, "%q in deny of %s has a control or hidden character in it: take it out", phrase, about)
		case !deniable(phrase):
			r.Tell(path, "%q in deny of %s is no phrase: write whole words; a star may stand for the rest of a word "+
				"of which three letters are there, as in delet*", phrase, about)
		case seen[folded]:
			r.Tell(path, "%q stands twice in deny of %s", phrase, about)
		default:
			seen[folded] = true
			phrases = append(phrases, phrase)
		}
	}
	return phrases
}

// deniable reports whether a phrase has words, and stars only where they cannot
// match nearly everything.
func deniable(phrase string) bool {
	// leastStem is how many characters precede a star.
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
