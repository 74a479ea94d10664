package dialectic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic/gates"
	"moot/protocol/dialectic/playbook"
	"moot/protocol/move"
	"moot/state"
)

// Admit implements Format.
func (Format) Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	a := &admitter{Admitter: claims.NewAdmitter(s, ask)}
	a.Each(moves, a.move)
	a.finish()
	return a.Admission()
}

func (a *admitter) move(m move.Move) error {
	switch m := m.(type) {
	case *Propose:
		return a.propose(m)
	case *move.Revise:
		return a.revise(m)
	case *move.Defend:
		return a.defend(m)
	case *move.Concede:
		return a.concede(m)
	case *move.Withdraw:
		switch {
		case m.Evidence != "":
			return a.Move(m)
		case m.Challenge != "":
			return a.takeBack(m)
		case a.Seat != Proposer:
			return protocol.Refuse("not-author", "only the proposer withdraws a field; WITHDRAW C1 takes back an objection")
		}
		return a.withdraw(m.Point, m.Reason)
	case *move.Accept:
		return a.accept(m)
	case *move.Contest:
		return a.Move(m)
	case *Object:
		return a.object(m)
	case *RequestEvidence:
		return a.request(m.Challenge, m.Text, m.Asked)
	case *SupplyEvidence:
		return a.supply(m)
	case *NotProposed:
		return a.notProposed(m)
	case *NoObjection:
		a.reason = strings.TrimSpace(m.Reason)
		return nil
	}
	return protocol.Refuse("unknown-move", "%s is not a move of a dialectic", move.KindOf(m))
}

// finish adds the events that depend on the whole reply.
func (a *admitter) finish() {
	switch {
	case a.Seat == PressureTester:
		a.Try(0, func() error {
			return a.Add(&ProposalExamined{By: a.Seat, New: a.objected, Reason: a.reason})
		})
	case a.Seat == Proposer && a.State.Round == 1 && a.Ask.Stage == state.StagePropose && !AnyProposed(a.State):
		a.Try(0, func() error {
			reason := "the reply proposes no field"
			if a.reason != "" {
				reason += " (" + plain.OneLine(a.reason) + ")"
			}
			return a.Add(&state.QualityFailed{
				Seat: a.Seat, Stage: a.Ask.Stage, Reason: reason, Failure: claims.Formless(a.Seat, reason),
			})
		})
	}
}

// field returns the field with this id or path.
func (a *admitter) field(name string) (*state.Point, error) {
	p := fieldNamed(a.State, name)
	switch {
	case p == nil:
		return nil, protocol.Refuse("unknown-point", "there is no field %q; there are %s", plain.Short(name),
			claims.ReasonText(paths(a.State)))
	case FieldOf(p).Withdrawn:
		return nil, protocol.Refuse("closed-point", "%s was withdrawn", FieldOf(p).Path)
	case !Proposed(p):
		return nil, protocol.Refuse("closed-point", "the user put %s aside", FieldOf(p).Path)
	}
	return p, nil
}

func paths(s *state.State) string {
	found := lists.Map(s.Points.Filter(Proposed), func(p *state.Point) string { return p.ID + " " + FieldOf(p).Path })
	return strings.Join(found, ", ")
}

// propose handles PROPOSE: a new field, or a withdrawn one.
func (a *admitter) propose(m *Propose) error {
	path, err := cleanPath(m.Path)
	if err != nil {
		return err
	}
	if known := FieldAt(a.State, path); known != nil {
		switch {
		case known.UserRuling != nil || FieldOf(known).Withdrawn && FieldOf(known).WithdrawnBy == state.User:
			return protocol.Refuse("closed-point", "the user ruled on %s", path)
		case !FieldOf(known).Withdrawn:
			return protocol.Refuse("repeated", "%s is proposed already, as %s: revise it", path, known.ID)
		}
		// Earlier objections to the field apply again.
		return a.setField(known, &move.Revise{
			Value: m.Value, Text: m.Text, Derived: m.Derived, Cites: m.Cites,
			Citations: m.Citations, Severity: m.Severity,
		})
	}
	switch {
	case a.State.Points.Len() >= maxFields:
		return protocol.OverLimit(path+" = "+m.Text+string(m.Value), "a proposal has at most %d fields", maxFields)
	case strings.TrimSpace(m.Category) == "":
		return protocol.Refuse("missing-field", "%s needs a category", path)
	}
	severity := cmp.Or(strings.ToUpper(strings.TrimSpace(m.Severity)), string(gates.High))
	id := a.State.NextPoint()
	if err := a.Add(
		&state.PointRaised{ID: id, By: a.Seat, Text: fieldText(path, m.Value, m.Text)},
		&FieldProposed{
			Point: id, Path: path, Value: m.Value,
			Category: plain.Short(m.Category), Severity: plain.Short(severity),
			Grounded: m.Grounded == nil || *m.Grounded, Derived: derivation(m.Derived), Cites: texts(m.Cites),
		},
	); err != nil {
		return err
	}
	a.Raised++
	a.offerAll(a.State.Point(id), nil, m.Citations, ledger.Supports)
	return nil
}

// cleanPath checks the path of a field: words of letters, digits, hyphens and underscores,
// joined by dots, with list indexes in brackets.
func cleanPath(path string) (string, error) {
	path = strings.TrimSpace(path)
	strange := strings.IndexFunc(path, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') &&
			!strings.ContainsRune("._-[]/", r)
	})
	if path == "" || len(path) > maxPath || strange >= 0 {
		return "", protocol.Refuse("path",
			"a path is like rollout.percent: letters, digits and . _ - / [ ], up to %d of them; not %q",
			maxPath, plain.Short(path))
	}
	return path, nil
}

// fieldText is the text of a field as a point.
func fieldText(path string, value json.RawMessage, why string) string {
	text := path + " = " + string(value)
	if why = plain.OneLine(why); why != "" {
		text += " (" + why + ")"
	}
	return text
}

func derivation(d *move.Derivation) *move.Derivation {
	if d == nil || d.Op == "" && len(d.Of) == 0 {
		return nil
	}
	return &move.Derivation{Op: plain.Short(strings.ToLower(strings.TrimSpace(d.Op))), Of: texts(d.Of)}
}

// texts returns a non-nil list with each item shortened.
func texts(list []string) []string {
	return append([]string{}, lists.Map(list, plain.Short)...)
}

// revise handles REVISE: a new value for a field.
func (a *admitter) revise(m *move.Revise) error {
	p, err := a.field(m.Point)
	switch {
	case err != nil:
		return err
	case p.UserRuling != nil:
		return protocol.Refuse("closed-point", "the user ruled on %s", FieldOf(p).Path)
	case len(m.Value) == 0:
		return protocol.Refuse("missing-field", "a revision of %s needs its value", FieldOf(p).Path)
	}
	return a.setField(p, m)
}

// setField changes the value of a field or its support.
func (a *admitter) setField(p *state.Point, m *move.Revise) error {
	f := FieldOf(p)
	severity := f.Severity
	if !slices.Contains(enum.Words(gates.Severities()), severity) && m.Severity != "" {
		severity = plain.Short(strings.ToUpper(strings.TrimSpace(m.Severity)))
	}
	e := &FieldRevised{
		Point: p.ID, By: a.Seat, Value: m.Value, Text: fieldText(f.Path, m.Value, m.Text), Severity: severity,
		Grounded: f.Grounded, Derived: derivation(m.Derived), Cites: f.Cites,
		Reason: plain.Short(plain.FirstNonBlank(m.Because, m.Text)),
	}
	same := bytes.Equal(f.Value, m.Value)
	if e.Derived == nil && same {
		e.Derived = f.Derived
	}
	if m.Cites != nil {
		e.Cites = texts(m.Cites)
	}
	if e.Cites == nil {
		e.Cites = []string{}
	}
	if same && !f.Withdrawn && severity == f.Severity && m.Cites == nil && m.Derived == nil && len(m.Citations) == 0 {
		return protocol.Refuse("unchanged", "the revision of %s changes nothing", f.Path)
	}
	if err := a.Add(e); err != nil {
		return err
	}
	// A revision that names an open objection brings its citations for it.
	c := a.State.Challenge(m.Challenge)
	if ObjectionOf(c) == nil || c.Point != p.ID || c.Status == state.StandsConceded || c.Status == state.StandsEnded {
		c = nil
	}
	a.offerAll(p, c, m.Citations, ledger.Supports)
	return nil
}

// defend handles DEFEND. The argument alone clears nothing; its evidence may.
func (a *admitter) defend(m *move.Defend) error {
	c, p, err := a.answerableObjection(m.Challenge)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("empty", "a defense needs a text")
	case len(c.Defenses) >= state.MaxRounds:
		return protocol.Refuse("too-many", "%s was answered often enough", c.ID)
	}
	if err := a.Add(&state.ChallengeAnswered{Challenge: c.ID, By: a.Seat, Text: m.Text}); err != nil {
		return err
	}
	a.offerAll(p, c, m.Citations, ledger.Supports)
	return nil
}

// answerableObjection returns an objection to a field that is still proposed.
func (a *admitter) answerableObjection(id string) (*state.Challenge, *state.Point, error) {
	c := a.State.Challenge(id)
	if ObjectionOf(c) == nil {
		return nil, nil, protocol.Refuse("unknown-challenge", "there is no objection %q", plain.Short(id))
	}
	p := a.State.Point(c.Point)
	if !Proposed(p) {
		return nil, nil, protocol.Refuse("closed-point", "%s ended with its field %s", c.ID, FieldOf(p).Path)
	}
	switch c.Status { //nolint:exhaustive // the others are open
	case state.StandsConceded:
		return nil, nil, protocol.Refuse("closed-challenge", "%s was conceded", c.ID)
	case state.StandsEnded:
		return nil, nil, protocol.Refuse("closed-challenge", "%s was withdrawn", c.ID)
	}
	return c, p, nil
}

// concede handles CONCEDE: the objection is upheld. The field remains proposed until it is
// withdrawn (R6).
func (a *admitter) concede(m *move.Concede) error {
	if m.Challenge == "" {
		return a.withdraw(m.Point, m.Reason)
	}
	c, _, err := a.answerableObjection(m.Challenge)
	if known := a.State.Challenge(m.Challenge); err != nil && ObjectionOf(known) != nil {
		// The order of the moves of a reply does not matter: it may have withdrawn the field already.
		f := FieldOf(a.State.Point(known.Point))
		if f.Withdrawn && f.Seq > a.Began && known.Status != state.StandsConceded && known.Status != state.StandsEnded {
			c, err = known, nil
		}
	}
	if err != nil {
		return err
	}
	if last := c.Last(); last != nil && last.By == a.Seat && last.Seq > a.Began {
		return protocol.Refuse("more-critical", "%s is not conceded: the same reply answers it", c.ID)
	}
	return a.Add(&state.ChallengeConceded{Challenge: c.ID, By: a.Seat, Reason: m.Reason})
}

// takeBack handles WITHDRAW of an objection by the seat that raised it: it is moot (R6).
func (a *admitter) takeBack(m *move.Withdraw) error {
	c := a.State.Challenge(m.Challenge)
	switch {
	case ObjectionOf(c) == nil:
		return protocol.Refuse("unknown-challenge", "there is no objection %q", plain.Short(m.Challenge))
	case c.By != a.Seat:
		return protocol.Refuse("not-author", "%s is an objection of %s: only that seat takes it back", c.ID, c.By)
	case c.Status == state.StandsEnded:
		return protocol.Refuse("closed-challenge", "%s was withdrawn already", c.ID)
	}
	return a.Add(&state.Withdrawn{ID: c.ID, By: a.Seat, Reason: strings.TrimSpace(m.Reason)})
}

// accept handles ACCEPT. The result of a check that the seat asked for counts without it, so the seat accepts it only
// for another objection or value.
func (a *admitter) accept(m *move.Accept) error {
	item := a.State.Item(m.Evidence)
	if item == nil || !item.Asked || !item.Proven() || item.OfferedBy != string(a.Seat) {
		return a.Move(m)
	}
	if item.AcceptedBy(string(a.Seat)) {
		return protocol.Refuse("repeated", "you accepted %s already", item.ID)
	}
	return a.Add(&state.EvidenceAccepted{ID: item.ID, By: a.Seat, Reason: m.Reason})
}

// withdraw handles WITHDRAW of a field.
func (a *admitter) withdraw(name, reason string) error {
	p, err := a.field(name)
	switch {
	case err != nil:
		return err
	case p.UserRuling != nil:
		return protocol.Refuse("closed-point", "the user ruled on %s", FieldOf(p).Path)
	}
	return a.Add(&FieldWithdrawn{Point: p.ID, By: a.Seat, Reason: strings.TrimSpace(reason)})
}

// object handles OBJECT.
func (a *admitter) object(m *Object) error {
	p, err := a.field(m.Point)
	if err != nil {
		return err
	}
	o, upgrade, err := typed(a.State, m)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("missing-field", "an objection to %s needs its text", FieldOf(p).Path)
	case a.objected >= maxObjected:
		return protocol.OverLimit(m.Text, "a reply raises at most %d objections", maxObjected)
	case a.State.Challenges.Len() >= maxObjections:
		return protocol.OverLimit(m.Text, "a session has at most %d objections", maxObjections)
	case len(p.Challenges) >= maxOnField:
		return protocol.OverLimit(
			m.Text,
			"a field has at most %d objections, and %s has them",
			maxOnField,
			FieldOf(p).Path,
		)
	}
	for _, id := range p.Challenges {
		c := a.State.Challenge(id)
		if ObjectionOf(c) != nil && ledger.Normalized(ObjectionOf(c).Predicate) == ledger.Normalized(o.Predicate) &&
			ledger.Normalized(c.Objection) == ledger.Normalized(m.Text) {
			return protocol.Refuse("repeated", "%s says that already", id)
		}
	}
	o.Cites = slices.DeleteFunc(o.Cites, a.unknown)
	id := a.State.NextChallenge()
	o.Challenge = id
	if err := a.Add(
		&state.ChallengeRaised{
			ID: id, Point: p.ID, By: a.Seat, Kind: classOf(o.Severity),
			Objection: strings.TrimSpace(m.Text), UpgradeIf: upgrade,
		},
		o,
	); err != nil {
		return err
	}
	a.objected++
	a.offerAll(a.State.Point(p.ID), a.State.Challenge(id), m.Citations, ledger.Refutes)
	if strings.TrimSpace(m.Request) != "" || m.Asked != (Asked{Clears: m.Clears}) {
		// The objection is kept if its request is wrong.
		a.Try(0, func() error {
			if err := a.request(id, m.Request, m.Asked); err != nil {
				return protocol.Refuse("invalid-field", "%s is raised, but its request is not taken: %v; "+
					"write it again as REQUEST %s: …", id, err, id)
			}
			return nil
		})
	}
	return nil
}

// unknown refuses an unknown evidence id. The objection itself is raised without it, so no
// retry is needed.
func (a *admitter) unknown(id string) bool {
	if a.State.Item(id) != nil {
		return false
	}
	a.Try(0, func() error { return protocol.Refuse("unknown-evidence", "there is no evidence %q", id) })
	return true
}

// typed returns the structured part of an objection, from its red flag or from the move
// itself.
func typed(s *state.State, m *Object) (*ObjectionFiled, string, error) {
	o := &ObjectionFiled{
		Category: plain.Short(m.Category), Severity: m.Severity, Predicate: plain.OneLine(m.Predicate),
		Cites: texts(m.Cites),
	}
	if m.Flag != "" {
		flag, err := flagNamed(s, m.Flag)
		if err != nil {
			return nil, "", err
		}
		o.Flag, o.Category, o.Severity, o.Predicate = flag.ID, flag.Category, flag.Severity, flag.Predicate
		return o, flag.Clears, nil
	}
	for _, missing := range [][2]string{
		{"category", o.Category},
		{"severity", string(o.Severity)},
		{"predicate", o.Predicate},
	} {
		if missing[1] == "" {
			return nil, "", protocol.Refuse("missing-field",
				"OBJECT: %s is missing, and no flag is named that would say it",
				missing[0])
		}
	}
	return o, "evidence that it is so: " + o.Predicate, nil
}

// flagNamed returns the playbook's red flag with the id.
func flagNamed(s *state.State, id string) (*playbook.Flag, error) {
	book := &SettingsOf(s).Playbook
	if flag := book.Flag(strings.TrimSpace(id)); flag != nil {
		return flag, nil
	}
	known := lists.Map(book.Flags, func(f playbook.Flag) string { return f.ID })
	_, err := enum.Parse("red flag", plain.Short(id), known)
	return nil, protocol.Refuse("unknown-flag", "OBJECT: %v", err)
}

// classOf maps a severity to a kind of challenge, for code that doesn't know severities.
func classOf(severity gates.Severity) state.Class {
	switch severity {
	case gates.Blocking, gates.High:
		return state.Reject
	case gates.Medium, gates.Low:
	}
	return state.Skeptical
}

// supply handles SUPPLY_EVIDENCE.
func (a *admitter) supply(m *SupplyEvidence) error {
	var c *state.Challenge
	var p *state.Point
	var err error
	if m.Challenge != "" {
		c, p, err = a.answerableObjection(m.Challenge)
	} else {
		p, err = a.field(m.Point)
	}
	if err != nil {
		return err
	}
	if m.Reference == "" && len(m.Cites) > 0 && c != nil {
		return a.link(p, c, m.Cites)
	}
	relation := ledger.Supports
	if a.Seat == PressureTester {
		relation = ledger.Refutes
	}
	return a.offerTo(p, c, move.Citation{
		Reference: m.Reference, Quote: m.Quote, Relation: m.Relation, Patch: m.Patch,
	}, relation)
}

// link attaches recorded evidence to an objection.
func (a *admitter) link(p *state.Point, c *state.Challenge, ids []string) error {
	for _, id := range ids {
		switch item := a.State.Item(id); {
		case item == nil:
			return protocol.Refuse("unknown-evidence", "there is no evidence %q", plain.Short(id))
		case item.Point != p.ID:
			return protocol.Refuse("other-field", "%s is about %s, and %s attacks %s", id, item.Point, c.ID, p.ID)
		}
		if err := a.Add(&EvidenceSupplied{Evidence: id, Challenge: c.ID}); err != nil {
			return err
		}
	}
	return nil
}

// offerAll offers the citations of a move. An invalid one doesn't affect the others or the move.
func (a *admitter) offerAll(p *state.Point, c *state.Challenge, list []move.Citation, as ledger.Relation) {
	for _, citation := range list {
		a.Try(0, func() error { return a.offerTo(p, c, citation, as) })
	}
}

// offerTo offers evidence on a field, and attaches it to the objection if there is one.
// Evidence that the seat has already offered is attached too.
func (a *admitter) offerTo(p *state.Point, c *state.Challenge, citation move.Citation, as ledger.Relation) error {
	citation.Relation = cmp.Or(citation.Relation, as)
	id, err := a.Offer(a.State.Point(p.ID), citation, move.LabelNone, "")
	if id == "" || c == nil {
		return err
	}
	if slices.Contains(ObjectionOf(a.State.Challenge(c.ID)).Evidence, id) && a.Seat != Proposer {
		return err
	}
	return a.Add(&EvidenceSupplied{Evidence: id, Challenge: c.ID})
}

// AdmitUser implements Format.
func (Format) AdmitUser(base *protocol.UserAdmitter, move protocol.UserMove) error {
	u := claims.NewUser(base)
	switch m := move.(type) {
	case claims.RuleOn:
		p := fieldNamed(u.State, m.Point)
		switch {
		case p != nil && m.What == state.OverrideAgree:
			return acceptField(u, p, m.Reason)
		case p != nil && m.What == state.OverrideReopen:
			// Also after the last round: the resolution changes at once.
			return u.Add(&state.OverrideMade{What: m.What, Point: p.ID, Reason: m.Reason})
		}
		return u.Move(move)
	case claims.ChallengePoint:
		severity := gates.High
		if m.Class == state.Reject {
			severity = gates.Blocking
		}
		return object(u, RaiseObjection{Point: m.Point, Text: m.Objection, Severity: severity})
	case RaiseObjection:
		return object(u, m)
	case RuleObjection:
		return ruleObjection(u, m)
	case WithdrawField:
		return withdrawField(u, m)
	case claims.AnswerChallenge:
		return answerObjection(u, m)
	case claims.SupplyEvidence:
		return supplyField(u, m)
	case protocol.AnswerQuestion:
		q := u.State.QuestionByID(m.Question)
		if q == nil || q.Kind != state.QuestionEscalation || strings.TrimSpace(m.Answer) == "" {
			return u.Move(move)
		}
		return answerEscalation(u, q, strings.TrimSpace(m.Answer))
	case claims.SetKind, claims.SetPriority, claims.ConcedePoint:
		return protocol.Refuse("not-here", "a proposal has fields; agree to one, dismiss it, or leave it aside")
	case protocol.RecordFact, claims.WeighEvidence, protocol.SetBudget, protocol.EndSession:
	}
	return u.Move(move)
}

// answerEscalation applies the user's answer to an escalation.
func answerEscalation(u *claims.UserAdmitter, q *state.Question, answer string) error {
	if n := protocol.OptionIndex(answer, len(q.Options)); n >= 0 {
		answer = q.Options[n]
	}
	if err := u.Add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answer}); err != nil {
		return err
	}
	p, c := u.State.Point(q.Point), u.State.Challenge(q.About)
	word := strings.ToLower(answer)
	switch {
	case q.About == aboutChange && word == answerAccept:
		files := lists.Map(uncovered(u.State), func(f gates.ChangedFile) string { return f.Path })
		if len(files) == 0 {
			return nil
		}
		return u.Add(&ChangeAccepted{Files: files, By: state.User})
	case q.About == aboutChange && word == answerHold:
		return nil
	case p == nil:
	case word == answerWithdraw:
		return u.Add(&FieldWithdrawn{Point: p.ID, By: state.User, Reason: "the user withdrew it"})
	case c != nil && word == answerCleared, c != nil && word == answerUpheld:
		return u.Add(&ObjectionRuled{Challenge: c.ID, Verdict: gates.Ruling(word), Reason: "the answer to " + q.ID})
	case c == nil && word == answerAccept:
		return acceptField(u, p, "the answer to "+q.ID)
	}
	// Record only the answer: the question quotes seats, whose text is not a fact of the
	// user's.
	return u.Add(&state.FactRecorded{
		ID: u.State.NextFact(), Tag: ledger.TagUser, Seat: state.User,
		Text: "on " + q.About + ": " + answer,
	})
}

// acceptField accepts a field as it is. The user's word is evidence for it, clears every
// objection, and supersedes facts of the user's that contradict it.
func acceptField(u *claims.UserAdmitter, p *state.Point, reason string) error {
	if FieldOf(p).Withdrawn {
		return protocol.Refuse("withdrawn", "%s was withdrawn; reopen it first", p.ID)
	}
	if err := u.Add(&state.OverrideMade{What: state.OverrideAgree, Point: p.ID, Reason: reason}); err != nil {
		return err
	}
	value := FieldOf(p).Path + " = " + string(FieldOf(p).Value)
	if _, err := addEvidence(u, p.ID, claims.SupplyEvidence{Text: value}); err != nil {
		return err
	}
	result := ResolveProposal(u.State, u.State.At)
	for _, failure := range failuresOf(&result, FieldOf(p).Path) {
		if failure.Gate != "G6" {
			continue
		}
		for _, f := range u.State.Facts.All() {
			if binds(f, p) {
				if err := u.Add(&state.FactRecorded{
					ID: u.State.NextFact(), Tag: ledger.TagUser, Seat: state.User, Supersedes: f.ID,
					Text: "accepted: " + value,
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// addEvidence records evidence of the user's and returns its id.
func addEvidence(u *claims.UserAdmitter, point string, m claims.SupplyEvidence) (string, error) {
	m.Point = point
	id := u.State.NextEvidence()
	return id, u.Supply(m)
}

// object raises an objection of the user's, with its own severity or that of a red flag.
func object(u *claims.UserAdmitter, m RaiseObjection) error {
	p := fieldNamed(u.State, m.Point)
	switch {
	case p == nil:
		return protocol.Refuse("unknown-point", "there is no field %q", plain.Short(m.Point))
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("empty", "an objection needs a text")
	case m.Severity == "":
		m.Severity = gates.High
	case !slices.Contains(gates.Severities(), m.Severity):
		return protocol.Refuse("severity", "an objection is %s, not %q",
			strings.Join(enum.Words(gates.Severities()), ", "), plain.Short(string(m.Severity)))
	}
	id, text := u.State.NextChallenge(), strings.TrimSpace(m.Text)
	o, clears, err := typed(u.State, &Object{
		Flag: m.Flag, Category: FieldOf(p).Category, Severity: m.Severity, Predicate: text,
	})
	if err != nil {
		return err
	}
	if m.Flag == "" {
		clears = "evidence that the user accepts"
	}
	o.Challenge = id
	return u.Add(
		&state.ChallengeRaised{
			ID: id, Point: p.ID, By: state.User, Kind: classOf(o.Severity),
			Objection: text, UpgradeIf: clears,
		},
		o,
	)
}

// objection returns the objection with this id.
func objection(u *claims.UserAdmitter, id string) (*state.Challenge, error) {
	if c := u.State.Challenge(strings.ToUpper(id)); ObjectionOf(c) != nil {
		return c, nil
	}
	return nil, protocol.Refuse("unknown-challenge", "there is no objection %q", plain.Short(id))
}

// ruleObjection rules on an objection (R0). It refuses objections to fields that are no
// longer proposed, since the ruling would have no effect.
func ruleObjection(u *claims.UserAdmitter, m RuleObjection) error {
	c, err := objection(u, m.Challenge)
	if err != nil {
		return err
	}
	p := u.State.Point(c.Point)
	switch {
	case m.Verdict == gates.RulingNone && ObjectionOf(c).Verdict == "":
		return protocol.Refuse("ruling", "you have not ruled on %s", c.ID)
	case m.Verdict == gates.RulingNone:
	case !slices.Contains(gates.Rulings(), m.Verdict):
		return protocol.Refuse("ruling", "an objection is cleared or upheld, not %q", plain.Short(string(m.Verdict)))
	case FieldOf(p).Withdrawn:
		return protocol.Refuse("withdrawn", "%s is moot: %s was withdrawn; reopen the field first", c.ID, p.ID)
	case p.UserRuling != nil:
		return protocol.Refuse("ruled", "you ruled on %s as a whole; reopen it first", p.ID)
	}
	why := "the user ruled so"
	if m.Verdict == gates.RulingNone {
		why = "the user took the ruling back"
	}
	return u.Add(&ObjectionRuled{
		Challenge: c.ID, Verdict: m.Verdict,
		Reason: plain.FirstNonBlank(m.Reason, why),
	})
}

// withdrawField takes a field out of the proposal.
func withdrawField(u *claims.UserAdmitter, m WithdrawField) error {
	p := fieldNamed(u.State, m.Point)
	switch {
	case p == nil:
		return protocol.Refuse("unknown-point", "there is no field %q", plain.Short(m.Point))
	case FieldOf(p).Withdrawn:
		return protocol.Refuse("withdrawn", "%s was withdrawn already", p.ID)
	}
	return u.Add(&FieldWithdrawn{
		Point: p.ID, By: state.User,
		Reason: plain.FirstNonBlank(m.Reason, "the user withdrew it"),
	})
}

// answerObjection answers an objection for the proposer. The user's word is evidence that
// decides it.
func answerObjection(u *claims.UserAdmitter, m claims.AnswerChallenge) error {
	c, err := objection(u, m.Challenge)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("empty", "an answer needs a text")
	}
	if err := u.Add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: m.Text}); err != nil {
		return err
	}
	id, err := addEvidence(u, c.Point, claims.SupplyEvidence{Text: m.Text})
	if err != nil {
		return err
	}
	return u.Add(&EvidenceSupplied{Evidence: id, Challenge: c.ID})
}

// supplyField adds evidence of the user's on a field. It applies to the named objection,
// or else to all of them.
func supplyField(u *claims.UserAdmitter, m claims.SupplyEvidence) error {
	p := fieldNamed(u.State, m.Point)
	if p == nil {
		return protocol.Refuse("unknown-point", "there is no field %q", plain.Short(m.Point))
	}
	bears := p.Challenges
	if m.Challenge != "" {
		c, err := objection(u, m.Challenge)
		switch {
		case err != nil:
			return err
		case c.Point != p.ID:
			return protocol.Refuse("other-field", "%s attacks %s, not %s", c.ID, c.Point, p.ID)
		}
		bears = []string{c.ID}
	}
	id, err := addEvidence(u, p.ID, m)
	if err != nil {
		return err
	}
	for _, c := range bears {
		if err := u.Add(&EvidenceSupplied{Evidence: id, Challenge: c}); err != nil {
			return err
		}
	}
	return nil
}
