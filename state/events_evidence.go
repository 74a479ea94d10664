package state

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
)

type evidence = ledger.Evidence

// EvidenceOffered is an item before its check (CITE).
type EvidenceOffered struct {
	ID       string          `json:"id"`
	Point    string          `json:"point"`
	Relation ledger.Relation `json:"relation"`
	// Reference and Quote are verbatim from the seat; the check corrects them. For a command,
	// Reference is "$ " and its normal form, and Quote is the expected outcome.
	Reference string `json:"reference"`
	Quote     string `json:"quote"`
	// Patch is what a trial applies, in its normal form, or "".
	Patch string `json:"patch,omitempty"`
	// For is the challenge that the item answers, or that rests on it, or "".
	For   string `json:"for,omitempty"`
	Label string `json:"label"`
	By    Seat   `json:"by"`
	// Asked says that By asked for it with a request that names it: Quote is the expected result, and the result
	// says how the item bears on its point.
	Asked bool `json:"asked,omitempty"`
}

func (e *EvidenceOffered) Fold(s *State) error {
	if want := NextID('E', s.Evidence.Len()); e.ID != want {
		return fmt.Errorf("the next evidence item is %s, not %q", want, e.ID)
	}
	err := s.ChangePoint(e.Point, func(p *Point) { p.Evidence = append(slices.Clip(p.Evidence), e.ID) })
	if err != nil {
		return err
	}
	item := &evidence{
		ID: e.ID, Point: e.Point, Relation: e.Relation, Type: ledger.Claim, SourceKind: ledger.LLMInference,
		Confidence: ledger.ConfidenceWord, Reference: e.Reference, Excerpt: e.Quote, For: e.For,
		Label: e.Label, OfferedBy: string(e.By), Round: s.Round, Seq: s.Seq, Asked: e.Asked,
		Kind: s.EvidenceKind(e.Reference),
	}
	if tried := item.Kind.Patch && e.By != User; tried != (e.Patch != "") {
		return fmt.Errorf("%s: a patch is handed in for a trial, and for nothing else", e.ID)
	}
	if e.Patch != "" {
		patch, err := ledger.ParsePatch(e.Patch)
		if err != nil {
			return fmt.Errorf("%s: %w", e.ID, err)
		}
		if item.Patch = patch.String(); item.Patch != e.Patch {
			return fmt.Errorf("%s: its patch is not in the normal form", e.ID)
		}
	}
	if e.Asked {
		item.Expect, item.Excerpt = e.Quote, ""
		if ledger.IsLookup(e.Reference, e.Quote) {
			item.Kind = ledger.PlaceKind() // What a lookup shows are places.
		}
	}
	if item.Kind.Runs && e.By != User {
		// The user's evidence needs no check: its command has run already, or it is the user's
		// statement.
		item.Expect, item.Excerpt, item.Approval = e.Quote, "", ledger.ApprovalWaiting
		s.Commands = append(slices.Clip(s.Commands), e.ID)
	}
	s.Evidence = s.Evidence.Append(item)
	return nil
}

// changeItem updates an evidence item and marks its point as touched.
func (s *State) changeItem(id string, f func(*evidence)) error {
	item := s.Item(id)
	if item == nil {
		return Unknown("evidence item", id)
	}
	s.Evidence = s.Evidence.Update(Index(id, 'E'), func(i *evidence) {
		i.Seq = s.Seq
		f(i)
	})
	s.touchPoint(item.Point, nil)
	return nil
}

// EvidenceVerified is a researcher's finding that the reference contains the quote, with what code
// adds to it: source, digest and confidence.
type EvidenceVerified struct {
	ID         string            `json:"id"`
	Type       ledger.Type       `json:"type"`
	SourceKind ledger.SourceKind `json:"source_kind"`
	Confidence float64           `json:"confidence"`
	Reference  string            `json:"reference"`
	Excerpt    string            `json:"excerpt"`
	Digest     string            `json:"digest"`
	Commit     string            `json:"commit"`
	// Run describes the run of a command, or is nil.
	Run *ledger.Run `json:"run"`
	// Shown says that no quote was compared: the excerpt shows the cited lines.
	Shown bool `json:"shown,omitempty"`
	// Admitted says that rulings may read it (PH5). Reason is the outcome of the check, and why the
	// item is not admitted.
	Admitted bool   `json:"admitted"`
	Reason   string `json:"reason"`
	// Unmet says that the check of an item that was asked for did not show what was expected.
	Unmet bool `json:"unmet,omitempty"`
}

func (e *EvidenceVerified) Fold(s *State) error {
	return s.changeItem(e.ID, func(i *evidence) {
		i.Checked, i.Verified, i.Admitted, i.Reason, i.Shown = true, true, e.Admitted, e.Reason, e.Shown
		i.Type, i.SourceKind, i.Confidence = e.Type, e.SourceKind, e.Confidence
		i.Reference, i.Excerpt, i.Digest, i.Commit, i.Run = e.Reference, e.Excerpt, e.Digest, e.Commit, e.Run
		i.ObservedAt = s.At
		if r := s.RequestFor(i.ID); r != nil {
			i.Relation = ledger.Refutes
			if (r.Clears == ResultUnmet) == e.Unmet {
				i.Relation = ledger.Supports
			}
		}
		i.Heard = i.SourceKind == ledger.UserOverride && i.OfferedBy == string(User)
		if i.Relation == ledger.Refutes && !i.Heard {
			s.Unheard = append(slices.Clip(s.Unheard), i.ID)
		}
		for _, f := range s.Facts.All() {
			s.compareLine(f, i)
		}
	})
}

// FactAgainst is a fact of the user that a verified line contradicts.
type FactAgainst struct {
	Fact, Item string
	// Says is the value in the line.
	Says string
}

// compareLine notes that a verified item contradicts a live fact of the user. What the user said is no line, and a line
// that says the same as an earlier one is noted once.
func (s *State) compareLine(f *ledger.Fact, i *evidence) {
	if !f.Live || f.Tag != ledger.TagUser || !i.Proven() || i.SourceKind == ledger.UserOverride {
		return
	}
	says := f.Against(i.Excerpt)
	if says == "" || slices.ContainsFunc(s.FactsAgainst, func(known FactAgainst) bool {
		return known.Fact == f.ID && known.Says == says && s.Item(known.Item).Reference == i.Reference
	}) {
		return
	}
	s.FactsAgainst = append(slices.Clip(s.FactsAgainst), FactAgainst{Fact: f.ID, Item: i.ID, Says: says})
	s.Constraints = s.Seq
}

// RequestFor returns the request that an item answers by its check, or nil.
func (s *State) RequestFor(item string) *Request {
	if i := s.Item(item); i == nil || !i.Asked {
		return nil
	}
	return s.Requests.Find(func(r *Request) bool { return r.Evidence == item })
}

// EvidenceRefused is a finding that the reference does not contain the quote, or could not be
// checked.
type EvidenceRefused struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	// Run describes the run of a command, or is nil. Digest is the hash of its output.
	Run    *ledger.Run `json:"run"`
	Digest string      `json:"digest"`
	// Nearest is the passage most similar to the quote, NearestReference its place, and
	// Similarity the degree, 0 to 1. For a command, Nearest is its output.
	Nearest          string  `json:"nearest"`
	NearestReference string  `json:"nearest_reference"`
	Similarity       float64 `json:"similarity"`
	// Candidates are the files that the reference may mean, if it is unclear which.
	Candidates []string `json:"candidates,omitzero"`
}

func (e *EvidenceRefused) Fold(s *State) error {
	return s.changeItem(e.ID, func(i *evidence) {
		i.Checked, i.Verified, i.Admitted, i.Reason, i.Nearest = true, false, false, e.Reason, e.Nearest
		i.Unclear = len(e.Candidates) > 0
		if e.Run != nil {
			i.Run, i.Digest, i.Excerpt = e.Run, e.Digest, e.Nearest
		}
	})
}

// markHeard marks the refutations that every author has had a turn to answer: the last reply of
// each is to a prompt that was sent after the check (RV2).
func (s *State) markHeard() {
	var unheard []string
	for _, id := range s.Unheard {
		item := s.Item(id)
		p := s.Live(item.Point)
		if p == nil || !slices.ContainsFunc(p.Defenders(),
			func(seat Seat) bool { return s.LastTurn(seat) < item.Seq }) {
			s.Evidence = s.Evidence.Update(Index(id, 'E'), func(i *evidence) { i.Heard = true })
			s.touchPoint(item.Point, nil)
			continue
		}
		unheard = append(unheard, id)
	}
	s.Unheard = unheard
}

// LastTurn returns the sequence number of the last prompt that the seat answered, or 0. The
// seat has seen all earlier events.
func (s *State) LastTurn(seat Seat) int {
	if t := countOf(s.Turns, seat); t != nil {
		return t.Count
	}
	return 0
}

// changeRelevance changes who accepts and contests an item. That does not make the item newer
// (AC13, ST5).
func (s *State) changeRelevance(id string, change func(*evidence)) error {
	item := s.Item(id)
	if item == nil {
		return Unknown("evidence item", id)
	}
	known := item.Seq
	return s.changeItem(id, func(i *evidence) {
		i.Accepted, i.Contests, i.Seq = slices.Clone(i.Accepted), slices.Clone(i.Contests), known
		change(i)
	})
}

// EvidenceAccepted says that, in a seat's judgment, an item bears on its point (RV2).
type EvidenceAccepted struct {
	ID     string `json:"id"`
	By     Seat   `json:"by"`
	Reason string `json:"reason,omitempty"`
}

func (e *EvidenceAccepted) Fold(s *State) error {
	return s.changeRelevance(e.ID, func(i *evidence) {
		i.Accepted = append(dropSeat(i.Accepted, e.By),
			ledger.Acceptance{Seat: string(e.By), Seq: s.Seq, ByRules: s.ByRules(e.By)})
		for at := range i.Contests {
			if c := &i.Contests[at]; c.Seat == string(e.By) || e.By == User {
				c.Ended = true
			}
		}
	})
}

func dropSeat(accepted []ledger.Acceptance, seat Seat) []ledger.Acceptance {
	return slices.DeleteFunc(accepted, func(a ledger.Acceptance) bool { return a.Seat == string(seat) })
}

// EvidenceContested says that, in a seat's judgment, an item does not bear on its point (RV3). The
// item does not count until the contest has ended.
type EvidenceContested struct {
	ID     string `json:"id"`
	By     Seat   `json:"by"`
	Reason string `json:"reason"`
}

func (e *EvidenceContested) Fold(s *State) error {
	return s.changeRelevance(e.ID, func(i *evidence) {
		i.Accepted = dropSeat(i.Accepted, e.By)
		i.Contests = append(i.Contests,
			ledger.Contest{Seat: string(e.By), Reason: e.Reason, Round: s.Round, Seq: s.Seq})
	})
}

// ContestAnswered is the answer to the contests of an item, by the seat that offered it. It may
// answer once (RV3).
type ContestAnswered struct {
	ID   string `json:"id"`
	By   Seat   `json:"by"`
	Text string `json:"text"`
}

func (e *ContestAnswered) Fold(s *State) error {
	return s.changeRelevance(e.ID, func(i *evidence) {
		for at := range i.Contests {
			if c := &i.Contests[at]; !c.Ended && c.Answer == "" {
				c.Answer, c.Seq = e.Text, s.Seq
			}
		}
	})
}

// ContestEnded ends the contest of the seat Of: it took the contest back, or By decided against it,
// a third seat or the user (RV3).
type ContestEnded struct {
	ID     string `json:"id"`
	Of     Seat   `json:"of"`
	By     Seat   `json:"by"`
	Reason string `json:"reason,omitempty"`
}

func (e *ContestEnded) Fold(s *State) error {
	return s.changeRelevance(e.ID, func(i *evidence) {
		for at := range i.Contests {
			if c := &i.Contests[at]; c.Seat == string(e.Of) {
				c.Ended = true
			}
		}
	})
}

// Withdrawn takes back what a seat said (RV3): the acceptance of an item (E2), a challenge (C1),
// its verdict on a point (P1), or that the point conflicts with a fact of the user (F1).
type Withdrawn struct {
	ID string `json:"id"`
	// Point is given for a fact only.
	Point  string `json:"point,omitempty"`
	By     Seat   `json:"by"`
	Reason string `json:"reason,omitempty"`
}

func (e *Withdrawn) Fold(s *State) error {
	switch e.ID[:min(1, len(e.ID))] {
	case "E":
		return s.changeRelevance(e.ID, func(i *evidence) { i.Accepted = dropSeat(i.Accepted, e.By) })
	case "C":
		return s.ChangeChallenge(e.ID, func(c *Challenge) { c.Status = StandsEnded })
	case "P":
		return s.ChangePoint(e.ID, func(p *Point) {
			p.Classes = slices.Clone(p.Classes)
			if latest := p.Latest(e.By); latest != nil {
				latest.Withdrawn = true
			}
		})
	case "F":
		return s.ChangePoint(e.Point, func(p *Point) {
			p.Violates = slices.DeleteFunc(slices.Clone(p.Violates), func(v Violation) bool {
				// What the user answered stays.
				return v.Fact == e.ID && v.By == e.By && !v.Confirmed && !v.Denied
			})
		})
	}
	return Unknown("item", e.ID)
}

// FactRecorded adds a ledger entry (LE1). Text is verbatim.
type FactRecorded struct {
	ID         string            `json:"id"`
	Tag        ledger.Tag        `json:"tag"`
	Seat       Seat              `json:"seat"`
	Text       string            `json:"text"`
	Reference  string            `json:"reference"`
	Supersedes string            `json:"supersedes"`
	Predicate  *ledger.Predicate `json:"predicate"`
}

func (e *FactRecorded) Fold(s *State) error {
	if want := NextID('F', s.Facts.Len()); e.ID != want {
		return fmt.Errorf("the next fact is %s, not %q", want, e.ID)
	}
	if e.Supersedes != "" {
		if err := s.supersede(e.Supersedes, e.Tag); err != nil {
			return err
		}
	}
	fact := &ledger.Fact{
		ID: e.ID, Tag: e.Tag, Seat: string(e.Seat), Text: e.Text, Reference: e.Reference,
		Supersedes: e.Supersedes, Round: s.Round, Seq: s.Seq, Live: true, Evaluated: e.Tag != ledger.TagUnverified,
	}
	if e.Tag != ledger.TagUser {
		s.Facts = s.Facts.Append(fact)
		return nil
	}
	fact.Read(e.Predicate)
	for at, other := range s.Facts.All() {
		if other.Live && other.Tag == ledger.TagUser && fact.Excludes(other) {
			fact.Conflicts = append(fact.Conflicts, other.ID)
			s.Facts = s.Facts.Update(at, func(f *ledger.Fact) { f.Conflicts = append(slices.Clip(f.Conflicts), e.ID) })
		}
	}
	s.Facts, s.Constraints = s.Facts.Append(fact), s.Seq
	for _, item := range s.Evidence.All() {
		s.compareLine(fact, item)
	}
	return nil
}

// reconcile ends the conflict between two facts: the user has said which holds, or one is no longer live.
func (s *State) reconcile(a, b string) {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		s.Facts = s.Facts.Update(Index(pair[0], 'F'), func(f *ledger.Fact) {
			f.Conflicts = slices.DeleteFunc(slices.Clone(f.Conflicts), func(id string) bool { return id == pair[1] })
		})
	}
	s.Constraints = s.Seq
}

// supersede takes a fact out of the live set in favor of one with the tag.
func (s *State) supersede(id string, by ledger.Tag) error {
	old := s.Fact(id)
	if old == nil {
		return Unknown("fact", id)
	}
	if !ledger.MaySupersede(by, old.Tag) {
		return fmt.Errorf("a fact tagged %s cannot supersede %s, which is tagged %s (LE3)", by, id, old.Tag)
	}
	if old.Tag == ledger.TagUser {
		s.Constraints = s.Seq
	}
	for _, other := range old.Conflicts {
		s.reconcile(id, other)
	}
	s.Facts = s.Facts.Update(Index(id, 'F'), func(f *ledger.Fact) { f.Live = false })
	return nil
}

// FactSuperseded takes a fact out of the live set in favor of one that is in the ledger already
// (LE1, LE4).
type FactSuperseded struct {
	Fact string `json:"fact"`
	// By is the newer fact.
	By string `json:"by"`
}

func (e *FactSuperseded) Fold(s *State) error {
	newer := s.Fact(e.By)
	if newer == nil {
		return Unknown("fact", e.By)
	}
	return s.supersede(e.Fact, newer.Tag)
}

// FactEvaluated is the outcome of an unverified fact at synthesis (LE5).
type FactEvaluated struct {
	Fact string `json:"fact"`
	// Outcome is "verified", "dismissed" or "not evaluated".
	Outcome string `json:"outcome"`
}

func (e *FactEvaluated) Fold(s *State) error {
	if s.Fact(e.Fact) == nil {
		return Unknown("fact", e.Fact)
	}
	s.FactsListed = true
	s.Facts = s.Facts.Update(Index(e.Fact, 'F'), func(f *ledger.Fact) { f.Evaluated = e.Outcome != "not evaluated" })
	return nil
}

// CommandRule is the user's decision about a command for the whole session.
type CommandRule struct {
	// Command is the normal form, without "$ ".
	Command  string
	Decision ledger.Approval
	// Seq is the sequence number of the decision.
	Seq int
}

// CommandRule returns the user's last decision about a command in its normal form:
// ApprovalAlways, ApprovalNever, or ApprovalNone if the user must be asked. A fork is
// another session: it does not inherit the commands that may always run.
func (s *State) CommandRule(command string) ledger.Approval {
	for _, r := range slices.Backward(s.CommandRules) {
		switch {
		case r.Command != command:
			continue
		case r.Decision == ledger.ApprovalNever, r.Decision == ledger.ApprovalAlways && r.Seq > s.Fork.Seq:
			return r.Decision
		}
		return ledger.ApprovalNone
	}
	return ledger.ApprovalNone
}

// CommandApproved is the decision on one command that was offered as evidence: by the user, or by
// code if an earlier decision of the user covers it.
type CommandApproved struct {
	// Evidence is the item, Command its command in the normal form.
	Evidence string `json:"evidence"`
	Command  string `json:"command"`
	// Decision is once, always, never or pattern.
	Decision ledger.Approval `json:"decision"`
	// Pattern is the pattern that allows it, or "".
	Pattern string `json:"pattern"`
	By      Seat   `json:"by"`
}

func (e *CommandApproved) Fold(s *State) error {
	item := s.Item(e.Evidence)
	switch {
	case item == nil:
		return Unknown("evidence item", e.Evidence)
	case item.Approval == ledger.ApprovalNone || item.Command() != e.Command:
		return fmt.Errorf("%s is not the command %q", e.Evidence, e.Command)
	case !e.Decision.Allows() && e.Decision != ledger.ApprovalNever:
		return fmt.Errorf("%q is not a decision on a command", e.Decision)
	case !s.Channel.IsUser():
		return errors.New("only the user approves commands")
	}
	if e.By == User {
		s.CommandRules = append(slices.Clip(s.CommandRules),
			CommandRule{Command: e.Command, Decision: e.Decision, Seq: s.Seq})
	}
	if item.Run != nil {
		// It has run already: the decision is for the next time.
		return nil
	}
	s.Evidence = s.Evidence.Update(Index(e.Evidence, 'E'), func(i *evidence) {
		i.Approval = e.Decision
		if e.Decision.Allows() {
			// It was refused only because nobody had approved it.
			i.Checked, i.Reason = false, ""
		}
	})
	s.touchPoint(item.Point, nil)
	return nil
}

// Words describes the decision, without the command.
func (e *CommandApproved) Words() string {
	switch e.Decision {
	case ledger.ApprovalOnce:
		return "approved once"
	case ledger.ApprovalAlways:
		return "approved for the session"
	case ledger.ApprovalPattern:
		return "allowed by " + e.Pattern
	case ledger.ApprovalNever:
		return "refused for the session"
	case ledger.ApprovalNone, ledger.ApprovalWaiting:
	}
	return "a decision on a command"
}

// CommandsAllowed says which commands may run without asking from now on. It replaces the earlier
// list.
type CommandsAllowed struct {
	// Patterns consist of words, with * for any one word and ... for the rest.
	Patterns []string `json:"patterns"`
	// Configured are those of Patterns that the user's configuration allows, and not this run.
	Configured []string `json:"configured,omitzero"`
	By         Seat     `json:"by"`
	// Trials says that trials may run, too, because commands run confined. Unconfined is why they may not although the
	// user allowed them, or "".
	Trials     bool   `json:"trials,omitempty"`
	Unconfined string `json:"unconfined,omitempty"`
}

func (e *CommandsAllowed) Fold(s *State) error {
	if e.By != User || !s.Channel.IsUser() {
		return errors.New("only the user allows commands")
	}
	if e.Trials && e.Unconfined != "" {
		return errors.New("trials are allowed where commands run confined only")
	}
	s.AllowedCommands = slices.Clone(e.Patterns)
	s.AllowedTrials, s.Unconfined = e.Trials, e.Unconfined
	return nil
}

// Words describes which commands may run.
func (e *CommandsAllowed) Words() string {
	allowed := slices.Clone(e.Patterns)
	if e.Trials {
		allowed = append(allowed, "trials of patches")
	}
	for i, p := range allowed {
		if slices.Contains(e.Configured, p) {
			allowed[i] += " (config.toml)"
		}
	}
	words := "no command may run without asking"
	if len(allowed) > 0 {
		words = "these may run without asking: " + strings.Join(allowed, "; ")
	}
	if e.Unconfined != "" {
		words += "; only the person approves trials of patches, since commands are not confined: " + e.Unconfined
	}
	return words
}

// HostsAllowed says which hosts a resumed session may read pages of. It replaces the earlier list.
type HostsAllowed struct {
	Hosts []ledger.Host `json:"hosts"`
	// Kinds describe the evidence that changes with them. Other kinds stay as they are.
	Kinds []ledger.Kind `json:"kinds"`
	By    Seat          `json:"by"`
}

func (e *HostsAllowed) Fold(s *State) error {
	if e.By != User || !s.Channel.IsUser() {
		return errors.New("only the user allows hosts")
	}
	kinds := slices.Clone(s.Settings.Kinds)
	for _, k := range e.Kinds {
		i := slices.IndexFunc(kinds, func(known ledger.Kind) bool { return known.Name == k.Name })
		if i < 0 {
			kinds = append(kinds, k)
			continue
		}
		kinds[i] = k
	}
	if err := cmp.Or(ledger.CheckHosts(e.Hosts), ledger.CheckKinds(kinds)); err != nil {
		return err
	}
	s.Settings.Hosts, s.Settings.Kinds = slices.Clone(e.Hosts), kinds
	return nil
}

// Words describes whose pages may be read.
func (e *HostsAllowed) Words() string {
	return "pages of these may be read: " + strings.Join(lists.Map(e.Hosts, ledger.Host.String), "; ")
}
