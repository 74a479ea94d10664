package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"moot/agent"
	"moot/agent/doctor"
	"moot/agent/endpoint"
	"moot/agent/person"
	"moot/agent/record"
	"moot/agent/rules"
	"moot/attach"
	"moot/internal/git"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/run"
	"moot/research"
	"moot/resolver"
	"moot/serve"
	"moot/state"
	"moot/state/store"
	"moot/tui"
	"moot/view"
	"moot/workspace"
)

// session is one run of a session, new or resumed, with everything that it holds open.
type session struct {
	console  *Console
	front    frontOptions
	calls    callOptions
	defaults *defaults
	// notes are printed before the session runs.
	notes []string
	// begin prints what is about to happen, at once. It is nil in a form.
	begin func(text string)
	// commandTime limits a command that runs as evidence; 0 is the default.
	commandTime time.Duration
	// unconfined lets commands use all that the user can.
	unconfined bool

	// caller is the coding agent that takes a seat, or nil.
	caller *serve.Caller
	// demo are the participants of a demo by name, or nil.
	demo map[string]protocol.Participant

	// log keeps the events: in file or, in mode quick and in a demo, in memory.
	log interface {
		protocol.Log
		Head() string
	}
	file *store.File

	state        *state.State
	events       []state.Event
	participants map[state.Seat]protocol.Participant
	// programs are the participants that may run programs.
	programs []io.Closer
	citation *research.Citation
	// workspace answers lookups, or is nil.
	workspace *workspace.Workspace
	// tree holds the files of the commit under review, or is nil.
	tree *git.Tree
	// recorder is nil without --record.
	recorder *record.Recorder
	keyboard *keyboard
	// person is the user at the screen, who may take a seat.
	person *tui.Person
	// host lets others join the session while it runs, or is nil.
	host    *attach.Host
	closing sync.Once
}

// opening is the content of a new session.
type opening struct {
	rules    protocol.Format
	question string
	// about is the start of the material that the question is about, or "".
	about    string
	settings state.Settings
	// places are the seats that were named. The others are filled when the session opens.
	places []state.SeatAssignment
	facts  []string
	// claims are facts of the agent in the seat that judges: unverified.
	claims []string
	// payloads holds the first events of the format.
	payloads []state.Payload
	// allowed are the commands that run without asking.
	allowed []string
	// withheld lists the parts of the material that nobody sees.
	withheld []*state.Withheld
}

// nonce draws the mark of the data fences, which no text contains by chance.
func nonce(random io.Reader) (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("draw the nonce of the data fences: %w; no session was opened", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// events are the first events of a session. The user's facts are in the ledger before anyone speaks.
func (op *opening) events(id string, seats []state.SeatAssignment) []state.Payload {
	events := []state.Payload{&state.SessionOpened{
		Rules:   op.rules,
		Version: state.Version, ID: id, Question: op.question, Settings: op.settings, Seats: seats,
	}}
	for _, withheld := range op.withheld {
		events = append(events, withheld)
	}
	events = append(events, op.payloads...)
	for i, fact := range op.facts {
		events = append(events, &state.FactRecorded{
			ID: state.NextID('F', i), Tag: ledger.TagUser, Seat: state.User, Text: fact,
		})
	}
	settings := op.rules.Settings()
	_, judges := settings.Required()
	for i, claim := range op.claims {
		events = append(events, &state.FactRecorded{
			ID: state.NextID('F', len(op.facts)+i), Tag: ledger.TagUnverified, Seat: judges, Text: claim,
		})
	}
	return events
}

// create opens a new session.
func (s *session) create(ctx context.Context, op *opening) (err error) {
	id := store.NewID(s.console.Now(), s.console.Random)
	if err := s.record(id); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.recorder.Discard()
		}
	}()
	op.settings.Attended, op.settings.Agent = !s.front.headless, s.front.agent
	if err := s.openTree(ctx, &op.settings); err != nil {
		return err
	}
	s.participants = map[state.Seat]protocol.Participant{}
	assigned, err := s.assignSeats(ctx, op)
	if err != nil {
		return err
	}
	if s.citation, err = openCitation(&op.settings, s.tree); err != nil {
		return err
	}
	op.settings.Kinds = research.Recorded(s.console.Checkers)
	if err := s.openWorkspace(&op.settings); err != nil {
		return err
	}
	if err := s.drawMap(ctx, op); err != nil {
		return err
	}
	if op.settings.Mode == state.ModeQuick || s.demo != nil || s.front.dryRun {
		s.log = &store.Memory{}
	} else {
		dir, err := store.Dir()
		if err != nil {
			return err
		}
		if s.file, err = store.Create(dir, id); err != nil {
			return err
		}
		s.log = s.file
	}
	return s.append(append(op.events(id, assigned), s.allowCommands(op.allowed)...)...)
}

// reopen opens the file of an earlier session, and returns what was repaired in it.
func (s *session) reopen(path string) (store.Repair, error) {
	file, opened, err := store.Open(path, s.console.rules()...)
	if err != nil {
		return opened.Repaired, err
	}
	s.file, s.log = file, file
	folded, err := fold(path, opened)
	if err != nil {
		return opened.Repaired, err
	}
	s.state, s.events = folded.state, folded.events
	s.participants = map[state.Seat]protocol.Participant{}
	settings := s.state.Settings
	if settings.Workspace != "" {
		if err := checkFolder(settings.Workspace); err != nil {
			// The command line is right, so this isn't a usage error.
			err = fmt.Errorf("%w; the session needs it and was left unchanged; restore it, and try again", err)
			return opened.Repaired, &codeError{code: protocol.ExitError, err: err}
		}
	}
	if err := s.openTree(context.Background(), &settings); err != nil {
		return opened.Repaired, &codeError{code: protocol.ExitError, err: err}
	}
	if s.citation, err = openCitation(&settings, s.tree); err == nil {
		err = s.openWorkspace(&settings)
	}
	return opened.Repaired, err
}

// openTree writes the files of the commit under review, if there is one.
func (s *session) openTree(ctx context.Context, settings *state.Settings) (err error) {
	if settings.Workspace != "" && settings.Tree != "" {
		s.tree, err = git.OpenTree(ctx, settings.Workspace, settings.Tree)
	}
	return err
}

// openWorkspace prepares to answer lookups.
func (s *session) openWorkspace(settings *state.Settings) error {
	if settings.Workspace == "" || settings.Lookups == 0 {
		return nil
	}
	_, redactor, err := s.console.shared()
	if err != nil {
		return err
	}
	if settings.NoRedact {
		redactor = nil
	}
	s.workspace, err = workspace.New(settings.Workspace, redactor, settings.AllowPaths)
	if err == nil && s.tree != nil {
		s.workspace.In(s.tree)
	}
	return err
}

// drawMap adds what the first prompts show of the workspace (LU3), if a model is going to read it.
func (s *session) drawMap(ctx context.Context, op *opening) error {
	reads := false
	for _, p := range s.participants {
		reads = reads || !p.Modelless()
	}
	if s.workspace == nil || !reads {
		return nil
	}
	commit := ""
	if s.citation != nil {
		commit = plain.Clip(s.citation.Commit(), 12)
	}
	if s.begin != nil {
		s.begin("searching  the workspace for passages that fit the question")
	}
	var err error
	if op.settings.Map, err = s.workspace.Map(ctx, op.question+"\n"+op.about, commit); err != nil && ctx.Err() == nil {
		s.notes = append(s.notes, "note       the workspace is not shown to models: "+err.Error())
		return nil
	}
	if err == nil && op.settings.Map.Bound != "" {
		s.notes = append(s.notes, "note       searched "+op.settings.Map.Bound+
			" of the workspace, which has more; --workspace DIR narrows it")
	}
	return err
}

// append records events while the session doesn't run.
func (s *session) append(payloads ...state.Payload) error {
	next, events, err := state.Extend(s.state, s.console.Now(), payloads...)
	if err != nil {
		return fmt.Errorf("record an event: %w", err)
	}
	if err := s.log.Append(events); err != nil {
		return err
	}
	s.state, s.events = next, append(s.events, events...)
	return nil
}

// allowCommands replaces the commands that run without asking.
func (s *session) allowCommands(patterns []string) []state.Payload {
	if slices.Equal(patterns, s.state.AllowedCommands) {
		return nil
	}
	return []state.Payload{&state.CommandsAllowed{Patterns: patterns, By: state.User}}
}

// close closes everything that the session holds open, once.
func (s *session) close() {
	s.closing.Do(func() {
		if s.host != nil {
			s.host.Close()
		}
		s.closePrograms()
		err := s.recorder.Close()
		if s.citation != nil {
			err = errors.Join(err, s.citation.Close())
		}
		if s.workspace != nil {
			err = errors.Join(err, s.workspace.Close())
		}
		if s.tree != nil {
			err = errors.Join(err, s.tree.Close())
		}
		if s.file != nil {
			err = errors.Join(err, s.file.Close())
		}
		if err != nil {
			s.console.Say("moot: %s", err)
		}
	})
}

// closePrograms ends the programs of all participants in parallel.
func (s *session) closePrograms() {
	var group sync.WaitGroup
	for _, program := range s.programs {
		group.Go(func() {
			if err := program.Close(); err != nil {
				s.console.Say("moot: %s", err)
			}
		})
	}
	group.Wait()
	s.programs = nil
}

// record creates the recording, if there is one, before anything is sent.
func (s *session) record(id string) error {
	if s.front.record == "" {
		return nil
	}
	head := record.Head{Moot: version(), Session: id, At: s.console.Now()}
	recorder, err := record.Create(s.console.path(s.front.record), head, s.console.Environ)
	if err != nil {
		return in("record", usage("--record: %w; nothing was sent", err))
	}
	s.recorder = recorder
	return nil
}

// assignSeats fills the required seats that nobody was named for: on a terminal with the models that are found, if the
// user confirms, else with rules.
func (s *session) assignSeats(ctx context.Context, op *opening) ([]state.SeatAssignment, error) {
	format, places := op.rules.Settings(), slices.Clone(op.places)
	for _, p := range places {
		if p.Participant == state.BuiltInRules {
			if err := rules.Refuse(op.rules, p.Seat); err != nil {
				return nil, in(string(p.Seat), seatError(p.Seat, err))
			}
		}
	}
	answers, judges := format.Required()
	if placeOf(places, answers) < 0 || placeOf(places, judges) < 0 {
		proposal, err := s.proposeSeats(ctx, op)
		if err != nil {
			return nil, err
		}
		if placeOf(places, judges) < 0 {
			places = append(places, state.SeatAssignment{Seat: judges, Participant: proposal.Orchestrator})
		}
		if placeOf(places, answers) < 0 {
			places = append(places, state.SeatAssignment{Seat: answers, Participant: proposal.Consultee})
		}
	}
	if format.Vacant != nil {
		places = append(places, format.Vacant(places, s.defaults.kind)...)
	}
	sortPlaces(places, seatNames(s.console.formats()...))
	var assigned []state.SeatAssignment
	for _, p := range places {
		participant, err := s.participant(p, &op.settings)
		if err == nil {
			if err = agent.Absent(participant); err != nil {
				err = fmt.Errorf("seat %s: %w", p.Seat, err)
			}
		}
		if err != nil {
			return nil, in(string(p.Seat), err)
		}
		if instead := agent.Instead(participant); instead != "" {
			s.notes = append(s.notes, fmt.Sprintf("note       %s: %s", p.Seat, instead))
		}
		s.participants[p.Seat] = participant
		assigned = append(assigned, protocol.Assign(p.Seat, participant))
	}
	s.uncounted(assigned, op.settings.MaxCost)
	return assigned, nil
}

// proposeSeats finds participants for the required seats. On a terminal the user confirms them, so that no model that
// costs money is asked by surprise.
func (s *session) proposeSeats(ctx context.Context, op *opening) (agent.Pair, error) {
	c := s.console
	settings, format := op.rules.Settings(), op.rules
	answers, judges := settings.Required()
	alone := s.front.headless || !c.InTerminal
	var named agent.Pair
	if i := placeOf(op.places, judges); i >= 0 {
		named.Orchestrator = op.places[i].Participant
	}
	if i := placeOf(op.places, answers); i >= 0 {
		named.Consultee = op.places[i].Participant
	}
	found := agent.Discover(ctx, c.discovery(alone, s.defaults))
	proposal := agent.Propose(found, named, alone, op.settings.Workspace != "")
	if len(proposal.Pairs) == 0 {
		for _, seat := range []state.Seat{judges, answers} {
			if err := rules.Refuse(format, seat); err != nil && placeOf(op.places, seat) < 0 {
				return proposal.Pair, in(string(seat), seatError(seat, err))
			}
		}
	}
	c.Say("note       %s", proposal.Why)
	if len(proposal.Pairs) == 0 {
		return proposal.Pair, nil
	}
	rulesPlay := rules.Refuse(format, judges) == nil && rules.Refuse(format, answers) == nil
	return c.confirmSeats(&proposal, rulesPlay, judges, answers, func(name string) error {
		_, err := s.defaults.book.Parse(name)
		return err
	})
}

// maxPairs is how many pairs of participants are offered by number. Any other can be typed.
const maxPairs = 9

// confirmSeats asks until the user chooses or types a pair. The end of the input chooses nobody.
func (c *Console) confirmSeats(
	proposal *agent.Proposal, rulesPlay bool, judges, answers state.Seat, check func(name string) error,
) (agent.Pair, error) {
	pairs := proposal.Pairs[:min(len(proposal.Pairs), maxPairs)]
	lines := "choose     the participants of the empty seats (enter selects 1)\n"
	for i, p := range pairs {
		lines += fmt.Sprintf("  %d) %s %s, %s %s\n", i+1, judges, p.Orchestrator, answers, p.Consultee)
	}
	if rulesPlay {
		pairs = append(slices.Clip(pairs), agent.Pair{Orchestrator: state.BuiltInRules, Consultee: state.BuiltInRules})
		lines += fmt.Sprintf("  %d) rules, no language model: free\n", len(pairs))
	}
	none := len(pairs) + 1
	lines += fmt.Sprintf("  %d) none: quit\n  or type two participants: %s %s\n", none, strings.ToUpper(string(judges)),
		strings.ToUpper(string(answers)))
	for _, f := range proposal.Usable {
		lines += fmt.Sprintf("     %s: %s; %s\n", f.Name, f.Why, f.Cost)
	}
	c.Say("%s", strings.TrimSuffix(lines, "\n"))
	for {
		line, err := c.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return agent.Pair{}, err
		}
		words := strings.FieldsFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
		number := 0
		switch {
		case len(words) == 0:
			number = 1
		case len(words) == 1:
			number, _ = strconv.Atoi(words[0]) // 0 is no choice.
		}
		switch {
		case err != nil || number == none:
			return agent.Pair{}, usage("no participant was chosen, and no session was opened; name them with --%s "+
				"and --%s",
				judges, answers)
		case number > 0 && number < none:
			return pairs[number-1], nil
		case len(words) == 2:
			wrong := errors.Join(check(words[0]), check(words[1]))
			if wrong == nil {
				return agent.Pair{Orchestrator: words[0], Consultee: words[1]}, nil
			}
			c.Say("choose     %s", plain.Clip(plain.Line(wrong.Error()), maxDetail))
		default:
			c.Say("choose     %s is not a choice: type a number from 1 to %d, or two participants",
				plain.Clip(plain.Line(strings.TrimSpace(line)), maxDetail), none)
		}
	}
}

// where says where participants are looked for.
func (c *Console) where(d *defaults) doctor.Where {
	return doctor.Where{
		Env: c.secrets(d), Environ: c.Environ, LookPath: c.lookPath, Transport: c.Transport,
		Limit: c.checkTime(doctor.DefaultLimit),
	}
}

// discovery says where agent.Discover looks. Offline, it asks neither servers nor the keyring.
func (c *Console) discovery(offline bool, d *defaults) agent.Places {
	where := c.where(d)
	if offline {
		where.Env = c.Getenv
	}
	return agent.Places{Where: where, Adapters: c.agentPrograms(), Offline: offline}
}

// participant creates the participant of a seat.
func (s *session) participant(p state.SeatAssignment, settings *state.Settings) (protocol.Participant, error) {
	if recorded, ok := s.demo[p.Participant]; ok {
		return recorded, nil
	}
	if serve.IsCaller(p.Participant) {
		if s.caller != nil && s.caller.Name() == p.Participant {
			return s.caller, nil
		}
		return serve.Absent(p.Participant), nil
	}
	choice, err := s.defaults.book.Parse(p.Participant)
	if err != nil {
		return nil, seatError(p.Seat, err)
	}
	// The lab fills seats without a session.
	var format protocol.Format
	if settings.Format != "" {
		if format, err = s.console.format(string(settings.Format)); err != nil {
			return nil, err
		}
	}
	deps := agent.Deps{
		Env: s.console.secrets(s.defaults), Workspace: settings.Workspace, Tree: s.tree, Limits: s.calls.Limits,
		Settings: s.calls.settings,
		Path:     s.console.path, Seat: p.Seat, Format: format, Events: s.events,
		Configure: func(c *endpoint.Config) { c.Prices = s.defaults.prices },
		Recorder:  s.recorder, Ours: s.ownFiles(), Memory: &s.console.memory,
	}
	s.console.forPrograms(&deps)
	if choice.Has(agent.KindPerson) {
		if deps.Asker, err = s.asker(p.Seat); err != nil {
			return nil, err
		}
	}
	participant, err := agent.Seat(choice, deps)
	if missing := (*endpoint.MissingKeyError)(nil); errors.As(err, &missing) && s.console.keyringTrouble() != nil {
		err = fmt.Errorf("%w; %w", err, s.console.keyringTrouble())
	}
	if errors.Is(err, rules.ErrSeat) {
		return nil, seatError(p.Seat, err)
	}
	if err != nil {
		return nil, fmt.Errorf("seat %s: %w", p.Seat, err)
	}
	if own, _ := state.SplitName(p.Participant); own != "" && choice.Note == "" && participant.Name() != p.Participant {
		choice.Note = fmt.Sprintf("the configuration now defines %s as %s, which is used", p.Participant,
			participant.Name())
	}
	if choice.Note != "" {
		s.notes = append(s.notes, fmt.Sprintf("note       %s: %s", p.Seat, choice.Note))
	}
	if program, ok := participant.(io.Closer); ok {
		s.programs = append(s.programs, program)
	}
	return participant, nil
}

// uncounted notes which seats a cap on the cost cannot count.
func (s *session) uncounted(seats []state.SeatAssignment, maxCost float64) {
	var unknown []string
	for _, a := range seats {
		if maxCost > 0 && !agent.Priced(s.participants[a.Seat]) {
			unknown = append(unknown, fmt.Sprintf("%s (%s)", a.Seat, a.Participant))
		}
	}
	if len(unknown) > 0 {
		s.notes = append(s.notes, "note       price unknown: --max-cost cannot count "+strings.Join(unknown, ", ")+
			"; --max-tokens can")
	}
}

// ownFiles are the files and folders that moot itself writes during a session.
func (s *session) ownFiles() []string {
	var paths []string
	if s.front.record != "" {
		paths = append(paths, s.console.path(s.front.record))
	}
	if sessions, err := store.Dir(); err == nil {
		paths = append(paths, filepath.Dir(sessions))
	}
	return paths
}

// asker asks the user for the replies of a seat, on the screen or on a plain terminal.
func (s *session) asker(seat state.Seat) (person.Asker, error) {
	switch {
	case s.front.headless:
		return nil, usage("%s: me is you at the keyboard, and with --headless or without a terminal nobody is there; "+
			"add --plain to answer on standard input", seat)
	case s.front.plain:
		return s.plainKeyboard(), nil
	case s.person == nil:
		s.person = tui.NewPerson()
	}
	return s.person, nil
}

// seatError is a usage error about the participant of a seat.
func seatError(seat state.Seat, err error) error { return usage("seat %s: %w", seat, err) }

// runner prepares the loop. Others can join the session until it is closed.
func (s *session) runner(watch func(protocol.Notice)) (*run.Session, error) {
	parser, _, err := s.console.shared()
	if err != nil {
		return nil, err
	}
	s.host = attach.New(attach.Options{
		State: s.state, Events: s.events, Saved: s.file != nil, Stepping: s.front.step, Alone: s.front.headless,
		Seat: func(seat state.Seat, name string) (protocol.Participant, error) {
			return s.participant(state.SeatAssignment{Seat: seat, Participant: name}, &s.state.Settings)
		},
	})
	o := run.Options{
		State: s.state, Log: s.log, Participants: s.participants,
		Parser: parser, Now: s.console.Now,
		Watch:    func(n protocol.Notice) { s.host.Watch(n); watch(n) },
		Recorder: s.recorder, Step: s.front.step, Attended: !s.front.headless, Agent: s.front.agent,
		CommandTime: s.commandTime,
	}
	if s.workspace != nil {
		o.Looker = s.workspace
	}
	if o.Researcher, err = s.researcher(); err != nil {
		return nil, err
	}
	runner := run.New(o)
	if s.demo == nil {
		// If it fails, only joining is impossible; moot attach says why.
		_ = s.host.Listen(s.console.sockets(), run.Attached{Session: runner})
	}
	return runner, nil
}

// researcher checks references. It redacts secrets in what it finds, unless the user wants to keep them.
func (s *session) researcher() (protocol.Researcher, error) {
	_, redactor, err := s.console.shared()
	if err != nil {
		return nil, err
	}
	settings := &s.state.Settings
	checkers := research.Checkers{List: slices.Clone(s.console.Checkers), Recorded: settings.Kinds}
	if !settings.NoRedact {
		checkers.Redactor = redactor
	}
	citation := s.citation
	if citation == nil {
		citation = &research.Citation{} // Without a workspace, only what the user gave can be cited.
	}
	var given []research.File
	for _, document := range settings.Context {
		given = append(given, research.File{Path: document.Path, Text: document.Text})
	}
	citation.Give(given, s.state.ByAgent)
	if s.citation != nil || len(given) > 0 {
		checkers.List = append(checkers.List, citation)
	}
	if s.citation == nil {
		return checkers, nil
	}
	var named []string
	if !s.state.ByAgent {
		// What an agent passes is not named by the user.
		named = append(named, settings.Input.DesignPath)
		for _, document := range settings.Context {
			named = append(named, document.Path)
		}
	}
	citation.Since(s.state.OpenedAt, named...)
	citation.Redact(checkers.Redactor)
	command, err := research.OpenCommand(settings.Workspace, s.console.Environ, redactor)
	if err != nil {
		return nil, fmt.Errorf("%w; the session needs it to run commands, and was left unchanged", err)
	}
	if s.tree != nil {
		command.In(s.tree)
	}
	if s.unconfined {
		command.Unconfined("--no-confine")
	} else if s.console.Confines {
		command.Confine()
	}
	checkers.List = append(checkers.List, command)
	return checkers, nil
}

// run runs the session on the chosen front end, and prints the result.
func (s *session) run(ctx context.Context) error {
	if !s.front.headless && !s.front.plain {
		return s.runScreen(ctx)
	}
	s.introduce()
	return s.runPlain(ctx)
}

// introduce prints the seats, and whether a language model takes part.
func (s *session) introduce() {
	noModel := true
	p := s.console.progress(s.state)
	for _, a := range s.state.Seats {
		noModel = noModel && a.NoModel
		note := ""
		if a.NoModel {
			note = " (no language model)"
		}
		if a.Answering != "" {
			note += ", answered by its fallback " + a.Answering
		}
		p.say("seat", "%s: %s%s", a.Seat, a.Participant, note)
	}
	if allowed := s.state.AllowedCommands; len(allowed) > 0 {
		p.say("commands", "%s", (&state.CommandsAllowed{Patterns: allowed}).Words())
	}
	if note := view.SameParticipant(s.state); note != "" {
		p.say("note", "%s", note)
	}
	if noModel && s.demo == nil {
		s.console.Say("note       no language model takes part: rules are code, and scripts play back replies")
	}
	if s.file != nil {
		s.console.Say("session    %s", s.state.ID)
	}
}

// resumeCommand is the command that continues the session. If a cap was reached, it raises the cap.
func (s *session) resumeCommand() string {
	line := "moot resume " + s.state.ID
	if flag := run.CapReached(s.state); flag != "" {
		line += " " + flag + " MORE"
	}
	return line
}

// next says how to continue the session, which has a file.
func (s *session) next() string {
	if _, err := os.Stat(s.file.Path()); err != nil {
		return "it cannot be continued, since its file is gone"
	}
	return "continue with: " + s.resumeCommand()
}

// conclude prints the result of a run and how it ended. The code belongs to a signal, or is 0.
func (s *session) conclude(last protocol.Ended, code protocol.ExitCode) error {
	s.state = last.State
	defer func() {
		if text := s.recorder.Summary(); text != "" {
			s.console.Say("recorded   %s", text)
		}
	}()
	var panicked *run.PanicError
	switch {
	case errors.As(last.Err, &panicked):
		return fmt.Errorf("%w; this is a bug in moot\n%s", last.Err, panicked.Stack)
	case last.Err != nil && !errors.Is(last.Err, protocol.ErrStopped):
		if s.file == nil || strings.Contains(last.Err.Error(), "moot resume") {
			return last.Err
		}
		return fmt.Errorf("%w; %s", last.Err, s.next())
	case last.Err != nil:
		return s.left(code)
	}
	// A signal that found a session that had paused by itself still ends the command.
	result := protocol.SessionExitCode(s.state, s.front.required.missed(s.console, s.state, last.Rulings))
	if !s.state.Closed {
		result = protocol.FirstExitCode(code, result)
	}
	text, err := render(s.front.output, last.State, last.Rulings, s.log.Head(), nil, s.console.Width, s.front.metrics,
		result)
	if err != nil {
		return err
	}
	if err := s.console.Print(text); err != nil {
		return err
	}
	if s.file != nil {
		s.console.Say("saved      %s, %d events, head %s", s.state.ID, s.state.Seq, s.log.Head())
	}
	if !s.state.Closed && s.file != nil {
		// The result says why.
		s.console.Say("paused     %s", s.next())
	}
	return leaveWith(result)
}

// left ends a run that the user left.
func (s *session) left(code protocol.ExitCode) error {
	switch {
	case s.demo != nil:
	case s.file == nil:
		s.console.Say("left       mode quick keeps no session file: nothing was saved")
	default:
		s.console.Say("saved      %s, %d events; %s", s.state.ID, s.state.Seq, s.next())
	}
	if code == protocol.ExitConcluded {
		code = protocol.SessionExitCode(s.state, false)
	}
	return leaveWith(code)
}

// stored is a session on disk, read without its lock.
type stored struct {
	path    string
	head    string
	state   *state.State
	rulings []state.Ruling
	events  []state.Event
}

// id is the name of the file, without its extension.
func (s *stored) id() string { return sessionID(s.path) }

func sessionID(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// find returns the path of a session by its ID or the start of it. An empty ID is the newest session.
func find(id string) (string, error) {
	dir, err := store.Dir()
	if err != nil {
		return "", err
	}
	if id != "" {
		return store.Find(dir, id)
	}
	sessions, err := store.List(dir)
	if err != nil {
		return "", err
	}
	if len(sessions) == 0 {
		return "", usage("there are no sessions yet; type: moot ask \"Is the cache safe under load?\"")
	}
	return sessions[0].Path, nil
}

// read reads a session by its ID.
func read(c *Console, id string) (*stored, error) {
	path, err := find(id)
	if err != nil {
		return nil, err
	}
	opened, err := store.Read(path, c.rules()...)
	if err != nil {
		return nil, err
	}
	return fold(path, opened)
}

func fold(path string, opened store.Opened) (*stored, error) {
	s, err := state.Replay(opened.Events)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; the file was left unchanged", path, err)
	}
	return &stored{path: path, head: opened.Head, state: s, rulings: resolver.Rule(s), events: opened.Events}, nil
}
