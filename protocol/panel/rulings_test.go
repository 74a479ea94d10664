package panel_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"mvdan.cc/sh/v3/shell"

	"moot/ledger"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
	"moot/view"
)

// session is a panel whose events a test writes itself.
type session struct{ *protocoltest.Desk }

func newSession(t testing.TB) *session {
	return &session{&protocoltest.Desk{T: t, State: &state.State{}, Quiet: true}}
}

func (s *session) add(payloads ...state.Payload) *session {
	s.T.Helper()
	s.Append(payloads...)
	return s
}

// TestRulings runs testdata/rulings: the smallest example of each rule of a
// panel. Each line of a case is one thing:
//
//	panel N [STRATEGY]                          N panelists, by default tiered
//	raise SEAT TEXT [value] [path=OP,JSON] [untriaged]  the next point: P1, P2, …; seats are 1, 2, …, o, user
//	opposed|same|alike|apart P1 P2              a mark of the orchestrator
//	merge P1 P2 · revise P1 SEAT TEXT · scope P1 WORD · drop K1 · argue K1
//	find                                        records the conflicts among the marked pairs
//	vote SEAT CLASS P1 [value]
//	evidence P1 supports|refutes textual|execution|user|claim [direct] [at=REFERENCE] [quote=TEXT] [by=SEAT]
//	settle                                      applies the strategy to every conflict
//	answer C1 SEAT · judge C1 SEAT accepted|rejected · silent C1 · concede P1 SEAT
//	reject SEAT P1                              a REJECT challenge
//	challenge SEAT P1                           a SKEPTICAL challenge, without a word on the point
//	accept SEAT E1
//	user agree|dismiss|unresolved|reopen P1 · kind P1 value|empirical · fact OP,JSON path
//	asked P1                                    evidence was asked for and did not come
//	tokens SEAT N · round N · over
//
// The command rule prints the rulings, settle the conflicts and how they are
// settled, matrix how far the panelists agree, claims what they assert. A case
// continues the one before it unless it begins with panel.
func TestRulings(t *testing.T) {
	datadriven.Walk(t, "testdata/rulings", func(t *testing.T, path string) {
		var s *session
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if strings.HasPrefix(d.Input, "panel ") {
				s = newSession(t)
			}
			s.T = t
			for line := range strings.SplitSeq(d.Input, "\n") {
				words, err := shell.Fields(line, func(string) string { return "" })
				if err != nil {
					t.Fatalf("%s: %s: %v", d.Pos, line, err)
				}
				if len(words) > 0 {
					s.panelLine(words)
				}
			}
			switch d.Cmd {
			case "rule":
				return ruledPanel(t, s.State)
			case "settle":
				return settledPanel(s.State)
			case "matrix":
				return matrixOf(s.State)
			case "claims":
				return claimsOf(s.State)
			}
			return "unknown command " + d.Cmd
		})
	})
}

// seatOf is the seat of a word of a case.
func seatOf(word string) state.Seat {
	switch word {
	case "o":
		return state.Orchestrator
	case "user":
		return state.User
	case "1":
		return panel.Panelist
	}
	return panel.Panelist + "-" + state.Seat(word)
}

func (s *session) panelLine(words []string) {
	s.T.Helper()
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	has := func(word string) bool { return slices.Contains(words, word) }
	value := func(name string) string {
		for _, w := range words {
			if rest, ok := strings.CutPrefix(w, name+"="); ok {
				return rest
			}
		}
		return ""
	}
	switch words[0] {
	case "panel":
		s.openPanel(arg(1), arg(2))
	case "raise":
		id := s.raise(arg(1), arg(2), has("value"), "", value("path"))
		if !has("untriaged") {
			s.add(&state.PointTriaged{Point: id, By: state.Protocol, Scope: state.InScope})
		}
	case "opposed", "same", "alike", "apart":
		s.add(&state.PointsPaired{A: arg(1), B: arg(2), Same: words[0] != "apart", Opposed: words[0] == "opposed", Alike: words[0] == "alike", By: state.Orchestrator})
	case "merge":
		s.add(&state.PointsMerged{Into: arg(1), From: words[2:], By: state.Protocol})
	case "revise":
		id := s.raise(arg(2), arg(3), has("value"), arg(1), "")
		s.add(&state.PointTriaged{Point: id, Scope: state.InScope}, &state.PointRevised{Point: arg(1), New: id, By: seatOf(arg(2))})
	case "scope":
		s.add(&state.PointTriaged{Point: arg(1), By: state.User, Scope: state.Scope(arg(2)), Reason: "beside it"})
	case "drop":
		s.add(&panel.ConflictDropped{ID: arg(1), By: state.User, Reason: "marked anew"})
	case "find":
		s.find()
	case "vote":
		if has("value") {
			s.add(&state.KindCalled{Point: arg(3), By: seatOf(arg(1)), Kind: state.Value})
		}
		s.add(&state.PointClassified{Point: arg(3), By: seatOf(arg(1)), Class: state.Class(arg(2)), Reason: "said so"})
	case "evidence":
		s.evidence(arg(1), ledger.Relation(arg(2)), arg(3), value("at"), cmp.Or(value("quote"), "a passage"),
			seatOf(cmp.Or(value("by"), "1")))
	case "settle":
		t := panel.NewTable(s.State)
		for _, c := range t.Conflicts {
			s.add(&panel.ConflictSettled{ID: c.ID, Settlement: t.Settle(c)})
		}
	case "argue":
		s.add(&panel.ConflictArgued{ID: arg(1), By: state.Protocol, Challenges: []string{}})
	case "round":
		n, _ := strconv.Atoi(arg(1))
		s.add(&state.RoundStarted{Round: n})
	case "over":
		s.add(&state.ExitReached{Exit: state.ExitDecided, Reason: "done"})
	default:
		s.panelMove(words, arg)
	}
}

func (s *session) panelMove(words []string, arg func(int) string) {
	s.T.Helper()
	switch words[0] {
	case "answer":
		s.add(&state.ChallengeAnswered{Challenge: arg(1), By: seatOf(arg(2)), Text: "because"})
	case "judge":
		s.add(&state.ChallengeJudged{Challenge: arg(1), By: seatOf(arg(2)), Judgment: state.Judgment(arg(3)), Reason: "no reason"})
	case "silent":
		s.add(&state.ChallengeUndefended{Challenge: arg(1), Reason: "no answer"})
	case "concede":
		s.add(&state.PointConceded{Point: arg(1), By: seatOf(arg(2)), Reason: "given up"})
	case "reject":
		s.add(&state.PointClassified{Point: arg(2), By: seatOf(arg(1)), Class: state.Reject, Reason: "flawed"},
			&state.ChallengeRaised{ID: state.NextID('C', s.State.Challenges.Len()), Point: arg(2), By: seatOf(arg(1)), Kind: state.Reject, Objection: "flawed"})
	case "challenge":
		s.add(&state.ChallengeRaised{ID: state.NextID('C', s.State.Challenges.Len()), Point: arg(2), By: seatOf(arg(1)), Kind: state.Skeptical, Objection: "why?"})
	case "accept":
		s.add(&state.EvidenceAccepted{ID: arg(2), By: seatOf(arg(1))})
	case "user":
		s.add(&state.OverrideMade{What: state.OverrideKind(arg(1)), Point: arg(2), Reason: "mine"})
	case "kind":
		s.add(&state.OverrideMade{What: state.OverrideKindSet, Point: arg(1), Set: state.Kind(arg(2))})
	case "fact":
		op, raw, _ := strings.Cut(arg(1), ",")
		s.add(&state.FactRecorded{ID: state.NextID('F', s.State.Facts.Len()), Tag: ledger.TagUser, Seat: state.User, Text: "a fact", Predicate: &ledger.Predicate{Path: arg(2), Op: op, Value: []byte(raw)}})
	case "asked":
		s.add(&state.Requested{Point: arg(1), Kind: state.RequestEvidence, Of: s.State.SeatsThat(panel.IsPanelist), By: state.Protocol, Text: "which evidence?"},
			&state.RequestSettled{Point: arg(1), What: state.RequestEvidence, By: state.Protocol})
	case "tokens":
		n, _ := strconv.Atoi(arg(2))
		s.add(&state.UsageCounted{Seat: seatOf(arg(1)), PromptTokens: n})
	default:
		s.T.Fatalf("%q is no line of a case", words[0])
	}
}

func (s *session) openPanel(count, strategy string) {
	n, _ := strconv.Atoi(count)
	if strategy == "" {
		strategy = "tiered"
	}
	seats := []state.SeatAssignment{{Seat: state.Orchestrator}}
	for i := range n {
		seats = append(seats, state.SeatAssignment{Seat: seatOf(strconv.Itoa(i + 1))})
	}
	s.add(&state.SessionOpened{
		Rules:   panel.Format{},
		Version: state.Version, ID: "p", Question: "Is the queue safe?", Seats: seats,
		Settings: state.Settings{Format: panel.Name, Mode: state.ModeStandard, Attended: true, Own: &panel.Settings{Strategy: strategy}},
	}, &state.RoundStarted{Round: 1})
	s.compared()
}

// compared has the orchestrator look at the answers.
func (s *session) compared() *session {
	return s.add(&state.ReplyReceived{Seat: state.Orchestrator, Stage: panel.StageTriage, Valid: true})
}

func (s *session) raise(seat, text string, value bool, revises, path string) string {
	id := state.NextID('P', s.State.Points.Len())
	e := &state.PointRaised{ID: id, By: seatOf(seat), Text: text, Revises: revises}
	if value {
		e.Kind = state.Value
	}
	if op, raw, ok := strings.Cut(path, ","); ok {
		e.Predicate = &state.Predicate{Path: "queue", Op: op, Value: []byte(raw)}
	}
	s.add(e)
	return id
}

// find records the conflicts as the protocol does.
func (s *session) find() {
	for _, apart := range panel.Contradictory(s.State) {
		e := &panel.ConflictFound{ID: state.NextID('K', panel.Of(s.State).Conflicts.Len()), What: apart.What, A: apart.A, B: apart.B, By: apart.By, Challenges: []string{}}
		if apart.What == conflict.Contradiction {
			for _, side := range []string{apart.A, apart.B} {
				id := state.NextID('C', s.State.Challenges.Len())
				s.add(&state.ChallengeRaised{ID: id, Point: side, By: state.Protocol, Kind: state.Skeptical, Objection: "the other says the opposite", UpgradeIf: "evidence"})
				e.Challenges = append(e.Challenges, id)
			}
		}
		s.add(e)
	}
}

func (s *session) evidence(point string, relation ledger.Relation, what, at, quote string, by state.Seat) {
	id := state.NextID('E', s.State.Evidence.Len())
	if at == "" {
		at = "queue.go:" + strconv.Itoa(s.State.Evidence.Len()+1)
	}
	e := &state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: at, Excerpt: quote, Admitted: true}
	switch what {
	case "execution":
		e.Type, e.SourceKind = ledger.Execution, ledger.LiveAPI
	case "user":
		e.SourceKind = ledger.UserOverride
	case "claim":
		e.Type, e.SourceKind = ledger.Claim, ledger.LLMInference
	}
	s.add(&state.EvidenceOffered{ID: id, Point: point, Relation: relation, Reference: at, Quote: quote, By: by}, e,
		&state.EvidenceAccepted{ID: id, By: state.Orchestrator})
}

func ruledPanel(t *testing.T, s *state.State) string {
	t.Helper()
	var out strings.Builder
	for _, r := range resolver.Rule(s) {
		alone, ok := resolver.RuleOne(s, r.Point)
		if !ok || !alone.Equal(&r) {
			t.Errorf("%s alone is %+v, among all %+v", r.Point, alone, r)
		}
		fmt.Fprintf(&out, "%s %s by %s %v: %s\n", r.Point, view.Ruling(&r), r.Rule, r.Reads, r.Reason)
		if r.Bucket == state.BucketAgreed && r.Rule != "AC1" && resolver.KindOf(s, s.Point(r.Point)) == state.Empirical && !resolver.Supported(s, s.Point(r.Point)) {
			t.Errorf("%s is empirical, Agreed, and nothing was verified (INV3)", r.Point)
		}
	}
	return out.String()
}

func settledPanel(s *state.State) string {
	var out strings.Builder
	t := panel.NewTable(s)
	for _, c := range t.Conflicts {
		now := t.Settle(c)
		fmt.Fprintf(&out, "%s %s %s: ", c.ID, c.Kind, t.Describe(c))
		for _, p := range now.Positions {
			how := " "
			if !p.Answered {
				how = "? "
			}
			fmt.Fprintf(&out, "%s%s%s, ", p.Seat, how, p.Point)
		}
		fmt.Fprintf(&out, "%s %s %q %.2f settled=%v: %s\n", now.Method, now.Measure, now.Winner, now.Confidence, now.Settled, now.Reasoning)
	}
	return out.String()
}

func matrixOf(s *state.State) string {
	var out strings.Builder
	t := panel.NewTable(s)
	fmt.Fprintf(&out, "%+v\n", t.Counts())
	return out.String()
}

func claimsOf(s *state.State) string {
	var out strings.Builder
	for _, c := range panel.NewTable(s).Claims {
		fmt.Fprintf(&out, "%v by %v in %v\n", c.Points, c.Holders, c.Conflicts)
	}
	return out.String()
}
