package lab

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/hearing/judge"
)

//go:embed security
var builtIn embed.FS

// BuiltInCorpus is the name of the built-in corpus, and of the domain that its question belongs to.
const BuiltInCorpus = "security"

// Scenario is a case with its facts.
type Scenario struct {
	Case
	// Reason says why the outcome is the expected one, or "".
	Reason string
	// Twin is the id of a similar scenario with another expected outcome, or "".
	Twin string
	// Place is the file, with the line if it has several scenarios.
	Place string
	// Packet is frozen.
	Packet *ledger.Packet
}

// Broken is an invalid scenario, or a file without a valid one.
type Broken struct {
	// Place is the file, with the line if it has several scenarios.
	Place string
	// ID is the id of the scenario, or "".
	ID string
	// What lists all errors.
	What []string
}

// Corpus is scenarios in their order: by half, those without one first, and within it
// by file and line.
type Corpus struct {
	// Name is the name of the corpus, or the path of its folder.
	Name      string
	Scenarios []Scenario
	// Broken are the scenarios that were left out, in the order in which they were read.
	Broken []Broken
}

// OpenCorpus reads a corpus by its name, or that of a folder. It fails if the folder does not
// exist, cannot be read, or has no scenario, not even a broken one.
func OpenCorpus(name string) (Corpus, error) {
	if name == BuiltInCorpus {
		files, err := fs.Sub(builtIn, name)
		if err != nil {
			return Corpus{}, fmt.Errorf("open the corpus %s: %w", name, err)
		}
		return ReadCorpus(files, name)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Corpus{}, fmt.Errorf("open the corpus: there is no folder %s; %s is built in, otherwise name a folder "+
			"of "+
			"scenarios", name, BuiltInCorpus)
	case err != nil:
		return Corpus{}, fmt.Errorf("open the corpus: %w", err)
	case !info.IsDir():
		return Corpus{}, fmt.Errorf("open the corpus: %s is no folder; name the folder that its scenarios lie in", name)
	}
	return ReadCorpus(os.DirFS(name), name)
}

// Cases returns the scenarios without their facts.
func (c *Corpus) Cases() []Case {
	return lists.Map(c.Scenarios, func(one Scenario) Case { return one.Case })
}

// Select returns the corpus with only the scenarios of some halves, nil for all. limit is the maximum per half, or 0.
func (c *Corpus) Select(halves []Half, limit int) Corpus {
	chosen := Corpus{Name: c.Name, Broken: c.Broken}
	taken := map[Half]int{}
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		if halves != nil && !slices.Contains(halves, s.Half) || limit > 0 && taken[s.Half] >= limit {
			continue
		}
		taken[s.Half]++
		chosen.Scenarios = append(chosen.Scenarios, *s)
	}
	return chosen
}

// Digest names the scenarios, "sha256:" and 64 hex digits: their ids, halves, tiers, labels and
// facts. It does not depend on their files or formatting.
func (c *Corpus) Digest() string {
	var text strings.Builder
	for i := range c.Scenarios {
		s := &c.Scenarios[i]
		fmt.Fprintf(&text, "%q %q %q %q %q\n", s.ID, s.Half, s.Tier, s.Expected, s.Packet.Digest())
	}
	return ledger.Digest([]byte(text.String()))
}

// mostMistakes is the maximum number of mistakes reported for a packet.
const mostMistakes = 5

// ReadCorpus reads the scenarios of a folder and its subfolders: one from each *.json file, one per line from *.jsonl.
// Scenarios in the subfolders development and test belong to that half; others have none unless they name one. name
// is the name of the corpus. It fails if the folder cannot be read or has no scenarios.
func ReadCorpus(files fs.FS, name string) (Corpus, error) {
	r := reader{files: files, corpus: Corpus{Name: name}, places: map[string]string{}}
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		ending := path.Ext(file)
		hidden := file != "." && strings.HasPrefix(entry.Name(), ".")
		switch {
		case err != nil && file == ".":
			return err
		case err != nil:
			r.broken(file, "", err.Error())
			return fs.SkipDir
		case hidden && entry.IsDir():
			return fs.SkipDir
		case entry.IsDir() || hidden || ending != ".json" && ending != ".jsonl":
			return nil
		}
		r.read(file, ending == ".jsonl")
		return nil
	})
	switch {
	case err != nil:
		return Corpus{}, fmt.Errorf("read the corpus %s: %w", name, err)
	case len(r.corpus.Scenarios)+len(r.corpus.Broken) == 0:
		return Corpus{}, fmt.Errorf("the corpus %s holds no scenario: there is no file *.json or *.jsonl in it", name)
	}
	slices.SortStableFunc(r.corpus.Scenarios, func(a, b Scenario) int {
		return cmp.Compare(slices.Index(Halves(), a.Half), slices.Index(Halves(), b.Half))
	})
	return r.corpus, nil
}

// reader reads the files of a corpus one after the other.
type reader struct {
	files  fs.FS
	corpus Corpus
	// places has the first place of each id.
	places map[string]string
}

func (r *reader) broken(place, id string, what ...string) {
	r.corpus.Broken = append(r.corpus.Broken, Broken{Place: place, ID: id, What: what})
}

// read reads one file, which has several scenarios if lines is set.
func (r *reader) read(name string, lines bool) {
	// Check the file before opening it: opening a pipe waits for a writer.
	if info, err := fs.Stat(r.files, name); err != nil || !info.Mode().IsRegular() {
		r.broken(name, "", "it is no regular file")
		return
	}
	text, err := fs.ReadFile(r.files, name)
	if err != nil {
		r.broken(name, "", err.Error())
		return
	}
	objects := jsonlines.NewReader(text)
	for first := true; ; first = false {
		object, err := objects.Next()
		var wrong *jsonlines.Error
		switch {
		case errors.Is(err, io.EOF):
			return
		case errors.As(err, &wrong):
			r.broken(name, "", wrong.Error())
			if !lines {
				return
			}
			continue
		case !lines && !first:
			r.broken(name, "", "a second object follows; scenarios line by line are in a file *.jsonl")
			return
		}
		place := name
		if lines {
			place = fmt.Sprintf("%s:%d", name, objects.Line())
		}
		r.take(place, object)
	}
}

// fields are the members of a scenario.
type fields struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Tier      Tier           `json:"tier"`
	Technique string         `json:"mitre"`
	Tactic    string         `json:"tactic"`
	Expected  judge.Outcome  `json:"expected"`
	Half      Half           `json:"half"`
	Reason    string         `json:"reason"`
	Twin      string         `json:"twin"`
	Packet    jsontext.Value `json:"packet"`
}

// take reads one scenario, and keeps it if it is valid.
func (r *reader) take(place string, text jsontext.Value) {
	var f fields
	if err := jsonlines.Decode(text, &f); err != nil {
		what := err.Error()
		if fault, is := errors.AsType[*jsonlines.Fault](err); is {
			what = strings.TrimPrefix(jsonlines.Dotted(fault.At)+": "+fault.What, ": ")
		}
		r.broken(place, f.ID, what)
		return
	}
	var wrong []string
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, must := range [][2]string{{"id", f.ID}, {"tier", string(f.Tier)}, {"expected", string(f.Expected)}} {
		if must[1] == "" {
			note("%s: it is missing", must[0])
		}
	}
	folder, _, _ := strings.Cut(place, "/")
	if half := Half(folder); folder != place && slices.Contains(Halves(), half) {
		if f.Half != NoHalf && f.Half != half {
			note("half: it says %s, but it is in the folder %s", f.Half, half)
		}
		f.Half = half
	}
	packet := packetOf(f.Packet, note)
	if first, twice := r.places[f.ID]; twice {
		note("its id is that of %s", first)
	} else if f.ID != "" {
		r.places[f.ID] = place
	}
	if len(wrong) > 0 {
		r.broken(place, f.ID, wrong...)
		return
	}
	r.corpus.Scenarios = append(r.corpus.Scenarios, Scenario{
		Case:  Case{ID: f.ID, Name: f.Name, Tier: f.Tier, Expected: f.Expected, Half: f.Half},
		Place: place, Packet: packet, Reason: f.Reason, Twin: f.Twin,
	})
}

// packetOf reads and freezes the packet.
func packetOf(value jsontext.Value, note func(string, ...any)) *ledger.Packet {
	if kind := value.Kind(); kind == jsontext.KindInvalid || kind == jsontext.KindNull {
		note("packet: it is missing")
		return nil
	}
	packet, mistakes, err := ledger.CheckPacket(bytes.NewReader(value), "", mostMistakes)
	for _, m := range mistakes {
		// The line is relative to the packet's text, not to the file.
		m.Line = 0
		note("%s", m.Error())
	}
	if err != nil {
		note("packet: %s", err)
	}
	return packet
}
