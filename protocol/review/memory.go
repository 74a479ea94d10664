package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/review/merge"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Remembered is the ruling on a finding of a review, as later reviews of the repository remember it (RW7): one line of
// a memory file.
type Remembered struct {
	// Fingerprint names the finding: the path, the symbol, the category and the cited lines of its first review.
	Fingerprint string `json:"fingerprint"`
	Repository  string `json:"repository"`
	Branch      string `json:"branch"`
	// Session is the review that ruled, At the time as RFC 3339.
	Session string `json:"session"`
	At      string `json:"at"`

	// Path, Line and End are its place. Before says that the lines count before the change: it removed them.
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	End      int      `json:"end"`
	Before   bool     `json:"before"`
	Symbol   string   `json:"symbol"`
	Severity Severity `json:"severity"`
	Category Category `json:"category"`
	What     string   `json:"what"`
	Why      string   `json:"why"`
	// Lines are the cited lines. RefutedAt and RefutedLines are the place and the lines of the item that refuted it, or
	// "".
	Lines string `json:"lines"`
	// Digest names the changed lines of the file if the finding is about the whole file, else it is "".
	Digest       string `json:"digest"`
	RefutedAt    string `json:"refuted_at"`
	RefutedLines string `json:"refuted_lines"`

	Bucket state.Bucket `json:"bucket"`
	Tag    state.Tag    `json:"tag"`
	Status state.Status `json:"status"`
	Reason string       `json:"reason"`
	// ByUser says that the user ruled.
	ByUser bool `json:"by_user"`
}

// Known is a remembered finding that a review took in.
type Known struct {
	// ID is M1, M2, ….
	ID string `json:"id"`
	Remembered
	// Unchanged says that the cited lines, and those that refuted it, stand in the tree under review, but for white
	// space. Gone says that the file is no longer there.
	Unchanged bool `json:"unchanged"`
	Gone      bool `json:"gone"`
}

// MemoryTaken are the remembered findings that a review takes in, so that nothing else reads the memory again.
type MemoryTaken struct {
	// Source says where they come from: a file, or the reviews of the repository.
	Source string `json:"source"`
	// Changed is the memory file if the change under review changes it, or "". It was read as of the base.
	Changed string  `json:"changed"`
	Known   []Known `json:"known"`
}

// BeforeTurns says that it is recorded when the session is opened.
func (*MemoryTaken) BeforeTurns() {}

// Fold implements state.Payload.
func (e *MemoryTaken) Fold(s *state.State) error {
	n := len(Of(s).Known)
	for i := range e.Known {
		if want := state.NextID('M', n+i); e.Known[i].ID != want {
			return fmt.Errorf("the next remembered finding is %s, not %q", want, e.Known[i].ID)
		}
	}
	return state.ChangeOwn(s, func(r *Review) {
		r.Known = append(slices.Clip(r.Known), e.Known...)
		r.Sources = append(slices.Clip(r.Sources), e.Source)
		r.MemoryChanged = cmp.Or(e.Changed, r.MemoryChanged)
	})
}

// FindingsRecalled says which findings are remembered ones.
type FindingsRecalled struct {
	Recalled []Recalled `json:"recalled"`
}

// Recalled is a finding that is a remembered one.
type Recalled struct {
	Point string `json:"point"`
	Known string `json:"known"`
}

// Fold implements state.Payload.
func (e *FindingsRecalled) Fold(s *state.State) error {
	for _, one := range e.Recalled {
		if Of(s).KnownBy(one.Known) == nil {
			return state.Unknown("remembered finding", one.Known)
		}
		if err := changeFindings(s, []string{one.Point}, func(f *Finding) { f.Known = one.Known }); err != nil {
			return err
		}
	}
	return state.ChangeOwn(s, func(r *Review) { r.Recalled = true })
}

// KnownBy returns the remembered finding with the ID, or nil.
func (r *Review) KnownBy(id string) *Known {
	if i := state.Index(id, 'M'); i >= 0 && i < len(r.Known) {
		return &r.Known[i]
	}
	return nil
}

// knownOf returns the remembered finding that a point is, or nil.
func knownOf(s *state.State, p *state.Point) *Known {
	for _, f := range Members(s, p) {
		if k := Of(s).KnownBy(f.Known); k != nil {
			return k
		}
	}
	return nil
}

// remembered reports whether a point is a finding of an earlier review.
func remembered(s *state.State, p *state.Point) bool { return knownOf(s, p) != nil }

// isOpen reports whether the finding was still to be dealt with.
func (k *Known) isOpen() bool {
	return k.Bucket == state.BucketAgreed || k.Bucket == state.BucketUnresolved
}

// recall compares the findings with the remembered ones (RW7): those that are the same take the ruling, and those that
// were open and that nobody raised now stay on the list.
func recall(s *state.State) (protocol.Turn, bool) {
	r := Of(s)
	if len(r.Known) == 0 || r.Recalled || s.Round != 1 {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: s}
	e := &FindingsRecalled{Recalled: r.same(s)}
	taken := map[string]bool{}
	for _, one := range e.Recalled {
		taken[one.Known] = true
	}
	for i := range r.Known {
		k := &r.Known[i]
		if taken[k.ID] || !stays(&SettingsOf(s).Change, k) {
			continue
		}
		id := d.State.NextPoint()
		d.Record(&FindingMade{
			Point: id, By: state.Protocol, What: k.What, Why: k.Why, Severity: k.Severity, Category: k.Category,
			Path: k.Path, Line: k.Line, End: k.End, Known: k.ID,
		})
	}
	d.Record(e)
	return protocol.Turn{Events: d.Events}, true
}

// stays reports whether a remembered finding that nobody raised now remains on the list: it was open, and on this branch,
// or its lines are in a file that the change touches. A finding of another branch may not exist here.
func stays(change *Change, k *Known) bool {
	return k.isOpen() && (k.Branch == change.Branch || k.Unchanged && change.Touches(k.Path))
}

// Touches reports whether the change touches the file of a path, before it or after it, and the user did not leave it
// out.
func (c *Change) Touches(path string) bool {
	return slices.ContainsFunc(c.Files, func(f File) bool {
		return f.Ignored == "" && path != "" && (f.Path == path || f.From == path)
	})
}

// same returns which findings are remembered ones. As in RW4, the likest pair comes first, so that the order in which the
// reviewers answered changes nothing.
func (r *Review) same(s *state.State) []Recalled {
	type pair struct {
		Recalled
		likeness float64
		first    *Finding
	}
	var pairs []pair
	for _, p := range Heads(s) {
		for i := range r.Known {
			k := &r.Known[i]
			likest := 0.0
			for _, f := range Members(s, p) {
				likest = max(likest, k.likeness(s, f))
			}
			if likest > 0 {
				pairs = append(pairs, pair{Recalled{Point: p.ID, Known: k.ID}, likest, placed(s, p)})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(
			cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.first.Path, b.first.Path),
			cmp.Compare(a.first.Line, b.first.Line), cmp.Compare(a.first.What, b.first.What),
		)
	})
	list, taken := []Recalled{}, map[string]bool{}
	for _, one := range pairs {
		if !taken[one.Point] && !taken[one.Known] {
			taken[one.Point], taken[one.Known] = true, true
			list = append(list, one.Recalled)
		}
	}
	slices.SortFunc(list, func(a, b Recalled) int {
		return cmp.Compare(state.Index(a.Point, 'P'), state.Index(b.Point, 'P'))
	})
	return list
}

// mayBe reports whether a finding can be the remembered one, by their places. If it is known where the lines of the
// remembered one stand, only a finding about them is: words alone would hide another defect behind its ruling.
func (k *Known) mayBe(old, now *merge.Finding) bool {
	switch {
	case old.Path == "" || now.Path == "":
		return true // Words alone decide.
	case old.Path != now.Path:
		return false
	case old.Line == 0 || now.Line == 0:
		return old.Line == now.Line || k.isOpen()
	case !k.Unchanged:
		return true
	}
	return merge.IsNear(old, now)
}

// likeness says how alike a finding and a remembered one are, or 0 if RW4 would not merge them or their places say that
// they are not the same.
func (k *Known) likeness(s *state.State, f *Finding) float64 {
	old := merge.Finding{
		ID: k.ID, Path: k.Path, Line: k.Line, End: k.End, Symbol: k.Symbol, Category: string(k.Category),
		Text: strings.TrimSpace(k.What + "\n" + k.Why),
	}
	if file := SettingsOf(s).Change.file(k.Path); file != nil {
		old.Path = file.Path // It may have been renamed.
	}
	now := toMerge(s, f)
	if likeness := merge.Likeness(&now, &old); likeness >= merge.Same && k.mayBe(&old, &now) {
		return likeness
	}
	return 0
}

// dismissed returns the remembered finding that a finding is, if it was dismissed and its lines are unchanged, or "".
func (r *Review) dismissed(s *state.State, f *Finding) string {
	best, likest := "", 0.0
	for i := range r.Known {
		k := &r.Known[i]
		if likeness := k.likeness(s, f); likeness > likest && !k.isOpen() && k.Unchanged {
			best, likest = k.ID, likeness
		}
	}
	return best
}

// asksWhetherFixed reports whether the reviewers are asked if a remembered finding is fixed: it was open, its lines
// changed, and nobody raised it now.
func asksWhetherFixed(s *state.State, p *state.Point) bool {
	f, k := Of(s).Finding(p.ID), knownOf(s, p)
	return k != nil && k.isOpen() && !k.Unchanged && f.By == state.Protocol && p.UserRuling == nil
}

// byMemory is RW6.2.
func byMemory(b *resolver.Basis) *resolver.Match {
	k := knownOf(b.State, b.Point)
	if k == nil {
		return nil
	}
	m := resolver.Read(k.ID)
	m.Bucket, m.Tag, m.Status = k.Bucket, k.Tag, k.Status
	n, _ := Support(b.State, b.Point)
	who := "the reviewers ruled so"
	if k.ByUser {
		who = "you ruled so"
	}
	says := view.Sentence(who+" in "+k.Session, k.Reason)
	switch {
	case !k.isOpen() && !k.Unchanged:
		return nil // Its lines changed: it is a finding like any other.
	case !k.isOpen() && k.ByUser:
		return m.Saying(says + "; " + unchanged(k))
	case !k.isOpen() && k.Tag == state.TagRefuted && n < 2 && k.Branch != "" && k.Branch == SettingsOf(b.State).Change.Branch:
		return m.Saying(says + "; its lines, and those that refuted it, are unchanged")
	case !k.isOpen():
		return nil
	case n > 1 && k.Bucket == state.BucketUnresolved:
		return nil // Two raise it now.
	}
	if m.Bucket == state.BucketUnresolved {
		m.ResolvedBy("a change of its lines, a second reviewer, or you")
	}
	known := "known from " + k.Session
	if k.Reason != "" {
		known += " (" + k.Reason + ")"
	}
	if k.Unchanged {
		return m.Saying(known + ", and " + unchanged(k))
	}
	if !asksWhetherFixed(b.State, b.Point) {
		return m.Saying(known + ", and raised again")
	}
	if w, item := fixed(b.State, b.Point); w != nil {
		m = resolver.Read(k.ID, item.ID, resolver.Event(w.Seq))
		m.Bucket, m.Tag, m.Status = state.BucketDismissed, state.TagFixed, state.StatusNone
		return m.Saying(view.Sentence(fmt.Sprintf("%s says that it is fixed at %s", resolver.SeatName(w.By), item.Reference), w.Reason))
	}
	return m.Saying(known + "; " + changed(k) + ", and nobody showed that it is fixed")
}

// unchanged says that what a remembered finding is about did not change, changed that it did.
func unchanged(k *Known) string {
	if k.Line == 0 {
		return "the change of its file is the same"
	}
	return "its lines are unchanged"
}

func changed(k *Known) string {
	switch {
	case k.Gone:
		return "its file is gone"
	case k.Line == 0:
		return "the change of its file is not the same"
	}
	return "its lines changed"
}

// fixed returns the word of a reviewer that a remembered finding is fixed, with the verified place, if no other reviewer
// says that it is still there; or nil.
func fixed(s *state.State, p *state.Point) (*Word, *ledger.Evidence) {
	var found *Word
	var at *ledger.Evidence
	for _, w := range words(s, p) {
		switch {
		case !IsReviewer(w.By):
		case w.Kind == WordConfirm:
			return nil, nil
		case w.Kind == WordFixed && found == nil:
			for _, id := range w.Items {
				if item := s.Item(id); item.Proven() && item.Contested() == nil {
					found, at = w, item
				}
			}
		}
	}
	return found, at
}

// Memorize returns the rulings of a review that later ones remember. Misplaced findings are left out, and all but the
// user's rulings if the review did not decide. at returns the time of an event; without it, the end counts.
func Memorize(s *state.State, at func(seq int) time.Time) []Remembered {
	var list []Remembered
	ended := s.ClosedAt
	if ended.IsZero() {
		ended = s.At
	}
	for _, p := range Heads(s) {
		r := rules{}.RuleOne(s, p)
		f := Of(s).Finding(p.ID)
		byUser := r.Rule == "RW6.1"
		if r.Bucket == state.BucketOpen || r.Tag == state.TagMisplaced || s.Exit != state.ExitDecided && !byUser {
			continue
		}
		one := rememberedAs(s, p)
		one.Bucket, one.Tag, one.Status, one.Reason, one.ByUser = r.Bucket, r.Tag, r.Status, r.Reason, byUser
		one.At = ended.UTC().Format(time.RFC3339)
		if byUser && len(r.Reads) > 0 {
			// The user may have ruled long after the end.
			if seq, err := strconv.Atoi(strings.TrimPrefix(r.Reads[0], "#")); err == nil && at != nil {
				one.At = at(seq).UTC().Format(time.RFC3339)
			}
			one.Reason = userReason(s, p)
		}
		if item := refuter(s, p, &r); item != nil {
			one.RefutedAt, one.RefutedLines = item.Reference, item.Excerpt
		}
		if k := knownOf(s, p); k != nil && r.Rule == "RW6.2" && r.Tag != state.TagFixed {
			// The earlier ruling still holds.
			one.ByUser, one.RefutedAt, one.RefutedLines = k.ByUser, k.RefutedAt, k.RefutedLines
			one.Reason, one.Session, one.At = k.Reason, k.Session, k.At
			if f.By == state.Protocol {
				one.Line, one.End, one.Before, one.Symbol = k.Line, k.End, k.Before, k.Symbol
			}
		}
		list = append(list, one)
	}
	return list
}

// rememberedAs returns a finding without its ruling.
func rememberedAs(s *state.State, p *state.Point) Remembered {
	f := Of(s).Finding(p.ID)
	spot := SpotOf(s, placed(s, p))
	change := &SettingsOf(s).Change
	digest := ""
	if file := change.file(spot.Path); file != nil && spot.Line == 0 {
		digest = file.Digest()
	}
	return Remembered{
		Digest: digest, Fingerprint: FingerprintOf(s, p), Repository: change.Repository, Branch: change.Branch, Session: s.ID,
		Path: spot.Path, Line: spot.Line, End: spot.End, Before: spot.Before, Symbol: spot.Symbol,
		Severity: SeverityOf(s, p), Category: f.Category, What: f.What, Why: f.Why, Lines: Quoted(s, p),
	}
}

// userReason is the reason that the user gave for the latest ruling on a finding, or "".
func userReason(s *state.State, p *state.Point) string {
	reason, last := "", 0
	for _, f := range Members(s, p) {
		if u := s.Point(f.Point).UserRuling; u != nil && u.Seq > last {
			reason, last = u.Reason, u.Seq
		}
	}
	if w := authorOf(s, p); w != nil && s.ByPerson(Author) && w.Seq > last {
		reason = w.Reason
	}
	return reason
}

// refuter returns the item that refuted a finding which is dismissed for that, or which the user called wrong; or nil.
func refuter(s *state.State, p *state.Point, r *state.Ruling) *ledger.Evidence {
	if r.Bucket != state.BucketDismissed || r.Rule != "RW6.5" && (r.Rule != "RW6.1" || r.Tag != state.TagUser) {
		return nil
	}
	b := rules{}.Basis(s, p)
	if w := refutation(b); w != nil {
		return countingItem(b, w)
	}
	return nil
}

// MemoryLine is the line for a memory file that says that the user ruled a finding wrong. With the tag INTENDED instead of
// USER it says that the finding is intended.
func MemoryLine(s *state.State, p *state.Point) string {
	one := rememberedAs(s, p)
	one.At = s.At.UTC().Format(time.RFC3339)
	one.Bucket, one.Tag, one.ByUser = state.BucketDismissed, state.TagUser, true
	return one.JSON()
}

// JSON is the line of a memory file, without a newline. A folder names no repository for others, so it is left out.
func (r *Remembered) JSON() string {
	one := *r
	if !isCommit(one.Repository) {
		one.Repository = ""
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(&one); err != nil {
		return "" // It has strings and numbers only.
	}
	return strings.TrimSpace(text.String())
}

// OtherRepository reports whether a finding is from another repository, as far as their first commits are known.
func (r *Remembered) OtherRepository(repository string) bool {
	return isCommit(r.Repository) && isCommit(repository) && r.Repository != repository
}

// isCommit reports whether a text is the id of a commit.
func isCommit(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && (len(text) == 40 || len(text) == 64)
}

// fingerprint names a finding by its place and its cited lines without white space.
func fingerprint(r *Remembered) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		r.Path, r.Symbol, string(r.Category), strings.Join(strings.Fields(r.Lines), ""),
	}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// FingerprintOf returns the fingerprint of a finding. If several have the same place, lines and category, the words of
// all but the first are part of it, so that memory keeps them apart.
func FingerprintOf(s *state.State, p *state.Point) string {
	if k := knownOf(s, p); k != nil {
		return k.Fingerprint
	}
	f := Of(s).Finding(p.ID)
	name := named(s, p)
	plainName := fingerprint(&name)
	taken := slices.ContainsFunc(Of(s).Known, func(k Known) bool { return k.Fingerprint == plainName })
	taken = taken || slices.ContainsFunc(Heads(s), func(q *state.Point) bool {
		other := Of(s).Finding(q.ID)
		isFirst := cmp.Or(strings.Compare(other.What, f.What), strings.Compare(q.ID, p.ID)) < 0
		if !isFirst || other.Category != f.Category || remembered(s, q) {
			return false
		}
		same := named(s, q)
		return fingerprint(&same) == plainName
	})
	if taken {
		name.Lines += "\x00" + f.What
	}
	return fingerprint(&name)
}

// named are the place, the category and the cited lines of a finding.
func named(s *state.State, p *state.Point) Remembered {
	spot := SpotOf(s, placed(s, p))
	return Remembered{Path: spot.Path, Symbol: spot.Symbol, Category: Of(s).Finding(p.ID).Category, Lines: Quoted(s, p)}
}

// Quoted are the lines that a finding names: as they were checked in the tree, or as the diff has them.
func Quoted(s *state.State, p *state.Point) string {
	f := placed(s, p)
	spot := SpotOf(s, f)
	if item := placeItem(s, f); item != nil && item.Proven() && !spot.Before {
		return item.Excerpt
	}
	if k := Of(s).KnownBy(f.Known); k != nil {
		return k.Lines
	}
	file := SettingsOf(s).Change.file(spot.Path)
	if file == nil || spot.Line == 0 {
		return ""
	}
	return strings.Join(file.LinesAt(spot.Line, spot.End, spot.Before), "\n")
}

// Digest names the lines that the change adds to a file and removes from it, without white space.
func (f *File) Digest() string {
	var lines strings.Builder
	for _, h := range f.Hunks() {
		for _, line := range h.Lines {
			if text := strings.Join(strings.Fields(line.Text), ""); line.Sign != ' ' && text != "" {
				fmt.Fprintf(&lines, "%c%s\n", line.Sign, text)
			}
		}
	}
	sum := sha256.Sum256([]byte(lines.String()))
	return hex.EncodeToString(sum[:])
}

// LinesAt returns the lines of the hunks of a file from one number to another, as they are after the change, or before
// it.
func (f *File) LinesAt(first, last int, before bool) []string {
	var lines []string
	for _, h := range f.Hunks() {
		for _, line := range h.Lines {
			at := line.Now
			if before {
				at = line.Was
			}
			if at >= first && at <= last {
				lines = append(lines, line.Text)
			}
		}
	}
	return lines
}

// KnownPoints returns the points that are findings of earlier reviews.
func KnownPoints(s *state.State) []*state.Point {
	return lists.Filter(Heads(s), func(p *state.Point) bool { return remembered(s, p) })
}
