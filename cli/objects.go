package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"moot/internal/jsonlines"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/protocol/hearing/judge"
	"moot/resolve"
	"moot/resolver/conflict"
)

// answerer writes the answer to an object as one line. If the object is wrong, it returns a *jsonlines.Fault and writes
// nothing. It returns the exit code for the decision, or protocol.ExitConcluded if the answer has none.
type answerer func(object jsontext.Value, to io.Writer) (protocol.ExitCode, error)

// newObjects is moot resolve, moot conflicts or moot judge: it answers each JSON object of a file.
func newObjects(c *Console, name string, answer answerer) *cobra.Command {
	keepGoing := false
	cmd := &cobra.Command{
		Use:  name,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := readInput(c, args[0], jsonlines.Largest)
			if err != nil {
				return err
			}
			code, wrong := protocol.ExitConcluded, 0
			for objects := jsonlines.NewReader(text); ; {
				object, err := objects.Next()
				if err == nil {
					var one protocol.ExitCode
					one, err = c.answer(object, answer)
					code = protocol.FirstExitCode(code, one)
					err = objects.Locate(err)
				}
				_, about := errors.AsType[*jsonlines.Error](err)
				switch {
				case err == nil:
				case errors.Is(err, io.EOF) && wrong > 0:
					return fmt.Errorf("%s: %s gave no result", inputName(args[0]), plain.Counted(wrong, "object"))
				case errors.Is(err, io.EOF):
					return leaveWith(code)
				case about && keepGoing:
					wrong++
					c.Say("wrong      %s: %s", inputName(args[0]), err)
				case about:
					return fmt.Errorf("%s: %w; this object gave no result, and later ones were not read "+
						"(use --keep-going)", inputName(args[0]), err)
				default:
					return fmt.Errorf("write the result to standard output: %w", err)
				}
			}
		},
	}
	cmd.Flags().BoolVar(&keepGoing, "keep-going", false,
		"continue after an object that is wrong; the exit code is still 1")
	return cmd
}

// answer writes the answer to an object. On a terminal its hidden characters are escaped.
func (c *Console) answer(object jsontext.Value, answer answerer) (code protocol.ExitCode, err error) {
	if !c.OutTerminal {
		return answer(object, c.Out)
	}
	var text strings.Builder
	if code, err = answer(object, &text); err == nil {
		_, err = io.WriteString(c.Out, plain.JSON(text.String()))
	}
	return code, err
}

func newResolve(c *Console) *cobra.Command {
	return newObjects(c, "resolve", func(object jsontext.Value, to io.Writer) (protocol.ExitCode, error) {
		in, err := resolve.Parse(object)
		if err != nil {
			return protocol.ExitError, err
		}
		result, err := resolve.Resolve(in)
		if err != nil {
			return protocol.ExitError, err
		}
		return dialectic.ExitCodeOf(result.Decision), result.Write(to)
	})
}

func newConflicts(c *Console) *cobra.Command {
	summary, rows := false, conflict.DefaultRows
	cmd := newObjects(c, "conflicts", func(object jsontext.Value, to io.Writer) (protocol.ExitCode, error) {
		found, err := conflict.Parse(object)
		switch {
		case err != nil:
			return protocol.ExitError, err
		case summary:
			return protocol.ExitConcluded, found.WriteSummary(to)
		}
		return protocol.ExitConcluded, found.Write(to, rows)
	})
	cmd.Flags().BoolVar(&summary, "summary", false, "count the conflicts by type and agent instead of listing them")
	numberFlag(
		cmd.Flags(),
		"limit",
		&rows,
		0,
		1<<30,
		fmt.Sprintf("list at most `N` conflicts of an object (default %d); "+
			"the others are counted and reviewed", conflict.DefaultRows),
	)
	return cmd
}

func newJudge(c *Console) *cobra.Command {
	return newObjects(c, "judge", func(object jsontext.Value, to io.Writer) (protocol.ExitCode, error) {
		in, err := judge.Parse(object)
		if err != nil {
			return protocol.ExitError, err
		}
		return protocol.ExitConcluded, in.Answer(to)
	})
}
