package dialectic

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/dialectic/gates"
	"moot/protocol/move"
	"moot/state"
)

// A request asks for evidence on an objection. One in a form that code checks says which result clears the objection;
// its result then counts as the request says, no matter which seat offers evidence.

// request handles REQUEST_EVIDENCE. A request about a grave objection must be answered (G7).
func (a *admitter) request(challenge, text string, asked Asked) error {
	c, p, err := a.answerableObjection(challenge)
	if err != nil {
		return err
	}
	w, reference, err := wanted(a.State.Settings.Kinds, text, asked)
	switch {
	case err != nil:
		return err
	case a.requested >= maxObjected:
		return protocol.OverLimit(text, "a reply asks for evidence at most %d times", maxObjected)
	}
	text = cmp.Or(strings.TrimSpace(text), wantedWords(&w))
	for i, r := range a.State.Requests.All() {
		same := r.Command == w.Command && r.Query == w.Query && r.Lookup == w.Lookup && r.URL == w.URL &&
			r.Reference == w.Reference && r.Expect == w.Expect && (w.Typed() || ledger.Normalized(r.Text) == ledger.Normalized(text))
		if r.About == c.ID && same && (FieldOf(p).Seq < r.Seq || !requestAnswered(a.State, r, c)) {
			return protocol.Refuse("repeated", "%s asks for that already", requestID(i))
		}
	}
	a.requested++
	of := []state.Seat{Proposer}
	if w.Typed() {
		of = []state.Seat{}
	}
	if reference != "" {
		w.Evidence = a.State.NextEvidence()
		a.Record(
			&state.EvidenceOffered{
				ID: w.Evidence, Point: p.ID, Relation: ledger.Neutral, Reference: reference, Quote: w.Expect,
				For: c.ID, By: a.Seat, Asked: true,
			},
			&EvidenceSupplied{Evidence: w.Evidence, Challenge: c.ID},
		)
	}
	return a.Add(&state.Requested{
		Point: p.ID, Kind: state.RequestEvidence, Of: of, By: a.Seat, Text: text, About: c.ID, Wanted: w,
	})
}

// form begins a request in words that means one in a form that code checks.
var form = regexp.MustCompile(`^(SEARCH|LIST|READ|CALLERS|SYMBOL)[ \t:]+(\S.*)$`)

// oneForm returns what a request asks for with at most one of Command, Query, Lookup and URL; a text in such a form is
// one of them. The kinds are those that the session recorded.
func oneForm(kinds []ledger.Kind, text string, asked Asked) (Asked, error) {
	forms := []string{}
	if asked.Lookup == "" && owner(kinds, asked.Command) != nil {
		// A call of a tool is a command with another mark.
		asked.Command, asked.Lookup = "", asked.Command
	}
	for _, f := range [][2]string{
		{"command", asked.Command}, {"query", asked.Query}, {"lookup", asked.Lookup}, {"url", asked.URL},
	} {
		if strings.TrimSpace(f[1]) != "" {
			forms = append(forms, f[0])
		}
	}
	text = plain.OneLine(text)
	found := form.FindStringSubmatch(text)
	switch {
	case ledger.IsCommand(text):
		asked.Command, forms = text, append(forms, "text")
	case found != nil && found[1] == string(move.KindSearch):
		asked.Query, forms = found[2], append(forms, "text")
	case found != nil:
		asked.Lookup, forms = found[1]+" "+found[2], append(forms, "text")
	case owner(kinds, text) != nil:
		asked.Lookup, forms = text, append(forms, "text")
	case strings.HasPrefix(text, "https://"), strings.HasPrefix(text, "http://"):
		asked.URL, forms = text, append(forms, "text")
	case text == "" && len(forms) == 0:
		return asked, protocol.Refuse("missing-field", "a request says which evidence: a text, or a command, query or lookup")
	}
	switch {
	case len(forms) > 1:
		return asked, protocol.Refuse("invalid-field", "a request asks for one thing, not for %s",
			strings.Join(forms, " and "))
	case len(forms) == 0 && strings.TrimSpace(asked.Expect) != "":
		return asked, protocol.Refuse("invalid-field",
			"what is expected needs a command, query or lookup that shows it")
	}
	return asked, nil
}

// wanted reads what a request asks for, and returns the reference of the item that its check decides on, or "".
func wanted(kinds []ledger.Kind, text string, asked Asked) (w state.Wanted, reference string, err error) {
	asked, err = oneForm(kinds, text, asked)
	query := strings.TrimSpace(asked.Query)
	what := cmp.Or(query, strings.TrimSpace(asked.Lookup), strings.TrimSpace(asked.URL))
	if err != nil || strings.TrimSpace(asked.Command) == "" && what == "" {
		return w, "", err
	}
	w.Clears = cmp.Or(asked.Clears, state.ResultMet)
	if what == "" {
		parsed, expectation, err := readCommand(ledger.CommandKind(), asked.Command, asked.Expect)
		if err != nil {
			return w, "", err
		}
		w.Command, w.Expect = parsed.String(), expectation
		return w, parsed.Reference(), nil
	}
	expected := asked.Expect
	if at := strings.LastIndex(what, "=>"); at > 0 && strings.TrimSpace(expected) == "" {
		what, expected = strings.TrimSpace(what[:at]), what[at+len("=>"):]
	}
	reference = what
	switch {
	case strings.TrimSpace(asked.URL) != "":
		reference = "GET " + what
	case query != "":
		reference = string(move.KindSearch) + " " + what
	}
	kind := owner(kinds, reference)
	if kind != nil && ledger.IsLookup(reference, strings.TrimSpace(expected)) {
		kind = nil
	}
	switch {
	case len(reference) > ledger.MaxReference:
		return w, "", protocol.Refuse("invalid-field", "%q is nothing that can be checked", plain.Short(what))
	case kind != nil && kind.Patch:
		return w, "", protocol.Refuse("invalid-field",
			"%q needs its patch: who asks for a trial hands it in, as a citation", plain.Short(what))
	case kind != nil && kind.Runs:
		parsed, expectation, err := readCommand(*kind, reference, expected)
		if err != nil {
			return w, "", err
		}
		w.Reference, w.Expect = kind.Reference(parsed), expectation
		return w, w.Reference, nil
	case kind != nil:
		w.Reference, w.Expect = reference, unquoted(plain.OneLine(expected))
		return w, reference, nil
	case strings.TrimSpace(asked.URL) != "":
		w.URL, w.Expect = plain.Short(what), plain.Short(strings.TrimSpace(expected))
		w.Lacks = "no page may be fetched; --allow-host NAME allows those of a host"
		return w, "", nil
	}
	expectation, err := ledger.ParseLookupExpectation(expected)
	if err != nil {
		return w, "", protocol.Refuse("invalid-field", "%s", err)
	}
	w.Expect = expectation.String()
	if query != "" {
		w.Query = what
		return w, reference, nil
	}
	found := form.FindStringSubmatch(what)
	switch {
	case found == nil && strings.ContainsAny(what, "*?{"):
		what = string(move.KindList) + " " + what
	case found == nil:
		what = string(move.KindRead) + " " + what
	case found[1] == "CALLERS", found[1] == "SYMBOL":
		w.Lookup, w.Lacks = plain.Short(what), "this session has no checker for "+found[1]
		return w, "", nil
	}
	w.Lookup = what
	return w, what, nil
}

// owner returns the recorded kind that owns a reference, or nil.
func owner(kinds []ledger.Kind, reference string) *ledger.Kind {
	i := slices.IndexFunc(kinds, func(k ledger.Kind) bool { return k.Owns(reference) })
	if i < 0 {
		return nil
	}
	return &kinds[i]
}

// readCommand reads a command of a kind, which may end with "=>" and what is expected of it, with its expectation in normal form.
func readCommand(kind ledger.Kind, text, expected string) (command ledger.Command, expectation string, err error) {
	words, after, arrow := ledger.CutProposal(text)
	if !arrow {
		// What follows the first arrow is refused with its reason.
		words, after, _ = strings.Cut(text, "=>")
	}
	command, err = kind.Command(words)
	if err != nil {
		return command, "", protocol.Refuse("invalid-field", "%s", err)
	}
	read, err := ledger.ParseExpectation(cmp.Or(strings.TrimSpace(expected), strings.TrimSpace(after), "exit 0"))
	if err != nil {
		return command, "", protocol.Refuse("invalid-field", "%s", err)
	}
	return command, read.String(), nil
}

// unquoted removes the quotation marks around a text.
func unquoted(text string) string {
	if n := len(text); n > 2 && text[0] == '"' && text[n-1] == '"' {
		return text[1 : n-1]
	}
	return text
}

// requestID names a request by its place.
func requestID(at int) string { return "request " + strconv.Itoa(at+1) }

// wantedWords describes what a request asks for, or "" if it asks in words.
func wantedWords(w *state.Wanted) string {
	var what string
	switch {
	case w.Command != "":
		what = "$ " + w.Command
	case w.Query != "":
		what = "SEARCH " + w.Query
	case w.Lookup != "":
		what = w.Lookup
	case w.URL != "":
		what = w.URL
	case w.Reference != "":
		what = w.Reference
	default:
		return ""
	}
	if w.Expect != "" {
		what += " => " + w.Expect
	}
	return what
}

// requestWords describes a request: what it asks for, and which result clears the objection.
func requestWords(r *state.Request) string {
	what := wantedWords(&r.Wanted)
	if what == "" {
		return r.Text
	}
	words := what + ", clears " + r.About + " if " + clearsWords(r.Clears)
	if said := plain.OneLine(r.Text); !ledger.IsCommand(said) && !form.MatchString(said) && said != what &&
		said != r.URL {
		words = said + ": " + words
	}
	return words
}

func clearsWords(result state.CheckResult) string {
	if result == state.ResultUnmet {
		return "not met"
	}
	return string(result)
}

// requestResult says what became of a request: "met, E2", "not met, E2", "answered by E3", why the check did not run
// or has no result, or "" while it is open.
func requestResult(s *state.State, r *state.Request) string {
	item := s.Item(r.Evidence)
	switch {
	case r.Lacks != "":
		return "not run: " + r.Lacks
	case !r.Typed():
		if by := answeredBy(s, r); by != nil {
			return "answered by " + by.ID
		}
		return ""
	case item == nil || !item.Checked:
		return ""
	case !item.Proven() && item.Run != nil:
		return "ran without a result, " + item.ID + ": " + item.Reason
	case !item.Proven():
		return "not run: " + item.Reason
	case (r.Clears == state.ResultUnmet) == (item.Relation == ledger.Supports):
		return "not met, " + item.ID
	}
	return "met, " + item.ID
}

// answeredBy returns the verified item that answers a request in words, or nil: it was brought for the objection since,
// and the pressure-tester had a turn and does not contest it.
func answeredBy(s *state.State, r *state.Request) *ledger.Evidence {
	o := ObjectionOf(s.Challenge(r.About))
	if o == nil {
		return nil
	}
	for _, supply := range o.Supplies {
		item := s.Item(supply.Evidence)
		if supply.Seq > r.Seq && item.Proven() && !item.Asked && item.Contested() == nil && hadTurn(s, item) {
			return item
		}
	}
	return nil
}

// requestAnswered reports whether a request was answered: its check ran to its end, or evidence came for one in words.
// Nothing is owed if the user ruled on the objection or its field, the objection was withdrawn, or the field is no
// longer proposed.
func requestAnswered(s *state.State, r *state.Request, c *state.Challenge) bool {
	p := s.Point(c.Point)
	o := gateObjection(c, p)
	if r.Answered || !Proposed(p) || o.Ruling != gates.RulingNone || o.Withdrawn {
		return true
	}
	if r.Typed() {
		item := s.Item(r.Evidence)
		return item != nil && item.Proven()
	}
	return answeredBy(s, r) != nil
}

// owed returns the unanswered requests for evidence on an objection.
func owed(s *state.State, c *state.Challenge) []*state.Request {
	return s.Requests.Filter(func(r *state.Request) bool { return r.About == c.ID && !requestAnswered(s, r, c) })
}

// superseded reports whether the result of a request's check is out of date: the same check was asked for again for the
// objection, after the field changed, and ran.
func superseded(s *state.State, item *ledger.Evidence) bool {
	r := s.RequestFor(item.ID)
	if r == nil {
		return false
	}
	return s.Requests.Any(func(later *state.Request) bool {
		again := s.Item(later.Evidence)
		return later.About == r.About && later.Seq > r.Seq && again != nil && again.Proven() &&
			again.Reference == item.Reference
	})
}

// mayClear reports whether an item for the proposal counts for a grave objection: the pressure-tester or the user
// brought or accepted it for the value that the field has, or it is the result of a check that was asked for on this
// objection.
func mayClear(s *state.State, c *state.Challenge, item *ledger.Evidence) bool {
	changed := FieldOf(s.Point(c.Point)).Seq
	if r := s.RequestFor(item.ID); r != nil && r.About == c.ID && item.Seq > changed {
		return true
	}
	if item.OfferedBy == string(state.User) || item.OfferedBy == string(PressureTester) && !item.Asked {
		return true
	}
	return slices.ContainsFunc(item.Accepted, func(by ledger.Acceptance) bool {
		seat := state.Seat(by.Seat)
		return by.Seq > changed && !by.ByRules && (seat == PressureTester || seat == state.User)
	})
}

// isGrave reports whether silence clears nothing of an objection.
func isGrave(o *Objection) bool { return o.Severity == gates.Blocking || o.Severity == gates.High }

// unaccepted returns the items for the proposal that would decide an objection, but that nobody who may has accepted.
func unaccepted(s *state.State, c *state.Challenge) []string {
	o := ObjectionOf(c)
	if !isGrave(o) {
		return nil
	}
	var ids []string
	config, limited := Configured(s), gates.Objection{ClearedBy: clearedBy(s, o)}
	for _, id := range o.Evidence {
		item := s.Item(id)
		if item != nil && item.Relation == ledger.Supports && item.Proven() && !mayClear(s, c, item) &&
			config.Decides(o.Severity, o.Category, item.SourceKind, item.Confidence) && limited.Clears(item.SourceKind) {
			ids = append(ids, id)
		}
	}
	return ids
}

// toAccept returns the items that the pressure-tester is asked to accept or contest, each with the number of its turns
// since they came: nobody contests them, and they count for no grave objection yet.
func toAccept(s *state.State) (ids []string, turns map[string]int) {
	turns = map[string]int{}
	for _, c := range s.Challenges.All() {
		o := ObjectionOf(c)
		if o == nil || o.Verdict != "" || !Proposed(s.Point(c.Point)) || c.Status == state.StandsConceded ||
			c.Status == state.StandsEnded {
			continue
		}
		for _, id := range unaccepted(s, c) {
			item := s.Item(id)
			if item.Contested() != nil {
				continue
			}
			since := Of(s).turnsSince(max(item.Seq, o.suppliedAt(id)))
			before, known := turns[id]
			if !known {
				ids, before = append(ids, id), since
			}
			turns[id] = min(before, since)
		}
	}
	return ids, turns
}

// describe shows a request with what became of it, for a prompt or the result.
func describe(s *state.State, r *state.Request) string {
	words := requestWords(r)
	if result := requestResult(s, r); result != "" {
		words += fmt.Sprintf(" (%s)", result)
	}
	return words
}
