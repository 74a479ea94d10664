package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/agent/doctor"
	"moot/agent/endpoint"
	"moot/agent/person"
	"moot/agent/rules"
	"moot/change"
	"moot/internal/plain"
	"moot/protocol"
	"moot/serve"
	"moot/state"
	"moot/tui"
	"moot/view"
)

// seatOptions are the participants that were named, by seat.
type seatOptions struct {
	named map[state.Seat]string
}

// name names the participant of a seat. If the seat has numbered siblings, naming it again names the next one.
func (o *seatOptions) name(group []string, participant string) error {
	if participant = strings.TrimSpace(participant); participant == "" {
		return fmt.Errorf("the participant is empty; for example: --seat %s=rules", group[0])
	}
	for _, name := range group {
		seat := state.Seat(name)
		other := o.named[seat]
		if other == "" || other == participant && len(group) == 1 {
			o.named[seat] = participant
			return nil
		}
		if len(group) == 1 {
			return fmt.Errorf("the seat %s is given to %s and to %s: choose one", seat, other, participant)
		}
	}
	return fmt.Errorf("there are only %d seats", len(group))
}

// flags adds the flags of the seats of formats, and --seat.
func (o *seatOptions) flags(cmd *cobra.Command, all []protocol.Format) {
	o.named = map[state.Seat]string{}
	group(cmd, "Participants", func(set *pflag.FlagSet) {
		for i, format := range all {
			settings := format.Settings()
			seats := settings.Seats()
			for _, field := range settings.Fields {
				if field.Kind != view.FieldParticipant {
					continue
				}
				group := seatGroup(seats, field.Key)
				if group[0] != field.Key || set.Lookup(field.Key) != nil {
					continue
				}
				help := field.Flag
				if i > 0 {
					help += " (--format " + string(format.Name()) + ")"
				}
				set.Func(field.Key, help, func(text string) error { return o.name(group, text) })
			}
		}
		help := "any seat as NAME=PARTICIPANT"
		for _, name := range seatNames(all...) {
			if strings.HasSuffix(name, "-2") {
				help += ", also " + name + " and so on"
				break
			}
		}
		set.Func("seat", help+" (repeatable)", func(text string) error {
			name, participant, ok := strings.Cut(text, "=")
			if !ok {
				return fmt.Errorf("it is NAME=PARTICIPANT, as in --seat consultee-2=ollama:MODEL; got %q", text)
			}
			return o.name([]string{name}, participant)
		})
	})
}

// places returns the named participants, in the order of the seats of the format.
func (o *seatOptions) places(format protocol.Format) ([]state.SeatAssignment, error) {
	names := seatNames(format)
	var places []state.SeatAssignment
	for _, seat := range slices.Sorted(maps.Keys(o.named)) {
		if seat == state.User {
			return nil, in("seat", usage("the seat user is always yours; to take another seat yourself, name the "+
				"participant me for it"))
		}
		if _, err := oneOf("seat", string(seat), names); err != nil {
			return nil, in("seat", err)
		}
		places = append(places, state.SeatAssignment{Seat: seat, Participant: o.named[seat]})
	}
	sortPlaces(places, names)
	return places, nil
}

// assignSeats fills the required seats that nobody was named for: on a terminal with the models that are found, if the
// user confirms, else with rules.
func (s *session) assignSeats(
	ctx context.Context, format protocol.Format, named []state.SeatAssignment, settings *state.Settings,
) ([]state.SeatAssignment, error) {
	fields, places := format.Settings(), slices.Clone(named)
	for _, p := range places {
		if p.Participant == state.BuiltInRules {
			if err := rules.Refuse(format, p.Seat); err != nil {
				return nil, in(string(p.Seat), seatError(p.Seat, err))
			}
		}
	}
	answers, judges := fields.Required()
	if placeOf(places, answers) < 0 || placeOf(places, judges) < 0 {
		proposal, err := s.proposeSeats(ctx, format, named, settings)
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
	if fields.Vacant != nil {
		places = append(places, fields.Vacant(places, s.defaults.kind)...)
	}
	sortPlaces(places, seatNames(s.console.formats()...))
	var assigned []state.SeatAssignment
	for _, p := range places {
		participant, err := s.participant(p, settings)
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
	s.uncounted(assigned, settings.MaxCost)
	return assigned, nil
}

// proposeSeats finds participants for the required seats. On a terminal the user confirms them, so that no model that
// costs money is asked by surprise.
func (s *session) proposeSeats(
	ctx context.Context, format protocol.Format, places []state.SeatAssignment, settings *state.Settings,
) (agent.Pair, error) {
	c, fields := s.console, format.Settings()
	answers, judges := fields.Required()
	alone := s.front.headless || !c.InTerminal
	var named agent.Pair
	if i := placeOf(places, judges); i >= 0 {
		named.Orchestrator = places[i].Participant
	}
	if i := placeOf(places, answers); i >= 0 {
		named.Consultee = places[i].Participant
	}
	found := agent.Discover(ctx, c.discovery(alone, s.defaults))
	proposal := agent.Propose(found, named, alone, settings.Workspace != "")
	if len(proposal.Pairs) == 0 {
		for _, seat := range []state.Seat{judges, answers} {
			if err := rules.Refuse(format, seat); err != nil && placeOf(places, seat) < 0 {
				return proposal.Pair, in(string(seat), seatError(seat, err))
			}
		}
	}
	c.Say("note       %s", proposal.Why)
	if len(proposal.Pairs) == 0 {
		return proposal.Pair, nil
	}
	rulesPlay := rules.Refuse(format, judges) == nil && rules.Refuse(format, answers) == nil
	return confirmSeats(c, &proposal, rulesPlay, judges, answers, func(name string) error {
		_, err := s.defaults.book.Parse(name)
		return err
	})
}

// maxPairs is how many pairs of participants are offered by number. Any other can be typed.
const maxPairs = 9

// confirmSeats asks until the user chooses or types a pair. The end of the input chooses nobody.
func confirmSeats(
	c *Console, proposal *agent.Proposal, rulesPlay bool, judges, answers state.Seat, check func(name string) error,
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
	if own, ok := s.own[p.Participant]; ok {
		return own, nil
	}
	if serve.IsCaller(p.Participant) {
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
		Recorder:  s.recorder, Ours: s.ownFiles(), Memory: &s.console.root().memory,
		Transport: s.console.transport,
	}
	if s.tree != nil {
		deps.Copy = func(ctx context.Context) (string, error) {
			return change.CopyForPrograms(ctx, s.tree, settings.AllowPaths)
		}
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

// seatError is a usage error about the participant of a seat.
func seatError(seat state.Seat, err error) error { return usage("seat %s: %w", seat, err) }

// asker asks the user for the replies of a seat, on the screen or on a plain terminal.
func (s *session) asker(seat state.Seat) (person.Asker, error) {
	switch {
	case s.front.background != nil:
		return nil, errDetachedPerson(string(seat))
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

// plainKeyboard returns the keyboard of the session.
func (s *session) plainKeyboard() *keyboard {
	if s.keyboard == nil {
		s.keyboard = &keyboard{console: s.console}
	}
	return s.keyboard
}

// keyboard is the user of a run without a screen: it reads lines from standard input, and asks for the replies of a
// seat that the user takes.
type keyboard struct {
	console *Console

	mutex sync.Mutex
	ended bool
	// turns are the seats that wait for a reply, the oldest first.
	turns []*typedReply
}

// typedReply is the reply of a seat that the user is typing.
type typedReply struct {
	text   strings.Builder
	answer chan string
}

// typedLine is a line, or the end of standard input.
type typedLine struct {
	text  string
	ended bool
}

// start reads lines until standard input or ctx ends. Reading a terminal can't be canceled, so the goroutine may last
// until the process ends.
func (k *keyboard) start(ctx context.Context) <-chan typedLine {
	lines := make(chan typedLine)
	send := func(line typedLine) bool {
		select {
		case lines <- line:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		scanner := bufio.NewScanner(k.console.In)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			if !send(typedLine{text: scanner.Text()}) {
				return
			}
		}
		send(typedLine{ended: true})
	}()
	return lines
}

func (k *keyboard) hasEnded() bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.ended
}

// errInputEnded pauses the session: nobody can answer anymore.
func errInputEnded() error {
	return &protocol.Unreachable{
		Participant: person.Name, What: "standard input ended before you answered",
		Fix: "resume the session, and type your reply",
	}
}

// Ask implements person.Asker.
func (k *keyboard) Ask(ctx context.Context, call protocol.Call) (string, error) {
	turn := &typedReply{answer: make(chan string, 1)}
	k.mutex.Lock()
	if k.ended {
		k.mutex.Unlock()
		return "", errInputEnded()
	}
	k.turns = append(k.turns, turn)
	k.mutex.Unlock()
	moves := make([]string, len(call.Ask.Moves))
	for i, m := range call.Ask.Moves {
		moves[i] = string(m)
	}
	seat := call.Ask.Seat
	k.console.Say("your turn  as %s, to %s (%s). The prompt:\n%s", seat, view.StageName(call.Ask.Stage),
		strings.Join(moves, " "),
		call.Prompt.Text)
	for _, hint := range person.Hints(&call.Ask) {
		k.console.Say("           %s", hint)
	}
	k.console.Say("your turn  as %s: type your reply and end it with a line that is a single dot", seat)
	select {
	case text, ok := <-turn.answer:
		if !ok {
			return "", errInputEnded()
		}
		return text, nil
	case <-ctx.Done():
		k.mutex.Lock()
		defer k.mutex.Unlock()
		k.turns = slices.DeleteFunc(k.turns, func(t *typedReply) bool { return t == turn })
		return "", ctx.Err()
	}
}

// reply adds a line to the reply of the seat that waits, and reports whether one does.
func (k *keyboard) reply(line string) bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if len(k.turns) == 0 {
		return false
	}
	turn := k.turns[0]
	if strings.TrimSpace(line) == "." {
		k.turns = k.turns[1:]
		turn.answer <- turn.text.String()
		return true
	}
	turn.text.WriteString(line + "\n")
	return true
}

// end marks the end of standard input.
func (k *keyboard) end() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.ended = true
	for _, turn := range k.turns {
		close(turn.answer)
	}
	k.turns = nil
}
