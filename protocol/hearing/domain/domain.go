// Package domain reads the rules of a hearing and finds matches in a packet.
//
// A domain is one TOML file: findings (what looks bad, conclusive or suspicious), covers (benign explanations
// with a scope) and relations (computed over several facts). The rules report facts, not probabilities. The
// package is pure. Start at Read and Rules.Find; the built-in domain is books/security.toml.
package domain

import (
	_ "embed" // the built-in domain
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/config"
	"moot/internal/enum"
	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/hearing/judge"
)

//go:embed books/security.toml
var security []byte

// MaxBytes is the size limit of a domain file.
const MaxBytes = 256 << 10

// BuiltInName is the name of the built-in domain.
const BuiltInName = "security"

// Domain configures hearings on one kind of question. It is recorded with the session.
type Domain struct {
	// Name names a built-in domain or the one in the user's file.
	Name string `json:"name"`
	// Prefix precedes outcomes, without the underscore: THREAT.
	Prefix string `json:"prefix"`
	// Question is asked if the user asks none.
	Question string `json:"question"`
	// Opposites are pairs of fields of which an entity has only one if its facts agree (the
	// miscalibration gate). They are named by their words: "login success" is also
	// login_success and LoginSuccess.
	Opposites [][2]string `json:"opposites"`
	// Rules is the text of the domain's file in TOML, which built-in rules on a seat apply.
	Rules string `json:"rules"`
}

// Shown is an outcome with the prefix of the domain.
func (d *Domain) Shown(o judge.Outcome) string {
	if d.Prefix == "" || o == "" {
		return string(o)
	}
	return d.Prefix + "_" + string(o)
}

// BuiltIn returns a built-in domain.
func BuiltIn(name string) (Domain, error) {
	if name == BuiltInName {
		return Read(security, name)
	}
	return Domain{}, fmt.Errorf("there is no built-in domain %q: use %s, or a TOML file", name, BuiltInName)
}

// Read reads a domain file. name is used in errors and stored with it. The error is of type config.Problems and
// lists all problems with line numbers.
func Read(data []byte, name string) (Domain, error) {
	r, err := read(data, name)
	if err != nil {
		return Domain{}, err
	}
	d := Domain{
		Name: name, Prefix: r.file.Prefix, Question: r.file.Question,
		Opposites: [][2]string{}, Rules: string(data),
	}
	for _, pair := range r.file.Opposites {
		d.Opposites = append(d.Opposites, [2]string(pair))
	}
	return d, nil
}

// Of returns the rules of a domain that was recorded with a session.
func Of(d *Domain) (*Rules, error) {
	return read([]byte(d.Rules), d.Name)
}

// Strength is how much a finding proves on its own.
type Strength string

// The strengths.
const (
	// Conclusive is enough on its own, unless a cover explains it.
	Conclusive Strength = "conclusive"
	// Suspicious is dual use, or only proves something together with other findings.
	Suspicious Strength = "suspicious"
)

// tie is how a cover must be connected to the finding that it explains.
type tie string

const (
	sameAccount tie = "account"
	sameHost    tie = "host"
	sameTicket  tie = "ticket"
	// anyTie applies a cover to the whole packet within its time window.
	anyTie tie = "window"
)

func ties() []tie { return []tie{sameAccount, sameHost, sameTicket, anyTie} }

// file is the decoded TOML of a domain.
type file struct {
	Prefix    string     `toml:"prefix"`
	Question  string     `toml:"question"`
	Opposites [][]string `toml:"opposites"`
	// Blocked lists words of facts about acts without effect. A finding there is at most suspicious.
	Blocked []string `toml:"blocked"`
	// Denials lists words by which people deny a ticket, so that its cover explains nothing.
	Denials []string `toml:"denials"`
	// Authorized holds conditions for facts about an authorization. They explain nothing unless a cover ties them to a
	// finding, but they are listed, and an act within the time window that one of them states is at most suspicious.
	Authorized []condition `toml:"authorized"`
	// Fields lists alternative field names of collectors; Words holds named lists of phrases.
	Fields map[string][]string `toml:"fields"`
	Words  map[string][]string `toml:"words"`
	// Kinds lists the kinds of findings, each with the words that covers use for it.
	Kinds     map[string][]string `toml:"kinds"`
	Findings  []finding           `toml:"finding"`
	Covers    []cover             `toml:"cover"`
	Relations []relation          `toml:"relation"`
}

// head holds the fields of every rule.
type head struct {
	ID   string `toml:"id"`
	Name string `toml:"name"`
	// Technique is an id of MITRE ATT&CK, or "".
	Technique string   `toml:"technique"`
	Strength  Strength `toml:"strength"`
	Kind      string   `toml:"kind"`
}

type finding struct {
	head
	When []condition `toml:"when"`
}

type cover struct {
	ID   string `toml:"id"`
	Name string `toml:"name"`
	// Explains lists the kinds of findings that it can explain, or "*".
	Explains []string `toml:"explains"`
	// Tie lists connections to the finding; one must exist.
	Tie []tie `toml:"tie"`
	// About requires that the cover mentions the kind of the finding.
	About bool        `toml:"about"`
	When  []condition `toml:"when"`
}

type relation struct {
	head
	// Computes names the computation; AtLeast, Hours and Of are its parameters.
	Computes computation `toml:"computes"`
	// Of are the ids of two findings, for one after another.
	Of      []string `toml:"of"`
	AtLeast float64  `toml:"at_least"`
	Hours   float64  `toml:"hours"`
}

// condition holds for a fact if all of its parts hold.
type condition struct {
	// Sources lists the source types to read. The default is all but manual: what people say does not prove an
	// act.
	Sources []ledger.SourceType `toml:"sources"`
	// Fields restricts it to values below one of these names.
	Fields []string `toml:"fields"`
	// One phrase of Words and one of And must occur, and none of Without.
	Words   []string `toml:"words"`
	And     []string `toml:"and"`
	Without []string `toml:"without"`
	// Is lists the allowed values by field name: { "logon type" = ["10"] }.
	Is map[string][]string `toml:"is"`
	// Bits requires that a field, a number, has one of these bits: { "granted access" = "0x10" }.
	Bits map[string]string `toml:"bits"`
	// AtLeast is a lower bound for a number below Fields.
	AtLeast *float64 `toml:"at_least"`
	// Public requires a flow or an edge to a public address, or an entity that is one. Fields with the word "in" do not
	// count.
	Public bool `toml:"public"`

	// The lists above, compiled.
	words, and, without, fields phrases
	is                          map[string]phrases
	bits                        []mask
}

// mask is a compiled requirement of bits.
type mask struct {
	fields phrases
	bits   uint64
}

// Rules holds the compiled rules of a domain.
type Rules struct {
	name    string
	file    file
	blocked phrases
	denials phrases
	about   map[string]phrases
	times   times
	// patterns match what relations read in texts.
	patterns patterns
	// technique matches an id of MITRE ATT&CK.
	technique *regexp.Regexp
}

// Bounds of a file.
const (
	maxPrefix = 20
	maxText   = 200
	maxRules  = 400
)

// reader checks a file and compiles it.
type reader struct {
	config.Reader
	rules *Rules
}

func read(data []byte, name string) (*Rules, error) {
	r := &reader{config.Reader{Name: name}, &Rules{
		name: name, about: map[string]phrases{}, times: newTimes(), patterns: newPatterns(),
		technique: regexp.MustCompile(`^T\d{4}(\.\d{3})?$`),
	}}
	if r.Decode(data, config.Kind{Name: "domain", MaxBytes: MaxBytes}, &r.rules.file) {
		r.check(&r.rules.file)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return r.rules, nil
}

func (r *reader) check(f *file) {
	if len(f.Prefix) > maxPrefix || strings.Trim(f.Prefix, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		r.Tell("prefix", "prefix is at most %d capital letters, digits and underscores, such as THREAT", maxPrefix)
	}
	r.Text("question", &f.Question, maxText)
	for i, pair := range f.Opposites {
		if len(pair) != 2 {
			r.Tell("opposites", "pair %d of opposites has %d names instead of two", i+1, len(pair))
		}
	}
	if len(f.Findings)+len(f.Covers)+len(f.Relations) > maxRules {
		r.At(0, "more than %d rules", maxRules)
		return
	}
	if len(f.Findings) == 0 {
		r.At(0, "no finding: add at least one [[finding]] with id, name, strength, kind and a [[finding.when]]")
	}
	r.rules.blocked, r.rules.denials = r.phrases("blocked", f.Blocked), r.phrases("denials", f.Denials)
	for kind, words := range f.Kinds {
		r.rules.about[kind] = r.phrases("kinds."+kind, words)
	}
	if len(f.Authorized) > 0 {
		r.conditions("authorized", f.Authorized)
	}
	ids := map[string]string{}
	for i := range f.Findings {
		path, one := fmt.Sprintf("finding[%d]", i), &f.Findings[i]
		r.head(path, &one.head, ids)
		r.conditions(path, one.When)
	}
	for i := range f.Covers {
		path, one := fmt.Sprintf("cover[%d]", i), &f.Covers[i]
		r.ID(path+".id", one.ID, ids)
		r.Text(path+".name", &one.Name, maxText)
		if len(one.Explains) == 0 || len(one.Tie) == 0 {
			r.Tell(path, "a cover needs a scope: explains (kinds of findings, or *) and tie (%s)",
				strings.Join(enum.Words(ties()), ", "))
		}
		for _, kind := range one.Explains {
			if kind != "*" {
				config.Word(&r.Reader, path+".explains", "kind", kind, slices.Sorted(maps.Keys(f.Kinds)))
			}
		}
		for _, name := range one.Tie {
			config.Word(&r.Reader, path+".tie", "tie", name, ties())
		}
		r.conditions(path, one.When)
	}
	for i := range f.Relations {
		path, one := fmt.Sprintf("relation[%d]", i), &f.Relations[i]
		r.head(path, &one.head, ids)
		config.Word(&r.Reader, path+".computes", "computation", one.Computes, computations())
		if one.AtLeast <= 0 || one.Hours <= 0 {
			r.Tell(path, "a relation has at_least and hours above 0")
		}
		if (len(one.Of) == 2) != (one.Computes == oneAfterAnother) {
			r.Tell(path, "of names two findings if it computes %q, and is left out otherwise", oneAfterAnother)
		}
		for _, id := range one.Of {
			config.Word(&r.Reader, path+".of", "finding", id, lists.Map(f.Findings, func(of finding) string { return of.ID }))
		}
	}
}

func (r *reader) head(path string, h *head, seen map[string]string) {
	r.ID(path+".id", h.ID, seen)
	r.Text(path+".name", &h.Name, maxText)
	if h.Technique != "" && !r.rules.technique.MatchString(h.Technique) {
		r.Tell(path+".technique", "technique is an id of MITRE ATT&CK, such as T1003.001, not %s",
			config.Named(h.Technique))
	}
	config.Word(&r.Reader, path+".strength", "strength", h.Strength, []Strength{Conclusive, Suspicious})
	config.Word(&r.Reader, path+".kind", "kind", h.Kind, slices.Sorted(maps.Keys(r.rules.file.Kinds)))
}

func (r *reader) conditions(path string, all []condition) {
	if len(all) == 0 {
		r.Tell(path, "the rule has no when: say which facts it reads")
	}
	for i := range all {
		c, at := &all[i], fmt.Sprintf("%s.when[%d]", path, i)
		if len(c.Words)+len(c.Fields)+len(c.Is)+len(c.Bits) == 0 {
			r.Tell(at, "the condition needs words, fields, is or bits")
		}
		if c.AtLeast != nil && len(c.Fields) == 0 {
			r.Tell(at, "at_least needs fields: the names of the number that it bounds")
		}
		for _, source := range c.Sources {
			config.Word(&r.Reader, at+".sources", "type of source", source, ledger.SourceTypes())
		}
		c.words, c.and = r.phrases(at+".words", c.Words), r.phrases(at+".and", c.And)
		c.without = r.phrases(at+".without", c.Without)
		c.fields = r.names(at, c.Fields)
		c.is = map[string]phrases{}
		for name := range c.Is {
			c.is[name] = r.names(at+".is", []string{name})
		}
		c.bits = nil
		for name, text := range c.Bits {
			bits, err := strconv.ParseUint(text, 0, 64)
			if err != nil || bits == 0 {
				r.Tell(at+".bits", "bits are a number such as \"0x10\", not %s", config.Named(text))
			}
			c.bits = append(c.bits, mask{r.names(at+".bits", []string{name}), bits})
		}
	}
}

// names compiles field names with their alternatives from [fields].
func (r *reader) names(path string, given []string) phrases {
	var all []string
	for _, name := range given {
		all = append(append(all, name), r.rules.file.Fields[name]...)
	}
	return r.phrases(path, all)
}

// phrases compiles a list of phrases. @name refers to a list in [words].
func (r *reader) phrases(path string, given []string) phrases {
	var all phrases
	for _, text := range given {
		if name, is := strings.CutPrefix(text, "@"); is {
			config.Word(&r.Reader, path, "list in [words]", name, slices.Sorted(maps.Keys(r.rules.file.Words)))
			list := slices.Clone(r.rules.file.Words[name])
			list = slices.DeleteFunc(list, func(one string) bool { return strings.HasPrefix(one, "@") })
			all = append(all, r.phrases("words."+name, list)...)
			continue
		}
		p := compile(text)
		if len(p) == 0 {
			r.Tell(path, "%q is not a phrase: write whole words in small letters, with ... for a gap", text)
			continue
		}
		all = append(all, p)
	}
	return all
}
