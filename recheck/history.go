package recheck

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"moot/internal/git"
	"moot/internal/lists"
	"moot/research"
)

const (
	// maxVersions is how many versions of a file are looked at, and versionsAtOnce how many of them are read at once.
	maxVersions, versionsAtOnce = 200, 20
	// maxRenames is how often a file may have been renamed.
	maxRenames = 10
	// maxVersion is the size of a version that is read.
	maxVersion = research.MaxFile
)

// explain finds the commits behind citations that changed or are gone, and where renamed files are now.
func (w *Workspace) explain(ctx context.Context, items []*Item) {
	if w.Repository == nil || w.Head == "" {
		return
	}
	removals := map[string]removal{}
	changed := map[string][]*Item{}
	for _, item := range items {
		if item.Word == Gone && !w.Exists(item.place.Path) {
			w.follow(ctx, item, removals)
		}
		if (item.Word == Gone || item.Word == Changed) && item.Commit == nil && !item.Uncommitted && len(item.sought()) > 0 &&
			w.Exists(item.place.Path) {
			changed[item.place.Path] = append(changed[item.place.Path], item)
		}
	}
	for name, items := range changed {
		w.trace(ctx, name, items)
	}
	moved := map[string][]*Item{}
	for _, item := range items {
		if item.Word == Gone && item.Commit != nil && !item.Uncommitted && distinct(item.sought()) {
			moved[item.Commit.ID] = append(moved[item.Commit.ID], item)
		}
	}
	for commit, items := range moved {
		w.elsewhere(ctx, commit, items)
	}
}

// leastDistinct is how many characters without blanks a passage needs, so that it is no other by chance.
const leastDistinct = 12

// distinct reports whether texts are long enough not to match others by chance.
func distinct(texts []string) bool {
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(text string) bool {
		return utf8.RuneCountInString(strings.Join(strings.Fields(text), "")) < leastDistinct
	})
}

// maxElsewhere is in how many files of a commit lines are sought.
const maxElsewhere = 200

// elsewhere looks for lines that a commit took out of their file in the others that it changed: it moved them if exactly
// one has them that did not before, and it counts if they still stand there.
func (w *Workspace) elsewhere(ctx context.Context, commit string, items []*Item) {
	parent, _, err := w.Repository.Parent(ctx, commit)
	if err != nil || parent == "" {
		return
	}
	changes, err := w.Repository.Changes(ctx, parent, commit)
	if err != nil || len(changes) > maxElsewhere {
		return
	}
	var ids []string
	for _, c := range changes {
		ids = append(ids, lists.Filter([]string{c.Was.ID, c.Now.ID}, func(id string) bool { return id != "" })...)
	}
	contents, err := w.Repository.Blobs(ctx, ids, maxVersion)
	if err != nil {
		return
	}
	for _, item := range items {
		all := func(id string) bool {
			content, read := contents[id]
			return read && !slices.Contains(research.Contains(content, item.sought()), false)
		}
		var to []string
		for _, c := range changes {
			if name, below := w.below(c.Path); below && name != item.place.Path && all(c.Now.ID) && !all(c.Was.ID) {
				to = append(to, name)
			}
		}
		if len(to) != 1 || !w.Exists(to[0]) {
			continue
		}
		before, by := *item, item.Commit
		item.place.Path = to[0]
		w.look(ctx, item, item.place)
		if item.Word != Moved && item.Word != Holds {
			*item = before
			continue
		}
		item.Word, item.Commit, item.Reason = Moved, by, "the lines were moved to another file"
	}
}

// below returns a path of the repository as one below the workspace.
func (w *Workspace) below(inTop string) (name string, is bool) {
	if w.Prefix == "" {
		return inTop, true
	}
	return strings.CutPrefix(inTop, w.Prefix+"/")
}

// removal is how a file went away.
type removal struct {
	commit *Commit
	// renamed is the path that it has since, below the workspace, or "". outside is one that is not below it.
	renamed, outside string
	// uncommitted says that the last commit still has the file, and unknown that no commit had it.
	uncommitted, unknown bool
}

// follow finds the commit that removed or renamed the file of an item, and checks the item where the file is now.
func (w *Workspace) follow(ctx context.Context, item *Item, known map[string]removal) {
	for range maxRenames {
		name := item.place.Path
		if w.Exists(name) {
			break
		}
		gone, seen := known[name]
		if !seen {
			gone = w.removal(ctx, name)
			known[name] = gone
		}
		item.Commit, item.Uncommitted = gone.commit, gone.uncommitted
		if gone.renamed == "" {
			item.Now, item.Is = "", ""
			switch {
			case gone.outside != "":
				item.Reason = "the file was renamed to " + gone.outside + ", outside of the workspace"
			case gone.commit != nil:
				item.Reason = "the file was deleted"
			default:
				// An edit that is not committed, or a file that git never had, may have another place.
				w.look(ctx, item, item.place)
				if item.Word == Gone {
					item.Reason = "the file is not there any more"
				}
				if item.Word == Moved {
					item.Uncommitted = false
				}
			}
			return
		}
		item.place.Path = gone.renamed
		item.Reason = "the file was renamed to " + gone.renamed
	}
	if !w.Exists(item.place.Path) {
		return
	}
	renamed := item.Commit
	w.look(ctx, item, item.place)
	if item.Word == Moved || item.Word == Holds {
		item.Word, item.Reason = Moved, "the file was renamed; "+item.Reason
	} else {
		renamed = nil // Another commit may have changed the lines.
	}
	item.Commit = renamed
}

// removal finds the newest commit that removed a file below the workspace.
func (w *Workspace) removal(ctx context.Context, name string) removal {
	inTop := path.Join(w.Prefix, name)
	versions, err := w.Repository.Versions(ctx, w.Head, inTop, 1)
	switch {
	case err != nil || len(versions) == 0:
		return removal{unknown: true}
	case versions[0].Content != "":
		return removal{uncommitted: true}
	}
	found := removal{commit: w.commit(versions[0].Logged)}
	parent, _, err := w.Repository.Parent(ctx, versions[0].Commit)
	if err != nil || parent == "" {
		return found
	}
	changes, err := w.Repository.Changes(ctx, parent, versions[0].Commit)
	if err != nil {
		return found
	}
	i := slices.IndexFunc(changes, func(c git.Change) bool { return c.From == inTop })
	if i < 0 {
		return found
	}
	found.outside = changes[i].Path
	if below, is := w.below(found.outside); is {
		found.renamed = below
	}
	return found
}

// trace finds for items of one file the commit after the newest version that had what they cite.
func (w *Workspace) trace(ctx context.Context, name string, items []*Item) {
	versions, err := w.Repository.Versions(ctx, w.Head, path.Join(w.Prefix, name), maxVersions)
	if err != nil {
		return
	}
	for from := 0; from < len(versions) && len(items) > 0; from += versionsAtOnce {
		part := versions[from:min(from+versionsAtOnce, len(versions))]
		ids := lists.Filter(lists.Map(part, func(v git.Version) string { return v.Content }),
			func(id string) bool { return id != "" })
		contents, err := w.Repository.Blobs(ctx, ids, maxVersion)
		if err != nil {
			return
		}
		for i := range part {
			content, read := contents[part[i].Content]
			if !read {
				continue
			}
			var quotes []string
			for _, item := range items {
				quotes = append(quotes, item.sought()...)
			}
			has := research.Contains(content, quotes)
			items = lists.Filter(items, func(item *Item) bool {
				n := len(item.sought())
				all := !slices.Contains(has[:n], false)
				has = has[n:]
				switch at := from + i; {
				case all && at == 0:
					item.Uncommitted = true
				case all:
					item.Commit = w.commit(versions[at-1].Logged)
				}
				return !all
			})
		}
	}
}

// sought are the texts that a version with the cited lines has.
func (e *Item) sought() []string {
	if len(e.quotes) == 0 && e.quote != "" {
		return []string{e.quote}
	}
	return e.quotes
}

// commit is a commit without secrets.
func (w *Workspace) commit(c git.Logged) *Commit {
	if w.Redactor != nil {
		c.Subject, _ = w.Redactor.Text(c.Subject)
		c.Author, _ = w.Redactor.Text(c.Author)
	}
	return &Commit{ID: c.Commit, Author: c.Author, Date: c.At, Subject: c.Subject}
}
