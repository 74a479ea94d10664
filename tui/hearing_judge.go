package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/plain"
	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// quickJudge is the number of facts up to which the judge reckons while the screen is
// drawn: in larger packets the rules of the domain are looked for outside, and what
// was reckoned before stays until that is done.
const quickJudge = 500

// judgePart tells what the judge reckons: each row of its version in numbers, the
// verdict, what the other versions would say, and the gate.
type judgePart struct {
	scrolled
	look  *look
	state state.State
	// stale says that the state is newer than what was reckoned, pending that this is
	// being done outside.
	stale, pending bool
	judge          *resolver.HearingJudge
	reckoned       *reckoned
}

// reckoned is what the judge finds in a session.
type reckoned struct {
	state state.State
	// verdict is that of the session's version after the present round; judged says
	// that there is one.
	verdict resolver.HearingVerdict
	judged  bool
	// others are the verdicts of the other versions, rounds those after the rounds
	// before.
	others, rounds []resolver.HearingVerdict
	// flags are the reasons to doubt the verdict, standing how each claim stands.
	flags    []hearing.MiscalibrationFlag
	standing []hearing.Ruled
}

func newJudgePart(l *look) *judgePart {
	p := &judgePart{look: l, judge: resolver.NewHearingJudge()}
	p.blocks = func(l *look) []block { return p.judgeBlocks(l) }
	return p
}

// setState takes over what stands now. It is reckoned when it is looked at.
func (p *judgePart) setState(s state.State) { p.state, p.stale = s, true }

// large reports whether the packet takes too long to judge while drawing.
func (p *judgePart) large() bool {
	return p.state.Hearing.Packet != nil && p.state.Hearing.Packet.Len() > quickJudge
}

// job returns what reckons. It has the judge to itself.
func (p *judgePart) job() func() *reckoned {
	judge, r := p.judge, &reckoned{state: p.state}
	return func() *reckoned {
		s := &r.state
		if s.Hearing.Packet == nil || s.Settings.Format != state.FormatHearing {
			return r
		}
		if r.verdict, r.judged = judge.Verdict(s); !r.judged {
			return r
		}
		r.flags = resolver.FlagsOf(s, &r.verdict)
		for _, version := range state.JudgeVersions() {
			if version == state.JudgeClaims && len(s.HearingSettings().Domain.Rules) == 0 {
				// Without rules no claim can be ruled by its facts.
				continue
			}
			if v, judged := judge.VerdictBy(s, version, s.Round); judged && version != r.verdict.Version {
				r.others = append(r.others, v)
			}
		}
		for round := 1; round < s.Round; round++ {
			if v, judged := judge.VerdictAfter(s, round); judged {
				r.rounds = append(r.rounds, v)
			}
		}
		if r.verdict.Weighed != nil {
			r.standing = judge.Standing(s, s.Round)
		}
		return r
	}
}

// take takes over what was reckoned.
func (p *judgePart) take(r *reckoned) {
	p.reckoned = r
	p.refresh()
}

// fresh reckons where that is quick.
func (p *judgePart) fresh() {
	if p.stale && !p.large() && !p.pending {
		p.stale = false
		p.take(p.job()())
	}
}

// reckon has a hearing on a large packet judged outside, where it is looked at.
func (m *Model) reckon() tea.Cmd {
	p := m.hearing.judge
	if m.layout.Panes[PaneHearing].Empty() || m.hearing.which != hearingJudge || !p.stale || p.pending || !p.large() {
		return nil
	}
	p.stale, p.pending = false, true
	job := p.job()
	return m.outside(func() answer {
		found := job()
		return func(m *Model) tea.Cmd {
			p.pending = false
			p.take(found)
			return m.reckon()
		}
	})
}

func (p *judgePart) setLook(l *look) { p.look = l }

func (p *judgePart) setFocused(bool) {}

func (p *judgePart) title() string {
	words := "judge " + string(p.state.HearingSettings().Judge)
	if p.pending {
		words += p.look.glyphs.separator + "reckoning"
	}
	return words
}

func (p *judgePart) view(width, height int) []string {
	p.fresh()
	return p.read(p.look, width, height)
}

func (p *judgePart) move(a Action, width, height int) {
	p.view(width, height)
	p.moveBy(a)
}

func (p *judgePart) wheel(by, width, height int) {
	p.view(width, height)
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
	p.fresh()
	text := scrolled{blocks: p.blocks}
	text.lay(p.look, widestCopy)
	return plain.Text(strings.TrimSpace(text.plainText()))
}

func (p *judgePart) find(query string, forwards, from bool, width, height int) bool {
	p.view(width, height)
	return p.findRow(query, forwards, from)
}
