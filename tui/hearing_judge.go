package tui

import (
	"strings"

	"moot/plain"
	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// judgePart tells what the judge reckons: each row of its version in numbers, the
// verdict, what the other versions would say, and the gate.
type judgePart struct {
	scrolled
	look  *look
	state state.State
}

func newJudgePart(l *look) *judgePart {
	p := &judgePart{look: l}
	p.blocks = func(l *look) []block { return p.judgeBlocks(l) }
	return p
}

// setState takes over what stands now.
func (p *judgePart) setState(s state.State) {
	p.state = s
	p.refresh()
}

func (p *judgePart) setLook(l *look) { p.look = l }

func (p *judgePart) setFocused(bool) {}

func (p *judgePart) title() string { return "judge " + string(p.state.HearingSettings().Judge) }

func (p *judgePart) view(width, height int) []string {
	return p.read(p.look, width, height)
}

func (p *judgePart) move(a Action, width, height int) {
	p.read(p.look, width, height)
	p.moveBy(a)
}

func (p *judgePart) wheel(by, width, height int) {
	p.read(p.look, width, height)
	p.top += by
	p.bound()
}

func (p *judgePart) click(int, int, int, int) {}

// opens says that nothing opens here by a click.
func (p *judgePart) opens(int, int, int, int) bool { return false }

// selected is the question: it is what the judge rules on.
func (p *judgePart) selected() string {
	if p.state.Point(resolver.QuestionPoint) == nil {
		return ""
	}
	return resolver.QuestionPoint
}

func (p *judgePart) choose(string) {}

func (p *judgePart) copied() string {
	text := scrolled{blocks: p.blocks}
	text.lay(p.look, widestBeside)
	return plain.Text(strings.TrimSpace(text.plainText()))
}

func (p *judgePart) find(query string, forwards, from bool, width, height int) bool {
	p.read(p.look, width, height)
	return p.findRow(query, forwards, from)
}

// judgeBlocks are all that the judge reckons.
func (p *judgePart) judgeBlocks(l *look) []block {
	v, judged := resolver.VerdictOf(&p.state)
	if !judged {
		return []block{{indent: 2, body: span{l.faint, "The judge waits for an argument of each side."}}}
	}
	list := []block{{indent: 2, body: span{l.bold, p.state.HearingSettings().Domain.Shown(v.Outcome)}}}
	for _, row := range hearing.Rows(v.Version, v.Architect, v.Skeptic) {
		list = append(list, block{indent: 2, lead: span{l.text, row.Rule + "  "}, body: span{l.text, row.Says() + ": " + row.Numbers()}})
	}
	return list
}
