package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/plain"
	"moot/lab/corpora"
	"moot/lab/measure"
	"moot/lab/results"
	"moot/state"
)

func newLab(c *Console) *cobra.Command {
	cmd := parent(&cobra.Command{
		Use: "lab",
	}, newLabRun(c), newLabCorpus(c), newLabReport(c))
	for name, instead := range map[string]string{
		"learn":        "weights are no longer learned; the rules of a domain are a TOML file, see docs/domains.md",
		"simulate":     "moot lab run measures rules or models on a corpus",
		"all":          "the tests of the project run these cases",
		"citations":    "the tests of the project run these cases",
		"tampering":    "the tests of the project run these cases",
		"consensus":    "the tests of the project run these cases",
		"stubbornness": "the tests of the project run these cases",
	} {
		run := func(*cobra.Command, []string) error {
			return usage("moot lab %s was removed: %s", name, instead)
		}
		cmd.AddCommand(&cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, RunE: run})
	}
	return cmd
}

func newLabCorpus(c *Console) *cobra.Command {
	list := false
	cmd := &cobra.Command{
		Use:  "corpus",
		Args: atMostOne("corpus"),
		RunE: func(_ *cobra.Command, args []string) error {
			corpus, err := openCorpus(c, args)
			if err != nil {
				return err
			}
			return checkCorpus(c, &corpus, list)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "also list every scenario")
	return cmd
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

func checkCorpus(c *Console, corpus *corpora.Corpus, list bool) error {
	sayBroken(c, corpus)
	paired, unpaired := corpus.Twins()
	for _, u := range unpaired {
		c.Say("twin       %s names %s: %s", plain.Line(u.ID), plain.Line(u.Twin), u.What)
	}
	scenarios := plain.Counted(len(corpus.Scenarios), "scenario")
	var out strings.Builder
	fmt.Fprintf(&out, "corpus %s: %s, %s\n\n", plain.Line(corpus.Name), scenarios, corpus.Digest())
	counts := corpusCounts(corpus)
	out.WriteString(counts.Text(c.Width))
	smallest, largest := 0, 0
	for i := range corpus.Scenarios {
		n := corpus.Scenarios[i].Packet.Len()
		if i == 0 || n < smallest {
			smallest = n
		}
		largest = max(largest, n)
	}
	fmt.Fprintf(&out, "\nfacts   %d to %d in a packet\n", smallest, largest)
	fmt.Fprintf(&out, "twins   %s with a twin of the other outcome in the same half, %d without a match\n",
		plain.Counted(paired, "scenario"), len(unpaired))
	fmt.Fprintf(&out, "broken  %d\n", len(corpus.Broken))
	if list {
		columns := []string{"name", "id", "half", "tier", "expected", "facts"}
		t := results.Table{Title: "every scenario", Columns: columns, Left: 5}
		for i := range corpus.Scenarios {
			s := &corpus.Scenarios[i]
			t.Rows = append(t.Rows, []string{
				plain.Line(s.Name), plain.Line(s.ID), string(s.Half), string(s.Tier), string(s.Expected),
				strconv.Itoa(s.Packet.Len()),
			})
		}
		out.WriteString("\n" + t.Text(c.Width))
	}
	if err := c.Print(out.String()); err != nil {
		return err
	}
	if n := len(corpus.Broken) + len(unpaired); n > 0 {
		return found("%s of the corpus %s wrong", plain.Counted(n, "scenario"), isOrAre(n))
	}
	return nil
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// corpusCounts counts the scenarios by tier, outcome and half.
func corpusCounts(corpus *corpora.Corpus) results.Table {
	halves := []measure.Half{measure.Development, measure.Test, measure.NoHalf}
	columns := []string{"tier", "expected", "development", "test", "neither"}
	t := results.Table{Title: "scenarios by tier, outcome and half", Columns: columns, Left: 2}
	row := func(tier, outcome string, counts []int) {
		cells := []string{tier, outcome}
		for _, n := range counts {
			cells = append(cells, strconv.Itoa(n))
		}
		t.Rows = append(t.Rows, cells)
	}
	total := make([]int, len(halves))
	for _, tier := range measure.Tiers() {
		for _, outcome := range state.Outcomes() {
			counts, counted := make([]int, len(halves)), false
			for i := range corpus.Scenarios {
				if s := &corpus.Scenarios[i]; s.Tier == tier && s.Expected == outcome {
					half := slices.Index(halves, s.Half)
					counts[half]++
					total[half]++
					counted = true
				}
			}
			if counted {
				row(string(tier), string(outcome), counts)
			}
		}
	}
	row("all", "", total)
	return t
}

func newLabReport(c *Console) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:  "report",
		Args: atLeastOne("results file", "moot lab report results.json --out page.html"),
		RunE: func(_ *cobra.Command, args []string) error { return reportLab(c, args, out) },
	}
	cmd.Flags().StringVar(&out, "out", "", "the page to write (default: standard output)")
	return cmd
}

func reportLab(c *Console, names []string, out string) error {
	var files []results.File
	for _, name := range names {
		d, err := readResults(c, name)
		if err != nil {
			return fmt.Errorf("%s: %w; no page was written", name, err)
		}
		files = append(files, results.File{Name: name, Document: d})
	}
	page, err := results.Page(files)
	if err != nil {
		return err
	}
	if out == "" {
		return c.Print(page)
	}
	path, err := writeNew(c.path(out), page)
	if err != nil {
		return err
	}
	c.Say("wrote      %s", path)
	return nil
}

// readResults reads a file of results; - is standard input.
func readResults(c *Console, name string) (measure.Document, error) {
	const maxBytes = 1 << 30
	from := c.In
	if name != "-" {
		file, err := os.Open(c.path(name))
		if errors.Is(err, fs.ErrNotExist) {
			return measure.Document{}, usage("there is no such file")
		}
		if err != nil {
			return measure.Document{}, err
		}
		defer file.Close()
		from = file
	}
	return measure.Read(io.LimitReader(bufio.NewReader(from), maxBytes))
}

// labOutput are the flags for where results go, and which tables are printed.
type labOutput struct{ json, tables string }

// The values of --tables.
const (
	showFew = "few"
	showAll = "all"
)

// flags adds the flags.
func (o *labOutput) flags(f *pflag.FlagSet) {
	f.StringVar(&o.json, "json", "",
		"also write the results to this file, for moot lab report; - prints them instead of the tables")
	f.StringVar(&o.tables, "tables", o.tables, "few (accuracy, also by tier, and outcomes) or all")
}

func (o *labOutput) check() error {
	_, err := oneOf("choice of tables", o.tables, []string{showFew, showAll})
	return err
}

// show prints results as tables or as JSON, and writes the JSON to a file.
func (o *labOutput) show(c *Console, d *measure.Document) error {
	var file bytes.Buffer
	if o.json != "" {
		if err := d.Write(&file); err != nil {
			return err
		}
	}
	if o.json == "-" {
		return c.Print(file.String())
	}
	if err := c.Print(o.text(c, d)); err != nil {
		return err
	}
	if o.tables == showFew {
		c.Say("note       --tables all shows more, and moot lab report draws the results")
	}
	if o.json == "" {
		return nil
	}
	path, err := writeNew(c.path(o.json), file.String())
	if err == nil {
		c.Say("wrote      %s", path)
	}
	return err
}

func (o *labOutput) text(c *Console, d *measure.Document) string {
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
		if !t.Long && (t.Chief || o.tables == showAll) {
			lines = append(lines, "\n"+strings.TrimSuffix(t.Text(c.Width), "\n"))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
