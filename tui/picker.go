package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"moot/internal/plain"
	"moot/tui/pane"
	"moot/tui/theme"
)

// pick is something to choose in a list.
type pick struct {
	// id tells it from others, "" where nobody asks.
	id string
	// name is what it is called and found by, detail what it does in a few words,
	// which is searched as well.
	name, detail string
	// key is the key that does the same, or "".
	key string
	// why says why it cannot be taken now, or "".
	why string
	do  perform
}

// picker is a dialog to choose in, with a line to type what is looked for.
type picker struct {
	heading string
	// fill makes what there is to choose; it is asked again when things change.
	fill func() []pick
	// typed makes more out of what is typed, which stands first, or last where
	// typedLast is set; it may be nil.
	typed     func(query string) []pick
	typedLast bool
	// empty is said where nothing fits.
	empty string
	// wrong says what was wrong with what was chosen before, or "".
	wrong string
	// taken is told what is taken; it may be nil.
	taken func(p pick)

	picks []pick
	found []found
	input textinput.Model
	at    int
	win   pane.Window
	// look and width are those that were drawn with last.
	look  *theme.Look
	named int
}

// found is something to choose that fits what is typed, with the letters that
// fit: bytes of the name.
type found struct {
	pick
	letters []int
}

// newPicker makes a list to choose in; fill makes what is in it.
func newPicker(heading string, fill func() []pick) *picker {
	p := &picker{heading: heading, fill: fill, empty: "nothing is called that", input: newInput("type to find")}
	p.refresh()
	return p
}

// refresh asks anew what there is to choose. What is pointed at stays.
func (p *picker) refresh() {
	p.picks = p.fill()
	for i := range p.picks {
		p.picks[i].name, p.picks[i].detail = plain.Line(p.picks[i].name), plain.Line(p.picks[i].detail)
	}
	before := p.pointed()
	p.search()
	if before == nil || before.id == "" {
		return
	}
	if i := slices.IndexFunc(p.found, func(f found) bool { return f.id == before.id }); i >= 0 {
		p.at = i
	}
}

// search finds what fits: what is made of the query first, then the names, then
// the details; what cannot be taken stands last.
func (p *picker) search() {
	query := strings.TrimSpace(p.input.Value())
	var made []found
	if p.typed != nil && query != "" {
		for _, one := range p.typed(query) {
			one.name, one.detail = plain.Line(one.name), plain.Line(one.detail)
			made = append(made, found{pick: one})
		}
	}
	known := match(query, p.picks)
	p.found, p.at, p.win = slices.Concat(made, known), 0, pane.Window{}
	if p.typedLast {
		p.found = slices.Concat(known, made)
	}
	slices.SortStableFunc(p.found, func(a, b found) int {
		return when(a.why == "", 0, 1) - when(b.why == "", 0, 1)
	})
}

// match returns the picks that fit a query, the best first; all in their order
// for none.
func match(query string, picks []pick) []found {
	var list []found
	if query == "" {
		for _, one := range picks {
			list = append(list, found{pick: one})
		}
		return list
	}
	names, details := make([]string, len(picks)), make([]string, len(picks))
	for i, one := range picks {
		names[i], details[i] = one.name, strings.ToLower(one.detail)
	}
	taken := map[int]bool{}
	for _, m := range fuzzy.Find(query, names) {
		list, taken[m.Index] = append(list, found{picks[m.Index], m.MatchedIndexes}), true
	}
	// A detail is a sentence, in which single letters say nothing.
	for i := range details {
		if !taken[i] && strings.Contains(details[i], strings.ToLower(query)) {
			list = append(list, found{pick: picks[i]})
		}
	}
	return list
}

// pointed is what is pointed at, or nil.
func (p *picker) pointed() *found {
	if p.at < 0 || p.at >= len(p.found) {
		return nil
	}
	return &p.found[p.at]
}

func (p *picker) title() string { return p.heading }

func (p *picker) place() Place { return InList }

func (p *picker) hint() string {
	if len(p.found) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", p.at+1, len(p.found))
}

func (p *picker) key(msg tea.Msg) intent {
	before := p.input.Value()
	p.input, _ = p.input.Update(msg)
	if p.input.Value() != before {
		p.wrong = ""
		p.search()
	}
	return nil
}

// send takes what is pointed at. What cannot be taken says why.
func (p *picker) send() intent {
	one := p.pointed()
	switch {
	case one == nil:
		return nil
	case one.why != "":
		p.wrong = "not now: " + one.why
		return nil
	}
	if p.taken != nil {
		p.taken(one.pick)
	}
	if one.do == nil {
		return nil
	}
	return one.do
}

func (p *picker) scroll(a Action, height int) {
	page := max(height/2, 1)
	by := map[Action]int{ActionUp: -1, ActionDown: 1, ActionPageUp: -page, ActionPageDown: page}[a]
	p.at = max(min(p.at+by, len(p.found)-1), 0)
	p.wrong = ""
}
