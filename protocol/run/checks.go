package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"moot/ledger"
	"moot/protocol"
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
	return r.stage(protocol.AdmitFindings(r.State, ids, findings)...)
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
	known := slices.DeleteFunc(slices.Clone(candidates), func(file string) bool { return !slices.Contains(before, file) })
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
)

// checkOne reports errors and panics as a refused finding.
func (r *Session) checkOne(ctx context.Context, item *ledger.Evidence) (f ledger.Finding) {
	defer func() {
		if v := recover(); v != nil {
			f = ledger.Finding{Reason: fmt.Sprintf("the check failed: %v", v)}
		}
	}()
	limit, expected := r.CheckTime, item.Excerpt
	switch {
	case r.Researcher == nil:
		return ledger.Finding{Reason: "citations are switched off: the session has no workspace"}
	case item.NeedsApproval():
		return ledger.Finding{Reason: "the command was not approved"}
	case item.Approval.Allows():
		limit, expected = r.CommandTime, item.Expect
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return r.Researcher.Check(ctx, item.Reference, expected)
}
