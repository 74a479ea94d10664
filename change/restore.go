package change

import (
	"context"
	"fmt"
	"strings"

	"moot/internal/git"
	"moot/internal/plain"
	"moot/protocol/review"
)

// Recorded is the change as a session stores it.
type Recorded struct {
	*review.Change
	// Withheld are the paths of which some lines or all were withheld.
	Withheld map[string]bool
}

// Reopen opens the tree of an earlier Material again. Git has no objects of the index, the working tree and a patch, so
// their tree is made again: from the folder if it is unchanged, else from the diffs that the session recorded. The note
// is for the user, or "". What the diffs do not hold is left out of the tree, and named.
func Reopen(ctx context.Context, folder, tree string, recorded Recorded) (opened *git.Tree, note string, err error) {
	opened, err = git.OpenTree(ctx, folder, tree)
	if err == nil || ctx.Err() != nil {
		return opened, "", err
	}
	g, openErr := git.Open(ctx, folder)
	if openErr != nil {
		return nil, "", openErr
	}
	defer func() {
		if opened == nil {
			g.Close()
		}
	}()
	index, indexErr := g.Index(ctx)
	if indexErr == nil && index.Tree == tree {
		opened, err = g.OpenTree(ctx, folder, tree)
		return opened, "", err
	}
	if head := g.Head(); head != "" {
		work, workErr := g.WorkTree(ctx, head, true)
		if workErr == nil && work.Tree == tree {
			opened, err = g.OpenTree(ctx, folder, tree)
			return opened, "", err
		}
	}
	if recorded.Change == nil || recorded.Head != "" {
		return nil, "", fmt.Errorf("the files under review (tree %.12s) are not in %s any more: %w", tree, folder, err)
	}
	return restore(ctx, g, folder, tree, recorded)
}

// restore makes a tree of the commit that the change began with and the recorded diffs.
func restore(
	ctx context.Context, g *git.Repository, folder, tree string, recorded Recorded,
) (opened *git.Tree, note string, err error) {
	base := recorded.Base
	if base == "" {
		base = g.EmptyTree()
	}
	var edits []git.Edit
	var missing []string
	for i := range recorded.Files {
		f := &recorded.Files[i]
		// A character that stands for others does not say what they were.
		if f.Diff == "" || recorded.Withheld[f.Path] || strings.ContainsAny(f.Diff, "\uFFFD\u2400") {
			missing = append(missing, f.Path)
			continue
		}
		edits = append(edits, editOf(f))
	}
	made, failed, err := g.With(ctx, base, edits)
	if err != nil {
		return nil, "", fmt.Errorf("the files under review (tree %.12s) were never committed, and the commit that they "+
			"were compared with cannot be read: %w", tree, err)
	}
	if missing = append(missing, failed...); len(missing) == 0 && made != tree {
		return nil, "", fmt.Errorf("the files under review (tree %.12s) were never committed, and changed since; the diffs "+
			"of the session do not lead to them: begin another review", tree)
	}
	if opened, err = g.OpenTree(ctx, folder, made); err != nil {
		return nil, "", err
	}
	note = "git does not have the files under review; they were made again from the commit that they were compared with " +
		"and the diffs in the session"
	if len(missing) > 0 {
		opened.LeaveOut(missing, "the session does not hold its whole change")
		const most = 5
		note += ", except for " + plain.Counted(len(missing), "file") + ", whose change it does not hold as a whole and which cannot be read now: " +
			plain.Line(strings.Join(missing[:min(len(missing), most)], ", "))
		if more := len(missing) - most; more > 0 {
			note += fmt.Sprintf(" and %d more", more)
		}
	}
	return opened, note, nil
}

// editOf returns the edit that a diff describes.
func editOf(f *review.File) git.Edit {
	edit := git.Edit{From: f.Path, Path: f.Path}
	switch f.Status {
	case review.Added:
		edit.From = ""
	case review.Deleted:
		edit.Path = ""
	case review.Renamed:
		edit.From = f.From
	case review.Modified:
	}
	for line := range strings.Lines(f.Diff) {
		if strings.HasPrefix(line, "@@ ") {
			break
		}
		for _, start := range []string{"new file mode ", "new mode "} {
			if mode, found := strings.CutPrefix(strings.TrimSpace(line), start); found {
				edit.Mode = mode
			}
		}
	}
	edit.Apply = func(before []byte) ([]byte, bool) { return applied(string(before), f.Diff) }
	return edit
}

// applied applies the hunks of a diff. It reports whether the text has each line that the diff shows, at its place.
func applied(text, diff string) ([]byte, bool) {
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	var out []string
	at, sign, inHunk := 0, byte(' '), false
	for line := range strings.Lines(diff) {
		if found := hunkStart.FindStringSubmatch(line); found != nil && strings.HasPrefix(line, "@@ ") {
			to := number(found[1]) - 1
			if count(found[2]) == 0 {
				to++
			}
			if to < at || to > len(lines) {
				return nil, false
			}
			out, at, inHunk = append(out, lines[at:to]...), to, true
			continue
		}
		if !inHunk {
			continue
		}
		switch line[0] {
		case '+':
			out = append(out, line[1:])
		case ' ', '-':
			if at == len(lines) || strings.TrimSuffix(lines[at], "\n") != strings.TrimSuffix(line[1:], "\n") {
				return nil, false
			}
			if line[0] == ' ' {
				out = append(out, lines[at])
			}
			at++
		case '\\':
			if sign == '+' {
				out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], "\n")
			}
		default:
			return nil, false
		}
		sign = line[0]
	}
	return []byte(strings.Join(append(out, lines[at:]...), "")), true
}
