package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// truth says whether one citation of a review is right. testdata/reviews/README.md explains the fields.
type truth struct {
	Review string `json:"review"`
	Commit string `json:"commit"`
	// Line is the line of the review that has the place. Path, First and Last are the place.
	Line   int    `json:"line"`
	Path   string `json:"path"`
	First  int    `json:"first"`
	Last   int    `json:"last"`
	Right  bool   `json:"right"`
	Quoted string `json:"quoted"`
	Why    string `json:"why"`
	// File is the path in the repository that Path means. At is the older commit that the citation was written at, or "".
	File string `json:"file"`
	At   string `json:"at"`
	// Text is the quote. Name is an identifier of the sentence that should be at the lines.
	Text string `json:"text"`
	Name string `json:"name"`
}

func (tr *truth) String() string {
	return fmt.Sprintf("%s:%d: %s:%d-%d, %s", tr.Review, tr.Line, tr.Path, tr.First, tr.Last, tr.Why)
}

func readTruths(t *testing.T) []truth {
	t.Helper()
	content, err := os.ReadFile("testdata/reviews/truth.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []truth
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	for decoder.More() {
		var one truth
		if err := decoder.Decode(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// TestReviewsHaveTheirTruths states that each review has truths, whose lines exist and name the file, and that the set
// is as large and as wrong as its README says.
func TestReviewsHaveTheirTruths(t *testing.T) {
	t.Parallel()
	all := readTruths(t)
	reviews, accused := map[string][]string{}, 0
	for i := range all {
		tr := &all[i]
		if _, known := reviews[tr.Review]; !known {
			content, err := os.ReadFile(filepath.Join("testdata/reviews", tr.Review))
			if err != nil {
				t.Fatal(err)
			}
			reviews[tr.Review] = strings.Split(string(content), "\n")
		}
		lines := reviews[tr.Review]
		if tr.Line < 1 || tr.Line > len(lines) {
			t.Errorf("%s: the review has %d lines", tr, len(lines))
			continue
		}
		// A place may leave out its file, which is then named before it.
		base := tr.Path[strings.LastIndexAny(tr.Path, `/\`)+1:]
		if !strings.Contains(strings.Join(lines[:tr.Line], "\n"), base) {
			t.Errorf("%s: the review does not name the file before", tr)
		}
		// Long places are broken over two lines.
		near := strings.Join(lines[max(0, tr.Line-2):tr.Line], "\n")
		if tr.First > 0 && !strings.Contains(near, strconv.Itoa(tr.First)) &&
			!strings.HasSuffix(tr.Review, ".json") && !strings.HasSuffix(tr.Review, ".sarif") {
			t.Errorf("%s: the review does not have the number there", tr)
		}
		if !tr.Right {
			accused++
		}
	}
	entries, err := os.ReadDir("testdata/reviews")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if _, known := reviews[name]; !known && name != "README.md" && name != "truth.jsonl" {
			t.Errorf("%s has no truths", name)
		}
	}
	if share := float64(accused) / float64(len(all)); share < 0.2 || share > 0.4 {
		t.Errorf("%d of %d citations are wrong: %.2f", accused, len(all), share)
	}
}

// TestTruthsAreTrue states that right citations fit their commit, and that wrong ones fit no version of their file.
func TestTruthsAreTrue(t *testing.T) {
	t.Parallel()
	all := readTruths(t)
	var commits []string
	for i := range all {
		commits = append(commits, all[i].Commit)
	}
	slices.Sort(commits)
	r := openRepository(t, slices.Compact(commits))
	var wanted []string
	for i := range all {
		tr := &all[i]
		if tr.File != "" {
			wanted = append(wanted, tr.tree()+":"+tr.File)
		}
		if !tr.Right {
			wanted = append(wanted, r.versions[tr.File]...)
		}
	}
	r.read(t, wanted)
	for i := range all {
		if wrong := all[i].check(r); wrong != "" {
			t.Errorf("%s: %s", &all[i], wrong)
		}
	}
}

// tree is the commit that the citation is checked against.
func (tr *truth) tree() string {
	if tr.At != "" {
		return tr.At
	}
	return tr.Commit
}

// check returns what is untrue of a truth, or "".
func (tr *truth) check(r *repository) string {
	switch tr.Why {
	case "proposal", "foreign":
		if !tr.Right {
			return "it is no citation, so nobody may be accused"
		}
		return ""
	case "no-path":
		path := strings.ReplaceAll(tr.Path, `\`, "/")
		for known := range r.versions {
			if known == path || strings.HasSuffix(known, "/"+path) || strings.HasSuffix(path, "/"+known) {
				return "the path is in the history: " + known
			}
		}
		return ifRight(tr.Right)
	}
	content, exists := r.contents[tr.tree()+":"+tr.File]
	if !exists {
		return "there is no file " + tr.File
	}
	lines := splitLines(content)
	switch tr.Why {
	case "right", "older":
		if !tr.Right || (tr.Why == "older") != (tr.At != "") {
			return "its fields contradict each other"
		}
		if tr.Last > len(lines) || !tr.standsIn(lines) {
			return "it does not stand there"
		}
		return ""
	case "elsewhere-ok":
		around := len(splitLines(tr.Text)) + 3
		near := lines[max(0, tr.First-1-around):min(len(lines), tr.Last+around)]
		if !tr.Right || share(tr.Text, near) < enough || tr.standsIn(lines) {
			return "its text must stand close to the lines, and not at them"
		}
		return ""
	case "shifted":
		if tr.Text == "" && tr.Name == "" {
			return "nothing says what is shifted"
		}
		if share(tr.Text, lines) < enough && !strings.Contains(squeeze(content), squeeze(tr.Text+tr.Name)) {
			return "what it says stands nowhere in the file"
		}
	case "beyond", "invented", "altered", "other-file":
		if tr.Text == "" && tr.Why != "beyond" {
			return "nothing says what was quoted"
		}
	default:
		return "unknown reason"
	}
	for _, blob := range r.versions[tr.File] {
		version := r.contents[blob]
		lines := splitLines(version)
		switch {
		case tr.Why == "beyond" && tr.First <= len(lines):
			return "a version has the line: " + blob
		case tr.Why == "shifted" && tr.Text != "" && tr.standsIn(lines):
			return "it stands there in the version " + blob
		case tr.Text == "" || tr.Why == "shifted" || tr.Why == "beyond":
		case tr.Quoted == "block" && share(tr.Text, lines) >= enough,
			tr.Quoted != "block" && strings.Contains(squeeze(version), squeeze(tr.Text)):
			return "its text stands in the version " + blob
		}
	}
	if tr.Why == "shifted" && tr.Text == "" && tr.standsIn(lines) {
		return "the name stands there"
	}
	return ifRight(tr.Right)
}

func ifRight(right bool) string {
	if right {
		return "it is called right"
	}
	return ""
}

// enough is the share of a block's lines that must stand at the lines.
const enough = 0.6

// standsIn reports whether the citation is right of a file with these lines.
func (tr *truth) standsIn(lines []string) bool {
	if tr.First == 0 {
		return true
	}
	if tr.First > len(lines) {
		return false
	}
	last := min(tr.Last, len(lines))
	switch {
	case tr.Quoted == "block":
		// A block may be longer than the cited lines.
		last = min(max(last, tr.First-1+len(splitLines(tr.Text))), len(lines))
		return share(tr.Text, lines[tr.First-1:last]) >= enough
	case tr.Text != "":
		return strings.Contains(squeeze(strings.Join(lines[tr.First-1:last], "")), squeeze(tr.Text))
	case tr.Name != "":
		name := regexp.MustCompile(`\b` + regexp.QuoteMeta(tr.Name) + `\b`)
		return name.MatchString(strings.Join(lines[tr.First-1:last], "\n"))
	}
	return tr.Last <= len(lines)
}

var (
	trailing = regexp.MustCompile(`\s+(?://|#) .*$`)
	elision  = regexp.MustCompile(`^(?://|#|/\*)?(?:\.\.\.|…)+(?:\*/)?$`)
)

// share returns the share of a block's lines that are among lines: without white space, comments at their ends and
// elisions.
func share(block string, lines []string) float64 {
	have := map[string]bool{}
	for _, line := range lines {
		have[squeeze(line)], have[squeeze(trailing.ReplaceAllString(line, ""))] = true, true
	}
	found, all := 0, 0
	for _, line := range splitLines(block) {
		whole, bare := squeeze(line), squeeze(trailing.ReplaceAllString(line, ""))
		if whole == "" || elision.MatchString(whole) || bare != "" && elision.MatchString(bare) {
			continue
		}
		all++
		if have[whole] || bare != "" && have[bare] {
			found++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(found) / float64(all)
}

func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

func splitLines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// repository has the files of the repository, in the versions that the tests need.
type repository struct {
	// versions are the contents that each path ever had, by id, also under its earlier names.
	versions map[string][]string
	// contents are files by "commit:path" and by id.
	contents map[string]string
}

// openRepository reads which versions of each file lead to the commits. It skips the test if they are not there.
func openRepository(t *testing.T, commits []string) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	if shallow, err := git(t, "", "rev-parse", "--is-shallow-repository"); err != nil || strings.TrimSpace(shallow) != "false" {
		t.Skip("the tests do not run in a clone with the whole history")
	}
	for _, commit := range commits {
		if _, err := git(t, "", "cat-file", "-e", commit+"^{commit}"); err != nil {
			t.Skipf("the clone does not have the commit %s", commit)
		}
	}
	history, err := git(t, "", append([]string{
		"-c", "core.quotePath=false", "log", "-m", "--raw", "--no-abbrev", "-M", "--format=", "--end-of-options",
	}, commits...)...)
	if err != nil {
		t.Fatal(err)
	}
	own, earlier := map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(history) {
		// The line is ":mode mode id id status", and behind tabs the path, or the old and the new path.
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		entry := strings.Fields(fields[0])
		if len(fields) < 2 || len(entry) != 5 {
			continue
		}
		was, now := fields[1], fields[len(fields)-1]
		if was != now {
			earlier[now] = append(earlier[now], was)
		}
		for path, id := range map[string]string{was: entry[2], now: entry[3]} {
			if strings.Trim(id, "0") != "" {
				own[path] = append(own[path], id)
			}
		}
		if was == now && strings.Trim(entry[2], "0") != "" {
			own[was] = append(own[was], entry[2])
		}
	}
	r := &repository{versions: map[string][]string{}, contents: map[string]string{}}
	for path := range own {
		names := []string{path}
		for i := 0; i < len(names); i++ {
			r.versions[path] = append(r.versions[path], own[names[i]]...)
			for _, name := range earlier[names[i]] {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		slices.Sort(r.versions[path])
		r.versions[path] = slices.Compact(r.versions[path])
	}
	return r
}

// read reads the objects with these names.
func (r *repository) read(t *testing.T, names []string) {
	t.Helper()
	slices.Sort(names)
	names = slices.Compact(names)
	out, err := git(t, strings.Join(names, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		head, rest, _ := strings.Cut(out, "\n")
		fields := strings.Fields(head)
		if len(fields) != 3 { // it is missing
			out = rest
			continue
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size > len(rest) {
			t.Fatalf("git answered %q", head)
		}
		r.contents[name], out = rest[:size], strings.TrimPrefix(rest[size:], "\n")
	}
}

func git(t *testing.T, input string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	return string(out), err
}
