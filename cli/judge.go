package cli

import (
	"io"

	"github.com/spf13/cobra"

	"moot/domain"
	"moot/resolver/detect"
	"moot/resolver/hearing"
)

func newJudge(c *Console) *cobra.Command {
	b := &batch{console: c, open: judgeFrom}
	cmd := &cobra.Command{
		Use:   "judge [--keep-going] FILE",
		Short: "Decide by the confidences and facts of two sides",
		Long: "Decide between an architect, who says that something holds, and a skeptic, who says that\n" +
			"it does not: JSON in, JSON out, no model and no session. FILE holds one object, or one a\n" +
			"line; - is standard input. Each gives one line with the outcome, its confidence, the facts\n" +
			"that support it and the rule that decided. An object that is wrong gives an error with its\n" +
			"line and path, no output, and exit code 1; those behind it are judged only with\n" +
			"--keep-going. docs/judge.md has the contract.",
		Example: "  moot judge sides.json\n  generate | moot judge --keep-going - > verdicts.jsonl",
		Args:    oneArgument("file", "moot judge sides.json"),
		RunE:    func(cmd *cobra.Command, args []string) error { return b.run(cmd.Context(), args[0]) },
	}
	b.flags(cmd.Flags())
	return cmd
}

// judgeFrom judges the objects of a stream. A domain is compiled once.
func judgeFrom(from io.Reader) func(to io.Writer) error {
	reader := hearing.NewReader(from, domain.Names())
	detectors := map[string]*detect.Detector{}
	detector := func(name string) (*detect.Detector, error) {
		if detectors[name] == nil {
			d, err := domain.BuiltIn(name)
			if err != nil {
				return nil, err
			}
			if detectors[name], err = detect.Compile(&d); err != nil {
				return nil, err
			}
		}
		return detectors[name], nil
	}
	return func(to io.Writer) error {
		in, err := reader.Next()
		if err != nil {
			return err
		}
		return in.Answer(to, detector)
	}
}
