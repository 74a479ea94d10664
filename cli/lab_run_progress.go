package cli

import (
	"fmt"
	"time"

	"moot/lab/matrix"
)

// How often progress is told: drawn anew at a terminal, else as a further line.
const (
	redrawAfter = 100 * time.Millisecond
	lineAfter   = 10 * time.Second
)

// labProgress tells how far a run of the lab is.
type labProgress struct {
	console     *Console
	began, told time.Time
	drawn       bool
	last        matrix.Progress
}

// tell tells it now and then, and at the end.
func (p *labProgress) tell(now matrix.Progress) {
	at, after := p.console.Now(), lineAfter
	if p.console.redraws() {
		after = redrawAfter
	}
	p.last = now
	if at.Sub(p.told) < after && now.Done < now.Planned {
		return
	}
	p.told = at
	if !p.console.redraws() {
		p.console.Say("heard      %s", p.line(at))
		return
	}
	p.drawn = true
	p.console.redraw("heard      " + p.line(at))
}

// line is how far it is, and how long the rest takes if it goes on like that.
func (p *labProgress) line(at time.Time) string {
	n := &p.last
	text := fmt.Sprintf("%d of %d sessions", n.Done, n.Planned)
	if n.Kept > 0 {
		text += fmt.Sprintf(", %d of them before", n.Kept)
	}
	if n.Failed > 0 {
		text += fmt.Sprintf(", %d failed", n.Failed)
	}
	if heard := n.Done - n.Kept; heard > 0 && n.Done < n.Planned {
		left := at.Sub(p.began) / time.Duration(heard) * time.Duration(n.Planned-n.Done)
		text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return text
}

// end leaves the last line standing.
func (p *labProgress) end() {
	if p.drawn {
		p.console.redraw("")
		p.console.Say("heard      %s", p.line(p.console.Now()))
	}
}
