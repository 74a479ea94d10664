package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/domain"
	"moot/lab/corpora"
	"moot/lab/learn"
	"moot/lab/measure"
	"moot/plain"
	"moot/state"
)

// learnOptions are what moot lab learn was told.
type learnOptions struct {
	domain string
	alone  bool
	out    string
}

func newLabLearn(c *Console) *cobra.Command {
	o := &learnOptions{}
	cmd := &cobra.Command{
		Use:   "learn FOLDER...",
		Short: "Learn the weights of a domain from scenarios whose facts people have sorted",
		Long: "Learn the weights of a domain (what words say of a fact, how far a record accounts for an\n" +
			"act, what it all comes to) from the scenarios of folders that have roles. Each file is\n" +
			"judged by what was learnt from the others, and the table says how often that was right;\n" +
			"the weights that are written are learnt from all. docs/domains.md tells the form.",
		Example: "  moot lab learn lab/practice/security lab/corpora/security/development\n" +
			"  moot lab learn ./incidents --domain mine.toml --output mine.weights.toml\n" +
			"  cat mine.weights.toml >> mine.toml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("the folder is missing; for example: moot lab learn lab/practice/security")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), c, args)
		},
	}
	group(cmd, "What is learnt", func(f *pflag.FlagSet) {
		f.StringVar(&o.domain, "domain", domain.Names()[0], "whose weights: "+strings.Join(domain.Names(), ", ")+", or the path of a file; weights\nthat it has are not looked at")
		f.BoolVar(&o.alone, "rules-alone", false, "learn no words: weights for a domain that goes by its rules")
	})
	group(cmd, "Where it goes", func(f *pflag.FlagSet) {
		f.StringVarP(&o.out, "output", "o", "", "write the weights to this file, in TOML")
	})
	return cmd
}

func (o *learnOptions) run(ctx context.Context, c *Console, folders []string) error {
	book, err := readDomain(c, o.domain)
	if err != nil {
		return err
	}
	if err := o.check(c); err != nil {
		return err
	}
	if !o.alone {
		sayUnread(c, &book)
	}
	var scenarios []corpora.Scenario
	broken := 0
	for _, folder := range folders {
		corpus, err := openCorpus(c, []string{folder})
		if err != nil {
			return err
		}
		sayBroken(c, &corpus)
		broken += len(corpus.Broken)
		for i := range corpus.Scenarios {
			corpus.Scenarios[i].Place = path.Join(filepath.ToSlash(folder), corpus.Scenarios[i].Place)
		}
		scenarios = append(scenarios, corpus.Scenarios...)
	}
	learnt, err := learnUntilLeft(ctx, c, learn.Options{Domain: book, RulesAlone: o.alone, Progress: func(done, of int) {
		c.Say("learnt     %d of %d", done, of)
	}}, scenarios)
	if err != nil {
		return err
	}
	if err := c.Print(learntTable(learnt)); err != nil {
		return err
	}
	if err := o.write(c, learnt); err != nil {
		return err
	}
	if broken > 0 {
		return &codeError{code: ExitFound, err: fmt.Errorf("%s %s broken, and nothing was learnt from what is", plain.Counted(broken, "scenario"), isOrAre(broken))}
	}
	return nil
}

// check refuses an output before anything is learnt that nobody could write at the end.
func (o *learnOptions) check(c *Console) error {
	if o.out == "" {
		return nil
	}
	if _, err := os.Lstat(c.path(o.out)); err == nil {
		return usage("--output %s: it is there already; name another file, or remove it", o.out)
	}
	if info, err := os.Stat(filepath.Dir(c.path(o.out))); err != nil || !info.IsDir() {
		return usage("--output %s: there is no such folder", o.out)
	}
	return nil
}

// learnUntilLeft learns until it is done or a signal comes.
func learnUntilLeft(ctx context.Context, c *Console, options learn.Options, scenarios []corpora.Scenario) (*learn.Learnt, error) {
	ctx, left, stop := c.untilLeft(ctx)
	defer stop()
	learnt, err := learn.Learn(ctx, options, scenarios)
	switch {
	case errors.Is(err, learn.ErrTooFew):
		return nil, usage("%w", err)
	case errors.Is(err, context.Canceled):
		return nil, &codeError{code: left(), err: errors.New("left before everything was learnt: nothing was written")}
	}
	return learnt, err
}

// write keeps the weights.
func (o *learnOptions) write(c *Console, learnt *learn.Learnt) error {
	if o.out == "" {
		c.Say("note       nothing was written; --output FILE writes the weights")
		return nil
	}
	text := fmt.Sprintf("# Weights that moot lab learn made of %s.\n\n%s", plain.Counted(learnt.Scenarios, "scenario"), domain.WriteWeights(&learnt.Weights))
	const mode = 0o644
	if err := os.WriteFile(c.path(o.out), []byte(text), mode); err != nil {
		return fmt.Errorf("write the weights: %w", err)
	}
	c.Say("written    %s: %s", plain.Line(o.out), plain.Counted(len(learnt.Weights.Terms), "term"))
	return nil
}

// learntTable is how often what was learnt from other files was right.
func learntTable(learnt *learn.Learnt) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %s; each file judged by what was learnt from the others\n\n", plain.Counted(learnt.Scenarios, "scenario"), plain.Counted(learnt.Facts, "fact"))
	fmt.Fprintf(&out, "%-16s %12s %8s   %s\n", "of", "right", "share", "95 % interval")
	row := func(name string, in func(*learn.Checked) bool) {
		var p measure.Proportion
		for i := range learnt.Checked {
			if one := &learnt.Checked[i]; in(one) {
				p.Add(one.Outcome == one.Expected)
			}
		}
		if p.Total == 0 {
			return
		}
		const hundred = 100
		low, high := p.Wilson()
		fmt.Fprintf(&out, "%-16s %4d of %-4d %6.1f %%   %.0f to %.0f %%\n", name, p.Hits, p.Total, hundred*p.Share(), hundred*low, hundred*high)
	}
	for _, tier := range measure.Tiers() {
		row(string(tier), func(one *learn.Checked) bool { return one.Tier == tier })
	}
	for _, outcome := range state.Outcomes() {
		row(string(outcome), func(one *learn.Checked) bool { return one.Expected == outcome })
	}
	row("all", func(*learn.Checked) bool { return true })
	return out.String()
}
