package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
	"moot/workspace"
)

// documents reads what --context and --diff name (LU4): files, folders, globs with "!" for what
// to leave out, standard input, a git diff.
func (o *givenOptions) documents(ctx context.Context, m *material) ([]state.Document, error) {
	documents := []state.Document{}
	add := func(name, text string) error {
		if strings.TrimSpace(text) == "" {
			return usage("%s is empty: a review of nothing must not look like a clean one", inputName(name))
		}
		m.say("context    %s, about %s", inputName(name), plain.Counted(protocol.EstimateTokens(len(text)), "token"))
		documents = append(documents, state.Document{Path: filepath.ToSlash(name), Text: text})
		return nil
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
		text, err := gitDiff(ctx, m.console.Dir, o.diff)
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
		kept := slices.DeleteFunc(slices.Clone(found), func(name string) bool { return workspace.Allowed(filepath.ToSlash(name), without) })
		if len(kept) == 0 {
			return nil, usage("--context %s matches no file%s", pattern, map[bool]string{true: " that is not left out"}[len(found) > 0])
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
	root, err := os.OpenRoot(c.path(folder))
	if err != nil {
		return nil, usage("--context %s: %w", folder, err)
	}
	defer root.Close() //nolint:errcheck // it was only read
	var names []string
	for _, name := range files {
		if workspace.Secret(root, name, nil) != "" { // .gitignore may lie above
			continue
		}
		full := path.Join(filepath.ToSlash(folder), name)
		if ok, _ := doublestar.Match(glob, name); (ok || glob == "") && hasText(c.path(full)) {
			names = append(names, full)
		}
	}
	return names, nil
}

// hasText reports whether a file begins with text.
func hasText(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it was only read
	head := make([]byte, 4096)
	n, _ := file.Read(head)
	return n > 0 && bytes.IndexByte(head[:n], 0) < 0
}

// diffTime limits git.
const diffTime = 20 * time.Second

// gitDiff is the difference between a revision and the working tree. External diff and text
// conversion programs, and file system monitors, are not run.
func gitDiff(ctx context.Context, dir, revision string) (string, error) {
	if strings.HasPrefix(revision, "-") {
		return "", usage("--diff=%s: not a revision", revision)
	}
	ctx, cancel := context.WithTimeout(ctx, diffTime)
	defer cancel()
	git := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "-c", "core.pager=cat", "diff", "--no-ext-diff", "--no-textconv", "--no-color",
		revision, "--")
	git.Dir = dir
	var out, said bytes.Buffer
	git.Stdout, git.Stderr = &limited{to: &out, left: maxGiven}, &limited{to: &said, left: 1000}
	if err := git.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return "", usage("--diff needs git, which is not installed")
		}
		return "", usage("--diff=%s: git: %s", revision, strings.TrimSpace(said.String()))
	}
	if strings.TrimSpace(out.String()) == "" {
		return "", usage("--diff=%s: nothing changed since then; name another revision, as in --diff=main", revision)
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD"), nil
}

// limited drops what is written beyond a number of bytes.
type limited struct {
	to   io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.to.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}
