package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/lab/corpora"
	"moot/lab/measure"
	"moot/lab/results"
	"moot/state"
)

func newLabCorpus(c *Console) *cobra.Command {
	list := false
	cmd := &cobra.Command{
		Use:   "corpus [NAME or FOLDER]",
		Short: "Check a corpus, and count its scenarios",
		Long: "Check the scenarios of a corpus, and count them by tier, half and outcome: " + corpora.BuiltIn + ",\n" +
			"which is built in, or those of a folder. A scenario that is broken is named with its file\n" +
			"and with what is wrong, and so is a twin that is none; the exit code is 4 then.",
		Example: "  moot lab corpus\n  moot lab corpus --list\n  moot lab corpus ./incidents",
		Args:    atMostOne("corpus"),
		RunE: func(_ *cobra.Command, args []string) error {
			corpus, err := openCorpus(c, args)
			if err != nil {
				return err
			}
			return checkCorpus(c, &corpus, list)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "also name each scenario")
	return cmd
}

// openCorpus opens the corpus that was named, or the usual one.
func openCorpus(c *Console, args []string) (corpora.Corpus, error) {
	name := corpora.BuiltIn
	if len(args) > 0 {
		name = args[0]
	}
	if name == corpora.BuiltIn {
		return corpora.Open(name)
	}
	corpus, err := corpora.Open(c.path(name))
	if err != nil {
		return corpus, usage("%w", err)
	}
	corpus.Name = name
	return corpus, nil
}

// sayBroken names what is broken in a corpus.
func sayBroken(c *Console, corpus *corpora.Corpus) {
	for _, b := range corpus.Broken {
		place := plain.Line(b.Place)
		if b.ID != "" {
			place += " (" + plain.Line(b.ID) + ")"
		}
		for _, what := range b.What {
			c.Say("broken     %s: %s", place, plain.Line(what))
		}
	}
}

func checkCorpus(c *Console, corpus *corpora.Corpus, list bool) error {
	sayBroken(c, corpus)
	paired, loose := corpus.Twins()
	for _, l := range loose {
		c.Say("twin       %s names %s: %s", plain.Line(l.ID), plain.Line(l.Twin), l.What)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "corpus %s: %s, %s\n\n", plain.Line(corpus.Name), plain.Counted(len(corpus.Scenarios), "scenario"), corpus.Digest())
	counts := corpusCounts(corpus)
	out.WriteString(counts.Text(c.Width))
	fewest, most := factsOfCorpus(corpus)
	fmt.Fprintf(&out, "\nfacts   %d to %d in a packet\n", fewest, most)
	fmt.Fprintf(&out, "twins   %s with a twin of the other outcome in the same half, %d that name one that is none\n", plain.Counted(paired, "scenario"), len(loose))
	fmt.Fprintf(&out, "broken  %d\n", len(corpus.Broken))
	if list {
		scenarios := corpusList(corpus)
		out.WriteString("\n" + scenarios.Text(c.Width))
	}
	if err := c.Print(out.String()); err != nil {
		return err
	}
	if n := len(corpus.Broken) + len(loose); n > 0 {
		return &codeError{code: ExitFound, err: fmt.Errorf("%s of the corpus %s wrong", plain.Counted(n, "scenario"), isOrAre(n))}
	}
	return nil
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// corpusCounts counts the scenarios by tier and outcome, each half apart.
func corpusCounts(corpus *corpora.Corpus) results.Table {
	halves := []measure.Half{measure.Development, measure.Test, measure.NoHalf}
	t := results.Table{Title: "scenarios by tier, outcome and half", Columns: []string{"tier", "expected", "development", "test", "neither"}, Left: 2}
	total := make([]int, len(halves))
	for _, tier := range measure.Tiers() {
		for _, outcome := range state.Outcomes() {
			counts, there := make([]int, len(halves)), false
			for i := range corpus.Scenarios {
				if s := &corpus.Scenarios[i]; s.Tier == tier && s.Expected == outcome {
					half := slices.Index(halves, s.Half)
					counts[half]++
					total[half]++
					there = true
				}
			}
			if there {
				t.Rows = append(t.Rows, append([]string{string(tier), string(outcome)}, digits(counts)...))
			}
		}
	}
	t.Rows = append(t.Rows, append([]string{"all", ""}, digits(total)...))
	return t
}

func digits(counts []int) []string {
	var texts []string
	for _, n := range counts {
		texts = append(texts, strconv.Itoa(n))
	}
	return texts
}

// factsOfCorpus is how many facts the smallest and the largest packet have.
func factsOfCorpus(corpus *corpora.Corpus) (fewest, most int) {
	for i := range corpus.Scenarios {
		n := corpus.Scenarios[i].Packet.Len()
		if i == 0 || n < fewest {
			fewest = n
		}
		most = max(most, n)
	}
	return fewest, most
}

func corpusList(corpus *corpora.Corpus) results.Table {
	t := results.Table{Title: "every scenario", Columns: []string{"name", "id", "half", "tier", "expected", "facts"}, Left: 5}
	for i := range corpus.Scenarios {
		s := &corpus.Scenarios[i]
		t.Rows = append(t.Rows, []string{
			plain.Line(s.Name), plain.Line(s.ID), string(s.Half), string(s.Tier), string(s.Expected), strconv.Itoa(s.Packet.Len()),
		})
	}
	return t
}
