package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// The seats of a debate: each argues for one answer and judges the arguments of the other.
const (
	yes state.Seat = "yes"
	no  state.Seat = "no"
)

// debate is a sixth format. It takes part in everything below without a change elsewhere.
type debate struct{ claims.Base }

// debateSettings say whether the motion is open or closed.
type debateSettings struct {
	Motion string `json:"motion"`
}

// debated is the debate's own part of a state.
type debated struct{ remarks []remarked }

// remarked is an event that no other format has: a remark on a claim.
type remarked struct {
	Point string     `json:"point"`
	By    state.Seat `json:"by"`
	Text  string     `json:"text"`
}

func (e *remarked) Fold(s *state.State) error {
	if s.Point(e.Point) == nil {
		return state.Unknown("point", e.Point)
	}
	return state.ChangeOwn(s, func(d *debated) { d.remarks = append(slices.Clip(d.remarks), *e) })
}

func (debate) Own() state.Own {
	return state.Own{
		Claims: true, Settings: &debateSettings{}, State: &debated{}, Kinds: []func() state.Payload{state.Create[remarked]},
	}
}

func (debate) Name() state.Format       { return "debate" }
func (debate) Rulings() resolver.Format { return debateRulings{} }
func (debate) View() view.Format        { return debateView{} }

func (debate) Settings() protocol.Settings {
	return protocol.Settings{
		About: "one seat argues for yes, the other for no",
		Fields: []view.Field{
			protocol.SeatField(yes, "Yes", "argues for yes", view.FirstFound, ""),
			protocol.SeatField(no, "No", "argues for no", view.SecondFound, ""),
			{Key: "motion", Label: "Motion", Kind: view.FieldSelect, Choices: []view.Choice{{Value: "open"}, {Value: "closed"}}},
		},
		Open: func(v view.Values, _ protocol.Files, s *state.Settings) (opening protocol.Opening, err error) {
			s.Own = &debateSettings{v["motion"]}
			return opening, nil
		},
	}
}

// Next has both seats argue at once, then each judges the other's arguments.
func (debate) Next(s *state.State) protocol.Turn {
	turn, _ := protocol.FirstDue(s, start, claims.CheckEvidence, claims.ClosingSteps, argue, accept, judge, protocol.RecordRulings, finish)
	return turn
}

func start(s *state.State) (protocol.Turn, bool) {
	return protocol.Turn{Events: []state.Payload{
		&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"},
	}}, s.Round == 0
}

func argue(s *state.State) (protocol.Turn, bool) {
	return protocol.AskOnce(s, state.StagePropose, []state.Seat{yes, no}, move.KindRaise)
}

// accept puts every argument in scope.
func accept(s *state.State) (protocol.Turn, bool) {
	var events []state.Payload
	for _, p := range claims.Untriaged(s) {
		events = append(events, &state.PointTriaged{Point: p.ID, By: state.Protocol, Scope: state.InScope, Reason: "in scope"})
	}
	return protocol.Turn{Events: events}, len(events) > 0
}

func judge(s *state.State) (protocol.Turn, bool) {
	return protocol.AskOnce(s, state.StageEvaluate, []state.Seat{yes, no}, move.KindClassify, "REMARK")
}

func finish(*state.State) (protocol.Turn, bool) {
	return protocol.Turn{Events: []state.Payload{&state.ExitReached{Exit: state.ExitConverged, Reason: "both were heard"}}}, true
}

// remark is a move that no other format has.
type remark struct {
	Point string `json:"point"`
	Text  string `json:"text"`
}

func (debate) Moves() protocol.Moves {
	return claims.Moves(move.Row{
		Move: (*remark)(nil), Doc: "remarks on a claim",
		Lines: []move.LineForm{{Words: "REMARK", IDs: "point", Text: "text"}},
	})
}

func (debate) Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	a := claims.NewAdmitter(s, ask)
	a.Each(moves, func(m move.Move) error {
		if r, ok := m.(*remark); ok {
			return a.Add(&remarked{Point: r.Point, By: a.Seat, Text: r.Text})
		}
		return a.Move(m)
	})
	a.Finish()
	return a.Admission()
}

func (debate) Prompt(s *state.State, ask protocol.Ask) protocol.Prompt {
	return claims.NewPrompt(s, ask, "").Whole("You argue that the answer is " + string(ask.Seat) + ".")
}

// debateView adds a section with the claims of each side and the remarks on them.
type debateView struct{ view.Claims }

func (v debateView) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	v.Claims.Fill(d, s, rulings)
	sides := view.Section{Title: "SIDES"}
	for _, p := range s.Points.All() {
		it := view.Item{ID: p.ID, Mark: view.Seats(p.Authors), Text: p.Text}
		for _, r := range state.OwnOf[debated](s).remarks {
			if r.Point == p.ID {
				it.Note(string(r.By), r.Text)
			}
		}
		sides.Items = append(sides.Items, it)
	}
	d.Add(sides)
}

func (debateView) Event(_, _ *state.State, data state.Payload) ([]view.Line, bool) {
	if r, ok := data.(*remarked); ok {
		return view.One(view.Say("remark", r.Point, r.Text, view.RolePoint).By(r.By)), true
	}
	return nil, false
}

// debateRulings has the other seat evaluate each claim.
type debateRulings struct{ resolver.Claims }

func (debateRulings) LastRound(*state.State) int { return 1 }

func (debateRulings) Evaluators(_ *state.State, p *state.Point) []state.Seat {
	if p.IsAuthor(yes) {
		return []state.Seat{no}
	}
	return []state.Seat{yes}
}

// script returns a file with the replies of a seat.
func script(t *testing.T, dir, seat, claim, other string) string {
	t.Helper()
	path := filepath.Join(dir, seat+".txt")
	text := `--- propose
{"moves":[{"move":"RAISE","text":"` + claim + `"}]}
--- evaluate
AGREE ` + other + `: granted
REMARK ` + other + `: only in the first month
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "script:" + path
}

// TestSixthFormat takes a session of a format that moot does not have through every command.
func TestSixthFormat(t *testing.T) {
	d := newDesk(t)
	d.Formats = append(formats.All(), debate{})
	dir := t.TempDir()
	forYes := script(t, dir, "yes", "It saves a day a week", "P2")
	forNo := script(t, dir, "no", "It doubles the on-call load", "P1")
	run := func(want int, says string, args ...string) string {
		t.Helper()
		d.out.Reset()
		d.err.Reset()
		code, said := d.run(args...), d.out.String()+d.err.String()
		if code != want || !strings.Contains(said, says) {
			t.Errorf("moot %s: exit %d, want %d and %q\n%s", strings.Join(args, " "), code, want, says, said)
		}
		return said
	}
	ask := []string{"ask", "--headless", "--format", "debate", "--no-workspace", "--yes", forYes}
	run(int(protocol.ExitUsage), `unknown motion "ope": did you mean "open"?`, append(ask, "--no", forNo, "--motion", "ope", "Adopt it?")...)
	run(int(protocol.ExitUsage), "--motion is a flag of --format debate", "ask", "--motion", "open", "Adopt it?")
	run(int(protocol.ExitUsage), "unknown format \"debat\": did you mean \"debate\"?", "ask", "--format", "debat", "Adopt it?")
	run(int(protocol.ExitConcluded), "--yes value", "ask", "--help")

	said := run(int(protocol.ExitInconclusive), "It saves a day a week",
		append(ask, "--no", forNo, "--motion", "closed", "Should we adopt it?")...)
	_, id, _ := strings.Cut(said, "saved      ")
	id, _, _ = strings.Cut(id, ",")
	run(int(protocol.ExitConcluded), id, "fork", id, "--at", "5")
	fork := strings.TrimSpace(d.out.String())
	run(int(protocol.ExitInconclusive), "It saves a day a week", "resume", fork, "--headless", "--no", forNo)
	for _, c := range []struct{ command, want string }{
		{"verify ID", "every ruling recomputes"},
		{"show ID", "It saves a day a week"},
		{"show ID -o json", `"format": "debate"`},
		{"export ID --as json --events", `\"motion\":\"closed\"`},
		{"export ID --as markdown", "only in the first month"},
		{"show ID --why P1", "P1"},
		{"export ID --as markdown", "## SIDES (2)"},
		{"list", "Should we adopt it?"},
		{"replay ID", "only in the first month"},
	} {
		run(int(protocol.ExitConcluded), c.want, strings.Fields(strings.ReplaceAll(c.command, "ID", id))...)
	}
	d.Formats = nil
	run(int(protocol.ExitError), `unknown format "debate"`, "show", id)
	run(int(protocol.ExitUsage), `unknown format "debate"`, "ask", "--format", "debate", "Adopt it?")
}
