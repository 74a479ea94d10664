//go:build unix

package tui

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"moot/state"
)

// factsOf returns the facts in a record.
func factsOf(events []state.Event) []string {
	var facts []string
	for _, e := range events {
		if f, ok := e.Data.(*state.FactRecorded); ok {
			facts = append(facts, f.Text)
		}
	}
	return facts
}

// A paste without brackets stays in the field until the user sends it. The rest of a reply that comes late is no text.
func TestPasteWithoutBracketsSendsNothing(t *testing.T) {
	e := newTerminal(t, 120, 36)
	o, log := sessionOptions(e, &speaker{replies: replies()})
	out := launch(t, o)
	e.shows("next: orchestrator to map")
	e.press("F")
	e.shows("Record a fact")
	e.press("queues\rare D A R F\rshort\r")
	e.shows("queues are D A R F short")
	if facts := factsOf(log.events); len(facts) > 0 {
		t.Errorf("the paste recorded %q", facts)
	}
	e.press("\x1b]11;rgb:1414/1919")
	e.press("/1f1f\x1b\\\x1b[24;80R")
	e.press("!\x13")
	e.until("the fact", func(s string) bool {
		return !strings.Contains(s, "Record a fact") && strings.Contains(s, "queues are D A R F short !")
	})
	e.press("q")
	gone(t, e, out)
	if facts := factsOf(log.events); len(facts) != 1 || facts[0] != "queues are D A R F short !" {
		t.Errorf("recorded: %q", facts)
	}
}

// Emoji of several code points are recorded as they were typed, and break no border while they are typed.
func TestEmojiAreTypedWhole(t *testing.T) {
	const text = "👨\u200d👩\u200d👧 🇩🇪 👍🏽 1\ufe0f\u20e3 ❤\ufe0f 🏳\ufe0f\u200d🌈"
	e := newTerminal(t, 120, 36)
	o, log := sessionOptions(e, &speaker{replies: replies()})
	out := launch(t, o)
	e.shows("next: orchestrator to map")
	e.press("F")
	e.shows("Record a fact")
	for i := range len(text) {
		e.press(text[i : i+1])
	}
	e.press("!")
	screen := e.shows("🌈!")
	for line := range strings.Lines(screen) {
		if strings.Contains(line, "🌈!") && !strings.HasSuffix(strings.TrimRight(line, "\n"), "│") {
			t.Errorf("the border of the field is broken: %q", line)
		}
	}
	e.press("\x7f\x13")
	e.until("the form closed", func(s string) bool { return !strings.Contains(s, "Record a fact") })
	e.press("q")
	gone(t, e, out)
	if facts := factsOf(log.events); len(facts) != 1 || facts[0] != text {
		t.Errorf("recorded: %q", facts)
	}
}

// Moot leaves once the terminal has replied to what it was asked at the start, however late: the shell would print the
// replies.
func TestNoReplyIsLeftForTheShell(t *testing.T) {
	e := newTerminal(t, 80, 24)
	o, _ := sessionOptions(e, &speaker{replies: replies()})
	input, keys := e.second()
	o.Input = input
	m := newModel(o)
	m.settling = hangs
	out := launched(t.Context(), m)
	e.shows("next: orchestrator to map")
	send := func(text string) {
		t.Helper()
		if _, err := keys.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	send("qq")
	e.until("the last request", func(string) bool {
		e.mutex.Lock()
		defer e.mutex.Unlock()
		return strings.Contains(string(e.written), "\x1b[c")
	})
	select {
	case <-out:
		t.Fatal("it has left before the terminal replied")
	default:
	}
	send("\x1b[?2026;2$y\x1b[?2027;0$y\x1b]11;rgb:1414/1919/1f1f\x1b\\\x1b[?1u\x1b[?62;22c")
	if l := gone(t, e, out); l.err != nil || !l.Left {
		t.Errorf("%v, left %v", l.err, l.Left)
	}
	if left, err := unix.IoctlGetInt(int(input.Fd()), unix.TIOCINQ); err != nil || left > 0 {
		t.Errorf("%d bytes are left for the shell, %v", left, err)
	}
}
