package tui

import (
	"errors"
	"fmt"
	"strings"

	"moot/protocol"
	"moot/state"
)

// scenes are all screens that are held.
func scenes() []scene {
	var all []scene
	for _, part := range [][]scene{
		homeScenes(), viewScenes(), momentScenes(), readingScenes(), typingScenes(), decisionScenes(), replayScenes(), proposalDecisionScenes(),
		fieldScenes(), resolvedScenes(), panelScenes(), matrixScenes(), councilScenes(), hearingScenes(), heardScenes(), metricsScenes(), modelScenes(),
	} {
		all = append(all, part...)
	}
	return all
}

func homeScenes() []scene {
	sessions := func(keys string) func(s *stage) *Model {
		return func(s *stage) *Model { return s.home(s.house(), keys) }
	}
	return []scene{
		{"home", "Which of the three parsers", sessions("")},
		{"home-filtered", "Is the cache safe under load?", sessions("/ c a c h e")},
		{"home-nothing-found", "no session holds these words", sessions("/ z z z")},
		{"home-first-start", "What to do", func(s *stage) *Model { return s.home(&house{}, "") }},
		{"home-first-start-found", "OPENAI_API_KEY is set", func(s *stage) *Model { return s.home(&house{found: s.found}, "") }},
		{"home-unreadable", "permission denied", func(s *stage) *Model {
			return s.home(&house{listing: errors.New(s.text("read /home/ada/.local/state/moot: permission denied"))}, "")
		}},
		{"home-refused", "is open in another moot", func(s *stage) *Model {
			h := s.house()
			h.refusal = errors.New(s.text("20260304-a.jsonl is open in another moot"))
			return s.home(h, "enter")
		}},
		{"home-delete", "This cannot be undone", sessions("d down")},
		{"home-export", "Export", sessions("x tab")},
		{"home-palette", "new question", sessions(":")},
		{"home-help", "ask a new question", sessions("?")},
		{"question-empty", "A new question", sessions("n")},
		{"question-framing", "Critique this", func(s *stage) *Model { return s.pasted(s.home(s.house(), "n"), "Critique this queue design") }},
		{"question-seats", "Orchestrator", func(s *stage) *Model {
			m := s.pasted(s.home(s.house(), "n"), "Why is it slow?")
			pressAll(m, "tab tab 2 tab x tab")
			return m
		}},
		{"question-end", "High stakes", sessions("n shift+tab shift+tab")},
		{"question-proposal", "Playbook", func(s *stage) *Model {
			m := s.pasted(s.home(s.house(), "n"), "May this change be merged?")
			pressAll(m, "tab 2 tab")
			return m
		}},
		{"question-proposal-seats", "Pressure-tester", sessions("n @ c h a n g e . m d tab 2 tab tab tab down")},
		{"question-panel", "Panelist 2", func(s *stage) *Model {
			m := s.pasted(s.home(s.house(), "n"), "Is the queue safe to retry?")
			pressAll(m, "tab 3 tab")
			return m
		}},
		{"question-panel-end", "Contradict below", func(s *stage) *Model {
			m := s.pasted(s.home(s.house(), "n"), "Is the queue safe to retry?")
			pressAll(m, "tab 3 shift+tab shift+tab shift+tab shift+tab shift+tab shift+tab 7 tab")
			return m
		}},
		{"question-refused", "there is no file notes.md", func(s *stage) *Model {
			h := s.house()
			h.refusal = &FieldError{"context", errors.New(s.text("there is no file notes.md"))}
			return s.home(h, "n W h y ctrl+s")
		}},
	}
}

func viewScenes() []scene {
	var list []scene
	for _, p := range Views(state.FormatConsult) {
		list = append(list, scene{"view-" + strings.ToLower(p.String()), p.String(), func(s *stage) *Model {
			m := s.session("")
			m.setTopic("P1")
			finish(m, m.focusOn(p))
			return m
		}})
	}
	keys := func(name, shows, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.session(keys) }}
	}
	return append(
		list,
		keys("view-points-sorted", "Points", "2 > > i end"),
		keys("view-graph-only", "Graph", "8 down 5 c"),
		keys("view-graph-zoomed", "Graph", "5 z"),
		keys("view-charts-all", "Confidence, all points", "6 c"),
		keys("view-charts-buckets", "Buckets over the rounds", "6 c c"),
		keys("view-charts-cost", "Cost", "6 c c c"),
		keys("view-zoomed", "8 Buckets", "z"),
		keys("search", "/", "4 / w r i t e s enter"),
		keys("search-typing", "search: ack", "/ a c k"),
		keys("search-missed", "zzz", "2 / z z z enter"),
		scene{"modelless", "no language model", func(s *stage) *Model {
			r := &recorder{t: s.t}
			r.add(opened(
				state.SeatAssignment{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
				state.SeatAssignment{Seat: state.Consultee, Participant: s.text("rules"), NoModel: true},
			))
			s.cast = &cast{record: r, text: s.text}
			return s.session("")
		}},
		scene{"ascii", "+ Agreed", func(s *stage) *Model {
			s.options.ASCII = true
			return s.session("5")
		}},
	)
}

// momentScenes are what happens while a session runs.
func momentScenes() []scene {
	told := func(name, shows string, told func(s *stage) []any) scene {
		return scene{name, shows, func(s *stage) *Model { return s.session("", told(s)...) }}
	}
	return []scene{
		told("moment-ready", "next turn", func(*stage) []any {
			return []any{protocol.Forecast{Round: 4, Calls: 4, Tokens: 9200, Cost: 0.06, Priced: true}, ready(state.Consultee)}
		}),
		told("moment-streaming", "XAUTOCLAIM does cover", func(s *stage) []any {
			return s.called(protocol.Streamed{Seat: state.Orchestrator, Text: `{"moves":[{"kind":"JUDGE","challenge":"C1","judgment":"accepted","reason":"` + s.text("XAUTOCLAIM does cover the window, with ")})
		}),
		told("moment-retry", "429, again in 12 s", func(s *stage) []any {
			return s.called(protocol.Reported{Seat: state.Orchestrator, Text: s.text("429, again in 12 s (2/5)")})
		}),
		told("moment-waiting", "answer", func(*stage) []any { return []any{protocol.Waiting{Questions: []string{"Q1"}}} }),
		told("moment-two-asked", "2 asked", func(s *stage) []any {
			return []any{s.advanced(&state.QuestionSurfaced{ID: fmt.Sprint("Q", s.record.state.Questions.Len()+1), What: state.QuestionTradeoff, Text: s.text("Cost or speed?")})}
		}),
		told("moment-paused", "gives no answer", func(s *stage) []any {
			return []any{s.advanced(&state.SessionPaused{Why: state.PauseUnreachable, Reason: s.text("consultee: openai:gpt-5.2 gives no answer: connection refused; is the network up?")}), protocol.TurnReady{}}
		}),
		told("moment-closed", "closed", func(s *stage) []any {
			a := s.advanced(&state.SessionPaused{Why: state.PauseUser}, &state.SessionResumed{Attended: true}, &state.ExitReached{Exit: state.ExitConverged}, &state.SessionClosed{Exit: state.ExitConverged})
			return []any{a, protocol.Ended{State: a.State, Rulings: a.Rulings}}
		}),
		told("moment-failed", "no space left on device", func(s *stage) []any {
			a := s.advanced()
			return []any{protocol.Ended{State: a.State, Rulings: a.Rulings, Err: errors.New(s.text("append to the session file: no space left on device; the session is saved up to event 40"))}}
		}),
		told("moment-refused", "cannot be ruled", func(s *stage) []any { return []any{refused{s.text("P9 cannot be ruled on: there is no such point")}} }),
		told("moment-done", "P2 is Agreed, by you", func(s *stage) []any { return []any{done{s.text("P2 is Agreed, by you")}} }),
	}
}

// readingScenes are dialogs that are read.
func readingScenes() []scene {
	keys := func(name, shows, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.session(keys) }}
	}
	list := []scene{
		keys("help", "Keys", "?"),
		keys("help-end", "Everywhere", "? end"),
		keys("challenge", "crash between read and claim", "9 enter"),
		keys("evidence", "acks after the handler returns", "4 end up enter"),
		keys("event", "question-surfaced", "7 up enter"),
		{"problems", "unknown theme", func(s *stage) *Model {
			s.options.Problems = []string{s.text(`config.toml:3: unknown theme "dracla"; did you mean "dracula"?`)}
			return s.session(": c o n f i g enter")
		}},
		{"problems-told", "1 problem", func(s *stage) *Model {
			s.options.Problems = []string{s.text(`config.toml:3: unknown theme "dracla"; did you mean "dracula"?`)}
			return s.session("")
		}},
		{"prompt", "What goes out next", func(s *stage) *Model { return s.session("", ready(state.Consultee), s.prompts(false)) }},
	}
	for id, bucket := range receipts() {
		list = append(list, scene{"receipt-" + string(bucket), "Why " + id, func(s *stage) *Model {
			m := s.session("")
			m.setTopic(id)
			finish(m, m.focusOn(PanePoint))
			pressAll(m, "w")
			return m
		}})
	}
	return list
}

// receipts are points of the friendly session, one of each bucket.
func receipts() map[string]state.Bucket {
	return map[string]state.Bucket{
		"P1": state.BucketAgreed, "P3": state.BucketDismissed, "P5": state.BucketUnresolved, "P7": state.BucketNotEvaluated, "P2": state.BucketOpen,
	}
}

// prompts are those that go out next.
func (s *stage) prompts(edit bool) previewed {
	return previewed{map[state.Seat]protocol.Prompt{state.Consultee: {
		System: s.text("You argue one question with another seat. Reply with moves."),
		Text:   s.text("C1 on P2 is open: a crash between read and claim is not covered.\nAnswer it, or concede."),
	}}, edit}
}

// typingScenes are dialogs in which one types or chooses.
func typingScenes() []scene {
	return []scene{
		{"person", "You speak as consultee", func(s *stage) *Model {
			m := s.session("", s.asked(state.StageAnswer))
			m.armed = true
			return s.pasted(m, "Re C1: the idle time covers it\n")
		}},
		{"person-proposes", "You speak as consultee", func(s *stage) *Model { return s.session("", s.asked(state.StagePropose)) }},
		{"answer", "How many writes a second", func(s *stage) *Model { return s.session("n down") }},
		{"answer-typed", "How many writes a second", func(s *stage) *Model { return s.pasted(s.session("n"), "about 80, at noon") }},
		{"prompt-edit", "The next prompt to consultee", func(s *stage) *Model {
			return s.pasted(s.session("", ready(state.Consultee), s.prompts(true)), "Be brief.\n")
		}},
		{"palette", "Commands", func(s *stage) *Model { return s.session(":") }},
		{"palette-typed", "theme", func(s *stage) *Model { return s.session(": t h e m") }},
		{"palette-jump", "go to P2", func(s *stage) *Model { return s.session(": p 2") }},
		{"export", "Export", func(s *stage) *Model { return s.session("x tab") }},
	}
}

// decisionScenes are the list of what can be decided and its forms.
func decisionScenes() []scene {
	list := []scene{
		{"override", "Override, about P2", func(s *stage) *Model { return s.session("8 end up u") }},
		{"override-fact", "replace F", func(s *stage) *Model { return s.session("4 u") }},
		{"override-nothing", "Override", func(s *stage) *Model { return s.session("1 u z z z") }},
	}
	form := func(id, shows, keys string) {
		name := "decide-" + strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(id), " %s", ""), " ", "-")
		list = append(list, scene{name, shows, func(s *stage) *Model { return s.decision(id, keys) }})
	}
	form("agree with %s", "Agree with P2", "")
	form("leave %s unresolved", "Leave P2 unresolved", "n o space d a t a")
	form("challenge %s", "Challenge P2", "down")
	form("give evidence on %s", "Evidence on P2", "tab")
	form("set the kind of %s", "Kind of P2", "")
	form("concede", "Concede P8", "")
	form("C1", "Answer C1 on P2", "i t space h o l d s")
	form("Q2", "Is readable code worth", "")
	form("fact", "Record a fact", "i t space i s")
	form("term", "Define a term", "ctrl+s")
	form("replace fact", "Which fact?", "down")
	form("priorities", "Which points matter most?", "space down space")
	form("replace", "Replace in which seat?", "")
	form("budget", "Budget", "x ctrl+s")
	form("stop", "Close the session", "down")
	opens := func(name, shows string, open func(s *stage, m *Model)) {
		list = append(list, scene{name, shows, func(s *stage) *Model {
			m := s.session("")
			open(s, m)
			m.rearrange()
			return m
		}})
	}
	opens("decide-participant", "no participant is called that", func(s *stage, m *Model) {
		finish(m, m.openParticipants(state.Consultee, s.text("qwen"), s.text("no participant is called that")))
	})
	opens("decide-side", "Choose a side of P4", func(_ *stage, m *Model) { m.openSide("P4") })
	opens("choose-point", "Which point?", func(_ *stage, m *Model) { m.onPoint("", (*Model).openKind)(m) })
	opens("choose-challenge", "Which challenge?", func(_ *stage, m *Model) { m.chooseChallenge() })
	opens("choose-prompt", "Edit which prompt?", func(s *stage, m *Model) {
		p := s.prompts(true)
		p.prompts[state.Orchestrator] = protocol.Prompt{Text: s.text("Judge the answers.")}
		m.openPreview(p)
	})
	return list
}

func replayScenes() []scene {
	return []scene{
		{"replay", "event ", func(s *stage) *Model { return s.past(-12, "") }},
		{"replay-first", "event 1 of", func(s *stage) *Model { return s.past(1, "") }},
		{"replay-points", "event 25 of", func(s *stage) *Model { return s.past(25, "2") }},
		{"replay-home", "event 20 of", func(s *stage) *Model {
			m := s.past(20, "4 ?")
			return m
		}},
	}
}
