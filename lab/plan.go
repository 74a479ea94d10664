// Package lab measures how often hearings are right on cases with known answers. A Corpus is read from files, a
// Matrix runs its scenarios in every form and with every judge of a Plan, a Journal keeps the results so that a
// stopped run can continue, and a Document has the figures and their tables. The hearings are real sessions in
// memory; the caller provides the participants. Start at Plan and Matrix.Run.
package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/state"
)

// MostRepeats is the maximum number of hearings of a scenario in one form.
const MostRepeats = 1000

// digestShown is the length of a digest in Stated: enough to be unique.
const digestShown = len("sha256:") + 16

// Plan describes a run.
type Plan struct {
	// Corpus has the selected scenarios, and Selected describes the selection.
	Corpus   Corpus
	Selected string
	// Forms and Judges are crossed.
	Forms  []hearing.Form
	Judges []judge.Version
	Domain domain.Domain
	// Seats lists the architect, the skeptic, and optionally the oracle.
	Seats []state.SeatAssignment
	// Repeats is the number of hearings of each scenario, from 1 to MostRepeats.
	Repeats int
	// Nonce marks the fences around foreign text in prompts. It is not a setting.
	Nonce string
}

// course is one way to run sessions, with the judges that rule on each of them.
type course struct {
	form   hearing.Form
	judges []judge.Version
	// first is the index of the mode with the first judge.
	first int
	// settings apply to all sessions of the course. They are read-only.
	settings *hearing.Settings
}

// Matrix is a plan that can be run.
type Matrix struct {
	plan    Plan
	courses []course
	modes   []Mode
}

// NewMatrix crosses the forms of a plan with its judges.
func NewMatrix(plan Plan) (*Matrix, error) {
	plan.Forms, plan.Judges = lists.Distinct(plan.Forms), lists.Distinct(plan.Judges)
	switch {
	case len(plan.Corpus.Scenarios) == 0:
		return nil, errors.New("no scenario is selected")
	case plan.Repeats < 1 || plan.Repeats > MostRepeats:
		return nil, fmt.Errorf("a scenario can be repeated from 1 to %d times, not %d", MostRepeats, plan.Repeats)
	}
	m := &Matrix{plan: plan}
	for _, form := range plan.Forms {
		if form == hearing.FormSelective {
			// The gate depends on the verdict of the judge, so each judge needs its own sessions.
			for _, version := range plan.Judges {
				m.add(form, []judge.Version{version})
			}
			continue
		}
		m.add(form, plan.Judges)
	}
	if len(m.modes) == 0 {
		return nil, errors.New("no form or no judge is selected")
	}
	return m, nil
}

// add adds a course with its modes.
func (m *Matrix) add(form hearing.Form, judges []judge.Version) {
	h := &hearing.Settings{
		Form: form, Judge: judges[0], Rounds: hearing.DefaultRounds, Domain: m.plan.Domain,
		Oracle: m.oracle() && form != hearing.FormSingle,
	}
	if form == hearing.FormSelective {
		h.Gate, h.Then = judge.GateEither, hearing.FormMulti
	}
	m.courses = append(m.courses, course{form: form, judges: judges, first: len(m.modes), settings: h})
	for _, version := range judges {
		m.modes = append(m.modes, Mode{Form: form, Judge: version, Seats: m.seats()})
	}
}

// seats joins the participants, as in Mode.
func (m *Matrix) seats() string {
	names := lists.Map(m.plan.Seats, func(s state.SeatAssignment) string { return plain.Line(s.Participant) })
	return strings.Join(names, "/")
}

// Sessions returns the number of sessions.
func (m *Matrix) Sessions() int {
	return len(m.courses) * len(m.plan.Corpus.Scenarios) * m.plan.Repeats
}

// planned returns the number of results.
func (m *Matrix) planned() int { return len(m.modes) * len(m.plan.Corpus.Scenarios) * m.plan.Repeats }

// Stated describes the run, line by line, for readers of the results. A run can only continue if these lines are the
// same.
func (m *Matrix) Stated() []string {
	p := &m.plan
	domain, _ := json.Marshal(p.Domain) // a Domain can always be encoded
	lines := []string{
		fmt.Sprintf("corpus: %s, %s, %s", plain.Line(p.Corpus.Name),
			plain.Counted(len(p.Corpus.Scenarios), "scenario"), p.Corpus.Digest()[:digestShown]),
		"selected: " + p.Selected,
	}
	if n := len(p.Corpus.Broken); n > 0 {
		lines = append(lines, "broken: no figure includes "+plain.Counted(n, "scenario")+" that could not be read")
	}
	for _, s := range p.Seats {
		lines = append(lines, fmt.Sprintf("%s: %s", s.Seat, plain.Line(s.Participant)))
	}
	if said := m.modelless(); said != "" {
		lines = append(lines, said)
	}
	lines = append(lines, "forms: "+list(p.Forms), "judges: "+list(p.Judges))
	if slices.Contains(p.Forms, hearing.FormSelective) {
		lines = append(lines, "selective: continues as multi if one of the gates opens")
	}
	if m.oracle() && slices.Contains(p.Forms, hearing.FormSingle) {
		lines = append(lines, "oracle: not in the form single, which has no round to answer it in")
	}
	lines = append(lines, fmt.Sprintf("domain: %s, %s", plain.Line(p.Domain.Name),
		ledger.Digest(domain)[:digestShown]), fmt.Sprintf("repeats: %d", p.Repeats))
	return lines
}

// modelless reports the seats without a model, or "".
func (m *Matrix) modelless() string {
	var without []string
	for _, s := range m.plan.Seats {
		if s.NoModel {
			without = append(without, string(s.Seat))
		}
	}
	switch {
	case len(without) == 0:
		return ""
	case len(without) == len(m.plan.Seats):
		return "no language model is at work: this measures what rules or scripts and the protocol do, and no model"
	}
	return "no language model is at work in the seat of " + strings.Join(without, " and ")
}

func (m *Matrix) oracle() bool {
	return slices.ContainsFunc(m.plan.Seats, func(s state.SeatAssignment) bool { return s.Seat == hearing.Oracle })
}

// list joins words with commas.
func list[T ~string](words []T) string { return strings.Join(enum.Words(words), ", ") }
