package cli

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/forge"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/review"
	"moot/protocol/run"
	"moot/research"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// builder makes a session, new or resumed, from what the command line, a form or a coding agent says about it.
type builder struct {
	console  *Console
	question value
	// format and seats may come from the session that the question follows up on.
	format, follows string
	seats           seatOptions
	earlier         earlierOptions
	// continues summarizes what another program argued before, or is nil.
	continues *state.Earlier
	// values are the settings of the format by key.
	values    view.Values
	workspace workspaceOptions
	commands  commandOptions
	hosts     hostOptions
	given     givenOptions
	// reviewed is the change under review, or nil.
	reviewed *givenChange
	// pull is the pull request that gets the result, or nil.
	pull          *forge.PullRequest
	memory        memoryOptions
	budget        budgetOptions
	promptBudget  int
	metricWeights map[string]string
	calls         callOptions
	front         frontOptions
	defaults      *defaults
	// defaulted says that applyDefaults was called already.
	defaulted bool
	// own are the participants that exist in this run alone, by name: the recorded ones of a demo, or the agent that
	// asks.
	own map[string]protocol.Participant
	// flagged are the flags of the command line. They are nil if a form or an agent asks, who are shown all seats.
	flagged *pflag.FlagSet
	// check sees the first events before anything is made. It may be nil.
	check func(ctx context.Context, format protocol.Format, opened *state.SessionOpened, events []state.Payload) error
	// batch is set in a session of a batch. confirm is asked for each unit before it is written, or is nil.
	batch   *run.Batch
	confirm func(unit []byte) error
	// note prints a line at once. If it is nil, the lines are collected in notes.
	note  func(text string)
	notes []string
}

func (b *builder) say(text string) {
	if b.note == nil {
		b.notes = append(b.notes, text)
		return
	}
	b.note(text)
}

// open opens a session on the question. If a value is wrong, the error is a *view.FieldError and nothing was made. The
// caller closes the session.
func (b *builder) open(ctx context.Context) (*session, error) {
	format, err := b.console.format(b.format)
	if err != nil {
		return nil, err
	}
	settings := format.Settings()
	if b.flagged == nil {
		// Nobody is at a terminal to confirm a model that moot finds.
		first, second := settings.Required()
		for _, seat := range []state.Seat{first, second} {
			if b.seats.named[seat] == "" {
				return nil, in(string(seat), usage("the seat %s is empty: name a participant, or rules, which needs "+
					"no model", seat))
			}
		}
	}
	b.defaults = &defaults{}
	if !b.front.demo {
		if b.defaults, err = b.console.validDefaults(); err != nil {
			return nil, err
		}
	}
	if err := b.applyDefaults(); err != nil {
		return nil, err
	}
	opened, events, err := b.opening(ctx, format, &settings)
	if err != nil {
		return nil, err
	}
	taken, err := b.earlier.take(ctx, b.console, opened, b.say)
	if err != nil {
		return nil, err
	}
	recorded := len(lists.Filter(events, func(p state.Payload) bool { _, is := p.(*state.FactRecorded); return is }))
	for i, fact := range taken {
		fact.ID = state.NextID('F', recorded+i)
		events = append(events, fact)
	}
	if b.check != nil {
		if err := b.check(ctx, format, opened, events); err != nil {
			return nil, err
		}
	}
	s := b.session()
	if err := b.create(ctx, s, format, opened, events); err != nil {
		s.close()
		return nil, err
	}
	for _, text := range s.notes {
		b.say(text)
	}
	if opened.Settings.Mode == state.ModeQuick && !b.front.dryRun {
		b.say("note       mode quick keeps no session file: nothing is saved, and nothing can be resumed")
	}
	return s, nil
}

// session returns a session that holds nothing open yet.
func (b *builder) session() *session {
	return &session{
		console: b.console, front: b.front, calls: b.calls, commands: b.commands, defaults: b.defaults, own: b.own,
		batch: b.batch, state: &state.State{},
	}
}

// opening checks all values, and returns the first events: the user's facts are in the ledger before anyone speaks. The
// seats are those that were named; the others are filled later.
func (b *builder) opening(
	ctx context.Context, format protocol.Format, settings *protocol.Settings,
) (opened *state.SessionOpened, events []state.Payload, err error) {
	if err := b.budget.check(); err != nil {
		return nil, nil, err
	}
	opened = &state.SessionOpened{Rules: format, Version: state.Version, Settings: state.Settings{
		Format: format.Name(), PromptBudget: b.promptBudget, NoRedact: b.given.noRedact, MaxTokens: b.budget.maxTokens,
		MaxCost: b.budget.maxCost, MaxSeconds: wholeSeconds(b.budget.timeout),
		Input: state.Input{Options: []string{}, Views: []state.View{}}, Follows: b.continues,
	}}
	s := &opened.Settings
	if s.MetricWeights, err = readMetricWeights(b.metricWeights); err != nil {
		return nil, nil, in("metric-weights", err)
	}
	if err := b.refuseOthers(format, settings); err != nil {
		return nil, nil, err
	}
	values := view.Values{}
	maps.Copy(values, b.values)
	if err := settings.Check(values); err != nil {
		return nil, nil, asUsage(err)
	}
	if b.follows != "" {
		if err := b.follow(format, s); err != nil {
			return nil, nil, err
		}
	}
	if opened.Seats, err = b.table(format, settings, values); err != nil {
		return nil, nil, err
	}
	if err := b.locate(settings, values, s); err != nil {
		return nil, nil, err
	}
	files, err := newMaterial(b.console, b.given.noRedact, b.say)
	if err != nil {
		return nil, nil, err
	}
	files.roots = b.given.roots
	if err = b.readQuestion(ctx, files, settings); err != nil {
		return nil, nil, in("question", err)
	}
	facts, err := b.given.read(ctx, files, s, b.workspace.allow)
	if err != nil {
		return nil, nil, err
	}
	opened.Question = b.question.text
	if settings.Open != nil {
		values["context"] = strings.Join(b.given.context, "\n")
		var texts []string
		for _, fact := range facts {
			if fact.Tag == ledger.TagUser {
				texts = append(texts, fact.Text)
			}
		}
		values["fact"] = strings.Join(texts, "\n")
		first, err := settings.Open(values, files, s)
		if err != nil {
			return nil, nil, asUsage(err)
		}
		opened.Question, events = cmp.Or(opened.Question, first.Question), first.Events
	}
	remembered, err := b.takeChange(ctx, opened, files)
	if err != nil {
		return nil, nil, err
	}
	if files.redacted > 0 {
		files.say("redacted   %d passages that look like secrets; --no-redact keeps them", files.redacted)
	}
	for i := range s.Context {
		s.Context[i].Path = citablePath(b.console, s.Workspace, s.Context[i].Path)
	}
	s.QuestionPath = b.question.cited(b.console, s.Workspace)
	if s.Workspace == "" && b.commands.trials {
		return nil, nil, in("allow-try", usage("--allow-try needs a workspace to copy, and --no-workspace was given"))
	}
	if s.Workspace == "" && len(b.commands.allowed) > 0 {
		return nil, nil, in("allow-command", usage("--allow-command needs a workspace to run commands in, and "+
			"--no-workspace was given"))
	}
	if s.Nonce, err = nonce(b.console.Random); err != nil {
		return nil, nil, err
	}
	withheld := lists.Map(files.withheld, func(w *state.Withheld) state.Payload { return w })
	events = slices.Concat(withheld, remembered, events)
	_, judges := settings.Required()
	for _, fact := range facts {
		fact.Seat = cmp.Or(fact.Seat, judges)
		events = append(events, fact)
	}
	return opened, events, nil
}

// takeChange adds the change under review to the settings of a review, and returns the event with what it remembers of
// earlier ones, or none. In the framing audit it adds what code finds of the written review.
func (b *builder) takeChange(ctx context.Context, opened *state.SessionOpened, files *material) ([]state.Payload, error) {
	own, is := opened.Settings.Own.(*review.Settings)
	if !is {
		return nil, b.takeReview(ctx, &opened.Settings, files)
	}
	if b.reviewed == nil {
		return nil, in("format", usage("%w", review.ErrNoChange))
	}
	own.Change, opened.Question = b.reviewed.Change, b.reviewed.Title
	for _, note := range b.reviewed.notes {
		files.say("change     %s", note)
	}
	files.redacted += b.reviewed.Redacted
	files.withhold(b.reviewed.Withheld...)
	b.onPullRequest(&own.Change)
	event, err := b.remember(ctx, own, files)
	if event == nil {
		return nil, err
	}
	return []state.Payload{event}, err
}

// create records the first events, with everything that the session holds open.
func (b *builder) create(
	ctx context.Context, s *session, format protocol.Format, opened *state.SessionOpened, events []state.Payload,
) (err error) {
	opened.ID = store.NewID(b.console.Now(), b.console.Random)
	if err := s.record(opened.ID); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.recorder.Discard()
		}
	}()
	settings := &opened.Settings
	settings.Attended, settings.Agent = !b.front.headless, b.front.agent
	if b.reviewed != nil {
		s.tree, err = b.reviewed.Open(ctx)
	} else {
		err = s.openTree(ctx, settings)
	}
	if err != nil {
		return err
	}
	s.participants = map[state.Seat]protocol.Participant{}
	if opened.Seats, err = s.assignSeats(ctx, format, opened.Seats, settings); err != nil {
		return err
	}
	if s.citation, err = openCitation(settings, s.tree); err != nil {
		return err
	}
	if err := s.openTools(ctx, settings, false); err != nil {
		return err
	}
	command, err := b.commands.open(b.console, settings.Workspace)
	if err != nil {
		return err
	}
	settings.Kinds = research.Recorded(s.moreCheckers(settings, command))
	if err := s.openWorkspace(settings); err != nil {
		return err
	}
	if err := b.drawMap(ctx, s, opened); err != nil {
		return err
	}
	if settings.Mode == state.ModeQuick || b.front.memory || b.front.dryRun {
		s.log = &store.Memory{}
	} else {
		dir, err := b.console.sessions()
		if err != nil {
			return err
		}
		s.file, err = store.Create(dir, opened.ID)
		for range maxSameIDs {
			if !errors.Is(err, fs.ErrExist) || s.recorder != nil {
				break
			}
			// Many sessions of a batch begin in the same second.
			opened.ID = store.NewID(b.console.Now(), b.console.Random)
			s.file, err = store.Create(dir, opened.ID)
		}
		if err != nil {
			return err
		}
		s.log = s.file
		if b.confirm != nil {
			s.file.Confirm(b.confirm)
		}
	}
	events = append([]state.Payload{opened}, events...)
	return s.append(append(events, s.allowCommands(&b.commands)...)...)
}

// maxSameIDs is how often a new ID is drawn because a session has it already.
const maxSameIDs = 8

// drawMap adds what the first prompts show of the workspace (LU3), if a model is going to read it.
func (b *builder) drawMap(ctx context.Context, s *session, opened *state.SessionOpened) error {
	reads := false
	for _, p := range s.participants {
		reads = reads || !p.Modelless()
	}
	if _, changes := opened.Settings.Own.(*review.Settings); s.workspace == nil || !reads || changes {
		return nil
	}
	commit := ""
	if s.citation != nil {
		commit = plain.Clip(s.citation.Commit(), 12)
	}
	if b.flagged != nil {
		b.say("searching  the workspace for passages that fit the question")
	}
	settings := &opened.Settings
	var err error
	settings.Map, err = s.workspace.Map(ctx, opened.Question+"\n"+b.about(settings), commit)
	if err != nil && ctx.Err() == nil {
		s.notes = append(s.notes, "note       the workspace is not shown to models: "+err.Error())
		return nil
	}
	if err == nil && settings.Map.Bound != "" {
		s.notes = append(s.notes, "note       searched "+settings.Map.Bound+
			" of the workspace, which has more; --workspace DIR narrows it")
	}
	return err
}

// about is the start of the material that the question is about, or "".
func (b *builder) about(s *state.Settings) string {
	switch change := s.Change(); {
	case b.given.about != nil:
		return plain.Clip(b.given.about.Text, maxAbout)
	case b.given.change != nil && change != nil:
		return plain.Clip(change.Text, maxAbout)
	}
	return ""
}

// applyDefaults sets the limits and caps that weren't given. A form has no budget, and uses the limits of its screen.
func (b *builder) applyDefaults() error {
	if b.defaulted {
		return nil
	}
	if b.flagged != nil {
		return errors.Join(setUnchanged(b.flagged, b.defaults.limits), setUnchanged(b.flagged, b.defaults.budget))
	}
	// Defining the flags resets the values.
	cmd := &cobra.Command{}
	maxCost := b.budget.maxCost
	b.budget.flags(cmd, &b.promptBudget)
	b.workspace.lookups = protocol.DefaultLookups
	err := setUnchanged(cmd.Flags(), b.defaults.budget)
	b.budget.maxCost = cmp.Or(maxCost, b.budget.maxCost)
	return err
}

// refuseOthers refuses values of other formats, and values of all formats that this one has no use for.
func (b *builder) refuseOthers(own protocol.Format, settings *protocol.Settings) error {
	for _, other := range b.console.formats() {
		if other.Name() == own.Name() {
			continue
		}
		keys, others := []string{}, other.Settings()
		for _, f := range others.Fields {
			if slices.Contains(sharedSettings(), f.Key) {
				continue
			}
			if b.values[f.Key] != "" || b.seats.named[state.Seat(f.Key)] != "" && f.Kind == view.FieldParticipant {
				keys = append(keys, f.Key)
			}
		}
		for _, key := range keys {
			// A flag and a seat may belong to several formats.
			if settings.Field(key) == nil && !slices.Contains(settings.Seats(), key) {
				return in(key, usage("--%s is a flag of --format %s, and the format is %s", key, other.Name(),
					own.Name()))
			}
		}
	}
	for _, shared := range []struct {
		key   string
		given bool
	}{
		{"context", len(b.given.context) > 0 || b.given.diff != ""},
		{"findings", len(b.given.findings) > 0},
		{"fact", len(b.given.facts) > 0},
		{"workspace", b.workspace.dir != ""},
		{"official", len(b.workspace.official) > 0},
		{"allow-path", len(b.workspace.allow) > 0},
		{"allow-command", len(b.commands.allowed) > 0},
		{"allow-host", len(b.hosts.allowed) > 0},
		{"allow-try", b.commands.trials},
	} {
		if why := settings.Refused[cmp.Or(map[string]string{"findings": "context"}[shared.key], shared.key)]; shared.given && why != "" {
			return in(shared.key, usage("--%s: %s", shared.key, why))
		}
	}
	return nil
}

// locate sets the workspace. On the command line it prints the first line, before anything that may take a while:
// reading folders, and asking servers and programs what they have.
func (b *builder) locate(
	settings *protocol.Settings, values view.Values, s *state.Settings,
) error {
	material := b.reviewed != nil || settings.ClosedWorld || len(b.given.context) > 0 || b.given.about != nil || b.given.change != nil ||
		values["design"] != "" || b.question.text == "-" || strings.Contains(" "+b.question.text, " @")
	if err := b.workspace.resolve(b.console, s, material); err != nil {
		return err
	}
	if settings.ClosedWorld {
		s.Lookups = 0
	} else if hosts := addHosts(b.defaults.hosts, b.hosts.allowed...); len(hosts) > 0 {
		s.Hosts = hosts
		if err := ledger.CheckHosts(hosts); err != nil {
			return in("allow-host", usage("--allow-host: %w", err))
		}
	}
	if b.flagged == nil {
		return nil
	}
	if s.Workspace == "" {
		b.say("workspace  none: files cannot be cited, except those of --context")
		return nil
	}
	b.say("workspace  " + s.Workspace)
	if s.Tree != "" {
		b.say(fmt.Sprintf("commit     %.12s: citations and lookups read its files, not those of the folder", s.Tree))
	}
	return nil
}

// table returns the seats that were named, and on the command line the default seats too. A form shows its seats, so
// nothing is added to them. The seats become values too.
func (b *builder) table(
	format protocol.Format, settings *protocol.Settings, values view.Values,
) ([]state.SeatAssignment, error) {
	named, err := b.seats.places(format)
	if err != nil {
		return nil, err
	}
	places := named
	if b.flagged != nil {
		places = b.defaults.addSeats(named, seatNames(format))
		// A default has no effect on a seat that the settings leave out.
		places = slices.DeleteFunc(places, func(p state.SeatAssignment) bool {
			f := settings.Field(string(p.Seat))
			return placeOf(named, p.Seat) < 0 && !strings.HasPrefix(string(p.Seat), string(settings.Repeated)+"-") &&
				f != nil && f.Hidden != nil && f.Hidden(values)
		})
	}
	for _, p := range places {
		values[string(p.Seat)] = p.Participant
	}
	return places, nil
}

// readQuestion reads and redacts the question. More than a line is material for the context, with its title as the
// question.
func (b *builder) readQuestion(ctx context.Context, m *material, settings *protocol.Settings) error {
	q := &b.question
	q.text = strings.TrimSpace(q.text)
	if q.text == "" && settings.OptionalQuestion {
		return nil
	}
	byUser := q.from != fromAgent
	info, missing := os.Stat(m.console.path(strings.TrimPrefix(q.text, "@")))
	named := byUser && strings.HasPrefix(q.text, "@") &&
		(settings.QuestionFile || missing == nil && info.Mode().IsRegular())
	switch {
	case q.from == fromArgument || named:
		if err := q.read(m.console, "the question", `moot ask "Is the cache safe under load?"`); err != nil {
			return err
		}
	case q.text == "":
		return usage("the question is empty")
	case !utf8.ValidString(q.text):
		return usage("the question is not UTF-8 text")
	}
	if about := b.given.about; b.given.change == nil && about != nil {
		about.Text = m.fit(about.Path, about.Text)
	}
	switch {
	case b.given.change != nil, b.given.about != nil:
	case settings.Refused["context"] != "":
		if len(q.text) > maxDocument {
			return usage("the question is longer than %d bytes", maxDocument)
		}
	case len(q.text) > maxQuestion || strings.Contains(q.text, "\n"):
		if q.place == "" && byUser {
			b.given.mentions(ctx, m, q.text)
		}
		// The material that the question consists of is under examination (RV4).
		q.examined = !isDiff(q.text)
		b.given.about = &state.Document{
			Path: cmp.Or(q.place, "question"), Text: m.fit(cmp.Or(inputName(q.place), "the question"), q.text),
		}
		q.text = titleOf(q.place, b.given.about.Text)
		return nil
	default:
		q.examined = q.from != fromStdin
		if byUser {
			b.given.mentions(ctx, m, q.text)
		}
	}
	q.text = m.Redact("the question", q.text)
	return nil
}

// follow adds the results of the session that a question follows up on: its answer, its
// open points and cited lines as material, the user's facts as facts. Its participants and its
// folder are the defaults.
func (b *builder) follow(format protocol.Format, s *state.Settings) error {
	earlier, err := read(b.console, b.follows)
	if err != nil {
		return in("follow", err)
	}
	was := earlier.state
	s.Follows = earlierSession(was, earlier.rulings)
	var facts []string
	for _, f := range was.Facts.All() {
		if f.Live && f.Tag == ledger.TagUser && !slices.Contains(b.given.facts, f.Text) {
			facts = append(facts, f.Text)
		}
	}
	b.given.facts = append(facts, b.given.facts...)
	if was.Settings.Format == format.Name() && len(b.seats.named) == 0 {
		for _, seat := range was.Seats {
			b.seats.named[seat.Seat] = seat.Participant
		}
	}
	if _, err := os.Stat(was.Settings.Workspace); err == nil && b.workspace.dir == "" && b.flagged != nil {
		b.workspace.dir = was.Settings.Workspace
	}
	return nil
}

// earlierSession returns the part of a session that a follow-up gets.
func earlierSession(s *state.State, rulings []state.Ruling) *state.Earlier {
	const most, longest = 12, 600
	e := &state.Earlier{
		ID: s.ID, Question: plain.Clip(s.Question, longest), Answer: []string{}, Open: []string{},
		Cited: []string{},
	}
	add := func(list *[]string, text string) {
		if text = plain.Clip(text, longest); len(*list) < most && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	if answer := view.AnswerOf(s, rulings); answer != nil {
		for _, one := range answer.Sentences {
			about := one.Rests()
			if denied := one.Denied(); denied != "" {
				about = view.Join("; ", about, "denies "+denied)
			}
			about = cmp.Or(about, string(one.Basis))
			add(&e.Answer, one.Text+" ["+about+"]")
		}
	}
	for _, r := range rulings {
		if p := s.Point(r.Point); p.MergedInto == "" &&
			slices.Contains([]state.Bucket{state.BucketUnresolved, state.BucketOpen}, r.Bucket) {
			add(&e.Open, p.Text)
		}
	}
	for _, item := range s.Evidence.All() {
		if item.Proven() && item.SourceKind != ledger.UserOverride {
			add(&e.Cited, item.Reference+" "+item.Excerpt)
		}
	}
	return e
}

// nonce draws the mark of the data fences, which no text contains by chance.
func nonce(random io.Reader) (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("draw the nonce of the data fences: %w; no session was opened", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// reopen opens an earlier session so that it can continue, with notes to print. The caller closes it.
func (b *builder) reopen(path string) (s *session, notes []string, err error) {
	if b.defaults, err = b.console.validDefaults(); err != nil {
		return nil, nil, err
	}
	if b.flagged != nil && !b.defaulted {
		if err := setUnchanged(b.flagged, b.defaults.limits); err != nil {
			return nil, nil, err
		}
	}
	s = b.session()
	defer func() {
		if err != nil {
			s.close()
			s = nil
		}
	}()
	repair, err := s.reopen(path)
	if err != nil {
		return s, nil, err
	}
	if text := repair.String(); text != "" {
		notes = append(notes, "repaired   "+text)
	}
	if b.confirm != nil {
		s.file.Confirm(b.confirm)
	}
	if id := s.state.ID; s.state.Closed {
		return s, notes, fmt.Errorf("session %s is finished and never changes: look at it with moot show %s, "+
			"or continue from an earlier event with moot fork %s", id, id, id)
	}
	if err := s.record(s.state.ID); err != nil {
		return s, notes, err
	}
	if err := b.change(s); err != nil {
		s.recorder.Discard()
		return s, notes, err
	}
	return s, append(notes, s.notes...), nil
}

// change creates the participants, and records the changes that the flags ask for.
func (b *builder) change(s *session) error {
	format, err := b.console.format(string(s.state.Settings.Format))
	if err != nil {
		return err
	}
	named, err := b.seats.places(format)
	if err != nil {
		return err
	}
	settings := s.state.Settings
	if err := s.openTools(context.Background(), &settings, true); err != nil {
		return err
	}
	events := s.allowCommands(&b.commands)
	if len(b.hosts.allowed) > 0 {
		own := format.Settings()
		if why := own.Refused["allow-host"]; why != "" {
			return usage("--allow-host: %s", why)
		}
		events = append(events, s.allowHosts(b.defaults.hosts, b.hosts.allowed)...)
	}
	for _, p := range named {
		participant, err := s.participant(p, &settings)
		if err != nil {
			return err
		}
		s.participants[p.Seat] = participant
		events = append(events, &state.SeatTaken{SeatAssignment: protocol.Assign(p.Seat, participant), By: state.User})
	}
	for _, a := range s.state.Seats {
		if s.participants[a.Seat] != nil {
			continue
		}
		participant, err := s.participant(a, &settings)
		if err != nil {
			return fmt.Errorf("%w; or replace it: moot resume %s --seat %s=PARTICIPANT", err, s.state.ID, a.Seat)
		}
		s.participants[a.Seat] = participant
	}
	if err := s.append(events...); err != nil {
		return err
	}
	if err := b.changeBudget(s); err != nil {
		return err
	}
	s.uncounted(s.state.Seats, s.state.MaxCost)
	return nil
}

// changeBudget sets the caps that were given; 0 removes a cap.
func (b *builder) changeBudget(s *session) error {
	changed := func(flag string) bool { return b.flagged != nil && b.flagged.Changed(flag) }
	tokens, cost, timeout := changed("max-tokens"), changed("max-cost"), changed("timeout")
	if !tokens && !cost && !timeout {
		return nil
	}
	move := protocol.SetBudget{MaxTokens: s.state.MaxTokens, MaxCost: s.state.MaxCost, MaxSeconds: s.state.MaxSeconds}
	if tokens {
		move.MaxTokens = b.budget.maxTokens
	}
	if cost {
		move.MaxCost = b.budget.maxCost
	}
	if timeout {
		move.MaxSeconds = wholeSeconds(b.budget.timeout)
	}
	events, err := protocol.AdmitUser(s.state, move)
	if err != nil {
		return err
	}
	return s.append(events...)
}
