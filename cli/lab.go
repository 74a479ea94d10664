package cli

import (
	"bufio"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/lab/corpora"
	"moot/lab/measure"
	"moot/lab/results"
)

func newLab(c *Console) *cobra.Command {
	return parent(&cobra.Command{
		Use: "lab",
	}, newLabRun(c))
}

// openCorpus opens the named corpus, or the one that is built in.
func openCorpus(c *Console, args []string) (corpora.Corpus, error) {
	if len(args) == 0 || args[0] == corpora.BuiltIn {
		return corpora.Open(corpora.BuiltIn)
	}
	corpus, err := corpora.Open(c.path(args[0]))
	if err != nil {
		return corpus, usage("%w", err)
	}
	corpus.Name = args[0]
	return corpus, nil
}

// sayBroken lists the broken scenarios of a corpus.
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

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// readResults reads a file of results; - is standard input.
func readResults(c *Console, name string) (measure.Document, error) {
	const maxBytes = 1 << 30
	from := c.In
	if name != "-" {
		file, err := openNamed(c, name)
		if err != nil {
			return measure.Document{}, err
		}
		defer file.Close()
		from = file
	}
	return measure.Read(io.LimitReader(bufio.NewReader(from), maxBytes))
}

// showResults prints the tables of results: few (accuracy, also by tier, and outcomes) or all.
func showResults(c *Console, d *measure.Document, all bool) error {
	lines := []string{plain.Line(d.Title)}
	if broken := results.Broken(d); broken != "" {
		lines = append(lines, broken)
	}
	for _, line := range d.Stated {
		const indent = "  "
		line = plain.Line(line)
		if c.Width > len(indent) {
			line = strings.ReplaceAll(ansi.Wordwrap(line, c.Width-len(indent), ""), "\n", "\n"+indent)
		}
		lines = append(lines, "- "+line)
	}
	for _, t := range results.Tables(d) {
		if t.Chief || all {
			lines = append(lines, "\n"+strings.TrimSuffix(t.Text(c.Width), "\n"))
		}
	}
	if !all {
		c.Say("note       --all shows more tables")
	}
	return c.Print(strings.Join(lines, "\n") + "\n")
}
