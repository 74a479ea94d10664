package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// View implements protocol.Format.
func (Format) View() view.Format { return document{} }

// document describes a review.
type document struct{ view.Claims }

// Outcome is the outcome of a review in the exported JSON.
type Outcome struct {
	view.Concluded
	Decision Verdict  `json:"decision"`
	Reason   string   `json:"reason"`
	Gate     Severity `json:"gate"`
	Base     string   `json:"base"`
	Head     string   `json:"head"`
	// Findings are all but the merged ones, in the order of the result.
	Findings []ExportedFinding `json:"findings"`
	// Seen are the changed files that each reviewer saw, Unseen those that fewer than two saw.
	Seen   map[string][]string `json:"seen"`
	Unseen []string            `json:"unseen"`
	// Ignored are the files that the user left out.
	Ignored []string `json:"ignored"`
	// Reviewers is the number of reviewers that answered, without built-in rules.
	Reviewers int `json:"reviewers"`
}

// ExportedFinding is a finding in the exported JSON.
type ExportedFinding struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	Category Category `json:"category"`
	Path     string   `json:"path"`
	// Line and End are 0 for a whole file. Before says that they count before the change.
	Line   int    `json:"line"`
	End    int    `json:"end"`
	Before bool   `json:"before"`
	Where  Where  `json:"where"`
	What   string `json:"what"`
	Why    string `json:"why"`
	Fix    string `json:"fix"`
	Quote  string `json:"quote"`
	// Merged are the IDs of the findings that mean the same.
	Merged      []string     `json:"merged"`
	RaisedBy    []state.Seat `json:"raised_by"`
	ConfirmedBy []state.Seat `json:"confirmed_by"`
	RefutedBy   []state.Seat `json:"refuted_by"`
	Bucket      state.Bucket `json:"bucket"`
	Tag         state.Tag    `json:"tag"`
	Status      state.Status `json:"status"`
	Reason      string       `json:"reason"`
	Fingerprint string       `json:"fingerprint"`
	// Known is the review that it is remembered from, or "".
	Known string `json:"known"`
}

// Outcome implements view.Format.
func (document) Outcome(s *state.State) any {
	d := DecisionOf(s)
	settings := SettingsOf(s)
	out := Outcome{
		Concluded: view.Conclude(s), Decision: d.Verdict, Reason: d.Reason, Gate: settings.Gate, Base: settings.Change.Base,
		Head: settings.Change.Head, Findings: []ExportedFinding{}, Seen: map[string][]string{}, Unseen: Unseen(s),
		Ignored: []string{}, Reviewers: len(Answered(s)),
	}
	for _, p := range Sorted(s) {
		out.Findings = append(out.Findings, Export(s, p))
	}
	for _, seat := range Reviewers(s) {
		out.Seen[string(seat)] = []string{}
	}
	for i := range settings.Change.Files {
		f := &settings.Change.Files[i]
		if f.Ignored != "" {
			out.Ignored = append(out.Ignored, f.Path)
			continue
		}
		for _, seat := range Reviewers(s) {
			if (replied(s, seat) || s.ByRules(seat)) && Saw(s, seat, f) {
				out.Seen[string(seat)] = append(out.Seen[string(seat)], f.Path)
			}
		}
	}
	return out
}

// Sorted returns the findings without merged ones: by severity, the agreed ones of a severity first, then in order. Those
// over the limit come last.
func Sorted(s *state.State) []*state.Point {
	points := Heads(s)
	behind := map[string]int{}
	for _, p := range points {
		if Ruling(s, p).Bucket != state.BucketAgreed {
			behind[p.ID] = 1
		}
	}
	slices.SortStableFunc(points, func(a, b *state.Point) int {
		return cmp.Or(bySeverity(s, a, b), cmp.Compare(behind[a.ID], behind[b.ID]))
	})
	return append(points, s.Points.Filter(func(p *state.Point) bool {
		f := Of(s).Finding(p.ID)
		return f != nil && f.Over
	})...)
}

// Export returns a finding as it is exported.
func Export(s *state.State, p *state.Point) ExportedFinding {
	f, r := Of(s).Finding(p.ID), Ruling(s, p)
	spot := SpotOf(s, placed(s, p))
	one := ExportedFinding{
		ID: p.ID, Severity: SeverityOf(s, p), Category: f.Category, Path: spot.Path, Line: spot.Line, End: spot.End,
		Before: spot.Before, Where: spot.Where, What: f.What, Why: f.Why, Fix: f.Fix, Quote: Quoted(s, p),
		Merged: view.Some(p.Aliases), RaisedBy: raisers(s, p), ConfirmedBy: said(s, p, WordConfirm),
		RefutedBy: said(s, p, WordRefute), Bucket: r.Bucket, Tag: r.Tag, Status: r.Status, Reason: r.Reason,
		Fingerprint: FingerprintOf(s, p),
	}
	if k := knownOf(s, p); k != nil {
		one.Known = k.Session
	}
	return one
}

// raisers are the reviewers that raised a finding and did not take it back.
func raisers(s *state.State, p *state.Point) []state.Seat {
	seats := []state.Seat{}
	for _, f := range Members(s, p) {
		if IsReviewer(f.By) && f.WithdrawnSeq == 0 && !slices.Contains(seats, f.By) {
			seats = append(seats, f.By)
		}
	}
	return seats
}

// said are the reviewers with a word of a kind that counts as theirs.
func said(s *state.State, p *state.Point, kind WordKind) []state.Seat {
	seats := []state.Seat{}
	for _, w := range words(s, p) {
		if w.Kind == kind && speaks(s, p, w) && !slices.Contains(seats, w.By) {
			seats = append(seats, w.By)
		}
	}
	return seats
}

// statements never changes.
var statements = view.Statements{ //nolint:gochecknoglobals // a table
	{
		ID: "answers/none", Words: "no reviewer answered, and a decision needs two",
		When: func(r view.Record) ([]any, bool) { return nil, len(Answered(r.State)) == 0 },
	},
	{
		ID: "answers/one", Words: "only %s answered, and a decision needs two reviewers",
		When: func(r view.Record) ([]any, bool) {
			answered := Answered(r.State)
			return []any{resolver.SeatNames(answered)}, len(answered) == 1
		},
	},
	{
		ID: "merge/nothing", Words: "%s found nothing; at least two saw each changed file%s",
		When: func(r view.Record) ([]any, bool) {
			return []any{
				view.Counted(len(Answered(r.State)), "reviewer"), leftOutWords(r.State),
			}, merges(r.State) && len(Heads(r.State)) == 0
		},
	},
	{
		ID: "merge/below", Words: "no finding on the change at or above %s is left; at least two reviewers saw each changed file%s",
		When: func(r view.Record) ([]any, bool) {
			return []any{SettingsOf(r.State).Gate, leftOutWords(r.State)}, merges(r.State)
		},
	},
	{
		ID: "unseen/files", Words: "fewer than two reviewers saw %s",
		When: func(r view.Record) ([]any, bool) {
			files := Unseen(r.State)
			return []any{fileList(files)}, len(files) > 0
		},
	},
	{
		ID: "open/nothing", Words: "Nothing open%s.",
		When: func(r view.Record) ([]any, bool) {
			open := slices.ContainsFunc(r.Rulings, func(one state.Ruling) bool { return one.Bucket != state.BucketDismissed })
			dismissed := ""
			if n := len(Heads(r.State)); n > 0 {
				dismissed = "; " + view.Counted(n, "finding") + " dismissed"
			}
			return []any{dismissed}, r.State.Exit == state.ExitDecided && !open && merges(r.State)
		},
	},
	{
		ID: "nothing/seat", Words: "found nothing",
		When: func(r view.Record) ([]any, bool) {
			seat := state.Seat(r.ID)
			return nil, replied(r.State, seat) && Found(r.State, seat) == 0
		},
	},
	{
		ID: "known/count", Words: "%d known, not raised again",
		When: func(r view.Record) ([]any, bool) {
			n := len(notRaisedAgain(r.State))
			return []any{n}, n > 0
		},
	},
	{
		ID: "memory/changed", Words: "the change edits %s, the memory of reviews; this review read it as it was before the change",
		When: func(r view.Record) ([]any, bool) {
			changed := Of(r.State).MemoryChanged
			return []any{plain.OneLine(changed)}, changed != ""
		},
	},
	{
		ID: "confirms/all", Words: "%s confirms everything that it was asked about, so its word counts for none of them",
		When: func(r view.Record) ([]any, bool) {
			return []any{resolver.SeatName(state.Seat(r.ID))}, ConfirmsAll(r.State, state.Seat(r.ID))
		},
	},
	{
		ID: "models/same", Words: "%s are the same model: they count as one reviewer",
		When: func(r view.Record) ([]any, bool) {
			same := sameModel(r.State)
			return []any{resolver.SeatNames(same)}, len(same) > 1
		},
	},
}

// Statements implements view.Format.
func (document) Statements() view.Statements { return statements }

// merges reports whether nothing keeps the change from being merged.
func merges(s *state.State) bool {
	return len(Gating(s, state.BucketAgreed)) == 0 && len(Gating(s, state.BucketUnresolved)) == 0 && len(Unseen(s)) == 0
}

// leftOutWords says how many files the user left out, as the end of a sentence about the others.
func leftOutWords(s *state.State) string {
	if n := LeftOut(s); n > 0 {
		return fmt.Sprintf(" but the %s that you left out", view.Counted(n, "file"))
	}
	return ""
}

// fileList names a few files.
func fileList(files []string) string {
	const most = 3
	named := strings.Join(lists.Map(files[:min(most, len(files))], plain.OneLine), ", ")
	if more := len(files) - most; more > 0 {
		named += fmt.Sprintf(" and %s", view.Counted(more, "more file"))
	}
	return named
}

// notRaisedAgain are the findings that earlier rulings dismissed.
func notRaisedAgain(s *state.State) []*state.Point {
	return lists.Filter(KnownPoints(s), func(p *state.Point) bool {
		r := Ruling(s, p)
		return r.Rule == "RW6.2" && r.Bucket == state.BucketDismissed && r.Tag != state.TagFixed
	})
}

// sameModel are the reviewers whose model another one has too, for the first such model.
func sameModel(s *state.State) []state.Seat {
	by := map[string][]state.Seat{}
	for _, seat := range Reviewers(s) {
		name := model(s, seat)
		if by[name] = append(by[name], seat); name != "" && len(by[name]) > 1 {
			return lists.Filter(Reviewers(s), func(other state.Seat) bool { return model(s, other) == name })
		}
	}
	return nil
}

// Opposed implements view.Format.
func (document) Opposed(s *state.State) (seats []state.Seat, withRules bool) { return nil, false }

// Decision implements view.Format.
func (document) Decision(s *state.State) string {
	if !s.Over() {
		return ""
	}
	d := DecisionOf(s)
	return d.String()
}

// Warnings implements view.Format.
func (document) Warnings(s *state.State) []string {
	record := view.Record{State: s}
	var warnings []string
	for _, seat := range Reviewers(s) {
		warnings = append(warnings, view.Stated("confirms", record.On(string(seat))))
	}
	warnings = append(warnings, view.Stated("models", record))
	for i := range s.Missing {
		m := &s.Missing[i]
		a, _ := s.Assignment(m.Seat)
		warnings = append(warnings, fmt.Sprintf("missing: %s (%s): %s", m.Seat, a.Participant, m.Reason))
	}
	return slices.DeleteFunc(warnings, func(text string) bool { return text == "" })
}

// Status implements view.Format: the decision, or how far the review is.
func (document) Status(s *state.State, _ []state.Ruling) (string, view.Role) {
	if s.Exit == state.ExitDecided {
		d := DecisionOf(s)
		return d.Verdict.Words(), verdictRole(d.Verdict)
	}
	done := 0
	for _, seat := range Reviewers(s) {
		if replied(s, seat) {
			done++
		}
	}
	return fmt.Sprintf("%d of %d reviewed, %s", done, len(Reviewers(s)), view.Counted(len(Heads(s)), "finding")), view.RolePlain
}

func verdictRole(v Verdict) view.Role {
	switch v {
	case Merge:
		return view.RoleGood
	case DontMerge:
		return view.RoleBad
	case NeedsYou:
		return view.RoleDoubt
	case NoDecision:
	}
	return view.RoleWarn
}

// memoryLabel says what MemoryLine is for.
const memoryLabel = "Wrong? The line for the memory file on the base branch (with the tag INTENDED: it is intended)"

// mostForYou is how many findings the section for the user shows.
const mostForYou = 5

// Fill implements view.Format: the decision first, then what needs the user, then the findings.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	if s.Over() || s.Paused != state.PauseNone {
		decision := DecisionOf(s)
		d.Lead, d.LeadRole, d.Stopped, d.Answer = decision.String(), verdictRole(decision.Verdict), "", view.Section{}
	}
	sections := sectionsOf(s, rulings)
	d.Open = sections[0]
	d.Add(sections[1:]...)
	d.Add(notReviewed(s), tookPart(s))
	d.AddFacts(s)
	d.Header(s)
	d.Row("usage", view.UsageRow(s.Usage))
}

// The headings of the result under which findings are listed, besides those for the user.
const (
	inFindings  = "FINDINGS"
	inKnown     = "KNOWN"
	inOutside   = "OUTSIDE THE CHANGE"
	inDismissed = "DISMISSED"
	inOver      = "OVER THE LIMIT"
)

// sectionsOf lists the findings: what needs the user, then by severity, then the rest.
func sectionsOf(s *state.State, rulings []state.Ruling) []view.Section {
	gate := SettingsOf(s).Gate
	you := view.Section{Title: "NEEDS YOU"}
	sections := []view.Section{
		{Title: inFindings},
		{Title: inKnown, After: view.Stated("known", view.Record{State: s})},
		{Title: inOutside},
		{Title: inDismissed},
		{Title: inOver},
	}
	for _, f := range listed(s, rulings) {
		at := slices.IndexFunc(sections, func(sec view.Section) bool { return sec.Title == f.Section })
		sections[at].Items = append(sections[at].Items, f.Item)
		p, r := s.Point(f.ID), resolver.RulingOn(rulings, f.ID)
		if f.Section != inFindings || r.Bucket != state.BucketUnresolved || !SeverityOf(s, p).AtLeast(gate) || !s.Over() {
			continue
		}
		if len(you.Items) == mostForYou {
			you.Count++
			continue
		}
		short := view.Item{ID: p.ID, Aliases: p.Aliases, Mark: f.Mark, Text: f.Text, Role: f.Role}
		if f.Place != "" {
			short.Note("place", f.Place)
		}
		if len(f.RaisedBy) > 0 {
			short.Note("raised by", resolver.SeatNames(f.RaisedBy))
		}
		short.Note("why", r.Reason)
		short.Note("settled by", r.Crux)
		short.Copy = view.Note{Label: memoryLabel, Text: MemoryLine(s, p)}
		you.Items = append(you.Items, short)
	}
	if you.Count > 0 {
		you.After = fmt.Sprintf("and %s among the findings", view.Counted(you.Count, "more"))
		you.Count += len(you.Items)
	}
	if text := view.Stated("memory", view.Record{State: s}); text != "" {
		you.Lines = append(you.Lines, text)
	}
	if files := Unseen(s); len(files) > 0 && s.Over() && s.Exit == state.ExitDecided {
		you.Lines = append(you.Lines, view.Stated("unseen", view.Record{State: s}))
	}
	return append([]view.Section{you}, sections...)
}

// whereWords says how a place relates to the change, if that matters.
func whereWords(w Where) string {
	switch w {
	case Elsewhere:
		return " (not in the change)"
	case Nowhere:
		return " (no such place)"
	case Unchecked:
		return " (not checked yet)"
	case InChange, NearChange:
	}
	return ""
}

// wordNotes shows the word of a seat on a finding, with its evidence.
func wordNotes(s *state.State, w *Word) []view.Note {
	verb := map[WordKind]string{
		WordConfirm: "confirms", WordRefute: "refutes", WordUnsure: "cannot tell", WordFixed: "says fixed",
		WordIntended: "says intended", WordWrong: "says wrong",
	}[w.Kind]
	notes := []view.Note{{Label: string(w.By), Text: view.Sentence(view.Join(", ", verb, string(w.Severity)), w.Reason)}}
	for _, id := range w.Items {
		notes = append(notes, itemNote(s.Item(id)))
	}
	return notes
}

func itemNote(e *ledger.Evidence) view.Note {
	if e.Proven() {
		return view.EvidenceNote(e)
	}
	return view.Note{Label: e.ID, Text: plain.OneLine(e.Reference) + ": " + cmp.Or(e.Reason, "not checked")}
}

// notReviewed lists the changed files that a reviewer did not see, or nobody, with the reason.
func notReviewed(s *state.State) view.Section {
	sec := view.Section{Title: "NOT REVIEWED"}
	change := &SettingsOf(s).Change
	for i := range change.Files {
		f := &change.Files[i]
		if f.Ignored != "" {
			sec.Items = append(sec.Items, view.Item{Text: f.Path, Mark: "Left out by you", Notes: []view.Note{{Label: "why", Text: f.Ignored}}})
			continue
		}
		var reasons []string
		for _, w := range s.Withheld {
			if w.Path == f.Path && !slices.ContainsFunc(w.Seats, func(seat state.Seat) bool { return s.WasShown(seat, f.Path) }) {
				whom := "nobody saw it"
				if len(w.Seats) > 0 {
					whom = resolver.SeatNames(w.Seats) + " did not see it"
				}
				switch {
				case w.Lines == "":
				case strings.ContainsAny(w.Lines, "-, "):
					whom = "nobody saw lines " + w.Lines
				default:
					whom = "nobody saw line " + w.Lines
				}
				reasons = append(reasons, view.Sentence(whom, w.Reason))
			}
		}
		if len(reasons) > 0 {
			it := view.Item{Text: f.Path}
			for _, why := range reasons {
				it.Note("why", why)
			}
			sec.Items = append(sec.Items, it)
		}
	}
	return sec
}

// tookPart says what each reviewer saw and found.
func tookPart(s *state.State) view.Section {
	sec := view.Section{Title: "REVIEWERS"}
	change := &SettingsOf(s).Change
	for _, seat := range Reviewers(s) {
		a, _ := s.Assignment(seat)
		it := view.Item{Text: string(seat) + ": " + a.Participant}
		if !replied(s, seat) && !s.ByRules(seat) {
			it.Note("answer", "none")
			sec.Items = append(sec.Items, it)
			continue
		}
		seen := 0
		for i := range change.Files {
			if f := &change.Files[i]; f.Ignored == "" && Saw(s, seat, f) {
				seen++
			}
		}
		it.Note("saw", fmt.Sprintf("%d of %s", seen, view.Counted(len(change.Files)-LeftOut(s), "changed file")))
		if nothing := view.Stated("nothing", view.Record{State: s, ID: string(seat)}); nothing != "" {
			it.Note("answer", nothing)
		} else {
			it.Note("found", view.Counted(Found(s, seat), "finding"))
		}
		for _, n := range Of(s).Nothing {
			if n.By == seat && Found(s, seat) == 0 {
				it.Note("looked at", n.Text)
			}
		}
		if silent, asked := unanswered(s, seat); silent > 0 {
			it.Note("cross-examined", fmt.Sprintf("gave no answer on %d of %s", silent, view.Counted(asked, "finding")))
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// unanswered counts the findings of others that a seat was asked about in cross-examination and gave no word on, as a
// script does that holds its first reply only.
func unanswered(s *state.State, seat state.Seat) (silent, asked int) {
	seen := map[string]bool{}
	for _, e := range Of(s).Examined {
		if e.By != seat {
			continue
		}
		for _, id := range e.Points {
			f := Of(s).Finding(id)
			if p := s.Live(id); f == nil || p == nil || p.IsAuthor(seat) || seen[id] {
				continue // Who raised it says something only if it is another one's.
			}
			seen[id] = true
			if asked++; !slices.ContainsFunc(f.Words, func(w Word) bool { return w.By == seat }) {
				silent++
			}
		}
	}
	return silent, asked
}

// Event implements view.Format.
func (document) Event(_, after *state.State, data state.Payload) ([]view.Line, bool) {
	switch e := data.(type) {
	case *FindingMade:
		place := Place(&Finding{Path: e.Path, Line: e.Line, End: e.End})
		text := view.Join(" · ", string(e.Severity), place) + ": " + e.What
		label := "finding"
		if e.Known != "" {
			label = "known"
		}
		return view.One(view.Line{Key: e.Point, Replaces: []string{e.Point}, Label: label, Lead: e.Point, Text: text, Role: view.RolePoint}.By(e.By)), true
	case *NothingFound:
		return view.One(view.Say("nothing", "found nothing", e.Text, view.RoleQuiet).By(e.By)), true
	case *PlaceAsked:
		return view.One(view.Say("place", strings.Join(e.Points, " "), "not in the change; the reviewer is asked for the place", view.RoleDoubt).AsMinor()), true
	case *FindingPlaced:
		return view.One(view.Say("place", e.Point, "now at "+Place(&Finding{Path: e.Path, Line: e.Line, End: e.End}), view.RolePlain).By(e.By)), true
	case *FindingsGrouped:
		var lines []view.Line
		for _, ids := range e.Groups {
			lines = append(lines, view.Say("merged", strings.Join(ids, " "), "mean the same", view.RoleGood))
		}
		if len(lines) == 0 {
			lines = view.One(view.Say("merged", view.Counted(e.Compared, "finding"), "no two of different reviewers mean the same", view.RoleQuiet).AsMinor())
		}
		return lines, true
	case *FindingsParted:
		return view.One(view.Say("split", e.Point, view.Sentence("is not the same as "+strings.Join(e.From, " "), e.Reason), view.RoleDoubt).By(e.By)), true
	case *FindingsJoined:
		return view.One(view.Say("merge", e.A+" "+e.B, "mean the same", view.RoleUser).By(e.By)), true
	case *FindingsExamined:
		return view.One(view.Say("examined", strings.Join(e.Points, " "), "answered", view.RoleQuiet).By(e.By).AsMinor()), true
	case *ItemsHeard:
		return view.One(view.Say("heard", strings.Join(e.Items, " "), "shown to the raiser", view.RoleQuiet).By(e.By).AsMinor()), true
	case *FindingJudged:
		role := map[WordKind]view.Role{WordConfirm: view.RoleGood, WordRefute: view.RoleBad}[e.Word]
		return view.One(view.Say(string(e.Word), e.Point, e.Reason, role).By(e.By)), true
	case *FindingWithdrawn:
		return view.One(view.Say("withdrawn", e.Point, e.Reason, view.RoleQuiet).By(e.By)), true
	case *MemoryTaken:
		return view.One(view.Say("memory", view.Counted(len(e.Known), "known finding"), "from "+plain.OneLine(e.Source), view.RoleQuiet)), true
	case *FindingsRecalled:
		var lines []view.Line
		for _, one := range e.Recalled {
			k := Of(after).KnownBy(one.Known)
			if k == nil {
				continue
			}
			lines = append(lines, view.Say("known", one.Point, "from "+k.Session+": "+view.Tag(string(k.Bucket), string(k.Tag)), view.RoleQuiet))
		}
		if len(lines) == 0 {
			lines = view.One(view.Say("known", "none", "no finding is one of an earlier review", view.RoleQuiet).AsMinor())
		}
		return lines, true
	}
	return nil, false
}
