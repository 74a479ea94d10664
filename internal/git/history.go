package git

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxHistory bounds the output of one look at the history, in bytes.
const maxHistory = 4 << 20

// Logged is a commit as the history shows it.
type Logged struct {
	Commit, Author string
	At             time.Time
	Subject        string
}

// Blamed is a line with the commit that wrote it. Edge says that a shallow history ends there, so the line may be
// older.
type Blamed struct {
	Logged
	Line int
	Text string
	Edge bool
}

// Blame returns the commits that wrote lines of a file as of a commit. Lines behind its end are an error.
func (r *Repository) Blame(ctx context.Context, commit, path string, from, to int) ([]Blamed, error) {
	out, err := r.git(ctx, maxHistory, "blame", "--line-porcelain", "-L", strconv.Itoa(from)+","+strconv.Itoa(to),
		commit, "--", path)
	if err != nil {
		return nil, err
	}
	var lines []Blamed
	b := Blamed{Line: from}
	for line := range strings.Lines(strings.ToValidUTF8(out, "\uFFFD")) {
		line = strings.TrimSuffix(line, "\n")
		if text, ends := strings.CutPrefix(line, "\t"); ends {
			b.Text = text
			lines = append(lines, b)
			b = Blamed{Line: b.Line + 1}
			continue
		}
		name, value, _ := strings.Cut(line, " ")
		switch {
		case b.Commit == "":
			b.Commit = name
		case name == "author":
			b.Author = value
		case name == "author-time":
			b.At = unixTime(value)
		case name == "summary":
			b.Subject = value
		case name == "boundary":
			b.Edge = r.IsShallow()
		}
	}
	return lines, nil
}

// Log returns up to most commits, newest first, that changed a path up to a commit. It follows renames of a file.
func (r *Repository) Log(ctx context.Context, commit, path string, most int) ([]Logged, error) {
	return r.log(ctx, commit, path, "-n", strconv.Itoa(most), "--follow")
}

// Removal returns the newest commit that removed a path in the history of a commit, or nil.
func (r *Repository) Removal(ctx context.Context, commit, path string) (*Logged, error) {
	found, err := r.log(ctx, commit, path, "-n", "1", "--diff-filter=D", "--no-renames")
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

func (r *Repository) log(ctx context.Context, commit, path string, options ...string) ([]Logged, error) {
	args := append(logArguments(), options...)
	out, err := r.git(ctx, maxHistory, append(args, commit, "--", path)...)
	if err != nil {
		return nil, err
	}
	var found []Logged
	for line := range strings.Lines(strings.ToValidUTF8(out, "\uFFFD")) {
		if logged, ok := readLogged(line); ok {
			found = append(found, logged)
		}
	}
	return found, nil
}

// logArguments make git log write the lines that readLogged reads.
func logArguments() []string {
	return []string{
		"log", "--no-show-signature", "--no-mailmap", "--no-notes", "--no-color", "--no-ext-diff", "--no-textconv",
		"--format=%H%x00%an%x00%at%x00%s",
	}
}

func readLogged(line string) (Logged, bool) {
	fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\x00", 4)
	if len(fields) != 4 {
		return Logged{}, false
	}
	return Logged{Commit: fields[0], Author: fields[1], At: unixTime(fields[2]), Subject: fields[3]}, true
}

func unixTime(seconds string) time.Time {
	n, _ := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0).UTC()
}

// Version is a state of a file: the commit that made it, and the id of its content, which is "" if the commit removed
// the file.
type Version struct {
	Logged
	Content string
}

// Versions returns up to most versions of a file, newest first, up to a commit. It follows renames.
func (r *Repository) Versions(ctx context.Context, commit, path string, most int) ([]Version, error) {
	return r.versions(ctx, path, most, commit)
}

// AllVersions is Versions for all branches and tags, and for commits that none of them may have.
func (r *Repository) AllVersions(ctx context.Context, path string, most int, commits ...string) ([]Version, error) {
	return r.versions(ctx, path, most, append([]string{"--all"}, commits...)...)
}

func (r *Repository) versions(ctx context.Context, path string, most int, from ...string) ([]Version, error) {
	args := append(logArguments(), "-n", strconv.Itoa(most), "--follow", "--raw", "--no-abbrev")
	out, err := r.git(ctx, maxHistory, append(append(args, from...), "--", path)...)
	if err != nil {
		return nil, err
	}
	var found []Version
	for line := range strings.Lines(strings.ToValidUTF8(out, "\uFFFD")) {
		if logged, ok := readLogged(line); ok {
			found = append(found, Version{Logged: logged})
			continue
		}
		if fields := strings.Fields(line); len(fields) > 4 && fields[0][0] == ':' && len(found) > 0 {
			found[len(found)-1].Content = entryOf(fields[1], fields[3]).ID
		}
	}
	return found, nil
}

// Blobs reads contents by id. Those that are missing or have more than most bytes are left out.
func (r *Repository) Blobs(ctx context.Context, ids []string, most int64) (map[string][]byte, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	contents := map[string][]byte{}
	err := r.objects(ctx, ids, most, func(id, kind string, size int64, content io.Reader) error {
		if kind != "blob" || size > most {
			return nil
		}
		text, err := io.ReadAll(content)
		contents[id] = text
		return err
	})
	return contents, err
}

// EverNamed returns the paths that files had in the history of all branches and tags, and of some commits, among those
// that a function wants. Paths are relative to the top of the work tree. A file that only a merge added is left out.
func (r *Repository) EverNamed(ctx context.Context, wants func(path string) bool, commits ...string) ([]string, error) {
	if err := r.openObjects(); err != nil {
		return nil, err
	}
	var found []string
	rest := ""
	_, err := run(ctx, call{
		dir: filepath.Join(r.private, "empty"), env: r.environ(), limit: maxObjects,
		args: append([]string{"log", "--format=", "--name-only", "-z", "--no-renames", "--diff-filter=A", "--all"}, commits...),
		each: func(piece []byte) error {
			names := strings.Split(rest+string(piece), "\x00")
			rest = names[len(names)-1]
			for _, name := range names[:len(names)-1] {
				if wants(name) {
					found = append(found, name)
				}
			}
			return nil
		},
	})
	slices.Sort(found)
	return slices.Compact(found), err
}
