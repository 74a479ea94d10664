package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/protocol/run"
	"moot/state"
)

// promptSession is a session whose prompts wait to go out.
type promptSession struct {
	noting
	prompts map[state.Seat]protocol.Prompt
}

func (s *promptSession) Preview(context.Context) map[state.Seat]protocol.Prompt { return s.prompts }

// prompting is a screen on which prompts wait to go out.
func prompting(t *testing.T, width, height int) (*Model, Session, *noting) {
	t.Helper()
	s := &promptSession{prompts: map[state.Seat]protocol.Prompt{
		state.Consultee: {System: "the rules", Text: "the question\n\tand more"}, "consultee-2": {System: "the rules", Text: "another"},
	}}
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, width, height)
	tell(m, ready(state.Consultee, "consultee-2"))
	return m, s, &s.noting
}

func TestAPromptIsReadAndEdited(t *testing.T) {
	m, s, n := prompting(t, 100, 30)
	typeKeys(m, "p")
	carry(m, s)
	content := ansi.Strip(m.View().Content)
	for _, want := range []string{"to consultee ", "to consultee-2 ", "the rules", "and more", "e edit", "y copy"} {
		if !strings.Contains(content, want) {
			t.Fatalf("it does not show %q:\n%s", want, content)
		}
	}
	typeKeys(m, "e")
	carry(m, s)
	typeKeys(m, "enter N e w space esc")
	if len(m.dialogs) > 0 {
		t.Fatalf("a dialog stays open:\n%s", ansi.Strip(m.View().Content))
	}
	// Hidden, it keeps what was typed.
	typeKeys(m, "e")
	carry(m, s)
	typeKeys(m, "enter ctrl+s")
	carry(m, s)
	if got := n.orders[len(n.orders)-1]; got != `edit consultee "the question\n    and moreNew"` {
		t.Errorf("ordered %q", n.orders)
	}
	m.flash = ""
	m.dirty = true
	if content := ansi.Strip(m.View().Content); !strings.Contains(content, "the next prompt to consultee is yours") {
		t.Errorf("the status does not say so:\n%s", content)
	}
	tell(m, run.Advanced([]state.Event{{Data: &state.PromptEdited{Seat: state.Consultee}}}, m.state))
	if m.edited[state.Consultee] {
		t.Error("it is the person's after it went out")
	}
}

// An unchanged prompt is no edit; an empty one is moot's again.
func TestAPromptThatIsNotTheirs(t *testing.T) {
	for keys, want := range map[string]string{"ctrl+s": "", "ctrl+u ctrl+s": `edit consultee-2 ""`} {
		m, s, n := prompting(t, 100, 30)
		typeKeys(m, "e")
		carry(m, s)
		typeKeys(m, "=to_consultee-2 enter "+keys)
		n.orders = nil
		carry(m, s)
		if got := strings.Join(n.orders, " "); got != want || m.edited["consultee-2"] {
			t.Errorf("%s: got %q, want %q, %s", keys, got, want, m.flash)
		}
	}
}
