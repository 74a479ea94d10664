package protocol

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/datadriven"

	"moot/state"
)

// theParser reads the replies of the tests in this package: it is made once, and
// nothing changes it.
var theParser = sync.OnceValues(NewParser)

func newTestParser(t testing.TB) *Parser {
	t.Helper()
	p, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stageMoves are what a seat is usually asked for in a stage; a case names
// other moves with moves=(…).
func stageMoves(stage state.Stage) []MoveKind {
	switch stage {
	case state.StageMap:
		return []MoveKind{MoveFlag}
	case state.StagePropose, state.StageCoverage:
		return []MoveKind{MoveRaise, MoveCite, MoveScore, MoveFlag}
	case state.StageEvaluate:
		return []MoveKind{MoveTriage, MoveMerge, MoveClassify, MoveCite, MoveScore, MoveFlag}
	case state.StageAnswer, state.StageRemind:
		return []MoveKind{MoveDefend, MoveConcede, MoveRevise, MoveCite, MoveContest, MoveBlocked, MoveClarify, MoveScore, MoveFlag}
	case state.StageJudge:
		return []MoveKind{MoveJudge, MoveContest, MoveScore}
	case state.StageStress:
		return []MoveKind{MoveSteelman}
	case state.StageArbiter:
		return []MoveKind{MoveFlag}
	case state.StageTriage:
		return []MoveKind{MoveTriage, MoveMerge, MoveFlag}
	case state.StageVote:
		return []MoveKind{MoveClassify, MoveCite, MoveFlag}
	case state.StageCritique, state.StageAttack, state.StageAdvise:
		return testMoves()
	case state.StageRebut:
		return answerMoves()
	case state.StageMend:
		return []MoveKind{MoveCite, MoveScore, MoveClarify, MoveRevise, MoveConcede, MoveChallenge}
	case state.StageSynthesize:
		return []MoveKind{MoveSynthesize, MoveScore, MoveMerge, MoveRevise, MoveFlag}
	case state.StageArgue:
		return []MoveKind{MoveClaim, MoveConclude, MoveFlag}
	case state.StageProbe, state.StageContest:
		return []MoveKind{MoveContradict, MoveFlag}
	case state.StageExchange:
		return []MoveKind{MoveClaim, MoveContradict, MoveAnswer, MoveScore, MoveConcede, MoveConclude, MoveFlag}
	}
	return MoveKinds()
}

// TestReplies runs testdata/replies: a reply above the line, and below it the
// form, one line per move as JSON, and one per refusal. Run with -rewrite to
// write what the parser says now.
func TestReplies(t *testing.T) {
	p := newTestParser(t)
	datadriven.Walk(t, "testdata/replies", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			ask := Ask{Seat: state.Consultee, Stage: state.Stage(d.Cmd)}
			ask.Moves = stageMoves(ask.Stage)
			if arg, ok := d.Arg("seat"); ok {
				ask.Seat = state.Seat(arg.Vals[0])
			}
			if arg, ok := d.Arg("moves"); ok {
				ask.Moves = nil
				for _, word := range arg.Vals {
					ask.Moves = append(ask.Moves, MoveKind(word))
				}
			}
			parsed, err := p.Parse(d.Input, ask)
			if err != nil {
				return err.Code + ": " + err.Reason + "\n"
			}
			return describe(t, parsed)
		})
	})
}

func TestFormsAreAClosedList(t *testing.T) {
	for _, form := range Forms() {
		var read Form
		if err := read.UnmarshalText([]byte(form.String())); err != nil || read != form {
			t.Errorf("%q was read as %q: %v", form, read, err)
		}
	}
	var read Form
	if err := read.UnmarshalText([]byte("yaml")); err == nil {
		t.Error("an unknown form was taken")
	}
}

func describe(t testing.TB, parsed Parsed) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", parsed.Form)
	for _, move := range parsed.Moves {
		text, err := EncodeMoves([]Move{move})
		if err != nil {
			t.Fatal(err)
		}
		text = strings.TrimSuffix(strings.TrimPrefix(text, `{"moves":[`), `]}`)
		text = strings.TrimPrefix(text, fmt.Sprintf(`{"move":"%s"`, move.Kind()))
		fmt.Fprintf(&out, "%s {%s\n", move.Kind(), strings.TrimPrefix(text, ","))
	}
	for _, told := range parsed.Repaired {
		fmt.Fprintf(&out, "repaired: %s\n", told)
	}
	for _, refusal := range parsed.Refused {
		fmt.Fprintf(&out, "refused %d, %s: %s\n", refusal.Move, refusal.Code, refusal.Text)
	}
	return out.String()
}

// TestParseBlank: a text of blanks alone, of whatever kind, is a text that is
// missing, in the telegraphic form as in JSON.
func TestParseBlank(t *testing.T) {
	p := newTestParser(t)
	for _, blank := range []string{"\u00a0", "\u2003", "\u0085", "\v", "\f"} {
		ask := Ask{Seat: state.Consultee, Stage: state.StageAnswer, Moves: MoveKinds()}
		for _, reply := range []string{"CLARIFY P1:" + blank, `{"moves":[{"move":"CLARIFY","point":"P1","text":"` + "\u00a0" + `"}]}`} {
			parsed, err := p.Parse(reply, ask)
			if err == nil && (len(parsed.Moves) > 0 || len(parsed.Refused) != 1 || parsed.Refused[0].Code != "missing-field") {
				t.Errorf("%q: %v, refused %v", reply, parsed.Moves, parsed.Refused)
			}
		}
	}
}
