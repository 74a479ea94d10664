package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/research/extract"
)

func newPacket(c *Console) *cobra.Command {
	one := cobra.ExactArgs(1)
	return parent("packet", newPacketMake(c),
		command("show", one, func(args []string) error { return showPacket(c, args[0]) }),
		command("check", one, func(args []string) error { return checkPacket(c, args[0]) }),
		command("diff", cobra.ExactArgs(2), func(args []string) error { return diffPackets(c, args[0], args[1]) }))
}

// loadPacket reads a packet and refuses an invalid one.
func loadPacket(c *Console, name string) (*ledger.Packet, error) {
	text, err := readInput(c, name, ledger.LargestPacket)
	if err != nil {
		return nil, err
	}
	packet, err := ledger.ReadPacket(bytes.NewReader(text), inputName(name))
	if _, wrong := errors.AsType[*ledger.PacketError](err); wrong {
		return nil, fmt.Errorf("%w; moot packet check lists the mistakes of all facts", err)
	}
	return packet, err
}

func checkPacket(c *Console, name string) error {
	const most = 100
	text, err := readInput(c, name, ledger.LargestPacket)
	if err != nil {
		return err
	}
	packet, wrong, err := ledger.CheckPacket(bytes.NewReader(text), inputName(name), most)
	if err != nil {
		return err
	}
	if packet != nil {
		return c.Print(fmt.Sprintf("valid: packet %s, %s, %s\n",
			plain.Line(packet.ID()), plain.Counted(packet.Len(), "fact"), packet.Digest()))
	}
	list := ""
	for _, w := range wrong {
		list += plain.Line(w.Error()) + "\n"
	}
	if err := c.Print(list); err != nil {
		return err
	}
	more := ""
	if len(wrong) == most {
		more = " or more"
	}
	return found("%s is not a valid packet: %s%s to fix", inputName(name), plain.Counted(len(wrong), "mistake"), more)
}

func showPacket(c *Console, name string) error {
	p, err := loadPacket(c, name)
	if err != nil {
		return err
	}
	sources, kinds, entities := map[string]int{}, map[string]int{}, map[string]bool{}
	var rows [][]string
	for _, f := range p.All() {
		sources[string(f.SourceType)]++
		kinds[string(f.EntityType)]++
		entities[f.Entity] = true
		rows = append(rows, []string{
			plain.Line(f.ID), f.At.Format(time.RFC3339Nano), plain.Line(f.Entity), plain.Line(f.Field),
			string(f.SourceType), clip(plain.Line(string(f.Value))),
		})
	}
	counts := func(of map[string]int) string {
		parts := lists.Map(slices.Sorted(maps.Keys(of)), func(word string) string {
			return fmt.Sprintf("%s %d", word, of[word])
		})
		return strings.Join(parts, ", ")
	}
	out := ""
	for _, line := range [][2]string{
		{"packet", plain.Line(p.ID())},
		{"digest", p.Digest()},
		{"window", windowOf(p)},
		{"facts", fmt.Sprintf("%d about %d entities", p.Len(), len(entities))},
		{"sources", counts(sources)},
		{"entities", counts(kinds)},
	} {
		out += fmt.Sprintf("%-9s%s\n", line[0], line[1])
	}
	return c.Print(out + "\n" + strings.Join(columns(rows), "\n") + "\n")
}

func windowOf(p *ledger.Packet) string {
	from, to := p.Window()
	return from.Format(time.RFC3339Nano) + " to " + to.Format(time.RFC3339Nano)
}

func diffPackets(c *Console, nameBefore, nameAfter string) error {
	if nameBefore == "-" && nameAfter == "-" {
		return usage("only one of the two can come from standard input")
	}
	before, err := loadPacket(c, nameBefore)
	if err != nil {
		return err
	}
	after, err := loadPacket(c, nameAfter)
	if err != nil {
		return err
	}
	if before.Digest() == after.Digest() {
		return c.Print(fmt.Sprintf("the same: %s, %s\n", plain.Counted(before.Len(), "fact"), before.Digest()))
	}
	var out strings.Builder
	for _, line := range [][3]string{
		{"packet", before.ID(), after.ID()},
		{"window", windowOf(before), windowOf(after)},
		{"digest", before.Digest(), after.Digest()},
	} {
		if line[1] != line[2] {
			fmt.Fprintf(&out, "%-8s %s\n       → %s\n", line[0], plain.Line(line[1]), plain.Line(line[2]))
		}
	}
	// only writes the facts of a packet that the other one does not have so, and counts them.
	only := func(sign string, of, other *ledger.Packet) (n int) {
		for _, f := range of.All() {
			if same, ok := other.Fact(f.ID); ok && same == f {
				continue
			}
			n++
			out.WriteString(sign)
			for _, key := range ledger.FactKeys() {
				if text := f.Key(key); text != "" {
					out.WriteString(" " + plain.Line(clip(text)))
				}
			}
			out.WriteByte('\n')
		}
		return n
	}
	removed, added := only("-", before, after), only("+", after, before)
	if removed+added == 0 {
		out.WriteString("the facts are the same, perhaps in another order\n")
	}
	fmt.Fprintf(&out, "%d removed or changed, %d added or changed\n", removed, added)
	if err := c.Print(out.String()); err != nil {
		return err
	}
	return leaveWith(protocol.ExitFound)
}

func newPacketMake(c *Console) *cobra.Command {
	o := extract.Options{EntityType: ledger.EntityNode, SourceType: ledger.SourceUnknown}
	cmd := &cobra.Command{
		Use:  "make",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return makePacket(c, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.ID, "id", "", "the packet's id (default: the name of the first file)")
	f.Func("window", "the first and the last moment, FROM..TO, both included (default: the span of the facts)",
		func(text string) error { return readWindow(&o, text) })
	choiceFlag(f, "entity-type", &o.EntityType, ledger.EntityTypes(), "the entity type of facts without one", "")
	choiceFlag(f, "source-type", &o.SourceType, ledger.SourceTypes(), "the source type of facts without one", "")
	f.StringVar(&o.SourceID, "source-id", "", "the source of facts without one (default: the name of their file)")
	return cmd
}

// readWindow parses FROM..TO.
func readWindow(o *extract.Options, text string) error {
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		return fmt.Errorf("it is FROM..TO, as in 2026-11-21T10:00:00Z..2026-11-21T11:00:00Z, not %q", text)
	}
	var errs [2]error
	o.From, errs[0] = ledger.ParseMoment([]byte(strings.TrimSpace(from)))
	o.To, errs[1] = ledger.ParseMoment([]byte(strings.TrimSpace(to)))
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return err
	}
	if o.To.Before(o.From) {
		return fmt.Errorf("it ends before it begins: %s", text)
	}
	return nil
}

func makePacket(c *Console, o extract.Options, names []string) error {
	var sources []extract.Source
	for _, name := range names {
		text, err := readInput(c, name, ledger.LargestPacket)
		if err != nil {
			return fmt.Errorf("%w; no packet was made", err)
		}
		from := extract.Source{Name: "stdin", Text: text, JSON: true, Modified: c.Now()}
		if name != "-" {
			info, err := os.Stat(c.path(name))
			if err != nil {
				return fmt.Errorf("%w; no packet was made", err)
			}
			from.Name, from.Modified = path.Clean(filepath.ToSlash(name)), info.ModTime()
			endings := []string{".json", ".jsonl", ".ndjson"}
			from.JSON = slices.Contains(endings, strings.ToLower(path.Ext(from.Name)))
		}
		sources = append(sources, from)
	}
	base := filepath.Base(filepath.Clean(names[0]))
	if names[0] == "-" {
		base = "packet"
	}
	o.ID = cmp.Or(o.ID, strings.TrimSuffix(base, filepath.Ext(base)))
	made, err := extract.Make(o, sources)
	say := func(n int, label, one, rest string) {
		if n > 0 {
			c.Say("%-10s %s%s", label, plain.Counted(n, one), rest)
		}
	}
	for _, damage := range made.Damage {
		c.Say("damaged    %s", plain.Line(damage))
	}
	say(made.Damaged-len(made.Damage), "damaged", "record", " more")
	say(made.Outside, "note", "fact", " outside of the window left out")
	say(made.Dated, "note", "line", " without a time of RFC 3339 at the beginning: the time of the file is used")
	if err == nil {
		err = made.Packet.Write(c.Out)
	}
	if err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	c.Say("packet     %s: %s, %s, %s", plain.Line(made.Packet.ID()), plain.Counted(made.Packet.Len(), "fact"),
		windowOf(made.Packet), made.Packet.Digest())
	return nil
}

// maxSearched is the maximum number of facts that are searched for secrets, which takes about 50 microseconds each.
const maxSearched = 50_000
