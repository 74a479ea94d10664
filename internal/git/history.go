package git

import (
	"context"
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
	args := append([]string{
		"log", "--no-show-signature", "--no-mailmap", "--no-notes", "--no-color", "--no-ext-diff", "--no-textconv",
		"--format=%H%x00%an%x00%at%x00%s",
	}, options...)
	out, err := r.git(ctx, maxHistory, append(args, commit, "--", path)...)
	if err != nil {
		return nil, err
	}
	var found []Logged
	for line := range strings.Lines(strings.ToValidUTF8(out, "\uFFFD")) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\x00", 4)
		if len(fields) == 4 {
			found = append(found, Logged{Commit: fields[0], Author: fields[1], At: unixTime(fields[2]), Subject: fields[3]})
		}
	}
	return found, nil
}

func unixTime(seconds string) time.Time {
	n, _ := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0).UTC()
}
