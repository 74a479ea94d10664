package claims

import (
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// accept admits an ACCEPT: the seat says that an item bears on its point (RV2). From a seat that
// takes no part in a contest of the item, it ends the contest (RV3).
func (a *Admitter) accept(m *move.Accept) error {
	item, p, err := a.item(m.Evidence)
	switch {
	case err != nil:
		return err
	case !item.Proven():
		return protocol.Refuse("not-verified", "%s is not verified; there is nothing to accept", item.ID)
	case !resolver.MayAccept(a.State, p, item, a.Seat):
		return protocol.Refuse(
			"own-evidence",
			"%s is of your side; the other side says whether it bears on %s",
			item.ID,
			p.ID,
		)
	case !a.shown(item):
		return protocol.Refuse("unseen", "%s was not shown to you yet", item.ID)
	case slices.Contains(a.contested, item.ID):
		return protocol.Refuse("more-critical", "%s is not accepted: the same reply contests it", item.ID)
	case item.AcceptedBy(string(a.Seat)):
		return protocol.Refuse("repeated", "you accepted %s already", item.ID)
	}
	contests := slices.Clone(item.Contests)
	a.Record(&state.EvidenceAccepted{ID: item.ID, By: a.Seat, Reason: m.Reason})
	if item.OfferedBy == string(a.Seat) || p.IsAuthor(a.Seat) {
		return nil
	}
	for _, c := range contests {
		if !c.Ended && c.Seat != string(a.Seat) && c.Seat != string(state.User) {
			a.Record(&state.ContestEnded{ID: item.ID, Of: state.Seat(c.Seat), By: a.Seat, Reason: m.Reason})
		}
	}
	return nil
}

// contest admits a CONTEST (RV3). It answers a challenge that rests on the item.
func (a *Admitter) contest(m *move.Contest) error {
	item, p, err := a.item(m.Evidence)
	if err != nil {
		return err
	}
	reason := plain.FirstSentence(strings.TrimSpace(m.Reason))
	switch {
	case item.OfferedBy == string(a.Seat) && !item.Asked:
		return protocol.Refuse("own-evidence", "a seat does not contest its own evidence %s", item.ID)
	case reason == "":
		return protocol.Refuse("no-reason", "contesting %s needs a reason in one sentence", item.ID)
	case slices.ContainsFunc(item.Contests, func(c ledger.Contest) bool { return c.Seat == string(a.Seat) }):
		return protocol.Refuse("repeated", "you contested %s before; a seat contests an item once", item.ID)
	}
	for _, accepted := range item.Accepted {
		if accepted.Seat == string(a.Seat) && !caused(a.Draft, p, m.Reason, accepted.Seq) {
			return protocol.Refuse(
				"no-cause",
				"you accepted %s: contesting it needs a newer cause, a verified item or a user "+
					"fact by its id",
				item.ID,
			)
		}
	}
	a.Record(&state.EvidenceContested{ID: item.ID, By: a.Seat, Reason: reason})
	a.contested = append(a.contested, item.ID)
	for _, c := range OpenChallenges(a.State, a.Seat, state.StandsOpen, state.StandsDropped, state.StandsReminded) {
		if c.Point != p.ID || !slices.Contains(resolver.RestsOn(a.State, c), a.State.Item(item.ID)) {
			continue
		}
		a.referenced = append(a.referenced, c.ID)
		a.Record(&state.ChallengeAnswered{
			Challenge: c.ID, By: a.Seat, Text: "contests " + item.ID + ": " + strings.TrimSpace(m.Reason),
		})
	}
	return nil
}

// answerContest admits a DEFEND of an item: the seat that offered it answers a contest, once (RV3).
func (a *Admitter) answerContest(id, text string) error {
	item, _, err := a.item(id)
	if err != nil {
		return err
	}
	c := item.Contested()
	switch {
	case item.OfferedBy != string(a.Seat):
		return protocol.Refuse("not-author", "only who offered %s answers for it", item.ID)
	case c == nil:
		return protocol.Refuse("nothing-to-answer", "nobody contests %s", item.ID)
	case c.Answer != "":
		return protocol.Refuse("repeated", "the contest of %s was answered already", item.ID)
	}
	return a.Add(&state.ContestAnswered{ID: item.ID, By: a.Seat, Text: text})
}

// Shown reports whether the prompt that the seat answers listed an item.
func (a *Admitter) shown(item *ledger.Evidence) bool {
	if sent := a.State.AskedOf(a.Seat, a.Ask.Stage).Sent; sent > 0 {
		return item.Seq < sent
	}
	return item.Seq <= a.Began
}

// withdraw admits a WITHDRAW: the seat takes back its contest or acceptance of an item, a
// challenge, its verdict on a point, or a conflict that it named with a fact of the user (RV3).
func (a *Admitter) withdraw(m *move.Withdraw) error {
	switch {
	case m.Evidence != "":
		item, p, err := a.item(m.Evidence)
		if err != nil {
			return err
		}
		for _, c := range item.Contests {
			if c.Seat != string(a.Seat) || c.Ended {
				continue
			}
			if latest := p.Latest(a.Seat); latest != nil && latest.Class == state.Agree {
				// Without the contest, the seat's AGREE accepts the item.
				a.Agrees(p, latest.Reason)
			}
			return a.Add(&state.ContestEnded{ID: item.ID, Of: a.Seat, By: a.Seat, Reason: m.Reason})
		}
		for _, accepted := range item.Accepted {
			switch {
			case accepted.Seat != string(a.Seat):
			case !caused(a.Draft, p, m.Reason, accepted.Seq):
				return protocol.Refuse(
					"no-cause",
					"taking back that %s bears on %s needs a newer cause, a verified item or a user "+
						"fact by its id",
					item.ID,
					p.ID,
				)
			default:
				return a.Add(&state.Withdrawn{ID: item.ID, By: a.Seat, Reason: m.Reason})
			}
		}
		return protocol.Refuse("nothing-to-withdraw", "you neither accepted nor contest %s", item.ID)
	case m.Challenge != "":
		c := a.State.Challenge(m.Challenge)
		if c == nil || c.By != a.Seat || c.Settled() {
			return protocol.Refuse("nothing-to-withdraw", "%s is not an open challenge of yours", m.Challenge)
		}
		return a.Add(&state.Withdrawn{ID: c.ID, By: a.Seat, Reason: m.Reason})
	}
	if m.Point == "" {
		return protocol.Refuse("missing-field", "WITHDRAW names what it takes back: E2, C1, P1, or P1 F2")
	}
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	if m.Fact != "" {
		if !slices.ContainsFunc(p.Violates, func(v state.Violation) bool {
			return v.Fact == m.Fact && v.By == a.Seat && !v.Confirmed
		}) {
			return protocol.Refuse(
				"nothing-to-withdraw",
				"that %s contradicts %s is not yours to take back",
				p.ID,
				m.Fact,
			)
		}
		return a.Add(&state.Withdrawn{ID: m.Fact, Point: p.ID, By: a.Seat, Reason: m.Reason})
	}
	if p.Latest(a.Seat) == nil {
		return protocol.Refuse("nothing-to-withdraw", "you said nothing about %s that you could withdraw", p.ID)
	}
	return a.Add(&state.Withdrawn{ID: p.ID, By: a.Seat, Reason: m.Reason})
}

// takeBack ends what the seat said against a point that it now agrees with: its challenges, except
// unanswered ones, and the conflicts with facts that it named (RV3).
func (a *Admitter) takeBack(p *state.Point) {
	for _, id := range p.Challenges {
		if c := a.State.Challenge(id); c.By == a.Seat && !c.Settled() {
			a.Record(&state.Withdrawn{ID: id, By: a.Seat, Reason: "agrees"})
		}
	}
	for _, v := range p.Violates {
		if v.By == a.Seat && !v.Confirmed {
			a.Record(&state.Withdrawn{ID: v.Fact, Point: p.ID, By: a.Seat, Reason: "agrees"})
		}
	}
}

// AcceptSupport accepts, for each point that the reply agrees with, the supporting items that the
// seat was shown, and ends the seat's contests of items that it names (RV2, RV3).
func (a *Admitter) AcceptSupport() error {
	for _, agreed := range a.agreed {
		p := a.State.Live(agreed.point)
		if p == nil || a.Objects(p) {
			continue
		}
		if latest := p.Latest(a.Seat); latest != nil && latest.Class != state.Agree {
			continue
		}
		for _, id := range p.Evidence {
			item := a.State.Item(id)
			mine := slices.ContainsFunc(item.Contests,
				func(c ledger.Contest) bool { return c.Seat == string(a.Seat) && !c.Ended })
			if slices.Contains(a.contested, id) || mine && !slices.Contains(ids(agreed.words), id) {
				continue
			}
			if mine {
				a.Record(&state.ContestEnded{ID: id, Of: a.Seat, By: a.Seat, Reason: plain.Short(agreed.words)})
			}
			if item.Relation == ledger.Supports && item.Proven() && a.shown(item) && !item.AcceptedBy(string(a.Seat)) &&
				resolver.MayAccept(a.State, p, item, a.Seat) {
				a.Record(&state.EvidenceAccepted{ID: id, By: a.Seat})
			}
		}
	}
	return nil
}

// examined returns the document under examination that a finding is about, or "" (RV4). A document is under
// examination because of where it came from: it is the design or the question, the question names it, or the session
// examines all prose that it was given. It may have another name.
func examined(s *state.State, f *ledger.Finding) string {
	path, _, _ := strings.Cut(f.Reference, ":")
	if path == "" || !s.EvidenceKind(f.Reference).IsPlace() {
		return ""
	}
	in := &s.Settings
	isCopy := func(text string) bool {
		return text != "" && (f.Digest == ledger.Digest([]byte(text)) || f.Digest == ledger.Digest([]byte(text+"\n")))
	}
	if isCopy(in.Input.Design) || in.Input.DesignPath != "" && sameFile(path, in.Input.DesignPath) {
		return path
	}
	if ledger.IsSource(path) {
		return ""
	}
	if in.QuestionPath != "" && sameFile(path, in.QuestionPath) {
		return path
	}
	official := slices.ContainsFunc(in.Official, func(marked string) bool {
		return marked == "." || path == marked || strings.HasPrefix(path, marked+"/")
	})
	if official || !ledger.IsProse(path) {
		return ""
	}
	if namesFile(s.Question, path) {
		return path
	}
	all := protocol.Of(s) != nil && Of(s).Examines(s)
	for _, given := range in.Context {
		isQuestion := in.QuestionPath != "" && sameFile(given.Path, in.QuestionPath)
		if (all && ledger.IsProse(given.Path) || isQuestion) && (sameFile(path, given.Path) || isCopy(given.Text)) {
			return path
		}
	}
	return ""
}

// namesFile reports whether a text names a file by its path, or by the end of it. The name may stand between characters
// of a script without blanks.
func namesFile(text, path string) bool {
	isName := func(c byte) bool {
		return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	base := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	lower := strings.ToLower(text)
	for at := 0; ; {
		found := strings.Index(lower[at:], base)
		if found < 0 {
			return false
		}
		from, to := at+found, at+found+len(base)
		at = to
		// In "plan.md.bak" and "plan.mdx" it is another file, in "See plan.md." it is not.
		if to < len(lower) && (isName(lower[to]) || lower[to] == '.' && to+1 < len(lower) && isName(lower[to+1])) {
			continue
		}
		for from > 0 && (isName(lower[from-1]) || lower[from-1] == '/' || lower[from-1] == '.') {
			from--
		}
		if sameFile(strings.ToLower(path), lower[from:to]) {
			return true
		}
	}
}

// sameFile reports whether one of two paths ends with the other.
func sameFile(a, b string) bool {
	a, b = "/"+strings.TrimPrefix(a, "./"), "/"+strings.TrimPrefix(b, "./")
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}
