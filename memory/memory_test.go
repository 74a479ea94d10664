package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"moot/memory"
	"moot/protocol/review"
	"moot/state"
)

const diff = `--- a/queue.go
+++ b/queue.go
@@ -1,4 +1,4 @@
 package queue
 //
-const maxRetries = 5
+const maxRetries = 6
 const limit = 10
`

func change() *review.Change {
	return &review.Change{Repository: "r", Branch: "work", Files: []review.File{
		{Path: "queue.go", Diff: diff, Lines: 4, Was: 4},
		{Path: "new.go", From: "old.go", Lines: 3},
		{Path: "left.go", Ignored: "by you"},
	}}
}

// ruled returns a ruling on line 3 of queue.go.
func ruled(edit func(*review.Remembered)) review.Remembered {
	r := review.Remembered{
		Fingerprint: "f", Repository: "r", Branch: "work", Session: "s", At: "2026-01-02T03:04:05Z", Path: "queue.go",
		Line: 3, End: 3, Severity: review.High, What: "too many", Lines: "const maxRetries = 6",
		Bucket: state.BucketDismissed, Tag: state.TagUser, ByUser: true,
	}
	if edit != nil {
		edit(&r)
	}
	return r
}

func take(t *testing.T, files map[string]string, all ...review.Remembered) []review.Known {
	t.Helper()
	taken, left, err := memory.Take(all, change(), func([]string) (map[string]string, error) { return files, nil })
	if err != nil || left > 0 {
		t.Fatal(left, err)
	}
	return taken
}

func TestLinesStandUnchangedButForWhiteSpaceAndPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		edit       func(*review.Remembered)
		line       int
		unchanged  bool
	}{
		{"same", "package queue\n\nconst maxRetries = 6\n", nil, 3, true},
		{"moved", "package queue\n\n// More.\n\n\n\tconst  maxRetries=6\r\n", nil, 6, true},
		{"wrapped", "package queue\nconst maxRetries =\n\t6\n", nil, 2, true},
		{"changed", "package queue\n\nconst maxRetries = 60\n", nil, 3, false},
		{"in a longer line", "package queue\n\nconst maxRetries = 6 // or 7\n", nil, 3, false},
		{"gone", "", nil, 3, false},
		{"one of several, close", "const maxRetries = 6\n\n\nconst maxRetries = 6\n", nil, 4, true},
		{
			"one of several, none close", strings.Repeat("\n", 20) + "const maxRetries = 6\nconst maxRetries = 6\n", nil, 3,
			false,
		},
		{"refuted by lines that stand", "const maxRetries = 6\nconst limit = 10\n", func(r *review.Remembered) {
			r.RefutedAt, r.RefutedLines = "queue.go:4", "const limit = 10"
		}, 1, true},
		{"refuted by lines that changed", "const maxRetries = 6\nconst limit = 2\n", func(r *review.Remembered) {
			r.RefutedAt, r.RefutedLines = "queue.go:4", "const limit = 10"
		}, 1, false},
		{"refuted by a command", "const maxRetries = 6\n", func(r *review.Remembered) {
			r.RefutedAt, r.RefutedLines = "go test ./...", "ok"
		}, 1, false},
		{"no lines", "const maxRetries = 6\n", func(r *review.Remembered) { r.Lines = " " }, 3, false},
		{"still removed", "const maxRetries = 6\n", func(r *review.Remembered) {
			r.Before, r.Line, r.End, r.Lines = true, 8, 8, "const maxRetries = 5"
		}, 3, true},
		{"not removed", "const maxRetries = 6\n", func(r *review.Remembered) {
			r.Before, r.Line, r.End, r.Lines = true, 8, 8, "const limit = 10"
		}, 8, false},
		{"a whole file with the same change", "const maxRetries = 6\n", func(r *review.Remembered) {
			r.Line, r.End, r.Lines, r.Digest = 0, 0, "", change().Files[0].Digest()
		}, 0, true},
		{"a whole file with another change", "const maxRetries = 6\n", func(r *review.Remembered) {
			r.Line, r.End, r.Lines, r.Digest = 0, 0, "", change().Files[1].Digest()
		}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"queue.go": c.text}
			if c.text == "" {
				files = nil
			}
			taken := take(t, files, ruled(c.edit))
			if len(taken) != 1 {
				t.Fatal(taken)
			}
			k := taken[0]
			if k.Unchanged != c.unchanged || k.Line != c.line || k.Gone != (c.text == "") {
				t.Errorf("unchanged %v at line %d, gone %v", k.Unchanged, k.Line, k.Gone)
			}
		})
	}
}

func TestTheNewerRulingWinsAndTheUsersOverAReviewers(t *testing.T) {
	t.Parallel()
	later := func(edit func(*review.Remembered)) review.Remembered {
		return ruled(func(r *review.Remembered) {
			r.At, r.ByUser, r.Bucket, r.Tag, r.Session = "2026-02-02T03:04:05Z", false, state.BucketAgreed, state.TagConfirmed, "later"
			if edit != nil {
				edit(r)
			}
		})
	}
	stands := map[string]string{"queue.go": "const maxRetries = 6\n"}
	changed := map[string]string{"queue.go": "const maxRetries = 7\n"}
	intended := later(func(r *review.Remembered) { r.ByUser, r.Tag, r.Bucket = true, state.TagIntended, state.BucketDismissed })
	onOther := later(func(r *review.Remembered) { r.Branch, r.Session = "other", "other" })
	here := later(func(r *review.Remembered) { r.At, r.Session = "2026-01-20T03:04:05Z", "here" })
	for _, c := range []struct {
		name  string
		files map[string]string
		all   []review.Remembered
		want  string
	}{
		{"the user's while its lines stand", stands, []review.Remembered{ruled(nil), later(nil)}, "s"},
		{"the user's in any order", stands, []review.Remembered{later(nil), ruled(nil)}, "s"},
		{"the newer once the lines of the user's changed", changed, []review.Remembered{ruled(nil), later(nil)}, "later"},
		{"the newer of the user's", stands, []review.Remembered{intended, ruled(nil)}, "later"},
		{"the reviewers' on this branch", stands, []review.Remembered{here, onOther}, "here"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if taken := take(t, c.files, c.all...); len(taken) != 1 || taken[0].Session != c.want || taken[0].ID != "M1" {
				t.Errorf("%+v", taken)
			}
		})
	}
}

func TestAReviewTakesInWhatItsChangeTouchesOrItsBranchLeftOpen(t *testing.T) {
	t.Parallel()
	at := func(name, path, branch string, bucket state.Bucket) review.Remembered {
		return ruled(func(r *review.Remembered) { r.Fingerprint, r.Path, r.Branch, r.Bucket = name, path, branch, bucket })
	}
	var got []string
	for _, k := range take(t, nil,
		at("a", "queue.go", "other", state.BucketDismissed), at("b", "old.go", "work", state.BucketDismissed),
		at("c", "far.go", "work", state.BucketUnresolved), at("d", "far.go", "work", state.BucketDismissed),
		at("e", "far.go", "other", state.BucketAgreed), at("f", "left.go", "work", state.BucketAgreed),
	) {
		got = append(got, k.Fingerprint+" "+k.Path)
	}
	if text := strings.Join(got, ", "); text != "a queue.go, b new.go, c far.go" {
		t.Error(text)
	}
}

func TestTheOldestRulingsAreLeftOut(t *testing.T) {
	t.Parallel()
	var all []review.Remembered
	for i := range memory.Most + 3 {
		all = append(all, ruled(func(r *review.Remembered) {
			r.Fingerprint, r.At = fmt.Sprint("f", i), fmt.Sprintf("2026-01-02T03:%02d:%02dZ", i/60, i%60)
		}))
	}
	taken, left, err := memory.Take(all, change(), func([]string) (map[string]string, error) { return nil, nil })
	if err != nil || left != 3 || len(taken) != memory.Most || taken[0].Fingerprint != fmt.Sprint("f", memory.Most+2) {
		t.Error(len(taken), left, err)
	}
}

func TestJobsThatCompleteAFileAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	const jobs = 8
	var group sync.WaitGroup
	for i := range jobs {
		group.Go(func() {
			mine := ruled(func(r *review.Remembered) { r.Fingerprint = fmt.Sprint("f", i) })
			added, err := memory.Complete(path, []review.Remembered{mine, ruled(nil)})
			if err != nil || added < 1 {
				t.Error(added, err)
			}
		})
	}
	group.Wait()
	text, err := memory.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list, err := memory.Parse(text)
	if err != nil || len(list) != jobs+1 {
		t.Errorf("%d lines, %v", len(list), err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("files are left behind: %v", entries)
	}
}

func TestCompletingAFileKeepsItsLinesAndAddsOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	first := ruled(nil)
	before := first.JSON() // Without a newline at its end.
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	moved := ruled(func(r *review.Remembered) { r.Line, r.End, r.Lines = 9, 9, "const  maxRetries = 6" })
	if added, err := memory.Complete(path, []review.Remembered{moved}); err != nil || added != 0 {
		t.Error(added, err)
	}
	changed := ruled(func(r *review.Remembered) { r.Tag, r.Reason = state.TagIntended, "<we> mean it" })
	if added, err := memory.Complete(path, []review.Remembered{moved, changed}); err != nil || added != 1 {
		t.Error(added, err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != before+"\n"+changed.JSON()+"\n" {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

func TestAWrongLineOfAMemoryFileIsNamed(t *testing.T) {
	t.Parallel()
	good := ruled(nil)
	for _, c := range []struct{ line, want string }{
		{strings.Replace(good.JSON(), `"dismissed"`, `"wrong"`, 1), `line 2: bucket: `},
		{strings.Replace(good.JSON(), `"bucket"`, `"basket"`, 1), `line 2: basket: there is no such field; did you mean "bucket"?`},
		{strings.Replace(good.JSON(), `"HIGH"`, `"GRAVE"`, 1), `line 2: severity: `},
		{strings.Replace(good.JSON(), `2026-01-02T03`, `yesterday`, 1), `line 2: at: `},
		{strings.Replace(good.JSON(), `"end":3`, `"end":2`, 1), `line 2: line: 3 to 2 are no lines`},
		{strings.Replace(good.JSON(), `"too many"`, `""`, 1), `line 2: what is missing`},
		{strings.Replace(good.JSON(), `too many`, strings.Repeat("x", 20<<10), 1), `line 2: what is longer than 16 KiB`},
		{"[]", `line 2: it takes an object`},
	} {
		_, err := memory.Parse([]byte(good.JSON() + "\n" + c.line + "\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "correct or delete the line") {
			t.Errorf("%.80s: %v, want %s", c.line, err, c.want)
		}
	}
	if list, err := memory.Parse([]byte("\n")); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}
