package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/lab/corpora"
	"moot/lab/matrix"
	"moot/lab/measure"
	"moot/protocol"
	"moot/state"
)

// matrixOptions are what moot lab run was told.
type matrixOptions struct {
	console              *Console
	hearing              hearingOptions
	forms, judges, tiers []string
	gate, then, half     string
	rounds, limit        int
	repeats, jobs        int
	keepSecrets          bool
	seats                seatOptions
	table                *labTable
	calls                callOptions
	flagged              *pflag.FlagSet
	kept                 keptResults
	output               labOutput
}

func newLabRun(c *Console) *cobra.Command {
	o := &matrixOptions{console: c, output: labOutput{tables: showFew, pictures: showNone}}
	cmd := &cobra.Command{
		Use:   "run [flags] [CORPUS]",
		Short: "Hold hearings on a corpus, to see what a form and a judge do to accuracy",
		Long: "Hold hearings on the scenarios of a corpus, in every form and before every judge that are\n" +
			"named, and count how often the verdict is the expected one: " + corpora.BuiltIn + ", which is built\n" +
			"in, or a folder. Without flags rules sit on both sides, and no model is asked. The halves\n" +
			"development and test are told apart, and never come into one number. Ctrl-c tells what was\n" +
			"heard by then; with --out it is kept, and --resume goes on.",
		Example: "  moot lab run\n" +
			"  moot lab run --form single,audit --judge v1,v2 --half development\n" +
			"  moot lab run --architect openai:gpt-5.2 --skeptic rules --repeat 3 --out results.json\n" +
			"  moot lab run --architect openai:gpt-5.2 --skeptic rules --repeat 3 --out results.json --resume",
		Args: atMostOne("corpus"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.flags(cmd)
	return cmd
}

func (o *matrixOptions) flags(cmd *cobra.Command) {
	group(cmd, "What is heard", func(f *pflag.FlagSet) {
		f.StringVar(&o.half, "half", "both", "the half of the corpus: development, test, both")
		f.StringSliceVar(&o.tiers, "tier", nil, "the tiers, with commas between them: "+strings.Join(enum.Words(measure.Tiers()), ", ")+"\n(default all)")
		f.IntVar(&o.limit, "limit", 0, "the first so many scenarios of each half (default all)")
		f.IntVar(&o.repeats, "repeat", 1, "how often each scenario is heard, for a mean and a spread")
	})
	group(cmd, "How it is heard", func(f *pflag.FlagSet) {
		f.StringSliceVar(&o.forms, "form", enum.Words(state.Forms()), "the forms, with commas between them")
		f.StringSliceVar(&o.judges, "judge", enum.Words(state.JudgeVersions()), "the versions of the judge, with commas between them")
		f.IntVar(&o.rounds, "rounds", state.DefaultHearingRounds, fmt.Sprintf("how many rounds an exchange takes at most, 2 to %d", state.MaxHearingRounds))
		f.StringVar(&o.gate, "gate", string(state.GateEither), "what sends the form selective on: "+strings.Join(enum.Words(state.Gates()), ", "))
		f.StringVar(&o.then, "then", string(state.FormMulti), "the form that it continues with: multi, anchored, audit")
		f.StringVar(&o.hearing.domain, "domain", "", "the kind of question: security (default), or a TOML file of your own")
	})
	o.seats.flagsOf(cmd, []formatRow{hearingRow()})
	group(cmd, "How it runs", func(f *pflag.FlagSet) {
		f.IntVar(&o.jobs, "jobs", 0, "how many hearings are held at once (default as many as there are processors)")
		f.BoolVar(&o.keepSecrets, "no-redact", false, "leave what looks like a secret in the facts that models are shown")
	})
	group(cmd, "Where it goes", func(f *pflag.FlagSet) {
		o.kept.flags(f)
		o.output.flags(f)
	})
	o.calls.flags(cmd)
	o.flagged = cmd.Flags()
}

func (o *matrixOptions) run(ctx context.Context, args []string) error {
	if err := o.kept.check(o.console, &o.output); err != nil {
		return err
	}
	if err := o.output.check(); err != nil {
		return err
	}
	plan, seating, err := o.plan(args)
	if err != nil {
		return err
	}
	defer o.table.sitting.endPrograms()
	m, err := matrix.New(plan)
	if err != nil {
		return usage("%w", err)
	}
	done, err := o.kept.open(o.console, m)
	if err != nil {
		return err
	}
	if done != nil {
		o.console.Say("whole      nothing was left to hear in %s", o.kept.out)
		return o.tell(done, &plan.Corpus, 0)
	}
	document, code, err := o.hear(ctx, m, seating)
	if err != nil {
		return errors.Join(err, o.kept.leave(o.console))
	}
	if err := o.kept.finish(o.console, &document); err != nil {
		return err
	}
	return o.tell(&document, &plan.Corpus, code)
}

// plan reads all that was given, before anything is heard.
func (o *matrixOptions) plan(args []string) (matrix.Plan, matrix.Seating, error) {
	var plan matrix.Plan
	corpus, err := openCorpus(o.console, args)
	if err != nil {
		return plan, nil, err
	}
	if err := o.words(&plan); err != nil {
		return plan, nil, err
	}
	if plan.Corpus, plan.Selected, err = o.selected(&corpus); err != nil {
		return plan, nil, err
	}
	if o.hearing.domain == "" && corpus.Name == corpora.BuiltIn {
		o.hearing.domain = corpus.Name
	}
	if plan.Domain, err = o.hearing.kind(o.console); err != nil {
		return plan, nil, fmt.Errorf("--domain: %w", err)
	}
	table, err := o.sit()
	if err != nil {
		return plan, nil, err
	}
	o.table, plan.Seats = table, table.seats
	if !table.modelless() && !o.keepSecrets {
		if err := o.redact(&plan.Corpus); err != nil {
			return plan, nil, err
		}
	}
	sayBroken(o.console, &corpus)
	plan.Nonce, err = nonce(o.console.Random)
	return plan, table.seating, err
}

// words reads the numbers, and the words of closed lists.
func (o *matrixOptions) words(plan *matrix.Plan) error {
	var err error
	if plan.Forms, err = wordsOf("form", o.forms, state.Forms()); err != nil {
		return err
	}
	if slices.Contains(o.judges, "claims") {
		return removedJudge()
	}
	if plan.Judges, err = wordsOf("version of the judge", o.judges, state.JudgeVersions()); err != nil {
		return err
	}
	if plan.Gate, err = oneOf("gate", o.gate, state.Gates()); err != nil {
		return err
	}
	if plan.Then, err = oneOf("form to go on with", o.then, []state.Form{state.FormMulti, state.FormAnchored, state.FormAudit}); err != nil {
		return err
	}
	for _, n := range []struct {
		flag              string
		value, from, upTo int
	}{
		{"rounds", o.rounds, 2, state.MaxHearingRounds},
		{"repeat", o.repeats, 1, matrix.MostRepeats},
		{"limit", o.limit, 0, 1 << 30},
		{"jobs", o.jobs, 0, 1 << 10},
	} {
		if n.value < n.from || n.value > n.upTo {
			return usage("--%s is a number from %d to %d, not %d", n.flag, n.from, n.upTo, n.value)
		}
	}
	plan.Rounds, plan.Repeats = o.rounds, o.repeats
	if o.jobs == 0 {
		o.jobs = runtime.GOMAXPROCS(0)
	}
	return nil
}

// wordsOf reads words of a closed list.
func wordsOf[T ~string](what string, words []string, known []T) ([]T, error) {
	var found []T
	for _, word := range words {
		one, err := oneOf(what, word, known)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, nil
}

// selected are the scenarios that are to be heard, and how they were chosen, in words.
func (o *matrixOptions) selected(corpus *corpora.Corpus) (chosen corpora.Corpus, said string, err error) {
	var halves []measure.Half
	if o.half != "both" {
		half, err := oneOf("half", o.half, []measure.Half{measure.Development, measure.Test, "both"})
		if err != nil {
			return chosen, "", err
		}
		halves = []measure.Half{half}
	}
	tiers, err := wordsOf("tier", o.tiers, measure.Tiers())
	if err != nil {
		return chosen, "", err
	}
	chosen = corpus.Select(halves, tiers, o.limit)
	if len(chosen.Scenarios) == 0 {
		sayBroken(o.console, corpus)
		return chosen, "", usage("of the %s of %s none is chosen by --half, --tier and --limit", plain.Counted(len(corpus.Scenarios), "scenario"), corpus.Name)
	}
	words := []string{"both halves"}
	if len(halves) > 0 {
		words[0] = "half " + o.half
	}
	if len(tiers) > 0 {
		words = append(words, "tier "+strings.Join(enum.Words(tiers), " or "))
	}
	if o.limit > 0 {
		words = append(words, fmt.Sprintf("the first %d of each half", o.limit))
	}
	return chosen, strings.Join(words, ", "), nil
}

// heard is what a run came to.
type heard struct {
	document measure.Document
	err      error
}

// hear runs the matrix until it is done or a signal comes. The code is that of the
// signal, or 0. After a second signal nothing is waited for: what was heard is kept.
func (o *matrixOptions) hear(ctx context.Context, m *matrix.Matrix, seating matrix.Seating) (measure.Document, int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals, stop := o.console.signals()
	defer stop()
	p := &labProgress{console: o.console, began: o.console.Now()}
	done := make(chan heard, 1)
	go func() {
		document, err := m.Run(ctx, matrix.Options{Seats: seating, Jobs: o.jobs, Journal: o.kept.journal, Watch: p.tell})
		p.end()
		done <- heard{document, err}
	}()
	code := 0
	for {
		select {
		case got := <-signals:
			if code != 0 {
				return measure.Document{}, code, leaveWith(code)
			}
			code = signalCode(got)
			cancel()
		case h := <-done:
			if !errors.Is(h.err, protocol.ErrStopped) {
				return h.document, 0, h.err
			}
			if code == 0 {
				code = ExitInterrupted
			}
			return h.document, code, nil
		}
	}
}

// tell prints what came out, and says at the end what is missing in it.
func (o *matrixOptions) tell(d *measure.Document, corpus *corpora.Corpus, code int) error {
	if d.Done > 0 {
		if err := o.output.show(o.console, d); err != nil {
			return err
		}
	}
	failed := o.sayFailed(d)
	switch {
	case code != 0:
		return leaveWith(code)
	case failed > 0 && len(corpus.Broken) > 0:
		return &codeError{code: ExitFound, err: fmt.Errorf("%s of the corpus %s broken, and %s failed: they are in no accuracy", plain.Counted(len(corpus.Broken), "scenario"), isOrAre(len(corpus.Broken)), plain.Counted(failed, "session"))}
	case failed > 0:
		return &codeError{code: ExitFound, err: fmt.Errorf("%s failed: they are counted, and in no accuracy", plain.Counted(failed, "session"))}
	case len(corpus.Broken) > 0:
		return &codeError{code: ExitFound, err: fmt.Errorf("%s of the corpus %s broken, and in no figure", plain.Counted(len(corpus.Broken), "scenario"), isOrAre(len(corpus.Broken)))}
	}
	return nil
}

// mostFailures is how many failed sessions are named.
const mostFailures = 20

// sayFailed names the sessions that failed, and counts them.
func (o *matrixOptions) sayFailed(d *measure.Document) int {
	said := map[string]bool{}
	for i := range d.Runs {
		mode := &d.Runs[i].Mode
		name := mode.FormName()
		if mode.Form == state.FormSelective {
			// Each judge has a session of its own there.
			name += ", " + string(mode.Judge)
		}
		for j := range d.Runs[i].Results {
			r := &d.Runs[i].Results[j]
			line := fmt.Sprintf("%s, %s, repeat %d: %s", plain.Line(r.Case), name, r.Repeat, plain.Line(r.Failed))
			if r.Failed == "" || said[line] {
				continue
			}
			if said[line] = true; len(said) <= mostFailures {
				o.console.Say("failed     %s", line)
			}
		}
	}
	if more := len(said) - mostFailures; more > 0 {
		o.console.Say("failed     and %d more, which the results name", more)
	}
	return len(said)
}
