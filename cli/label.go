package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"moot/protocol"
	"moot/protocol/run"
	"moot/state/store"
	"moot/view"
)

func newLabel(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:               "label",
		Args:              cobra.ExactArgs(3),
		ValidArgsFunction: completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			return label(c, args[0], strings.ToUpper(args[1]), args[2])
		},
	}
}

func label(c *Console, id, point, word string) error {
	var truth bool
	switch strings.ToLower(word) {
	case "true":
		truth = true
	case "false":
	default:
		return usage("the label is true or false, not %q", word)
	}
	s, err := read(c, id)
	if err != nil {
		return err
	}
	p := s.state.Live(point)
	if p == nil {
		return usage("session %s has no point %s; moot show %s lists them", s.state.ID, point, s.state.ID)
	}
	if err := store.AppendLabel(s.path, store.Label{At: c.Now(), Point: p.ID, True: truth}); err != nil {
		return err
	}
	c.Say("labeled    %s of %s turned out %t: %s", p.ID, s.state.ID, truth, clip(p.Text))
	flips, sessions, err := countFlips(c)
	if err != nil {
		return err
	}
	return c.Print(fmt.Sprintf(
		"%s in %s\ngood flips  %d (%d from wrong to right)\n"+
			"bad flips   %d (%d from right to wrong)\nright       %d before, %d after\n",
		view.Counted(flips.Labeled, "labeled point"), view.Counted(sessions, "session"),
		flips.Good, flips.Corrected, flips.Bad, flips.Corrupted,
		flips.RightBefore, flips.RightAfter))
}

// countFlips reads all labeled sessions. It reports and skips those that it can't read.
func countFlips(c *Console) (flips view.Flips, sessions int, err error) {
	summaries, err := listSessions(c.rules()...)
	if err != nil {
		return flips, 0, err
	}
	for i := range summaries {
		labels, err := store.Labels(summaries[i].Path)
		if err != nil {
			c.Say("note       %s", err)
		}
		if len(labels) == 0 {
			continue
		}
		s, err := read(c, summaries[i].ID)
		if err != nil {
			c.Say("note       %s", err)
			continue
		}
		sessions++
		changes := map[string]view.Change{}
		for _, change := range view.Baseline(s.state, s.rulings) {
			changes[change.Point] = change
		}
		for _, l := range labels {
			if change, ok := changes[l.Point]; ok {
				flips.Add(change, l.True)
			}
		}
	}
	return flips, sessions, nil
}

func newAnswer(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:               "answer",
		Args:              cobra.RangeArgs(2, 3),
		ValidArgsFunction: completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 3 {
				return answerQuestion(c, args[0], strings.ToUpper(args[1]), args[2])
			}
			answer := value{text: args[1], from: fromArgument}
			example := `moot answer ` + args[0] + ` "It is safe with one worker. [P1]"`
			if err := answer.read(c, "the answer", example); err != nil {
				return err
			}
			if err := decide(c, args[0], protocol.RewriteAnswer{Text: answer.text}); err != nil {
				return err
			}
			c.Say("the answer is yours now; the earlier one is kept")
			return nil
		},
	}
}

// answerQuestion records the user's answer to a question that a session put, and prints what follows from it.
func answerQuestion(c *Console, id, question, answer string) error {
	before, err := read(c, id)
	if err != nil {
		return err
	}
	if err := decide(c, id, protocol.AnswerQuestion{Question: question, Answer: answer}); err != nil {
		return err
	}
	after, err := read(c, id)
	if err != nil {
		return err
	}
	c.Say("%s of %s is answered", question, after.state.ID)
	transcript := view.NewTranscript(before.state)
	lines, err := transcript.Add(after.events[before.state.Seq:])
	for i := range lines {
		if !lines[i].Minor {
			c.Say("%-10s %s", lines[i].Label, lines[i].String())
		}
	}
	return err
}

// decide records decisions of the user in a session that nothing runs.
func decide(c *Console, id string, moves ...protocol.UserMove) error {
	path, err := find(id)
	if err != nil {
		return err
	}
	s := &session{console: c}
	defer s.close()
	if _, err := s.reopen(path); err != nil {
		return err
	}
	for _, move := range moves {
		events, next, err := run.Decide(s.state, move, c.Now())
		if err != nil {
			return err
		}
		if err := s.log.Append(events); err != nil {
			return err
		}
		s.state, s.events = next, append(s.events, events...)
	}
	return nil
}
