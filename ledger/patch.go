package ledger

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"moot/internal/lists"
	"moot/internal/plain"
)

// Bounds of a patch. MaxPatch is its size in bytes: the user must be able to read all of it before approving.
const (
	MaxPatch      = 64 << 10
	maxPatchFiles = 50
	maxPatchPath  = 400
)

// Patch changes files of a tree: a test or a fix that a seat hands in.
type Patch []*gitdiff.File

// ParsePatch reads a unified diff, as of git or of diff -u. It adds, changes and deletes text files below one folder,
// and nothing else: the author is a model, and what it writes is run. Words around the diff are dropped, and so are the
// counts in the headers of hunks, which are counted again.
func ParsePatch(text string) (Patch, error) {
	p, why := parsePatch(text)
	if why != "" {
		return nil, fmt.Errorf("the patch cannot be tried: %s; write a unified diff as git diff prints it, of text files "+
			"with paths below the workspace", why)
	}
	return p, nil
}

func parsePatch(text string) (p Patch, why string) {
	switch {
	case strings.TrimSpace(text) == "":
		return nil, "it is empty"
	case len(text) > MaxPatch:
		return nil, fmt.Sprintf("it has %d bytes, and may have %d", len(text), MaxPatch)
	case !utf8.ValidString(text):
		return nil, "it is not UTF-8"
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if i := strings.IndexFunc(line, func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }); i >= 0 {
			r, _ := utf8.DecodeRuneInString(line[i:])
			return nil, fmt.Sprintf("it has the character U+%04X, which cannot be printed", r)
		}
	}
	diff, why := repaired(text)
	if why != "" {
		return nil, why
	}
	files, _, err := gitdiff.Parse(strings.NewReader(diff))
	switch {
	case err != nil:
		return nil, strings.TrimPrefix(err.Error(), "gitdiff: ")
	case len(files) == 0:
		return nil, "it is no diff of a file"
	case len(files) > maxPatchFiles:
		return nil, fmt.Sprintf("it changes %d files, and may change %d", len(files), maxPatchFiles)
	}
	named := map[string]bool{}
	for _, f := range files {
		name := PatchedPath(f)
		if why := checkPatched(f); why != "" {
			return nil, plain.Short(name) + ": " + why
		}
		if folded := strings.ToLower(name); named[folded] {
			return nil, plain.Short(name) + " is in it twice"
		}
		named[strings.ToLower(name)] = true
		// What git knows of the objects is not checked, so it is not kept.
		f.OldOIDPrefix, f.NewOIDPrefix = "", ""
	}
	return files, ""
}

// PatchedPath is the path of the file that a part of a patch adds, changes or deletes.
func PatchedPath(f *gitdiff.File) string {
	if f.IsDelete {
		return f.OldName
	}
	return f.NewName
}

// String is the normal form: the diff of each file as git writes it. ParsePatch reads it back.
func (p Patch) String() string {
	return strings.Join(lists.Map(p, (*gitdiff.File).String), "")
}

// Words say in one line what the patch does: "adds a_test.go (+12), changes b.go (+1 -2)".
func (p Patch) Words() string {
	words := lists.Map(p, func(f *gitdiff.File) string {
		added, deleted := int64(0), int64(0)
		for _, fragment := range f.TextFragments {
			added, deleted = added+fragment.LinesAdded, deleted+fragment.LinesDeleted
		}
		switch {
		case f.IsNew:
			return fmt.Sprintf("adds %s (+%d)", f.NewName, added)
		case f.IsDelete:
			return fmt.Sprintf("deletes %s (-%d)", f.OldName, deleted)
		}
		return fmt.Sprintf("changes %s (+%d -%d)", f.NewName, added, deleted)
	})
	return strings.Join(words, ", ")
}

// checkPatched returns why a file of a patch is refused, or "".
func checkPatched(f *gitdiff.File) string {
	switch {
	case f.IsCopy, f.IsRename:
		return "it renames or copies a file; delete the old one and add the new one"
	case f.IsBinary:
		return "it is binary"
	case !f.IsNew && !f.IsDelete && f.OldName != f.NewName:
		return "it has two names"
	case !f.IsNew && !f.IsDelete && len(f.TextFragments) == 0:
		return "nothing in it is changed"
	}
	for _, mode := range []uint32{uint32(f.OldMode), uint32(f.NewMode)} {
		switch mode {
		case 0, 0o100644, 0o100755, 0o644, 0o755:
		case 0o120000:
			return "it is a link"
		case 0o160000:
			return "it is a submodule"
		default:
			return fmt.Sprintf("its mode %o is not that of a file", mode)
		}
	}
	return checkPatchedPath(PatchedPath(f))
}

// checkPatchedPath returns why a path may not be written, or "". A path is refused if it leaves the folder or names the
// repository on any system: Windows ignores dots and blanks at the end of a name, case, and what follows a colon, and
// calls .git also GIT~1; macOS ignores case and characters that draw nothing.
func checkPatchedPath(name string) string {
	switch {
	case name == "":
		return "it has no path"
	case len(name) > maxPatchPath:
		return "its path is too long"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }):
		return "its path has a character that cannot be printed"
	case strings.ContainsAny(name, `\:`):
		return `its path has a \ or a :`
	case path.IsAbs(name), name == "..", strings.HasPrefix(name, "../"), strings.Contains(name, "/../"),
		strings.HasSuffix(name, "/.."):
		return "its path leaves the workspace"
	case path.Clean(name) != name || name == ".":
		return "its path is not in its shortest form"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part != strings.TrimRight(part, ". ") || part != strings.TrimLeft(part, " ") {
			return "a name in its path begins or ends with a blank, or ends with a dot"
		}
		if strings.EqualFold(part, ".git") || regexp.MustCompile(`(?i)^git~\d+$`).MatchString(part) {
			return "it belongs to git"
		}
	}
	return ""
}

// repaired gives each file the header of git that diff -u lacks, corrects the numbers of lines in the headers of hunks,
// which models often get wrong, and ends the last line. An empty line inside of a hunk is an empty line of context, whose
// blank was lost.
func repaired(text string) (diff, why string) {
	header := regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$`)
	absolute := regexp.MustCompile(`^[-+]{3} "?(?:[ab]/)?/`)
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	var out []string
	ofGit := false
	for i := 0; i < len(lines); {
		if strings.HasPrefix(lines[i], "diff --git ") {
			ofGit = true
		} else if beginsFile(lines[i:]) {
			// The parser would make them relative.
			for _, line := range lines[i : i+2] {
				name, _, _ := strings.Cut(line[len("--- "):], "\t")
				if absolute.MatchString(line) && name != devNull {
					return "", "the path in " + plain.Short(line) + " is absolute and leaves the workspace"
				}
			}
			if !ofGit {
				out = append(out, gitHeader(lines[i], lines[i+1])...)
				i += 2
			}
			ofGit = false
		}
		m := header.FindStringSubmatch(lines[i])
		if m == nil {
			out = append(out, lines[i])
			i++
			continue
		}
		at, before, after := len(out), 0, 0
		out = append(out, "")
		for i++; i < len(lines) && !endsHunk(lines[i:]); i++ {
			line := lines[i]
			if line == "" || line == "\r" {
				if blank(lines[i:]) {
					break
				}
				line = " " + line
			}
			switch line[0] {
			case ' ':
				before, after = before+1, after+1
			case '-':
				before++
			case '+':
				after++
			}
			out = append(out, line)
		}
		out[at] = fmt.Sprintf("@@ -%s,%d +%s,%d @@%s", m[1], before, m[2], after, m[3])
	}
	return strings.Join(out, "\n") + "\n", ""
}

// devNull stands for the side of a diff that has no file.
const devNull = "/dev/null"

// beginsFile reports whether lines begin with the names of a file before and after, and a hunk.
func beginsFile(lines []string) bool {
	return len(lines) > 2 && strings.HasPrefix(lines[0], "--- ") && strings.HasPrefix(lines[1], "+++ ") &&
		strings.HasPrefix(lines[2], "@@ ")
}

// gitHeader is the header of git for the two lines with which a file of diff -u begins.
func gitHeader(before, after string) []string {
	name := func(line, prefix string) string {
		line = line[len("--- "):]
		quote := ""
		if rest, quoted := strings.CutPrefix(line, `"`); quoted {
			line, quote = rest, `"`
		} else {
			line, _, _ = strings.Cut(line, "\t")
		}
		if line == devNull {
			return line
		}
		return quote + prefix + strings.TrimPrefix(line, prefix)
	}
	other := func(name, from, to string) string {
		rest, quoted := strings.CutPrefix(name, `"`)
		if rest = to + strings.TrimPrefix(rest, from); quoted {
			return `"` + rest
		}
		return rest
	}
	before, after = name(before, "a/"), name(after, "b/")
	switch {
	case before == devNull:
		before = other(after, "b/", "a/")
		return []string{"diff --git " + before + " " + after, "new file mode 100644", "--- " + devNull, "+++ " + after}
	case after == devNull:
		after = other(before, "a/", "b/")
		return []string{"diff --git " + before + " " + after, "deleted file mode 100644", "--- " + before, "+++ " + devNull}
	}
	return []string{"diff --git " + before + " " + after, "--- " + before, "+++ " + after}
}

// endsHunk reports whether the first of some lines is no longer a part of a hunk.
func endsHunk(lines []string) bool {
	if lines[0] == "" || lines[0] == "\r" {
		return false
	}
	return beginsFile(lines) || !strings.ContainsRune(" +-\\", rune(lines[0][0]))
}

// blank reports whether lines are empty up to the end of their hunk.
func blank(lines []string) bool {
	i := slices.IndexFunc(lines, func(line string) bool { return line != "" && line != "\r" })
	return i < 0 || endsHunk(lines[i:])
}

// TrialExpectation holds the results that a command must show without and with a patch.
type TrialExpectation struct{ Without, With Expectation }

// DefaultTrial is expected of a patch that fixes a defect.
const DefaultTrial = "without: exit 1; with: exit 0"

// String is the normal form, which ParseTrialExpectation reads back.
func (e TrialExpectation) String() string {
	return "without: " + e.Without.String() + "; with: " + e.With.String()
}

// ParseTrialExpectation reads "without: exit 1; with: exit 0", in which each side is an Expectation. An empty text is
// DefaultTrial. Both sides must differ.
func ParseTrialExpectation(text string) (e TrialExpectation, err error) {
	if text = strings.TrimSpace(text); text == "" {
		text = DefaultTrial
	}
	const forms = "; write what the command does without and with the patch, as in: " + DefaultTrial
	rest, found := cutFold(text, "without:")
	if !found {
		return e, fmt.Errorf("the expectation %s does not begin with without:%s", quoted(text), forms)
	}
	err = errors.New("with: is missing")
	for _, at := range regexp.MustCompile(`(?i)[;,\s]\s*(?:and\s+)?with:`).FindAllStringIndex(rest, -1) {
		var without, with Expectation
		if without, err = ParseExpectation(strings.TrimRight(rest[:at[0]], " ;,")); err != nil {
			continue
		}
		if with, err = ParseExpectation(rest[at[1]:]); err != nil {
			continue
		}
		if without.String() == with.String() {
			return e, fmt.Errorf("the expectation %s is the same without and with the patch%s", quoted(text), forms)
		}
		return TrialExpectation{without, with}, nil
	}
	return e, fmt.Errorf("the expectation %s cannot be read: %w%s", quoted(text), err, forms)
}

// cutFold removes a prefix in any case of letters.
func cutFold(text, prefix string) (rest string, found bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// Shown reports whether two runs differ as announced: each meets its side, and they do not both meet each other's.
func (e TrialExpectation) Shown(without, with Ended) bool {
	return len(e.Without.Unmet(without)) == 0 && len(e.With.Unmet(with)) == 0 &&
		(len(e.With.Unmet(without)) > 0 || len(e.Without.Unmet(with)) > 0)
}
