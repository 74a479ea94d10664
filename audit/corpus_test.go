package audit_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/audit"
	mootgit "moot/internal/git"
	"moot/research"
)

// allReviews audits all reviews of testdata and not only every sixth, which takes a minute.
var allReviews = flag.Bool("reviews", false, "audit all reviews of testdata")

// TestAccusationsOfRealLayoutsAreRight audits the reviews of testdata at their commits. It bounds how often a right place
// is accused, how many places are more than there, and how often a wrong one with a block is taken for a right one.
func TestAccusationsOfRealLayoutsAreRight(t *testing.T) {
	t.Parallel()
	all := readTruths(t)
	repository, err := mootgit.Open(t.Context(), "..")
	if err != nil {
		t.Skip(err)
	}
	defer repository.Close()
	if repository.IsShallow() {
		t.Skip("the history is not in this clone")
	}
	byReview := map[string][]*truth{}
	for i := range all {
		byReview[all[i].Review] = append(byReview[all[i].Review], &all[i])
	}
	var located, unread, falsely, fits, wrongBlocks, missedBlocks, wrong, caught int
	trees := map[string]*audit.Tree{}
	for i, name := range slices.Sorted(maps.Keys(byReview)) {
		if !*allReviews && i%6 != 0 {
			continue
		}
		truths := byReview[name]
		commit := truths[0].Commit
		if trees[commit] == nil {
			if _, err := repository.Commit(t.Context(), commit); err != nil {
				t.Skip(err)
			}
			trees[commit] = treeAt(t, commit)
		}
		review := auditOf(t, name, trees[commit])
		used := map[int]bool{}
		for _, tr := range truths {
			i := slices.IndexFunc(review.Citations, func(c audit.Citation) bool {
				base := tr.Path[strings.LastIndexAny(tr.Path, `/\`)+1:]
				return c.First == tr.First && strings.Contains(c.Cited, base) && c.Line-tr.Line < 2 && tr.Line-c.Line < 2
			})
			if tr.First == 0 {
				continue
			}
			if i < 0 {
				if tr.Why != "proposal" && tr.Why != "foreign" {
					unread++
					t.Logf("not read: %s", tr)
				}
				continue
			}
			used[i] = true
			c := &review.Citations[i]
			located++
			good := c.Verdict == audit.Verified || c.Verdict == audit.Supported
			if good && tr.Right {
				fits++
			}
			if c.Verdict.Accuses() && (tr.Right || tr.Why == "proposal" || tr.Why == "foreign") {
				falsely++
				t.Logf("accused: %s: %s: %s: %.100q", tr, c.Verdict, c.Reason, c.Statement)
			}
			if !tr.Right && tr.Why != "proposal" && tr.Why != "foreign" {
				wrong++
				if c.Verdict.Accuses() {
					caught++
				} else {
					t.Logf("missed: %s (%s): %s: %s: %.60q", tr, tr.Quoted, c.Verdict, c.Reason, c.Statement)
				}
				if tr.Quoted == "block" {
					wrongBlocks++
					if good {
						missedBlocks++
						t.Logf("WRONG BLOCK: %s: %s: %s", tr, c.Verdict, c.Reason)
					}
				}
			} else if !good && tr.Right {
				t.Logf("right: %s (%s): %s: %s: %.60q", tr, tr.Quoted, c.Verdict, c.Reason, c.Statement)
			}
		}
		for i := range review.Citations {
			if c := &review.Citations[i]; !used[i] && c.Verdict.Accuses() {
				falsely++
				t.Logf("accused without a truth: %s:%d: %s %s: %s", name, c.Line, c.Cited, c.Verdict, c.Reason)
			}
		}
	}
	t.Logf("located %d, not read %d, accused falsely %d, supported or verified %d, wrong %d of which accused %d, wrong blocks %d "+
		"of which taken for right %d", located, unread, falsely, fits, wrong, caught, wrongBlocks, missedBlocks)
	if least := map[bool]int{true: 700, false: 100}[*allReviews]; located < least || falsely*400 > located {
		t.Errorf("%d of %d places are accused falsely", falsely, located)
	}
	if fits*100 < located*33 {
		t.Errorf("%d of %d places are supported or verified", fits, located)
	}
	if missedBlocks*10 > wrongBlocks {
		t.Errorf("%d of %d wrong places with a block are taken for right", missedBlocks, wrongBlocks)
	}
}

// treeAt opens the files of a commit of this repository.
func treeAt(t testing.TB, commit string) *audit.Tree {
	t.Helper()
	repository, err := mootgit.Open(t.Context(), "..")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repository.Close)
	files, err := mootgit.OpenTree(t.Context(), repository.Top(), commit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	citation, err := research.OpenCitation(repository.Top())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = citation.Close() })
	citation.In(files)
	return &audit.Tree{Citation: citation, Repository: repository, Commit: commit}
}

// auditOf audits a review of testdata.
func auditOf(t testing.TB, name string, tree *audit.Tree) audit.Review {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "reviews", name))
	if err != nil {
		t.Fatal(err)
	}
	review, err := audit.Read(t.Context(), name, string(text), tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	return review
}
