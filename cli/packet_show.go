package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"moot/enum"
	"moot/ledger"
	"moot/plain"
)

// packetShowing is what moot packet show was told.
type packetShowing struct {
	asJSON bool
	// limit is how many facts are shown, 0 for all.
	limit int
}

func newPacketShow(c *Console) *cobra.Command {
	s := &packetShowing{}
	cmd := &cobra.Command{
		Use:   "show [--limit N | --json] FILE [FACT…]",
		Short: "Show what is in a packet, or some of its facts whole",
		Long: "Show a packet: its digest and window, how many facts it has of each type of source and\n" +
			"entity, and the facts in a table. With the ids of facts it shows those, whole.",
		Example: "  moot packet show case-17.json\n  moot packet show --limit 0 case-17.json\n  moot packet show case-17.json f12 f13",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("the file is missing; for example: moot packet show case-17.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return s.run(c, args[0], args[1:]) },
	}
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "what the packet is, without its facts, as a line of JSON")
	cmd.Flags().IntVar(&s.limit, "limit", 50, "how many facts the table has, 0 for all")
	return cmd
}

func (s *packetShowing) run(c *Console, name string, ids []string) error {
	if s.limit < 0 {
		return usage("--limit is 0 or more, not %d", s.limit)
	}
	packet, err := loadPacket(c, name)
	if err != nil {
		return err
	}
	about := aboutPacket(packet)
	switch {
	case len(ids) > 0:
		return showFacts(c, packet, ids)
	case s.asJSON:
		text, err := json.Marshal(about)
		if err != nil {
			return fmt.Errorf("write what the packet is as JSON: %w", err)
		}
		return c.Print(string(text) + "\n")
	}
	var out strings.Builder
	about.write(&out, c.Width)
	shown := packet.Len()
	if s.limit > 0 {
		shown = min(shown, s.limit)
	}
	out.WriteString("\n")
	table := newFactTable(packet, shown, c.Width)
	for place := range shown {
		f := packet.At(place)
		out.WriteString(table.row(&f))
		if out.Len() > longLine {
			if err := c.Print(out.String()); err != nil {
				return err
			}
			out.Reset()
		}
	}
	if more := packet.Len() - shown; more > 0 {
		out.WriteString("\n" + folded(plain.Counted(more, "fact")+" more; --limit 0 shows all", c.Width))
	}
	return c.Print(out.String())
}

// packetAbout is what a packet is, without its facts.
// longLine is how much is printed at once, in bytes.
const longLine = 1 << 20

type packetAbout struct {
	ID          string         `json:"packet_id"`
	Window      [2]string      `json:"window"`
	Facts       int            `json:"facts"`
	Entities    int            `json:"entities"`
	SourceTypes map[string]int `json:"source_types"`
	EntityTypes map[string]int `json:"entity_types"`
	Digest      string         `json:"digest"`
}

func aboutPacket(p *ledger.Packet) *packetAbout {
	from, to := p.Window()
	about := &packetAbout{
		ID: p.ID(), Window: [2]string{from.Format(time.RFC3339Nano), to.Format(time.RFC3339Nano)}, Facts: p.Len(), Digest: p.Digest(),
		SourceTypes: map[string]int{}, EntityTypes: map[string]int{},
	}
	entities := map[string]bool{}
	for _, f := range p.All() {
		about.SourceTypes[string(f.SourceType)]++
		about.EntityTypes[string(f.EntityType)]++
		entities[f.Entity] = true
	}
	about.Entities = len(entities)
	return about
}

func (a *packetAbout) write(out *strings.Builder, width int) {
	line := func(name, text string) { out.WriteString(folded(fmt.Sprintf("%-9s%s", name, text), width)) }
	line("packet", plain.Line(a.ID))
	line("digest", a.Digest)
	line("window", a.Window[0]+" to "+a.Window[1])
	about := "1 entity"
	if a.Entities != 1 {
		about = fmt.Sprintf("%d entities", a.Entities)
	}
	line("facts", fmt.Sprintf("%d about %s", a.Facts, about))
	line("sources", countsOf(a.SourceTypes, enum.Words(ledger.SourceTypes())))
	line("entities", countsOf(a.EntityTypes, enum.Words(ledger.EntityTypes())))
}

// folded is a line that is broken where the terminal ends; nothing of it is lost.
func folded(line string, width int) string {
	if width > 0 {
		line = ansi.Hardwrap(line, width, true)
	}
	return line + "\n"
}

// countsOf are the counts of words in their order.
func countsOf(counts map[string]int, words []string) string {
	var parts []string
	for _, word := range words {
		if n := counts[word]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", word, n))
		}
	}
	return strings.Join(parts, ", ")
}

// showFacts prints facts whole, a key a line.
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

// factTable draws facts in columns.
type factTable struct {
	// widths are those of the columns in cells, width that of the terminal or 0.
	widths []int
	width  int
}

// The widths of the columns of a table of facts, in cells: the widest that each may be,
// the least that the last needs, and what lies between two.
const (
	widestID, widestTime, widestEntity, widestField, widestSource = 24, 30, 30, 24, 17
	leastValue                                                    = 16
	betweenColumns                                                = 2
)

func newFactTable(p *ledger.Packet, shown, width int) *factTable {
	t := &factTable{widths: make([]int, 5), width: width}
	most := []int{widestID, widestTime, widestEntity, widestField, widestSource}
	for place := range shown {
		f := p.At(place)
		for i, cell := range cellsOf(&f)[:len(most)] {
			t.widths[i] = min(most[i], max(t.widths[i], ansi.StringWidth(cell)))
		}
	}
	return t
}

// cellsOf are the columns of a fact: id, time, entity, field, source and value.
func cellsOf(f *ledger.PacketFact) []string {
	return []string{
		plain.Line(f.ID), f.At.Format(time.RFC3339Nano), plain.Line(f.Entity), plain.Line(f.Field), string(f.SourceType), plain.Line(string(f.Value)),
	}
}

// row is a fact in a line, or in two where the terminal is narrow.
func (t *factTable) row(f *ledger.PacketFact) string {
	cells := cellsOf(f)
	needed := leastValue
	for _, width := range t.widths {
		needed += width + betweenColumns
	}
	if t.width > 0 && t.width < needed {
		first := strings.Join(slices.Concat(cells[:1], cells[2:4]), "  ")
		return ansi.Truncate(first, t.width, "…") + "\n" + ansi.Truncate("    "+cells[1]+"  "+cells[5], t.width, "…") + "\n"
	}
	var line strings.Builder
	for i, cell := range cells[:len(t.widths)] {
		if t.width > 0 {
			cell = ansi.Truncate(cell, t.widths[i], "…")
		}
		line.WriteString(cell + strings.Repeat(" ", max(t.widths[i]-ansi.StringWidth(cell), 0)+betweenColumns))
	}
	line.WriteString(cells[5])
	if t.width > 0 {
		return ansi.Truncate(line.String(), t.width, "…") + "\n"
	}
	return line.String() + "\n"
}
