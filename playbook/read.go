package playbook

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"moot/config"
	"moot/internal/enum"
	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/dialectic/gates"
)

// MaxBytes is the size limit of a playbook.
const MaxBytes = 1 << 20

// maxRounds is the largest number of rounds in a session.
const maxRounds = 8

// Problems lists the problems of a playbook in the order of the lines. It is the error of Read.
type Problems = config.Problems

// Read reads a playbook. name is used in errors and becomes the name of the playbook. The error is of type
// Problems.
func Read(name string, data []byte) (Playbook, error) { return read(name, data, BuiltIn) }

// reader turns a form into a Playbook.
type reader struct {
	config.Reader

	form form
	// sets holds the pattern sets, once a check names one.
	sets map[string][]Pattern
}

// read is Read with a function that finds the playbook to extend.
func read(name string, data []byte, base func(string) (Playbook, error)) (Playbook, error) {
	r := &reader{Reader: config.Reader{Name: name}}
	var book Playbook
	if r.Decode(data, config.Kind{Name: "playbook", MaxBytes: MaxBytes}, &r.form) {
		book = r.start(base)
		r.settings(&book)
		r.flags(&book)
	}
	if err := r.Err(); err != nil {
		return Playbook{}, err
	}
	return book, nil
}

// unknown reports an unknown word with the nearest known one.
func (r *reader) unknown(path, what, word string, known []string) {
	near := cmp.Or(config.Meant(enum.Nearest(word, known)), "; use one of "+strings.Join(known, ", "))
	r.Tell(path, "unknown %s %s%s", what, config.Named(word), near)
}

// word reads a word from a list of known ones.
func word[T ~string](r *reader, path, what, given string, known []T) (T, bool) {
	found, err := enum.Parse(what, given, known)
	if err != nil {
		r.unknown(path, what, given, enum.Words(known))
		return "", false
	}
	return found, true
}

// words reads a list of distinct words from a list of known ones.
func words[T ~string](r *reader, path, what string, given []string, known []T) []T {
	found := make([]T, 0, len(given))
	for _, one := range given {
		is, ok := word(r, path, what, one, known)
		switch {
		case !ok:
		case slices.Contains(found, is):
			r.Tell(path, "%s is listed twice", is)
		default:
			found = append(found, is)
		}
	}
	return found
}

// start returns the playbook that this one extends, without the flags that it leaves out, or the defaults.
func (r *reader) start(base func(string) (Playbook, error)) Playbook {
	book := Playbook{Config: gates.DefaultConfig()}
	if r.form.Extends != "" {
		found, err := base(r.form.Extends)
		if err != nil {
			r.unknown("extends", "playbook", r.form.Extends, Names())
		} else {
			book = found
		}
	}
	book.Name = r.Name
	for _, id := range r.form.Without {
		at := slices.IndexFunc(book.Flags, func(f Flag) bool { return f.ID == id })
		switch {
		case r.form.Extends == "":
			r.Tell("without", "without removes flags of the extended playbook, but this one has no extends")
			return book
		case at < 0:
			r.unknown("without", "flag", id, ids(book.Flags))
		default:
			book.Flags = slices.Delete(book.Flags, at, at+1)
		}
	}
	return book
}

func ids(flags []Flag) []string { return lists.Map(flags, func(one Flag) string { return one.ID }) }

// form is the decoded TOML. Its values are checked afterwards, so that each problem is reported with its line.
type form struct {
	Title      string              `toml:"title"`
	About      string              `toml:"about"`
	Extends    string              `toml:"extends"`
	Without    []string            `toml:"without"`
	MaxRounds  *int                `toml:"maxRounds"`
	Authority  []string            `toml:"authority"`
	Thresholds map[string]float64  `toml:"thresholds"`
	Allow      map[string][]string `toml:"allow"`
	Gates      struct {
		Freshness map[string]string `toml:"freshness"`
	} `toml:"gates"`
	Flags []flagForm `toml:"flag"`
}

// flagForm is a [[flag]].
type flagForm struct {
	ID        string      `toml:"id"`
	Title     string      `toml:"title"`
	Look      string      `toml:"look"`
	Why       string      `toml:"why"`
	Category  string      `toml:"category"`
	Severity  string      `toml:"severity"`
	Predicate string      `toml:"predicate"`
	Clears    string      `toml:"clears"`
	Checks    []checkForm `toml:"check"`
}

// checkForm is a [[flag.check]].
type checkForm struct {
	Kind    string   `toml:"kind"`
	Files   []string `toml:"files"`
	Except  []string `toml:"except"`
	Scope   string   `toml:"scope"`
	Set     string   `toml:"set"`
	Pattern string   `toml:"pattern"`
	Unless  string   `toml:"unless"`
	Near    string   `toml:"near"`
	Where   string   `toml:"where"`
	When    string   `toml:"when"`
	Needs   []string `toml:"needs"`
	Change  []string `toml:"change"`
	Limit   int      `toml:"limit"`
}

// settings reads everything but the flags into the playbook.
func (r *reader) settings(book *Playbook) {
	r.text("title", r.form.Title, true, &book.Title)
	r.text("about", r.form.About, r.form.About != "", &book.About)
	if given := r.form.MaxRounds; given != nil {
		if *given < 1 || *given > maxRounds {
			r.Tell("maxRounds", "maxRounds is %d; use a number from 1 to %d", *given, maxRounds)
		}
		book.Config.MaxRounds = *given
	}
	r.thresholds(book)
	r.allow(book)
	r.authority(book)
	r.freshness(book)
}

// text checks a text and joins its lines.
func (r *reader) text(path, given string, must bool, into *string) {
	const longest = 1000
	joined := strings.Join(strings.Fields(given), " ")
	key := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case joined == "" && must:
		r.Tell(path, "%s is missing", key)
	case len(joined) > longest:
		r.Tell(path, "%s is longer than %d bytes", key, longest)
	case strings.ContainsFunc(joined, unicode.IsControl):
		r.Tell(path, "%s contains a control character", key)
	case joined != "":
		*into = joined
	}
}

func (r *reader) thresholds(book *Playbook) {
	all := maps.Clone(book.Config.Thresholds)
	for _, category := range slices.Sorted(maps.Keys(r.form.Thresholds)) {
		at, path := r.form.Thresholds[category], "thresholds."+category
		if math.IsNaN(at) || at < 0 || at > 1 {
			r.Tell(path, "the threshold of %s is %s; use a number from 0 to 1", config.Named(category),
				strconv.FormatFloat(at, 'g', -1, 64))
		}
		if near := enum.Nearest(category, slices.Sorted(maps.Keys(book.Config.Thresholds))); near != "" &&
			near != category {
			// A misspelled category would leave the intended one unchanged.
			r.Tell(path, "the category %s is too similar to %s; choose a different name",
				config.Named(category), near)
		}
		if strings.TrimSpace(category) == "" {
			r.Tell(path, "a category has no name")
		}
		all[category] = at
	}
	book.Config.Thresholds = all
}

func (r *reader) allow(book *Playbook) {
	all := maps.Clone(book.Config.Allow)
	for _, name := range slices.Sorted(maps.Keys(r.form.Allow)) {
		path := "allow." + name
		severity, ok := word(r, path, "severity", name, gates.Severities())
		if !ok {
			continue
		}
		given := r.form.Allow[name]
		if len(given) == 0 {
			r.Tell(path, "the list of %s is empty, so nothing could decide; leave it out to get the default", severity)
		}
		all[severity] = words(r, path, "source kind", given, ledger.SourceKinds())
		if severity != gates.Low && slices.Contains(all[severity], ledger.LLMInference) {
			r.Tell(path, "%s decides nothing above %s: remove it from %s", ledger.LLMInference, gates.Low, severity)
		}
		if len(given) > 0 && !slices.Contains(given, string(ledger.UserOverride)) {
			r.Tell(path, "%s is missing: a ruling of the user always decides", ledger.UserOverride)
		}
	}
	book.Config.Allow = all
}

func (r *reader) authority(book *Playbook) {
	given := r.form.Authority
	if len(given) == 0 {
		return
	}
	kinds, before := ledger.SourceKinds(), r.Wrong()
	order := words(r, "authority", "source kind", given, kinds)
	if r.Wrong() > before {
		return
	}
	for _, kind := range kinds {
		if !slices.Contains(order, kind) {
			r.Tell("authority", "%s is missing: list all source kinds", kind)
		}
	}
	if order[0] != ledger.UserOverride {
		r.Tell("authority", "%s must be first: the user outranks everyone", ledger.UserOverride)
	}
	if order[len(order)-1] != ledger.LLMInference {
		r.Tell("authority", "%s must be last: what a model says is the weakest", ledger.LLMInference)
	}
	book.Config.Authority = order
}

func (r *reader) freshness(book *Playbook) {
	all := maps.Clone(book.Config.Freshness)
	for _, name := range slices.Sorted(maps.Keys(r.form.Gates.Freshness)) {
		path := "gates.freshness." + name
		kind, known := word(r, path, "source kind", name, ledger.SourceKinds())
		var age gates.Age
		if err := age.UnmarshalText([]byte(r.form.Gates.Freshness[name])); err != nil {
			r.Tell(path, "the age of %s: %v", config.Named(name), err)
			continue
		}
		if known {
			all[kind] = age
		}
	}
	book.Config.Freshness = all
}

// isID reports whether a text is lower-case words joined by hyphens.
func isID(text string) bool {
	const longest = 60
	for word := range strings.SplitSeq(text, "-") {
		if word == "" || strings.IndexFunc(word,
			func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }) >= 0 {
			return false
		}
	}
	return len(text) <= longest
}

// flags appends the flags of the file to those of the extended playbook.
func (r *reader) flags(book *Playbook) {
	first := map[string]string{}
	for i := range book.Flags {
		first[book.Flags[i].ID] = "in the playbook " + r.form.Extends + "; list it in without to replace it"
	}
	for i := range r.form.Flags {
		path := "flag[" + strconv.Itoa(i) + "]"
		flag := r.flag(path, &r.form.Flags[i], book)
		where, twice := first[flag.ID]
		switch {
		case flag.ID == "":
		case twice:
			r.Tell(path+".id", "the id %s is already used %s", flag.ID, where)
		default:
			first[flag.ID] = "by the flag on line " + strconv.Itoa(r.Line(path+".id"))
		}
		book.Flags = append(book.Flags, flag)
	}
	if len(book.Flags) == 0 {
		r.Tell("flag", "no flag: add at least one [[flag]], or extend a playbook")
	}
}

func (r *reader) flag(path string, given *flagForm, book *Playbook) Flag {
	var flag Flag
	switch {
	case given.ID == "":
		r.Tell(path, "id is missing")
	case !isID(given.ID):
		r.Tell(path+".id", "the id %s is not valid: use lower-case words joined by hyphens, such as secret-in-change",
			config.Named(given.ID))
	default:
		flag.ID = given.ID
	}
	r.text(path+".title", given.Title, true, &flag.Title)
	r.text(path+".look", given.Look, true, &flag.Look)
	r.text(path+".why", given.Why, true, &flag.Why)
	r.text(path+".predicate", given.Predicate, true, &flag.Predicate)
	r.text(path+".clears", given.Clears, true, &flag.Clears)
	switch _, listed := book.Config.Thresholds[given.Category]; {
	case given.Category == "":
		r.Tell(path, "category is missing")
	case !listed:
		categories := slices.Sorted(maps.Keys(book.Config.Thresholds))
		near := config.Meant(enum.Nearest(given.Category, categories))
		if near == "" {
			near = "; give it a threshold in [thresholds]"
		}
		r.Tell(path+".category", "the category %s has no threshold%s", config.Named(given.Category), near)
	default:
		flag.Category = given.Category
	}
	if given.Severity == "" {
		r.Tell(path, "severity is missing")
	} else {
		flag.Severity, _ = word(r, path+".severity", "severity", given.Severity, gates.Severities())
	}
	for i := range given.Checks {
		if check, ok := r.check(path+".check["+strconv.Itoa(i)+"]", &given.Checks[i]); ok {
			flag.Checks = append(flag.Checks, check)
		}
	}
	return flag
}

// check reads one check. It returns false if the kind is unknown.
func (r *reader) check(path string, given *checkForm) (Check, bool) {
	if given.Kind == "" {
		r.Tell(path, "kind is missing: say what the check does")
		return Check{}, false
	}
	kind, ok := word(r, path+".kind", "check", given.Kind, Kinds())
	if !ok {
		return Check{}, false
	}
	usages := Usages()
	r.keys(path, usages[slices.IndexFunc(usages, func(u Usage) bool { return u.Kind == kind })])
	check := Check{
		Kind: kind, Limit: given.Limit, Scope: AllFiles,
		Files:   r.globs(path+".files", given.Files),
		Except:  r.globs(path+".except", given.Except),
		Needs:   r.globs(path+".needs", given.Needs),
		Near:    r.expression(path+".near", given.Near),
		When:    r.expression(path+".when", given.When),
		Unless:  r.expression(path+".unless", given.Unless),
		Changes: words(r, path+".change", "alteration", given.Change, Alterations()),
	}
	if given.Scope != "" {
		check.Scope, _ = word(r, path+".scope", "scope", given.Scope, Scopes())
	}
	if given.Limit < 1 && r.Given(path+".limit") {
		r.Tell(path+".limit", "limit is %d; use a number of lines above 0", given.Limit)
	}
	check.Patterns = r.set(path+".set", given.Set)
	where := Code
	if given.Where != "" {
		where, _ = word(r, path+".where", "part of a line", given.Where, Parts())
	}
	if match := r.expression(path+".pattern", given.Pattern); match != nil {
		check.Patterns = append(check.Patterns,
			Pattern{Match: match, Unless: check.Unless, Where: where, Words: wordsOf(match)})
	}
	return check, true
}

// set returns the patterns of a set, or nil if no set is named.
func (r *reader) set(path, name string) []Pattern {
	if !r.Given(path) {
		return nil
	}
	if r.sets == nil {
		var err error
		if r.sets, err = readSets(); err != nil {
			r.Tell(path, "%v", err)
			return nil
		}
	}
	rows, known := r.sets[name]
	if !known {
		r.unknown(path, "set of patterns", name, slices.Sorted(maps.Keys(r.sets)))
	}
	return slices.Clone(rows)
}

// keys reports keys that the kind does not use, and missing ones.
func (r *reader) keys(path string, usage Usage) {
	takes := slices.Concat([]string{"files", "except", "scope"}, usage.May)
	for _, key := range config.Keys(checkForm{}) {
		if key != "kind" && r.Given(path+"."+key) && !slices.Contains(takes, key) {
			r.Tell(path+"."+key, "the check %s does not use %s; it uses %s", usage.Kind, key, strings.Join(takes, ", "))
		}
	}
	for _, key := range usage.Must {
		given := r.Given(path+"."+key) || key == "pattern" && r.Given(path+".set")
		if !given {
			r.Tell(path, "the check %s needs %s", usage.Kind, key)
		}
	}
}

// globs checks a list of globs.
func (r *reader) globs(path string, given []string) []string {
	key := path[strings.LastIndexByte(path, '.')+1:]
	if given != nil && len(given) == 0 {
		r.Tell(path, "the list of %s is empty; leave it out", key)
	}
	for _, glob := range given {
		if glob == "" || !doublestar.ValidatePattern(glob) {
			r.Tell(path, "%s in %s is not a glob", strconv.Quote(glob), key)
		}
	}
	return given
}

// expression compiles a regular expression. It returns nil for "".
func (r *reader) expression(path, given string) *regexp.Regexp {
	if given == "" {
		if r.Given(path) {
			r.Tell(path, "%s is empty; leave it out", path[strings.LastIndexByte(path, '.')+1:])
		}
		return nil
	}
	compiled, err := regexp.Compile(given)
	if err != nil {
		r.Tell(path, "%s is not a regular expression: %v", path[strings.LastIndexByte(path, '.')+1:], err)
		return nil
	}
	return compiled
}
