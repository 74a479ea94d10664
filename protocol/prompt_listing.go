package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// maxListed bounds how many settled points a prompt recalls.
const maxListed = 40

// shown returns the points that the seat is shown: in the blind first pass no
// other seat's (RD1b), and none that were merged away.
func (b *brief) shown() []*state.Point {
	var points []*state.Point
	for _, p := range b.s.Points.All() {
		blind := b.ask.Stage == state.StagePropose && !p.IsAuthor(state.User) && !p.IsAuthor(b.ask.Seat)
		if p.MergedInto == "" && !blind {
			points = append(points, p)
		}
	}
	return points
}

// points lists the points: what is under deliberation in full, what is settled
// in short. The arbiter sees the buckets, and not who said what (AR).
func (b *brief) points() {
	if b.ask.Stage == state.StageArbiter {
		b.buckets()
		return
	}
	inner := &strings.Builder{}
	settled := 0
	for _, p := range b.shown() {
		switch {
		case live(p):
			fmt.Fprintf(inner, "%s [%s]: %s\n", p.ID, b.about(p), within(p.Text))
			for _, note := range b.s.Notes.All() {
				if note.Point == p.ID {
					fmt.Fprintf(inner, "   note: %s\n", within(note.Text))
				}
			}
		case settled < maxListed:
			settled++
			fmt.Fprintf(inner, "%s [settled: %s]: %s\n", p.ID, b.ended(p), clip(p.Text))
		}
	}
	b.list("Points:", "points", inner)
}

func (b *brief) about(p *state.Point) string {
	parts := []string{"by " + strings.Join(enum.Words(p.Authors), ", "), fmt.Sprintf("round %d", p.Round)}
	if p.Scope == state.Untriaged {
		parts = append(parts, "untriaged")
	}
	if p.Label != "" {
		parts = append(parts, p.Label)
	}
	for _, f := range [][2]string{
		{"view of ", p.Holder},
		{"option ", p.Option},
		{"criterion ", p.Criterion},
		{"revises ", p.Revises},
	} {
		if f[1] != "" {
			parts = append(parts, f[0]+strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(f[1])))
		}
	}
	if latest := p.Latest(b.ask.Seat); latest != nil {
		parts = append(parts, "you said "+string(latest.Class))
	}
	return strings.Join(parts, "; ")
}

func (b *brief) ended(p *state.Point) string {
	if r := b.s.Ruling(p.ID); r != nil && r.Bucket != state.BucketOpen {
		return strings.TrimSpace(string(r.Bucket) + " " + string(r.Tag))
	}
	if p.RevisedBy != "" {
		return "revised as " + p.RevisedBy
	}
	return string(p.Scope)
}

func (b *brief) buckets() {
	inner := &strings.Builder{}
	for _, p := range b.shown() {
		if r := b.s.Ruling(p.ID); r != nil {
			fmt.Fprintf(inner, "%s %s %s %s: %s - %s\n", p.ID, r.Bucket, r.Tag, r.Status, within(p.Text),
				within(b.unattributed(r.Reason)))
		}
	}
	b.line("Buckets:")
	b.fence("buckets", inner.String())
}

// challenges lists what the seat must answer or judge, verbatim with rounds
// (RD4).
func (b *brief) challenges() {
	inner := &strings.Builder{}
	for _, c := range openChallenges(b.s, b.ask.Seat, state.StandsOpen, state.StandsDropped, state.StandsReminded) {
		fmt.Fprintf(inner, "%s %s on %s, round %d, for you to answer: %s\n", c.ID, c.Kind, c.Point, c.Round,
			within(c.Objection))
		if c.UpgradeIf != "" {
			fmt.Fprintf(inner, "   it falls if: %s\n", within(c.UpgradeIf))
		}
		if c.Grounds != "" {
			fmt.Fprintf(inner, "   its grounds: %s\n", within(c.Grounds))
		}
		if c.Narrower != "" {
			fmt.Fprintf(inner, "   this would stand: %s\n", within(c.Narrower))
		}
		if last := c.Last(); last != nil && last.Judgment == state.Rejected {
			fmt.Fprintf(inner, "   your last defense was rejected: %s. This is the last chance.\n", within(last.Reason))
		}
		if c.Confirm {
			fmt.Fprintf(inner, "   this passage of yours seems to answer it: %q. Confirm with \"Re %s: ...\".\n",
				clip(c.Unconfirmed), c.ID)
		}
	}
	for _, c := range unjudged(b.s, b.ask.Seat) {
		fmt.Fprintf(inner, "%s %s on %s, round %d: %s\n", c.ID, c.Kind, c.Point, c.Round, within(c.Objection))
		last := c.Last()
		fmt.Fprintf(inner, "   defense by %s, round %d, for you to judge: %s\n", last.By, last.Round, within(last.Text))
	}
	b.list("Challenges:", "challenges", inner)
}

// evidenceLine is an item of evidence with what came of its check.
func evidenceLine(item *ledger.Evidence, point, verified string) string {
	verdict := "not checked yet"
	switch {
	case item.Counts():
		verdict = verified
	case item.Approval == ledger.ApprovalWaiting && !item.Checked:
		verdict = "waits for the user's approval, expected: " + oneLine(item.Expect)
	case item.Verified:
		verdict = "verified, not admitted"
	case item.Checked:
		verdict = "refused: " + oneLine(item.Reason)
	}
	return fmt.Sprintf("%s %s %s, by %s, %s, %s: %s\n", item.ID, item.Relation, point, item.OfferedBy,
		oneLine(item.Reference), verdict, clip(item.Excerpt))
}

// evidence lists what was checked on the points under deliberation.
func (b *brief) evidence() {
	if b.ask.Stage == state.StagePropose || b.ask.Stage == state.StageArbiter {
		return
	}
	inner := &strings.Builder{}
	for _, p := range livePoints(b.s) {
		for _, id := range p.Evidence {
			item := b.s.Item(id)
			verified := "verified"
			if item.Run != nil {
				verified += ": " + oneLine(item.Reason)
			}
			inner.WriteString(evidenceLine(item, p.ID, verified))
		}
	}
	b.list("Evidence (checked by code, against the files or by running it):", "evidence", inner)
}

// request writes what the seat is asked for now.
func (b *brief) request() {
	b.lastReply()
	b.requests()
	body := text("stage-" + string(b.ask.Stage))
	body = strings.ReplaceAll(body, "{{framing}}", text("framing-"+string(b.s.Settings.Framing)))
	body = strings.ReplaceAll(body, "{{pairs}}", b.pairs())
	b.line("%s", strings.TrimSpace(body))
	if b.ask.Stage == state.StageEvaluate && slices.Contains(b.s.Consultees(), b.ask.Seat) {
		b.line("%s", text("framing-"+string(b.s.Settings.Framing)))
	}
	b.todo()
}

func (b *brief) requests() {
	open := requestsOf(b.s, b.ask.Seat)
	if len(open) == 0 || b.ask.Stage == state.StagePropose {
		return
	}
	inner := &strings.Builder{}
	for _, r := range open {
		fmt.Fprintf(inner, "%s on %s: %s\n", r.Kind, r.Point, within(r.Text))
	}
	b.line("Asked of you:")
	b.fence("requests", inner.String())
}

// todo names what is due by id, so that nothing is overlooked.
func (b *brief) todo() {
	due := DueOf(b.s, b.ask)
	classify := "To classify"
	if b.s.Settings.Format == state.FormatCouncil {
		// A claim with nothing wrong gets a confidence there, and no class.
		classify = "To test"
	}
	for _, row := range []struct {
		what string
		ids  []string
	}{{classify, due.Classify}, {"To judge", due.Judge}, {"To answer", due.Answer}, {"To score", due.Score}} {
		if len(row.ids) > 0 {
			b.line("%s: %s.", row.what, strings.Join(row.ids, " "))
		}
	}
}

// pairs proposes points of different consultees that may be on one subject;
// the word measure proposes and never merges (RD1b).
func (b *brief) pairs() string {
	if b.ask.Seat != state.Orchestrator || len(b.s.Consultees()) < 2 {
		return ""
	}
	var found []string
	points := livePoints(b.s)
	for i, p := range points {
		for _, q := range points[i+1:] {
			if !slices.Equal(p.Authors, q.Authors) && resolver.Similarity(p.Text, q.Text) >= resolver.SameSubject {
				found = append(found, p.ID+" and "+q.ID)
			}
		}
	}
	out := "\nCompare points of different seats (TRIAGE with other, same_subject, opposed, alike): only pairs on the same subject can conflict."
	if len(found) > 0 {
		out += " Likely pairs: " + strings.Join(found, "; ") + "."
	}
	return out
}
