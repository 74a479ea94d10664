// Package consult is the argumentation protocol: an orchestrator consults one or more
// consultees, claim by claim, in at most 8 rounds. Start at Format.Next, which lists the
// steps of a round, then read rounds.go and exits.go.
package consult

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Name implements Format.
func (Format) Name() state.Format { return Name }

// Prompt implements Format.
func (Format) Prompt(s *state.State, ask protocol.Ask) protocol.Prompt {
	if ask.Stage == state.StageConclude {
		return claims.PromptAnswer(s, ask, prompts)
	}
	role := claims.RoleText(ask.Seat)
	if ask.Seat == state.Arbiter {
		role = protocol.PromptText(prompts, "role-arbiter")
	}
	var also []string
	if drawsMap(s, ask) {
		also = append(also, protocol.PromptText(prompts, "also-map"))
	}
	if checksCoverage(ask) {
		also = append(also, protocol.PromptText(prompts, "also-coverage"))
	}
	return claims.NewPrompt(s, ask, prompts).Whole(role, also...)
}

// Next implements Format. The steps are listed in the order of a round; the first one that
// is due becomes the turn. Each reads only the state, so an interrupted session continues
// at the same step.
func (Format) Next(s *state.State) protocol.Turn {
	turn, _ := protocol.FirstDue(s,
		claims.AskAboutFacts,  // facts of the user that do not hold together
		claims.WithdrawClosed, // questions about points that have ended
		openSession,
		claims.CheckEvidence,    // RD6
		claims.AskAboutPoints,   // AC5b
		claims.RaiseRefutations, // RD6: the author answers verified refutations
		claims.ApproveCommands,  // commands, before they are run
		protocol.EndOnFailures,  // EX4
		closeSession,            // RD10, AR, once an exit is reached
		arbitrateNow,            // AR, where the user asks
		askMap,                  // RD1, in front of a user
		askProposals,            // RD1, RD1b
		claims.MergeDuplicates,  // RD2: identical text
		triageByDefault,         // RD2: points that need no triage
		limitScope,              // RD2: more than 7
		askAnswers,              // RD4, RD5
		claims.RemindSeats,      // CH2, CH4
		evaluate,                // RD2, RD3, CH5; headless RD1, and RD8
		challengeContradictions, // RD1b: unmarked contradictions
		checkCoverage,           // RD8, where nothing was judged
		stressTest,              // RD9
		expireRequests,          // unanswered requests
		claims.RequestEvidence,  // JU5
		surfaceDeadlocks,        // EX8
		surfaceTradeoffs,        // EX8, AC11
		claims.RecordRulings,    // RD7
		testExits,               // EX
		offerStop,               // ST5
		nextRound,               // PH1, PH2
	)
	if len(turn.Asks) > 0 {
		turn.Least = leastAsks(s, turn.Asks)
	}
	return turn
}

// openSession starts round 1 with the points of the framing (PH1).
func openSession(s *state.State) (protocol.Turn, bool) {
	if s.Round > 0 || s.Over() {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: s}
	d.Try(0, func() error {
		return d.Add(&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"})
	})
	if seeds := framingOf(s.Settings.Framing).seeds; seeds != nil {
		for _, seed := range seeds(&s.Settings.Input) {
			seed.ID, seed.By = d.State.NextPoint(), state.User
			d.Try(0, func() error { return d.Add(&seed) })
		}
	}
	return protocol.Turn{Events: d.Events}, true
}

// askMap asks the orchestrator for the map before the first question (RD1): a user can say what an ambiguous question
// means. Headless, evaluate asks for it.
func askMap(s *state.State) (protocol.Turn, bool) {
	if s.Settings.Mode == state.ModeQuick || s.Round != 1 || !s.Settings.Waits() {
		return protocol.NotDue()
	}
	return protocol.AskOnce(s, state.StageMap, []state.Seat{state.Orchestrator}, move.KindFlag,
		move.KindClarify)
}

// askProposals asks the seats of the framing for points, in parallel and without seeing
// each other (RD1, RD1b). A reply without a discrete point gets one critique (EX4).
func askProposals(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	moves := []move.Kind{move.KindRaise, move.KindCite, move.KindFlag, move.KindClarify}
	if turn, due := protocol.AskOnce(s, state.StagePropose, proposers(s), moves...); due {
		return turn, due
	}
	if s.Quality == 0 {
		return protocol.NotDue()
	}
	for _, seat := range proposers(s) {
		missed := !claims.HasPoint(s, seat) || (s.QualityStage != state.StagePropose && seat.IsConsultee())
		if asked := s.AskedOf(seat, state.StagePropose); asked.Replies == 1 && missed {
			return protocol.Turn{Asks: []protocol.Ask{{
				Seat: seat, Stage: state.StagePropose, Moves: moves,
				Retry: s.QualityReason + ": give discrete points on the question, each a RAISE",
			}}}, true
		}
	}
	return protocol.NotDue()
}

// triageByDefault puts points in scope that need no triage: those of the user and the
// orchestrator, and those the orchestrator skipped when asked.
func triageByDefault(s *state.State) (protocol.Turn, bool) {
	stage := claims.Evaluation(s)
	asked := s.AskedOf(state.Orchestrator, stage)
	return claims.ScopeByDefault(slices.DeleteFunc(claims.Untriaged(s), func(p *state.Point) bool {
		own := p.IsAuthor(state.User) || p.IsAuthor(state.Orchestrator)
		return !own && (asked.Replies < claims.MostReplies(s) || p.Round != s.Round)
	}))
}

// Overrides implements Format.
func (Format) Overrides(o protocol.Decisions) []protocol.Override {
	ask := protocol.Override{
		ID: "arbitrate", Title: "ask the arbiter", Detail: "it flags points that it doubts; rulings stay",
		Heading: "Ask the arbiter",
		Why:     o.Refusal(claims.AskArbitration{}),
		Build: func(view.Values) ([]protocol.UserMove, string, error) {
			return protocol.SingleMove(claims.AskArbitration{}, "the arbiter is asked, by you")
		},
	}
	return append(claims.Base{}.Overrides(o), ask)
}

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return resolver.Claims{} }

// framing is the way a session opens. The rules are the same for all framings.
type framing struct {
	// The seats that propose in round 1, without seeing each other.
	consultees, orchestrator bool
	// seeds returns the points of the user that exist before any seat replies.
	seeds func(in *state.Input) []state.PointRaised
	// needs is the required input, as the user types it.
	needs string
}

// framingOf returns the opening for a framing.
func framingOf(f state.Framing) framing {
	const design, position = "--design FILE", "--position TEXT"
	switch f {
	case state.FramingCritique, state.FramingRedteam:
		return framing{seeds: designSeed, needs: design}
	case state.FramingSteelman:
		return framing{consultees: true, needs: position}
	case state.FramingComplete:
		return framing{consultees: true, needs: design}
	case state.FramingCompare:
		return framing{consultees: true, needs: "--option TEXT --option TEXT"}
	case state.FramingVerify:
		return framing{seeds: stepSeeds, needs: design}
	case state.FramingPosition:
		return framing{
			orchestrator: true, needs: position,
			seeds: func(in *state.Input) []state.PointRaised {
				return []state.PointRaised{{
					Text: strings.TrimSpace(in.Position), Kind: state.Position, Framed: true,
				}}
			},
		}
	case state.FramingSynthesize:
		return framing{
			consultees: true, needs: "--view NAME=TEXT --view NAME=TEXT",
			seeds: func(in *state.Input) []state.PointRaised {
				return lists.Map(in.Views, func(v state.View) state.PointRaised {
					return state.PointRaised{
						Text: strings.TrimSpace(v.Text), Holder: v.Name, Kind: state.Position, Framed: true,
					}
				})
			},
		}
	case state.FramingParallel:
		return framing{consultees: true, orchestrator: true}
	case state.FramingAudit:
		return framing{seeds: auditSeeds, needs: "FILE"}
	case state.FramingPropose:
	}
	return framing{consultees: true}
}

// proposers returns the seats that propose in round 1.
func proposers(s *state.State) []state.Seat {
	row := framingOf(s.Settings.Framing)
	var seats []state.Seat
	if row.consultees {
		seats = append(seats, s.Consultees()...)
	}
	if row.orchestrator {
		seats = append(seats, state.Orchestrator)
	}
	return seats
}

// maxSeed limits the text of a point made from a design, in bytes.
const maxSeed = 4096

// designSeed makes a point of each statement of a design, which says how it shall be built (KI). If there are more
// than a session evaluates, neighbors are joined so that no line is lost: first those under the same heading, and the
// shortest.
func designSeed(in *state.Input) []state.PointRaised {
	parts := statements(in.Design)
	for len(parts) > claims.MaxInScope {
		at, least := 0, 0
		for i := range parts[1:] {
			size := len(parts[i].text) + len(parts[i+1].text)
			if parts[i].heading != parts[i+1].heading {
				size += len(in.Design)
			}
			if i == 0 || size < least {
				at, least = i, size
			}
		}
		if next := parts[at+1]; parts[at].heading == next.heading {
			parts[at].text += "\n" + next.text
		} else {
			parts[at] = statement{text: parts[at].String() + "\n" + next.String()}
		}
		parts = slices.Delete(parts, at+1, at+2)
	}
	if len(parts) == 0 {
		parts = []statement{{text: strings.TrimSpace(in.Design)}}
	}
	return lists.Map(parts, func(part statement) state.PointRaised {
		text := part.String()
		if len(text) > maxSeed {
			text = strings.ToValidUTF8(text[:maxSeed], "") +
				fmt.Sprintf("\n[see %s - the first %d of %d bytes]", in.DesignPath, maxSeed, len(text))
		}
		return state.PointRaised{Text: text, Kind: state.Decision, Framed: true}
	})
}

// stepSeeds makes a point of each step of a reasoning: each list item, or each paragraph
// if there is no list.
func stepSeeds(in *state.Input) []state.PointRaised {
	steps := statements(in.Design)
	if slices.ContainsFunc(steps, func(s statement) bool { return s.item }) {
		steps = slices.DeleteFunc(steps, func(s statement) bool { return !s.item })
	}
	return lists.Map(steps, func(s statement) state.PointRaised {
		step := strings.Join(strings.Fields(s.text), " ")
		return state.PointRaised{Text: strings.ToValidUTF8(step[:min(len(step), maxSeed)], "")}
	})
}

// auditSeeds makes a point of each statement of a written review.
func auditSeeds(in *state.Input) []state.PointRaised {
	if in.Audit == nil {
		return nil
	}
	return lists.Map(in.Audit.Statements, func(s state.AuditedStatement) state.PointRaised {
		text := s.Text
		if len(text) > maxSeed {
			text = strings.ToValidUTF8(text[:maxSeed], "") +
				fmt.Sprintf("\n[see %s:%d - the first %d of %d bytes]", in.DesignPath, s.Line, maxSeed, len(s.Text))
		}
		return state.PointRaised{Text: text}
	})
}

// statement is a paragraph or a list item of a document, with its lines.
type statement struct {
	// heading is the one above it, and the paragraph that introduces its list.
	heading, text string
	item          bool
}

// String returns the lines with their heading.
func (s statement) String() string {
	switch {
	case s.heading == "":
		return s.text
	case strings.Contains(s.text, "\n"):
		return s.heading + ":\n" + s.text
	}
	return s.heading + ": " + s.text
}

// statements splits a document by heading, paragraph and list item. Nested lists stay with their
// item, fenced code with the statement before it.
func statements(text string) []statement {
	var found []statement
	heading, intro, depth, fenced, open := "", "", 0, false, false
	marker := regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)]) +(\S.*)$`)
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.TrimRight(line, " \t\n")
		trimmed := strings.TrimSpace(line)
		item := marker.FindStringSubmatch(line)
		fence, last := strings.HasPrefix(trimmed, "```"), len(found)-1
		titled, rule := strings.HasPrefix(trimmed, "#"), strings.Trim(trimmed, "-=*_") == ""
		indent := len(line) - len(trimmed)
		switch {
		case last >= 0 && (fenced || fence || found[last].item && indent > depth || open && item == nil && !titled && !rule):
			found[last].text += "\n" + line
		case rule:
			open = false
		case titled:
			heading, intro, open = strings.Trim(trimmed, "# "), "", false
		case item != nil:
			if last >= 0 && !found[last].item && strings.HasSuffix(found[last].text, ":") {
				intro, found = strings.TrimSuffix(found[last].text, ":"), found[:last]
			}
			found, open = append(found, statement{view.Join(", ", heading, intro), item[1], true}), true
			depth = indent
		default:
			intro = ""
			found, open = append(found, statement{heading: heading, text: trimmed}), true
		}
		if fence {
			fenced = !fenced
		}
	}
	return found
}

// ExitCode is 4 if the written review of an audit names a place that is absent or misplaced (EX9).
func (Format) ExitCode(s *state.State) protocol.ExitCode {
	switch audit := s.Settings.Audited(); {
	case audit != nil && audit.Accused() > 0:
		return protocol.ExitFound
	case s.Inconclusive:
		return protocol.ExitInconclusive
	}
	return protocol.ExitConcluded
}
