package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"moot/internal/plain"
	"moot/internal/regular"
	"moot/protocol"
	"moot/state"
	"moot/tui/home"
	"moot/view"
	"moot/workspace"
)

// documents reads what --context and --diff name (LU4): files, folders, globs with "!" for what
// to leave out, standard input, a git diff.
func (o *givenOptions) documents(ctx context.Context, m *material, allow []string) ([]state.Document, error) {
	documents := []state.Document{}
	add := func(name, text string) error {
		if strings.TrimSpace(text) == "" {
			return usage("%s is empty: a review of nothing must not look like a clean one", inputName(name))
		}
		m.say("context    %s, about %s", inputName(name), plain.Counted(protocol.EstimateTokens(len(text)), "token"))
		if name == "-" {
			name = "stdin" // what is cited has a name without blanks
		}
		documents = append(documents, state.Document{Path: filepath.ToSlash(name), Text: text})
		return nil
	}
	if o.about != nil {
		if err := add(o.about.Path, o.about.Text); err != nil {
			return nil, err
		}
	}
	names, err := o.expand(ctx, m.console)
	if err != nil {
		return nil, in("context", err)
	}
	for _, name := range names {
		text, err := m.Text(name)
		if err == nil {
			err = add(name, text)
		}
		if err != nil {
			return nil, in("context", err)
		}
	}
	if o.diff != "" {
		text, err := o.since(ctx, m.console, allow)
		if err != nil {
			return nil, in("diff", err)
		}
		if err := add("git diff "+o.diff, m.fit("git diff "+o.diff, text)); err != nil {
			return nil, in("diff", err)
		}
	}
	return documents, nil
}

// expand turns the patterns of --context into names of files, each once.
func (o *givenOptions) expand(ctx context.Context, c *Console) ([]string, error) {
	var names, without []string
	for _, pattern := range o.context {
		if rest, is := strings.CutPrefix(pattern, "!"); is {
			if !doublestar.ValidatePattern(rest) {
				return nil, usage("--context %s: not a valid glob", pattern)
			}
			without = append(without, rest)
		}
	}
	for _, pattern := range o.context {
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		found, err := matches(ctx, c, pattern)
		if err != nil {
			return nil, err
		}
		kept := slices.DeleteFunc(slices.Clone(found),
			func(name string) bool { return workspace.Allowed(filepath.ToSlash(name), without) })
		if len(kept) == 0 {
			return nil, usage("--context %s matches no file%s", pattern,
				map[bool]string{true: " that is not left out"}[len(found) > 0])
		}
		for _, name := range kept {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// matches are the files that one pattern names. Folders and globs leave out what git ignores and
// what may hold secrets.
func matches(ctx context.Context, c *Console, pattern string) ([]string, error) {
	info, err := os.Stat(c.path(pattern))
	switch {
	case pattern == "-", err == nil && !info.IsDir():
		return []string{pattern}, nil
	case err == nil:
		return below(ctx, c, pattern, "")
	case !strings.ContainsAny(pattern, "*?[{"):
		return nil, usage("there is no file %s", pattern)
	case !doublestar.ValidatePattern(pattern):
		return nil, usage("--context %s: not a valid glob", pattern)
	}
	base, glob := doublestar.SplitPattern(filepath.ToSlash(pattern))
	return below(ctx, c, base, glob)
}

// below lists the text files of a folder that a glob matches, all for "".
func below(ctx context.Context, c *Console, folder, glob string) ([]string, error) {
	w, err := workspace.New(c.path(folder), nil, nil)
	if err != nil {
		return nil, usage("--context: %w", err)
	}
	defer w.Close() //nolint:errcheck // it was only read
	files, err := w.Files(ctx)
	if err != nil {
		return nil, usage("--context %s: %w", folder, err)
	}
	var names []string
	for _, name := range files {
		full := path.Join(filepath.ToSlash(folder), name)
		if ok, _ := doublestar.Match(glob, name); (ok || glob == "") && hasText(c.path(full)) {
			names = append(names, full)
		}
	}
	return names, nil
}

// contextLines are the paths and globs in a form, one per line, without the @ that completes them.
func contextLines(text string) []string {
	lines := view.Values{"": text}.Lines("")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "@")
	}
	return lines
}

// maxOffers is how many paths are offered.
const maxOffers = 6

// files finds the files of a question that is being typed in the form.
func (v *screenServices) files(ctx context.Context, asked home.Files) home.FoundFiles {
	var found home.FoundFiles
	if prefix, is := strings.CutPrefix(asked.Typed, "@"); is {
		found.Offers = v.console.complete(ctx, prefix)
	}
	m := &material{console: v.console, note: func(string) {}}
	var o givenOptions
	for _, line := range contextLines(asked.Context) {
		// A half-typed path matches nothing yet.
		if _, err := matches(ctx, m.console, line); err == nil && line != "-" || strings.HasPrefix(line, "!") {
			o.context = append(o.context, line)
		}
	}
	o.mentions(ctx, m, asked.Question)
	names, err := o.expand(ctx, m.console)
	if err != nil {
		return found
	}
	var listed []string
	total := 0
	include := func(name string, size int64) {
		tokens := protocol.EstimateTokens(int(min(size, maxDocument)))
		total += tokens
		listed = append(listed, fmt.Sprintf("%s %d", name, tokens))
	}
	if text := strings.TrimSpace(asked.Question); isMaterial(text) {
		include("the question", int64(len(text)))
	}
	for _, name := range names {
		if info, err := os.Stat(m.console.path(name)); err == nil {
			include(name, info.Size())
		}
	}
	if len(listed) > 0 {
		found.Included = fmt.Sprintf("included, about %s: %s", plain.Counted(total, "token"),
			strings.Join(listed, ", "))
	}
	return found
}

// complete returns the files and folders below the current folder that a path may mean: those that begin with it, then
// those of which a part does. What git ignores and what may hold secrets is not offered.
func (c *Console) complete(ctx context.Context, typed string) []view.Choice {
	w, err := workspace.New(c.Dir, nil, nil)
	if err != nil {
		return nil
	}
	defer w.Close() //nolint:errcheck // it was only read
	files, err := w.Files(ctx)
	if err != nil {
		return nil
	}
	if strings.ContainsAny(typed, "*?[{") {
		if names, err := matches(ctx, c, typed); err == nil && len(names) > 0 {
			return []view.Choice{{Value: typed, Help: plain.Counted(len(names), "file")}}
		}
		return nil
	}
	var first, rest []string
	inside := map[string]int{}
	for _, name := range files {
		if hidden := strings.HasPrefix(path.Base(name), "."); hidden &&
			!strings.HasPrefix(typed[strings.LastIndex(typed, "/")+1:], ".") {
			continue
		}
		if strings.HasPrefix(name, typed) {
			// A folder stands for what is below it.
			if at := strings.IndexByte(name[len(typed):], '/'); at >= 0 {
				name = name[:len(typed)+at+1]
				inside[name]++
			}
			if inside[name] < 2 {
				first = append(first, name)
			}
		} else if strings.Contains("/"+strings.ToLower(name), "/"+strings.ToLower(typed)) {
			rest = append(rest, name)
		}
	}
	var offers []view.Choice
	for _, name := range append(first, rest...) {
		help := plain.Counted(inside[name], "file")
		if inside[name] == 0 {
			info, err := os.Stat(c.path(name))
			if err != nil {
				continue
			}
			help = plain.Counted(protocol.EstimateTokens(int(info.Size())), "token")
		}
		if offers = append(offers, view.Choice{Value: name, Help: help}); len(offers) == maxOffers {
			break
		}
	}
	return offers
}

// hasText reports whether a file begins with text.
func hasText(name string) bool {
	file, err := regular.Open(name)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it was only read
	head := make([]byte, 4096)
	n, _ := file.Read(head)
	return n > 0 && bytes.IndexByte(head[:n], 0) < 0
}

// since is the difference between the revision of --diff and the working tree.
func (o *givenOptions) since(ctx context.Context, c *Console, allow []string) (string, error) {
	if strings.HasPrefix(o.diff, "-") {
		return "", usage("--diff=%s: not a revision", o.diff)
	}
	g, err := openGit(ctx, c)
	if err != nil {
		return "", err
	}
	text, err := g.diff(ctx, c, []string{o.diff}, nil, allow)
	if err == nil && strings.TrimSpace(text) == "" {
		err = usage("--diff=%s: nothing changed since then; name another revision, as in --diff=main", o.diff)
	}
	return text, err
}
