package playbook

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"moot/config"
	"moot/internal/enum"
	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/dialectic/gates"
)

// MaxBytes is the size limit of a playbook.
const MaxBytes = 1 << 20

// maxRounds is the largest number of rounds in a session, and maxText the length of a text in characters.
const (
	maxRounds = 8
	maxText   = 1000
)

// Problems lists the problems of a playbook in the order of the lines. It is the error of Read.
type Problems = config.Problems

// Read reads a playbook. name is used in errors and becomes the name of the playbook. The error is of type
// Problems.
func Read(name string, data []byte) (Playbook, error) { return read(name, data, BuiltIn) }

// Open returns the built-in playbook of a name, or reads a file. Secrets are redacted.
func Open(
	name string, file func(name string, limit int64) ([]byte, error), redact func(name, text string) string,
) (Playbook, error) {
	book, unknown := BuiltIn(name)
	if unknown != nil {
		data, err := file(name, MaxBytes+1)
		if err != nil && !strings.ContainsAny(name, `/\.`) {
			err = fmt.Errorf("%w, and %w", unknown, err)
		}
		if err == nil {
			book, err = Read(name, data)
		}
		if err != nil {
			return Playbook{}, err
		}
	}
	for i := range book.Flags {
		f := &book.Flags[i]
		for _, text := range []*string{&f.Title, &f.Look, &f.Predicate, &f.Clears} {
			*text = redact("the playbook's flag "+f.ID, *text)
		}
	}
	return book, nil
}

// form is the decoded TOML. The values are checked afterwards, so that each problem is reported with its line.
type form struct {
	Title      string                         `toml:"title"`
	About      string                         `toml:"about"`
	Extends    string                         `toml:"extends"`
	Without    []string                       `toml:"without"`
	MaxRounds  *int                           `toml:"maxRounds"`
	Authority  []ledger.SourceKind            `toml:"authority"`
	Thresholds map[string]float64             `toml:"thresholds"`
	Allow      map[string][]ledger.SourceKind `toml:"allow"`
	Gates      struct {
		Freshness map[string]string `toml:"freshness"`
	} `toml:"gates"`
	Flags []Flag `toml:"flag"`
}

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

// start returns the playbook that this one extends, without the flags that it leaves out, or the defaults.
func (r *reader) start(base func(string) (Playbook, error)) Playbook {
	book := Playbook{Config: gates.DefaultConfig()}
	if extends := r.form.Extends; extends != "" && config.Word(&r.Reader, "extends", "playbook", extends, Names()) {
		found, err := base(extends)
		if err != nil {
			r.Tell("extends", "%v", err)
		}
		book = found
	}
	book.Name = r.Name
	for _, id := range r.form.Without {
		ids := lists.Map(book.Flags, func(f Flag) string { return f.ID })
		if config.Word(&r.Reader, "without", "flag", id, ids) {
			at := slices.Index(ids, id)
			book.Flags = slices.Delete(book.Flags, at, at+1)
		}
	}
	return book
}

// settings reads everything but the flags into the playbook.
func (r *reader) settings(book *Playbook) {
	c := &book.Config
	r.Text("title", &r.form.Title, maxText)
	book.Title = r.form.Title
	if r.form.About != "" {
		r.Text("about", &r.form.About, maxText)
		book.About = r.form.About
	}
	if given := r.form.MaxRounds; given != nil {
		if *given < 1 || *given > maxRounds {
			r.Tell("maxRounds", "maxRounds is %d; use a number from 1 to %d", *given, maxRounds)
		}
		c.MaxRounds = *given
	}
	thresholds := maps.Clone(c.Thresholds)
	for category, at := range r.form.Thresholds {
		if !(at >= 0 && at <= 1) {
			r.Tell("thresholds."+category, "the threshold of %s is %v; use a number from 0 to 1",
				config.Named(category), at)
		}
		near := enum.Nearest(category, slices.Sorted(maps.Keys(c.Thresholds)))
		if near != "" && near != category {
			// A misspelled category would leave the intended one unchanged.
			r.Tell("thresholds."+category, "the category %s is too similar to %s; choose a different name",
				config.Named(category), near)
		}
		thresholds[category] = at
	}
	c.Thresholds = thresholds
	c.Allow = maps.Clone(c.Allow)
	for name, given := range r.form.Allow {
		r.allow(book, gates.Severity(name), given)
	}
	if order, kinds := r.form.Authority, ledger.SourceKinds(); len(order) > 0 {
		first, last := kinds[0], kinds[len(kinds)-1]
		sorted, all := slices.Sorted(slices.Values(order)), slices.Sorted(slices.Values(kinds))
		if order[0] != first || order[len(order)-1] != last || !slices.Equal(sorted, all) {
			r.Tell("authority", "authority lists all source kinds once, %s first and %s last: %s", first, last,
				strings.Join(enum.Words(kinds), ", "))
		}
		c.Authority = order
	}
	freshness := maps.Clone(c.Freshness)
	for name, given := range r.form.Gates.Freshness {
		var age gates.Age
		if err := age.UnmarshalText([]byte(given)); err != nil {
			r.Tell("gates.freshness."+name, "the age of %s: %v", config.Named(name), err)
		}
		config.Word(&r.Reader, "gates.freshness."+name, "source kind", name, enum.Words(ledger.SourceKinds()))
		freshness[ledger.SourceKind(name)] = age
	}
	c.Freshness = freshness
}

// allow reads the source kinds that may decide objections of a severity.
func (r *reader) allow(book *Playbook, severity gates.Severity, kinds []ledger.SourceKind) {
	path := "allow." + string(severity)
	config.Word(&r.Reader, path, "severity", severity, gates.Severities())
	for _, kind := range kinds {
		config.Word(&r.Reader, path, "source kind", kind, ledger.SourceKinds())
	}
	if severity != gates.Low && slices.Contains(kinds, ledger.LLMInference) {
		r.Tell(path, "%s decides nothing above %s: remove it from %s", ledger.LLMInference, gates.Low, severity)
	}
	if !slices.Contains(kinds, ledger.UserOverride) {
		r.Tell(path, "%s is missing: a ruling of the user always decides", ledger.UserOverride)
	}
	book.Config.Allow[severity] = kinds
}

// flags appends the flags of the file to those of the extended playbook.
func (r *reader) flags(book *Playbook) {
	seen := map[string]string{}
	for i := range book.Flags {
		seen[book.Flags[i].ID] = "in the playbook " + r.form.Extends + "; list it in without to replace it"
	}
	categories := slices.Sorted(maps.Keys(book.Config.Thresholds))
	for i := range r.form.Flags {
		flag, path := &r.form.Flags[i], "flag["+strconv.Itoa(i)+"]."
		r.ID(path+"id", flag.ID, seen)
		r.Text(path+"title", &flag.Title, maxText)
		r.Text(path+"look", &flag.Look, maxText)
		r.Text(path+"why", &flag.Why, maxText)
		r.Text(path+"predicate", &flag.Predicate, maxText)
		r.Text(path+"clears", &flag.Clears, maxText)
		if !slices.Contains(categories, flag.Category) {
			near := cmp.Or(config.Meant(enum.Nearest(flag.Category, categories)),
				"; give it a threshold in [thresholds]")
			r.Tell(path+"category", "the category %s has no threshold%s", config.Named(flag.Category), near)
		}
		config.Word(&r.Reader, path+"severity", "severity", flag.Severity, gates.Severities())
		if r.Given(path + "clearedBy") {
			r.clearedBy(path+"clearedBy", flag, book.Config.Allow[flag.Severity])
		}
		for j := range flag.Checks {
			r.check(path+"check["+strconv.Itoa(j)+"]", &flag.Checks[j])
		}
		book.Flags = append(book.Flags, *flag)
	}
	if len(book.Flags) == 0 {
		r.Tell("flag", "no flag: add at least one [[flag]], or extend a playbook")
	}
}

// clearedBy checks the source kinds that may clear a flag: a kind that its severity does not allow would clear nothing.
func (r *reader) clearedBy(path string, flag *Flag, allowed []ledger.SourceKind) {
	for _, kind := range flag.ClearedBy {
		if config.Word(&r.Reader, path, "source kind", kind, ledger.SourceKinds()) && len(allowed) > 0 &&
			!slices.Contains(allowed, kind) {
			r.Tell(path, "%s decides nothing that is %s: remove it, or allow it in [allow]", kind, flag.Severity)
		}
	}
	if !slices.Contains(flag.ClearedBy, ledger.UserOverride) {
		r.Tell(path, "%s is missing: a ruling of the user always decides", ledger.UserOverride)
	}
}

// check completes one check.
func (r *reader) check(path string, c *Check) {
	if !config.Word(&r.Reader, path+".kind", "check", c.Kind, Kinds()) {
		return
	}
	for _, key := range c.Kind.needs() {
		if !r.Given(path+"."+key) && !(key == "pattern" && c.Set != "") {
			r.Tell(path, "the check %s needs %s", c.Kind, key)
		}
	}
	for _, glob := range slices.Concat(c.Files, c.Except, c.Needs) {
		if glob == "" || !doublestar.ValidatePattern(glob) {
			r.Tell(path, "%s is not a glob", strconv.Quote(glob))
		}
	}
	if c.Limit < 1 && r.Given(path+".limit") {
		r.Tell(path+".limit", "limit is %d; use a number of lines above 0", c.Limit)
	}
	c.Scope, c.Where = cmp.Or(c.Scope, AllFiles), cmp.Or(c.Where, Code)
	config.Word(&r.Reader, path+".scope", "scope", c.Scope, Scopes())
	config.Word(&r.Reader, path+".where", "part of a line", c.Where, Parts())
	for _, alteration := range c.Changes {
		config.Word(&r.Reader, path+".change", "alteration", alteration, Alterations())
	}
	if c.Set != "" {
		var err error
		if r.sets == nil {
			if r.sets, err = readSets(); err != nil {
				r.Tell(path, "%v", err)
			}
		}
		config.Word(&r.Reader, path+".set", "set of patterns", c.Set, slices.Sorted(maps.Keys(r.sets)))
		c.Patterns = slices.Clone(r.sets[c.Set])
	}
	if c.Pattern != nil {
		c.Patterns = append(c.Patterns, Pattern{Match: c.Pattern, Unless: c.Unless, Where: c.Where})
	}
	c.Set, c.Pattern, c.Where = "", nil, ""
}
