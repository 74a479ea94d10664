// Package extract makes packets of telemetry. Each file is read by the form that recognizes what it holds, and a file that
// none does is refused. Each record of a file becomes an entity with a fact per field. The package reports what a record
// says and draws no conclusion; damaged records are skipped and counted with their places. The packages below it read the
// forms of Windows, syslog and flows. Start at Make and Form.
package extract

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
)

const (
	// DefaultLimit is how many facts a packet gets if nobody says otherwise.
	DefaultLimit = 50_000
	// MaxDamage is how many damaged records are listed with their places.
	MaxDamage = 100
	// largest is how many bytes of records are kept. A packet of them is below ledger.LargestPacket.
	largest = 192 << 20
	// maxFields is how many fields of a record become facts.
	maxFields = 500
	// maxSeen is for how many records moot knows whether another one is the same.
	maxSeen = 2_000_000
	// maxWords is how many hosts, accounts and kinds are counted.
	maxWords = 10_000
)

// Options describe the packet, and what of the files goes into it.
type Options struct {
	ID string
	// From and To are the window; facts outside are left out. The facts set an end that is zero.
	From, To time.Time
	// Hosts, Accounts and Kinds are filters: of each list that is not empty, a record has one. A host is also known by
	// its first label, an account without its domain, and a kind by its words.
	Hosts, Accounts, Kinds []string
	// Zone applies to times that name none; nil means UTC.
	Zone *time.Location
	// Limit is how many facts the packet may have; 0 means DefaultLimit. Beyond it, each kind keeps its first records,
	// and the most frequent kinds lose first.
	Limit int
	// EntityType, SourceType and SourceID are the defaults of facts; the default of SourceID is the name of the file.
	EntityType ledger.EntityType
	SourceType ledger.SourceType
	SourceID   string
	// Progress is called during the reading, if it is set.
	Progress func(Progress)
}

// Progress is how far the reading is.
type Progress struct {
	// Name is the file that is read, Read of its Size bytes.
	Name       string
	Read, Size int64
	// Records counts those of all files.
	Records int
}

// Made is a packet with what was left out of it.
type Made struct {
	Packet *ledger.Packet
	// Files are those that were read.
	Files []FileRead
	// Damage describes the first damaged places, up to MaxDamage of them; Places counts all, and Damaged the records that
	// are known to be lost there.
	Damage          []string
	Places, Damaged int
	// Outside counts the records outside of the window, Filtered those that the other filters leave out, and Repeated
	// those that are the same as another one. Unsearched counts those behind maxSeen, which may repeat another one.
	Outside, Filtered, Repeated, Unsearched int
	// Assumed counts the records of the packet whose time lacked something, by what that is.
	Assumed []Count
	// LeftOut counts the records that the limit left out, by kind.
	LeftOut []Count
}

// FileRead is a file, the name of its form, and how many records were read of it.
type FileRead struct {
	Name, Form string
	Records    int
}

// Count is how often there is something.
type Count struct {
	Name string
	N    int
}

// counts returns the most frequent first.
func counts(of map[string]int) []Count {
	var all []Count
	for name, n := range of {
		all = append(all, Count{name, n})
	}
	slices.SortFunc(all, func(a, b Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.Name, b.Name)) })
	return all
}

// errNoFact says that there is nothing to make a packet of.
var errNoFact = errors.New("there is no fact to make a packet of")

// Make makes a packet of the records of all files, in the order of time, and freezes it. If there is no fact, the error
// says so, and Made says what was damaged or left out. A file that no form knows is a *RefusedError.
func Make(ctx context.Context, o Options, forms []Form, files []*File) (Made, error) {
	m := &maker{
		o: o, kinds: map[string]*pile{}, seen: map[[16]byte]struct{}{}, run: map[[16]byte]int{},
		words: map[string]int{}, limit: cmp.Or(o.Limit, DefaultLimit),
	}
	// A file that is refused is refused before others are read.
	found := make([]*Form, len(files))
	names := map[string]int{}
	for i, f := range files {
		f.Name = strings.ToValidUTF8(f.Name, "\uFFFD")
		if names[f.Name]++; names[f.Name] > 1 {
			f.Name += "#" + strconv.Itoa(names[f.Name])
		}
		f.Zone = cmp.Or(o.Zone, time.UTC)
		f.ReaderAt = &watched{ReaderAt: f.ReaderAt, size: f.Size, ctx: ctx, name: f.Name, maker: m}
		form, err := FormOf(f, forms)
		if err != nil {
			return m.made, err
		}
		found[i] = form
	}
	for i, f := range files {
		m.file, m.form, m.records = f, found[i], 0
		m.runAt = time.Time{}
		if err := found[i].Read(ctx, f, Sink{Record: m.record, Lost: m.lost}); err != nil {
			return m.made, err
		}
		m.made.Files = append(m.made.Files, FileRead{f.Name, found[i].Name, m.records})
	}
	return m.packet()
}

// watched ends the reading of a file with the context, and at the size that the file had when it was opened.
type watched struct {
	io.ReaderAt

	ctx        context.Context //nolint:containedctx // io.ReaderAt has none
	size, high int64
	name       string
	maker      *maker
}

// ReadAt implements io.ReaderAt.
func (w *watched) ReadAt(p []byte, at int64) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	if at >= w.size {
		return 0, io.EOF
	}
	wanted := min(int64(len(p)), w.size-at)
	n, err := w.ReaderAt.ReadAt(p[:wanted], at)
	w.high = max(w.high, at+int64(n))
	if w.maker.o.Progress != nil {
		w.maker.o.Progress(Progress{w.name, w.high, w.size, w.maker.all})
	}
	switch {
	case errors.Is(err, io.EOF) && int64(n) < wanted:
		return n, errors.New("the file became shorter while it was read")
	case err == nil && n < len(p):
		err = io.EOF
	}
	return n, err
}

// maker collects records.
type maker struct {
	o    Options
	made Made
	file *File
	form *Form
	// records counts those of the file, all those of all files.
	records, all int
	// kinds are the records by kind, with facts of size bytes together.
	kinds       map[string]*pile
	limit       int
	facts, size int
	// seen are the records that were read, as digests with a number: records that are the same, one after another and at
	// one time, are so many records. run counts them at runAt.
	seen  map[[16]byte]struct{}
	run   map[[16]byte]int
	runAt time.Time
	// text is a buffer for the digest of a record.
	text []byte
	// words counts the hosts, accounts or kinds of records that their filter leaves out, for the case that it leaves out
	// all, and filter is the last one that did.
	words  map[string]int
	filter string
}

// pile is the records of one kind.
type pile struct {
	all []kept
	// until is the time of the first record that the limit left out, left how many it did.
	until time.Time
	left  int
}

type kept struct {
	Record

	file  *File
	form  *Form
	order int
	facts int
	size  int
}

func (m *maker) lost(place string, records int, what string) {
	m.made.Places++
	m.made.Damaged += records
	if len(m.made.Damage) < MaxDamage {
		m.made.Damage = append(m.made.Damage, fmt.Sprintf("%s: %s: %s", m.file.Name, place, what))
	}
}

// record keeps a record if it passes the filters, is not the same as another one, and the limit allows it.
func (m *maker) record(r Record) error {
	m.records++
	m.all++
	if year := r.At.Year(); year < 0 || year > 9999 {
		m.lost("record "+r.Place, 1, "its time is outside of the years 0 to 9999")
		return nil
	}
	r.At = r.At.UTC()
	if r.At.Before(m.o.From) || !m.o.To.IsZero() && r.At.After(m.o.To) {
		m.made.Outside++
		return nil
	}
	for _, filter := range []struct {
		name, value string
		wanted      []string
		same        func(value, wanted string) bool
	}{
		{"host", r.Host, m.o.Hosts, sameHost},
		{"account", r.Account, m.o.Accounts, sameAccount},
		{"kind", r.Kind, m.o.Kinds, sameKind},
	} {
		if len(filter.wanted) == 0 || slices.ContainsFunc(filter.wanted, func(w string) bool { return filter.same(filter.value, w) }) {
			continue
		}
		m.made.Filtered++
		m.filter = filter.name
		if word := filter.name + "\x00" + filter.value; m.words[word] > 0 || len(m.words) < maxWords {
			m.words[word]++
		}
		return nil
	}
	if m.repeats(&r) {
		m.made.Repeated++
		return nil
	}
	kind := r.Kind
	if m.kinds[kind] == nil && len(m.kinds) >= maxWords {
		kind = "(other kinds)"
	}
	p := m.kinds[kind]
	if p == nil {
		p = &pile{}
		m.kinds[kind] = p
	}
	if p.left > 0 && !r.At.Before(p.until) {
		p.left++
		return nil
	}
	k := kept{Record: r, file: m.file, form: m.form, order: m.all, facts: max(len(r.Facts), len(r.Fields))}
	if len(r.Facts) == 0 {
		if r.needsKind() {
			k.facts++
		}
		k.facts = min(k.facts, maxFields)
	}
	k.size = len(r.Raw) + 400*k.facts
	for i := range r.Fields {
		k.size += len(r.Fields[i].Value) + len(r.Fields[i].Name)
	}
	for i := range r.Facts {
		k.size += len(r.Facts[i].Value) + len(r.Facts[i].Raw)
	}
	p.all = append(p.all, k)
	if m.facts, m.size = m.facts+k.facts, m.size+k.size; m.facts > 2*m.limit || m.size > largest {
		m.trim()
	}
	return nil
}

// repeats reports whether a record was read before.
func (m *maker) repeats(r *Record) bool {
	text := m.text[:0]
	write := func(part string) {
		text = append(binary.LittleEndian.AppendUint32(text, uint32(len(part))), part...) //nolint:gosec // a part of a digest
	}
	if r.Identity != "" {
		write(r.Identity)
	} else {
		text = binary.LittleEndian.AppendUint64(text, uint64(r.At.UnixNano()))
		write(r.Host)
		write(r.Kind)
		write(r.Raw)
		for i := range r.Fields {
			write(r.Fields[i].Name)
			write(string(r.Fields[i].Value))
		}
		for i := range r.Facts {
			for _, key := range ledger.FactKeys() {
				write(r.Facts[i].Key(key))
			}
		}
	}
	m.text = text
	sum := sha256.Sum256(text)
	digest := [16]byte(sum[:16])
	if r.Identity == "" {
		if !r.At.Equal(m.runAt) {
			clear(m.run)
			m.runAt = r.At
		}
		m.run[digest]++
		binary.LittleEndian.PutUint32(digest[12:], uint32(m.run[digest])) //nolint:gosec // below the number of records
	}
	if _, known := m.seen[digest]; known {
		return true
	}
	if len(m.seen) >= maxSeen {
		m.made.Unsearched++
		return false
	}
	m.seen[digest] = struct{}{}
	return false
}

// trim leaves records out until the limit holds. Of each kind, the first records in time stay, and each kind gets as many
// facts as the others if it has them.
func (m *maker) trim() {
	if m.facts <= m.limit && m.size <= largest {
		return
	}
	type ranked struct {
		kept
		pile *pile
		// before is how many facts the earlier records of its kind have.
		before int
	}
	all := make([]ranked, 0, m.facts)
	for _, p := range m.kinds {
		slices.SortFunc(p.all, inTime)
		before := 0
		for _, k := range p.all {
			all = append(all, ranked{k, p, before})
			before += k.facts
		}
		clear(p.all)
		p.all = p.all[:0]
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(a.before-b.before, inTime(a.kept, b.kept)) })
	m.facts, m.size = 0, 0
	full := false
	for i := range all {
		k := &all[i]
		if full = full || m.facts+k.facts > m.limit || m.size+k.size > largest/2; full {
			if k.pile.left == 0 || k.At.Before(k.pile.until) {
				k.pile.until = k.At
			}
			k.pile.left++
			continue
		}
		k.pile.all = append(k.pile.all, k.kept)
		m.facts, m.size = m.facts+k.facts, m.size+k.size
	}
}

func inTime(a, b kept) int { return cmp.Or(a.At.Compare(b.At), a.order-b.order) }

// packet makes the packet of the records that were kept.
func (m *maker) packet() (Made, error) {
	m.trim()
	var all []kept
	left, assumed := map[string]int{}, map[string]int{}
	for kind, p := range m.kinds {
		all = append(all, p.all...)
		if p.left > 0 {
			left[kind] = p.left
		}
		p.all = nil
	}
	m.made.LeftOut = counts(left)
	if len(all) == 0 {
		return m.made, m.nothing()
	}
	slices.SortFunc(all, inTime)
	from, to := m.o.From, m.o.To
	if from.IsZero() {
		from = all[0].At
	}
	if to.IsZero() {
		to = all[len(all)-1].At
	}
	packet, err := ledger.NewPacket(m.o.ID, from, to)
	if err != nil {
		return m.made, fmt.Errorf("make the packet: %w", err)
	}
	entities := map[string]int{}
	for i := range all {
		k := &all[i]
		m.file = k.file
		entity := k.file.Name + ":" + k.Place
		if entities[entity]++; entities[entity] > 1 {
			entity += "#" + strconv.Itoa(entities[entity])
		}
		for _, f := range m.factsOf(k, entity) {
			err := packet.Add(f)
			if wrong, is := errors.AsType[*ledger.PacketError](err); is {
				m.lost("line "+k.Place, 1, fmt.Sprintf("fact %q: %s: %s", wrong.Fact, wrong.Field, wrong.What))
			} else if err != nil {
				return m.made, fmt.Errorf("make the packet: %w", err)
			}
		}
		if k.Assumed != "" {
			assumed[k.Assumed]++
		}
		*k = kept{}
	}
	m.made.Assumed = counts(assumed)
	if packet.Len() == 0 {
		return m.made, errNoFact
	}
	if _, err := packet.Freeze(); err != nil {
		return m.made, fmt.Errorf("make the packet: %w", err)
	}
	m.made.Packet = packet
	return m.made, nil
}

// factsOf returns the facts of a record, of which the first has its text. The kind is a fact if no field tells it.
func (m *maker) factsOf(k *kept, entity string) []ledger.PacketFact {
	if len(k.Facts) > 0 {
		for i := range k.Facts {
			f := &k.Facts[i]
			f.EntityType, f.SourceType = cmp.Or(f.EntityType, m.o.EntityType), cmp.Or(f.SourceType, m.o.SourceType)
			f.SourceID = cmp.Or(f.SourceID, m.o.SourceID, k.file.Name)
		}
		return k.Facts
	}
	valid := func(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
	fields := k.Fields
	if k.needsKind() {
		fields = append([]Field{{"kind", ledger.TextValue(k.Kind)}}, fields...)
	}
	if len(fields) > maxFields {
		m.lost("record "+k.Place, 0, fmt.Sprintf("only the first %d of its %d fields are facts", maxFields, len(fields)))
		fields = fields[:maxFields]
	}
	names := map[string]int{}
	facts := make([]ledger.PacketFact, 0, len(fields))
	for i := range fields {
		name := valid(fields[i].Name)
		id := entity + ":" + name
		if names[name]++; names[name] > 1 {
			id += "#" + strconv.Itoa(names[name])
		}
		facts = append(facts, ledger.PacketFact{
			ID: id, Entity: entity, EntityType: ledger.EntityNode, Field: name, Value: fields[i].Value, At: k.At,
			SourceType: cmp.Or(k.Source, m.o.SourceType), SourceID: cmp.Or(m.o.SourceID, k.file.Name),
			ParserVersion: k.form.Parser,
		})
	}
	if len(facts) > 0 {
		facts[0].Raw = valid(k.Raw)
	}
	return facts
}

// needsKind reports whether the kind of a record is not among its fields.
func (r *Record) needsKind() bool {
	return r.Kind != "" && !slices.ContainsFunc(r.Fields, func(f Field) bool { return f.Name == "kind" || f.Name == r.Kind })
}

// nothing says why there is no record.
func (m *maker) nothing() error {
	switch {
	case m.made.Filtered > 0 && m.made.Filtered+m.made.Outside+m.made.Repeated == m.all:
		found := map[string]int{}
		for word, n := range m.words {
			if name, value, _ := strings.Cut(word, "\x00"); name == m.filter {
				found[cmp.Or(value, "none")] = n
			}
		}
		const most = 8
		named := lists.Map(counts(found), func(c Count) string { return fmt.Sprintf("%s %d", plain.Line(plain.Clip(c.Name, 60)), c.N) })
		if more := len(named) - most; more > 0 {
			named = append(named[:most], plain.Counted(more, "other"))
		}
		return fmt.Errorf("no record passes the filters: --%s leaves out these %ss: %s", m.filter, m.filter, strings.Join(named, ", "))
	case m.made.Outside > 0 && m.made.Outside == m.all:
		return fmt.Errorf("%w: each of %s is outside of the window", errNoFact, plain.Counted(m.all, "record"))
	}
	return errNoFact
}

// sameHost compares hosts in any case, and by the first label if one of them has no other.
func sameHost(value, wanted string) bool {
	label := func(text string) string {
		if _, err := netip.ParseAddr(text); err == nil {
			return text
		}
		text, _, _ = strings.Cut(text, ".")
		return text
	}
	value, wanted = strings.ToLower(value), strings.ToLower(wanted)
	return value == wanted || value != "" && (label(value) == wanted || value == label(wanted))
}

// sameAccount compares accounts in any case, and without their domain if one of them has none.
func sameAccount(value, wanted string) bool {
	bare := func(text string) string {
		if at := strings.LastIndexByte(text, '\\'); at >= 0 {
			text = text[at+1:]
		}
		text, _, _ = strings.Cut(text, "@")
		return text
	}
	value, wanted = strings.ToLower(value), strings.ToLower(wanted)
	return value == wanted || value != "" && (bare(value) == wanted || value == bare(wanted))
}

// sameKind reports whether a kind has the wanted words, one after another.
func sameKind(value, wanted string) bool {
	return strings.Contains(" "+strings.ToLower(value)+" ", " "+strings.ToLower(wanted)+" ")
}
