package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"moot/internal/jsonlines"
	"moot/protocol/dialectic/gates"
	"moot/protocol/hearing/judge"
	"moot/resolver/conflict"
)

// batch is moot resolve, moot conflicts or moot judge: it answers each JSON object of a file with one line.
type batch struct {
	console   *Console
	keepGoing bool
	// answer writes the line of one object, or returns a *jsonlines.Fault of it and writes nothing. Held reports that a
	// proposal may not advance.
	answer func(object jsontext.Value, to io.Writer) (held bool, err error)
}

func newBatch(
	c *Console, name, example string, answer func(object jsontext.Value, to io.Writer) (held bool, err error),
) *cobra.Command {
	b := &batch{console: c, answer: answer}
	cmd := &cobra.Command{
		Use:  name,
		Args: oneArgument("file", "moot "+name+" "+example),
		RunE: func(_ *cobra.Command, args []string) error { return b.run(args[0]) },
	}
	cmd.Flags().BoolVar(&b.keepGoing, "keep-going", false,
		"continue after an object that is wrong; the exit code is still 1")
	return cmd
}

func newResolve(c *Console) *cobra.Command {
	return newBatch(c, "resolve", "proposal.json", func(object jsontext.Value, to io.Writer) (bool, error) {
		in, err := gates.Parse(object)
		if err != nil {
			return false, err
		}
		result := gates.Resolve(in)
		return result.Decision != gates.Advance, result.Write(to)
	})
}

func newConflicts(c *Console) *cobra.Command {
	summary := false
	cmd := newBatch(c, "conflicts", "answers.json", func(object jsontext.Value, to io.Writer) (bool, error) {
		found, err := conflict.Parse(object)
		switch {
		case err != nil:
			return false, err
		case summary:
			return false, found.WriteSummary(to)
		}
		return false, found.Write(to)
	})
	cmd.Flags().BoolVar(&summary, "summary", false, "count the conflicts by type and agent instead of listing them")
	return cmd
}

func newJudge(c *Console) *cobra.Command {
	return newBatch(c, "judge", "sides.json", func(object jsontext.Value, to io.Writer) (bool, error) {
		in, err := judge.Parse(object)
		if err != nil {
			return false, err
		}
		return false, in.Answer(to)
	})
}

// run answers the objects of a file; - is standard input.
func (b *batch) run(name string) error {
	text, err := readInput(b.console, name, jsonlines.Largest)
	if err != nil {
		return err
	}
	name = inputName(name)
	objects := jsonlines.NewReader(text)
	wrong, held := 0, 0
	for read := 0; ; read++ {
		object, err := objects.Next()
		if err == nil {
			var holds bool
			if holds, err = b.answer(object, b.console.Out); holds {
				held++
			}
			err = objects.Locate(err)
		}
		_, about := errors.AsType[*jsonlines.Error](err)
		switch {
		case err == nil:
		case errors.Is(err, io.EOF) && wrong > 0:
			return fmt.Errorf("%s: %d of %d objects gave no result", name, wrong, read)
		case errors.Is(err, io.EOF) && held > 0:
			return leaveWith(ExitInconclusive)
		case errors.Is(err, io.EOF):
			return nil
		case about && b.keepGoing:
			wrong++
			b.console.Say("wrong      %s: %s", name, err)
		case about:
			return fmt.Errorf("%s: %w; this object gave no result, and later ones were not read (use --keep-going)",
				name, err)
		default:
			return fmt.Errorf("write the result to standard output: %w", err)
		}
	}
}

// inputName is the name of an input in messages.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// readInput reads at most limit bytes of a regular file, or of standard input, whose name is -.
func readInput(c *Console, name string, limit int64) ([]byte, error) {
	from := c.In
	if name != "-" {
		file, err := openNamed(c, name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", inputName(name), err)
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s has more than %d MiB", inputName(name), limit>>20)
	}
	return text, nil
}
