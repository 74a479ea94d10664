package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/state"
)

// check verifies references in parallel and records the findings in id order (RD6).
func (r *Session) check(ctx context.Context, ids []string) error {
	checks, cancel := context.WithCancel(ctx)
	defer cancel()
	r.cancel, r.cancelled = cancel, false
	defer func() { r.cancel = nil }()
	findings := make([]ledger.Finding, len(ids))
	waiting := len(ids)
	limit := make(chan struct{}, checksAtOnce)
	for i, id := range ids {
		item := r.State.Item(id)
		before := citedBefore(r.State, item)
		go func() {
			limit <- struct{}{}
			f := r.checkOne(checks, item)
			if again := clearer(item, f.Candidates, before); again != nil {
				f = r.checkOne(checks, again)
			}
			<-limit
			r.commands <- func() { findings[i], waiting = f, waiting-1 }
		}()
	}
	late := time.NewTimer(quickCheck)
	defer late.Stop()
	var failed error
	for waiting > 0 {
		select {
		case f := <-r.commands:
			f()
		case <-late.C:
			if failed = r.flush(); failed != nil {
				cancel()
			}
		}
	}
	if err := cmp.Or(failed, r.stopped(ctx)); err != nil {
		return err
	}
	if r.cancelled {
		r.stepping, r.steps, r.through = true, 0, 0
	}
	return r.stage(claims.AdmitFindings(r.State, ids, findings)...)
}

// citedBefore are the files that the seat of an item cited before it.
func citedBefore(s *state.State, item *ledger.Evidence) (files []string) {
	for _, other := range s.Evidence.All() {
		if other.ID == item.ID {
			break
		}
		cited, err := ledger.ParseReference(other.Reference)
		if err == nil && other.OfferedBy == item.OfferedBy && !slices.Contains(files, cited.Path) {
			files = append(files, cited.Path)
		}
	}
	return files
}

// clearer is an item of which the reference fits several files, with the one that its seat cited before, or nil.
func clearer(item *ledger.Evidence, candidates, before []string) *ledger.Evidence {
	cited, err := ledger.ParseReference(item.Reference)
	known := slices.DeleteFunc(slices.Clone(candidates), func(file string) bool {
		return !slices.Contains(before, file)
	})
	if err != nil || len(candidates) < 2 || len(known) != 1 {
		return nil
	}
	again := *item
	cited.Path = known[0]
	again.Reference = cited.String()
	return &again
}

// Limits on checks.
const (
	checksAtOnce = 8
	// quickCheck is how long to wait for a check before the events that led to it are
	// stored and shown.
	quickCheck = 250 * time.Millisecond
	// afterDeadline is how long a check may take to end once its time is over.
	afterDeadline = 3 * time.Second
	// maxFailure is how much of the value of a panic is recorded, in characters.
	maxFailure = 300
)

// checkOne checks an item within its time. What a check panics on, and one that does not end, refuse the item with the
// reason.
func (r *Session) checkOne(ctx context.Context, item *ledger.Evidence) ledger.Finding {
	limit, expected := r.CheckTime, item.Excerpt
	switch {
	case r.Researcher == nil:
		return ledger.Finding{Reason: "citations are switched off: the session has no workspace"}
	case item.NeedsApproval():
		return ledger.Finding{Reason: "the command was not approved"}
	case item.Approval.Allows():
		limit, expected = r.CommandTime, item.Expect
	case item.Asked:
		expected = item.Expect
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answer := make(chan ledger.Finding, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				answer <- ledger.Finding{Reason: "the check failed: " + plain.Clip(fmt.Sprint(v), maxFailure)}
			}
		}()
		if item.Asked && item.Kind.IsPlace() {
			answer <- r.lookUp(ctx, item)
			return
		}
		answer <- r.Researcher.Check(ctx, item.Reference, expected)
	}()
	select {
	case f := <-answer:
		return f
	case <-ctx.Done():
	}
	// A check that ends with its context still reports what it found and what it had to end. One that ignores its
	// context is abandoned.
	late := time.NewTimer(afterDeadline)
	defer late.Stop()
	select {
	case f := <-answer:
		return f
	case <-late.C:
		return ledger.Finding{Reason: fmt.Sprintf("the check did not end: %v", ctx.Err())}
	}
}

// mostPlaces is how many of the places that a lookup shows are checked.
const mostPlaces = 20

// lookUp answers a query or lookup that a seat asked for as evidence. What it shows counts only where a citation of the
// same lines would, and not knowing is neither met nor unmet.
func (r *Session) lookUp(ctx context.Context, item *ledger.Evidence) ledger.Finding {
	finding := ledger.Finding{
		Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
		Reference: item.Reference,
	}
	expected, err := ledger.ParseLookupExpectation(item.Expect)
	lookup, wrong := claims.LookupOf(item.Reference)
	if err := cmp.Or(err, wrong); err != nil {
		finding.Reason = err.Error()
		return finding
	}
	if r.Looker == nil {
		finding.Reason = "lookups are switched off: the session has no workspace"
		return finding
	}
	m, ok := lookup.(*move.Search)
	if ok && !(len(m.Query) > 2 && m.Query[0] == '/' && m.Query[len(m.Query)-1] == '/') {
		m.Query = "/(?i)" + regexp.QuoteMeta(m.Query) + "/"
	}
	text, shown, err := r.Looker.Look(ctx, lookup, protocol.MaxLookup)
	bound := ""
	if large, ok := r.Looker.(interface{ Bound() string }); ok {
		bound = large.Bound()
	}
	nothing, found := errors.AsType[protocol.NothingFound](err)
	if err != nil && !found {
		finding.Reason = err.Error()
		return finding
	}
	if _, lists := lookup.(*move.List); lists && err == nil {
		for name := range strings.Lines(text) {
			shown = append(shown, state.Passage{Path: strings.TrimSpace(name), From: 1, To: 1})
		}
	}
	// Lines of a document under examination, of moot's own output or of files that changed since show nothing.
	places, refused, has := []string{}, "", false
	for _, p := range shown[:min(len(shown), mostPlaces)] {
		place := fmt.Sprintf("%s:%d-%d", p.Path, p.From, p.To)
		if p.From == p.To {
			place = fmt.Sprintf("%s:%d", p.Path, p.From)
		}
		checked := r.Researcher.Check(ctx, place, "")
		if name := claims.Examined(r.State, place); checked.Verified && name != "" {
			checked.Verified, checked.Reason = false, name+" is under examination, and shows only that it says so"
		}
		if !checked.Verified {
			refused = place + ": " + checked.Reason
			continue
		}
		places = append(places, place)
		has = has || expected.Text != "" && strings.Contains(checked.Excerpt, expected.Text)
		finding.Excerpt += place + ": " + checked.Excerpt + "\n"
	}
	finding.Excerpt = strings.TrimSpace(plain.Cut(finding.Excerpt, 4<<10))
	finding.Digest = ledger.Digest([]byte(finding.Excerpt))
	met := map[string]bool{"found": len(places) > 0, "none": len(shown) == 0, "has": has, "lacks": !has}[expected.Demand]
	// More places than were checked, or an incomplete search, may still hold the text.
	whole := len(shown) <= mostPlaces && bound == "" && !incomplete(text)
	said := "found in " + strings.Join(places, ", ")
	if len(shown) == 0 {
		said = string(nothing)
	}
	switch {
	case len(places) == 0 && refused != "":
		finding.Reason = "what it found is no evidence: " + refused
	case len(places) == 0 && expected.Text != "":
		finding.Reason = "nothing was found that could hold the text: " + said
	case expected.Text != "" && !has && !whole:
		finding.Reason = "not everything could be searched for the text"
	case len(places) == 0 && bound != "":
		finding.Reason = said + "; only " + bound + " of the folder were looked at"
	default:
		finding.Verified, finding.Unmet = met, !met
		result := "not met"
		if met {
			result = "met"
		}
		finding.Reason = fmt.Sprintf("%s; expected and %s: %s", said, result, expected)
	}
	return finding
}

// incomplete reports whether the answer to a lookup ends with a line that says that there is more.
func incomplete(text string) bool {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := lines[len(lines)-1]
	return strings.HasPrefix(last, "cut at line ") || strings.HasPrefix(last, "there are more matches: ") ||
		strings.HasPrefix(last, "and ") && strings.HasSuffix(last, " more: narrow the glob")
}
