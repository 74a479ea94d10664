package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"moot/internal/enum"
	"moot/internal/plain"
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
			return usage("the command is missing: make, show, check or diff; see %s --help", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newPacketMake(c), newPacketShow(c), newPacketCheck(c), newPacketDiff(c))
	for _, below := range cmd.Commands() {
		below.DisableFlagsInUseLine = true
	}
	return cmd
}

// loadPacket reads a packet that has to be sound.
func loadPacket(c *Console, name string) (*ledger.Packet, error) {
	text, err := readInput(c, name, ledger.LargestPacket)
	if err != nil {
		return nil, err
	}
	packet, err := ledger.ReadPacket(bytes.NewReader(text), inputName(name))
	if _, wrong := errors.AsType[*ledger.PacketError](err); wrong {
		return nil, fmt.Errorf("%w; moot packet check lists all that is wrong", err)
	}
	return packet, err
}

func newPacketCheck(c *Console) *cobra.Command {
	most := 100
	cmd := &cobra.Command{
		Use:   "check [--most N] FILE",
		Short: "Check whether a file is a sound packet, and list what is wrong",
		Long: "Check whether a file is a sound packet. If so, print its digest. If not, print all that is\n" +
			"wrong with it, one line each with its place; the exit code is then 4.",
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
	text, err := readInput(c, name, ledger.LargestPacket)
	if err != nil {
		return err
	}
	packet, wrong, err := ledger.CheckPacket(bytes.NewReader(text), inputName(name), most)
	if err != nil {
		return err
	}
	if packet != nil {
		return c.Print(fmt.Sprintf("sound: packet %s, %s, %s\n",
			plain.Line(packet.ID()), plain.Counted(packet.Len(), "fact"), packet.Digest()))
	}
	for _, w := range wrong {
		if err := c.Print(plain.Line(w.Error()) + "\n"); err != nil {
			return err
		}
	}
	err = fmt.Errorf("%s is no sound packet: %s to fix", inputName(name), plain.Counted(len(wrong), "mistake"))
	if len(wrong) == most {
		err = fmt.Errorf("%s is no sound packet: there may be more than these first %s; --most lists more",
			inputName(name), plain.Counted(most, "mistake"))
	}
	return &codeError{code: ExitFound, err: err}
}

func newPacketShow(c *Console) *cobra.Command {
	asJSON, limit := false, 50
	cmd := &cobra.Command{
		Use:   "show [--limit N | --json] FILE [FACT…]",
		Short: "Show a summary of a packet and its facts",
		Long: "Show a packet: its digest and window, how many facts it has of each type of source and\n" +
			"entity, and the facts in a table. With the ids of facts, show all of those facts.",
		Example: "  moot packet show case-17.json\n  moot packet show --limit 0 case-17.json\n" +
			"  moot packet show case-17.json f12 f13",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("the file is missing; for example: moot packet show case-17.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if limit < 0 {
				return usage("--limit is 0 or more, not %d", limit)
			}
			packet, err := loadPacket(c, args[0])
			switch {
			case err != nil:
				return err
			case len(args) > 1:
				return showFacts(c, packet, args[1:])
			}
			return showPacket(c, packet, asJSON, limit)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as a line of JSON, without the facts")
	cmd.Flags().IntVar(&limit, "limit", limit, "how many facts the table has, 0 for all")
	return cmd
}

// packetSummary describes a packet without its facts.
type packetSummary struct {
	ID          string         `json:"packet_id"`
	Window      [2]string      `json:"window"`
	Facts       int            `json:"facts"`
	Entities    int            `json:"entities"`
	SourceTypes map[string]int `json:"source_types"`
	EntityTypes map[string]int `json:"entity_types"`
	Digest      string         `json:"digest"`
}

func showPacket(c *Console, p *ledger.Packet, asJSON bool, limit int) error {
	from, to := p.Window()
	s := &packetSummary{
		ID: p.ID(), Window: [2]string{from.Format(time.RFC3339Nano), to.Format(time.RFC3339Nano)},
		Facts: p.Len(), Digest: p.Digest(), SourceTypes: map[string]int{}, EntityTypes: map[string]int{},
	}
	entities := map[string]bool{}
	for _, f := range p.All() {
		s.SourceTypes[string(f.SourceType)]++
		s.EntityTypes[string(f.EntityType)]++
		entities[f.Entity] = true
	}
	s.Entities = len(entities)
	if asJSON {
		text, err := json.Marshal(s)
		if err != nil {
			return fmt.Errorf("write the summary as JSON: %w", err)
		}
		return c.Print(string(text) + "\n")
	}
	about := "1 entity"
	if s.Entities != 1 {
		about = fmt.Sprintf("%d entities", s.Entities)
	}
	var out strings.Builder
	for _, line := range [][2]string{
		{"packet", plain.Line(s.ID)},
		{"digest", s.Digest},
		{"window", s.Window[0] + " to " + s.Window[1]},
		{"facts", fmt.Sprintf("%d about %s", s.Facts, about)},
		{"sources", countsOf(s.SourceTypes, enum.Words(ledger.SourceTypes()))},
		{"entities", countsOf(s.EntityTypes, enum.Words(ledger.EntityTypes()))},
	} {
		out.WriteString(folded(fmt.Sprintf("%-9s%s", line[0], line[1]), c.Width))
	}
	shown := p.Len()
	if limit > 0 {
		shown = min(shown, limit)
	}
	out.WriteString("\n" + factTable(p, shown, c.Width))
	if more := p.Len() - shown; more > 0 {
		out.WriteString("\n" + folded(plain.Counted(more, "fact")+" more; --limit 0 shows all", c.Width))
	}
	return c.Print(out.String())
}

// countsOf lists the counts of words in the order of the words.
func countsOf(counts map[string]int, words []string) string {
	var parts []string
	for _, word := range words {
		if n := counts[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", word, n))
		}
	}
	return strings.Join(parts, ", ")
}

// showFacts prints all of some facts, one key per line.
func showFacts(c *Console, p *ledger.Packet, ids []string) error {
	var out strings.Builder
	for i, id := range ids {
		f, known := p.Fact(id)
		if !known {
			return usage("packet %s has no fact %q; moot packet show --limit 0 lists them", plain.Line(p.ID()), id)
		}
		if i > 0 {
			out.WriteString("\n")
		}
		for _, key := range ledger.FactKeys() {
			if text := f.Key(key); text != "" {
				out.WriteString(folded(fmt.Sprintf("%-15s%s", key, plain.Line(text)), c.Width))
			}
		}
	}
	return c.Print(out.String())
}

// factTable draws the first facts in columns, or with two lines each if the terminal is too narrow.
func factTable(p *ledger.Packet, shown, width int) string {
	cells := func(f ledger.PacketFact) [6]string {
		return [6]string{
			plain.Line(f.ID), f.At.Format(time.RFC3339Nano), plain.Line(f.Entity), plain.Line(f.Field),
			string(f.SourceType), plain.Line(string(f.Value)),
		}
	}
	// The widest that each column but the last may be, and the least that the last needs.
	widest := [5]int{24, 30, 30, 24, 17}
	needed := 16
	var widths [5]int
	for place := range shown {
		row := cells(p.At(place))
		for i := range widths {
			widths[i] = min(widest[i], max(widths[i], ansi.StringWidth(row[i])))
		}
	}
	for _, w := range widths {
		needed += w + 2
	}
	var out strings.Builder
	for place := range shown {
		row := cells(p.At(place))
		if width > 0 && width < needed {
			out.WriteString(ansi.Truncate(row[0]+"  "+row[2]+"  "+row[3], width, "…") + "\n")
			out.WriteString(ansi.Truncate("    "+row[1]+"  "+row[5], width, "…") + "\n")
			continue
		}
		line := ""
		for i, w := range widths {
			cell := row[i]
			if width > 0 {
				cell = ansi.Truncate(cell, w, "…")
			}
			line += cell + strings.Repeat(" ", max(w-ansi.StringWidth(cell), 0)+2)
		}
		if line += row[5]; width > 0 {
			line = ansi.Truncate(line, width, "…")
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// folded is a line that is wrapped at the width of the terminal; no text is lost.
func folded(line string, width int) string {
	if width > 0 {
		line = ansi.Hardwrap(line, width, true)
	}
	return line + "\n"
}

func newPacketDiff(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:   "diff BEFORE AFTER",
		Short: "Compare two packets, fact by fact",
		Long: "Compare two packets: the facts that were added (+), removed (-) and changed (~, with the\n" +
			"keys that differ), by their ids, and the digests. The exit code is 0 if the packets are the\n" +
			"same, else 4. One of the two may be -, standard input.",
		Example: "  moot packet diff case-17.json case-18.json",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return usage("diff compares two packets, and %d were named; for example: %s",
					len(args), "moot packet diff case-17.json case-18.json")
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
	var out strings.Builder
	line := func(text string) {
		text = plain.Line(text)
		if c.Width > 0 {
			text = ansi.Truncate(text, c.Width, "…")
		}
		out.WriteString(text + "\n")
	}
	window := func(p *ledger.Packet) string {
		from, to := p.Window()
		return from.Format(time.RFC3339Nano) + " to " + to.Format(time.RFC3339Nano)
	}
	fact := func(f *ledger.PacketFact) string {
		at := f.At.Format(time.RFC3339Nano)
		return strings.Join([]string{f.ID, at, f.Entity, f.Field, string(f.Value), string(f.SourceType)}, "  ")
	}
	if d.ID {
		line("packet   " + before.ID() + " → " + after.ID())
	}
	if d.Window {
		line("window   " + window(before))
		line("       → " + window(after))
	}
	// Digests are never cut.
	out.WriteString(folded("digest   "+before.Digest(), c.Width) + folded("       → "+after.Digest(), c.Width))
	if d.Reordered {
		line("the facts are in another order")
	}
	for i := range d.Removed {
		line("- " + fact(&d.Removed[i]))
	}
	for i := range d.Added {
		line("+ " + fact(&d.Added[i]))
	}
	for i := range d.Changed {
		change := &d.Changed[i]
		line("~ " + change.Before.ID)
		for _, key := range change.Keys {
			was, is := change.Before.Key(key), change.After.Key(key)
			if was == "" {
				was = "(nothing)"
			}
			if is == "" {
				is = "(nothing)"
			}
			line(fmt.Sprintf("    %s: %s → %s", key, was, is))
		}
	}
	out.WriteString(folded(fmt.Sprintf("%d added, %d removed, %d changed, %d the same",
		len(d.Added), len(d.Removed), len(d.Changed), d.Same), c.Width))
	if err := c.Print(out.String()); err != nil {
		return err
	}
	return leaveWith(ExitFound)
}
