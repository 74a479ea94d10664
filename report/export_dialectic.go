package report

import (
	"encoding/json"

	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// Playbook is what a session of the format dialectic is led by.
type Playbook struct {
	Name string `json:"name"`
	// Config is what holds: that of the playbook over the defaults.
	Config Config    `json:"config"`
	Flags  []RedFlag `json:"flags"`
}

// Config says how strict the resolver is.
type Config struct {
	// Thresholds is the least confidence of evidence that settles an objection, 0
	// to 1, by category; another category takes the highest.
	Thresholds map[string]float64 `json:"thresholds"`
	// Allow are the source kinds that may decide, by severity.
	Allow map[dialectic.Severity][]ledger.SourceKind `json:"allow"`
	// Authority orders the source kinds, strongest first.
	Authority []ledger.SourceKind `json:"authority"`
	MaxRounds int                 `json:"max_rounds"`
	// Freshness is how old an item may be, as in 24h or 7d, by source kind.
	Freshness map[ledger.SourceKind]string `json:"freshness"`
}

// RedFlag is one thing that the playbook has the pressure-tester look for.
type RedFlag struct {
	ID        string             `json:"id"`
	Title     string             `json:"title"`
	Look      string             `json:"look"`
	Category  string             `json:"category"`
	Severity  dialectic.Severity `json:"severity"`
	Predicate string             `json:"predicate"`
	Clears    string             `json:"clears"`
}

// Field is what a point is in the format dialectic.
type Field struct {
	Path string `json:"path"`
	// Value is any JSON value, as it stands now.
	Value    json.RawMessage `json:"value"`
	Category string          `json:"category"`
	// Severity and the operation of Derived are as the seat wrote them, whether
	// they are words of their lists or not (G1).
	Severity string     `json:"severity"`
	Grounded bool       `json:"grounded"`
	Derived  Derivation `json:"derived"`
	// Cites are the ids that the proposer named, whether they exist or not (G2).
	Cites []string `json:"cites"`
	// Round is that of the last change.
	Round int `json:"round"`
	// Earlier are the values before, the oldest first.
	Earlier []Former `json:"earlier"`
	// Withdrawn says that the field is no longer proposed, WithdrawnBy who took
	// it out. Reason is that of the last change.
	Withdrawn   bool       `json:"withdrawn"`
	WithdrawnBy state.Seat `json:"withdrawn_by"`
	Reason      string     `json:"reason"`
}

// Derivation says how a value follows from others; its Op is "" where it does
// not.
type Derivation struct {
	Op string   `json:"op"`
	Of []string `json:"of"`
}

// Former is a value that a field had.
type Former struct {
	Round int             `json:"round"`
	Value json.RawMessage `json:"value"`
}

// Typed is what a challenge is in the format dialectic, beside its text.
type Typed struct {
	Category  string             `json:"category"`
	Severity  dialectic.Severity `json:"severity"`
	Predicate string             `json:"predicate"`
	// Flag is the red flag of the playbook that it raises, or "".
	Flag string `json:"flag"`
	// Evidence are the items that were brought for it.
	Evidence []string `json:"evidence"`
	// Owed is the evidence that was asked for and did not come (G7).
	Owed []string `json:"owed"`
	// Verdict is the user's, or "".
	Verdict dialectic.Ruling `json:"verdict"`
}

func exportPlaybook(s *state.State) *Playbook {
	book := s.Settings.Playbook
	if book == nil {
		return nil
	}
	config := resolver.Configured(s)
	out := &Playbook{
		Name: book.Name, Flags: []RedFlag{},
		Config: Config{
			Thresholds: config.Thresholds, Allow: config.Allow, Authority: some(config.Authority),
			MaxRounds: config.MaxRounds,
			Freshness: map[ledger.SourceKind]string{},
		},
	}
	for kind, age := range config.Freshness {
		out.Config.Freshness[kind] = age.String()
	}
	for i := range book.Flags {
		f := &book.Flags[i]
		out.Flags = append(out.Flags, RedFlag{
			ID: f.ID, Title: f.Title, Look: f.Look, Category: f.Category, Severity: dialectic.Severity(f.Severity),
			Predicate: f.Predicate, Clears: f.Clears,
		})
	}
	return out
}

func exportField(f *state.Field) *Field {
	if f == nil {
		return nil
	}
	out := &Field{
		Path: f.Path, Value: f.Value, Category: f.Category, Severity: f.Severity, Grounded: f.Grounded,
		Derived: Derivation{Of: []string{}}, Cites: some(f.Cites), Round: f.Round, Earlier: []Former{},
		Withdrawn: f.Withdrawn, Reason: f.Reason,
	}
	if f.Withdrawn {
		out.WithdrawnBy = f.WithdrawnBy
	}
	if f.Derived != nil {
		out.Derived = Derivation{Op: f.Derived.Op, Of: some(f.Derived.Of)}
	}
	for _, e := range f.Earlier {
		out.Earlier = append(out.Earlier, Former(e))
	}
	return out
}

func exportTyped(s *state.State, c *state.Challenge) *Typed {
	o := c.Typed
	if o == nil {
		return nil
	}
	out := &Typed{
		Category: o.Category, Severity: dialectic.Severity(o.Severity), Predicate: o.Predicate, Flag: o.Flag,
		Evidence: some(o.Evidence), Owed: []string{}, Verdict: dialectic.Ruling(o.Verdict),
	}
	for _, r := range resolver.Owed(s, c) {
		out.Owed = append(out.Owed, r.Text)
	}
	return out
}
