package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"moot/domain"
	"moot/internal/enum"
	"moot/ledger"
	"moot/state"
)

// hearingOptions are what the format hearing takes beside the question.
type hearingOptions struct {
	// packet is the file of the closed world.
	packet string
	// form, judge, gate and domain are as typed, "" for the usual.
	form, judge, gate, domain string
	// deterministic seats rules as the skeptic.
	deterministic bool
}

func hearingRow() formatRow {
	return formatRow{
		format: state.FormatHearing,
		seats: []seatRow{
			{state.Architect, "who argues that it holds"},
			{state.Skeptic, "who argues that it does not"},
			{state.Oracle, "who brings the strongest argument against the side that is more confident (optional;\nrules needs no model)"},
		},
		said:  "hearing has architect, skeptic, oracle",
		first: state.Skeptic, second: state.Architect,
		flags: func(a *asking, f *pflag.FlagSet) { a.hearing.flags(f) },
		given: func(a *asking) []givenField {
			o := &a.hearing
			return []givenField{
				{fieldClosedWorld, o.packet != ""},
				{fieldForm, o.form != ""},
				{fieldJudge, o.judge != ""},
				{fieldGate, o.gate != ""},
				{fieldDomain, o.domain != ""},
				{fieldDeterministic, o.deterministic},
				{fieldRounds, a.rounds != ""},
				{fieldThen, a.then != ""},
			}
		},
		read: func(a *asking, c *Console, s *state.Settings, _ func(string)) error { return a.hearing.read(a, c, s) },
	}
}

func (o *hearingOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.packet, "closed-world", "", "the packet of facts that both sides argue from, a JSON file (moot packet makes one)")
	f.StringVar(&o.form, "form", "", "how the turns go: "+strings.Join(enum.Words(state.Forms()), ", ")+" (default multi)")
	f.StringVar(&o.judge, "judge", "", "which arithmetic decides: "+strings.Join(enum.Words(state.JudgeVersions()), ", ")+"\n(default v2)")
	f.StringVar(&o.gate, "gate", "", "what sends --form selective on: "+strings.Join(enum.Words(state.Gates()), ", ")+" (default either)")
	f.StringVar(&o.domain, "domain", "", "the kind of question: security (default), or a TOML file of your own")
	f.BoolVar(&o.deterministic, "deterministic-skeptic", false, "the skeptic is rules that query the facts, whoever the architect is: short for --skeptic rules")
}

func (o *hearingOptions) read(a *asking, c *Console, s *state.Settings) error {
	if len(s.Context) > 0 {
		return in(fieldContext, usage("--context: the sides of a hearing read nothing but its packet, so that %s would be given in vain; moot packet make puts texts into one", s.Context[0].Path))
	}
	if err := a.inVain(); err != nil {
		return err
	}
	h := &state.HearingSettings{Form: state.FormMulti, Judge: state.JudgeV2, Rounds: state.DefaultHearingRounds}
	if o.form != "" {
		if err := word(fieldForm, o.form, &h.Form, state.Forms()); err != nil {
			return err
		}
	}
	if o.judge == "claims" {
		return in(fieldJudge, removedJudge())
	}
	if o.judge != "" {
		if err := word(fieldJudge, o.judge, &h.Judge, state.JudgeVersions()); err != nil {
			return err
		}
	}
	if err := o.course(a, h); err != nil {
		return err
	}
	if err := o.turns(a, h); err != nil {
		return err
	}
	var err error
	if h.Domain, err = o.kind(c); err != nil {
		return in(fieldDomain, err)
	}
	places, err := a.table(s.Format)
	if err != nil {
		return err
	}
	h.Oracle = sits(places, state.Oracle)
	if h.Oracle && h.Form == state.FormSingle {
		return in(field(state.Oracle), usage("--oracle: both sides answer the oracle after round 1, and --form single has no other round: use multi, anchored, audit or selective"))
	}
	s.Hearing = h
	return nil
}

// removedJudge says what replaced the judge claims.
func removedJudge() error {
	return usage("the judge claims was removed: use --judge v2, or --form audit, which rules on each claim")
}

// inVain refuses what a hearing has no use for: its packet is all that is argued from, and
// nothing in it is looked up in files or by commands.
func (a *asking) inVain() error {
	for _, g := range []givenField{
		{fieldFact, len(a.given.facts) > 0},
		{fieldWorkspace, a.workspace.dir != ""},
		{fieldOfficial, len(a.workspace.official) > 0},
		{fieldAllowCommand, len(a.commands.allowed) > 0},
	} {
		switch {
		case !g.there:
		case g.field == fieldFact:
			return in(g.field, usage("--fact: the facts of a hearing are those of its packet, and no claim can cite another: put it into the packet (moot packet make), or say it at the table with F"))
		default:
			return in(g.field, usage("--%s: a hearing reads no file and runs no command, its packet is all that is argued from: leave it out", g.field))
		}
	}
	return nil
}

// seatRules seats rules as the skeptic.
func (o *hearingOptions) seatRules(seats *seatOptions) error {
	if other := seats.named[state.Skeptic]; other != "" && other != rulesName {
		return in(fieldDeterministic, usage("--deterministic-skeptic is short for --skeptic rules, and --skeptic %s was given: choose one", other))
	}
	seats.named[state.Skeptic] = rulesName
	return nil
}

// course reads what a selective hearing goes on by.
func (o *hearingOptions) course(a *asking, h *state.HearingSettings) error {
	if h.Form != state.FormSelective {
		for _, g := range []givenField{{fieldGate, o.gate != ""}, {fieldThen, a.then != ""}} {
			if g.there {
				return in(g.field, usage("--%s is a flag of --form selective, and the form is %s", g.field, h.Form))
			}
		}
		return nil
	}
	h.Gate, h.Then = state.GateEither, state.FormMulti
	if o.gate != "" {
		if err := word(fieldGate, o.gate, &h.Gate, state.Gates()); err != nil {
			return err
		}
	}
	if a.then != "" {
		if err := word(fieldThen, a.then, &h.Then, []state.Form{state.FormMulti, state.FormAnchored, state.FormAudit}); err != nil {
			return err
		}
	}
	return nil
}

// turns reads how many rounds are argued at most.
func (o *hearingOptions) turns(a *asking, h *state.HearingSettings) error {
	if a.rounds == "" {
		return nil
	}
	exchanges := h.Form == state.FormMulti || h.Form == state.FormAnchored || h.Then == state.FormMulti || h.Then == state.FormAnchored
	if !exchanges {
		return in(fieldRounds, usage("--rounds is for --form multi and anchored, whose sides exchange arguments; the form is %s", h.Form))
	}
	rounds, err := strconv.Atoi(strings.TrimSpace(a.rounds))
	if err != nil || rounds < 2 || rounds > state.MaxHearingRounds {
		return in(fieldRounds, usage("--rounds is a number from 2 to %d, not %q", state.MaxHearingRounds, a.rounds))
	}
	h.Rounds = rounds
	return nil
}

// kind is the domain that is built in, or that of the file.
func (o *hearingOptions) kind(c *Console) (state.Domain, error) {
	return readDomain(c, o.domain)
}

// readDomain is a domain by its name, "" for the usual one, or that of a file.
func readDomain(c *Console, name string) (state.Domain, error) {
	if name == "" {
		name = domain.BuiltInName
	}
	if !strings.HasSuffix(name, ".toml") {
		found, err := domain.BuiltIn(name)
		if err != nil {
			return found, usage("%w", err)
		}
		return found, nil
	}
	data, err := readFile(c, name, domain.MaxBytes+1)
	if err != nil {
		return state.Domain{}, err
	}
	read, err := domain.Read(data, name)
	if err != nil {
		return read, usage("%w", err)
	}
	return read, nil
}

// missing says that there is no packet, and where one comes from.
func (o *hearingOptions) missing() error {
	return usage("--format hearing argues from a packet of facts: name it with --closed-world PACKET.json; moot packet make makes one")
}

// freeze reads the packet, takes secrets out of it, and freezes it.
func (o *hearingOptions) freeze(c *Console, keepSecrets bool, note func(string)) (*ledger.Packet, error) {
	if o.packet == "" {
		return nil, in(fieldClosedWorld, o.missing())
	}
	packet, err := readPacket(c, o.packet)
	if err != nil {
		return nil, in(fieldClosedWorld, err)
	}
	if !keepSecrets {
		if packet, err = redactPacket(packet, note); err != nil {
			return nil, in(fieldClosedWorld, err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		return nil, in(fieldClosedWorld, fmt.Errorf("%s: %w", o.packet, err))
	}
	return packet, nil
}

// readPacket reads the JSON form of a packet.
func readPacket(c *Console, name string) (*ledger.Packet, error) {
	file, err := openNamed(c, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	packet, err := ledger.ReadPacket(file, name)
	if err != nil {
		return nil, fmt.Errorf("%w; no session was opened: moot packet check %s lists all that is wrong", err, name)
	}
	return packet, nil
}
