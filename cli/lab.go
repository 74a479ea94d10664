package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/internal/plain"
	"moot/lab"
	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/report"
	"moot/state"
	"moot/state/store"
)

// sayBroken lists the broken scenarios of a corpus.
func sayBroken(c *Console, corpus *lab.Corpus) {
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

// labRunOptions are the flags of moot lab run.
type labRunOptions struct {
	console *Console
	// plan has the forms, judges and numbers of the flags.
	plan         lab.Plan
	domain, half string
	limit, jobs  int
	seats        seatOptions
	calls        callOptions
	flagged      *pflag.FlagSet
	// all prints all tables.
	all bool
	// out is the file of the results, or "". With resume, a run that was stopped continues.
	out    string
	resume bool
	// journal is open during the run if out is set.
	journal *lab.Journal
}

// journalSuffix is added to the name of the results file while the run isn't complete.
const journalSuffix = ".journal"

func newLabRun(c *Console) *cobra.Command {
	o := &labRunOptions{
		console: c, half: "both", jobs: runtime.GOMAXPROCS(0),
		plan: lab.Plan{Forms: hearing.Forms(), Judges: judge.Versions(), Repeats: 1},
	}
	cmd := &cobra.Command{
		Use:  "run",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.flags(cmd)
	c.completeFlags(cmd)
	completeWords(cmd, "half", halves()...)
	return cmd
}

func halves() []string { return []string{string(lab.Development), string(lab.Test), "both"} }

func (o *labRunOptions) flags(cmd *cobra.Command) {
	group(cmd, "Scenarios", func(f *pflag.FlagSet) {
		choiceFlag(f, "half", &o.half, halves(), "the half of the corpus", "")
		numberFlag(f, "limit", &o.limit, 0, 1<<30, "only the first `N` scenarios of each half (default all)")
		numberFlag(f, "repeat", &o.plan.Repeats, 1, lab.MostRepeats,
			"repeat each scenario `N` times, for a mean and a spread")
	})
	group(cmd, "Hearings", func(f *pflag.FlagSet) {
		p := &o.plan
		choicesFlag(f, "form", &p.Forms, hearing.Forms(), "the forms")
		choicesFlag(f, "judge", &p.Judges, judge.Versions(), "the versions of the judge")
		f.StringVar(&o.domain, "domain", "", "the domain of the question: security (default), or a TOML file")
	})
	o.seats.flags(cmd, []protocol.Format{hearing.Format{}})
	group(cmd, "Run", func(f *pflag.FlagSet) {
		numberFlag(f, "jobs", &o.jobs, 1, 1<<10,
			"the `number` of hearings at the same time (default: one per processor)")
	})
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringVar(&o.out, "out", "",
			"save the results in this file as JSON; until the run is complete, they are saved in "+
				"FILE"+journalSuffix)
		f.BoolVar(&o.resume, "resume", false, "continue a stopped run with the same settings and --out")
		f.BoolVar(&o.all, "all", false, "print all tables")
	})
	o.calls.flags(cmd)
	o.flagged = cmd.Flags()
}

func (o *labRunOptions) run(ctx context.Context, args []string) error {
	if o.resume && o.out == "" {
		return usage("--resume needs the results file of the stopped run: add --out FILE")
	}
	plan, seats, err := o.prepare(args)
	if err != nil {
		return err
	}
	defer seats.session.closePrograms()
	m, err := lab.NewMatrix(plan)
	if err != nil {
		return usage("%w", err)
	}
	if err := o.openJournal(m); err != nil {
		return err
	}
	ctx, stop := o.console.untilSignal(ctx)
	defer stop()
	p := &labProgress{console: o.console, began: o.console.Now()}
	document, err := m.Run(
		ctx,
		lab.Options{Seats: seats.participants, Jobs: o.jobs, Journal: o.journal, Watch: p.update},
	)
	var stopped error
	if errors.Is(err, protocol.ErrStopped) {
		// All results are in the journal. The cause is the exit code of the signal.
		stopped = context.Cause(ctx)
	} else if err != nil {
		return errors.Join(err, o.closeJournal())
	}
	if err := o.saveResults(&document); err != nil {
		return err
	}
	return o.print(&document, &plan.Corpus, stopped)
}

// prepare checks everything before the first hearing starts.
func (o *labRunOptions) prepare(args []string) (lab.Plan, *labSeats, error) {
	plan := o.plan
	name, folder := lab.BuiltInCorpus, lab.BuiltInCorpus
	if len(args) > 0 && args[0] != name {
		name, folder = args[0], o.console.path(args[0])
	}
	corpus, err := lab.OpenCorpus(folder)
	if err != nil {
		return plan, nil, usage("%w", err)
	}
	corpus.Name = name
	if plan.Corpus, plan.Selected, err = o.selectScenarios(&corpus); err != nil {
		return plan, nil, err
	}
	if o.domain == "" && corpus.Name == lab.BuiltInCorpus {
		o.domain = corpus.Name
	}
	files := &material{console: o.console}
	if plan.Domain, err = hearing.ReadDomain(cmp.Or(o.domain, domain.BuiltInName), files.Read); err != nil {
		return plan, nil, asUsage(in("domain", fmt.Errorf("--domain: %w", err)))
	}
	seats, err := o.assignSeats()
	if err != nil {
		return plan, nil, err
	}
	plan.Seats = seats.assigned
	models := slices.ContainsFunc(plan.Seats, func(s state.SeatAssignment) bool { return !s.NoModel })
	if models {
		if err := redactCorpus(o.console, &plan.Corpus); err != nil {
			return plan, nil, err
		}
	}
	sayBroken(o.console, &corpus)
	plan.Nonce, err = nonce(o.console.Random)
	return plan, seats, err
}

// selectScenarios returns the scenarios to run, and describes the selection.
func (o *labRunOptions) selectScenarios(corpus *lab.Corpus) (chosen lab.Corpus, how string, err error) {
	var half []lab.Half
	if o.half != "both" {
		half = []lab.Half{lab.Half(o.half)}
	}
	chosen = corpus.Select(half, o.limit)
	if len(chosen.Scenarios) == 0 {
		sayBroken(o.console, corpus)
		return chosen, "", usage("--half and --limit select none of the %s of %s",
			plain.Counted(len(corpus.Scenarios), "scenario"), corpus.Name)
	}
	words := []string{"both halves"}
	if len(half) > 0 {
		words[0] = "half " + o.half
	}
	if o.limit > 0 {
		words = append(words, fmt.Sprintf("the first %d of each half", o.limit))
	}
	return chosen, strings.Join(words, ", "), nil
}

// labSeats are the participants of the hearings.
type labSeats struct {
	session  *session
	places   []state.SeatAssignment
	assigned []state.SeatAssignment
	// shared are the participants without state, which all hearings share.
	shared map[state.Seat]protocol.Participant
}

// assignSeats creates the participants. Rules take the empty seats.
func (o *labRunOptions) assignSeats() (*labSeats, error) {
	places, err := o.seats.places(hearing.Format{})
	if err != nil {
		return nil, err
	}
	for _, seat := range []state.Seat{judge.Architect, judge.Skeptic} {
		if placeOf(places, seat) < 0 {
			places = append(places, state.SeatAssignment{Seat: seat, Participant: state.BuiltInRules})
		}
	}
	sortPlaces(places, seatNames(hearing.Format{}))
	d, err := o.console.validDefaults()
	if err != nil {
		return nil, err
	}
	if err := setUnchanged(o.flagged, d.limits); err != nil {
		return nil, err
	}
	t := &labSeats{
		session: (&builder{
			console: o.console, defaults: d, calls: o.calls, front: frontOptions{headless: true},
		}).session(),
		places: places, shared: map[state.Seat]protocol.Participant{},
	}
	for _, p := range places {
		choice, err := d.book.Parse(p.Participant)
		if err != nil {
			return nil, seatError(p.Seat, err)
		}
		if choice.Has(agent.KindPerson) {
			return nil, usage("%s: nobody can argue so many hearings by hand; name rules, script:FILE or a model "+
				"endpoint", p.Seat)
		}
		participant, err := t.session.participant(p, &state.Settings{})
		if err != nil {
			return nil, err
		}
		t.assigned = append(t.assigned, protocol.Assign(p.Seat, participant))
		if !choice.Has(agent.KindScript) {
			t.shared[p.Seat] = participant
		}
	}
	return t, nil
}

// participants returns the participants of one hearing. Each gets its own copy of a script.
func (t *labSeats) participants() (map[state.Seat]protocol.Participant, error) {
	participants := map[state.Seat]protocol.Participant{}
	for _, p := range t.places {
		participant, shared := t.shared[p.Seat]
		if !shared {
			var err error
			if participant, err = t.session.participant(p, &state.Settings{}); err != nil {
				return nil, err
			}
		}
		participants[p.Seat] = participant
	}
	return participants, nil
}

// redactCorpus removes secrets from the packets, because models see them.
func redactCorpus(c *Console, corpus *lab.Corpus) error {
	for i := range corpus.Scenarios {
		s := &corpus.Scenarios[i]
		note := func(text string) { c.Say("note       %s: %s", plain.Line(s.ID), text) }
		cleaned, err := redactPacket(s.Packet, note)
		if err == nil {
			_, err = cleaned.Freeze()
		}
		if err != nil {
			return fmt.Errorf("scenario %s: %w", s.ID, err)
		}
		s.Packet = cleaned
	}
	return nil
}

// mostReviewsBytes is how long a file of recorded findings may be.
const mostReviewsBytes = 64 << 20

func newLabReviews(c *Console) *cobra.Command {
	var form report.Form
	var reviewers []string
	cmd := &cobra.Command{
		Use:  "reviews",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := readStart(c, args[0], mostReviewsBytes+1)
			if err != nil {
				return err
			}
			if len(text) > mostReviewsBytes {
				return usage("%s is longer than %d MiB; split it", args[0], mostReviewsBytes>>20)
			}
			changes, err := lab.ReadReviews(text)
			if err != nil {
				return usage("%s: %s", inputName(args[0]), plain.Line(err.Error()))
			}
			measured, err := lab.MeasureReviews(changes, reviewers)
			if err != nil {
				return usage("%s: %s", inputName(args[0]), plain.Line(err.Error()))
			}
			if form != report.FormJSON {
				return c.Print(measured.Text())
			}
			written, err := json.Marshal(measured, jsontext.WithIndent("  "))
			if err != nil {
				return err
			}
			return c.Print(string(written) + "\n")
		},
	}
	group(cmd, "Reviewers", func(f *pflag.FlagSet) {
		f.StringSliceVar(&reviewers, "reviewers", nil, "only the findings of these `reviewers`, as in A,B,C (default all)")
	})
	outputFlag(cmd, &form, report.FormText, report.FormJSON)
	return cmd
}

// labProgress says how far a run is.
type labProgress struct {
	console      *Console
	began, shown time.Time
}

// update shows the progress at intervals, and at the end.
func (p *labProgress) update(n lab.Progress) {
	const interval = 10 * time.Second
	at := p.console.Now()
	if at.Sub(p.shown) < interval && n.Done < n.Planned {
		return
	}
	p.shown = at
	text := fmt.Sprintf("%d of %d sessions", n.Done, n.Planned)
	if n.Kept > 0 {
		text += fmt.Sprintf(", %d of them before", n.Kept)
	}
	if n.Failed > 0 {
		text += fmt.Sprintf(", %d failed", n.Failed)
	}
	if heard := n.Done - n.Kept; heard > 0 && n.Done < n.Planned {
		left := at.Sub(p.began) / time.Duration(heard) * time.Duration(n.Planned-n.Done)
		text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	p.console.Say("heard      %s", text)
}

// openJournal opens the journal if the results are saved.
func (o *labRunOptions) openJournal(m *lab.Matrix) error {
	if o.out == "" {
		return nil
	}
	path := o.console.path(o.out)
	if _, err := os.Stat(path); err == nil {
		return usage("--out %s: the file exists, with the results of a complete run; name another one", o.out)
	}
	journal, err := m.OpenJournal(path+journalSuffix, o.resume)
	switch {
	case errors.As(err, new(*store.HeldError)):
		return fmt.Errorf("--out %s: another moot lab run is writing %s; wait until it ends, or stop it and "+
			"add --resume", o.out, o.out+journalSuffix)
	case errors.Is(err, lab.ErrDifferent):
		return usage("--resume: %w", err)
	case errors.Is(err, fs.ErrExist):
		return usage("--out %s: a run with these results was stopped; add --resume to continue it, or remove %s",
			o.out, o.out+journalSuffix)
	case errors.Is(err, fs.ErrNotExist):
		return usage("--out %s: there is no such folder", o.out)
	}
	o.journal = journal
	return err
}

// saveResults writes the results file if the run is complete.
func (o *labRunOptions) saveResults(d *lab.Document) error {
	switch {
	case o.journal == nil && !d.Whole():
		o.console.Say("stopped    nothing was saved: there is no --out")
		return nil
	case o.journal == nil:
		return nil
	case !d.Whole():
		return o.closeJournal()
	}
	if _, err := writeNewFile(o.console.path(o.out), d.Write); err != nil {
		return errors.Join(err, o.closeJournal())
	}
	return o.journal.Remove()
}

// closeJournal closes the journal of a run that isn't complete.
func (o *labRunOptions) closeJournal() error {
	if o.journal == nil {
		return nil
	}
	o.console.Say("stopped    the results so far are in %s; continue with the same command and --resume",
		o.out+journalSuffix)
	return o.journal.Close()
}

// print prints the results, and fails if some of them are missing or the run was stopped.
func (o *labRunOptions) print(d *lab.Document, corpus *lab.Corpus, stopped error) error {
	if d.Done > 0 && !o.all {
		o.console.Say("note       --all shows more tables")
	}
	if d.Done > 0 {
		shown := lab.Show(d, o.all)
		if err := o.console.Print(report.Text(&shown, o.console.Width)); err != nil {
			return err
		}
	}
	failed := o.sayFailed(d)
	if stopped != nil {
		return stopped
	}
	var missing []string
	if n := len(corpus.Broken); n > 0 {
		missing = append(missing, fmt.Sprintf("%s of the corpus cannot be read", plain.Counted(n, "scenario")))
	}
	if failed > 0 {
		missing = append(missing, plain.Counted(failed, "session")+" failed")
	}
	if len(missing) > 0 {
		return found("%s: the accuracy leaves them out", strings.Join(missing, ", and "))
	}
	return nil
}

// sayFailed lists the failed sessions, and counts them.
func (o *labRunOptions) sayFailed(d *lab.Document) int {
	failed := map[string]bool{}
	for i := range d.Runs {
		mode := &d.Runs[i].Mode
		name := string(mode.Form)
		if mode.Form == hearing.FormSelective {
			// Here each judge has its own session.
			name += ", " + string(mode.Judge)
		}
		for j := range d.Runs[i].Results {
			r := &d.Runs[i].Results[j]
			line := fmt.Sprintf("%s, %s, repeat %d: %s", plain.Line(r.Case), name, r.Repeat, plain.Line(r.Failed))
			if r.Failed == "" || failed[line] {
				continue
			}
			failed[line] = true
			o.console.Say("failed     %s", line)
		}
	}
	return len(failed)
}
