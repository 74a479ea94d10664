package change

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"moot/internal/git"
	"moot/internal/plain"
	"moot/protocol/review"
)

// readPatch reads a patch. If it applies to HEAD, the tree with it is reviewed; else there are only the lines of
// the patch. g is nil without a repository.
func readPatch(ctx context.Context, g *git.Repository, o Options) (*Material, error) {
	name := "the patch from standard input"
	if o.Patch.Name != "-" {
		name = plain.Line(path.Base(strings.ReplaceAll(o.Patch.Name, `\`, "/")))
	}
	text := string(o.Patch.Text)
	parts, err := parsePatch(text)
	if err != nil {
		return nil, mistake("%s: %v", name, err)
	}
	c := &comparison{what: name, changed: name}
	if g != nil {
		err = apply(ctx, g, c, text, parts, o)
		failed, isGit := errors.AsType[*git.Error](err)
		switch {
		case err == nil:
			return readFiles(ctx, g, c, o)
		case !isGit:
			return nil, err
		}
		o.Note(fmt.Sprintf("%s does not apply to HEAD (%s): only its lines are read, and places are checked against them",
			name, plain.Line(failed.Text)))
	}
	files := make([]*changed, 0, len(parts))
	top := o.Folder
	if g != nil {
		top = g.Top()
	}
	byPath := map[string]*changed{}
	for _, part := range parts {
		file := part.file()
		if first := byPath[file.path]; first != nil {
			// The patch has several commits. The line numbers of the later ones count those that the earlier ones
			// added, so their hunks are no diff together.
			first.reason = "several commits of the patch change it, and the patch does not apply here: git diff A..B > " +
				"FILE writes one with all of them together"
			if file.Status == review.Deleted {
				first.Status = review.Deleted
			}
			continue
		}
		byPath[file.path] = file
		files = append(files, file)
	}
	if err := leaveOut(top, files, o); err != nil {
		return nil, err
	}
	m := &Material{Change: review.Change{Repository: realPath(top)}, folder: o.Folder}
	if g != nil {
		m.Repository = repositoryID(ctx, g, "")
	}
	m.finish(files, c.what, o)
	return m, ctx.Err()
}

// apply makes a tree of HEAD with the patch.
func apply(ctx context.Context, g *git.Repository, c *comparison, text string, parts []*patchedFile, o Options) error {
	c.from = g.EmptyTree()
	if g.Head() != "" {
		head, err := commit(ctx, g, "HEAD")
		if err != nil {
			return err
		}
		c.from, c.base = head, head
	}
	texts := []string{text}
	if strings.Contains(text, "\r\n") && !strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") {
		// A mail program or an editor changed all line ends.
		texts = append(texts, strings.ReplaceAll(text, "\r\n", "\n"))
	}
	prefixes := []string{""}
	if prefix := g.Prefix(o.Folder); prefix != "" {
		prefixes = append(prefixes, prefix)
	}
	strips := []int{1, 0}
	if slices.ContainsFunc(parts, func(p *patchedFile) bool { return p.unprefixed }) {
		strips = []int{0, 1}
	}
	var first error
	for _, text := range texts {
		for _, prefix := range prefixes {
			for _, strip := range strips {
				var named []string
				for _, part := range parts {
					for _, name := range []string{part.oldPath, part.newPath} {
						if strip == 0 {
							name = part.raw[name]
						}
						named = append(named, path.Join(prefix, name))
					}
				}
				tree, err := g.Patched(ctx, c.from, []byte(text), named, prefix, strip)
				if err == nil {
					c.to = tree
					return nil
				}
				if _, isGit := errors.AsType[*git.Error](err); !isGit {
					return err
				}
				if first == nil {
					first = err
				}
			}
		}
	}
	return first
}

// patchedFile is a file of a patch.
type patchedFile struct {
	// oldPath and newPath are the paths before and after, "" for a file that does not exist there. raw has them as they
	// stand in the patch, with a/ and b/.
	oldPath, newPath string
	raw              map[string]string
	unprefixed       bool
	oldMode, newMode string
	similarity       int
	binary           bool
	hunks            strings.Builder
	// lines and was are the last lines that the hunks show.
	lines, was int
}

// parsePatch reads the files of a unified diff, of git or not, perhaps below the messages of commits.
func parsePatch(text string) ([]*patchedFile, error) {
	var files []*patchedFile
	var file *patchedFile
	begun := false // the header of file is being read, and no hunk was
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		rest := ""
		begins := func(start string) bool {
			var found bool
			rest, found = strings.CutPrefix(line, start)
			return found
		}
		switch {
		case begins("diff --git "):
			file, begun = &patchedFile{raw: map[string]string{}}, true
			file.names(splitNames(rest))
			files = append(files, file)
		case begins("diff --cc "), begins("diff --combined "), begins("@@@ "):
			return nil, fmt.Errorf("line %d: a combined diff of a merge cannot be read; git diff HEAD^ HEAD writes one "+
				"against the first parent", i+1)
		case begins("--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "):
			if !begun {
				file = &patchedFile{raw: map[string]string{}}
				files = append(files, file)
			}
			begun = false
			after := strings.TrimRight(lines[i+1][len("+++ "):], "\r\n")
			file.names(untimed(rest), untimed(after))
			i++
		case file == nil:
		case begun && begins("new file mode "):
			file.newMode, file.oldPath = rest, ""
		case begun && begins("deleted file mode "):
			file.oldMode, file.newPath = rest, ""
		case begun && begins("old mode "):
			file.oldMode = rest
		case begun && begins("new mode "):
			file.newMode = rest
		case begun && begins("similarity index "):
			file.similarity = number(strings.TrimSuffix(rest, "%"))
		case begun && begins("rename from "):
			file.oldPath = unquoted(rest)
		case begun && begins("rename to "):
			file.newPath = unquoted(rest)
		case begun && (begins("GIT binary patch") || begins("Binary files ")):
			file.binary = true
		case begins("@@ "):
			used, err := file.hunk(lines[i:])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			begun = false
			i += used - 1
		}
	}
	for _, file := range files {
		for _, name := range []string{file.oldPath, file.newPath} {
			if name != "" && (path.Clean(name) != name || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "../")) {
				return nil, fmt.Errorf("%s is not a path in a folder", plain.Line(name))
			}
		}
		if file.oldPath == "" && file.newPath == "" {
			return nil, errors.New("a file in it has no name")
		}
	}
	if len(files) == 0 {
		return nil, errors.New("it is no diff: it has no file that begins with \"diff --git\" or with \"---\" and \"+++\"; " +
			"git diff > change.patch writes one")
	}
	return files, nil
}

// names sets the paths, with a/ and b/ or without.
func (f *patchedFile) names(before, after string) {
	f.oldPath, f.newPath = before, after
	f.unprefixed = false
	for _, side := range []*string{&f.oldPath, &f.newPath} {
		name := *side
		if name == "/dev/null" || name == "" {
			*side = ""
			continue
		}
		first, rest, found := strings.Cut(name, "/")
		if found && len(first) == 1 && rest != "" {
			*side = rest
		} else {
			f.unprefixed = true
		}
		f.raw[*side] = name
	}
}

// splitNames splits the two names of a line "diff --git". Without quotation marks they may hold blanks; then they are
// the same but for their first element.
func splitNames(rest string) (before, after string) {
	if strings.HasPrefix(rest, `"`) {
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end+1 < len(rest) {
			return unquoted(rest[:end+1]), unquoted(strings.TrimSpace(rest[end+1:]))
		}
		return "", ""
	}
	for i := range rest {
		if rest[i] != ' ' {
			continue
		}
		before, after = rest[:i], unquoted(rest[i+1:])
		_, one, _ := strings.Cut(before, "/")
		_, other, _ := strings.Cut(after, "/")
		if one == other && one != "" || before == after {
			return before, after
		}
	}
	before, after, _ = strings.Cut(rest, " ")
	return before, unquoted(after)
}

// untimed returns the name in a line "--- name", where a tab may separate the time.
func untimed(name string) string {
	if !strings.HasPrefix(name, `"`) {
		name, _, _ = strings.Cut(name, "\t")
	}
	return unquoted(name)
}

// unquoted reads a name that git may have quoted.
func unquoted(name string) string {
	if len(name) < 2 || name[0] != '"' {
		return name
	}
	// Go writes octal escapes as git does.
	if text, err := strconv.Unquote(name); err == nil {
		return text
	}
	return strings.Trim(name, `"`)
}

// hunk reads a hunk, and returns how many lines it has.
func (f *patchedFile) hunk(lines []string) (used int, err error) {
	found := hunkStart.FindStringSubmatch(strings.TrimRight(lines[0], "\r\n"))
	if found == nil {
		return 0, errors.New("this is not the first line of a hunk")
	}
	was, now := count(found[2]), count(found[4])
	f.was, f.lines = max(f.was, number(found[1])+was-1), max(f.lines, number(found[3])+now-1)
	f.hunks.WriteString(strings.TrimRight(lines[0], "\r\n") + "\n")
	used = 1
	for used < len(lines) && (was > 0 || now > 0) {
		line := lines[used]
		sign := byte(' ')
		if text := strings.TrimRight(line, "\r\n"); text != "" {
			sign = line[0]
		} else if line == "" {
			break
		} else {
			// Some programs take the blank away.
			line = " " + line
		}
		switch sign {
		case '+':
			now--
		case '-':
			was--
		case ' ':
			was--
			now--
		case '\\':
		default:
			return 0, fmt.Errorf("the hunk ends early: %d lines are missing", max(was, now))
		}
		f.hunks.WriteString(strings.TrimRight(line, "\n") + "\n")
		used++
	}
	if was != 0 || now != 0 {
		return 0, errors.New("the lines of the hunk are not as many as its first line says")
	}
	if used < len(lines) && strings.HasPrefix(lines[used], `\`) {
		f.hunks.WriteString(strings.TrimRight(lines[used], "\n") + "\n")
		used++
	}
	return used, nil
}

// file returns the file as a changed one.
func (f *patchedFile) file() *changed {
	file := &changed{path: f.newPath}
	file.Lines, file.Was = f.lines, f.was
	switch {
	case f.newPath == "":
		file.path, file.Status = f.oldPath, review.Deleted
	case f.oldPath == "":
		file.Status = review.Added
	case f.oldPath != f.newPath:
		file.Status, file.from, file.sides.Similarity = review.Renamed, f.oldPath, f.similarity
	default:
		file.Status = review.Modified
	}
	switch {
	case f.binary:
		file.reason = "it is a binary file"
	case f.hunks.Len() > maxFile:
		file.reason = fmt.Sprintf("its change is larger than %d KiB", maxFile>>10)
	}
	if file.Status != review.Added {
		file.sides.Was.Mode = orMode(f.oldMode, f.newMode)
	}
	if file.Status != review.Deleted {
		file.sides.Now.Mode = orMode(f.newMode, f.oldMode)
	}
	file.Diff = printable(file.header(f.hunks.Len() > 0) + f.hunks.String())
	return file
}

func orMode(mode, other string) string {
	switch {
	case mode != "":
		return mode
	case other != "":
		return other
	}
	return "100644"
}
