package cli

import (
	"github.com/spf13/cobra"
)

func newLab(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:   "lab BATTERY",
		Short: "Run the batteries that moot is measured by",
		RunE:  func(*cobra.Command, []string) error { return usage("no battery yet") },
	}
}
