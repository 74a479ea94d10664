package figure

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"moot/protocol/protocoltest"
	"moot/state"
)

// drawn is the map of a session drawn at random.
func drawn(rt *rapid.T, t *testing.T, texts []string) *Map {
	r, rulings := session(rt, t, texts)
	method := rapid.SampledFrom([]ansi.Method{ansi.GraphemeWidth, ansi.WcWidth}).Draw(rt, "method")
	return New(r.State, rulings, method, rapid.Bool().Draw(rt, "ascii"))
}

// No text breaks a border: each row of a box ends where the others end, and holds nothing that acts on a terminal.
func TestBoxesAreExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawn(rt, t, hostile())
		width := rapid.IntRange(-1, 220).Draw(rt, "width")
		for i := range m.Nodes {
			rows := m.Draw(i, width, i == 0)
			last := text(rows[len(rows)-1:])
			for _, row := range rows[len(rows)-3:] {
				line := text([]Row{row})
				if m.Width(line) != m.Width(last) {
					rt.Fatalf("the rows of %s differ in width: %q and %q", m.Nodes[i].ID, line, last)
				}
				for _, r := range line {
					if !unicode.IsGraphic(r) && r != '\u200d' && r != '\u200c' {
						rt.Fatalf("a row holds %q: %q", r, line)
					}
				}
			}
		}
	})
}

func TestTheMapAsSVG(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawn(rt, t, hostile())
		seen, err := wellFormed(m.SVG(80, "#ffffff", "#000000", nil))
		if err != nil {
			rt.Fatal(err)
		}
		for i := range m.Nodes {
			if !strings.Contains(seen, m.Nodes[i].ID) {
				rt.Fatalf("the document does not hold %s", m.Nodes[i].ID)
			}
		}
	})
}

func TestASCIIMapIsASCII(t *testing.T) {
	for _, c := range whole(mapOf(protocoltest.Dispute(t), true), 60, "P2") {
		if c > '~' {
			t.Fatalf("%q is no ASCII", c)
		}
	}
}

func TestAttackAndSupportDifferWithoutColor(t *testing.T) {
	r := protocoltest.Dispute(t)
	for _, ascii := range []bool{false, true} {
		drawing := whole(mapOf(r, ascii), 80, "")
		for _, word := range []string{"attacks", "refutes", "supports", "defeats", "answered", "opposed to P6", "replaced by P8", "same as"} {
			if !strings.Contains(drawing, word) {
				t.Errorf("the map does not say %q:\n%s", word, drawing)
			}
		}
	}
}

func TestADefeatedChallengeNoLongerAttacks(t *testing.T) {
	m := mapOf(protocoltest.Dispute(t), false)
	broken := map[string]bool{}
	for i := range m.Nodes {
		broken[m.Nodes[i].ID] = m.Nodes[i].box.broken
	}
	want := map[string]bool{"C1": true, "C2": false, "C3": false, "C4": false, "C1.1": true, "C1.2": false, "E1": false, "E2": true, "E3": false, "E4": false}
	for id, failed := range want {
		if broken[id] != failed {
			t.Errorf("%s failed is %v, not %v", id, broken[id], failed)
		}
	}
}

// Who answers has one color in every format, and who judges another.
func TestRolesOfSeats(t *testing.T) {
	roles := NewSeatRoles()
	for role, seats := range map[Role][]state.Seat{
		RoleConsultee:    {"consultee-2", "proposer", "panelist", "panelist-2", "strategist", "architect"},
		RoleOrchestrator: {"orchestrator", "pressure-tester", "critic", "skeptic"},
		RoleSeat:         {"arbiter", "moderator", "oracle", "protocol"},
		RoleUser:         {"user"},
	} {
		for _, seat := range seats {
			if got := roles.Of(seat); got != role {
				t.Errorf("%s has the role %s, want %s", seat, got, role)
			}
		}
	}
}
