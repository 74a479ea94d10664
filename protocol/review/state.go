package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/claims"
	"moot/protocol/dialectic/playbook"
	"moot/state"
)

// Format is the review of a change. Reviewers look for defects without seeing what the others find, code merges what
// they say, and what one of them says alone goes to the others.
type Format struct{ claims.Base }

// Name is the format's name in session files.
const Name state.Format = "review"

// Name implements Format.
func (Format) Name() state.Format { return Name }

// The seats. Further reviewers are reviewer-2, reviewer-3, ….
const (
	Reviewer state.Seat = "reviewer"
	Author   state.Seat = "author"
)

// IsReviewer reports whether the seat is reviewer, reviewer-2, ….
func IsReviewer(seat state.Seat) bool { return seat.Is(Reviewer) }

// Reviewers returns the seats that review, in order, whether they answered or not.
func Reviewers(s *state.State) []state.Seat { return s.SeatsThat(IsReviewer) }

// The stages of a review. In state.StageAnswer, the raisers answer what speaks against their findings.
const (
	StageFind    state.Stage = "find"
	StagePlace   state.Stage = "place"
	StageAuthor  state.Stage = "author"
	StageExamine state.Stage = "examine"
)

// Severity says how bad a finding is.
type Severity string

// The severities, the worst first.
const (
	Blocking Severity = "BLOCKING"
	High     Severity = "HIGH"
	Medium   Severity = "MEDIUM"
	Low      Severity = "LOW"
)

// Severities returns every Severity, the worst first.
func Severities() []Severity { return []Severity{Blocking, High, Medium, Low} }

// severityWords are words of other programs for a Severity.
var severityWords = map[string]Severity{ //nolint:gochecknoglobals // a table
	"blocker": Blocking, "critical": Blocking, "p0": Blocking, "error": High, "major": High, "p1": High, "warning": Medium,
	"moderate": Medium, "p2": Medium, "minor": Low, "nit": Low, "note": Low, "info": Low, "p3": Low,
	"blockers": Blocking, "severe": High, "important": High, "nits": Low, "nitpick": Low, "nitpicks": Low, "trivial": Low, "p4": Low,
	"kritisch": Blocking, "hoch": High, "mittel": Medium, "niedrig": Low, "严重": High, "高": High, "中": Medium, "低": Low,
	"致命": Blocking, "轻微": Low, "schwerwiegend": High, "gering": Low, "crítico": Blocking, "crítica": Blocking, "grave": High,
	"alto": High, "alta": High, "medio": Medium, "media": Medium, "bajo": Low, "baja": Low, "critique": Blocking, "élevé": High,
	"élevée": High, "moyen": Medium, "moyenne": Medium, "faible": Low, "errors": High, "warnings": Medium,
	"🔴": High, "🟠": Medium, "🟡": Low, "🟢": Low, "🔵": Low, "⚪": Low,
}

// UnmarshalText takes the known words only.
func (v *Severity) UnmarshalText(text []byte) error {
	return enum.Unmarshal("severity", text, severityOrNone(), v)
}

func severityOrNone() []Severity { return append(Severities(), "") }

// ReadSeverity reads the word of a reviewer, in any case and in the words of other programs: critical, major, nit.
func ReadSeverity(word string) (Severity, error) {
	word = strings.ToLower(strings.TrimSpace(word))
	if known, ok := severityWords[word]; ok {
		return known, nil
	}
	return enum.Parse("severity", strings.ToUpper(word), Severities())
}

// AtLeast reports whether it is as bad as another one.
func (v Severity) AtLeast(other Severity) bool {
	return slices.Index(Severities(), v) <= slices.Index(Severities(), other)
}

// Category is the kind of a defect.
type Category string

// Categories returns every Category.
func Categories() []Category {
	return []Category{
		"correctness", "security", "data loss", "concurrency", "performance", "compatibility", "tests", "documentation",
		"style",
	}
}

// UnmarshalText takes the known words only.
func (c *Category) UnmarshalText(text []byte) error {
	return enum.Unmarshal("category", text, append(Categories(), ""), c)
}

// ReadCategory reads the word of a reviewer, in any case and with hyphens for blanks. Another word is no category.
func ReadCategory(word string) Category {
	word = strings.NewReplacer("-", " ", "_", " ").Replace(strings.ToLower(strings.TrimSpace(word)))
	if c, err := enum.Parse("category", word, Categories()); err == nil {
		return c
	}
	return ""
}

// Settings are the settings of a review, with the change under review.
type Settings struct {
	Change Change `json:"change"`
	// Gate is the lowest severity that keeps a change from being merged.
	Gate Severity `json:"gate"`
	// Exchanges is how often findings are cross-examined at most, 1 to 3. Turns is how many prompts a reviewer gets for
	// the material at most.
	Exchanges int `json:"rounds"`
	Turns     int `json:"turns"`
	// Playbook has the red flags that the reviewers look for.
	Playbook playbook.Playbook `json:"playbook"`
}

// The defaults of a review.
const (
	DefaultGate   = High
	DefaultTurns  = 4
	MostExchanges = 3
)

// SettingsOf returns the settings of a review.
func SettingsOf(s *state.State) *Settings {
	if own, ok := s.Settings.Own.(*Settings); ok {
		return own
	}
	return defaults()
}

func defaults() *Settings {
	return &Settings{
		Gate: DefaultGate, Exchanges: 1, Turns: DefaultTurns, Change: Change{Files: []File{}},
	}
}

// Variant names the playbook in the list of sessions.
func (v *Settings) Variant() string { return v.Playbook.Name }

// Review is the format's own part of a state.
type Review struct {
	// Findings are by point, in the same order.
	Findings state.List[Finding]
	// Groups are the findings that mean the same, by the IDs of their points; the first one stands for them.
	// Those that stand alone are in none.
	Groups [][]string
	// Apart and Joined are the pairs that a raiser or the user took apart, and those that the user merged.
	Apart, Joined [][2]string
	// Grouped is the number of findings that were compared.
	Grouped int
	// Heard are the items that raisers were shown in a turn in which they could contest them.
	Heard []ItemsHeard
	// Nothing says what the reviewers without findings looked at, Examined what each seat was asked about.
	Nothing  []NothingFound
	Examined []FindingsExamined
	// Known are the remembered findings, Sources where they come from.
	Known   []Known
	Sources []string
	// Recalled says that they were compared with the findings.
	Recalled bool
	// MemoryChanged is the memory file that the change under review changes, or "".
	MemoryChanged string
}

// Finding is a defect that a reviewer sees in the change.
type Finding struct {
	Point string
	By    state.Seat
	// What says it in a sentence, Why explains it, Fix proposes a change.
	What, Why, Fix string
	// Severity is Medium if the reviewer named none, and Assumed says so.
	Severity Severity
	Assumed  bool
	Category Category
	// Path, Line and End are its place, as corrected. Line is 0 for a whole file, End is Line for one line.
	Path      string
	Line, End int
	// Asked says that its reviewer was asked for a better place, Corrected that it gave one.
	Asked, Corrected bool
	// Over says that it was over the limit.
	Over bool
	// Withdrawn is why its reviewer took it back. WithdrawnSeq is the event, 0 if it did not.
	Withdrawn    string
	WithdrawnSeq int
	// Words are the latest words of other seats on it.
	Words []Word
	// Known is the ID of the remembered finding that it is, or "".
	Known string
}

// WordKind is the kind of a seat's word on a finding.
type WordKind string

// The kinds of words: of a reviewer, and of the author of the change. A reviewer says Fixed of a remembered finding.
const (
	WordConfirm  WordKind = "confirm"
	WordRefute   WordKind = "refute"
	WordUnsure   WordKind = "unsure"
	WordFixed    WordKind = "fixed"
	WordIntended WordKind = "intended"
	WordWrong    WordKind = "wrong"
)

// WordKinds returns every WordKind.
func WordKinds() []WordKind {
	return []WordKind{WordConfirm, WordRefute, WordUnsure, WordFixed, WordIntended, WordWrong}
}

// UnmarshalText takes the known words only.
func (k *WordKind) UnmarshalText(text []byte) error {
	return enum.Unmarshal("word on a finding", text, WordKinds(), k)
}

// Word is the word of a seat on a finding of others.
type Word struct {
	By     state.Seat
	Kind   WordKind
	Reason string
	// Severity is the one that a confirmation names, or "".
	Severity Severity
	// Items are the evidence that came with it.
	Items []string
	Round int
	Seq   int
}

// Of returns the format's own part of a state.
func Of(s *state.State) *Review { return state.OwnOf[Review](s) }

// Finding returns the finding of a point, or nil.
func (r *Review) Finding(point string) *Finding { return r.Findings.At(state.Index(point, 'P')) }

// Members returns the findings that a point stands for, itself first.
func Members(s *state.State, p *state.Point) []*Finding {
	r := Of(s)
	return lists.Map(append([]string{p.ID}, p.Aliases...), r.Finding)
}

// Own implements state.Rules.
func (Format) Own() state.Own {
	return state.Own{
		Claims: true, OnePhase: true, Settings: defaults(), State: &Review{},
		Stages: []state.Stage{StageFind, StagePlace, StageAuthor, StageExamine},
		Kinds: []func() state.Payload{
			state.Create[FindingMade], state.Create[NothingFound], state.Create[PlaceAsked], state.Create[FindingPlaced],
			state.Create[FindingsGrouped], state.Create[FindingsParted], state.Create[FindingsJoined],
			state.Create[FindingsExamined], state.Create[ItemsHeard], state.Create[FindingJudged], state.Create[FindingWithdrawn],
			state.Create[MemoryTaken], state.Create[FindingsRecalled],
		},
	}
}

// FindingMade raises a finding as a point.
type FindingMade struct {
	Point    string     `json:"point"`
	By       state.Seat `json:"by"`
	What     string     `json:"what"`
	Why      string     `json:"why"`
	Fix      string     `json:"fix"`
	Severity Severity   `json:"severity"`
	// Assumed says that the reviewer named no severity.
	Assumed  bool     `json:"assumed,omitempty"`
	Category Category `json:"category"`
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	End      int      `json:"end"`
	// Over says that it was over the limit.
	Over bool `json:"over,omitempty"`
	// Known is the remembered finding that code raised it for, or "".
	Known string `json:"known,omitempty"`
}

// Fold implements state.Payload.
func (e *FindingMade) Fold(s *state.State) error {
	raised := &state.PointRaised{ID: e.Point, By: e.By, Text: e.What, Kind: state.Empirical}
	if e.Over {
		raised.Late = state.TagBeyondLimit
	}
	if state.Index(e.Point, 'P') != Of(s).Findings.Len() {
		return state.Unknown("point of a finding", e.Point)
	}
	err := raised.Fold(s)
	if err == nil && !e.Over {
		err = s.ChangePoint(e.Point, func(p *state.Point) { p.Scope = state.InScope })
	}
	if err != nil {
		return err
	}
	return state.ChangeOwn(s, func(r *Review) {
		r.Findings = r.Findings.Append(&Finding{
			Point: e.Point, By: e.By, What: e.What, Why: e.Why, Fix: e.Fix, Severity: e.Severity, Assumed: e.Assumed,
			Category: e.Category, Path: e.Path, Line: e.Line, End: e.End, Over: e.Over, Known: e.Known,
		})
	})
}

// NothingFound says that a reviewer found nothing, and what it looked at.
type NothingFound struct {
	By   state.Seat `json:"by"`
	Text string     `json:"text"`
}

// Fold implements state.Payload.
func (e *NothingFound) Fold(s *state.State) error {
	return state.ChangeOwn(s, func(r *Review) { r.Nothing = append(slices.Clip(r.Nothing), *e) })
}

// PlaceAsked says that the reviewers of findings without a place in the change are asked for a better one.
type PlaceAsked struct {
	Points []string `json:"points"`
}

// Fold implements state.Payload.
func (e *PlaceAsked) Fold(s *state.State) error {
	return changeFindings(s, e.Points, func(f *Finding) { f.Asked = true })
}

// FindingPlaced corrects the place of a finding.
type FindingPlaced struct {
	Point string     `json:"point"`
	By    state.Seat `json:"by"`
	Path  string     `json:"path"`
	Line  int        `json:"line"`
	End   int        `json:"end"`
}

// Fold implements state.Payload.
func (e *FindingPlaced) Fold(s *state.State) error {
	return changeFindings(s, []string{e.Point}, func(f *Finding) {
		f.Path, f.Line, f.End, f.Corrected = e.Path, e.Line, e.End, true
	})
}

// changeFindings changes copies of findings, and marks their points as changed.
func changeFindings(s *state.State, points []string, change func(*Finding)) error {
	for _, id := range points {
		if Of(s).Finding(id) == nil {
			return state.Unknown("finding", id)
		}
		err := state.ChangeOwn(s, func(r *Review) { r.Findings = r.Findings.Update(state.Index(id, 'P'), change) })
		if err := cmp.Or(err, s.ChangePoint(id, nil)); err != nil {
			return err
		}
	}
	// A word on one finding of a reviewer can void those on others.
	s.Constraints = s.Seq
	return nil
}

// FindingsGrouped says which findings mean the same. It replaces the groups before.
type FindingsGrouped struct {
	// Groups are the IDs of the points, without those that stand alone. The first of each stands for the others.
	Groups [][]string `json:"groups"`
	// Compared is the number of findings at that time.
	Compared int `json:"compared"`
}

// Fold implements state.Payload.
func (e *FindingsGrouped) Fold(s *state.State) error {
	r, seen := Of(s), map[string]bool{}
	for _, group := range e.Groups {
		for _, id := range group {
			if r.Finding(id) == nil || seen[id] {
				return state.Unknown("finding that stands alone", id)
			}
			seen[id] = true
		}
	}
	groups := slices.Clone(e.Groups)
	err := state.ChangeOwn(s, func(r *Review) { r.Groups, r.Grouped = groups, e.Compared })
	if err != nil {
		return err
	}
	return regroup(s)
}

// regroup makes the points say what the groups say: which one stands for which, whose it is, who took it back, and
// which evidence is about it. An item stays with the point that it was offered for.
func regroup(s *state.State) error {
	r := Of(s)
	items := map[string][]string{}
	for _, item := range s.Evidence.All() {
		items[item.Point] = append(items[item.Point], item.ID)
	}
	into := map[string]string{}
	aliases := map[string][]string{}
	for _, group := range r.Groups {
		aliases[group[0]] = group[1:]
		for _, id := range group[1:] {
			into[id] = group[0]
		}
	}
	for _, f := range r.Findings.All() {
		err := s.ChangePoint(f.Point, func(p *state.Point) {
			p.MergedInto, p.Aliases = into[p.ID], slices.Clone(aliases[p.ID])
			p.Authors, p.Evidence, p.Concessions = nil, nil, nil
			held := map[state.Seat]bool{}
			members := lists.Map(append([]string{p.ID}, p.Aliases...), r.Finding)
			for _, member := range members {
				if !slices.Contains(p.Authors, member.By) {
					p.Authors = append(p.Authors, member.By)
				}
				held[member.By] = held[member.By] || member.WithdrawnSeq == 0
				p.Evidence = append(p.Evidence, items[member.Point]...)
			}
			for _, member := range members {
				if member.WithdrawnSeq > 0 && !held[member.By] {
					p.Concessions = append(p.Concessions, state.Concession{
						Seat: member.By, Round: s.Round, Seq: member.WithdrawnSeq,
					})
				}
			}
			slices.SortFunc(p.Evidence, func(a, b string) int {
				return cmp.Compare(state.Index(a, 'E'), state.Index(b, 'E'))
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// FindingsParted says that a finding is not the same as others. Code computes the groups again after it.
type FindingsParted struct {
	Point string `json:"point"`
	// From are the others of its group.
	From   []string   `json:"from"`
	By     state.Seat `json:"by"`
	Reason string     `json:"reason"`
}

// Fold implements state.Payload.
func (e *FindingsParted) Fold(s *state.State) error {
	if Of(s).Finding(e.Point) == nil {
		return state.Unknown("finding", e.Point)
	}
	return state.ChangeOwn(s, func(r *Review) {
		r.Apart = slices.Clip(r.Apart)
		for _, other := range e.From {
			r.Apart = append(r.Apart, [2]string{e.Point, other})
			r.Joined = slices.DeleteFunc(slices.Clone(r.Joined), func(pair [2]string) bool {
				return slices.Contains(pair[:], e.Point) && slices.Contains(pair[:], other)
			})
		}
		r.Grouped = 0
	})
}

// FindingsJoined says that the user merges two findings. Code computes the groups again after it.
type FindingsJoined struct {
	A  string     `json:"a"`
	B  string     `json:"b"`
	By state.Seat `json:"by"`
}

// FollowsEnd says that the user may still merge findings after the end.
func (e *FindingsJoined) FollowsEnd(*state.State) bool { return e.By == state.User }

// FollowsEnd says that the user may still split findings after the end.
func (e *FindingsParted) FollowsEnd(*state.State) bool { return e.By == state.User }

// FollowsEnd says that code groups the findings after such a decision.
func (*FindingsGrouped) FollowsEnd(s *state.State) bool { return s.Decided > 0 }

// Fold implements state.Payload.
func (e *FindingsJoined) Fold(s *state.State) error {
	if Of(s).Finding(e.A) == nil || Of(s).Finding(e.B) == nil || e.A == e.B {
		return fmt.Errorf("%s and %s are no two findings", e.A, e.B)
	}
	return state.ChangeOwn(s, func(r *Review) {
		r.Joined = append(slices.Clip(r.Joined), [2]string{e.A, e.B})
		r.Apart = slices.DeleteFunc(slices.Clone(r.Apart), func(pair [2]string) bool {
			return slices.Contains(pair[:], e.A) && slices.Contains(pair[:], e.B)
		})
		r.Grouped = 0
	})
}

// FindingsExamined says on which findings of others a seat gave a reply, whether it mentioned them or not.
type FindingsExamined struct {
	By     state.Seat `json:"by"`
	Points []string   `json:"points"`
	Round  int        `json:"round"`
}

// Fold implements state.Payload.
func (e *FindingsExamined) Fold(s *state.State) error {
	s.Constraints = s.Seq
	return state.ChangeOwn(s, func(r *Review) { r.Examined = append(slices.Clip(r.Examined), *e) })
}

// ItemsHeard says which items against its findings a seat was shown when it replied, whether it mentioned them or not.
type ItemsHeard struct {
	By    state.Seat `json:"by"`
	Items []string   `json:"items"`
}

// Fold implements state.Payload.
func (e *ItemsHeard) Fold(s *state.State) error {
	for _, id := range e.Items {
		if s.Item(id) == nil {
			return state.Unknown("evidence item", id)
		}
	}
	s.Constraints = s.Seq
	return state.ChangeOwn(s, func(r *Review) { r.Heard = append(slices.Clip(r.Heard), *e) })
}

// heard reports whether a seat was shown an item against its finding.
func (r *Review) heard(seat state.Seat, item string) bool {
	return slices.ContainsFunc(r.Heard, func(h ItemsHeard) bool { return h.By == seat && slices.Contains(h.Items, item) })
}

// FindingJudged is the word of a seat on a finding.
type FindingJudged struct {
	Point    string     `json:"point"`
	By       state.Seat `json:"by"`
	Word     WordKind   `json:"word"`
	Severity Severity   `json:"severity"`
	Reason   string     `json:"reason"`
	// Items are the evidence that came with it.
	Items []string `json:"items"`
}

// Fold implements state.Payload.
func (e *FindingJudged) Fold(s *state.State) error {
	for _, id := range e.Items {
		if s.Item(id) == nil {
			return state.Unknown("evidence item", id)
		}
	}
	return changeFindings(s, []string{e.Point}, func(f *Finding) {
		f.Words = append(slices.DeleteFunc(slices.Clone(f.Words), func(w Word) bool { return w.By == e.By }), Word{
			By: e.By, Kind: e.Word, Reason: e.Reason, Severity: e.Severity, Items: slices.Clone(e.Items), Round: s.Round,
			Seq: s.Seq,
		})
	})
}

// FindingWithdrawn says that a reviewer takes its finding back.
type FindingWithdrawn struct {
	Point  string     `json:"point"`
	By     state.Seat `json:"by"`
	Reason string     `json:"reason"`
}

// Fold implements state.Payload.
func (e *FindingWithdrawn) Fold(s *state.State) error {
	err := changeFindings(s, []string{e.Point}, func(f *Finding) { f.Withdrawn, f.WithdrawnSeq = e.Reason, s.Seq })
	if err != nil {
		return err
	}
	return regroup(s)
}

// placeItem returns the item that shows the place of a finding, or nil.
func placeItem(s *state.State, f *Finding) *ledger.Evidence {
	var found *ledger.Evidence
	for _, item := range s.Evidence.All() {
		if item.Point == f.Point && item.For == ForPlace {
			found = item
		}
	}
	return found
}

// ForPlace is the For of the item that shows the place of a finding.
const ForPlace = "place"
