package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/plain"
	"moot/internal/regular"
	"moot/ledger"
	"moot/protocol"
	"moot/report"
	"moot/state"
	"moot/state/store"
)

// largestImport is the maximum size of an imported file in bytes.
const largestImport = 256 << 20

func newImport(c *Console) *cobra.Command {
	b := newQuestion(c)
	var question string
	cmd := &cobra.Command{
		Use:  "import",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readInput(c, args[0], largestImport)
			if err != nil {
				return err
			}
			name := inputName(args[0])
			var export struct {
				Schema string   `json:"schema"`
				Events []string `json:"events"`
			}
			isObject := json.Unmarshal(text, &export) == nil
			isFile := bytes.HasPrefix(text, []byte(`{"seq":1,`))
			switch {
			case isFile, isObject && strings.HasPrefix(export.Schema, ledger.Marker):
				if unused := unusedFlags(cmd); unused != "" {
					return usage("--%s is for state files of codex-ask: an exported session comes with all that it was given", unused)
				}
				if isFile {
					export.Events = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
				} else if len(export.Events) == 0 {
					return usage("%s has no events, so no session can be made from it: export it with --as json --events", name)
				}
				return importSession(c, name, export.Events)
			}
			from, err := report.ParseCodexAsk(text)
			if errors.Is(err, report.ErrNoCodexAsk) || !isObject {
				return usage("%s is neither a session (a session file, or moot export --as json --events) nor a state file of "+
					"codex-ask; nothing was imported", name)
			}
			if err != nil {
				return usage("%s: %w; nothing was imported", name, err)
			}
			return b.importCodexAsk(cmd.Context(), name, from, question)
		},
	}
	group(cmd, "Question", func(f *pflag.FlagSet) {
		f.StringVar(&question, "question", "", "the `question` in full, if codex-ask has only its beginning")
	})
	// codex-ask has one format, the first one of moot.
	b.questionFlags(cmd, c.formats()[0])
	b.flagged = cmd.Flags()
	return cmd
}

// unusedFlags returns a flag that was given, or "".
func unusedFlags(cmd *cobra.Command) (name string) {
	own := cmd.LocalNonPersistentFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if own.Lookup(f.Name) != nil {
			name = f.Name
		}
	})
	return name
}

// importSession makes the session of an export. It is the same to the byte.
func importSession(c *Console, name string, lines []string) error {
	text := []byte(strings.Join(lines, "\n") + "\n")
	s, head, err := recompute(c, name, text, "")
	if err != nil {
		return verifyFailed(name, err)
	}
	dir, err := c.sessions()
	if err != nil {
		return err
	}
	_, err = store.Import(dir, s.ID, lines, c.rules()...)
	if errors.Is(err, fs.ErrExist) {
		if path, wrong := store.Path(dir, s.ID); wrong == nil {
			if kept, wrong := regular.Read(path, int64(len(text))); wrong == nil && bytes.Equal(kept, text) {
				c.Say("imported   %s is here already, the same to the byte", s.ID)
				return c.Print(s.ID + "\n")
			}
		}
		return fmt.Errorf("session %s exists with other content and was not changed; to replace it, remove it first: moot rm %s", s.ID,
			s.ID)
	}
	if err != nil {
		return err
	}
	c.Say("imported   %s, %s, head %s", s.ID, plain.Counted(s.Seq, "event"), head)
	for _, note := range importNotes(s) {
		c.Say("note       resuming or forking this session %s", note)
	}
	return c.Print(s.ID + "\n")
}

// importNotes say what a session that others made does on this machine when it is continued: it names programs,
// servers and files.
func importNotes(s *state.State) (notes []string) {
	for i := range s.Seats {
		a := &s.Seats[i]
		for _, name := range slices.Compact([]string{a.Participant, a.Answering}) {
			switch {
			case strings.HasPrefix(name, "exec:"):
				notes = append(notes, fmt.Sprintf("runs a program on this machine: the %s is %s", a.Seat, plain.Line(name)))
			case strings.Contains(name, "://"):
				notes = append(notes, fmt.Sprintf("sends what the seat sees to a server: the %s is %s", a.Seat, plain.Line(name)))
			}
		}
	}
	if len(s.Settings.AllowPaths) > 0 {
		notes = append(notes, "lets seats read files that may hold secrets: "+
			plain.Line(plain.Clip(strings.Join(s.Settings.AllowPaths, ", "), 400)))
	}
	if s.Settings.NoRedact {
		notes = append(notes, "leaves secrets in what seats see, as with --no-redact")
	}
	return notes
}

// importCodexAsk opens a session that continues the one of a state file. It gets the facts of the user, and a summary of
// what was agreed and left open, of which nothing is a ruling: code here has checked none of it.
func (b *builder) importCodexAsk(ctx context.Context, name string, from *report.CodexAsk, question string) error {
	switch {
	case question == "" && from.Asks(from.QuestionExcerpt):
		question = from.QuestionExcerpt
	case question == "":
		return usage("%s has only the first characters of the question: %q; give it in full with --question",
			name, plain.Line(clip(from.QuestionExcerpt)))
	case !from.Asks(question):
		return usage("--question is not the question of %s, which begins with %q: its hash is another one", name,
			plain.Line(clip(from.QuestionExcerpt)))
	}
	facts, others := from.Facts()
	b.question.text = question
	b.given.facts = append(facts, b.given.facts...)
	var left int
	b.continues, left = from.Earlier(question)
	s, err := b.open(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	// The session pauses before its first turn, as if the user had left.
	stopped, stop := context.WithCancel(ctx)
	stop()
	runner, err := s.runner(func(protocol.Notice) {})
	if err != nil {
		return err
	}
	if err := runner.Run(stopped); !errors.Is(err, protocol.ErrStopped) {
		return fmt.Errorf("import %s: %w", name, errors.Join(err, errors.New("the session did not pause")))
	}
	if left > 0 {
		b.say(fmt.Sprintf("note       %s not in the summary that the seats see, which has 12 of each kind: %s has them",
			strconv.Itoa(left)+" of the points and challenges are", name))
	}
	if others > 0 {
		b.say(fmt.Sprintf("note       %s of the ledger not taken over: only facts of the user are, since nobody checked the others here",
			plain.Counted(others, "line")))
	}
	b.say("continue with: moot resume " + s.state.ID)
	return b.console.Print(s.state.ID + "\n")
}
