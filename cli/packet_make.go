package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/ledger"
	"moot/research/extract"
)

// packetMaking holds the flags of moot packet make.
type packetMaking struct {
	console *Console
	// out is the file that is written, "" for standard output.
	out string
	// id, window, form, entityType and sourceType are as typed, "" for the usual.
	id, window, form, entityType, sourceType, sourceID string
	options                                            extract.Options
	// skipped counts the files of folders that are no text.
	skipped int
}

func newPacketMake(c *Console) *cobra.Command {
	m := &packetMaking{console: c}
	cmd := &cobra.Command{
		Use:   "make [--out FILE] [--id ID] [--window FROM..TO] FILE…",
		Short: "Make a packet of JSON, CSV, texts or folders of texts",
		Long: "Make a packet of facts in other forms, and write its JSON to standard output:\n" +
			"  json  facts as packets have them: one per line, in a list, or packets\n" +
			"        (.json, .jsonl, .ndjson)\n" +
			"  csv   one fact per row; the header names the keys, and entity, field and value are required\n" +
			"        (.csv, .tsv)\n" +
			"  text  one fact per line: the file, the field \"line\", the text; its time is the one at the\n" +
			"        beginning of the line, else that of the file (any other file; all files of a folder)\n" +
			"Damaged records are reported with their places and left out, and so are facts outside of the\n" +
			"window. Each file has at most 512 MiB. docs/packet.md says more.",
		Example: "  moot packet make --id case-17 --source-type auth_log events.csv > case-17.json\n" +
			"  moot packet make --out night.json --window 2026-11-20T22:00:00Z..2026-11-21T06:00:00Z /var/log/app\n" +
			"  export-events | moot packet make --id today - > today.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("the file or folder is missing; for example: moot packet make events.csv")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return m.run(args) },
	}
	f := cmd.Flags()
	f.StringVar(&m.out, "out", "",
		"write to this file instead of standard output; an existing file is kept, and the\nnew one gets a number")
	f.StringVar(&m.id, "id", "",
		"the packet's id (default: that of the packet that is read, or the name of the first file)")
	f.StringVar(&m.window, "window", "",
		"the first and the last moment, FROM..TO, both included (default: the\nspan of the facts, and of "+
			"the windows of packets that are read)")
	f.StringVar(&m.form, "from", "", "the form of the files: "+strings.Join(enum.Words(extract.Forms()), ", ")+
		" (default: by their endings; json for standard input)")
	f.StringVar(&m.entityType, "entity-type", string(ledger.EntityNode),
		"the entity type of facts without one: "+strings.Join(enum.Words(ledger.EntityTypes()), ", "))
	f.StringVar(&m.sourceType, "source-type", string(ledger.SourceUnknown),
		"the source type of facts without one:\n"+strings.Join(enum.Words(ledger.SourceTypes()), ", "))
	f.StringVar(&m.sourceID, "source-id", "", "the source of facts without one (default: the name of their file)")
	return cmd
}

func (m *packetMaking) run(names []string) error {
	if err := m.read(); err != nil {
		return err
	}
	collector := extract.NewCollector(m.options)
	for _, name := range names {
		if err := m.take(collector, name); err != nil {
			return fmt.Errorf("%w; no packet was made", err)
		}
	}
	base := filepath.Base(filepath.Clean(names[0]))
	if names[0] == "-" {
		base = "packet"
	}
	collector.SetPacket(strings.TrimSuffix(base, filepath.Ext(base)))
	made, err := collector.Packet()
	m.tell(&made)
	if err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	return m.write(made.Packet)
}

// read reads what was typed.
func (m *packetMaking) read() error {
	m.options = extract.Options{ID: m.id, SourceID: m.sourceID}
	if err := m.options.EntityType.UnmarshalText([]byte(m.entityType)); err != nil {
		return usage("--entity-type: %w", err)
	}
	if err := m.options.SourceType.UnmarshalText([]byte(m.sourceType)); err != nil {
		return usage("--source-type: %w", err)
	}
	if m.form != "" {
		if _, err := enum.Parse("form", m.form, extract.Forms()); err != nil {
			return usage("--from: %w", err)
		}
	}
	if m.window == "" {
		return nil
	}
	from, to, parted := strings.Cut(m.window, "..")
	if !parted {
		return usage("--window is FROM..TO, as in 2026-11-21T10:00:00Z..2026-11-21T11:00:00Z, not %q", m.window)
	}
	for _, end := range []struct {
		text string
		into *time.Time
	}{{from, &m.options.From}, {to, &m.options.To}} {
		at, err := ledger.ParseMoment([]byte(strings.TrimSpace(end.text)))
		if err != nil {
			return usage("--window: %w", err)
		}
		*end.into = at
	}
	if m.options.To.Before(m.options.From) {
		return usage("--window ends before it begins: %s", m.window)
	}
	return nil
}

// take takes the facts of a file or folder.
func (m *packetMaking) take(collector *extract.Collector, name string) error {
	c := m.console
	info, err := os.Stat(c.path(name))
	if name != "-" && err == nil && info.IsDir() {
		if m.form != "" && extract.Form(m.form) != extract.FormText {
			return usage("%s is a folder, whose files are read as text; name the files to read them as %s", name,
				m.form)
		}
		return extract.Folder(c.path(name), func(from extract.Source) error {
			return collector.Take(extract.Lines{}, from)
		}, m.skip)
	}
	text, err := readInput(c, name, ledger.LargestPacket)
	if err != nil {
		return err
	}
	from := extract.Source{Name: "stdin", From: bytes.NewReader(text), Modified: c.Now()}
	form := extract.FormJSON
	if name != "-" {
		from.Name, from.Modified = path.Clean(filepath.ToSlash(name)), info.ModTime()
		form = extract.FormOf(from.Name)
	}
	if m.form != "" {
		form = extract.Form(m.form)
	}
	extractor := extract.Of(form)
	err = collector.Take(extractor, from)
	if read, is := extractor.(*extract.JSON); is {
		collector.SetPacket(read.ID)
		for _, window := range read.Windows {
			collector.Cover(window[0], window[1])
		}
	}
	if chooser, is := extractor.(extract.Chooser); is && len(chooser.LeftOut()) > 0 {
		c.Say("note       %s: what facts do not have is left out: %s", name,
			clip(strings.Join(chooser.LeftOut(), ", ")))
	}
	return err
}

// skip reports a file of a folder that gives no facts.
func (m *packetMaking) skip(name, why string) {
	m.skipped++
	if m.skipped <= extract.MostDamage {
		m.console.Say("skipped    %s", plain.Line(name+": "+why))
	}
}

// tell tells what did not come into the packet.
func (m *packetMaking) tell(made *extract.Made) {
	c := m.console
	if more := m.skipped - extract.MostDamage; more > 0 {
		c.Say("skipped    %s more", plain.Counted(more, "file"))
	}
	for _, d := range made.Damage {
		c.Say("damaged    %s", plain.Line(d.Error()))
	}
	if more := made.Damaged - len(made.Damage); more > 0 {
		c.Say("damaged    %s more", plain.Counted(more, "record"))
	}
	if made.Outside > 0 {
		c.Say("note       %s outside of the window left out", plain.Counted(made.Outside, "fact"))
	}
	if made.Dated > 0 {
		c.Say("note       %s without a time of RFC 3339 at its beginning: it has that of the file",
			plain.Counted(made.Dated, "line"))
	}
}

// write writes the packet and says what it is.
func (m *packetMaking) write(packet *ledger.Packet) error {
	c := m.console
	if m.out == "" {
		if _, err := packet.WriteTo(c.Out); err != nil {
			return fmt.Errorf("write the result to standard output: %w", err)
		}
	} else {
		path, err := writeNewBy(c.path(m.out), func(to io.Writer) error {
			_, err := packet.WriteTo(to)
			return err
		})
		if err != nil {
			return err
		}
		c.Say("written    %s", path)
	}
	from, to := packet.Window()
	c.Say("packet     %s: %s, %s to %s, %s", plain.Line(packet.ID()), plain.Counted(packet.Len(), "fact"),
		from.Format(time.RFC3339Nano), to.Format(time.RFC3339Nano), packet.Digest())
	return nil
}
