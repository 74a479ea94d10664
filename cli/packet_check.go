package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"moot/ledger"
	"moot/plain"
)

func newPacketCheck(c *Console) *cobra.Command {
	most := 100
	cmd := &cobra.Command{
		Use:   "check [--most N] FILE",
		Short: "Say whether a file is a sound packet, and all that is wrong with it",
		Long: "Say whether a file is a sound packet. If so, its digest is printed; else all that is wrong\n" +
			"with it, a line each with its place, and the exit code is 4.",
		Example: "  moot packet check case-17.json",
		Args:    oneArgument("file", "moot packet check case-17.json"),
		RunE: func(_ *cobra.Command, args []string) error {
			if most < 1 {
				return usage("--most is 1 or more, not %d", most)
			}
			return checkPacket(c, args[0], most)
		},
	}
	cmd.Flags().IntVar(&most, "most", most, "how many mistakes are listed at most")
	return cmd
}

func checkPacket(c *Console, name string, most int) error {
	in, err := openInput(c, name)
	if err != nil {
		return err
	}
	defer in.Close()
	packet, wrong, err := ledger.CheckPacket(in, in.name, most)
	if err != nil {
		return err
	}
	if packet != nil {
		return c.Print(fmt.Sprintf("sound: packet %s, %s, %s\n", plain.Line(packet.ID()), plain.Counted(packet.Len(), "fact"), packet.Digest()))
	}
	for _, w := range wrong {
		if err := c.Print(plain.Line(w.Error()) + "\n"); err != nil {
			return err
		}
	}
	if len(wrong) == most {
		return &codeError{code: ExitFound, err: fmt.Errorf("%s is no sound packet; there may be more to mend than these first %s: --most lists more", in.name, plain.Counted(most, "mistake"))}
	}
	return &codeError{code: ExitFound, err: fmt.Errorf("%s is no sound packet: %s to mend", in.name, plain.Counted(len(wrong), "mistake"))}
}
