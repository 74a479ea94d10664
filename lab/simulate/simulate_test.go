package simulate

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"moot/config"
	"moot/lab/measure"
	"moot/state"
)

// options are those of a simulation of everything, judged by v2.
func options(tb testing.TB, hearings int) Options {
	tb.Helper()
	dynamics, err := Published()
	if err != nil {
		tb.Fatal(err)
	}
	return Options{
		Hearings: hearings, Seed: 1, Rounds: 3, Judges: []state.JudgeVersion{state.JudgeV2},
		Forms:    []state.Form{state.FormSingle, state.FormMulti, state.FormAnchored, state.FormSelective},
		Gates:    state.Gates(),
		Dynamics: dynamics,
	}
}

func simulated(tb testing.TB, o Options) measure.Document {
	tb.Helper()
	d, err := Run(context.Background(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// of is the summary of a form with the seats.
func of(tb testing.TB, d *measure.Document, form, seats string) *measure.Summary {
	tb.Helper()
	for i := range d.Summaries {
		if m := d.Summaries[i].Mode; m.FormName() == form && m.Seats == seats {
			return &d.Summaries[i]
		}
	}
	tb.Fatalf("no summary of %s, %s", form, seats)
	return nil
}

func TestTheStatedDynamicsGiveThePublishedPattern(t *testing.T) {
	d := simulated(t, options(t, 20_000))
	single, multi, prompted := of(t, &d, "single", Drawn), of(t, &d, "multi", Drawn), of(t, &d, "anchored", ToldToHold)
	// The whole interval lies where the published figure does, not the share alone.
	within := func(what string, p measure.Proportion, from, to float64) {
		t.Helper()
		if low, high := p.Wilson(); low < from || high > to {
			t.Errorf("%s is right in %.3f, %.3f to %.3f; published are %.2f to %.2f", what, p.Share(), low, high, from, to)
		}
	}
	within("single", single.Accuracy, 0.83, 0.92)
	within("multi", multi.Accuracy, 0.61, 0.67)
	// The ceiling of multi is the upper end of what was published of it.
	within("anchored by a prompt", prompted.Accuracy, 0.61, 0.67)
	_, high := multi.Accuracy.Wilson()
	if low, _ := single.Accuracy.Wilson(); low-high < 0.10 {
		t.Errorf("multi is right up to %.3f, and single from %.3f", high, low)
	}
	if p := multi.Flips.Pairs.McNemar(); p > 1e-6 {
		t.Errorf("the difference has p %v", p)
	}
	for _, escalated := range []*measure.Summary{multi, of(t, &d, "selective escalation>multi", Drawn)} {
		pairs := escalated.Flips.Pairs
		if pairs.Bad < 100 || pairs.Bad < 20*pairs.Good {
			t.Errorf("%s: %d bad flips and %d good ones", escalated.Mode, pairs.Bad, pairs.Good)
		}
	}
	if share := multi.Flips.Pairs.BadFlips().Share(); share < 0.22 || share > 0.30 {
		t.Errorf("%.3f of all turn wrong; published are 0.25", share)
	}
}

func TestTheRuleOfConvictionKeepsRightVerdictsRight(t *testing.T) {
	d := simulated(t, options(t, 20_000))
	multi, held := of(t, &d, "multi", Drawn), of(t, &d, "anchored", Drawn)
	_, exposed := multi.Flips.Pairs.Kept().Wilson()
	if kept, _ := held.Flips.Pairs.Kept().Wilson(); kept < 0.95 || exposed > 0.75 {
		t.Errorf("the rule keeps %.3f at least, and without it at most %.3f stay right", kept, exposed)
	}
	if held.Architect.Retreats.Hits != 0 || held.Architect.HeldBack.Hits == 0 || multi.Architect.Retreats.Hits == 0 {
		t.Errorf("under the rule the architect retreats %v and is held back %v; without it it retreats %v", held.Architect.Retreats, held.Architect.HeldBack, multi.Architect.Retreats)
	}
}

func TestEveryTierAndEveryOutcomeIsDrawn(t *testing.T) {
	d := simulated(t, options(t, 5000))
	s := of(t, &d, "single", Drawn)
	for _, tier := range s.Tiers {
		if tier.Right.Total < 1000 {
			t.Errorf("%s is drawn %d times of 5000", tier.Tier, tier.Right.Total)
		}
	}
	for _, expected := range state.Outcomes() {
		if n := s.Confusion.Of(expected, expected); n == 0 {
			t.Errorf("%s is never right", expected)
		}
	}
	if d.Origin != measure.Simulated || s.Origin != measure.Simulated {
		t.Error("what was drawn is not marked")
	}
}

func TestTheSameSeedGivesTheSameFigures(t *testing.T) {
	o := options(t, 7500)
	once := simulated(t, o)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if alone := simulated(t, o); !reflect.DeepEqual(once, alone) {
		t.Error("one goroutine gives other figures than several")
	}
	o.Seed = 2
	if other := simulated(t, o); reflect.DeepEqual(once.Summaries, other.Summaries) {
		t.Error("another seed gives the same figures")
	}
}

func TestWhatIsBrokenOffIsTheBeginning(t *testing.T) {
	o := options(t, 50_000)
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(int) { cancel() }
	d, err := Run(ctx, o)
	if !errors.Is(err, context.Canceled) || d.Whole() || d.Done < piece {
		t.Fatalf("broken off: %v, %d of %d", err, d.Done, d.Planned)
	}
	whole := options(t, d.Done)
	if got := simulated(t, whole); !reflect.DeepEqual(got.Summaries, d.Summaries) {
		t.Error("what is there is not what so many hearings give")
	}
	o.Progress = nil
	if d, err := Run(ctx, o); !errors.Is(err, context.Canceled) || d.Done >= d.Planned {
		t.Errorf("broken off before the start: %v, %d done", err, d.Done)
	}
}

func TestSeatsKeepToTheDynamics(t *testing.T) {
	o := options(t, 1)
	chance, n := rand.New(rand.NewPCG(1, 1)), newNames()
	var one drawn
	ends := map[int]int{}
	for range 5000 {
		o.Dynamics.draw(chance, 5, &one)
		for c := range courses {
			rounds := one.exchange(c, 5, &n, nil)
			ends[len(rounds)]++
			for i, r := range rounds {
				k := one.kind
				if s := r.Skeptic.Confidence; s < k.Skeptic[0] || s > k.Skeptic[1] {
					t.Fatalf("the skeptic is at %v, outside of %v", s, k.Skeptic)
				}
				from := k.Architect
				if i > 0 && c == told {
					from = k.Told
				}
				if a := r.Architect.Confidence; (i == 0 || c == told) && (a < from[0] || a > from[1]) {
					t.Fatalf("round %d: the architect is at %v, outside of %v", i+1, a, from)
				}
				if i > 0 && c == held && len(r.Architect.Rebutted) == 0 && r.Architect.Confidence < rounds[i-1].Architect.Confidence {
					t.Fatal("under the rule of conviction a confidence fell without a fact")
				}
			}
		}
	}
	if ends[2] == 0 || ends[3] == 0 || ends[5] == 0 || ends[1] != 0 {
		t.Errorf("exchanges end after so many rounds: %v", ends)
	}
}

func TestWhatCannotBeSimulatedIsRefused(t *testing.T) {
	for what, spoil := range map[string]func(*Options){
		"0 hearings":         func(o *Options) { o.Hearings = 0 },
		"1 to 10000000":      func(o *Options) { o.Hearings = MaxHearings + 1 },
		"1 to 8 rounds":      func(o *Options) { o.Rounds = 9 },
		"audit is not":       func(o *Options) { o.Forms = append(o.Forms, state.FormAudit) },
		"the judge claims":   func(o *Options) { o.Judges = append(o.Judges, state.JudgeClaims) },
		"no form":            func(o *Options) { o.Forms = nil },
		"needs a gate":       func(o *Options) { o.Gates = nil },
		"no kind of cases":   func(o *Options) { o.Dynamics = Dynamics{} },
		"1 to 8 rounds, not": func(o *Options) { o.Rounds = 0 },
	} {
		o := options(t, 10)
		spoil(&o)
		if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	o := options(t, 10)
	o.Judges = append(o.Judges, o.Judges...)
	o.Forms = append(o.Forms, o.Forms...)
	if d := simulated(t, o); len(d.Summaries) != 10 {
		t.Errorf("words that are given twice make %d modes", len(d.Summaries))
	}
}

func TestDynamicsAreStated(t *testing.T) {
	d := simulated(t, options(t, 10))
	text := strings.Join(d.Stated, "\n")
	for _, must := range []string{"10 hearings drawn with the seed 1", "0.85-0.98", "falls 0.30", "0.75-1.00", "0.60-0.90", "audit is not simulated", "AMBIGUOUS", "CLEAR_BENIGN", "of conviction"} {
		if !strings.Contains(text, must) {
			t.Errorf("it is not stated: %s\n%s", must, text)
		}
	}
}

func TestWrongDynamicsAreRefusedWithTheirLines(t *testing.T) {
	for old, c := range map[string]struct{ now, want string }{
		"share = 25":               {"share = 0", "share is a weight above 0"},
		"architect = [0.85, 0.98]": {"architect = [0.98, 0.85]", "architect is [0.98 0.85]"},
		"told = [0.75, 1.00]":      {"told = [0.75, 1.01]", "told is [0.75 1.01]"},
		"fall = 0.30":              {"fall = 7", "fall is 7"},
		"fall_noise = 0.08":        {"fall_noise = nan", "fall_noise is NaN"},
		"architect_facts = [4, 8]": {"architect_facts = [4, 4000]", "architect_facts is [4 4000]: a range from 0 to 40"},
		"sources = [1, 4]":         {"sources = [1]", "sources is [1]: a range from 0 to 8"},
		"new_facts = 0.6":          {"new_fact = 0.6", "unknown key new_fact in [[case]]; did you mean new_facts?"},
		`tier = "CLEAR_THREAT"`:    {`tier = "CLEAR_THREATS"`, `did you mean "CLEAR_THREAT"?`},
		`expected = "CONFIRMED"`:   {`expected = "MAYBE"`, `unknown expected "MAYBE"`},
		"conflict = 0.05":          {"", "the case has no conflict"},
		"skeptic_noise = 0.03":     {`skeptic_noise = "a lot"`, "skeptic_noise is a number, without quotes"},
	} {
		lines := strings.Split(BuiltIn(), "\n")
		at := slices.Index(lines, old)
		if at < 0 {
			t.Fatalf("the dynamics hold no line %q", old)
		}
		lines[at] = c.now
		_, err := Read("mine.toml", []byte(strings.Join(lines, "\n")))
		problems, ok := errors.AsType[config.Problems](err)
		if !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.now, err)
			continue
		}
		// What is missing is told at the head of its case, all else where it stands.
		if c.now == "" {
			for at = range lines {
				if lines[at] == "[[case]]" {
					break
				}
			}
		}
		if !slices.ContainsFunc(problems, func(p config.Problem) bool { return p.Line == at+1 && strings.Contains(p.What, c.want) }) {
			t.Errorf("%s, which stands in line %d:\n%v", c.now, at+1, err)
		}
	}
	for text, want := range map[string]string{
		"": "no [[case]]", "name = \x00": "mine.toml:1: this is no file of dynamics", "[[case]]\ntier = 1": "mine.toml:2: tier is a text in quotes", strings.Repeat("#", MaxBytes+1): "larger than",
		"name = \"x\"\n[[case]]": "mine.toml:2: the case has no tier",
	} {
		if _, err := Read("mine.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// FuzzDynamics reads what may be a file of dynamics; what is taken for one can be
// drawn from.
func FuzzDynamics(f *testing.F) {
	for _, text := range []string{BuiltIn(), "", "name = 1", "[[case]]\nshare = nan", "[[case]]\ntold = [[1], 2]", "case = 3", "[[case.case]]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Read("mine.toml", data)
		if problems, is := errors.AsType[config.Problems](err); err != nil {
			if !is || len(problems) == 0 || problems[0].What == "" {
				t.Fatalf("refused without saying what is wrong: %v", err)
			}
			return
		}
		o := options(t, 20)
		o.Dynamics, o.Rounds = d, state.MaxRounds
		simulated(t, o)
	})
}

func BenchmarkSimulation(b *testing.B) {
	o := options(b, 100_000)
	o.Judges = []state.JudgeVersion{state.JudgeV1, state.JudgeV1Facts, state.JudgeV2, state.JudgeV2Bounded}
	for b.Loop() {
		simulated(b, o)
	}
}
