package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"moot/ledger"
	"moot/plain"
)

func newPacketDiff(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:   "diff BEFORE AFTER",
		Short: "Compare two packets, fact by fact",
		Long: "Compare two packets: the facts that were added (+), removed (-) and changed (~, with what\n" +
			"is another in them), by their ids, and the digests. The exit code is 0 where they are the\n" +
			"same, and 4 where not. One of them may be -, standard input.",
		Example: "  moot packet diff case-17.json case-18.json",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 2: //nolint:mnd // two packets
				return usage("diff compares two packets, and %d were named; for example: moot packet diff case-17.json case-18.json", len(args))
			case args[0] == "-" && args[1] == "-":
				return usage("only one of the two can come from standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return diffPackets(c, args[0], args[1]) },
	}
}

func diffPackets(c *Console, nameBefore, nameAfter string) error {
	before, err := loadPacket(c, nameBefore)
	if err != nil {
		return err
	}
	after, err := loadPacket(c, nameAfter)
	if err != nil {
		return err
	}
	d := ledger.ComparePackets(before, after)
	if d.Equal() {
		return c.Print(fmt.Sprintf("the same: %s, %s\n", plain.Counted(d.Same, "fact"), before.Digest()))
	}
	w := &diffWriter{width: c.Width}
	w.head(before, after, &d)
	w.facts(&d)
	if err := c.Print(w.out.String()); err != nil {
		return err
	}
	return leaveWith(ExitFound)
}

// diffWriter writes how packets differ, for a terminal of a width, 0 for any.
type diffWriter struct {
	out   strings.Builder
	width int
}

// line writes a line of foreign text.
func (w *diffWriter) line(text string) {
	text = plain.Line(text)
	if w.width > 0 {
		text = ansi.Truncate(text, w.width, "…")
	}
	w.out.WriteString(text + "\n")
}

// head tells what is another about the packets as wholes. Digests are never cut.
func (w *diffWriter) head(before, after *ledger.Packet, d *ledger.PacketDiff) {
	if d.ID {
		w.line("packet   " + before.ID() + " → " + after.ID())
	}
	if d.Window {
		w.line("window   " + windowWords(before))
		w.line("       → " + windowWords(after))
	}
	w.out.WriteString(folded("digest   "+before.Digest(), w.width) + folded("       → "+after.Digest(), w.width))
	if d.Reordered {
		w.line("the facts stand in another order")
	}
}

func windowWords(p *ledger.Packet) string {
	from, to := p.Window()
	return from.Format(time.RFC3339Nano) + " to " + to.Format(time.RFC3339Nano)
}

func (w *diffWriter) facts(d *ledger.PacketDiff) {
	for i := range d.Removed {
		w.line("- " + factWords(&d.Removed[i]))
	}
	for i := range d.Added {
		w.line("+ " + factWords(&d.Added[i]))
	}
	for i := range d.Changed {
		change := &d.Changed[i]
		w.line("~ " + change.Before.ID)
		for _, key := range change.Keys {
			w.line(fmt.Sprintf("    %s: %s → %s", key, shownKey(&change.Before, key), shownKey(&change.After, key)))
		}
	}
	w.out.WriteString(folded(fmt.Sprintf("%d added, %d removed, %d changed, %d the same", len(d.Added), len(d.Removed), len(d.Changed), d.Same), w.width))
}

// factWords is a fact in a line.
func factWords(f *ledger.PacketFact) string {
	return strings.Join([]string{f.ID, f.At.Format(time.RFC3339Nano), f.Entity, f.Field, string(f.Value), string(f.SourceType)}, "  ")
}

// shownKey is what a fact has under a key, or that it has nothing.
func shownKey(f *ledger.PacketFact, key string) string {
	if text := f.Key(key); text != "" {
		return text
	}
	return "(nothing)"
}
