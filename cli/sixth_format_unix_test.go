//go:build unix

package cli_test

import (
	"testing"
	"time"

	"moot/cli"
	"moot/protocol"
	"moot/protocol/formats"
)

// TestSixthFormatOnTheScreens steps through a session of a format that moot does not have, reads and replays it.
func TestSixthFormatOnTheScreens(t *testing.T) {
	s, dir := newScreen(t, 120, 36), stateIn(t)
	s.start(&cli.Console{
		Err: &s.said, Dir: dir, Environ: []string{"TERM=xterm-256color", "TERM_PROGRAM=test", "NO_COLOR=1"},
		CheckTime: time.Minute, Formats: append(formats.All(), debate{}),
	}, "ask", "--format", "debate", "--step", "--no-workspace", "--yes", script(t, dir, "yes", "It saves a day a week", "P2"),
		"--no", script(t, dir, "no", "It doubles the on-call load", "P1"), "Should we adopt it?")
	s.walk(
		act{shows: "next: yes to propose, no to propose"},
		act{keys: " ", shows: "next: yes to evaluate, no to evaluate"},
		act{keys: "2", shows: "▸ 2 Points 2"},
		act{shows: "It saves a day a week"},
		act{keys: "1 ", shows: "Unresolved (2)"},
		act{keys: "G", shows: "mean spread"},
		act{keys: "r" + home, shows: "event 1 of"},
		act{keys: right, shows: "event 2 of"},
		act{keys: "r", gone: "event 2 of"},
	)
	s.press("q")
	s.left(int(protocol.ExitInconclusive))
}

// TestSeventhFormatOnTheScreens steps through a session without any claim, reads its result and replays it.
func TestSeventhFormatOnTheScreens(t *testing.T) {
	s, dir := newScreen(t, 120, 36), stateIn(t)
	s.start(&cli.Console{
		Err: &s.said, Dir: dir, Environ: []string{"TERM=xterm-256color", "TERM_PROGRAM=test", "NO_COLOR=1"},
		CheckTime: time.Minute, Formats: append(formats.All(), estimate{}),
	}, "ask", "--format", "estimate", "--step", "--no-workspace", "--first",
		estimator(t, dir, "first", "0.2", "0.4", "as last year"), "--second", estimator(t, dir, "second", "0.6", "0.8", "it grew"),
		"Which share fails?")
	s.walk(
		act{shows: "next: first to propose, second to propose"},
		act{keys: " ", shows: "The median is 0.5; outside of their range: first, second."},
		act{shows: "Estimates (2)"},
		act{shows: "0.6 to 0.8: it grew"},
		act{keys: "2", shows: "▸ 2 Points ─"},
		act{keys: "r" + home, shows: "event 1 of"},
		act{keys: right, shows: "event 2 of"},
		act{keys: "r", gone: "event 2 of"},
	)
	s.press("q")
	s.left(int(protocol.ExitConcluded))
}
