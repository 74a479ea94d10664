package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// asked is one thing that the person is asked: a question of the session, or
// to speak for a seat.
type asked struct {
	question *state.Question
	request  *request
}

func (a asked) text() string {
	if a.request != nil {
		ask := a.request.call.Ask
		return fmt.Sprintf("you speak as %s: %s", ask.Seat, ask.Stage)
	}
	return a.question.ID + " " + string(a.question.Kind) + ": " + a.question.Text
}

// asking returns what waits for the person, in order.
func (m *Model) asking() []asked {
	var list []asked
	for _, r := range m.requests {
		list = append(list, asked{request: r})
	}
	if m.ended {
		return list
	}
	for _, q := range m.state.Questions.All() {
		if !q.Answered {
			list = append(list, asked{question: q})
		}
	}
	return list
}

// openDialog opens what an action shows.
func (m *Model) openDialog(a Action) {
	switch {
	case a == ActionHelp:
		m.dialogs = append(m.dialogs, &reader{heading: "Keys", blocks: m.helpBlocks})
	case a == ActionFact:
		m.dialogs = append(m.dialogs, newFactForm())
	case a == ActionAnswer:
		m.openAnswer()
	case a == ActionOpen:
		if m.focus == PaneDebate {
			m.openAnswer()
			return
		}
		m.openSelected()
	}
}

// openAnswer opens the first thing that is asked, after a quiet moment.
func (m *Model) openAnswer() {
	if !m.armed {
		m.flash, m.flashWarn = "a question came in: press again to answer", false
		return
	}
	first := m.asking()[0]
	if first.request != nil {
		m.dialogs = append(m.dialogs, first.request.form)
		return
	}
	about := ""
	if p := m.state.Point(first.question.Point); p != nil {
		about = p.ID + "  " + p.Text
	}
	m.dialogs = append(m.dialogs, newQuestionForm(*first.question, about))
}

func (m *Model) openSelected() {
	id := ""
	if l := m.listOf(m.focus); l != nil {
		id = l.selected
	}
	if id == "" {
		return
	}
	r := &reader{heading: id}
	switch id[0] {
	case 'P':
		r.point = id
		r.blocks = func(l *look) []block { return m.pointBlocks(l, id) }
	case 'C':
		if c := m.state.Challenge(id); c != nil {
			r.point, r.heading = c.Point, id+" on "+c.Point
		}
		r.blocks = func(l *look) []block { return m.challengeBlocks(l, id) }
	default:
		r.blocks = func(l *look) []block { return m.knownBlocks(l, id) }
	}
	m.dialogs = append(m.dialogs, r)
}

// openPreview shows the prompts that go out next.
func (m *Model) openPreview(prompts map[state.Seat]protocol.Prompt) {
	var seats []state.Seat
	for s := range prompts {
		seats = append(seats, s)
	}
	slices.Sort(seats)
	if len(seats) == 0 {
		m.flash, m.flashWarn = "no prompt waits to go out", true
		return
	}
	m.dialogs = append(m.dialogs, &reader{heading: "What goes out next", blocks: func(l *look) []block {
		var list []block
		for _, s := range seats {
			p := prompts[s]
			list = append(list,
				block{body: span{l.seatStyle(s), "to " + string(s) + ", about " + count((len(p.System)+len(p.Text))/4) + " tokens"}}, block{},
				block{body: span{l.faint, p.System}}, block{}, block{body: span{l.text, p.Text}}, block{})
		}
		return list
	}})
}

// helpBlocks lists the keys, and why one is disabled now.
func (m *Model) helpBlocks(l *look) []block {
	var list []block
	for _, part := range []struct {
		place Place
		title string
	}{{OnScreen, "On the screen"}, {InReader, "Where one reads"}, {InForm, "Where one types"}, {Everywhere, "Everywhere"}} {
		if len(list) > 0 {
			list = append(list, block{})
		}
		list = append(list, block{body: span{l.accent, part.title}})
		for _, b := range m.keys.table {
			if b.Place != part.place {
				continue
			}
			body := span{l.text, b.Help}
			if why := m.disabled(b.Action); why != "" && part.place == OnScreen {
				body = span{l.faint, b.Help + " (not now: " + why + ")"}
			}
			list = append(list, block{indent: 1, lead: span{l.bold, fmt.Sprintf("%-11s", b.Shown)}, body: body})
		}
	}
	return list
}

// pointBlocks is a point whole: its text, the ruling with its receipt, who
// classified it how, the challenges, the evidence.
func (m *Model) pointBlocks(l *look, id string) []block {
	p := m.state.Point(id)
	if p == nil {
		return nil
	}
	list := []block{{body: span{l.bold, p.Text}}, {body: span{l.faint, pointFacts(p)}}, {}}
	list = append(list, m.rulingBlocks(l, id)...)
	for _, c := range p.Classes {
		list = append(list, block{lead: span{l.seatStyle(c.Seat), fmt.Sprintf("%s %s ", c.Seat, c.Class)}, body: span{l.text, fmt.Sprintf("(round %d) %s", c.Round, c.Reason)}})
	}
	if b := p.Blocked; b != nil {
		list = append(list, block{lead: span{l.unresolved, "blocked "}, body: span{l.text, fmt.Sprintf("%s; at %s: below %s, above %s", b.Measurement, b.Threshold, b.Below, b.Above)}})
	}
	for _, c := range p.Challenges {
		list = append(list, block{})
		list = append(list, m.challengeOnly(l, c)...)
	}
	for _, e := range p.Evidence {
		list = append(list, block{})
		list = append(list, m.evidenceBlocks(l, e)...)
	}
	for _, n := range m.state.Notes.All() {
		if n.Point == id {
			list = append(list, block{lead: span{l.faint, "note "}, body: span{l.text, n.Text}})
		}
	}
	return append(list, m.confidenceBlocks(l, id)...)
}

func pointFacts(p *state.Point) string {
	parts := []string{"by " + seats(p.Authors), fmt.Sprintf("round %d", p.Round), string(p.Phase), p.Label, p.Theme}
	if p.Revises != "" {
		parts = append(parts, "revises "+p.Revises)
	}
	if p.RevisedBy != "" {
		parts = append(parts, "revised by "+p.RevisedBy)
	}
	if p.MergedInto != "" {
		parts = append(parts, "same as "+p.MergedInto)
	}
	if len(p.Aliases) > 0 {
		parts = append(parts, "takes in "+strings.Join(p.Aliases, " "))
	}
	if len(p.CalledValue) > 0 {
		parts = append(parts, "called a value judgment by "+seats(p.CalledValue))
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, ", ")
}

// rulingBlocks is the ruling with its receipt.
func (m *Model) rulingBlocks(l *look, id string) []block {
	i := slices.IndexFunc(m.rulings, func(r state.Ruling) bool { return r.Point == id })
	if i < 0 {
		return nil
	}
	r := &m.rulings[i]
	glyph, st, _ := l.bucket(r.Bucket)
	list := []block{{lead: span{st, glyph + " " + ruled(r)}}, {indent: 2, body: span{l.text, r.Reason}}}
	if agreementOnly(r) {
		list = append(list, block{indent: 2, body: span{l.unresolved, "Nothing but agreement stands behind it: a signal, never proof."}})
	}
	if r.Crux != "" {
		list = append(list, block{indent: 2, lead: span{l.bold, "crux  "}, body: span{l.text, r.Crux}})
	}
	receipt := "rule " + r.Rule
	if len(r.Reads) > 0 {
		receipt += ", read " + strings.Join(r.Reads, " ")
	}
	return append(list, block{indent: 2, body: span{l.faint, receipt}}, block{})
}

func (m *Model) challengeOnly(l *look, id string) []block {
	c := m.state.Challenge(id)
	if c == nil {
		return nil
	}
	glyph, st := m.challenges.sign(c)
	list := []block{{lead: span{st, glyph + " " + c.ID + " " + string(c.Kind) + ", " + m.challenges.status(c)}}, {indent: 2, body: span{l.text, c.Objection}}}
	for _, part := range []struct{ lead, text string }{
		{"would do  ", c.UpgradeIf}, {"grounds  ", c.Grounds}, {"why not SKEPTICAL  ", c.WhyNotSkeptical}, {"seems answered  ", c.Unconfirmed},
	} {
		if part.text != "" {
			list = append(list, block{indent: 2, lead: span{l.faint, part.lead}, body: span{l.text, part.text}})
		}
	}
	for i := range c.Defenses {
		d := &c.Defenses[i]
		list = append(list, block{indent: 2, lead: span{l.seatStyle(d.By), fmt.Sprintf("%s, round %d  ", d.By, d.Round)}, body: span{l.text, d.Text}})
		if d.Judgment != state.Unjudged {
			list = append(list, block{indent: 4, lead: span{when(d.Judgment == state.Accepted, l.agreed, l.dismissed), string(d.Judgment) + "  "}, body: span{l.text, d.Reason}})
		}
	}
	return list
}

// challengeBlocks is a challenge, then its point.
func (m *Model) challengeBlocks(l *look, id string) []block {
	list := m.challengeOnly(l, id)
	if c := m.state.Challenge(id); c != nil {
		if p := m.state.Point(c.Point); p != nil {
			list = append(list, block{}, block{lead: span{l.bold, p.ID + "  "}, body: span{l.text, p.Text}}, block{})
			list = append(list, m.rulingBlocks(l, p.ID)...)
		}
	}
	return list
}

func (m *Model) evidenceBlocks(l *look, id string) []block {
	e := m.state.Item(id)
	if e == nil {
		return nil
	}
	glyph, st, word := evidenceSign(l, e)
	head := fmt.Sprintf("%s, %s, by %s, round %d", e.Reference, e.SourceKind, e.OfferedBy, e.Round)
	if e.Direct {
		head += when(e.Contested == "", ", direct", ", direct, contested by "+e.Contested)
	}
	list := []block{{lead: span{st, glyph + " " + e.ID + " " + string(e.Relation) + " " + e.Point + ", " + word}}, {indent: 2, body: span{l.faint, head}}}
	if e.Reason != "" {
		list = append(list, block{indent: 2, body: span{l.faint, e.Reason}})
	}
	for line := range strings.SplitSeq(strings.TrimRight(e.Excerpt, "\n"), "\n") {
		list = append(list, block{indent: 2, lead: span{l.border, l.glyphs.vertical + " "}, body: span{l.text, strings.ReplaceAll(line, "\t", "    ")}})
	}
	return list
}

// knownBlocks is a fact or an evidence item whole.
func (m *Model) knownBlocks(l *look, id string) []block {
	f := m.state.Fact(id)
	if f == nil {
		return m.evidenceBlocks(l, id)
	}
	list := []block{{body: span{l.bold, f.Text}}, {body: span{l.faint, fmt.Sprintf("%s, round %d%s", f.Label(), f.Round, when(f.Live, "", ", superseded"))}}}
	if f.Supersedes != "" {
		list = append(list, block{body: span{l.faint, "supersedes " + f.Supersedes}})
	}
	if f.Tag == ledger.TagUnverified {
		list = append(list, block{body: span{l.unresolved, "A hypothesis of a seat: it lifts nothing until it is verified."}})
	}
	return list
}

func (m *Model) confidenceBlocks(l *look, id string) []block {
	var list []block
	for _, c := range m.state.Confidence.All() {
		if c.Point == id {
			list = append(list, block{lead: span{l.faint, fmt.Sprintf("confidence of %s in round %d  ", c.Seat, c.Round)}, body: span{l.text, fmt.Sprintf("%.2f stated, %.2f counts", c.Stated, c.Admitted)}})
		}
	}
	return list
}
