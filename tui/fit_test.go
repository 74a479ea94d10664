package tui

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"moot/ledger"
	"moot/state"
)

// nasty are texts that break screens: wide, combining, right to left, hostile.
func nasty() []string {
	return []string{
		"plain words that go on for a while and then some more",
		"日本語のテキストは幅が二倍です。とても長い文章を書きます。",
		"e\u0301e\u0301\u0301\u0301\u0301\u0301\u0301\u0301 n\u0303 \u0301 begins with a mark",
		"שלום עולם، مرحبا بالعالم می\u200cخواهم",
		"\x1b[2J\x1b[31mred\x1b]0;title\a\u009b1m \u202ereversed\u202c \u200bzero\u2060 \x00\x7f",
		"👩\u200d💻 👍🏽 🇩🇪 ⚠\ufe0f 1\ufe0f\u20e3 ✔\ufe0f",
		"line\nbreaks\r\nand\ttabs\rreturns\u2028separators",
		strings.Repeat("longwordwithoutspaces", 20),
		"\xff\xfe broken \xc3",
		"", " ", "\n\n",
	}
}

// hostile is a session in which every text is nasty.
func hostile(t testing.TB, at int) *recorder {
	texts := nasty()
	next := func() string {
		at++
		return texts[at%len(texts)]
	}
	r := &recorder{t: t}
	open := opened(state.SeatAssignment{Seat: state.Orchestrator, Participant: next(), Model: next(), NoModel: at%2 == 0},
		state.SeatAssignment{Seat: state.Consultee, Participant: next(), NoModel: true})
	open.Question = next()
	r.add(open, &state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive, Reason: next()})
	r.add(replied(state.Consultee, state.StagePropose, next(), 1, 1)...)
	for i := range 6 {
		id, c, e, f := fmt.Sprint("P", i+1), fmt.Sprint("C", i+1), fmt.Sprint("E", i+1), fmt.Sprint("F", i+1)
		r.add(&state.PointRaised{ID: id, By: state.Consultee, Text: next(), Label: next()},
			&state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope, Reason: next()},
			&state.ChallengeRaised{ID: c, Point: id, By: state.Orchestrator, What: state.Skeptical, Objection: next(), UpgradeIf: next()},
			&state.ChallengeAnswered{Challenge: c, By: state.Consultee, Text: next()},
			&state.EvidenceOffered{ID: e, Point: id, Relation: ledger.Supports, Reference: next(), Quote: next(), By: state.Consultee},
			&state.EvidenceVerified{ID: e, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: next(), Excerpt: next(), Admitted: true, Reason: next()},
			&state.FactRecorded{ID: f, Tag: ledger.TagVerified, Seat: state.User, Text: next(), Reference: next()},
			&state.PointBlocked{Point: id, Blocked: state.Blocked{Measurement: next(), Threshold: next(), Below: next(), Above: next()}})
	}
	r.add(&state.QuestionSurfaced{ID: "Q1", Point: "P1", What: state.QuestionTradeoff, Text: next(), Options: []string{next(), next()}})
	return r
}

// checkFits fails where a screen has not exactly its rows or a row is not
// exactly as wide, or holds anything but styles that could act on a terminal.
func checkFits(t rapid.TB, m *Model, what string) {
	rows := m.drawScreen()
	if len(rows) != m.height && m.width > 0 {
		t.Fatalf("%s: %d rows on a screen of %dx%d", what, len(rows), m.width, m.height)
	}
	for y, row := range rows {
		if w := m.look.method.StringWidth(row); w != m.width {
			t.Fatalf("%s at %dx%d: row %d is %d wide: %q", what, m.width, m.height, y, w, row)
		}
		if plain := styleSequence.ReplaceAllString(row, ""); strings.ContainsFunc(plain, acts) {
			t.Fatalf("%s at %dx%d: row %d: %q", what, m.width, m.height, y, plain)
		}
	}
}

// acts reports whether a character does something to a terminal, or turns the
// text around it.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune("\u200b\u2028\u2029\u2060\ufeff", r)
}

// looks are the ways in which a screen is drawn.
func looks() []func(a *appearance) {
	return []func(a *appearance){
		func(*appearance) {},
		func(a *appearance) { a.mono = true },
		func(a *appearance) { a.method = ansi.GraphemeWidth },
		func(a *appearance) { a.ascii, a.light = true, true },
		func(a *appearance) { a.ascii, a.mono, a.method = true, true, ansi.GraphemeWidth },
	}
}

// Whatever the texts and the size, and whatever the size was before, nothing
// overflows.
func TestNothingOverflows(t *testing.T) {
	all := scenes()
	casts := make([]*cast, 4)
	for i := range casts {
		casts[i] = foul(t, 3*i)
	}
	rapid.Check(t, func(rt *rapid.T) {
		width, height := rapid.IntRange(1, 200), rapid.IntRange(1, 60)
		s := rapid.SampledFrom(all).Draw(rt, "scene")
		m := s.play(&stage{t: t, cast: rapid.SampledFrom(casts).Draw(rt, "cast"), width: width.Draw(rt, "width"), height: height.Draw(rt, "height")})
		m.appear(rapid.SampledFrom(looks()).Draw(rt, "look"))
		checkFits(rt, m, s.name)
		m.Update(tea.WindowSizeMsg{Width: width.Draw(rt, "later width"), Height: height.Draw(rt, "later height")})
		m.say(rapid.SampledFrom(append(nasty(), "")).Draw(rt, "flash"), true)
		m.rearrange()
		checkFits(rt, m, s.name)
		for range rapid.IntRange(0, 4).Draw(rt, "moves") {
			finish(m, m.act(rapid.SampledFrom([]Action{ActionUp, ActionDown, ActionLeft, ActionRight, ActionPageUp, ActionPageDown, ActionHome, ActionEnd}).Draw(rt, "move")))
		}
		m.rearrange()
		checkFits(rt, m, s.name)
	})
}

// Each scene fits at every size, in turns in each way of drawing.
func TestScenesFit(t *testing.T) {
	t.Parallel()
	step := 6
	if testing.Short() {
		// The race detector draws ten times as slowly.
		step = 40
	}
	for i, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			m := s.play(&stage{t: t, cast: foul(t, i), width: 100, height: 30})
			n := i
			for height := 1 + i%3; height <= 60; height += step + height/3 {
				for width := 1 + (i+height)%5; width <= 200; width += step + width/3 {
					n++
					m.Update(tea.WindowSizeMsg{Width: width, Height: height})
					m.appear(looks()[n/10%len(looks())])
					checkFits(t, m, s.name)
				}
			}
		})
	}
}

// Every pane draws exactly its size, from 1x1 on.
func TestPanesFit(t *testing.T) {
	m := screenOf(t, hostile(t, 5), Options{}, 100, 40)
	speak(m)
	for _, height := range []int{1, 2, 3, 7, 20, 60} {
		for width := 1; width <= 200; width += 1 + width/12 {
			m.eachPane(func(id Pane, p pane) {
				rows := p.view(width, height)
				if len(rows) != height {
					t.Fatalf("%s at %dx%d has %d rows", id, width, height, len(rows))
				}
				for _, row := range rows {
					if w := m.look.method.StringWidth(row); w != width {
						t.Fatalf("%s at %dx%d: %d wide: %q", id, width, height, w, row)
					}
				}
			})
		}
	}
}
