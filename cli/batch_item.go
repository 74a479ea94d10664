package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/change"
	"moot/internal/enum"
	"moot/internal/git"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/review"
	"moot/queue"
	"moot/report"
	"moot/state"
	"moot/view"
)

// itemMaker makes sessions of the items of a batch. It is safe for concurrent use.
type itemMaker struct {
	console *Console
	// shared are the flags of the command line, which an item may override.
	shared []queue.Field

	// plain is the builder of a question alone, which is copied.
	plainOnce sync.Once
	plain     *builder
	plainErr  error

	mutex sync.Mutex
	// commits holds the commits of workspaces by their path.
	commits map[string]string
	// found are the participants of required seats that nobody named, by format. They are looked for once.
	found map[state.Format]agent.Pair
	// owners are the formats of flags that are not for all, used the shared flags that were for an item.
	owners map[string][]string
	used   map[string]bool
	// seated are the participants of all items, each once, with the line that names it first.
	seated map[seating]int
	notes  []string
}

// seating is a participant in a seat of a format.
type seating struct {
	format      string
	seat        state.Seat
	participant string
}

// sit notes the seats of an item.
func (m *itemMaker) sit(p *planned, line int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.seated == nil {
		m.seated = map[seating]int{}
	}
	for _, a := range p.opened.Seats {
		s := seating{string(p.opened.Settings.Format), a.Seat, a.Participant}
		if first, known := m.seated[s]; !known || line < first {
			m.seated[s] = line
		}
	}
}

// checkSeats makes each participant once, as the sessions will: one without its key or file would fail them all.
func (m *itemMaker) checkSeats() error {
	var wrong queue.Wrong
	quiet := (&builder{console: m.console, defaults: m.console.fixed, front: frontOptions{headless: true}}).session()
	defer quiet.closePrograms()
	for s, line := range m.seated {
		a := state.SeatAssignment{Seat: s.seat, Participant: s.participant}
		participant, err := quiet.participant(a, &state.Settings{Format: state.Format(s.format)})
		if err == nil {
			if err = agent.Absent(participant); err != nil {
				err = seatError(s.seat, err)
			}
		}
		if err != nil {
			wrong.Add(line, err)
		}
	}
	return wrong.Err()
}

// itemFlags adds the flags that an item may have as fields, and that the command line may have for all of them.
func (b *builder) itemFlags(cmd *cobra.Command) {
	group(cmd, "Question", func(f *pflag.FlagSet) {
		names := b.console.formatNames()
		f.StringVar(&b.format, "format", names[0], "the format of the sessions: "+strings.Join(names, ", "))
	})
	format := b.format
	b.questionFlags(cmd, b.console.formats()...)
	b.format = format
	b.weightFlag(cmd, "Sessions")
	b.calls.flags(cmd)
}

// noted is the value of a flag that is written down.
type noted struct {
	pflag.Value
	name string
	into *[]queue.Field
}

// Set implements pflag.Value.
func (n *noted) Set(text string) error {
	if err := n.Value.Set(text); err != nil {
		return err
	}
	*n.into = append(*n.into, queue.Field{Name: n.name, Values: []string{text}})
	return nil
}

// noteFlags writes down what the flags of a command are set to, in order. Flags that the command has already are left
// out.
func noteFlags(cmd *cobra.Command, into *[]queue.Field, except ...string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(except, f.Name) {
			f.Value = &noted{Value: f.Value, name: f.Name, into: into}
		}
	})
}

// builder makes the builder of an item from its fields and the shared flags. A wrong field is an error that names it.
func (m *itemMaker) builder(ctx context.Context, fields []queue.Field) (*builder, error) {
	if len(fields) == 1 && fields[0].Name == queue.FieldQuestion {
		return m.questionBuilder(fields[0])
	}
	return m.builderOf(ctx, fields)
}

// questionBuilder is builder for an item that is only a question, as most are. Their flags are parsed once.
func (m *itemMaker) questionBuilder(f queue.Field) (*builder, error) {
	text, err := oneValue(f)
	if err != nil {
		return nil, err
	}
	m.plainOnce.Do(func() {
		if m.plain, m.plainErr = m.builderOf(context.Background(), nil); m.plainErr == nil {
			if m.plain.defaults, m.plainErr = m.console.validDefaults(); m.plainErr == nil {
				m.plainErr = m.plain.applyDefaults()
			}
		}
	})
	if m.plainErr != nil {
		return nil, m.plainErr
	}
	b := *m.plain
	b.question.text, b.defaulted = text, true
	b.seats.named, b.values = maps.Clone(b.seats.named), maps.Clone(b.values)
	b.given.context, b.given.facts = slices.Clip(b.given.context), slices.Clip(b.given.facts)
	return &b, nil
}

func (m *itemMaker) builderOf(ctx context.Context, fields []queue.Field) (*builder, error) {
	b := &builder{console: m.console, question: value{from: fromForm}}
	cmd := &cobra.Command{}
	b.itemFlags(cmd)
	b.budget.flags(cmd, &b.promptBudget)
	b.flagged = cmd.Flags()
	format := m.formatOf(fields)
	for _, f := range m.shared {
		if !m.fits(format, f) {
			continue // It is for items of another format.
		}
		if err := setField(cmd, f); err != nil {
			return nil, err
		}
	}
	b.dropSeats(fields)
	revision, reviewed := "", ""
	for _, f := range fields {
		var err error
		switch f.Name {
		case queue.FieldQuestion:
			b.question.text, err = oneValue(f)
		case queue.FieldReview:
			reviewed, err = oneValue(f)
		case queue.FieldRevision:
			revision, err = oneValue(f)
		default:
			err = setField(cmd, f)
		}
		if err != nil {
			return nil, err
		}
	}
	b.front = frontOptions{headless: true, output: report.FormText}
	b.memory.none = true // Nothing of one item is in another.
	switch {
	case reviewed != "" && b.question.text != "":
		return nil, errors.New("it has a question and a review: choose one")
	case reviewed != "" && revision != "":
		return nil, errors.New("revision belongs to a question; the field review names the change itself")
	case reviewed != "":
		if b.flagged.Changed("format") && b.format != string(review.Format{}.Name()) {
			return nil, fmt.Errorf("review: the format of a review is review, not %s", b.format)
		}
		b.format = string(review.Format{}.Name())
		folder := m.console.path(cmp.Or(b.workspace.dir, m.console.Dir))
		if err := b.review(ctx, change.Options{Revision: reviewed, Folder: folder}); err != nil {
			return nil, err
		}
	case revision != "":
		commit, err := m.commitOf(ctx, b, revision)
		if err != nil {
			return nil, err
		}
		b.workspace.tree = commit
	}
	return b, nil
}

// formatOf returns the name of the format of an item.
func (m *itemMaker) formatOf(fields []queue.Field) string {
	name := m.console.formatNames()[0]
	for _, f := range slices.Concat(m.shared, fields) {
		switch {
		case f.Name == "format" && len(f.Values) > 0:
			name = f.Values[0]
		case f.Name == queue.FieldReview:
			name = string(review.Format{}.Name())
		}
	}
	return name
}

// fits reports whether a shared flag is for items of a format: it belongs to that format, or to none alone. Which flags
// were used is written down.
func (m *itemMaker) fits(format string, f queue.Field) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.owners == nil {
		m.owners, m.used = map[string][]string{}, map[string]bool{}
		for _, one := range m.console.formats() {
			settings := one.Settings()
			for _, field := range settings.Fields {
				if !slices.Contains(sharedSettings(), field.Key) {
					m.owners[field.Key] = append(m.owners[field.Key], string(one.Name()))
				}
			}
			for _, seat := range settings.Seats() {
				m.owners["seat "+seat] = append(m.owners["seat "+seat], string(one.Name()))
			}
		}
	}
	name := f.Name
	if name == "seat" && len(f.Values) == 1 {
		seat, _, _ := strings.Cut(f.Values[0], "=")
		name = "seat " + seat
	}
	owners, owned := m.owners[name]
	if owned && !slices.Contains(owners, format) {
		return false
	}
	m.used[f.Name] = true
	return true
}

// checkShared refuses shared flags that are for none of the items.
func (m *itemMaker) checkShared() error {
	for _, f := range m.shared {
		if !m.used[f.Name] {
			return fmt.Errorf("--%s is a flag of --format %s, and no item has this format", f.Name,
				strings.Join(m.owners[f.Name], " or "))
		}
	}
	return nil
}

// commitOf returns the commit of a revision of the item's workspace.
func (m *itemMaker) commitOf(ctx context.Context, b *builder, revision string) (string, error) {
	folder := m.console.path(cmp.Or(b.workspace.dir, m.console.Dir))
	g, err := git.Open(ctx, folder)
	if err != nil {
		return "", fmt.Errorf("revision: %w", err)
	}
	defer g.Close()
	commit, err := g.Commit(ctx, revision)
	if err != nil {
		return "", fmt.Errorf("revision: %w", err)
	}
	return commit, nil
}

// dropSeats forgets the shared participants of seats that an item names itself.
func (b *builder) dropSeats(fields []queue.Field) {
	var names []string
	for _, f := range fields {
		if f.Name == queue.FieldQuestion {
			continue
		}
		if names == nil {
			names = seatNames(b.console.formats()...)
		}
		if f.Name == "seat" {
			for _, text := range f.Values {
				seat, _, _ := strings.Cut(text, "=")
				delete(b.seats.named, state.Seat(seat))
			}
		}
		if slices.Contains(names, f.Name) {
			for _, name := range seatGroup(names, f.Name) {
				delete(b.seats.named, state.Seat(name))
			}
		}
	}
}

func oneValue(f queue.Field) (string, error) {
	if len(f.Values) != 1 || strings.TrimSpace(f.Values[0]) == "" {
		return "", fmt.Errorf("%s: it is one text that is not empty", f.Name)
	}
	return f.Values[0], nil
}

// setField sets the flag of a field.
func setField(cmd *cobra.Command, f queue.Field) error {
	flag := cmd.Flags().Lookup(f.Name)
	if flag == nil {
		known := []string{queue.FieldID, queue.FieldQuestion, queue.FieldReview, queue.FieldRevision, "facts", "seats"}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		unknown := fmt.Errorf("it has an unknown field %q", plain.Clip(plain.Line(f.Name), 60))
		if nearest := enum.Nearest(f.Name, known); nearest != "" {
			return fmt.Errorf("%w: did you mean %q?", unknown, nearest)
		}
		return fmt.Errorf("%w; the fields are the flags of moot ask", unknown)
	}
	for _, text := range f.Values {
		if err := flag.Value.Set(text); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	flag.Changed = flag.Changed || len(f.Values) > 0
	return nil
}

// planned is an item that was read as a session would be opened, and what its first events are.
type planned struct {
	opened *state.SessionOpened
	events []state.Payload
	parts  queue.Parts
}

// plan reads an item as a session would be opened, so that a mistake is found before anything starts. Nothing stays
// open.
func (m *itemMaker) plan(ctx context.Context, fields []queue.Field) (*planned, error) {
	p, b, err := m.planOpen(ctx, fields)
	if err == nil && b.reviewed != nil {
		b.reviewed.Close()
	}
	return p, err
}

// planOpen is plan, and returns the builder. The caller closes the change under review, if there is one.
func (m *itemMaker) planOpen(ctx context.Context, fields []queue.Field) (p *planned, b *builder, err error) {
	if b, err = m.builder(ctx, fields); err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil && b.reviewed != nil {
			b.reviewed.Close()
		}
	}()
	format, err := m.console.format(b.format)
	if err != nil {
		return nil, b, err
	}
	settings := format.Settings()
	if b.defaults, err = m.console.validDefaults(); err != nil {
		return nil, b, err
	}
	if err := b.applyDefaults(); err != nil {
		return nil, b, err
	}
	opened, events, err := b.opening(ctx, format, &settings)
	if err != nil {
		return nil, b, err
	}
	if err := m.fillSeats(ctx, b, format, &settings, opened); err != nil {
		return nil, b, err
	}
	parts, err := m.parts(b, opened, events)
	return &planned{opened: opened, events: events, parts: parts}, b, err
}

// fillSeats names the participants of required seats that neither an item nor the configuration names. They are looked
// for once, and without asking: a batch runs alone.
func (m *itemMaker) fillSeats(
	ctx context.Context, b *builder, format protocol.Format, settings *protocol.Settings, opened *state.SessionOpened,
) error {
	answers, judges := settings.Required()
	if placeOf(opened.Seats, answers) >= 0 && placeOf(opened.Seats, judges) >= 0 {
		return nil
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	pair, known := m.found[format.Name()]
	if !known {
		quiet := b.session()
		proposed, err := quiet.proposeSeats(ctx, format, opened.Seats, &opened.Settings)
		if err != nil {
			return err
		}
		pair = proposed
		if m.found == nil {
			m.found = map[state.Format]agent.Pair{}
		}
		m.found[format.Name()] = pair
		m.notes = append(m.notes, fmt.Sprintf("%s: nobody was named for the seats; %s is the %s and %s the %s",
			format.Name(), pair.Orchestrator, judges, pair.Consultee, answers))
	}
	for seat, name := range map[state.Seat]string{judges: pair.Orchestrator, answers: pair.Consultee} {
		if placeOf(opened.Seats, seat) < 0 {
			opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: name})
		}
	}
	return nil
}

// parts says what an item is, from what its session would open with.
func (m *itemMaker) parts(
	b *builder, opened *state.SessionOpened, events []state.Payload,
) (parts queue.Parts, err error) {
	s := opened.Settings
	material := state.SessionOpened{Settings: state.Settings{Context: s.Context, Input: s.Input, QuestionPath: s.QuestionPath}}
	if b.reviewed != nil {
		material.Settings.Own = s.Own
		parts.Commit = b.reviewed.Base + ".." + cmp.Or(b.reviewed.Head, b.reviewed.Tree)
		s.Own = nil
	} else if s.Workspace != "" {
		parts.Commit = cmp.Or(s.Tree, m.head(s.Workspace))
	}
	if s.Workspace != "" {
		// The same folders elsewhere are the same: all paths are relative to where the batch began.
		path := s.Workspace
		if relative, err := filepath.Rel(m.console.Dir, path); err == nil {
			path = filepath.ToSlash(relative)
		}
		parts.Commit = path + "@" + parts.Commit
	}
	if parts.Material, err = digestOf(append([]state.Payload{&material}, events...)...); err != nil {
		return parts, err
	}
	s.Context, s.Input, s.QuestionPath, s.Workspace, s.Tree, s.Nonce = nil, state.Input{}, "", "", "", ""
	s.MaxTokens, s.MaxCost, s.MaxSeconds, s.PromptBudget = 0, 0, 0, 0
	commands := &state.CommandsAllowed{Patterns: b.commands.allowed, Trials: b.commands.trials}
	if parts.Options, err = digestOf(&state.SessionOpened{Settings: s}, commands); err != nil {
		return parts, err
	}
	if parts.Question, err = digestOf(&state.SessionOpened{Question: opened.Question}); err != nil {
		return parts, err
	}
	parts.Seats, err = b.seatsAsResolved(opened.Seats)
	return parts, err
}

// seatsAsResolved are seats with their participants as the configuration resolves them.
func (b *builder) seatsAsResolved(assigned []state.SeatAssignment) (string, error) {
	var seats []string
	for _, p := range assigned {
		who, err := b.identityOf(p.Participant)
		if err != nil {
			return "", seatError(p.Seat, err)
		}
		seats = append(seats, string(p.Seat)+"="+who)
	}
	slices.Sort(seats)
	return strings.Join(seats, " "), nil
}

// identityOf is a participant as resolved: what it is, its model and its effort, without an address.
func (b *builder) identityOf(name string) (string, error) {
	choice, err := b.defaults.book.Parse(name)
	if err != nil {
		return "", err
	}
	who := choice.Spec.Name
	if strings.HasPrefix(who, "http://") || strings.HasPrefix(who, "https://") {
		_, model, _ := strings.Cut(who, "#")
		who = "#" + model
	}
	effort := b.calls.settings.Effort
	if effort == "" && choice.Options != nil {
		effort = choice.Options.ReasoningEffort
	}
	if effort != "" {
		who += "?effort=" + effort
	}
	if choice.Fallback != nil {
		other, err := b.identityOf(choice.Fallback.Spec.Name)
		if err != nil {
			return "", err
		}
		who += "|" + other
	}
	return who, nil
}

// head returns the commit that is checked out in a folder, or "" outside of a repository.
func (m *itemMaker) head(folder string) string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if commit, known := m.commits[folder]; known {
		return commit
	}
	commit := ""
	if place, err := git.Find(folder); err == nil && place != nil {
		commit = place.Head()
	}
	if m.commits == nil {
		m.commits = map[string]string{}
	}
	m.commits[folder] = commit
	return commit
}

// digestOf is the SHA-256 of events, in hex, cut to what tells them apart.
func digestOf(payloads ...state.Payload) (string, error) {
	sum := sha256.New()
	var text bytes.Buffer
	for _, p := range payloads {
		text.Reset()
		if err := state.Encode(&text, p); err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(sum, "%s %d\n", state.KindOf(p), text.Len()) // a hash takes everything
		sum.Write(text.Bytes())
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// item makes the item of a line.
func (p *planned) item(line queue.Line, number int) *queue.Item {
	parts := p.parts
	parts.Number = number
	item := &queue.Item{
		Digest: parts.Digest(), Lines: []int{line.Number}, Parts: parts, Fields: line.Fields,
		Title: plain.Clip(plain.Line(view.Title(p.opened.Question)), maxTitle),
	}
	if line.ID != "" {
		item.IDs = []string{line.ID}
	}
	return item
}
