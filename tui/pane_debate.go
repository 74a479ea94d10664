package tui

import "strings"

// debatePane shows the transcript and, below it, the replies under way. It
// follows the end until it is scrolled.
type debatePane struct {
	look       *look
	transcript *transcript
	live       []*call
	clock      clockReading
	win        window
	version    int
	cached     cachedRows
}

func newDebatePane(l *look) *debatePane {
	return &debatePane{look: l, transcript: newTranscript(), win: window{follow: true}}
}

func (p *debatePane) changed() { p.version++ }

// setLook changes how the pane is drawn.
func (p *debatePane) setLook(l *look) {
	p.look = l
	p.changed()
}

// setLive takes over the calls under way and the time to show them at.
func (p *debatePane) setLive(calls []*call, clock clockReading) {
	p.live, p.clock = calls, clock
	p.changed()
}

func (p *debatePane) count() int { return len(p.transcript.entries) + len(p.live) }

func (p *debatePane) rows(i, width int) []string {
	if n := len(p.transcript.entries); i >= n {
		return p.live[i-n].rows(p.look, width, p.clock)
	}
	return p.transcript.entries[i].rows(p.look, width)
}

// scroll moves the window; at the end it follows again.
func (p *debatePane) scroll(by, width, height int) {
	p.win.scroll(p, by, width, height, true)
	p.changed()
}

// edge goes to the beginning or to the end.
func (p *debatePane) edge(end bool) {
	p.win = window{follow: end}
	p.changed()
}

// View draws the pane.
func (p *debatePane) View(width, height int) string {
	return strings.Join(p.view(width, height), "\n")
}

func (p *debatePane) view(width, height int) []string {
	if !p.cached.fits(width, height, p.version) {
		rows, more := p.win.view(p, width, height)
		if p.count() == 0 && height > 0 {
			rows[0] = p.look.row(width, []span{{p.look.faint, "  nobody has spoken yet"}}, nil)
		}
		p.cached = cachedRows{rows, more, width, height, p.version}
	}
	return p.cached.rows
}
