package endpoint

import (
	_ "embed" // The prices are a file of their own.
	"fmt"
	"strings"

	"moot/config"
)

//go:embed prices.toml
var priceFile []byte

// Price is what a model costs, in US dollars per million tokens.
type Price struct {
	// In is for tokens of the prompt, Out for those of the reply with its
	// reasoning.
	In  float64 `toml:"in"`
	Out float64 `toml:"out"`
	// AsOf is the month in which the price was read, "2026-03", or "".
	AsOf string `toml:"as_of"`
}

// Cost returns what so many tokens cost in US dollars. Discounts for cached
// prompts are not counted: it is an upper bound.
func (p Price) Cost(promptTokens, completionTokens int) float64 {
	return (float64(promptTokens)*p.In + float64(completionTokens)*p.Out) / 1e6
}

// Prices returns the table that moot is built with, by model name. The error
// says that the file built into the program is damaged.
func Prices() (map[string]Price, error) {
	var file struct {
		AsOf   string           `toml:"as_of"`
		Models map[string]Price `toml:"models"`
	}
	if err := config.Strict(priceFile, &file); err != nil {
		return nil, fmt.Errorf("reading the prices that moot is built with: %w", err)
	}
	for name, price := range file.Models {
		if price.AsOf == "" {
			price.AsOf = file.AsOf
			file.Models[name] = price
		}
	}
	return file.Models, nil
}

// findPrice looks a model up under its own name, then under the name that its
// vendor lists it by; first in the user's prices, then in the table.
func (c Config) findPrice() (Price, bool) {
	if price, ok := lookUp(c.Prices, c.Model); ok {
		return price, true
	}
	if c.Local {
		return Price{}, true
	}
	table, err := Prices()
	if err != nil {
		return Price{}, false
	}
	return lookUp(table, c.Model)
}

// lookUp finds a model in a table of prices.
func lookUp(table map[string]Price, model string) (Price, bool) {
	for _, name := range []string{model, bareModel(model), listedModel(model)} {
		if price, ok := table[name]; ok {
			return price, true
		}
	}
	return Price{}, false
}

// bareModel returns a model's name without the vendor: "openai/o3" is "o3",
// "models/gemini-2.5-pro" is "gemini-2.5-pro".
func bareModel(model string) string {
	return strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
}

// listedModel returns the bare name without what only pins a version of it:
// "-latest", "-preview", "-2025-08-07", "-20251001".
func listedModel(model string) string {
	name := bareModel(model)
	name = strings.TrimSuffix(strings.TrimSuffix(name, "-latest"), "-preview")
	trimmed := strings.TrimRight(name, "0123456789-")
	if suffix := name[len(trimmed):]; strings.HasPrefix(suffix, "-20") || strings.Contains(suffix, "-20") {
		name = name[:len(trimmed)+strings.Index(suffix, "-20")]
	}
	return name
}
