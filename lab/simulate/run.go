package simulate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"moot/lab/measure"
	"moot/state"
)

// MaxHearings is the most cases that are drawn in one simulation.
const MaxHearings = 10_000_000

// Options say what is simulated.
type Options struct {
	// Hearings is how many cases are drawn, each heard in every mode; 1 to MaxHearings.
	Hearings int
	// Seed fixes what is drawn: the same seed gives the same figures, on however many
	// processors.
	Seed uint64
	// Rounds is the most that an exchange takes, 1 to state.MaxRounds.
	Rounds int
	// Judges, Forms and Gates are each heard with each; a word twice counts once.
	Judges []state.JudgeVersion
	Forms  []state.Form
	Gates  []state.Gate
	// Told are the judges whose figures are told in full; the others are there for
	// what they keep. None are all.
	Told     []state.JudgeVersion
	Dynamics Dynamics
	// Progress is told how many hearings are done, now and then; nil tells nobody. It
	// is called by one goroutine at a time.
	Progress func(done int)
}

// piece is how many hearings are drawn from one seed. A simulation is cut into pieces
// of this size, whoever draws them, so that its figures do not depend on the machine.
const piece = 1000

// Run draws the hearings and returns what they come to. Where the context ends it
// returns what was done by then, in the order of the pieces, with the context's error;
// the document says how many of the planned hearings it holds, which may be none.
func Run(ctx context.Context, o Options) (measure.Document, error) {
	if err := o.Check(); err != nil {
		return measure.Document{}, err
	}
	if len(o.Dynamics.Kinds) == 0 {
		return measure.Document{}, errors.New("the dynamics hold no kind of cases")
	}
	modes, err := modesOf(&o)
	if err != nil {
		return measure.Document{}, err
	}
	whole := &gathered{next: map[int]*bench{}, all: newBench(&o, modes), options: &o}
	pieces := make(chan int)
	stop := make(chan struct{})
	var once sync.Once
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (o.Hearings+piece-1)/piece) {
		workers.Go(func() {
			for at := range pieces {
				b, err := hearPiece(&o, modes, at)
				if err = whole.take(at, b, err); err != nil {
					once.Do(func() { close(stop) })
				}
			}
		})
	}
	for at := 0; at*piece < o.Hearings; at++ {
		select {
		case pieces <- at:
			continue
		case <-stop:
		case <-ctx.Done():
		}
		break
	}
	close(pieces)
	workers.Wait()
	if whole.err != nil {
		return measure.Document{}, whole.err
	}
	return whole.document(), ctx.Err()
}

// hearPiece draws the hearings of a piece.
func hearPiece(o *Options, modes []mode, at int) (*bench, error) {
	b := newBench(o, modes)
	chance := rand.New(rand.NewPCG(o.Seed, uint64(at))) //nolint:gosec // figures that can be repeated, not secrets
	for range min(piece, o.Hearings-at*piece) {
		o.Dynamics.draw(chance, o.Rounds, &b.drawn)
		if err := b.hear(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// gathered joins pieces in their order, whichever is done first: sums of floating
// point numbers depend on it.
type gathered struct {
	mutex   sync.Mutex
	options *Options
	all     *bench
	next    map[int]*bench
	// joined counts the pieces in all.
	joined int
	err    error
}

// take takes a piece in, and returns the first error.
func (g *gathered) take(at int, b *bench, err error) error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.err == nil {
		g.err = err
	}
	if g.err != nil {
		return g.err
	}
	g.next[at] = b
	for {
		ready := g.next[g.joined]
		if ready == nil {
			return nil
		}
		delete(g.next, g.joined)
		for i := range ready.tallies {
			if g.err = g.all.tallies[i].Join(ready.tallies[i]); g.err != nil {
				return g.err
			}
		}
		g.joined++
		if g.options.Progress != nil {
			g.options.Progress(g.done())
		}
	}
}

func (g *gathered) done() int { return min(g.joined*piece, g.options.Hearings) }

// document is what the pieces so far come to.
func (g *gathered) document() measure.Document {
	o := g.options
	d := measure.Document{
		Format: measure.Version, Origin: measure.Simulated, Title: fmt.Sprintf("simulation, seed %d", o.Seed),
		Planned: o.Hearings, Done: g.done(), Judges: o.Told, Stated: o.stated(),
	}
	for _, t := range g.all.tallies {
		d.Summaries = append(d.Summaries, t.Summary())
	}
	d.Published = published(d.Summaries)
	return d
}

// stated is what a reader must know of the figures.
func (o *Options) stated() []string {
	lines := []string{
		fmt.Sprintf("%d hearings drawn with the seed %d, each heard in every mode; up to %d rounds", o.Hearings, o.Seed, o.Rounds),
		"the judge, the gates and the end of an exchange are those of moot, and the rule of conviction is applied to a side's number as to one claim; everything that a seat says is drawn",
	}
	if slices.Contains(o.Forms, state.FormAnchored) {
		lines = append(lines, "anchored stands for two things: an architect that is told to hold its claims (\""+ToldToHold+"\"), and the rule of conviction that code enforces on seats that behave as in multi (\""+Drawn+"\")")
	}
	lines = append(lines, "audit is not simulated: it rules on what facts say, and to draw that would be to draw the verdict")
	return append(lines, o.Dynamics.Stated()...)
}

// Check refuses what cannot be simulated, whatever the dynamics, and takes repeated
// words out.
func (o *Options) Check() error {
	o.Judges, o.Forms, o.Gates = measure.Distinct(o.Judges), measure.Distinct(o.Forms), measure.Distinct(o.Gates)
	switch {
	case o.Hearings < 1 || o.Hearings > MaxHearings:
		return fmt.Errorf("%d hearings cannot be drawn: 1 to %d can", o.Hearings, MaxHearings)
	case o.Rounds < 1 || o.Rounds > state.MaxRounds:
		return fmt.Errorf("an exchange has 1 to %d rounds, not %d", state.MaxRounds, o.Rounds)
	case len(o.Judges) == 0 || len(o.Forms) == 0:
		return errors.New("no form or no judge is named")
	case slices.Contains(o.Forms, state.FormSelective) && len(o.Gates) == 0:
		return fmt.Errorf("the form %s needs a gate", state.FormSelective)
	}
	_, err := modesOf(o)
	return err
}
