// Package lab measures how often hearings are right on cases with known answers. A Corpus is read from files, a
// Matrix makes its scenarios, in every form and with every judge of a Plan, the items of a batch, and a Document has the
// figures of their sessions and the tables. The queue runs them, and keeps what a stopped run continues from; the
// caller holds the hearings. Start at Plan and Matrix.Run.
package lab

import (
	"cmp"
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
	"moot/queue"
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
	// Identify says what a hearing is, by its first events. Number is filled in afterwards.
	Identify func(opened *state.SessionOpened, events []state.Payload) (queue.Parts, error)
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

// unit is one planned hearing.
type unit struct {
	course   *course
	scenario *Scenario
	repeat   int
	// item is what the queue runs. Scenarios with the same facts share it.
	item *queue.Item
}

// Matrix is a plan that can be run.
type Matrix struct {
	// Items are the hearings to hold. One has no fields that open a session: Opening does.
	Items   queue.Plan
	plan    Plan
	courses []course
	modes   []Mode
	// units are ordered by repeat, then by scenario, then by course, so that an interrupted run has complete scenarios,
	// in all forms.
	units []unit
	// byItem has the first unit of each item, by its digest.
	byItem map[string]*unit
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
	if n := m.Sessions(); n > queue.MaxItems {
		return nil, fmt.Errorf("these are %d hearings, and a run has at most %d", n, queue.MaxItems)
	}
	if err := m.makeUnits(); err != nil {
		return nil, err
	}
	return m, nil
}

// makeUnits makes the units and their items.
func (m *Matrix) makeUnits() error {
	scenarios := m.plan.Corpus.Scenarios
	once := len(m.courses) * len(scenarios)
	m.units, m.byItem = make([]unit, 0, m.Sessions()), map[string]*unit{}
	for place := range m.Sessions() {
		u := unit{
			course: &m.courses[place%len(m.courses)], scenario: &scenarios[place/len(m.courses)%len(scenarios)],
			repeat: place/once + 1,
		}
		var parts queue.Parts
		var err error
		if place >= once {
			parts = m.units[place-once].item.Parts
		} else if parts, err = m.identify(&u); err != nil {
			return fmt.Errorf("scenario %s: %w", plain.Line(u.scenario.ID), err)
		}
		parts.Number = u.repeat
		name := u.scenario.ID + "/" + string(u.course.form)
		fields := []queue.Field{
			{Name: "scenario", Values: []string{u.scenario.ID}}, {Name: "form", Values: []string{string(u.course.form)}},
		}
		if u.course.form == hearing.FormSelective {
			version := string(u.course.judges[0])
			name, fields = name+"/"+version, append(fields, queue.Field{Name: "judge", Values: []string{version}})
		}
		m.Items.Add(&queue.Item{
			Digest: parts.Digest(), IDs: []string{name}, Lines: []int{place + 1}, Parts: parts, Fields: fields,
			Title: plain.Clip(plain.Line(cmp.Or(u.scenario.Name, u.scenario.ID)), longestTitle),
		})
		u.item = m.Items.Item(parts.Digest())
		m.units = append(m.units, u)
		if m.byItem[u.item.Digest] == nil {
			m.byItem[u.item.Digest] = &m.units[place]
		}
	}
	return nil
}

// longestTitle is the length of a title in bytes.
const longestTitle = 100

// identify says what a hearing is. Except for the gate of selective, no judge has a part in what is said, so that another
// judge rules on the same session.
func (m *Matrix) identify(u *unit) (queue.Parts, error) {
	opened, events := m.opening(u)
	if u.course.form != hearing.FormSelective {
		own := *u.course.settings
		own.Judge = ""
		opened.Settings.Own = &own
	}
	return m.plan.Identify(opened, events)
}

// Opening returns the first events of the hearing of an item. The caller fills in the ID.
func (m *Matrix) Opening(item *queue.Item) (*state.SessionOpened, []state.Payload) {
	opened, events := m.opening(m.byItem[item.Digest])
	opened.Item = item.Digest
	return opened, events
}

func (m *Matrix) opening(u *unit) (*state.SessionOpened, []state.Payload) {
	p, h := &m.plan, u.course.settings
	seats := slices.DeleteFunc(slices.Clone(p.Seats),
		func(a state.SeatAssignment) bool { return a.Seat == hearing.Oracle && !h.Oracle })
	opened := &state.SessionOpened{
		Rules: hearing.Format{}, Version: state.Version, Question: p.Domain.Question, Seats: seats,
		Settings: state.Settings{
			Format: hearing.Format{}.Name(), Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: p.Nonce,
			Own:     h,
			Input:   state.Input{Options: []string{}, Views: []state.View{}},
			Context: []state.Document{}, Official: []string{},
		},
	}
	return opened, state.PacketEvents(u.scenario.Packet)
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

// title names the run.
func (m *Matrix) title() string { return "corpus " + m.plan.Corpus.Name }

// planned returns the number of results.
func (m *Matrix) planned() int { return len(m.modes) * len(m.plan.Corpus.Scenarios) * m.plan.Repeats }

// Stated describes the run, line by line, for readers of the results.
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
