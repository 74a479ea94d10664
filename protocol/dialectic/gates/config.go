package gates

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/ledger"
)

// Config sets how strict the resolver is. Missing settings take defaults.
type Config struct {
	// Thresholds is the confidence that evidence needs to settle an objection, 0 to 1, by category. An unlisted
	// category takes the highest.
	Thresholds map[string]float64 `json:"thresholds"`
	// Allow lists the source kinds that may decide, by severity. llm-inference is only allowed for LOW.
	Allow map[Severity][]ledger.SourceKind `json:"allow"`
	// Authority orders the source kinds, strongest first. Missing ones follow in the order of
	// ledger.SourceKinds.
	Authority []ledger.SourceKind `json:"authority"`
	// MaxRounds is the number of the last round, 1 or more.
	MaxRounds int `json:"maxRounds"`
	// Freshness is the maximum age of an item at Input.AsOf, by source kind. Kinds that are not listed have no
	// limit.
	Freshness map[ledger.SourceKind]Age `json:"freshness"`
}

// DefaultConfig returns the defaults.
func DefaultConfig() Config {
	decide := []ledger.SourceKind{ledger.UserOverride, ledger.LiveAPI, ledger.OfficialSource, ledger.DomainEvidence}
	return Config{
		Thresholds: map[string]float64{
			"Regulatory": 0.85, "Safety": 0.80, "External-Availability": 0.75, "Factual": 0.70, "Categorical": 0.65,
		},
		Allow: map[Severity][]ledger.SourceKind{
			Blocking: decide,
			High:     append(decide[:4:4], ledger.FreshResearch),
			Medium:   append(decide[:4:4], ledger.FreshResearch, ledger.ModeledFallback),
			Low:      ledger.SourceKinds(),
		},
		Authority: ledger.SourceKinds(),
		MaxRounds: 3,
		Freshness: map[ledger.SourceKind]Age{},
	}
}

// Over returns c with missing settings taken from base.
func (c Config) Over(base Config) Config {
	merged := base
	merged.Thresholds = overlay(base.Thresholds, c.Thresholds)
	merged.Allow = overlay(base.Allow, c.Allow)
	merged.Freshness = overlay(base.Freshness, c.Freshness)
	if len(c.Authority) > 0 {
		merged.Authority = c.Authority
	}
	if c.MaxRounds != 0 {
		merged.MaxRounds = c.MaxRounds
	}
	return merged
}

// overlay merges two maps; entries of over win.
func overlay[K comparable, V any](base, over map[K]V) map[K]V {
	both := make(map[K]V, len(base)+len(over))
	maps.Copy(both, base)
	maps.Copy(both, over)
	return both
}

// Age is a maximum age, written as a Go duration ("90m", "24h") or in days ("7d").
type Age time.Duration

// String returns days if the age is a whole number of them.
func (a Age) String() string {
	const day = 24 * time.Hour
	if d := time.Duration(a); d%day == 0 {
		return strconv.Itoa(int(d/day)) + "d"
	}
	return time.Duration(a).String()
}

// MarshalText writes the age.
func (a Age) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads an age above zero.
func (a *Age) UnmarshalText(text []byte) error {
	word := string(text)
	if days, ok := strings.CutSuffix(word, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n <= 36500 {
			*a = Age(time.Duration(n) * 24 * time.Hour)
			return nil
		}
	}
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not an age; write it as 90m, 24h or 7d", word)
	}
	*a = Age(d)
	return nil
}

// threshold returns the threshold of a category. Unlisted categories take the highest.
func (c *Config) threshold(category string) float64 {
	if t, ok := c.Thresholds[category]; ok {
		return t
	}
	highest := 0.0
	for _, t := range c.Thresholds {
		highest = max(highest, t)
	}
	return highest
}

// allows reports whether a source kind may decide at a severity. What a model says decides nothing above LOW,
// whatever is configured. An unknown severity counts as the most severe.
func (c *Config) allows(kind ledger.SourceKind, severity Severity) bool {
	return slices.Contains(c.Allow[Severities()[severity.Gravity()]], kind) &&
		(kind != ledger.LLMInference || severity == Low)
}

// rank returns the place of a source kind in the order of authority: kinds that are not configured follow in the
// order of ledger.SourceKinds.
func (c *Config) rank(kind ledger.SourceKind) int {
	if at := slices.Index(c.Authority, kind); at >= 0 {
		return at
	}
	return len(c.Authority) + slices.Index(ledger.SourceKinds(), kind)
}

// Decides reports whether verified evidence of a source kind, with a confidence, may decide an objection.
func (c *Config) Decides(severity Severity, category string, kind ledger.SourceKind, confidence float64) bool {
	return c.allows(kind, severity) && confidence >= c.threshold(category)
}
