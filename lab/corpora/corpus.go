package corpora

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moot/lab/measure"
	"moot/ledger"
)

//go:embed security
var builtIn embed.FS

// BuiltIn is the name of the built-in corpus, and of the domain that its question belongs to.
const BuiltIn = "security"

// Scenario is a case with the facts that it is heard on.
type Scenario struct {
	measure.Case
	// Technique is that of MITRE ATT&CK, Tactic its tactic, or "".
	Technique, Tactic string
	// Reason says why the outcome is the expected one, or "".
	Reason string
	// Twin is the id of a scenario that looks alike and is expected to come out
	// otherwise, or "".
	Twin string
	// Place is the file, with the line where there are several scenarios in it.
	Place string
	// Packet is frozen.
	Packet *ledger.Packet
}

// Broken is a scenario that cannot be heard, or a file that holds none.
type Broken struct {
	// Place is the file, with the line where there are several scenarios in it.
	Place string
	// ID is that of the scenario, "" where it is not known.
	ID string
	// What is wrong with it, all of it.
	What []string
}

// Corpus is scenarios in their order: by half, those without one first, and within it
// by file and line.
type Corpus struct {
	// Name is that of the corpus, or the path of its folder.
	Name      string
	Scenarios []Scenario
	// Broken are the scenarios that were left out, in the order in which they were read.
	Broken []Broken
}

// Open reads a corpus by its name, or that of a folder. The error says that there is
// no such folder, that it could not be read, or that it holds no scenario, not even a
// broken one.
func Open(name string) (Corpus, error) {
	if name == BuiltIn {
		files, err := fs.Sub(builtIn, name)
		if err != nil {
			return Corpus{}, fmt.Errorf("open the corpus %s: %w", name, err)
		}
		return Read(files, name)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why := "name a folder of scenarios"
		if filepath.Base(name) == "change" {
			why = "the corpus change was removed; name a folder of your own scenarios"
		}
		return Corpus{}, fmt.Errorf("open the corpus: there is no folder %s; %s is built in, otherwise %s", name, BuiltIn, why)
	case err != nil:
		return Corpus{}, fmt.Errorf("open the corpus: %w", err)
	case !info.IsDir():
		return Corpus{}, fmt.Errorf("open the corpus: %s is no folder; name the folder that its scenarios lie in", name)
	}
	return Read(os.DirFS(name), name)
}

// Cases are the scenarios without their facts.
func (c *Corpus) Cases() []measure.Case {
	cases := make([]measure.Case, len(c.Scenarios))
	for i := range c.Scenarios {
		cases[i] = c.Scenarios[i].Case
	}
	return cases
}

// Select returns the corpus with the scenarios of the halves and tiers, every one
// where none is named; limit is how many there are of each half at most, 0 for all.
func (c *Corpus) Select(halves []measure.Half, tiers []measure.Tier, limit int) Corpus {
	chosen := Corpus{Name: c.Name, Broken: c.Broken}
	taken := map[measure.Half]int{}
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		fits := (len(halves) == 0 || slices.Contains(halves, s.Half)) && (len(tiers) == 0 || slices.Contains(tiers, s.Tier))
		if !fits || limit > 0 && taken[s.Half] >= limit {
			continue
		}
		taken[s.Half]++
		chosen.Scenarios = append(chosen.Scenarios, *s)
	}
	return chosen
}

// Digest names the scenarios, "sha256:" and 64 hex digits: their ids, halves, tiers,
// labels and facts, in whatever files and words they stand.
func (c *Corpus) Digest() string {
	var text strings.Builder
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		fmt.Fprintf(&text, "%q %q %q %q %q\n", s.ID, s.Half, s.Tier, s.Expected, s.Packet.Digest())
	}
	sum := sha256.Sum256([]byte(text.String()))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Loose is a twin that is none.
type Loose struct{ ID, Twin, What string }

// Twins counts the scenarios that have a twin in the corpus, and says which twins are
// none: not there, in the other half, or with the same outcome.
func (c *Corpus) Twins() (paired int, loose []Loose) {
	known := map[string]*Scenario{}
	for i := range c.Scenarios {
		known[c.Scenarios[i].ID] = &c.Scenarios[i]
	}
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		if s.Twin == "" {
			continue
		}
		twin, there := known[s.Twin]
		switch {
		case !there:
			loose = append(loose, Loose{s.ID, s.Twin, "it is not in the corpus"})
		case twin.Half != s.Half:
			loose = append(loose, Loose{s.ID, s.Twin, "it is in the other half, so that what is made on the one is tested on the like of it"})
		case twin.Expected == s.Expected:
			loose = append(loose, Loose{s.ID, s.Twin, "it is expected to come out the same"})
		default:
			paired++
		}
	}
	return paired, loose
}
