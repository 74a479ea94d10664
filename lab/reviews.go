package lab

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
	"moot/internal/plain"
	"moot/protocol/review/merge"
)

// mostReviewers is how many reviewers are compared: all triples of them are.
const mostReviewers = 40

// mostSupport is the support that stands for itself and more.
const mostSupport = 4

// Reviewed is a change with what reviewers found in it, and what they should have found.
type Reviewed struct {
	Change   string           `json:"change"`
	Golden   []Golden         `json:"golden"`
	Findings []LabeledFinding `json:"findings"`
}

// Golden is a comment that a good review of the change makes.
type Golden struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Severity string `json:"severity"`
}

// LabeledFinding is a finding that somebody compared with the golden comments.
type LabeledFinding struct {
	Reviewer string `json:"reviewer"`
	Text     string `json:"text"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
	// Right says whether it matches a golden comment, whose id Golden has.
	Right  *bool  `json:"right"`
	Golden string `json:"golden"`
}

// ReadReviews reads recorded findings, one change a line. An error says on which line it is and what to do.
func ReadReviews(text []byte) ([]Reviewed, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("it is empty; write one change a line, as in docs/lab.md, \"Reviews\"")
	}
	var changes []Reviewed
	objects := jsonlines.NewReader(text)
	for {
		object, err := objects.Next()
		if errors.Is(err, io.EOF) {
			return changes, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w; write one JSON object a line, as in docs/lab.md, \"Reviews\"", err)
		}
		var r Reviewed
		if err := jsonlines.Decode(object, &r); err != nil {
			return nil, fmt.Errorf("%w; docs/lab.md, \"Reviews\", has the keys", objects.Locate(err))
		}
		if err := r.check(); err != nil {
			return nil, objects.Locate(err)
		}
		changes = append(changes, r)
	}
}

// check returns the first mistake as a fault.
func (r *Reviewed) check() error {
	var ids []string
	for i := range r.Golden {
		at := jsontext.Pointer(fmt.Sprintf("/golden/%d/id", i))
		switch id := r.Golden[i].ID; {
		case id == "":
			return jsonlines.Faultf(at, "the golden comment has no id; give it one that findings can name")
		case slices.Contains(ids, id):
			return jsonlines.Faultf(at, "two golden comments have the id %q; rename one", id)
		default:
			ids = append(ids, id)
		}
	}
	if len(r.Findings) == 0 {
		return jsonlines.Faultf("/findings", "the change has no findings; add them, or remove the line")
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		at := jsontext.Pointer(fmt.Sprintf("/findings/%d", i))
		switch {
		case strings.TrimSpace(f.Reviewer) == "":
			return jsonlines.Faultf(at+"/reviewer", "it is missing; name who raised the finding")
		case strings.TrimSpace(f.Text) == "":
			return jsonlines.Faultf(at+"/text", "it is missing; write what the finding says")
		case f.Line < 0:
			return jsonlines.Faultf(at+"/line", "%d is no line; leave it out if it is unknown", f.Line)
		case f.Right == nil:
			return jsonlines.Faultf(at+"/right", "it is missing; write true if a golden comment says the same, or else false")
		case *f.Right && f.Golden == "":
			return jsonlines.Faultf(at+"/golden", "the finding is right, so name the golden comment that says the same")
		case !*f.Right && f.Golden != "":
			return jsonlines.Faultf(at+"/golden", "the finding is not right, so it cannot match %q; leave golden empty", f.Golden)
		case *f.Right && !slices.Contains(ids, f.Golden):
			return jsonlines.Faultf(at+"/golden", "no golden comment has the id %q; known are: %s", f.Golden, strings.Join(ids, ", "))
		}
	}
	return nil
}

// Accuracy says how well pairs of findings are merged. A figure is nil if there was nothing to count.
type Accuracy struct {
	Precision *float64 `json:"precision"`
	Recall    *float64 `json:"recall"`
	F1        *float64 `json:"f1"`
}

// Support counts the merged findings that N reviewers raised.
type Support struct {
	N     int `json:"n"`
	Right int `json:"right"`
	Of    int `json:"of"`
}

// MedianSupport has medians over sets of reviewers: the share of right findings among those that N or more of them
// raised, and among those that exactly N raised (NaN if no set has any).
type MedianSupport struct {
	N         int     `json:"n"`
	Precision float64 `json:"precision"`
	Exactly   float64 `json:"-"`
}

// Recall is a share of the golden comments that some reviewers found together.
type Recall struct {
	Reviewers []string
	Share     float64
}

// Reviews are the figures of moot lab reviews. JSON leaves out what only the text shows.
type Reviews struct {
	Changes int             `json:"changes"`
	Pairs   Accuracy        `json:"pairs"`
	Support []Support       `json:"support"`
	Triples []MedianSupport `json:"triples"`

	Reviewers []string `json:"-"`
	// Golden and Findings are how many there are.
	Golden   int `json:"-"`
	Findings int `json:"-"`
	// TwoOfPair is for pairs of reviewers what Triples is for triples.
	TwoOfPair []MedianSupport `json:"-"`
	// Best are the single reviewer, the pair and the triple with the highest recall, as far as there are so many.
	Best []Recall `json:"-"`
	// MedianRecall has the medians over single reviewers, pairs and triples.
	MedianRecall []float64 `json:"-"`
}

// MeasureReviews merges the findings of the named reviewers, or of all, and compares the result with the labels.
func MeasureReviews(changes []Reviewed, only []string) (*Reviews, error) {
	var known []string
	for i := range changes {
		for j := range changes[i].Findings {
			known = append(known, changes[i].Findings[j].Reviewer)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	chosen := known
	if len(only) > 0 {
		chosen = slices.Compact(slices.Sorted(slices.Values(only)))
	}
	for _, name := range chosen {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("no finding is from the reviewer %q; choose from: %s", name, strings.Join(known, ", "))
		}
	}
	if len(chosen) > mostReviewers {
		return nil, fmt.Errorf("%s are too many to compare; choose %d or fewer with --reviewers",
			plain.Counted(len(chosen), "reviewer"), mostReviewers)
	}
	r := &Reviews{Changes: len(changes), Reviewers: chosen, Triples: []MedianSupport{}}
	all := measure(changes, chosen)
	r.Golden, r.Findings = all.golden, all.findings
	r.Pairs = all.accuracy()
	for n := 1; n <= mostSupport; n++ {
		r.Support = append(r.Support, Support{N: n, Right: all.right[n], Of: all.of[n]})
	}
	for size := 1; size <= 3; size++ {
		sets := subsets(chosen, size)
		if len(sets) == 0 {
			break
		}
		var best Recall
		var recalls []float64
		exactly, orMore := make([][]float64, size+1), make([][]float64, size+1)
		for _, set := range sets {
			m := measure(changes, set)
			right, of := 0, 0
			for n := size; n >= 1; n-- {
				right, of = right+m.right[n], of+m.of[n]
				if m.of[n] > 0 {
					exactly[n] = append(exactly[n], float64(m.right[n])/float64(m.of[n]))
				}
				if of > 0 {
					orMore[n] = append(orMore[n], float64(right)/float64(of))
				}
			}
			if m.golden == 0 {
				continue
			}
			share := float64(m.found) / float64(m.golden)
			recalls = append(recalls, share)
			if share > best.Share || best.Reviewers == nil {
				best = Recall{Reviewers: set, Share: share}
			}
		}
		if len(recalls) > 0 {
			r.Best = append(r.Best, best)
			r.MedianRecall = append(r.MedianRecall, median(recalls))
		}
		var medians []MedianSupport
		for n := 1; n <= size; n++ {
			if len(orMore[n]) > 0 {
				medians = append(medians, MedianSupport{N: n, Precision: median(orMore[n]), Exactly: median(exactly[n])})
			}
		}
		switch size {
		case 2:
			r.TwoOfPair = medians
		case 3:
			r.Triples = append(r.Triples, medians...)
		}
	}
	return r, nil
}

// measured are the counts for one set of reviewers.
type measured struct {
	golden, found, findings int
	// merged are the pairs that are merged, same those that should be, and both those that are and should be.
	merged, same, both int
	// right and of count merged findings by their support.
	right, of [mostSupport + 1]int
}

func measure(changes []Reviewed, reviewers []string) measured {
	var m measured
	for i := range changes {
		var labeled []*LabeledFinding
		var findings []merge.Finding
		found := map[string]bool{}
		for j := range changes[i].Findings {
			f := &changes[i].Findings[j]
			if !slices.Contains(reviewers, f.Reviewer) {
				continue
			}
			labeled = append(labeled, f)
			findings = append(findings, merge.Finding{
				ID: strconv.Itoa(j), Reviewer: f.Reviewer, Path: f.Path, Line: f.Line, Text: f.Text,
			})
			if *f.Right {
				found[f.Golden] = true
			}
		}
		m.golden += len(changes[i].Golden)
		m.found += len(found)
		m.findings += len(findings)
		group := make([]int, len(findings))
		if len(reviewers) == 1 {
			// The findings of one reviewer are never merged.
			for k := range group {
				group[k] = k
			}
		} else {
			for g, members := range merge.Groups(findings, nil) {
				for _, k := range members {
					group[k] = g
				}
			}
		}
		m.count(labeled, group)
	}
	return m
}

// count adds the findings of one change. The findings with the same number in group are merged.
func (m *measured) count(findings []*LabeledFinding, group []int) {
	support, right := make([]int, len(findings)), make([]bool, len(findings))
	for i, a := range findings {
		support[group[i]]++
		right[group[i]] = right[group[i]] || *a.Right
		for j, b := range findings[:i] {
			if a.Reviewer == b.Reviewer || !*a.Right && !*b.Right {
				continue
			}
			merged, same := group[i] == group[j], a.Golden == b.Golden
			if merged {
				m.merged++
			}
			if same {
				m.same++
			}
			if merged && same {
				m.both++
			}
		}
	}
	for g, n := range support {
		if n == 0 {
			continue
		}
		n = min(n, mostSupport)
		m.of[n]++
		if right[g] {
			m.right[n]++
		}
	}
}

func (m *measured) accuracy() Accuracy {
	share := func(part, whole int) *float64 {
		if whole == 0 {
			return nil
		}
		return new(float64(part) / float64(whole))
	}
	return Accuracy{
		Precision: share(m.both, m.merged), Recall: share(m.both, m.same), F1: share(2*m.both, m.merged+m.same),
	}
}

// subsets returns all sets of a size, in order.
func subsets(of []string, size int) [][]string {
	if size == 0 {
		return [][]string{nil}
	}
	var sets [][]string
	for i, first := range of {
		for _, rest := range subsets(of[i+1:], size-1) {
			sets = append(sets, append([]string{first}, rest...))
		}
	}
	return sets
}

// median sorts the values. Between two middle ones, it is their mean; of none, NaN.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}

// Text writes the figures as tables, with what limits them.
func (r *Reviews) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	share := func(x *float64) string {
		if x == nil {
			return "unknown (nothing to count)"
		}
		return fmt.Sprintf("%.3f", *x)
	}
	line("%s, %s, %s, %s", plain.Counted(r.Changes, "change"), plain.Counted(r.Golden, "golden comment"),
		plain.Counted(r.Findings, "finding"), plain.Counted(len(r.Reviewers), "reviewer"))
	line("reviewers: %s", plain.Line(strings.Join(r.Reviewers, ", ")))
	line("\nPAIRS OF DIFFERENT REVIEWERS, OF WHICH AT LEAST ONE IS RIGHT")
	line("precision  %s", share(r.Pairs.Precision))
	line("recall     %s", share(r.Pairs.Recall))
	line("F1         %s", share(r.Pairs.F1))
	line("\nMERGED FINDINGS THAT ARE RIGHT, BY HOW MANY REVIEWERS RAISED THEM")
	for _, s := range r.Support {
		more, precision := "        ", "none"
		if s.N == mostSupport {
			more = " or more"
		}
		if s.Of > 0 {
			precision = fmt.Sprintf("%.3f (%d of %d)", float64(s.Right)/float64(s.Of), s.Right, s.Of)
		}
		line("%d%s  %s", s.N, more, precision)
	}
	for _, table := range []struct {
		title   string
		medians []MedianSupport
	}{
		{"MEDIAN OVER PAIRS OF REVIEWERS", r.TwoOfPair}, {"MEDIAN OVER TRIPLES OF REVIEWERS", r.Triples},
	} {
		if len(table.medians) > 0 {
			line("\n%s", table.title)
		}
		for i, m := range table.medians {
			exactly, orMore := "none", ""
			if !math.IsNaN(m.Exactly) {
				exactly = fmt.Sprintf("%.3f", m.Exactly)
			}
			if i < len(table.medians)-1 {
				orMore = fmt.Sprintf("   %d or more  %.3f", m.N, m.Precision)
			}
			line("%d          %5s%s", m.N, exactly, orMore)
		}
	}
	if len(r.Best) > 0 {
		line("\nGOLDEN COMMENTS FOUND")
	}
	for i, best := range r.Best {
		name := []string{"single", "pair", "triple"}[i]
		line("best %-6s  %.3f (%s); median %.3f", name, best.Share, plain.Line(strings.Join(best.Reviewers, ", ")), r.MedianRecall[i])
	}
	line("\nThe labels are one judge's, and golden lists are incomplete: a finding that is not right here may still")
	line("be true, so precision is a lower bound. No model took part in merging.")
	return b.String()
}
