package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

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
	// answer writes the line of one object, or returns a *jsonlines.Fault of it and writes nothing.
	answer func(object jsontext.Value, to io.Writer) error
	// held counts the proposals that may not advance.
	held int
}

// command returns the command of the batch; example names an input.
func (b *batch) command(use, short, long, example string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use + " FILE",
		Short: short,
		Long: long + "\n\nFILE is a regular file of at most 64 MiB with one JSON object, or with one on each line; " +
			"- is\n" +
			"standard input. Each object gives one line. An object that is wrong gives an error with its\n" +
			"line and path, no output, and exit code 1; later objects are read only with --keep-going.",
		Args: oneArgument("file", example),
		RunE: func(_ *cobra.Command, args []string) error { return b.run(args[0]) },
	}
	cmd.Flags().BoolVar(&b.keepGoing, "keep-going", false,
		"continue after an object that is wrong; the exit code is still 1")
	return cmd
}

func newResolve(c *Console) *cobra.Command {
	b := &batch{console: c}
	b.answer = func(object jsontext.Value, to io.Writer) error {
		in, err := gates.Parse(object)
		if err != nil {
			return err
		}
		result := gates.Resolve(in)
		if result.Decision != gates.Advance {
			b.held++
		}
		return result.Write(to)
	}
	cmd := b.command("resolve [--keep-going]", "Rule whether typed proposals advance, hold or escalate",
		"Resolve a proposal with its objections and evidence: JSON in, JSON out, no model and no\n"+
			"session. The result has the decision, the resolutions, the gates and the receipts;\n"+
			"docs/dialectic.md describes the format. The exit code is 3 if a decision is not ADVANCE.",
		"moot resolve proposal.json")
	cmd.Example = "  moot resolve proposal.json\n  generate | moot resolve --keep-going - > results.jsonl"
	return cmd
}

func newConflicts(c *Console) *cobra.Command {
	summary := false
	b := &batch{console: c, answer: func(object jsontext.Value, to io.Writer) error {
		found, err := conflict.Parse(object)
		switch {
		case err != nil:
			return err
		case summary:
			return found.WriteSummary(to)
		}
		return found.Write(to)
	}}
	cmd := b.command("conflicts [--keep-going] [--summary]", "Find and settle conflicts between the outputs of agents",
		"Compare the outputs of several agents, each with each: JSON in, JSON out, no model and no\n"+
			"session. The result has the conflicts, how a strategy settles each, and a review of them all;\n"+
			"docs/panel.md describes the format.", "moot conflicts answers.json")
	cmd.Example = "  moot conflicts answers.json\n  moot conflicts --summary answers.json\n" +
		"  generate | moot conflicts --keep-going - > conflicts.jsonl"
	cmd.Flags().BoolVar(&summary, "summary", false, "count the conflicts by type and agent instead of listing them")
	return cmd
}

func newJudge(c *Console) *cobra.Command {
	b := &batch{console: c, answer: func(object jsontext.Value, to io.Writer) error {
		in, err := judge.Parse(object)
		if err != nil {
			return err
		}
		return in.Answer(to)
	}}
	cmd := b.command("judge [--keep-going]", "Decide between two sides by their confidences and facts",
		"Decide between an architect, who says that something holds, and a skeptic, who says that it\n"+
			"does not: JSON in, JSON out, no model and no session. The result has the outcome, its\n"+
			"confidence, the facts that support it and the rule that decided; docs/hearing.md describes the\n"+
			"format.", "moot judge sides.json")
	cmd.Example = "  moot judge sides.json\n  generate | moot judge --keep-going - > verdicts.jsonl"
	return cmd
}

// run answers the objects of a file; - is standard input.
func (b *batch) run(name string) error {
	text, err := readInput(b.console, name, jsonlines.Largest)
	if err != nil {
		return err
	}
	name = inputName(name)
	objects := jsonlines.NewReader(text)
	wrong := 0
	for read := 0; ; read++ {
		object, err := objects.Next()
		if err == nil {
			err = objects.Locate(b.answer(object, b.console.Out))
		}
		_, about := errors.AsType[*jsonlines.Error](err)
		switch {
		case err == nil:
		case errors.Is(err, io.EOF) && wrong > 0:
			return fmt.Errorf("%s: %d of %d objects gave no result", name, wrong, read)
		case errors.Is(err, io.EOF) && b.held > 0:
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
		path := c.path(name)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, usage("there is no file %s", name)
		case err != nil:
			return nil, fmt.Errorf("open the input: %w", err)
		case info.IsDir():
			return nil, usage("%s is a folder", name)
		case !info.Mode().IsRegular():
			return nil, usage("%s is not a regular file; pipe it in instead: moot … - < %s", name, name)
		}
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("open the input: %w", err)
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read the input: %w", err)
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s has more than %d MiB", inputName(name), limit>>20)
	}
	return text, nil
}
