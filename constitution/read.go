package constitution

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"moot/config"
	"moot/enum"
	"moot/plain"
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
	name  string
	form  form
	lines config.Lines
	// first are the ids so far, in lower case, with where each stands.
	first    map[string]string
	problems []config.Problem
}

// tell adds a problem at the line of a path.
func (r *reader) tell(path, format string, args ...any) {
	r.at(r.lines.Of(path), format, args...)
}

func (r *reader) at(line int, format string, args ...any) {
	r.problems = append(r.problems, config.Problem{File: r.name, Line: line, What: plain.Line(fmt.Sprintf(format, args...))})
}

// decode reports whether the file could be read as a form; unknown keys are told and
// leave the rest to be looked at.
func (r *reader) decode(data []byte) bool {
	// Some editors begin a file with the mark of UTF-8. The copy has no bytes beyond
	// its end, by which the parser would measure.
	data = bytes.Clone(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if valid := len(bytes.ToValidUTF8(data, nil)); valid < len(data) {
		r.at(badLine(data), "this is no text in UTF-8: save it as UTF-8")
		return false
	}
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&r.form)
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		for i := range strict.Errors {
			r.unknownKey(&strict.Errors[i])
		}
		err = nil
	}
	if err != nil {
		r.undecoded(err)
		return false
	}
	r.lines = config.ReadLines(data)
	return true
}

// badLine is the line of the first byte that is no UTF-8.
func badLine(data []byte) int {
	at := 0
	for at < len(data) {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return 1 + bytes.Count(data[:at], []byte{'\n'})
}

// undecoded tells what keeps a file from being read at all.
func (r *reader) undecoded(err error) {
	line, what := 0, "this is no constitution: "+strings.TrimPrefix(err.Error(), "toml: ")
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ = wrong.Position()
		switch key := wrong.Key(); len(key) {
		case 0:
		case 1:
			what = noList(config.Named(key[0]))
		default:
			what = wrongType(key[len(key)-1])
		}
	}
	r.at(line, "%s", what)
}

func noList(seat string) string {
	return fmt.Sprintf("the constraints of %s are a list: begin each with [[%s]], and put id and text below it", seat, seat)
}

// single reports whether a seat has one table in place of a list, which the decoder
// takes for a list of one.
func (r *reader) single(seat state.Seat) bool {
	return slices.ContainsFunc(keys(), func(key string) bool {
		_, there := r.lines[string(seat)+"."+key]
		return there
	})
}

// wrongType says what the value of a key is.
func wrongType(key string) string {
	if key == "deny" {
		return `deny is a list of phrases, such as deny = ["delete the backup"]`
	}
	return config.Named(key) + " is a text in quotes"
}

// keys are those of an entry.
func keys() []string { return []string{"id", "text", "check", "deny"} }

func (r *reader) unknownKey(wrong *toml.DecodeError) {
	key := wrong.Key()
	line, _ := wrong.Position()
	seats := enum.Words(state.CouncilSeats())
	if len(key) == 0 {
		return
	}
	if !slices.Contains(seats, key[0]) {
		near := config.Meant(enum.Nearest(key[0], seats))
		if near == "" {
			near = "; a council has " + strings.Join(seats, ", ")
		}
		r.at(line, "unknown seat %s%s", config.Named(key[0]), near)
		return
	}
	last := key[min(1, len(key)-1)]
	near := config.Meant(enum.Nearest(last, keys()))
	if near == "" {
		near = "; a constraint has " + strings.Join(keys(), ", ")
	}
	r.at(line, "unknown key %s in [[%s]]%s", config.Named(last), key[0], near)
}

// constraints reads the entries of all seats.
func (r *reader) constraints(c *state.Constitution) {
	for _, seat := range state.CouncilSeats() {
		entries := r.form.of(seat)
		if r.single(seat) {
			r.tell(string(seat), "%s", noList(string(seat)))
			continue
		}
		if len(entries) > MaxPerSeat {
			r.tell(string(seat)+"["+strconv.Itoa(MaxPerSeat)+"]", "the %s has %d constraints; %d are the most, since its prompt holds them all", seat, len(entries), MaxPerSeat)
			entries = entries[:MaxPerSeat]
		}
		for i := range entries {
			path := string(seat) + "[" + strconv.Itoa(i) + "]"
			c.Constraints = append(c.Constraints, r.constraint(path, seat, &entries[i]))
		}
	}
	if len(c.Constraints) == 0 && len(r.problems) == 0 {
		r.tell("", "no constraint: a constitution has at least one, such as [[strategist]] with id and text; leave the file out for the one that is built in")
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
		r.tell(path+".check", "check of %s is empty: leave it out, or take one of %s", about, strings.Join(enum.Words(state.Checks()), ", "))
	default:
		c.Check = r.check(path+".check", about, seat, *given.Check)
	}
	_, denies := r.lines[path+".deny"]
	switch {
	case c.Check == state.CheckNoHarm:
		c.Deny = r.deny(path, about, given.Deny)
	case denies && (given.Check == nil || c.Check != state.CheckNone):
		r.tell(path+".deny", "deny of %s says nothing without check = %q", about, state.CheckNoHarm)
	}
	return c
}

// id reads an id; "" where it is none.
func (r *reader) id(path string, seat state.Seat, given string) string {
	folded := strings.ToLower(given)
	where, twice := r.first[folded]
	switch {
	case strings.TrimSpace(given) == "":
		r.tell(path, "a constraint of the %s has no id: give it one, such as id = \"cite-facts\"", seat)
		return ""
	case !isID(given):
		r.tell(path+".id", "the id %s is none: write at most %d letters, digits and hyphens, a letter first", config.Named(given), MaxID)
		return ""
	case isRecordID(given):
		r.tell(path+".id", "the id %s reads as one of the record, where claims are P1 and challenges C1: take words, such as cite-facts", given)
		return ""
	case twice:
		r.tell(path+".id", "the id %s is taken %s", given, where)
		return ""
	}
	r.first[folded] = "in line " + strconv.Itoa(r.lines.Of(path+".id"))
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
	return strings.ContainsRune("PCEFQK", unicode.ToUpper(rune(id[0]))) && len(id) > 1 && strings.Trim(id[1:], "0123456789") == ""
}

// text reads a text on one line; a file may break it over several.
func (r *reader) text(path, about, given string) string {
	joined := strings.Join(strings.Fields(given), " ")
	switch {
	case joined == "":
		r.tell(path, "%s has no text: say in a sentence what the seat is bound to", about)
	case utf8.RuneCountInString(joined) > MaxText:
		r.tell(path, "the text of %s is longer than %d characters; it goes into each prompt of its seat", about, MaxText)
	case hides(joined):
		r.tell(path, "the text of %s has a control or hidden character in it: take it out", about)
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
		r.tell(path, "unknown check %s of %s%s", config.Named(given), about, near)
		return state.CheckNone
	}
	if seats := Seats(check); !slices.Contains(seats, seat) {
		looks := "claims"
		if check == state.CheckMethod {
			looks = "challenges"
		}
		words := enum.Words(seats)
		last := len(words) - 1
		r.tell(path, "%s looks at %s, and cannot stand under the %s: put %s under [[%s]] or [[%s]], or leave its check out",
			check, looks, seat, about, strings.Join(words[:last], "]], [["), words[last])
	}
	return check
}

// deny reads the phrases that no claim may hold.
func (r *reader) deny(entry, about string, given []string) []string {
	path := entry + ".deny"
	switch {
	case len(given) == 0:
		r.tell(path, "%s has the check %s and no phrase to look for: add deny = [\"delete the backup\"]", about, state.CheckNoHarm)
	case len(given) > MaxDeny:
		r.tell(path, "deny of %s has %d phrases; %d are the most", about, len(given), MaxDeny)
		given = given[:MaxDeny]
	}
	phrases, seen := []string{}, map[string]bool{}
	for _, one := range given {
		phrase := strings.Join(strings.Fields(one), " ")
		folded := strings.ToLower(phrase)
		switch {
		case utf8.RuneCountInString(phrase) > MaxPhrase:
			r.tell(path, "a phrase in deny of %s is longer than %d characters", about, MaxPhrase)
		case hides(phrase):
			r.tell(path, "%q in deny of %s has a control or hidden character in it: take it out", phrase, about)
		case !deniable(phrase):
			r.tell(path, "%q in deny of %s is no phrase: write whole words; a star may stand for the rest of a word of which three letters are there, as in delet*", phrase, about)
		case seen[folded]:
			r.tell(path, "%q stands twice in deny of %s", phrase, about)
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
