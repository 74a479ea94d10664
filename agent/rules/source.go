package rules

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"moot/internal/git"
	"moot/internal/redact"
	"moot/state"
	"moot/workspace"
)

// passage is a group of lines that match a query.
type passage struct {
	path       string
	line, last int
	// text is the exact lines of the file, joined by "\n".
	text  string
	score float64
}

// reference returns the citation of the passage.
func (p *passage) reference() string {
	if p.last > p.line {
		return p.path + ":" + strconv.Itoa(p.line) + "-" + strconv.Itoa(p.last)
	}
	return p.path + ":" + strconv.Itoa(p.line)
}

// overlaps reports whether the passage shares a line with a citation.
func (p *passage) overlaps(reference string) bool {
	at := strings.LastIndex(reference, ":")
	if at < 0 || reference[:at] != p.path {
		return false
	}
	first, last, isRange := strings.Cut(reference[at+1:], "-")
	from, err := strconv.Atoi(first)
	to := from
	if isRange && err == nil {
		to, err = strconv.Atoi(last)
	}
	return err == nil && from <= p.last && to >= p.line
}

// source finds passages for a turn: first in the given context, then in the workspace.
type source struct {
	documents []state.Document
	workspace *workspace.Workspace
	root      *os.Root
	// tree holds the files of a commit under review, or is nil.
	tree *git.Tree
	// redactor finds passages with secrets, which are not quoted. It is nil if the user allows them.
	redactor *redact.Redactor
	// failure says why the workspace cannot be searched, and bound which part of it was searched.
	failure, bound string
}

func (r *Rules) openSource(s *state.State) *source {
	from := &source{documents: s.Settings.Context, redactor: r.redactor}
	if s.Settings.NoRedact {
		from.redactor = nil
	}
	if r.options.Workspace == "" {
		return from
	}
	var err error
	if from.workspace, err = workspace.New(r.options.Workspace, nil, s.Settings.AllowPaths); err == nil {
		from.root, err = os.OpenRoot(r.options.Workspace)
	}
	if err == nil && r.options.Tree != nil {
		from.workspace.In(r.options.Tree)
		from.tree = r.options.Tree
	}
	if err != nil {
		from.failure = err.Error()
	}
	return from
}

func (from *source) close() {
	if from.root != nil {
		from.root.Close() //nolint:errcheck // it was only read
	}
	if from.workspace != nil {
		from.workspace.Close() //nolint:errcheck // it was only read
	}
}

// find returns at most limit passages that match a query, best first: from the context files, then from the
// workspace. The only error is the context's.
func (from *source) find(ctx context.Context, query string, limit int) ([]passage, error) {
	var texts []workspace.Text
	for i := range from.documents {
		d := &from.documents[i]
		texts = append(texts, workspace.Text{Path: path.Clean(strings.ReplaceAll(d.Path, `\`, "/")), Text: d.Text})
	}
	found := workspace.Texts(texts, query, limit)
	if from.workspace != nil {
		more, err := from.workspace.Passages(ctx, query, limit)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			from.failure = err.Error()
		}
		if from.bound = from.workspace.Bound(); from.bound != "" {
			from.bound = "searched " + from.bound + " of the workspace, which has more"
		}
		found = append(found, more...)
	}
	var passages []passage
	for _, p := range found {
		overlaps := func(q passage) bool { return q.path == p.Path && p.Line <= q.last && p.EndLine >= q.line }
		if len(passages) < limit && !from.secret(p.Text) && !from.secretLines(p.Path, p.Line, p.EndLine) && !slices.ContainsFunc(passages, overlaps) {
			passages = append(passages, passage{p.Path, p.Line, p.EndLine, p.Text, p.Score})
		}
	}
	return passages, nil
}

// nothing describes a search without results. It mentions if nothing, or only a part, was searched (LU5).
func (from *source) nothing() string {
	switch {
	case from.failure != "":
		return "no passage was found, and the workspace could not be searched"
	case from.bound != "":
		return "no passage was found in what was searched, which is not all"
	case from.workspace == nil && len(from.documents) == 0:
		return "nothing was searched: there is no workspace and no context file"
	}
	return "nothing found that answers this"
}

// secret reports whether a text holds a secret.
func (from *source) secret(text string) bool {
	if from.redactor == nil {
		return false
	}
	_, findings := from.redactor.Text(text)
	return len(findings) > 0
}

// secretLines reports whether lines of a file are part of a secret that only the whole file shows, such as the body of a
// key.
func (from *source) secretLines(name string, first, last int) bool {
	files := from.files()
	if from.redactor == nil || files == nil {
		return false
	}
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return false // It is a context file, which has no secrets left.
	}
	text := string(data)
	lines := strings.SplitAfter(text, "\n")
	if first < 1 || last > len(lines) {
		return false
	}
	start := len(strings.Join(lines[:first-1], ""))
	end := start + len(strings.Join(lines[first-1:last], ""))
	return from.redactor.Part(name, text, start, end) != text[start:end]
}

// files returns the workspace, or nil. Paths and links cannot lead outside of it.
func (from *source) files() fs.FS {
	switch {
	case from.root == nil:
		return nil
	case from.tree != nil:
		return from.tree
	}
	return from.root.FS()
}
