package endpoint

import (
	"cmp"
	_ "embed" // The prices are a file of their own.
	"fmt"
	"strings"
	"time"

	"moot/config"
)

// Settings are the options of model calls. Options that a server rejects are dropped.
type Settings struct {
	// Temperature is from 0 to 2, or nil for the endpoint's default. It is never sent to reasoning models.
	Temperature *float64
	// MaxTokens limits a reply including its reasoning; 0 leaves it to the endpoint.
	MaxTokens int
	// Effort is the reasoning effort, one of config.Efforts; "" leaves it to the endpoint.
	Effort string
}

// Over fills in missing settings from below.
func (s Settings) Over(below Settings) Settings {
	s.Temperature = cmp.Or(s.Temperature, below.Temperature)
	s.MaxTokens = cmp.Or(s.MaxTokens, below.MaxTokens)
	s.Effort = cmp.Or(s.Effort, below.Effort)
	return s
}

// Limits bound one call. Zero or negative fields use the default.
type Limits struct {
	// Attempts is the maximum number of attempts; default 5. A request that only drops a rejected option does not
	// count.
	Attempts int
	// BaseWait is the first wait between attempts; default 1 s. It doubles each time up to MaxWait (default 30 s) and
	// is then randomized by half.
	BaseWait, MaxWait time.Duration
	// MaxRetryAfter is the longest wait that a server may request; default 2 min. If it requests more, the call fails
	// at once.
	MaxRetryAfter time.Duration
	// Connect is how long a connection may take; default 10 s.
	Connect time.Duration
	// FirstToken is how long the first piece of the reply or its reasoning may take; default 5 min, since a local
	// model first processes the whole prompt.
	FirstToken time.Duration
	// Idle is the longest silence after that; default 60 s. SSE comments, which proxies send as keep-alives, do not
	// count.
	Idle time.Duration
	// Total is how long a call may take including retries and waits; default 15 min.
	Total time.Duration
	// MaxReplyBytes is the maximum size of a reply; default 1 MiB.
	MaxReplyBytes int
	// Probe is how long Survey may take; default 1 s.
	Probe time.Duration
}

// DefaultLimits returns the default of every limit.
func DefaultLimits() Limits { return Limits{}.filled() }

func (l Limits) filled() Limits {
	return Limits{
		Attempts:      cmp.Or(max(l.Attempts, 0), 5),
		BaseWait:      cmp.Or(max(l.BaseWait, 0), time.Second),
		MaxWait:       cmp.Or(max(l.MaxWait, 0), 30*time.Second),
		MaxRetryAfter: cmp.Or(max(l.MaxRetryAfter, 0), 2*time.Minute),
		Connect:       cmp.Or(max(l.Connect, 0), 10*time.Second),
		FirstToken:    cmp.Or(max(l.FirstToken, 0), 5*time.Minute),
		Idle:          cmp.Or(max(l.Idle, 0), time.Minute),
		Total:         cmp.Or(max(l.Total, 0), 15*time.Minute),
		MaxReplyBytes: cmp.Or(max(l.MaxReplyBytes, 0), 1<<20),
		Probe:         cmp.Or(max(l.Probe, 0), time.Second),
	}
}

//go:embed prices.toml
var priceFile []byte

// Price is the price of a model in US dollars per million tokens.
type Price struct {
	In  float64 `toml:"in"`
	Out float64 `toml:"out"`
	// AsOf is the month of the price, such as "2026-03", or "".
	AsOf string `toml:"as_of"`
}

// Cost returns the cost of these tokens in US dollars. It is an upper bound, since it ignores discounts for cached
// prompts.
func (p Price) Cost(promptTokens, completionTokens int) float64 {
	return (float64(promptTokens)*p.In + float64(completionTokens)*p.Out) / 1e6
}

// Prices returns the built-in prices by model name.
func Prices() (map[string]Price, error) {
	var file struct {
		AsOf   string           `toml:"as_of"`
		Models map[string]Price `toml:"models"`
	}
	if err := config.Strict(priceFile, &file); err != nil {
		return nil, fmt.Errorf("reading the built-in prices: %w", err)
	}
	return file.Models, nil
}

// findPrice looks up the model, first in the user's prices, then in the built-in table, by its exact name and then by
// its listed name.
func (c *Config) findPrice() (Price, bool) {
	if price, ok := lookUp(c.Prices, c.Model); ok || c.Free {
		return price, true
	}
	table, err := Prices()
	if err != nil {
		return Price{}, false
	}
	return lookUp(table, c.Model)
}

func lookUp(table map[string]Price, model string) (Price, bool) {
	for _, name := range []string{model, bareModel(model), listedModel(model)} {
		if price, ok := table[name]; ok {
			return price, true
		}
	}
	return Price{}, false
}

// bareModel drops the vendor: "openai/o3" becomes "o3".
func bareModel(model string) string {
	return strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
}

// listedModel drops a suffix that only pins a version: "-latest", "-preview",
// "-2025-08-07", "-20251001".
func listedModel(model string) string {
	name := bareModel(model)
	name = strings.TrimSuffix(strings.TrimSuffix(name, "-latest"), "-preview")
	trimmed := strings.TrimRight(name, "0123456789-")
	if i := strings.Index(name[len(trimmed):], "-20"); i >= 0 {
		name = name[:len(trimmed)+i]
	}
	return name
}
