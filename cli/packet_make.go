package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	"moot/research/extract"
	"moot/research/extract/flow"
	"moot/research/extract/syslog"
	"moot/research/extract/windows"
)

// telemetry returns the forms of files that packets are made of. The first that recognizes a file reads it.
func telemetry() []extract.Form {
	return slices.Concat(windows.Forms(), syslog.Forms(), flow.Forms(), []extract.Form{extract.Facts(), extract.Lines()})
}

// packetDefaults are the options of a packet if nobody sets others.
func packetDefaults() extract.Options {
	return extract.Options{EntityType: ledger.EntityNode, SourceType: ledger.SourceUnknown, Limit: extract.DefaultLimit}
}

func newPacketMake(c *Console) *cobra.Command {
	o := packetDefaults()
	cmd := &cobra.Command{
		Use:  "make",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return makePacket(cmd.Context(), c, o, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.ID, "id", "", "the packet's id (default: the name of the first file)")
	f.Func("window", "only records from the first to the last moment, `FROM..TO`, both included; one may be missing "+
		"(default: the span of the records)", func(text string) error { return readWindow(&o, text) })
	f.StringArrayVar(&o.Hosts, "host", nil, "only records of this `host` (repeatable)")
	f.StringArrayVar(&o.Accounts, "account", nil, "only records of this `account` (repeatable)")
	f.StringArrayVar(&o.Kinds, "kind", nil, "only records of this `kind`, or with these words in it, as in 4625 (repeatable)")
	f.Func("zone", "the time zone of clocks that name none, such as +02:00 or Europe/Berlin (default UTC)",
		func(text string) (err error) {
			o.Zone, err = readZone(text)
			return err
		})
	f.Func("limit", fmt.Sprintf("at most so many `facts` (default %d)", extract.DefaultLimit),
		func(text string) (err error) {
			if _, err = fmt.Sscanf(text+" ", "%d ", &o.Limit); err != nil || o.Limit < 1 {
				return fmt.Errorf("it is a number of facts from 1, not %q", text)
			}
			return nil
		})
	choiceFlag(f, "entity-type", &o.EntityType, ledger.EntityTypes(), "the entity type of facts without one", "")
	choiceFlag(f, "source-type", &o.SourceType, ledger.SourceTypes(), "the source type of facts without one", "")
	f.StringVar(&o.SourceID, "source-id", "", "the source of facts without one (default: the name of their file)")
	return cmd
}

// readWindow parses FROM..TO, of which one may be missing.
func readWindow(o *extract.Options, text string) error {
	from, to, ok := strings.Cut(text, "..")
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if !ok || from == "" && to == "" {
		return fmt.Errorf("it is FROM..TO, as in 2026-11-21T10:00:00Z..2026-11-21T11:00:00Z, not %q", text)
	}
	var errs [2]error
	if from != "" {
		o.From, errs[0] = ledger.ParseMoment([]byte(from))
	}
	if to != "" {
		o.To, errs[1] = ledger.ParseMoment([]byte(to))
	}
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return err
	}
	if !o.To.IsZero() && o.To.Before(o.From) {
		return fmt.Errorf("it ends before it begins: %s", text)
	}
	return nil
}

// readZone parses a time zone: UTC, a distance from it such as +02:00, or a name such as Europe/Berlin.
func readZone(text string) (*time.Location, error) {
	for _, layout := range []string{"Z07:00", "Z0700", "Z07"} {
		if at, err := time.Parse(layout, text); err == nil {
			_, distance := at.Zone()
			return time.FixedZone("UTC"+text, distance), nil
		}
	}
	zone, err := time.LoadLocation(text)
	if err != nil || text == "" {
		return nil, fmt.Errorf("%q is no time zone: it is UTC, +02:00 or a name such as Europe/Berlin", text)
	}
	return zone, nil
}

// makePacket makes a packet and writes it to standard output.
func makePacket(ctx context.Context, c *Console, o extract.Options, names []string) error {
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	say := c.Say
	if c.ErrTerminal {
		p := &readProgress{console: c, shown: c.Now()}
		o.Progress = p.update
		defer p.end()
		say = func(format string, args ...any) {
			p.end()
			c.Say(format, args...)
		}
	}
	packet, err := packetOf(ctx, c, o, names, say)
	switch {
	case ctx.Err() != nil:
		say("stopped    nothing was written")
		return context.Cause(ctx)
	case err != nil:
		return asFailure(fmt.Errorf("%w; nothing was written", err))
	}
	if err := packet.Write(c.Out); err != nil {
		return err
	}
	c.Say("packet     %s: %s, %s, %s", plain.Line(packet.ID()), plain.Counted(packet.Len(), "fact"), windowOf(packet),
		packet.Digest())
	return nil
}

// packetOf makes a packet of files, and says what was read and what was left out.
func packetOf(
	ctx context.Context, c *Console, o extract.Options, names []string, say func(format string, args ...any),
) (*ledger.Packet, error) {
	var files []*extract.File
	var opened []*telemetryFile
	defer func() {
		for _, file := range opened {
			_ = file.Close() // It was only read, and a temporary file is nobody's.
		}
	}()
	for _, name := range names {
		file, err := openTelemetry(ctx, c, name)
		if err != nil {
			return nil, err
		}
		opened = append(opened, file)
		info, err := file.Stat()
		if err != nil {
			return nil, asFailure(err)
		}
		from := &extract.File{Name: "stdin", ReaderAt: file, Size: info.Size(), Modified: info.ModTime()}
		if name != "-" {
			from.Name = path.Clean(filepath.ToSlash(name))
		}
		files = append(files, from)
	}
	base := filepath.Base(filepath.Clean(names[0]))
	if names[0] == "-" {
		base = "packet"
	}
	o.ID = cmp.Or(o.ID, strings.ToValidUTF8(strings.TrimSuffix(base, filepath.Ext(base)), "\uFFFD"))
	made, err := extract.Make(ctx, o, telemetry(), files)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	reportMade(say, &o, &made)
	return made.Packet, asFailure(err)
}

// reportMade says what was read of the files, and what of it is not in the packet or was completed.
func reportMade(tell func(format string, args ...any), o *extract.Options, made *extract.Made) {
	for _, f := range made.Files {
		tell("read       %s: %s, %s", plain.Line(f.Name), f.Form, plain.Counted(f.Records, "record"))
	}
	for _, damage := range made.Damage {
		tell("damaged    %s", plain.Line(damage))
	}
	say := func(n int, label, one, rest string) {
		if n > 0 {
			tell("%-10s %s%s", label, plain.Counted(n, one), rest)
		}
	}
	say(made.Places-len(made.Damage), "damaged", "place", " more")
	if made.Damaged > made.Places {
		say(made.Damaged, "damaged", "record", " in all")
	}
	say(made.Outside, "note", "record", " outside of the window left out")
	say(made.Filtered, "note", "record", " left out by the filters")
	say(made.Repeated, "note", "record", " left out, the same as another one")
	say(made.Unsearched, "note", "record", " behind the first two million not searched for repeated ones")
	for _, assumed := range made.Assumed {
		var how []string
		if strings.Contains(assumed.Name, "year") || strings.Contains(assumed.Name, "date") {
			how = append(how, "the time of the file completes it")
		}
		if strings.Contains(assumed.Name, "flow") {
			how = append(how, "the time of its export is used")
		}
		if strings.Contains(assumed.Name, "zone") {
			how = append(how, "read as "+cmp.Or(o.Zone, time.UTC).String()+"; --zone names another")
		}
		lacks := " with a time that lacks " + assumed.Name
		if len(how) > 0 {
			lacks += ": " + strings.Join(how, ", ")
		}
		say(assumed.N, "note", "record", lacks)
	}
	if len(made.LeftOut) == 0 {
		return
	}
	const most = 12
	kinds := lists.Map(made.LeftOut[:min(len(made.LeftOut), most)], func(one extract.Count) string {
		return fmt.Sprintf("%s %d", plain.Clip(plain.Line(cmp.Or(one.Name, "(no kind)")), 60), one.N)
	})
	rest := 0
	for _, one := range made.LeftOut[len(kinds):] {
		rest += one.N
	}
	if rest > 0 {
		kinds = append(kinds, fmt.Sprintf("other kinds %d", rest))
	}
	limit := plain.Counted(cmp.Or(o.Limit, extract.DefaultLimit), "fact")
	if made.TooLarge {
		limit = "size"
	}
	tell("note       left out by the limit of %s, the latest of each kind: %s; --window, --host, --account, --kind "+
		"or --limit choose others", limit, strings.Join(kinds, ", "))
}

// maxPiped is how many bytes of standard input are read.
const maxPiped = 4 << 30

// openTelemetry opens a file. Standard input is copied to a temporary file first.
func openTelemetry(ctx context.Context, c *Console, name string) (*telemetryFile, error) {
	if name != "-" {
		file, err := openNamed(c, name)
		return &telemetryFile{File: file}, err
	}
	file, err := os.CreateTemp("", "moot-packet-*")
	if err != nil {
		return nil, fmt.Errorf("keep standard input: %w", err)
	}
	copied := make(chan error, 1)
	go func() {
		size, err := io.Copy(file, io.LimitReader(c.In, maxPiped+1))
		if err == nil && size > maxPiped {
			err = fmt.Errorf("standard input has more than %d GiB", maxPiped>>30)
		}
		copied <- err
	}()
	select {
	case err = <-copied:
	case <-ctx.Done():
		err = ctx.Err()
	}
	kept := &telemetryFile{file, true}
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	return kept, nil
}

// telemetryFile is a file that may go away when it is closed.
type telemetryFile struct {
	*os.File

	temporary bool
}

// Close implements io.Closer.
func (f *telemetryFile) Close() error {
	err := f.File.Close()
	if f.temporary {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// readProgress shows on a terminal how far the reading is, in a line that goes away.
type readProgress struct {
	console *Console
	shown   time.Time
	width   int
}

func (p *readProgress) update(n extract.Progress) {
	const interval = 200 * time.Millisecond
	at := p.console.Now()
	if at.Sub(p.shown) < interval {
		return
	}
	p.shown = at
	text := fmt.Sprintf("reading    %s: %d %%, %s", plain.Clip(plain.Line(n.Name), 40), n.Read*100/max(n.Size, 1),
		plain.Counted(n.Records, "record"))
	p.line(text)
}

func (p *readProgress) line(text string) {
	p.console.mutex.Lock()
	defer p.console.mutex.Unlock()
	// A terminal that does not take it is not worth an error.
	_, _ = fmt.Fprintf(p.console.Err, "\r%-*s", p.width, text)
	p.width = len(text)
}

// end clears the line.
func (p *readProgress) end() {
	if p.width > 0 {
		p.line("")
		_, _ = io.WriteString(p.console.Err, "\r") // As above.
		p.width = 0
	}
}
