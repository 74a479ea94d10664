package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/lab"
	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/queue"
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
	all  bool
	form report.Form
	// out is the folder of the sessions, or "". With redo, finished hearings that changed are held again.
	out  string
	redo bool
}

// labCommand is the command that runs the items of a lab's folder.
const labCommand = "moot lab run"

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
		f.StringVar(&o.out, "out", "",
			"keep the sessions in this `folder`; the same command continues it (default: keep nothing)")
		f.BoolVar(&o.redo, "redo", false, "hold finished hearings again whose facts, seats, domain or options changed")
	})
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.BoolVar(&o.all, "all", false, "print all tables")
	})
	outputFlag(cmd, &o.form, report.FormText, report.FormJSON)
	o.calls.flags(cmd)
	o.flagged = cmd.Flags()
}

func (o *labRunOptions) run(ctx context.Context, args []string) error {
	plan, seats, err := o.prepare(args)
	if err != nil {
		return err
	}
	m, err := lab.NewMatrix(plan)
	if err != nil {
		return usage("%w", err)
	}
	ctx, stop := o.console.untilSignal(ctx)
	defer stop()
	folder, closeFolder, err := o.open(m, plan.Corpus.Name)
	if err != nil {
		return err
	}
	h := &labHearings{labSeats: seats, matrix: m, kept: o.out != "", limits: queue.NewLimits(limitsOf(seats.fixed))}
	h.console = o.console.inBatch(folder.Sessions(), o.console.Dir, seats.fixed)
	p := &labProgress{console: o.console, began: o.console.Now()}
	document, err := m.Run(ctx, lab.Options{
		Folder: folder, Hold: h.hold, Classify: o.console.classify, Jobs: o.jobs, Watch: p.update, Now: o.console.Now,
	})
	if closed := closeFolder(); closed != nil {
		return errors.Join(err, closed)
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, queue.ErrStopping) {
		return err
	}
	switch {
	case document.Whole():
	case o.out == "":
		o.console.Say("stopped    nothing was saved: there is no --out")
	default:
		o.console.Say("stopped    the sessions so far are in %s; the same command continues", plain.Line(o.out))
	}
	if !document.Whole() && ctx.Err() == nil {
		// It was stopped, or some of its sessions were, by another command.
		err = leaveWith(protocol.ExitInconclusive)
	}
	return o.print(&document, &plan.Corpus, err)
}

// open opens the folder of the sessions, and returns what closes it. Without --out it is a temporary one: there are no
// session files.
func (o *labRunOptions) open(m *lab.Matrix, corpus string) (*queue.Folder, func() error, error) {
	if o.out == "" {
		path, err := os.MkdirTemp("", "moot-lab-")
		if err != nil {
			return nil, nil, err
		}
		folder, err := queue.Create(path)
		if err != nil {
			return nil, nil, errors.Join(err, os.RemoveAll(path))
		}
		return folder, func() error { return errors.Join(folder.Close(), os.RemoveAll(path)) }, nil
	}
	folder, err := queue.Create(o.console.path(o.out))
	if err != nil {
		return nil, nil, fmt.Errorf("--out %s: %w", plain.Line(o.out), err)
	}
	batch := &batchOptions{console: o.console, command: labCommand, redo: o.redo, repeat: o.plan.Repeats}
	if _, err := batch.adopt(folder, &m.Items, corpus); err != nil {
		return nil, nil, errors.Join(err, folder.Close())
	}
	return folder, folder.Close, nil
}

// labHearings holds the hearings of a run.
type labHearings struct {
	*labSeats
	// console is that of the hearings.
	console *Console
	matrix  *lab.Matrix
	limits  queue.Limiter
	// kept says that hearings have session files.
	kept bool
}

// hold is a lab.Hold.
func (h *labHearings) hold(
	ctx context.Context, job queue.Job, pulse func(queue.Pulse),
) (string, *state.State, queue.Result) {
	s, r := runJob(ctx, job, pulse, h.open)
	if !h.kept {
		return "", s, r
	}
	return s.ID, s, r
}

// open opens the session of a hearing, or one that continues.
func (h *labHearings) open(ctx context.Context, job queue.Job) (*session, error) {
	b := h.builder(h.console)
	b.front.memory, b.batch = !h.kept, batchOf(ctx, job, h.limits)
	if job.Session != "" {
		path, err := store.Path(h.console.folder, job.Session)
		if err != nil {
			return nil, err
		}
		s, _, err := b.reopen(path)
		return s, err
	}
	opened, events := h.matrix.Opening(job.Item)
	opened.Seats = h.named(opened.Seats)
	s := b.session()
	if err := b.create(ctx, s, hearing.Format{}, opened, events); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
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
	plan.Seats, plan.Identify = seats.assigned, seats.identify
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
	console *Console
	calls   callOptions
	fixed   *defaults
	// places are the seats with the participants as they are named, assigned as they name themselves.
	places   []state.SeatAssignment
	assigned []state.SeatAssignment
	// rules are the same in all hearings, so that they read the domain once.
	rules map[string]protocol.Participant
}

// assignSeats makes the participants once, so that a mistake is found before any hearing. Rules take the empty seats.
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
	t := &labSeats{console: o.console, places: places, rules: map[string]protocol.Participant{}}
	if t.fixed, err = o.console.validDefaults(); err != nil {
		return nil, err
	}
	if err := setUnchanged(o.flagged, t.fixed.limits); err != nil {
		return nil, err
	}
	t.calls = o.calls
	s := t.builder(o.console).session()
	defer s.closePrograms()
	for _, p := range places {
		choice, err := t.fixed.book.Parse(p.Participant)
		if err != nil {
			return nil, seatError(p.Seat, err)
		}
		if choice.Has(agent.KindPerson) {
			return nil, usage("%s: nobody can argue so many hearings by hand; name rules, script:FILE or a model "+
				"endpoint", p.Seat)
		}
		participant, err := s.participant(p, &state.Settings{})
		if err != nil {
			return nil, err
		}
		t.assigned = append(t.assigned, protocol.Assign(p.Seat, participant))
		if choice.Spec.Kind == agent.KindRules {
			t.rules[p.Participant] = participant
		}
	}
	return t, nil
}

// builder returns what builds hearings.
func (t *labSeats) builder(c *Console) *builder {
	return &builder{
		console: c, defaults: t.fixed, calls: t.calls, front: frontOptions{headless: true}, own: t.rules,
	}
}

// named returns seats with the participants as they are named.
func (t *labSeats) named(seats []state.SeatAssignment) []state.SeatAssignment {
	return lists.Map(seats, func(a state.SeatAssignment) state.SeatAssignment { return t.places[placeOf(t.places, a.Seat)] })
}

// identify says what a hearing is, by its first events.
func (t *labSeats) identify(opened *state.SessionOpened, events []state.Payload) (queue.Parts, error) {
	opened.Seats = t.named(opened.Seats)
	return (&itemMaker{console: t.console}).parts(t.builder(t.console), opened, events)
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

// print prints the results, and fails if some of them are missing or the run was stopped.
func (o *labRunOptions) print(d *lab.Document, corpus *lab.Corpus, stopped error) error {
	switch {
	case o.form == report.FormJSON:
		var text strings.Builder
		if err := d.Write(&text); err != nil {
			return err
		}
		if err := o.console.Print(text.String()); err != nil {
			return err
		}
	case d.Done > 0:
		if !o.all {
			o.console.Say("note       --all shows more tables")
		}
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
