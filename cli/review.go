package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/git"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/state"
	"moot/workspace"
)

// reviewed is the playbook of moot review.
const reviewed = "code-review"

func newReview(c *Console) *cobra.Command {
	b := newQuestion(c)
	cmd := &cobra.Command{
		Use: "review",
		RunE: func(cmd *cobra.Command, args []string) error {
			revisions, paths := args, []string{}
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				revisions, paths = args[:at], args[at:]
			}
			if len(revisions) > 1 {
				return usage("one revision or range at a time; put paths behind --, as in: moot review HEAD -- cli")
			}
			change, err := changeOf(cmd.Context(), c, firstOf(revisions), paths, b.workspace.allow)
			if err != nil {
				return err
			}
			b.question.text, b.given.change = change.question, change
			b.workspace.tree = change.tree
			b.values["playbook"] = cmp.Or(b.values["playbook"], reviewed)
			return b.ask(cmd.Context())
		},
	}
	b.flags(cmd, dialectic.Format{})
	c.completeFlags(cmd)
	return cmd
}

// openGit opens the repository around the current folder.
func openGit(ctx context.Context, c *Console) (*git.Repository, error) {
	repository, err := git.Open(ctx, c.Dir)
	if err != nil {
		return nil, usage("git: %w", err)
	}
	return repository, nil
}

// changeOf returns what a revision, a range or the working tree changes, and a question about it. Nothing to review is
// an error.
func changeOf(ctx context.Context, c *Console, revision string, paths, allow []string) (*change, error) {
	g, err := openGit(ctx, c)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	for i, path := range paths {
		if paths[i], err = filepath.Rel(g.Top(), c.path(path)); err != nil {
			return nil, err
		}
	}
	from, to, what, err := compared(ctx, g, revision)
	if err != nil {
		return nil, err
	}
	read, err := readChange(ctx, g, "change.diff", from, to, true, paths, allow)
	switch {
	case err != nil:
		return nil, err
	case len(read.files) == 0 && revision == "":
		return nil, usage("nothing to review: no file changed since %s; name a commit or a range, as in: moot "+
			"review HEAD", what)
	case len(read.files) == 0:
		return nil, usage("nothing to review: %s changes no file", what)
	}
	question := "May " + what + " be merged?"
	if revision == "" {
		question = "May the changes since " + what + " be merged?"
	}
	read.tree = to
	read.question = question + " Propose each part of the change that somebody has to approve as a field: its path is the " +
		"changed file, its value says in a sentence what the change does there."
	return read, nil
}

// compared returns what is compared: two commits, or with to == "" a commit and the working tree. For the revision "",
// from is where what isn't pushed yet begins. The text names the change, or where it begins if there is no revision.
func compared(ctx context.Context, g *git.Repository, revision string) (from, to, what string, err error) {
	resolve := func(name string) (string, error) {
		commit, err := g.Commit(ctx, name)
		var failed *git.Error
		if errors.As(err, &failed) {
			return "", usage("%w", err)
		}
		return commit, err
	}
	since := func(name string) (string, error) {
		commit, err := resolve(name)
		if err != nil {
			return "", err
		}
		head, err := resolve("HEAD")
		if err != nil {
			return "", err
		}
		if from, err = g.MergeBase(ctx, commit, head); err != nil {
			return "", usage("%s and HEAD have no common commit here: %w", name, err)
		}
		return from, nil
	}
	first, last, isRange := strings.Cut(revision, "..")
	switch {
	case revision == "":
		if _, err := g.Commit(ctx, "HEAD"); err == nil && !g.CheckedOut() {
			return "", "", "", usage("nothing is checked out here; name a commit or a range, as in: moot review HEAD")
		}
		for _, name := range []string{"@{upstream}", "HEAD"} {
			if from, err = since(name); err == nil {
				what, err = g.Short(ctx, name)
				return from, "", what, err
			}
		}
		if ctx.Err() != nil || g.Head() != "" {
			return "", "", "", err
		}
		return "", "", "", usage("this repository has no commit yet")
	case isRange:
		isSince := strings.HasPrefix(last, ".")
		if from, err = resolve(cmp.Or(first, "HEAD")); err != nil {
			return "", "", "", err
		}
		if to, err = resolve(cmp.Or(strings.TrimPrefix(last, "."), "HEAD")); err != nil {
			return "", "", "", err
		}
		if isSince {
			if from, err = g.MergeBase(ctx, from, to); err != nil {
				return "", "", "", usage("%s: the two have no common commit here: %w", revision, err)
			}
		}
		return from, to, revision, nil
	}
	commit, err := resolve(revision)
	if err != nil {
		return "", "", "", err
	}
	if name := g.Name(ctx, revision); revision != "HEAD" && strings.HasPrefix(name, "refs/") {
		from, err = since(revision)
		return from, "", "the changes since " + revision, err
	}
	if from, err = g.Parent(ctx, commit); err != nil {
		return "", "", "", usage("git: %w", err)
	}
	subject, err := g.Subject(ctx, commit)
	return cmp.Or(from, g.EmptyTree()), commit, "commit " + subject, err
}

// change holds the changed files with their diffs, before secrets are taken out.
type change struct {
	// name is the path of the document that shows it, question what is asked about it.
	name, question string
	// tree is the commit that is reviewed, or "" for the work tree.
	tree  string
	files []changedPart
	// withheld are the files that cannot be shown, and those of which a part is not.
	withheld []*state.Withheld
}

// changedPart is how one file changed, as git shows it, or "" if it is withheld.
type changedPart struct{ path, diff string }

// maxChange bounds how much of a change is read. Large files are withheld, so that the others fit.
const maxChange = 8 << 20

// readChange reads what changed between two commits, or with to == "" between a commit and the working tree, where new
// files count if withNew says so. The user names the paths that matter; none are all.
func readChange(
	ctx context.Context, g *git.Repository, name, from, to string, withNew bool, paths, allow []string,
) (*change, error) {
	var unread []git.Withheld
	if to == "" {
		var err error
		if from, to, unread, err = g.WorkTree(ctx, from, withNew); err != nil {
			return nil, gitFailure(err)
		}
	}
	changes, err := g.Changes(ctx, from, to)
	if err != nil {
		return nil, gitFailure(err)
	}
	isWanted := func(name string) bool {
		return len(paths) == 0 || slices.ContainsFunc(paths, func(path string) bool {
			path = filepath.ToSlash(path)
			return path == "." || name == path || strings.HasPrefix(name, path+"/")
		})
	}
	changes = slices.DeleteFunc(changes, func(change git.Change) bool { return !isWanted(change.Path) })
	hidden, err := g.Hidden(ctx, changes)
	if err != nil {
		return nil, gitFailure(err)
	}
	reasons := map[string]string{}
	for _, w := range append(unread, hidden...) {
		if isWanted(w.Path) {
			reasons[w.Path] = w.Reason
		}
	}
	c := &change{name: name}
	names, shown := []string{}, []string{}
	for _, one := range changes {
		if why := workspace.SecretName(one.Path); why != "" && !workspace.Allowed(one.Path, allow) {
			reasons[one.Path] = why
		}
		if names = append(names, one.Path); reasons[one.Path] == "" {
			shown = append(shown, one.Path)
		}
	}
	for _, w := range unread {
		if isWanted(w.Path) && !slices.Contains(names, w.Path) {
			names = append(names, w.Path)
		}
	}
	parts := map[string]string{}
	if err := readParts(ctx, g, from, to, shown, parts); err != nil {
		return nil, gitFailure(err)
	}
	left := maxChange
	for _, path := range names {
		part := parts[diffHeader(path)]
		switch {
		case reasons[path] != "":
			part = ""
		case part == "":
			reasons[path] = fmt.Sprintf("its change is larger than %d KiB", maxDocument>>10)
		case len(part) > left:
			part, reasons[path] = "", fmt.Sprintf("the change is larger than %d MiB", maxChange>>20)
		}
		left -= len(part)
		c.files = append(c.files, changedPart{path, part})
		if reasons[path] != "" {
			c.withheld = append(c.withheld, &state.Withheld{Path: path, Reason: reasons[path], Seats: []state.Seat{}})
		}
	}
	return c, nil
}

// gitFailure makes an error of git's one about the command line.
func gitFailure(err error) error {
	if failed, of := errors.AsType[*git.Error](err); of {
		return usage("git: %w", failed)
	}
	return err
}

// readParts reads how files changed, by the header of each. It halves a list that is too long for one answer; a file that
// is too long alone is missing.
func readParts(ctx context.Context, g *git.Repository, from, to string, paths []string, parts map[string]string) error {
	if len(paths) == 0 {
		return nil
	}
	limit := maxDocument
	if len(paths) > 1 {
		limit = 4 * maxDocument
	}
	text, err := g.Diff(ctx, from, to, paths, limit)
	failed, of := errors.AsType[*git.Error](err)
	switch {
	case of && failed.TooMuch && len(paths) == 1:
		return nil
	case of && failed.TooMuch:
		half := len(paths) / 2
		return errors.Join(readParts(ctx, g, from, to, paths[:half], parts), readParts(ctx, g, from, to, paths[half:], parts))
	case err != nil:
		return err
	}
	wanted := map[string]bool{}
	for _, path := range paths {
		wanted[diffHeader(path)] = true
	}
	// A NUL byte inside of a text would end it for some programs.
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\u2400")
	for _, part := range splitDiff(text) {
		header, _, _ := strings.Cut(part, "\n")
		// A path that became a folder brings the files below it, which may be withheld.
		if wanted[header] {
			parts[header] += part
		}
	}
	return nil
}

// splitDiff splits the output of git diff by file. No other line begins like the header of a file: those of a file have a
// sign before them.
func splitDiff(text string) (parts []string) {
	const header = "\ndiff --git "
	for text != "" {
		end := strings.Index(text, header) + 1
		if end == 0 {
			end = len(text)
		}
		parts, text = append(parts, text[:end]), text[end:]
	}
	return parts
}

// diffHeader is the first line of the part about a file, in which git quotes some names.
func diffHeader(path string) string {
	path = strings.ToValidUTF8(path, "\uFFFD")
	return "diff --git " + gitQuoted("a/"+path) + " " + gitQuoted("b/"+path)
}

func gitQuoted(name string) string {
	var out strings.Builder
	quoted := false
	for _, c := range []byte(name) {
		escape := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c)
		switch {
		case escape >= 0:
			out.WriteByte('\\')
			out.WriteByte("abtnvfr\"\\"[escape])
			quoted = true
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, "\\%03o", c)
			quoted = true
		default:
			out.WriteByte(c)
		}
	}
	if quoted {
		return `"` + out.String() + `"`
	}
	return out.String()
}

// shownLines are the lines of a part that a redaction took out, as places of the file.
type shownLines struct{ added, removed []int }

// touched returns which changed lines of a part some of its lines are, by their numbers in the file: from and to count the
// lines of the part from 1.
func touched(part string, from, to int) (found shownLines) {
	before, after := 0, 0
	n := 0
	for line := range strings.Lines(part) {
		n++
		switch {
		case strings.HasPrefix(line, "@@ "):
			_, _ = fmt.Sscanf(line, "@@ -%d", &before)
			_, rest, _ := strings.Cut(line, " +")
			_, _ = fmt.Sscanf(rest, "%d", &after)
		case after == 0 && before == 0:
		case strings.HasPrefix(line, "+"):
			if n >= from && n <= to {
				found.added = append(found.added, after)
			}
			after++
		case strings.HasPrefix(line, "-"):
			if n >= from && n <= to {
				found.removed = append(found.removed, before)
			}
			before++
		case strings.HasPrefix(line, " "), line == "\n":
			before++
			after++
		}
	}
	return found
}

// lineRange writes consecutive lines as 12 or 12-40.
func lineRange(lines []int) string {
	if first, last := lines[0], lines[len(lines)-1]; first != last {
		return fmt.Sprintf("%d-%d", first, last)
	}
	return strconv.Itoa(lines[0])
}

// document is the change as participants see it: without secrets, and as much of it as fits, by file. It notes what is
// withheld.
func (m *material) document(c *change) state.Document {
	d := state.Document{Path: c.name, Files: []state.ChangedFile{}}
	m.withhold(c.withheld...)
	var text strings.Builder
	for _, file := range c.files {
		part, shown := file.diff, m.shownName(file.path)
		if m.redactor != nil {
			cleaned, findings := m.redactor.Named(file.path, part)
			for _, f := range findings {
				m.redacted++
				m.say("redacted   %s of the change of %s: %s", redactedPlace(f), plain.Line(shown), f.Reason)
				m.withhold(unseenLines(file.path, part, f)...)
			}
			part = cleaned
		}
		if limit := min(maxDocument-text.Len(), m.left); len(part) > limit {
			m.withhold(&state.Withheld{
				Path: file.path, Seats: []state.Seat{},
				Reason: fmt.Sprintf("all files together have more than %d KiB", maxDocument>>10),
			})
			part = ""
		}
		m.left -= len(part)
		text.WriteString(part)
		d.Files = append(d.Files, state.ChangedFile{Path: shown, Bytes: len(part)})
	}
	d.Text = text.String()
	m.say("context    %s, about %s", plain.Line(d.Path), plain.Counted(protocol.EstimateTokens(len(d.Text)), "token"))
	return d
}

func redactedPlace(f redact.Finding) string {
	if f.Last > f.Line {
		return fmt.Sprintf("lines %d to %d", f.Line, f.Last)
	}
	return fmt.Sprintf("line %d", f.Line)
}

// unseenLines are the changed lines that a redaction took out, or a part of them: nobody sees what stood there.
func unseenLines(path, part string, f redact.Finding) (withheld []*state.Withheld) {
	lines := touched(part, f.Line, f.Last)
	for _, side := range []struct {
		lines  []int
		reason string
	}{{lines.added, "redacted: "}, {lines.removed, "redacted, of the file before: "}} {
		if len(side.lines) > 0 {
			withheld = append(withheld, &state.Withheld{
				Path: path, Lines: lineRange(side.lines), Reason: side.reason + f.Reason, Seats: []state.Seat{},
			})
		}
	}
	return withheld
}
