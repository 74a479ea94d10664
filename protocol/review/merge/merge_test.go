package merge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moot/protocol/review/merge"
)

// lock are findings of three reviewers about a lock file.
func lock() []merge.Finding {
	return []merge.Finding{
		{ID: "1", Reviewer: "A", Path: "lock.go", Line: 12, Text: "Unlock removes the file while a waiter holds the old inode\ntwo processes hold the lock"},
		{ID: "2", Reviewer: "A", Path: "store.go", Line: 3, Text: "open counts without an atomic"},
		{ID: "3", Reviewer: "B", Path: "lock.go", Line: 11, Text: "Unlock removes the file while another waiter still holds the old inode"},
		{ID: "4", Reviewer: "B", Path: "store.go", Line: 1, Text: "the package has no documentation"},
		{ID: "5", Reviewer: "C", Path: "lock.go", Line: 13, Text: "the error of e is dropped"},
	}
}

func TestDifferentWordsForOneDefectAreOneGroup(t *testing.T) {
	t.Parallel()
	got := ids(lock(), merge.Groups(lock(), nil))
	if want := "3 1|5|4|2"; got != want {
		t.Errorf("groups are %s, want %s", got, want)
	}
}

func TestTwoFindingsAloneAreSameOnlyIfTheyMeanTheSame(t *testing.T) {
	t.Parallel()
	at := func(line int, text string) merge.Finding {
		return merge.Finding{Path: "cart.go", Line: line, Text: text}
	}
	for _, c := range []struct {
		a, b merge.Finding
		same bool
	}{
		{lock()[0], lock()[2], true},
		{lock()[0], lock()[4], false},
		{lock()[1], lock()[3], false},
		{at(10, "`readAll` never closes the response body"), at(12, "the body of the response is not closed in readAll: the connection leaks"), true},
		{at(10, "Total() is nil when the cart is empty"), at(90, "cart.Total may return a null pointer for an empty cart"), true},
		{at(10, "the discount is subtracted twice"), at(12, "the loop reads one item past the end"), false},
		{at(10, "the mutex is not held while the map is written"), at(40, "the price is rounded before the tax is added"), false},
		{at(10, "the user name is logged with the password"), at(11, "the timeout is in seconds, but the client expects milliseconds"), false},
		{at(10, "锁文件在等待者仍持有旧节点时被删除"), at(11, "当等待者持有旧节点时,锁文件被删除"), true},
		{at(10, "锁文件在等待者仍持有旧节点时被删除"), at(11, "错误信息没有翻译成中文"), false},
		{at(10, "ロックファイルが待機中に削除される"), at(11, "待機中にロックファイルを削除している"), true},
		{at(10, "Der Sperrdatei-Zähler wird ohne Sperre erhöht"), at(11, "Der Zähler der Sperrdatei wird nicht unter der Sperre erhöht"), true},
		{at(10, "!!!"), at(10, "???"), false},
		{at(10, ""), at(10, ""), false},
		{at(10, ""), at(10, "the discount is subtracted twice"), false},
	} {
		if got := merge.IsSame(&c.a, &c.b); got != c.same || got != merge.IsSame(&c.b, &c.a) {
			t.Errorf("%q and %q: same is %t (%.3f), want %t", c.a.Text, c.b.Text, got, merge.Likeness(&c.a, &c.b), c.same)
		}
	}
}

func TestOneTextIsAsLikeItselfAsCanBe(t *testing.T) {
	t.Parallel()
	f := lock()[0]
	if got := merge.Likeness(&f, &f); got < 0.999 || got > 1 {
		t.Errorf("likeness is %f, want 1", got)
	}
}

func TestPlacesAndCategoriesRaiseAndLowerLikeness(t *testing.T) {
	t.Parallel()
	a := merge.Finding{Path: "lock.go", Line: 100, End: 110, Hunk: 2, Text: "the lock is released before the write"}
	with := func(change func(*merge.Finding)) float64 {
		x, y := a, a
		y.Line, y.End, y.Hunk, y.Text = 300, 300, 7, "the write happens after somebody else got the lock"
		change(&y)
		x.Symbol, x.Category = "Store.Save", "bug"
		return merge.Likeness(&x, &y)
	}
	far := with(func(*merge.Finding) {})
	for name, change := range map[string]func(*merge.Finding){
		"lines that are close": func(f *merge.Finding) { f.Line, f.End = 114, 114 },
		"lines that overlap":   func(f *merge.Finding) { f.Line, f.End = 90, 105 },
		"the same symbol":      func(f *merge.Finding) { f.Symbol = "Store.Save" },
		"the same hunk":        func(f *merge.Finding) { f.Hunk = 2 },
		"the same category":    func(f *merge.Finding) { f.Category = "bug" },
	} {
		if got := with(change); got <= far {
			t.Errorf("%s: likeness is %f, want more than %f", name, got, far)
		}
	}
	for name, change := range map[string]func(*merge.Finding){
		"another file":     func(f *merge.Finding) { f.Path = "store.go" },
		"another category": func(f *merge.Finding) { f.Category = "style" },
	} {
		if got := with(change); got >= far {
			t.Errorf("%s: likeness is %f, want less than %f", name, got, far)
		}
	}
	for name, change := range map[string]func(*merge.Finding){
		"no path":                 func(f *merge.Finding) { f.Path = "" },
		"no line":                 func(f *merge.Finding) { f.Line, f.End = 0, 0 },
		"lines that are far away": func(f *merge.Finding) { f.Line, f.End = 116, 116 },
		"no hunk":                 func(f *merge.Finding) { f.Hunk = 0 },
	} {
		if got := with(change); got != far {
			t.Errorf("%s: likeness is %f, want %f", name, got, far)
		}
	}
}

func TestOrderOfFindingsAndPairsChangesNothing(t *testing.T) {
	t.Parallel()
	findings := many(5, 12)
	apart := [][2]string{{"0.0", "1.0"}, {"2.3", "3.3"}, {"0.5", "4.5"}, {"1.7", "no such finding"}, {"1.1", "1.1"}}
	for _, pairs := range [][][2]string{nil, apart} {
		want := ids(findings, merge.Groups(findings, pairs))
		random := rand.New(rand.NewPCG(1, 2))
		for range 30 {
			shuffled, swapped := slices.Clone(findings), slices.Clone(pairs)
			random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			random.Shuffle(len(swapped), func(i, j int) { swapped[i], swapped[j] = swapped[j], swapped[i] })
			for i := range swapped {
				swapped[i][0], swapped[i][1] = swapped[i][1], swapped[i][0]
			}
			if got := ids(shuffled, merge.Groups(shuffled, swapped)); got != want {
				t.Fatalf("groups depend on the order:\n%s\n%s", got, want)
			}
		}
	}
}

func TestEachFindingIsInOneGroupWithNoOtherOfItsReviewer(t *testing.T) {
	t.Parallel()
	findings := many(5, 30)
	// The same words twice from one reviewer stay two findings.
	findings = append(findings, findings[0])
	findings[len(findings)-1].ID = "again"
	groups := merge.Groups(findings, nil)
	count, merged := make([]int, len(findings)), 0
	for _, group := range groups {
		reviewers := map[string]bool{}
		for _, at := range group {
			count[at]++
			if reviewers[findings[at].Reviewer] {
				t.Errorf("%s has two findings in %v", findings[at].Reviewer, group)
			}
			reviewers[findings[at].Reviewer] = true
		}
		if len(group) > 1 {
			merged++
		}
	}
	if i := slices.IndexFunc(count, func(n int) bool { return n != 1 }); i >= 0 {
		t.Errorf("finding %d is in %d groups", i, count[i])
	}
	if merged < 20 {
		t.Errorf("%d groups have more than one finding, want 20 or more", merged)
	}
}

func TestPairsKeptApartAreInNoGroup(t *testing.T) {
	t.Parallel()
	three := []merge.Finding{
		{ID: "1", Reviewer: "A", Text: "Unlock removes the lock file"},
		{ID: "2", Reviewer: "B", Text: "Unlock removes the lock file"},
		{ID: "3", Reviewer: "C", Text: "Unlock removes the lock file"},
	}
	for _, c := range []struct {
		apart [][2]string
		want  string
	}{
		{nil, "1 2 3"},
		{[][2]string{{"3", "1"}}, "1 2|3"},
		{[][2]string{{"1", "2"}, {"2", "3"}}, "1 3|2"},
		{[][2]string{{"1", "2"}, {"2", "3"}, {"1", "3"}}, "1|2|3"},
	} {
		if got := ids(three, merge.Groups(three, c.apart)); got != c.want {
			t.Errorf("apart %v: groups are %s, want %s", c.apart, got, c.want)
		}
	}
}

func TestNoFindingsAndHostileTextAreGrouped(t *testing.T) {
	t.Parallel()
	if got := merge.Groups(nil, nil); len(got) != 0 {
		t.Errorf("groups of nothing are %v", got)
	}
	hostile := []merge.Finding{
		{ID: "1", Reviewer: "A"},
		{ID: "2", Reviewer: "B", Text: " \t\n"},
		{ID: "3", Reviewer: "C", Text: "\xff\xfe``` ` :: -> (((("},
		{ID: "4", Reviewer: "D", Text: strings.Repeat("a_b.c(", 100_000)},
		{ID: "5", Reviewer: "E", Text: "\u200b\u0301\U0001F512 the the the"},
	}
	if got := ids(hostile, merge.Groups(hostile, nil)); strings.Count(got, "|") != len(hostile)-1 {
		t.Errorf("groups are %s, want each finding alone", got)
	}
}

func BenchmarkGroups(b *testing.B) {
	findings := many(5, 30)
	for b.Loop() {
		merge.Groups(findings, nil)
	}
}

// many returns findings of some reviewers about the same defects, each in the reviewer's own words.
func many(reviewers, defects int) []merge.Finding {
	subjects := strings.Fields("cache socket ledger invoice cursor shader parser router beacon filter")
	faults := []string{"is closed twice", "keeps a stale pointer", "overflows on large input"}
	words := []string{
		"The %s %s in handle%d", "handle%[3]d: its %[1]s %[2]s", "I see that the %s %s when handle%d runs",
		"%s in handle%[3]d %[2]s, which users will notice", "`handle%[3]d` has a %[1]s that %[2]s",
	}
	var findings []merge.Finding
	for r := range reviewers {
		for d := range defects {
			findings = append(findings, merge.Finding{
				ID: fmt.Sprintf("%d.%d", r, d), Reviewer: string(rune('A' + r)),
				Path: fmt.Sprintf("%s.go", subjects[d%len(subjects)]), Line: 1 + 40*d + r,
				Text: fmt.Sprintf(words[r], subjects[d%len(subjects)], faults[d/len(subjects)%len(faults)], d),
			})
		}
	}
	return findings
}

// ids writes groups as the ids of their findings.
func ids(findings []merge.Finding, groups [][]int) string {
	var written []string
	for _, group := range groups {
		var members []string
		for _, at := range group {
			members = append(members, findings[at].ID)
		}
		written = append(written, strings.Join(members, " "))
	}
	return strings.Join(written, "|")
}
