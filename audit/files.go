package audit

import (
	"context"
	"path"
	"slices"
	"strings"

	"moot/internal/git"
	"moot/internal/lists"
	"moot/ledger"
	"moot/research"
	"moot/workspace"
)

const (
	// maxVersions is how many versions of a file are read, versionsAtOnce how many of them at once, maxVersion the size of
	// one, and maxHistory of all versions of a file.
	maxVersions, versionsAtOnce = 200, 50
	maxVersion, maxHistory      = 4 << 20, 48 << 20
	// maxPaths is how many different paths are looked for, and maxUnknown how many that no file has in the history.
	maxPaths, maxUnknown = 3000, 2000
)

// Tree holds the files that a review is compared with.
type Tree struct {
	// Citation reads the files. It decides which may be read.
	Citation *research.Citation
	// Repository is nil without one. Commit is the audited commit, or the one that is checked out, and "" before the first;
	// Prefix is the place of the files below the top of the work tree, or "".
	Repository     *git.Repository
	Commit, Prefix string
	// InFolder reports whether there is a file in the folder, which a commit may lack; nil if the folder is audited.
	InFolder func(path string) bool
	// NoHistory says why the history cannot tell what was never there, or is "".
	NoHistory string

	files *files
}

// files holds what was read.
type files struct {
	*Tree
	squeezed squeezer
	found    map[string]finding
	sources  map[string]*opened
	past     map[string]*history
	others   map[string]*history
	// blobs are the versions that were read, by the id of their content.
	blobs map[string]*source
	// named are the paths that the history has for each base name in lower case; namedWhy says why it is not known.
	named    map[string][]string
	namedWhy string
	// extensions and folders are those of all files of the history, in lower case.
	extensions, folders map[string]bool
}

// finding lists the files that the path of a citation may mean.
type finding struct {
	files []string
	sure  bool
}

// opened is a file of the tree, or the reason why it cannot be read.
type opened struct {
	*source
	refused string
}

// version is a state of a file.
type version struct {
	git.Logged
	*source
}

// history has the versions of a file, newest first. gap says why some are missing, or is "".
type history struct {
	versions []version
	gap      string
}

func filesOf(t *Tree) *files {
	if t.files == nil {
		t.files = newFiles(t)
	}
	return t.files
}

func newFiles(t *Tree) *files {
	return &files{
		Tree: t, squeezed: squeezer{}, found: map[string]finding{}, sources: map[string]*opened{}, past: map[string]*history{},
		others: map[string]*history{}, blobs: map[string]*source{},
	}
}

// find looks for the files that a citation may mean.
func (f *files) find(ctx context.Context, cited ledger.Reference) finding {
	known, ok := f.found[cited.Path]
	if !ok {
		known.files, known.sure = f.Citation.Find(ctx, cited)
		f.found[cited.Path] = known
	}
	return known
}

// open reads a file of the tree.
func (f *files) open(ctx context.Context, name string) *opened {
	known := f.sources[name]
	if known == nil {
		known = &opened{}
		lines, refused := f.Citation.Lines(ctx, name)
		if known.refused = refused; refused == "" {
			known.source = f.squeezed.source(lines)
		}
		f.sources[name] = known
	}
	return known
}

// remember asks the history once for all paths that no file of the tree has.
func (f *files) remember(ctx context.Context, unknown []string) {
	if f.namedWhy = f.NoHistory; f.namedWhy != "" || f.Commit == "" {
		return
	}
	f.named, f.extensions, f.folders = map[string][]string{}, map[string]bool{}, map[string]bool{}
	bases := map[string]bool{}
	for _, name := range unknown {
		if len(bases) == maxUnknown {
			f.namedWhy = "too many unknown paths to look up in the history"
			break
		}
		bases[strings.ToLower(path.Base(name))] = true
	}
	if len(bases) == 0 {
		return
	}
	paths, err := f.Repository.EverNamed(ctx, func(name string) bool {
		f.extensions[strings.ToLower(path.Ext(name))] = true
		for folder := range strings.SplitSeq(path.Dir(name), "/") {
			f.folders[strings.ToLower(folder)] = true
		}
		return bases[strings.ToLower(path.Base(name))]
	}, f.Commit)
	if err != nil {
		f.namedWhy = "the history cannot be read: " + err.Error()
	}
	for _, name := range paths {
		base := strings.ToLower(path.Base(name))
		if below, ok := strings.CutPrefix(name, f.Prefix+"/"); ok || f.Prefix == "" {
			if f.Prefix == "" {
				below = name
			}
			f.named[base] = append(f.named[base], below)
		} else {
			f.named[base] = append(f.named[base], "/"+name)
		}
	}
}

// unlike reports whether a path has nothing in common with those of the history: its extension, or a long path its folder
// at the top, so that it may be of another repository.
func (f *files) unlike(name string) bool {
	if f.Commit == "" || len(f.extensions) == 0 {
		return false
	}
	first, rest, _ := strings.Cut(strings.ToLower(name), "/")
	return !f.extensions[strings.ToLower(path.Ext(name))] || strings.Contains(rest, "/") && !f.folders[first]
}

// former returns the paths of the history that end with a path, or with the longest end of it that any has.
func (f *files) former(name string) (paths []string, whole bool) {
	known := f.named[strings.ToLower(path.Base(name))]
	elements := strings.Split(strings.Trim(strings.ToLower(name), "/"), "/")
	for drop := range elements {
		end := strings.Join(elements[drop:], "/")
		paths = lists.Filter(known, func(p string) bool {
			p = strings.ToLower(p)
			return p == end || strings.HasSuffix(p, "/"+end)
		})
		if len(paths) > 0 {
			return paths, drop == 0
		}
	}
	return nil, false
}

// history reads the versions of a file up to the audited commit.
func (f *files) history(ctx context.Context, name string) *history {
	return f.read(ctx, f.past, name, func(inTop string) ([]git.Version, error) {
		return f.Repository.Versions(ctx, f.Commit, inTop, maxVersions)
	})
}

// elsewhere reads the versions of a file on all branches.
func (f *files) elsewhere(ctx context.Context, name string) *history {
	return f.read(ctx, f.others, name, func(inTop string) ([]git.Version, error) {
		return f.Repository.AllVersions(ctx, inTop, maxVersions, f.Commit)
	})
}

func (f *files) read(
	ctx context.Context, known map[string]*history, name string, list func(inTop string) ([]git.Version, error),
) *history {
	if h := known[name]; h != nil {
		return h
	}
	h := &history{gap: f.NoHistory}
	known[name] = h
	if f.Repository == nil || f.Commit == "" || workspace.SecretName(name) != "" {
		return h
	}
	inTop := path.Join(f.Prefix, name)
	if outside, ok := strings.CutPrefix(name, "/"); ok {
		inTop = outside
	}
	versions, err := list(inTop)
	if err != nil {
		h.gap = "the history of the file cannot be read: " + err.Error()
		return h
	}
	size := 0
	for from := 0; from < len(versions); from += versionsAtOnce {
		part := versions[from:min(from+versionsAtOnce, len(versions))]
		ids := lists.Filter(lists.Map(part, func(v git.Version) string { return v.Content }),
			func(id string) bool { return id != "" && f.blobs[id] == nil })
		contents, err := f.Repository.Blobs(ctx, ids, maxVersion)
		if err != nil {
			h.gap = "the history of the file cannot be read: " + err.Error()
			return h
		}
		for i := range part {
			one := version{Logged: part[i].Logged}
			one.source = f.blobs[part[i].Content]
			content, read := contents[part[i].Content]
			if size += len(content); size > maxHistory {
				h.gap = "the history of the file is too large"
				return h
			}
			switch {
			case part[i].Content == "", one.source != nil:
			case !read:
				h.gap = "some versions of the file cannot be read"
			default:
				one.source = f.squeezed.source(research.Lines(content))
				f.blobs[part[i].Content] = one.source
			}
			h.versions = append(h.versions, one)
		}
	}
	return h
}

// longest returns how many lines the longest version of a file has.
func (h *history) longest() int {
	most := 0
	for i := range h.versions {
		if s := h.versions[i].source; s != nil {
			most = max(most, len(s.full))
		}
	}
	return most
}

// has reports whether any version has any line of a quote.
func (h *history) has(q *quote) bool {
	return slices.ContainsFunc(h.versions, func(v version) bool { return v.source != nil && v.has(q) })
}
