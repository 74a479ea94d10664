package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"moot/ledger"
)

func newPacket(c *Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "packet COMMAND",
		Short: "Make, show, check and compare packets of facts",
		Long: "Make, show, check and compare packets of facts, which hearings argue from. A packet is a\n" +
			"JSON file; docs/packet.md has its form.",
		Example: "  moot packet make --id case-17 events.csv > case-17.json\n" +
			"  moot packet show case-17.json\n" +
			"  moot packet check case-17.json\n" +
			"  moot packet diff case-17.json case-18.json",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchCommand(cmd, args[0])
			}
			return usage("the command is missing: make, show, check or diff; %s --help says more", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newPacketMake(c), newPacketShow(c), newPacketCheck(c), newPacketDiff(c))
	for _, below := range cmd.Commands() {
		below.DisableFlagsInUseLine = true
	}
	return cmd
}

// readAhead is how much of a file is read at once, in bytes.
const readAhead = 1 << 17

// input is a file that a command reads.
type input struct {
	io.Reader
	// name is that of the file in messages.
	name string
	// modified is when the file was written last, now of standard input.
	modified time.Time
	file     *os.File
}

// openInput opens a file that the user named; - is standard input.
func openInput(c *Console, name string) (*input, error) {
	if name == "-" {
		return &input{bufio.NewReaderSize(c.In, readAhead), "standard input", c.Now(), nil}, nil
	}
	file, err := os.Open(c.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("there is no file %s", name)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = usage("%s is a folder; moot packet make makes a packet of one", name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &input{bufio.NewReaderSize(file, readAhead), name, info.ModTime(), file}, nil
}

// Close closes the file.
func (i *input) Close() error {
	if i.file == nil {
		return nil
	}
	return i.file.Close()
}

// loadPacket reads a packet that has to be sound.
func loadPacket(c *Console, name string) (*ledger.Packet, error) {
	in, err := openInput(c, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	packet, err := ledger.ReadPacket(in, in.name)
	if _, wrong := errors.AsType[*ledger.PacketError](err); wrong {
		return nil, fmt.Errorf("%w; moot packet check lists all that is wrong", err)
	}
	return packet, err
}
