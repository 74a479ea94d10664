package lab

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/agent/rules"
	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/state"
)

// seated seats three arguers.
func seated(a arguer) seating {
	return func() (map[state.Seat]protocol.Participant, error) {
		table := map[state.Seat]protocol.Participant{}
		for _, seat := range hearing.Seats() {
			sits := a
			sits.seat = seat
			table[seat] = &sits
		}
		return table, nil
	}
}

// few is a plan over some scenarios of the security corpus, of both halves.
func few(t testing.TB, change func(*Plan)) *Matrix {
	t.Helper()
	c, err := OpenCorpus("security")
	if err != nil {
		t.Fatal(err)
	}
	plan := Plan{
		Corpus: c.Select(nil, 2), Selected: "both halves, at most 2 scenarios of each",
		Forms: hearing.Forms(), Judges: []judge.Version{judge.V1, judge.V2, judge.V2Bounded},
		Repeats: 1, Nonce: "lab", Identify: identified,
		Domain: domain.Domain{Name: "security", Prefix: "THREAT", Question: "Is this a threat?"},
		Seats: []state.SeatAssignment{
			{Seat: judge.Architect, Participant: "arguer", NoModel: true}, {Seat: judge.Skeptic, Participant: "arguer", NoModel: true},
		},
	}
	if change != nil {
		change(&plan)
	}
	m, err := NewMatrix(plan)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func written(t testing.TB, d *Document) string {
	t.Helper()
	var out bytes.Buffer
	if err := d.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// ran runs a matrix, and keeps nothing. If seats is nil, arguers argue.
func ran(t testing.TB, m *Matrix, seats seating) Document {
	t.Helper()
	if seats == nil {
		seats = seated(arguer{})
	}
	f := inFolder(t, filepath.Join(t.TempDir(), "folder"))
	o := holding(t, m, f, false, seats)
	d, err := m.Run(t.Context(), o)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPlansThatCannotBe(t *testing.T) {
	plan := few(t, nil).plan
	for what, change := range map[string]func(*Plan){
		"no scenario is selected": func(p *Plan) { p.Corpus.Scenarios = nil },
		"from 1 to 1000":          func(p *Plan) { p.Repeats = 0 },
		"no form":                 func(p *Plan) { p.Forms = nil },
	} {
		changed := plan
		change(&changed)
		if _, err := NewMatrix(changed); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestAnOracleIsNotInSingle(t *testing.T) {
	m := few(t, func(p *Plan) {
		p.Forms = []hearing.Form{hearing.FormSingle, hearing.FormMulti}
		p.Seats = append(slices.Clone(p.Seats), state.SeatAssignment{Seat: hearing.Oracle, Participant: "arguer", NoModel: true})
	})
	d := ran(t, m, nil)
	if calls := d.Runs[0].Results[0].Usage.Calls; calls != 2 {
		t.Errorf("a single hearing asked %d times", calls)
	}
	if calls := d.Runs[3].Results[0].Usage.Calls; calls < 5 {
		t.Errorf("a hearing with an oracle asked %d times", calls)
	}
	if d.Runs[0].Mode != d.Runs[3].Mode.Reference() {
		t.Error("single is not the reference of multi")
	}
	if !slices.ContainsFunc(d.Stated, func(line string) bool { return strings.HasPrefix(line, "oracle: not in the form single") }) {
		t.Errorf("stated is %q", d.Stated)
	}
}

func TestAFailedSessionIsCountedAndTheRestRuns(t *testing.T) {
	m := few(t, func(p *Plan) { p.Forms = []hearing.Form{hearing.FormSingle} })
	unlucky := m.plan.Corpus.Scenarios[0].ID
	d := ran(t, m, seated(arguer{fails: func(packet string) bool { return packet == unlucky }}))
	if len(d.Runs) != 3 {
		t.Fatalf("there are %d runs", len(d.Runs))
	}
	for _, run := range d.Runs {
		if r := run.Results[0]; r.Case != unlucky || !strings.Contains(r.Failed, "the line is dead") || r.Outcome != "" {
			t.Errorf("it came out as %+v", r)
		}
		if run.Results[1].Failed != "" {
			t.Errorf("another failed: %s", run.Results[1].Failed)
		}
	}
	if s := d.Summaries[0]; s.Failed != 1 || s.Hearings != 2 || s.Accuracy.Total != 1 {
		t.Errorf("%d of %d failed, and %d are judged", s.Failed, s.Hearings, s.Accuracy.Total)
	}
}

func TestSeatsThatCannotBeTaken(t *testing.T) {
	m := few(t, func(p *Plan) { p.Forms = []hearing.Form{hearing.FormSingle} })
	d := ran(t, m, func() (map[state.Seat]protocol.Participant, error) { return nil, errors.New("the file is gone") })
	if r := d.Runs[0].Results[3]; !strings.Contains(r.Failed, "the file is gone") {
		t.Errorf("it came out as %+v", r)
	}
}

// ruledSeats seats rules on both sides.
func ruledSeats() seating {
	sits := rules.New(rules.Options{})
	return func() (map[state.Seat]protocol.Participant, error) {
		return map[state.Seat]protocol.Participant{judge.Architect: sits, judge.Skeptic: sits}, nil
	}
}

// byRules is a plan of every form and judge with rules on both sides.
func byRules(t testing.TB, limit int) *Matrix {
	t.Helper()
	c, err := OpenCorpus("security")
	if err != nil {
		t.Fatal(err)
	}
	d, err := domain.BuiltIn("security")
	if err != nil {
		t.Fatal(err)
	}
	return few(t, func(p *Plan) {
		p.Corpus, p.Judges, p.Domain = c.Select(nil, limit), judge.Versions(), d
	})
}

// The default of moot lab run: 84 scenarios, every form, every judge.
func BenchmarkMatrix(b *testing.B) {
	m := byRules(b, 0)
	for b.Loop() {
		ran(b, m, ruledSeats())
	}
	b.ReportMetric(float64(m.Sessions()), "sessions/op")
}
