package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
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

// maxRecords is how many records of a packet are shown.
const maxRecords = 100

// packetRecord holds the facts about one entity at one moment.
type packetRecord struct {
	at                          time.Time
	entity, host, account, kind string
	fields                      []string
}

// recordsOf groups the facts of a packet by entity and time.
func recordsOf(p *ledger.Packet) []*packetRecord {
	type key struct {
		entity string
		at     time.Time
	}
	known := map[key]*packetRecord{}
	var all []*packetRecord
	// The kind and the entity tell as much.
	obvious := []string{"event_id", "provider", "channel", "record_id", "user_id"}
	for _, f := range p.All() {
		r := known[key{f.Entity, f.At}]
		if r == nil {
			r = &packetRecord{at: f.At, entity: f.Entity}
			known[key{f.Entity, f.At}] = r
			all = append(all, r)
		}
		value, isText := f.Value.Text()
		if !isText {
			value = string(f.Value)
		}
		field := strings.ToLower(f.Field)
		switch {
		case r.kind == "" && field == "kind":
			r.kind = value
		case r.host == "" && slices.Contains([]string{"host", "computer", "hostname"}, field):
			r.host = value
		case r.account == "" && slices.Contains([]string{"account", "user"}, field):
			r.account = value
		case r.kind != "" && (value == "" || value == "-" || slices.Contains(obvious, field)):
			// It would only push the rest out of the line.
		case len(r.fields) < maxFieldsShown:
			if isText && (value == "" || strings.ContainsAny(value, " =\n")) {
				value = strconv.Quote(value)
			}
			r.fields = append(r.fields, f.Field+"="+plain.Clip(value, maxShown))
		}
	}
	return all
}

// maxFieldsShown is how many fields of a record are put into its line, which is cut in any case.
const maxFieldsShown = 30

func showPacket(c *Console, name string) error {
	p, err := loadPacket(c, name)
	if err != nil {
		return err
	}
	records := recordsOf(p)
	sources, files := map[string]int{}, map[string]int{}
	for _, f := range p.All() {
		sources[string(f.SourceType)]++
		files[f.SourceID]++
	}
	var rows [][]string
	kinds, hosts, accounts := map[string]int{}, map[string]int{}, map[string]int{}
	for i, r := range records {
		for value, counted := range map[*string]map[string]int{&r.kind: kinds, &r.host: hosts, &r.account: accounts} {
			if *value != "" {
				counted[*value]++
			}
		}
		if i < maxRecords {
			rows = append(rows, []string{
				r.at.Format(time.RFC3339Nano), clip(plain.Line(r.entity)), clip(plain.Line(r.host)), clip(plain.Line(r.account)),
				clip(plain.Line(r.kind)), plain.Clip(plain.Line(strings.Join(r.fields, " ")), maxRecordShown),
			})
		}
	}
	// A column that is empty in all rows is left out.
	for column := 4; column > 1; column-- {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[column] != "" }) {
			for i := range rows {
				rows[i] = slices.Delete(rows[i], column, column+1)
			}
		}
	}
	out := ""
	for _, line := range [][2]string{
		{"packet", plain.Line(p.ID())},
		{"digest", p.Digest()},
		{"window", windowOf(p)},
		{"facts", fmt.Sprintf("%d in %s", p.Len(), plain.Counted(len(records), "record"))},
		{"sources", mostOf(sources, "facts")},
		{"files", mostOf(files, "facts")},
		{"kinds", mostOf(kinds, "records")},
		{"hosts", mostOf(hosts, "records")},
		{"accounts", mostOf(accounts, "records")},
	} {
		if line[1] != "" {
			out += fmt.Sprintf("%-9s%s\n", line[0], line[1])
		}
	}
	out += "\n" + strings.Join(columns(rows), "\n") + "\n"
	if more := len(records) - len(rows); more > 0 {
		out += fmt.Sprintf("%s more; moot packet make with --window, --host, --account or --kind makes a smaller packet\n",
			plain.Counted(more, "record"))
	}
	return c.Print(out)
}

// maxRecordShown is how much of the fields of a record is shown, in characters.
const maxRecordShown = 160

// mostOf lists the most frequent words with their counts, of facts or records, or is empty.
func mostOf(of map[string]int, what string) string {
	const most = 12
	words := slices.SortedFunc(maps.Keys(of), func(a, b string) int { return cmp.Or(of[b]-of[a], strings.Compare(a, b)) })
	parts := lists.Map(words[:min(len(words), most)], func(word string) string {
		return fmt.Sprintf("%s %d", plain.Clip(plain.Line(word), 60), of[word])
	})
	if rest := words[min(len(words), most):]; len(rest) > 0 {
		n := 0
		for _, word := range rest {
			n += of[word]
		}
		parts = append(parts, fmt.Sprintf("%s with %d %s", plain.Counted(len(rest), "other"), n, what))
	}
	return strings.Join(parts, ", ")
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

// maxSearched is the maximum number of facts that are searched for secrets, which takes about 50 microseconds each.
const maxSearched = 50_000
