package domain

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"moot/config"
	"moot/enum"
	"moot/ledger"
	"moot/plain"
	"moot/resolver/detect"
	"moot/state"
)

// form is a file as TOML decodes it: words that are looked at afterwards, so that each
// problem is told with its line.
type form struct {
	Prefix     string              `toml:"prefix"`
	Question   string              `toml:"question"`
	Margin     float64             `toml:"margin"`
	Statements []string            `toml:"statements"`
	Opposites  [][]string          `toml:"opposites"`
	Concepts   map[string][]string `toml:"concepts"`
	Words      map[string][]string `toml:"words"`
	Activities map[string][]string `toml:"activities"`
	Rules      []entry             `toml:"rule"`
	weighed
}

// entry is a [[rule]].
type entry struct {
	ID        string      `toml:"id"`
	Name      string      `toml:"name"`
	Role      string      `toml:"role"`
	Technique string      `toml:"technique"`
	Weight    float64     `toml:"weight"`
	Cancel    []string    `toml:"cancel"`
	Whole     bool        `toml:"whole"`
	Reads     bool        `toml:"reads"`
	When      []condition `toml:"when"`
}

// condition is a [[rule.when]].
type condition struct {
	Fields  []string `toml:"fields"`
	Sources []string `toml:"sources"`
	Words   []string `toml:"words"`
	And     []string `toml:"and"`
	Without []string `toml:"without"`
	AtLeast *float64 `toml:"at_least"`
	AtMost  *float64 `toml:"at_most"`
	Is      *bool    `toml:"is"`
	Kinds   []string `toml:"kinds"`
	Course  []string `toml:"course"`
}

// reader turns a form into a domain.
type reader struct {
	config.Reader

	// plain are the weights of a domain that has none of its own.
	plain *state.Weights
	form  form
}

// decode reads a file into the form; false where there is nothing to look at.
func (r *reader) decode(data []byte) bool {
	var taken map[string]map[string][]int
	kind := config.Kind{Name: "domain", MaxBytes: MaxBytes, Mistyped: mistyped, Twice: twice}
	kind.Take = func(data []byte) (rest []byte) {
		taken, rest = takeTerms(data)
		return rest
	}
	if !r.Decode(data, kind, &r.form) {
		return false
	}
	if terms := taken["terms"]; len(terms) > 0 {
		r.form.Terms = terms
	}
	if company := taken["company"]; len(company) > 0 {
		r.form.Company = company
	}
	return true
}

// mistyped says what stands at a key, where its type does not say all of it.
func mistyped(key []string) string {
	name := config.Named(key[len(key)-1])
	switch first := key[0]; {
	case len(key) == 1 && isWeighed(first):
		return name + " is a table of weights: put them below [" + first + "]"
	case first == "terms", first == "company":
		return name + " is a list of whole numbers, hundredths for " + strings.Join(enum.Words(state.Readings()), ", ")
	case first == "sums":
		return name + " is a list of two numbers, for CONFIRMED and for DISMISSED"
	case first == "opposites":
		return name + ` is a list of pairs, such as [["allow", "deny"]]`
	}
	return ""
}

// twice says how weights come to stand in a file twice.
func twice(key []string) string {
	if isWeighed(key[0]) {
		return ": a file has weights once, so take the old ones out"
	}
	return ""
}

// domain reads the form.
func (r *reader) domain() state.Domain {
	d := state.Domain{
		Name: r.Name, Prefix: r.prefix(), Question: r.line("question", r.form.Question, maxQuestion), Margin: r.form.Margin,
		Opposites: []state.Opposites{}, Concepts: []state.Concept{}, Rules: []state.FactRule{},
	}
	if !(d.Margin > 0 && d.Margin < 1) {
		r.Tell("margin", "margin is a number between 0 and 1, such as 0.2: by how much a side has to lead")
	}
	for _, one := range r.form.Statements {
		var source ledger.SourceType
		if err := source.UnmarshalText([]byte(one)); err != nil {
			r.Tell("statements", "%v", err)
		}
		d.Statements = append(d.Statements, source)
	}
	for i, pair := range r.form.Opposites {
		if len(pair) != len([]string{"a", "b"}) {
			r.Tell("opposites", "pair %d of opposites has %d names: it has two", i+1, len(pair))
			continue
		}
		d.Opposites = append(d.Opposites, state.Opposites{A: pair[0], B: pair[1]})
	}
	for _, name := range sorted(r.form.Concepts) {
		d.Concepts = append(d.Concepts, state.Concept{Name: name, Fields: r.phrases("concepts."+name, r.form.Concepts[name])})
	}
	d.Vocabularies = r.lists("words", r.form.Words)
	d.Activities = r.lists("activities", r.form.Activities)
	r.rules(&d)
	if d.Weights = r.weights(); d.Weights == nil {
		d.Weights = r.plain
	}
	if r.Wrong() > 0 {
		return d
	}
	if _, err := detect.Compile(&d); err != nil {
		r.At(0, "%s", err.Error())
	}
	return d
}

// Bounds of a file's texts, in characters, and of its lists.
const (
	maxPrefix   = 20
	maxQuestion = 200
	maxName     = 60
	maxPhrase   = 100
	maxPhrases  = 400
	maxRules    = 400
)

// prefix reads capital letters, digits and underscores; none is none.
func (r *reader) prefix() string {
	p := r.form.Prefix
	if len(p) > maxPrefix || strings.Trim(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		r.Tell("prefix", "prefix is at most %d capital letters, digits and underscores, such as THREAT", maxPrefix)
		return ""
	}
	return p
}

// line reads a text on one line.
func (r *reader) line(path, given string, most int) string {
	joined := strings.Join(strings.Fields(given), " ")
	key := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case joined == "":
		r.Tell(path, "%s is empty", key)
	case len([]rune(joined)) > most:
		r.Tell(path, "%s is longer than %d characters", key, most)
	case plain.Line(joined) != joined:
		r.Tell(path, "%s has a control or hidden character in it: take it out", key)
	}
	return joined
}

// lists reads named lists of phrases, in the order of their names.
func (r *reader) lists(of string, given map[string][]string) []state.Vocabulary {
	lists := []state.Vocabulary{}
	for _, name := range sorted(given) {
		lists = append(lists, state.Vocabulary{Name: name, Phrases: r.phrases(of+"."+name, given[name])})
	}
	return lists
}

// phrases reads a list of phrases.
func (r *reader) phrases(path string, given []string) []string {
	if len(given) > maxPhrases {
		r.Tell(path, "%d phrases; %d are the most", len(given), maxPhrases)
	}
	read := []string{}
	for _, one := range given {
		phrase := strings.ToLower(strings.Join(strings.Fields(one), " "))
		if err := detect.CheckPhrase(phrase); err != nil {
			r.Tell(path, "%v", err)
			continue
		}
		if len([]rune(phrase)) > maxPhrase {
			r.Tell(path, "%q is longer than %d characters", phrase, maxPhrase)
		}
		if slices.Contains(read, phrase) {
			r.Tell(path, "%q stands twice", phrase)
		}
		read = append(read, phrase)
	}
	return read
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// rules reads the rules.
func (r *reader) rules(d *state.Domain) {
	if len(r.form.Rules) == 0 {
		r.At(0, "no rule: a domain has at least one, [[rule]] with id, name, role, weight and a [[rule.when]]")
	}
	if len(r.form.Rules) > maxRules {
		r.Tell("rule["+strconv.Itoa(maxRules)+"]", "%d rules; %d are the most", len(r.form.Rules), maxRules)
		return
	}
	first := map[string]string{}
	for i := range r.form.Rules {
		path, given := "rule["+strconv.Itoa(i)+"]", &r.form.Rules[i]
		if where, twice := first[given.ID]; twice {
			r.Tell(path+".id", "the id %s is taken %s", config.Named(given.ID), where)
		}
		first[given.ID] = "in line " + strconv.Itoa(r.Line(path+".id"))
		d.Rules = append(d.Rules, r.rule(path, given))
	}
	for i := range r.form.Rules {
		for _, name := range r.form.Rules[i].Cancel {
			if _, known := first[name]; !known && !slices.Contains(enum.Words(state.FactRoles()), name) {
				r.Tell("rule["+strconv.Itoa(i)+"].cancel", "no rule and no role is named %s%s", config.Named(name), config.Meant(enum.Nearest(name, sorted(first))))
			}
		}
	}
}

// rule reads one rule.
func (r *reader) rule(path string, given *entry) state.FactRule {
	rule := state.FactRule{
		ID: r.line(path+".id", given.ID, maxName), Name: r.line(path+".name", given.Name, maxName),
		Technique: given.Technique, Weight: given.Weight, Cancel: given.Cancel, Whole: given.Whole, Reads: given.Reads,
	}
	if strings.Trim(given.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		r.Tell(path+".id", "the id %s is none: write small letters, digits and hyphens", config.Named(given.ID))
	}
	if err := rule.Role.UnmarshalText([]byte(given.Role)); err != nil {
		r.Tell(path+".role", "%v", err)
	}
	if !isTechnique(given.Technique) {
		r.Tell(path+".technique", "technique is an id of MITRE ATT&CK, such as T1003.001, and not %s", config.Named(given.Technique))
	}
	if math.IsNaN(given.Weight) || given.Weight <= 0 || given.Weight > 1 {
		r.Tell(path+".weight", "weight is above 0 and up to 1")
	}
	switch {
	case given.Reads && len(given.When) > 0:
		r.Tell(path+".reads", "the rule has a [[rule.when]], and reads by the weights of words: it does one of both")
	case !given.Reads && len(given.When) == 0:
		r.Tell(path, "the rule has no [[rule.when]]: say in what facts it reads")
	}
	for i := range given.When {
		rule.When = append(rule.When, r.condition(path+".when["+strconv.Itoa(i)+"]", &given.When[i]))
	}
	return rule
}

// isTechnique reports whether a text is T and four digits, with three more behind a
// dot where it is one within another; or "".
func isTechnique(id string) bool {
	if id == "" {
		return true
	}
	head, tail, dotted := strings.Cut(id, ".")
	digits := func(s string, n int) bool { return len(s) == n && strings.Trim(s, "0123456789") == "" }
	return strings.HasPrefix(head, "T") && digits(head[1:], len("1003")) && (!dotted || digits(tail, len("001")))
}

// condition reads one condition.
func (r *reader) condition(path string, given *condition) state.FactCondition {
	c := state.FactCondition{
		Fields: given.Fields, AtLeast: given.AtLeast, AtMost: given.AtMost, Is: given.Is,
		Words: r.words(path+".words", given.Words), And: r.words(path+".and", given.And), Without: r.words(path+".without", given.Without),
	}
	for _, one := range given.Sources {
		var source ledger.SourceType
		if err := source.UnmarshalText([]byte(one)); err != nil {
			r.Tell(path+".sources", "%v", err)
		}
		c.Sources = append(c.Sources, source)
	}
	for _, one := range given.Kinds {
		var kind state.ValueKind
		if err := kind.UnmarshalText([]byte(one)); err != nil {
			r.Tell(path+".kinds", "%v", err)
		}
		c.Kinds = append(c.Kinds, kind)
	}
	for _, one := range given.Course {
		var course state.Course
		if err := course.UnmarshalText([]byte(one)); err != nil {
			r.Tell(path+".course", "%v", err)
		}
		c.Course = append(c.Course, course)
	}
	if len(given.Words)+len(given.Fields)+len(given.Sources) == 0 {
		r.Tell(path, "the condition has neither words nor fields nor sources")
	}
	return c
}

// words reads phrases, and names of vocabularies.
func (r *reader) words(path string, given []string) []string {
	var read, phrases []string
	for _, one := range given {
		names := 0
		for piece := range strings.FieldsSeq(one) {
			name, is := strings.CutPrefix(piece, "@")
			if !is {
				continue
			}
			names++
			if _, known := r.form.Words[name]; !known {
				r.Tell(path, "no list in [words] is named %s%s", config.Named(name), config.Meant(enum.Nearest(name, sorted(r.form.Words))))
			}
		}
		if names > 0 {
			read = append(read, one)
			continue
		}
		phrases = append(phrases, one)
	}
	return append(read, r.phrases(path, phrases)...)
}
