package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// details write points, challenges and what is known whole.
type details struct {
	state   *state.State
	rulings []state.Ruling
}

// details are those of what is shown.
func (m *Model) details() details { return details{&m.state, m.rulings} }

// pointBlocks is a point whole: its text, the ruling with its receipt, who
// classified it how, the challenges, the evidence.
func (d details) pointBlocks(l *look, id string) []block {
	p := d.state.Point(id)
	if p == nil {
		return nil
	}
	list := []block{{body: span{l.bold, p.Text}}, {body: span{l.faint, pointFacts(p)}}, {}}
	list = append(list, d.rulingBlocks(l, id)...)
	for _, c := range p.Classes {
		list = append(list, block{lead: span{l.seatStyle(c.Seat), fmt.Sprintf("%s %s ", c.Seat, c.Class)}, body: span{l.text, fmt.Sprintf("(round %d) %s", c.Round, c.Reason)}})
	}
	if b := p.Blocked; b != nil {
		list = append(list, block{lead: span{l.unresolved, "blocked "}, body: span{l.text, fmt.Sprintf("%s; at %s: below %s, above %s", b.Measurement, b.Threshold, b.Below, b.Above)}})
	}
	for _, c := range p.Challenges {
		list = append(list, block{})
		list = append(list, d.challengeOnly(l, c)...)
	}
	for _, e := range p.Evidence {
		list = append(list, block{})
		list = append(list, d.evidenceBlocks(l, e)...)
	}
	for _, n := range d.state.Notes.All() {
		if n.Point == id {
			list = append(list, block{lead: span{l.faint, "note "}, body: span{l.text, n.Text}})
		}
	}
	return append(list, d.confidenceBlocks(l, id)...)
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
func (d details) rulingBlocks(l *look, id string) []block {
	i := slices.IndexFunc(d.rulings, func(r state.Ruling) bool { return r.Point == id })
	if i < 0 {
		return nil
	}
	r := &d.rulings[i]
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

func (d details) challengeOnly(l *look, id string) []block {
	c := d.state.Challenge(id)
	if c == nil {
		return nil
	}
	glyph, st := challengeSign(l, d.state, c)
	list := []block{{lead: span{st, glyph + " " + c.ID + " " + string(c.Kind) + ", " + challengeStatus(d.state, c)}}, {indent: 2, body: span{l.text, c.Objection}}}
	for _, part := range []struct{ lead, text string }{
		{"would do  ", c.UpgradeIf}, {"grounds  ", c.Grounds}, {"why not SKEPTICAL  ", c.WhyNotSkeptical}, {"seems answered  ", c.Unconfirmed},
	} {
		if part.text != "" {
			list = append(list, block{indent: 2, lead: span{l.faint, part.lead}, body: span{l.text, part.text}})
		}
	}
	for i := range c.Defenses {
		answer := &c.Defenses[i]
		list = append(list, block{indent: 2, lead: span{l.seatStyle(answer.By), fmt.Sprintf("%s, round %d  ", answer.By, answer.Round)}, body: span{l.text, answer.Text}})
		if answer.Judgment != state.Unjudged {
			list = append(list, block{indent: 4, lead: span{when(answer.Judgment == state.Accepted, l.agreed, l.dismissed), string(answer.Judgment) + "  "}, body: span{l.text, answer.Reason}})
		}
	}
	return list
}

// challengeBlocks is a challenge, then its point.
func (d details) challengeBlocks(l *look, id string) []block {
	list := d.challengeOnly(l, id)
	if c := d.state.Challenge(id); c != nil {
		if p := d.state.Point(c.Point); p != nil {
			list = append(list, block{}, block{lead: span{l.bold, p.ID + "  "}, body: span{l.text, p.Text}}, block{})
			list = append(list, d.rulingBlocks(l, p.ID)...)
		}
	}
	return list
}

func (d details) evidenceBlocks(l *look, id string) []block {
	e := d.state.Item(id)
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
func (d details) knownBlocks(l *look, id string) []block {
	f := d.state.Fact(id)
	if f == nil {
		return d.evidenceBlocks(l, id)
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

func (d details) confidenceBlocks(l *look, id string) []block {
	var list []block
	for _, c := range d.state.Confidence.All() {
		if c.Point == id {
			list = append(list, block{lead: span{l.faint, fmt.Sprintf("confidence of %s in round %d  ", c.Seat, c.Round)}, body: span{l.text, fmt.Sprintf("%.2f stated, %.2f counts", c.Stated, c.Admitted)}})
		}
	}
	return list
}
