package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
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

// covered are dialogs over a screen, by name.
func covered(m *Model) map[string]dialog {
	ask := &request{call: protocol.Call{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer, Moves: protocol.MoveKinds(), Retry: nasty()[4]}, State: m.state}}
	person, question := newPersonForm(ask), newQuestionForm(*m.state.QuestionByID("Q1"), nasty()[2])
	for _, d := range []dialog{person, question} {
		m.dialogs = []dialog{d}
		m.paste(tea.PasteMsg{Content: strings.Join(nasty(), "\n")})
	}
	dialogs := map[string]dialog{"none": nil, "person": person, "question": question}
	m.dialogs = nil
	prompt := newPromptForm(state.Consultee, strings.Join(nasty(), "\n\t"))
	dialogs["prompt"] = prompt
	prompt.key(tea.PasteMsg{Content: nasty()[1]})
	for name, open := range map[string]func(){
		"override": m.openOverride, "commands": m.openPalette, "budget": m.openBudget, "end": m.openEnd, "seats": m.openSeats,
		"fact": func() { m.openFact("F1") }, "term": m.openTerm, "priorities": func() { m.openPriorities(nil) },
		"side": func() { m.openSide("P2") }, "challenge form": func() { m.openChallenge("P2") }, "defense": func() { m.openDefense("C2") },
		"evidence": func() { m.openEvidence("P2") }, "kind": func() { m.openKind("P2") }, "export": func() { m.openExport(nasty()[4]) },
		"participants": func() { m.openParticipants(state.Consultee, nasty()[3], nasty()[4]) },
		"point":        func() { m.onPoint("", (*Model).openKind)(m) }, "challenges": func() { m.chooseChallenge() },
		"prompts": func() {
			p := protocol.Prompt{System: nasty()[4], Text: strings.Join(nasty(), "\n")}
			m.openPreview(previewed{prompts: map[state.Seat]protocol.Prompt{state.Consultee: p, state.Orchestrator: p}})
		},
	} {
		open()
		dialogs[name] = m.dialog()
		m.dialogs = nil
	}
	dialogs["help"] = &reader{heading: "Keys", blocks: m.helpBlocks}
	dialogs["point whole"] = &reader{heading: nasty()[4], point: "P2", blocks: func(l *look) []block { return m.details().receiptBlocks(l, "P2", m.overrides()) }}
	dialogs["challenge"] = &reader{heading: "C1", blocks: func(l *look) []block { return m.details().challengeBlocks(l, "C1") }}
	e := m.events[len(m.events)/2]
	dialogs["event"] = &reader{heading: "#1", blocks: func(l *look) []block { return m.details().eventBlocks(l, &e, 1) }}
	dialogs["fact whole"] = &reader{heading: "F1", blocks: func(l *look) []block { return m.details().knownBlocks(l, "F1") }}
	return dialogs
}

// checkFits fails where a screen has not exactly its rows or a row is not
// exactly as wide, or holds a sequence that is no style.
func checkFits(t *rapid.T, m *Model, what string) {
	rows := m.drawScreen()
	if len(rows) != m.height && m.width > 0 {
		t.Fatalf("%s: %d rows on a screen of %dx%d", what, len(rows), m.width, m.height)
	}
	for y, row := range rows {
		if w := m.look.method.StringWidth(row); w != m.width {
			t.Fatalf("%s at %dx%d: row %d is %d wide: %q", what, m.width, m.height, y, w, row)
		}
		if plain := ansi.Strip(row); strings.ContainsAny(plain, "\x1b\r\n\a\x00\u009b\u202e\u200b") {
			t.Fatalf("%s at %dx%d: row %d: %q", what, m.width, m.height, y, plain)
		}
	}
}

// Whatever the texts and the size, nothing overflows.
func TestNothingOverflows(t *testing.T) {
	records := make([]*recorder, 4)
	for i := range records {
		records[i] = hostile(t, 3*i)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := records[rapid.IntRange(0, len(records)-1).Draw(t, "record")]
		width, height := rapid.IntRange(1, 200).Draw(t, "width"), rapid.IntRange(1, 60).Draw(t, "height")
		m := screenOf(records[0].t, r, Options{NoColor: rapid.Bool().Draw(t, "mono"), ASCII: rapid.Bool().Draw(t, "ascii")}, width, height)
		if rapid.Bool().Draw(t, "graphemes") {
			m.appear(func(a *appearance) { a.method = ansi.GraphemeWidth })
		}
		m.focusOn(rapid.SampledFrom(Panes()).Draw(t, "focus"))
		m.say(rapid.SampledFrom(append(nasty(), "")).Draw(t, "flash"), true)
		m.rearrange()
		if rapid.Bool().Draw(t, "speaking") {
			speak(m)
			m.calls[0].stream(rapid.SampledFrom(nasty()).Draw(t, "streamed"), rapid.Bool().Draw(t, "restart"))
		}
		for range rapid.IntRange(0, 4).Draw(t, "moves") {
			m.moveIn(m.focus, rapid.SampledFrom([]Action{ActionUp, ActionDown, ActionLeft, ActionRight, ActionPageUp, ActionPageDown, ActionHome, ActionEnd}).Draw(t, "move"))
		}
		m.points.sortByColumn(column(rapid.IntRange(0, int(columnCount)-1).Draw(t, "column")))
		if rapid.Bool().Draw(t, "searching") {
			m.search = search{input: newInput("what to find"), active: true}
			m.search.input.SetValue(rapid.SampledFrom([]string{"e", "P1", "長い", "o", "é"}).Draw(t, "query"))
			m.find(true, true)
		}
		for name, d := range covered(m) {
			m.dialogs = nil
			if d != nil {
				m.dialogs = []dialog{d}
			}
			checkFits(t, m, name)
		}
	})
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
