package pane

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// transcript turns events into entries. It keeps what an entry needs from
// earlier events: who sits where, what a reply cost, which line a citation has.
type transcript struct {
	Entries []*entry
	// seq is the event that is being added.
	seq   int
	seats map[state.Seat]state.SeatAssignment
	cites map[string]*entry
	// spent is what a call took whose reply was not told yet, nil where none is open.
	spent *state.UsageCounted
	// format is that of the session.
	format state.Format
	// told are the entries of the points and challenges, by their ids; wanted those
	// that say what would answer a challenge. came is how the objections to a
	// proposal came out last.
	told, wanted map[string]*entry
	came         map[string]string
	// scores is the last line of a council's confidences.
	scores *entry
	// begun is the phase of its round, 1 to 4.
	begun int
}

func NewTranscript() *transcript {
	return &transcript{
		seats: map[state.Seat]state.SeatAssignment{}, cites: map[string]*entry{},
		told: map[string]*entry{}, wanted: map[string]*entry{}, came: map[string]string{},
	}
}

// Add appends what the events say.
func (t *transcript) Add(events []state.Event) {
	for _, e := range events {
		t.unanswered(e)
		t.seq = e.Seq
		if !t.session(e.Data) && !t.talk(e.Data) && !t.point(e.Data) && !t.request(e.Data) &&
			!t.challenge(e.Data) && !t.evidence(e.Data) && !t.person(e.Data) && !t.proposal(e.Data) && !t.panel(e.Data) && !t.council(e.Data) &&
			!t.hearing(e.Data) {
			// A kind that this screen does not know is named all the same.
			t.put(toneQuiet, "", e.Data.Kind(), "")
		}
	}
}

// upTo counts the entries of the events up to one.
func (t *transcript) upTo(seq int) int {
	return sort.Search(len(t.Entries), func(i int) bool { return t.Entries[i].seq > seq })
}

func (t *transcript) put(tone tone, lead, text, right string) *entry {
	e := &entry{seq: t.seq, tone: tone, Lead: lead, Text: text, Right: right}
	t.Entries = append(t.Entries, e)
	return e
}

// by puts an entry that is marked as the user's where the seat is the user.
func (t *transcript) by(seat state.Seat, tone tone, lead, text string) *entry {
	if seat == state.User {
		return t.put(toneUser, lead, text, "user")
	}
	return t.put(tone, lead, text, "")
}

func (t *transcript) session(p state.Payload) bool {
	switch p := p.(type) {
	case *state.SessionOpened:
		t.format = p.Settings.Format
		t.put(toneQuiet, "", "opened "+p.ID, "")
		for _, a := range p.Seats {
			t.seat(a, "")
		}
	case *state.SeatTaken:
		t.seat(p.SeatAssignment, p.By)
	case *state.SessionPaused:
		t.put(toneWarn, "paused", cmp.Or(p.Reason, string(p.Why)), "")
	case *state.SessionResumed:
		t.put(toneQuiet, "", "the session goes on", "")
	case *state.ExitReached:
		t.put(toneRound, "", "exit "+sentence(string(p.Exit), p.Reason), "")
	case *state.SessionClosed:
		t.put(toneQuiet, "", "closed"+when(p.Inconclusive, ", inconclusive", ""), "")
	case *state.MapDrawn:
		t.mapDrawn(p)
	case *state.RoundStarted:
		t.begun = 0
		t.put(toneRound, "", fmt.Sprintf("round %d", p.Round), "")
	case *state.PhaseChanged:
		t.phase(p)
	case *state.Ruled:
		for i := range p.Rulings {
			if !t.judged(&p.Rulings[i]) {
				t.ruling(&p.Rulings[i])
			}
		}
	default:
		return t.check(p)
	}
	return true
}

func (t *transcript) check(p state.Payload) bool {
	switch p := p.(type) {
	case *state.CoverageChecked:
		t.put(toneQuiet, "coverage", when(p.New == 0, "no new dispute", fmt.Sprintf("%d new", p.New)), "")
	case *state.StressTested:
		t.put(toneDoubt, "stress "+p.Point, p.Objection, string(p.Grade))
	case *state.Arbitrated:
		t.put(toneQuiet, "arbiter", fmt.Sprintf("flagged %d", len(p.Flags)), "")
		for _, f := range p.Flags {
			t.put(toneDoubt, f.Point, f.Text, "flag")
		}
	case *state.QualityFailed:
		t.put(toneWarn, "quality", p.Reason, string(p.Seat))
	case *state.FoundTrivial:
		t.put(toneQuiet, "trivial", p.Reason, string(p.By))
	default:
		return false
	}
	return true
}

func (t *transcript) seat(a state.SeatAssignment, by state.Seat) {
	t.seats[a.Seat] = a
	text := string(a.Seat) + " is " + a.Participant
	if a.Model != "" {
		text += ", model " + a.Model
	}
	if a.NoModel {
		text += ", no language model"
	}
	if a.Answering != "" {
		text += ", answered by its fallback " + a.Answering
	}
	t.by(by, toneQuiet, "", text)
}

func (t *transcript) mapDrawn(p *state.MapDrawn) {
	for _, part := range []struct{ lead, text string }{
		{"shape", p.Shape},
		{"tangents", p.Tangents},
		{"drift", p.DriftSignals},
		{"ambiguous", strings.Join(p.Ambiguities, "; ")},
	} {
		if part.text != "" {
			t.put(toneQuiet, part.lead, part.text, "")
		}
	}
}

func (t *transcript) phase(p *state.PhaseChanged) {
	if t.format == state.FormatCouncil || t.format == state.FormatHearing {
		// The phases of a council follow from who is asked; a hearing has none.
		return
	}
	text := string(p.Phase)
	if text == "" {
		text = "phase unknown"
	}
	t.put(toneQuiet, "phase", sentence(text+when(p.Extended, ", extended", ""), p.Reason), "")
}

func (t *transcript) ruling(r *state.Ruling) {
	t.put(bucketTone(r.Bucket), r.Point, ruled(r)+when(r.Reason == "", "", ": "+r.Reason), r.Rule)
}

// bucketTone is what a bucket means for its point.
func bucketTone(b state.Bucket) tone {
	switch b {
	case state.BucketAgreed:
		return toneGood
	case state.BucketDismissed:
		return toneBad
	case state.BucketUnresolved:
		return toneDoubt
	case state.BucketOpen:
		return toneOpen
	case state.BucketNotEvaluated:
	}
	return toneQuiet
}

// ruled is the ruling in words: "Agreed, textual", "Unresolved, blocked".
func ruled(r *state.Ruling) string {
	_, _, name := (&theme.Look{}).Bucket(r.Bucket)
	switch {
	case agreementOnly(r):
		return name + ", agreement only"
	case r.Tag != state.TagNone && r.Tag != state.TagNotApplicable:
		return name + ", " + string(r.Tag)
	case r.Status != state.StatusNone && r.Bucket != state.BucketOpen:
		return name + ", " + string(r.Status)
	}
	return name
}

// agreementOnly reports whether nothing but agreement stands behind the ruling
// (ST4): a signal, never proof. The rules of a proposal ask nobody to agree.
func agreementOnly(r *state.Ruling) bool {
	return r.Bucket == state.BucketAgreed && r.Tag == state.TagNotApplicable && !resolver.OfProposal(r.Rule)
}

func (t *transcript) talk(p state.Payload) bool {
	switch p := p.(type) {
	case *state.PromptSent:
		if p.Warning != "" {
			t.put(toneWarn, string(p.Seat), p.Warning, "")
		}
		if len(p.Omitted) > 0 {
			t.put(toneQuiet, string(p.Seat), "left out of the prompt: "+strings.Join(p.Omitted, " "), "")
		}
	case *state.PromptEdited:
		t.put(toneUser, "", "edited the prompt to "+string(p.Seat), "user")
	case *state.PromptShrunk:
		t.put(toneWarn, string(p.Seat), shrunkWords(p), "")
	case *state.UsageCounted:
		t.spent = p
	case *state.WorkspaceChanged:
		t.put(toneWarn, string(p.Seat), p.Text, "")
	case *state.ReplyReceived:
		t.councilPhase(p.Stage)
		t.reply(p)
	case *state.ReplyRefused:
		t.put(toneBad, "refused", p.Reason, p.Code)
	default:
		return false
	}
	return true
}

// reply opens what a seat said, with what the call cost.
func (t *transcript) reply(p *state.ReplyReceived) {
	name := p.Model
	if name == "" {
		name = t.seats[p.Seat].Participant
	}
	if p.By != "" {
		name = fallback(p)
	}
	head := t.put(toneHead, string(p.Seat), sentence(name, StageName(p.Stage)), "")
	head.seat = p.Seat
	if u := t.spent; u != nil {
		t.spent = nil
		head.Right = usage(u)
		for _, note := range u.Notes {
			t.put(toneQuiet, "", note, "")
		}
	}
	if p.Recovered != "" {
		t.put(toneWarn, "recovered", p.Recovered, "")
	}
	if len(p.Repaired) > 0 {
		t.put(toneQuiet, "repaired", strings.Join(p.Repaired, "; "), "")
	}
	for _, r := range p.Refused {
		// What is wrong with a reply as a whole comes with its refusal.
		if !p.Valid && r.Move == 0 || t.toldElsewhere(r.Code) {
			continue
		}
		lead := "refused"
		if r.Move > 0 {
			lead = fmt.Sprintf("move %d refused", r.Move)
		}
		t.put(toneBad, lead, r.Text, r.Code)
	}
}

// unanswered tells of a call that brought no reply what it took: nothing of a reply
// follows it.
func (t *transcript) unanswered(next state.Event) {
	switch next.Data.(type) {
	case *state.ReplyReceived, *state.SeatTaken:
		return
	}
	u := t.spent
	if u == nil {
		return
	}
	t.spent = nil
	t.put(toneWarn, string(u.Seat), "gave no reply", usage(u))
	for _, note := range u.Notes {
		t.put(toneQuiet, "", note, "")
	}
}

// fallback names who answered in place of who sits there.
func fallback(p *state.ReplyReceived) string {
	if p.Model == "" || strings.HasSuffix(p.By, p.Model) {
		return p.By + ", its fallback"
	}
	return p.By + ", its fallback, " + p.Model
}

// usage is what a call cost: "1.2k in 340 out  $0.01  3.2 s".
func usage(u *state.UsageCounted) string {
	var parts []string
	if u.PromptTokens+u.CompletionTokens > 0 {
		parts = append(parts, about(u.Estimated)+FormatCount(u.PromptTokens)+" in "+FormatCount(u.CompletionTokens)+" out")
	}
	if u.Cost > 0 {
		parts = append(parts, FormatMoney(u.Cost))
	}
	if u.TookMillis >= 100 {
		parts = append(parts, fmt.Sprintf("%.1f s", float64(u.TookMillis)/1000))
	}
	if u.Attempts > 1 {
		parts = append(parts, fmt.Sprintf("%d tries", u.Attempts))
	}
	if u.WaitedMillis >= 100 {
		parts = append(parts, fmt.Sprintf("%.1f s waited", float64(u.WaitedMillis)/1000))
	}
	return strings.Join(parts, "  ")
}

// sentence joins two parts with a colon, where both are there.
func sentence(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + ": " + b
}

// FormatCount writes tokens shortly: 340, 1.2k, 3.4M.
func FormatCount(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return strconv.Itoa(n)
}

// FormatMoney writes US dollars with as many digits as say something.
func FormatMoney(dollars float64) string {
	if dollars > 0 && dollars < 0.01 {
		return fmt.Sprintf("$%.4f", dollars)
	}
	return fmt.Sprintf("$%.2f", dollars)
}

// about marks a figure that is an estimate.
func about(estimated bool) string {
	if estimated {
		return "~"
	}
	return ""
}
