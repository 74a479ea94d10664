package workspace

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// The limits of what the first prompt shows of a workspace (LU3).
const (
	mostEntries = 150
	maxPassages = 6 << 10
)

// Map describes the workspace for the first prompt: its name, a tree, and the passages that best match the question.
// The error is the context's, or that there is nothing to show.
func (w *Workspace) Map(ctx context.Context, question, commit string) (*state.WorkspaceMap, error) {
	files, err := w.Files(ctx)
	if err != nil {
		return nil, err
	}
	m := &state.WorkspaceMap{Name: filepath.Base(w.dir), Commit: commit, Tree: tree(files), Passages: []state.Passage{}}
	found, err := w.find(ctx, readQuestion(question, w.words()), 20, nil)
	if err != nil {
		return nil, err
	}
	m.Bound = w.Bound()
	left := maxPassages
	for _, p := range found {
		if left -= len(p.Text); left < 0 {
			break
		}
		m.Passages = append(m.Passages, p)
	}
	return m, nil
}

// folder is a folder in a tree, with the number of files in it.
type folder struct {
	path    string
	depth   int
	files   []string
	folders []*folder
	total   int
	open    bool
}

// tree formats the files as a tree of at most mostEntries lines. It opens folders from the top down, sorted by name,
// while there is room; the others show their number of files.
func tree(files []string) string {
	root := &folder{open: true}
	known := map[string]*folder{".": root}
	for _, name := range files {
		in := enter(known, path.Dir(name))
		in.files = append(in.files, path.Base(name))
		for at := path.Dir(name); ; at = path.Dir(at) {
			known[at].total++
			if at == "." {
				break
			}
		}
	}
	lines := len(root.folders) + len(root.files)
	for queue := slices.Clone(root.folders); len(queue) > 0; queue = queue[1:] {
		f := queue[0]
		if more := len(f.folders) + len(f.files); lines+more <= mostEntries {
			f.open, lines = true, lines+more
			queue = append(queue, f.folders...)
		}
	}
	var out strings.Builder
	root.draw(&out)
	return out.String()
}

func enter(known map[string]*folder, name string) *folder {
	if f := known[name]; f != nil {
		return f
	}
	parent := enter(known, path.Dir(name))
	f := &folder{path: path.Base(name), depth: parent.depth + 1}
	parent.folders = append(parent.folders, f)
	known[name] = f
	return f
}

func (f *folder) draw(out *strings.Builder) {
	indent := strings.Repeat("  ", f.depth)
	for _, below := range f.folders {
		if !below.open {
			fmt.Fprintf(out, "%s%s/ (%d files)\n", indent, plain.Line(below.path), below.total)
			continue
		}
		fmt.Fprintf(out, "%s%s/\n", indent, plain.Line(below.path))
		below.draw(out)
	}
	for i, name := range f.files {
		if f.depth == 0 && i+len(f.folders) >= mostEntries {
			fmt.Fprintf(out, "and %d more files\n", len(f.files)-i)
			return
		}
		out.WriteString(indent + plain.Line(name) + "\n")
	}
}
