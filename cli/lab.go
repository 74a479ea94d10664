package cli

import (
	"github.com/spf13/cobra"
)

func newLab(c *Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Measure hearings on cases with known answers",
		Long: "Measure hearings on cases with known answers: run holds them in every form and under every\n" +
			"judge, corpus checks the scenarios, report makes a page of the results.",
		Example: "  moot lab run\n  moot lab corpus --list",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("moot lab has no command %q; moot lab --help lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLabRun(c), newLabCorpus(c), newLabReport(c))
	// Commands of earlier versions say what replaced them.
	for name, instead := range map[string]string{
		"learn":        "the learned weights are gone; the rules of a domain are a TOML file, see docs/domains.md",
		"simulate":     "moot lab run measures rules or models on a corpus",
		"all":          "the tests of the project run these cases",
		"citations":    "the tests of the project run these cases",
		"tampering":    "the tests of the project run these cases",
		"consensus":    "the tests of the project run these cases",
		"stubbornness": "the tests of the project run these cases",
	} {
		cmd.AddCommand(&cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, RunE: func(*cobra.Command, []string) error {
			return usage("moot lab %s was removed: %s", name, instead)
		}})
	}
	for _, below := range cmd.Commands() {
		below.DisableFlagsInUseLine = true
	}
	return cmd
}
