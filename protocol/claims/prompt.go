package claims

import (
	"cmp"
	_ "embed" // for prompts.md
	"fmt"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

//go:embed prompts.md
var prompts string

// PromptBuilder builds the prompt of a debate over claims.
type PromptBuilder struct{ *protocol.PromptBuilder }

// NewPrompt returns a prompt with the given texts of the format. Uses are the fields of moves that only this
// format reads.
func NewPrompt(s *state.State, ask protocol.Ask, texts string, uses ...string) *PromptBuilder {
	b := &PromptBuilder{&protocol.PromptBuilder{State: s, Ask: ask, Texts: []string{texts, prompts}}}
	b.Disputed = b.disputed
	for _, field := range []string{"limit", "derived", "severity", "value", "cites"} {
		if !slices.Contains(uses, field) {
			b.Without = append(b.Without, field)
		}
	}
	if ask.Stage != state.StageConclude {
		b.Without = append(b.Without, "sentence")
	}
	if s.Settings.Framing != state.FramingSynthesize {
		b.Without = append(b.Without, "holder")
	}
	if s.Settings.Framing != state.FramingCompare {
		b.Without = append(b.Without, "option", "criterion")
	}
	return b
}

// Whole returns the prompt of a debate over claims, for a seat with the given role text (JU7).
// Everything that a seat must know is in every prompt: preamble, anchor, phase and round, live
// ledger, points and open challenges. So a participant that lost its conversation lacks nothing
// (JU8). The texts of also come after the request of the stage.
func (b *PromptBuilder) Whole(role string, also ...string) protocol.Prompt {
	b.Anonymous = b.Ask.Stage == state.StageArbiter
	b.Begin(protocol.PromptText(prompts, "preamble"), role)
	b.Commands()
	b.Anchor()
	b.position()
	b.Facts()
	b.Points()
	b.Challenges()
	b.Evidence()
	b.request(also...)
	return b.Within()
}

// RoleText is the role of a seat in a debate over claims.
func RoleText(seat state.Seat) string {
	if seat == state.Orchestrator {
		return protocol.PromptText(prompts, "role-orchestrator")
	}
	return strings.ReplaceAll(protocol.PromptText(prompts, "role-consultee"), "{{seat}}", string(seat))
}

// Commands explains how to cite what is no place in a file: what runs, if anything can, and the other kinds of
// evidence.
func (b *PromptBuilder) Commands() {
	settings := &b.State.Settings
	runs := settings.Workspace != "" && (settings.Attended || len(b.State.AllowedCommands) > 0)
	leave := "The user is asked before one runs."
	switch allowed := strings.Join(b.State.AllowedCommands, "; "); {
	case allowed != "" && settings.Attended:
		leave = "The user is asked before one runs; these run at once (* is any word, ... any that follow): " + allowed
	case allowed != "":
		leave = "Only these may run (* is any word, ... any that follow): " + allowed
	}
	for _, kind := range ledger.Kinds(settings.Kinds) {
		switch {
		case kind.Patch && b.State.AllowedTrials:
			b.WriteString("\n\n" + kind.Says + " It runs at once.")
		case kind.Patch && settings.Attended && settings.Workspace != "":
			b.WriteString("\n\n" + kind.Says + " The user sees the patch and is asked before it runs.")
		case kind.Patch:
		case kind.Runs && runs:
			b.WriteString("\n\n" + kind.Says + " " + leave)
		case !kind.Runs && !kind.IsPlace():
			b.WriteString("\n\n" + kind.Says)
		}
	}
}

func (b *PromptBuilder) position() {
	if b.State.Settings.Mode == state.ModeQuick {
		b.Line("Round %d of %d.", b.State.Round, resolver.LastRound(b.State))
		return
	}
	phase := cmp.Or(string(b.State.Phase), "unknown (as DEVELOPMENT)")
	b.Line("Round %d of %d, phase %s.", b.State.Round, resolver.LastRound(b.State), phase)
	switch b.State.Phase {
	case state.Constructive:
	case state.Development, state.PhaseUnknown:
		b.Line("New independent points are no longer evaluated; defenses, rebuttals and revisions are.")
	case state.Crystallization:
		b.Line("Only defenses to open challenges are taken, and only evidence that answers one or that was asked for.")
	}
}

// MaxListed bounds the settled points in a prompt.
const MaxListed = 40

// Shown returns the points that the seat is shown: no merged ones and, in the blind first pass,
// none of other seats (RD1b).
func (b *PromptBuilder) shown() []*state.Point {
	var points []*state.Point
	for _, p := range b.State.Points.All() {
		blind := b.Ask.Stage == state.StagePropose && !p.IsAuthor(state.User) && !p.IsAuthor(b.Ask.Seat)
		if p.MergedInto == "" && !blind {
			points = append(points, p)
		}
	}
	return points
}

// Points lists the points: those under deliberation in full, settled ones in short. The arbiter
// sees the buckets, and not who said what (AR).
func (b *PromptBuilder) Points() {
	if b.Ask.Stage == state.StageArbiter {
		b.buckets()
		return
	}
	inner := &strings.Builder{}
	settled := 0
	for _, p := range b.shown() {
		switch {
		case Live(p):
			protocol.Write(inner, p.ID, " [", b.about(p), "]: ", plain.Indent(p.Text), "\n")
			for _, note := range b.State.Notes.All() {
				if note.Point == p.ID {
					fmt.Fprintf(inner, "   note: %s\n", plain.Indent(note.Text))
				}
			}
		case settled < MaxListed:
			settled++
			protocol.Write(inner, p.ID, " [settled: ", ClosedReason(b.State, p), "]: ", plain.Short(p.Text), "\n")
		}
	}
	b.List("Points:", "points", inner)
}

func (b *PromptBuilder) about(p *state.Point) string {
	parts := []string{
		kindShown(b.State, p),
		"by " + strings.Join(enum.Words(p.Authors), ", "),
		fmt.Sprintf("round %d", p.Round),
	}
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
		{"needs ", strings.Join(p.Needs, " ")},
	} {
		if f[1] != "" {
			parts = append(parts, f[0]+strings.NewReplacer("[", "(", "]", ")").Replace(plain.OneLine(f[1])))
		}
	}
	if latest := p.Latest(b.Ask.Seat); latest != nil {
		parts = append(parts, "you said "+string(latest.Class))
	}
	return strings.Join(parts, "; ")
}

// kindShown returns the kind by which a point is ruled, and the one that its author proposes if they differ (KI).
func kindShown(s *state.State, p *state.Point) string {
	kind := resolver.KindOf(s, p)
	if proposed := resolver.ProposedKind(p); proposed != kind && p.UserKind == "" {
		return string(kind) + ", proposed as " + string(proposed)
	}
	return string(kind)
}

func (b *PromptBuilder) buckets() {
	inner := &strings.Builder{}
	for _, p := range b.shown() {
		if r := b.State.Ruling(p.ID); r != nil {
			fmt.Fprintf(inner, "%s %s %s %s: %s - %s\n", p.ID, r.Bucket, r.Tag, r.Status, plain.Indent(p.Text),
				plain.Indent(b.Unattributed(r.Reason)))
		}
	}
	b.Line("Buckets:")
	b.Fence("buckets", inner.String())
}

// Challenges lists what the seat must answer or judge, verbatim with rounds
// (RD4).
func (b *PromptBuilder) Challenges() {
	inner := &strings.Builder{}
	for _, c := range OpenChallenges(b.State, b.Ask.Seat, state.StandsOpen, state.StandsDropped, state.StandsReminded) {
		fmt.Fprintf(inner, "%s %s on %s, round %d, for you to answer: %s\n", c.ID, c.Kind, c.Point, c.Round,
			plain.Indent(c.Objection))
		for _, detail := range [][2]string{
			{"it falls if", c.UpgradeIf}, {"its grounds", c.Grounds}, {"this would stand", c.Narrower},
		} {
			if detail[1] != "" {
				fmt.Fprintf(inner, "   %s: %s\n", detail[0], plain.Indent(detail[1]))
			}
		}
		if last := c.Last(); last != nil && last.Judgment == state.Rejected {
			fmt.Fprintf(
				inner,
				"   your last defense was rejected: %s. This is the last chance.\n",
				plain.Indent(last.Reason),
			)
			fmt.Fprintf(
				inner,
				"   you said there: %q; say something new, a repetition does not count\n",
				plain.Short(last.Text),
			)
		}
		if c.Confirm {
			fmt.Fprintf(inner, "   this passage of yours seems to answer it: %q. Confirm with \"Re %s: ...\".\n",
				plain.Short(c.Unconfirmed), c.ID)
		}
	}
	for _, c := range Unjudged(b.State, b.Ask.Seat) {
		fmt.Fprintf(inner, "%s %s on %s, round %d: %s\n", c.ID, c.Kind, c.Point, c.Round, plain.Indent(c.Objection))
		last := c.Last()
		fmt.Fprintf(
			inner,
			"   defense by %s, round %d, for you to judge: %s\n",
			last.By,
			last.Round,
			plain.Indent(last.Text),
		)
		if last.Again {
			inner.WriteString("   it was rejected; judge it again by what both sides say that they mean\n")
		}
	}
	b.List("Challenges:", "challenges", inner)
}

// maxPatchShown is how much of a patch the other seats are shown, in bytes.
const maxPatchShown = 4 << 10

// EvidenceLine describes an item of evidence: the result of its check, who judged that it bears on
// its point and who contests that (RV6). Verified is the text for a verified item.
func EvidenceLine(item *ledger.Evidence, verified string) string {
	verdict, more := "not checked yet", ""
	switch {
	case item.Proven():
		verdict = verified
		for _, a := range item.Accepted {
			more += fmt.Sprintf("   accepted by %s\n", a.Seat)
		}
		for _, c := range item.Contests {
			more += fmt.Sprintf("   contested by %s: %s", c.Seat, plain.Indent(c.Reason))
			if c.Answer != "" {
				more += fmt.Sprintf("; %s answers: %s", item.OfferedBy, plain.Indent(c.Answer))
			}
			if c.Ended {
				more += "; ended"
			}
			more += "\n"
		}
	case item.Approval == ledger.ApprovalWaiting && !item.Checked:
		verdict = "waits for the user's approval, expected: " + plain.OneLine(item.Expect)
	case item.Verified:
		verdict = "verified, not admitted"
	case item.Unclear:
		// Its seat can cite it again.
		verdict = plain.OneLine(item.Reason)
	case item.Checked:
		verdict = "refused: " + plain.OneLine(item.Reason)
		if item.Nearest != "" {
			more = "   really there: " + plain.Indent(item.Nearest) + "\n"
		}
	}
	if item.Patch != "" {
		// What a trial shows depends on what it ran.
		more += "   its patch " + plain.OneLine(item.Tried()) + ":\n   | " + plain.Indent(plain.Cut(item.Patch, maxPatchShown)) + "\n"
	}
	excerpt := plain.Short(item.Excerpt)
	if strings.Contains(item.Excerpt, "\n") && item.Run == nil {
		// The lines of a citation without a quote are shown whole, so that seats can judge them.
		excerpt = "\n   | " + plain.Indent(item.Excerpt)
	}
	return fmt.Sprintf("%s %s %s, by %s, %s, %s: %s\n%s", item.ID, item.Relation, item.Point, item.OfferedBy,
		plain.OneLine(item.Reference), verdict, excerpt, more)
}

// Evidence lists what was checked on the points under deliberation.
func (b *PromptBuilder) Evidence() {
	if b.Ask.Stage == state.StagePropose || b.Ask.Stage == state.StageArbiter {
		return
	}
	inner := &strings.Builder{}
	for _, p := range LivePoints(b.State) {
		for _, id := range p.Evidence {
			item := b.State.Item(id)
			verified := "verified"
			if item.Shown {
				verified = "shown, without a quote"
			}
			if item.Run != nil {
				verified += ": " + plain.OneLine(item.Reason)
			}
			if resolver.Counts(b.State, p, item) {
				verified += "; counts"
			} else {
				verified += "; does not count yet"
			}
			inner.WriteString(EvidenceLine(item, verified))
		}
	}
	b.List("Evidence (checked by code, against the files or by running it):", "evidence", inner)
}

// request writes what the seat is asked for now.
func (b *PromptBuilder) request(also ...string) {
	b.LastReply()
	b.Requests()
	body := b.Section("stage-" + string(b.Ask.Stage))
	body = strings.ReplaceAll(body, "{{framing}}", b.Section("framing-"+string(b.State.Settings.Framing)))
	body = strings.ReplaceAll(body, "{{pairs}}", b.pairs())
	b.Line("%s", strings.TrimSpace(body))
	if b.Ask.Stage == state.StageEvaluate && slices.Contains(b.State.Consultees(), b.Ask.Seat) {
		b.Line("%s", b.Section("framing-"+string(b.State.Settings.Framing)))
	}
	for _, text := range also {
		b.Line("%s", text)
	}
	b.Todo()
}

// Requests lists the open requests to the seat.
func (b *PromptBuilder) Requests() {
	if b.Ask.Stage == state.StagePropose {
		return
	}
	inner := &strings.Builder{}
	for _, r := range RequestsOf(b.State, b.Ask.Seat) {
		fmt.Fprintf(inner, "%s on %s: %s\n", r.Kind, r.Point, plain.Indent(r.Text))
	}
	b.List("Asked of you:", "requests", inner)
}

// Todo lists the open tasks by id, so that the model overlooks none.
func (b *PromptBuilder) Todo() {
	due := DueOf(b.State, b.Ask)
	classify := "To classify"
	if due.Optional {
		// A claim without a flaw gets only a confidence.
		classify = "To test"
	}
	for _, row := range []struct {
		what string
		ids  []string
	}{
		{classify, due.Classify},
		{"To judge", due.Judge},
		{"To answer", due.Answer},
		{"To accept or contest", due.Weigh},
		{"To score", due.Score},
	} {
		if len(row.ids) > 0 {
			b.Line("%s: %s.", row.what, strings.Join(row.ids, " "))
		}
	}
}

// pairs proposes points of different consultees that may be on the same subject, by their common
// words. It never merges any (RD1b).
func (b *PromptBuilder) pairs() string {
	if b.Ask.Seat != state.Orchestrator || len(b.State.Consultees()) < 2 {
		return ""
	}
	var found []string
	points := LivePoints(b.State)
	for i, p := range points {
		for _, q := range points[i+1:] {
			if !slices.Equal(p.Authors, q.Authors) && resolver.Similarity(p.Text, q.Text) >= resolver.SameSubject {
				found = append(found, p.ID+" and "+q.ID)
			}
		}
	}
	out := "\nCompare points of different seats (TRIAGE with other, same_subject, opposed, alike): only pairs on " +
		"the same subject can conflict."
	if len(found) > 0 {
		out += " Likely pairs: " + strings.Join(found, "; ") + "."
	}
	return out
}

// disputed returns the evidence references and fact ids that the points under deliberation and
// their challenges cite (LE7).
func (b *PromptBuilder) disputed() map[string]bool {
	cites := map[string]bool{}
	note := func(texts ...string) {
		for _, text := range texts {
			for _, id := range ids(text) {
				cites[id] = true
			}
		}
	}
	for _, p := range LivePoints(b.State) {
		note(p.Text)
		for _, id := range p.Evidence {
			cites[b.State.Item(id).Reference] = true
		}
		for _, id := range p.Challenges {
			c := b.State.Challenge(id)
			note(c.Objection, c.UpgradeIf, c.Grounds)
			for i := range c.Defenses {
				note(c.Defenses[i].Text, c.Defenses[i].Reason)
			}
		}
	}
	return cites
}
