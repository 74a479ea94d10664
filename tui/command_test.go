package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic"
	"moot/protocol/protocoltest"
	"moot/state"
)

// commanded returns a session that asks whether a command may run, and the number of its events.
func commanded(t *testing.T, command, expected string) *protocoltest.Record {
	t.Helper()
	r := protocoltest.Consultation(t)
	id := fmt.Sprintf("E%d", r.State.Evidence.Len()+1)
	r.Add(
		&state.EvidenceOffered{
			ID: id, Point: "P1", Relation: ledger.Supports, Reference: "$ " + command, Quote: expected, By: state.Consultee,
		},
		&state.QuestionSurfaced{
			ID: "Q2", Point: "P1", What: state.QuestionApproval, About: claims.AboutRun + id, Text: "run it?",
			Options: []string{"once", "always", "never"},
		},
	)
	return r
}

// opens opens the question of commanded.
func opens(t *testing.T, r *protocoltest.Record, width, height int) *Model {
	t.Helper()
	m := screenOf(t, r, Options{NoColor: true}, width, height)
	m.startOverride(protocol.AnswerOverride(r.State, r.State.QuestionByID("Q2")))
	return m
}

// A command is approved only after its end was on the screen, at every size and by every way to say yes. It can be
// refused at once.
func TestACommandIsReadBeforeItIsApproved(t *testing.T) {
	words := make([]string, 300)
	for i := range words {
		words[i] = fmt.Sprintf("word%03d", i)
	}
	command := "printf " + strings.Join(words, " ") + " the-end"
	if len(command) < 2000 {
		t.Fatal("the command is short")
	}
	for _, size := range [][2]int{{40, 12}, {60, 20}, {100, 24}} {
		for _, yes := range []string{"1 enter", "2 enter", "y e s enter", "A L W A Y S enter", "down down enter"} {
			m := opens(t, commanded(t, command, "exit 0"), size[0], size[1])
			session := &noting{}
			if text := screenText(m); !strings.Contains(text, "word000") || strings.Contains(text, "the-end") {
				t.Fatalf("%v: at first:\n%s", size, text)
			}
			typeKeys(m, yes)
			carry(m, session)
			text := screenText(m)
			if len(session.orders) > 0 || !strings.Contains(strings.Join(strings.Fields(text), " "), "read the whole command") {
				t.Fatalf("%v, %s: it is approved unread, or the screen does not say why: %v\n%s", size, yes, session.orders, text)
			}
			seen := map[string]bool{}
			for range 200 {
				for _, word := range strings.Fields(screenText(m)) {
					seen[word] = true
				}
				if seen["the-end"] {
					break
				}
				typeKeys(m, "pgdown")
			}
			for _, word := range words {
				if !seen[word] {
					t.Fatalf("%v: %s was never on the screen", size, word)
				}
			}
			typeKeys(m, "pgdown pgdown")
			screenText(m)
			typeKeys(m, "enter")
			carry(m, session)
			if len(session.orders) != 1 {
				t.Errorf("%v, %s: it can't be approved after it was read:\n%s", size, yes, screenText(m))
			}
		}
		m := opens(t, commanded(t, command, "exit 0"), size[0], size[1])
		session := &noting{}
		screenText(m)
		typeKeys(m, "3 enter")
		carry(m, session)
		if len(session.orders) != 1 {
			t.Errorf("%v: it can't be refused unread:\n%s", size, screenText(m))
		}
	}
}

// A command that fits the screen is approved without scrolling.
func TestAShortCommandIsApprovedAtOnce(t *testing.T) {
	m := opens(t, commanded(t, "go test ./queue", "exit 0"), 100, 30)
	session := &noting{}
	text := screenText(m)
	for _, want := range []string{"$ go test ./queue", "15 bytes, all ASCII", "expected  exit 0", "exactly this command"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not show %q:\n%s", want, text)
		}
	}
	typeKeys(m, "1 enter")
	if carry(m, session); len(session.orders) != 1 {
		t.Errorf("it is not approved:\n%s", screenText(m))
	}
}

// tried returns a session that asks whether a patch may be tried.
func tried(t *testing.T, patch string) *protocoltest.Record {
	t.Helper()
	r := protocoltest.Consultation(t)
	parsed, err := ledger.ParsePatch(patch)
	if err != nil {
		t.Fatal(err)
	}
	opened, _ := r.Events[0].Data.(*state.SessionOpened)
	with := *opened
	with.Settings.Kinds = []ledger.Kind{{
		Name: "trial", Marks: "TRY", Runs: true, Patch: true, Says: "Cite TRY.", Type: ledger.Execution,
		SourceKind: ledger.LiveAPI, Confidence: ledger.ConfidenceExecution,
	}}
	r.Events = slices.Clone(r.Events)
	r.Events[0].Data = &with
	now := *r.State
	now.Settings.Kinds = with.Settings.Kinds
	r.State = &now
	id := fmt.Sprintf("E%d", r.State.Evidence.Len()+1)
	r.Add(
		&state.EvidenceOffered{
			ID: id, Point: "P1", Relation: ledger.Supports, Reference: "TRY go test ./queue", Quote: ledger.DefaultTrial,
			Patch: parsed.String(), By: state.Consultee,
		},
		&state.QuestionSurfaced{
			ID: "Q2", Point: "P1", What: state.QuestionApproval, About: claims.AboutRun + id, Text: "run it?",
			Options: []string{"once", "always", "never"},
		},
	)
	return r
}

// A patch is approved only after its last line was on the screen, and each of its lines was there before.
func TestAPatchIsReadBeforeItIsApproved(t *testing.T) {
	patch := "--- /dev/null\n+++ b/a_test.go\n@@ -0,0 +1 @@\n"
	for i := range 300 {
		patch += fmt.Sprintf("+\tline%03d()\n", i)
	}
	patch += "+\t// the\u0435nd\n"
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		m := opens(t, tried(t, patch), size[0], size[1])
		session := &noting{}
		if text := screenText(m); !strings.Contains(text, "TRY go test ./queue") || strings.Contains(text, "line299") {
			t.Fatalf("%v: at first:\n%s", size, text)
		}
		typeKeys(m, "1 enter")
		carry(m, session)
		if text := screenText(m); len(session.orders) > 0 || !strings.Contains(text, "read the whole patch first") {
			t.Fatalf("%v: it is approved unread, or the screen does not say why: %v\n%s", size, session.orders, text)
		}
		seen := ""
		for range 200 {
			text := screenText(m)
			seen += text
			if strings.Contains(text, "the<U+0435>nd") {
				break
			}
			typeKeys(m, "pgdown")
		}
		for _, want := range []string{"adds a_test.go (+301)", "NOT all ASCII: <U+0435>", "+    line000()", "+    line299()"} {
			if !strings.Contains(seen, want) {
				t.Errorf("%v: %q was never on the screen", size, want)
			}
		}
		typeKeys(m, "pgdown pgdown")
		screenText(m)
		typeKeys(m, "enter")
		if carry(m, session); len(session.orders) != 1 {
			t.Errorf("%v: it can't be approved after it was read:\n%s", size, screenText(m))
		}
	}
}

// Whatever is not ASCII is marked, and named.
func TestWhatIsNotASCIIIsMarked(t *testing.T) {
	for _, test := range []struct{ name, command, want string }{
		{"a Cyrillic letter", "./b\u0430sh", "./b<U+0430>sh"},
		{"a fullwidth letter", "\uff47o test", "<U+FF47>o test"},
		{"a combining mark", "cat e\u0301", "cat 'e<U+0301>'"},
		{"a letter that draws nothing", "cat a\u3164b", "cat a<U+3164>b"},
		{"a letter from right to left", "cat \u05d0bc", "cat <U+05D0>bc"},
		{"hidden blanks", "echo 'a" + strings.Repeat(" ", 60) + "b'", "echo 'a<60 blanks>b'"},
		{"a blank at the end", "echo 'a '", "echo 'a '"},
	} {
		parsed, err := ledger.ParseCommand(test.command)
		if err != nil {
			t.Fatal(err)
		}
		text := screenText(opens(t, commanded(t, parsed.String(), "exit 0"), 120, 40))
		if !strings.Contains(text, "$ "+test.want) {
			t.Errorf("%s: it does not show %q:\n%s", test.name, test.want, text)
		}
		if marked := strings.Contains(text, "NOT all ASCII"); marked != strings.Contains(test.want, "<U+") {
			t.Errorf("%s: it is said to be other than ASCII: %v\n%s", test.name, marked, text)
		}
	}
}

// A command that the person allowed runs while no seat speaks: the screen says so,
// for how long, and how to end it.
func TestRunningCommandIsShown(t *testing.T) {
	d := protocoltest.ProposalHeld(t)
	d.Reply(dialectic.Proposer, `{"move":"SUPPLY_EVIDENCE","challenge":"C1","reference":"$ make check","quote":"exit 0"}`)
	now := protocoltest.RecordTime()
	m := screenOf(t, d.Record, Options{Now: func() time.Time { return now }}, 100, 30)
	m.ended = false
	tell(m, protocol.Waiting{Questions: []string{"Q1"}})
	if len(m.running()) > 0 || m.disabled(ActionCancel) == "" {
		t.Error("it runs before it is allowed")
	}
	moved, err := protocol.AdmitUser(d.State, protocol.AnswerQuestion{Question: "Q1", Answer: "once"})
	if err != nil {
		t.Fatal(err)
	}
	tell(m, advanced(d.Record, moved...))
	if !m.ticking {
		t.Error("the seconds stand still")
	}
	now = now.Add(12 * time.Second)
	m.Update(tick{})
	if got := screenText(m); !strings.Contains(got, "running $ make check  12 s") || !strings.Contains(got, "esc cancel") {
		t.Errorf("it is not shown:\n%s", got)
	}
	if got := strings.Join(ordered(m, "esc"), " "); got != "cancel" || !strings.Contains(screenText(m), "is refused") {
		t.Errorf("esc orders %q:\n%s", got, screenText(m))
	}
}
