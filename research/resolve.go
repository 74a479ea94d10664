package research

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"moot/internal/lists"
	"moot/ledger"
)

// The bounds of the search for a file by a part of its path.
const (
	// maxCandidates are named by a refusal, maxHolding are read for a quote.
	maxCandidates, maxHolding = 5, 20
	// maxEntries of the workspace are looked at.
	maxEntries = 200_000
	// indexFresh is how old the list of files may be.
	indexFresh = 20 * time.Second
)

// fileIndex holds the files of the workspace by their folded base names.
type fileIndex struct {
	at     time.Time
	byBase map[string][]string
}

// resolved is the file that a reference means.
type resolved struct {
	path string
	// note says how it differs from the cited path, or is "".
	note string
	// candidates are the files that a refused reference may mean.
	candidates []string
}

// resolve finds the file that a reference means: the path as it is; without the prefix of a diff or of the workspace;
// in another case or Unicode form, if one file has it; without words in front of it; and the longest end of the path
// that a file of the workspace has, since a seat may have read the files on another machine, in a container or in
// another work tree. Of several files the one that holds the quote is meant. An end that is a name alone, although
// folders were cited, is no proof: the quote decides there, too.
func (c *Citation) resolve(ctx context.Context, cited ledger.Reference, quote string) (resolved, string) {
	for _, name := range cited.Paths() {
		for _, name := range c.spellings(name) {
			if leaves(name) {
				continue
			}
			if c.exists(name) {
				return c.noted(cited, name), ""
			}
		}
	}
	if cited.Commit != "" || slices.Contains(strings.Split(cited.Path, "/"), "..") {
		return resolved{path: cited.Path}, ""
	}
	for _, name := range cited.Paths() {
		matches, sure := c.byEnd(ctx, name)
		if len(matches) == 0 {
			continue
		}
		if len(matches) > 1 || !sure {
			holding := c.holding(ctx, matches, quote)
			switch {
			case len(holding) == 1:
				matches, sure = holding, true
			case len(holding) > 1:
				matches = holding
			}
		}
		if len(matches) == 1 && sure {
			return c.noted(cited, matches[0]), ""
		}
		return c.unclear(cited, matches)
	}
	return resolved{path: cited.Path}, ""
}

// Find returns the files that a reference may mean, as a check looks for them. sure is false if several files fit, or if
// one has only the name and is in another folder.
func (c *Citation) Find(ctx context.Context, cited ledger.Reference) (files []string, sure bool) {
	for _, name := range cited.Paths() {
		for _, name := range c.spellings(name) {
			if !leaves(name) && c.exists(name) {
				return []string{name}, true
			}
		}
	}
	if slices.Contains(strings.Split(cited.Path, "/"), "..") {
		return nil, false
	}
	for _, name := range cited.Paths() {
		if files, sure = c.byEnd(ctx, name); len(files) > 0 {
			return files, sure && len(files) == 1
		}
	}
	return nil, false
}

// Lines returns the lines of a file that can be cited, or the reason why it cannot.
func (c *Citation) Lines(ctx context.Context, path string) (lines []string, refused string) {
	source, refused := c.read(ctx, path)
	if refused != "" {
		return nil, refused
	}
	return source.all(), ""
}

// unclear refuses a reference that may mean several files, or one that is no proof.
func (c *Citation) unclear(cited ledger.Reference, matches []string) (resolved, string) {
	shown, more := matches, ""
	if len(shown) > maxCandidates {
		shown, more = shown[:maxCandidates], " and more"
	}
	why := fmt.Sprintf("unclear: several files fit %q: %s%s; cite one by its path", cited.Path,
		strings.Join(shown, ", "), more)
	if len(matches) == 1 {
		why = fmt.Sprintf("there is no file %q in the workspace", cited.Path)
		if isAbsolute(cited.Path) {
			why = fmt.Sprintf("%q leaves the workspace", cited.Path)
		}
		why += fmt.Sprintf("; is %s meant? cite it by its path", matches[0])
	}
	return resolved{candidates: shown}, why
}

// noted is a file with a note if its path is not the cited one.
func (c *Citation) noted(cited ledger.Reference, name string) resolved {
	found := resolved{path: name}
	below, ok := strings.CutPrefix(cited.Path, filepath.ToSlash(c.root.Name())+"/")
	if name != cited.Path && (!ok || below != name) {
		found.note = fmt.Sprintf("; %s is read as %s", cited.Path, name)
	}
	return found
}

// exists reports whether there is something of a name, which may be withheld.
func (c *Citation) exists(name string) bool {
	if tree := c.guard.Tree(); tree != nil {
		name = path.Clean(name)
		_, err := tree.Stat(name)
		return err == nil || tree.Withheld(name) != ""
	}
	_, err := c.root.Stat(filepath.FromSlash(name))
	return !missing(err)
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || err != nil && strings.Contains(err.Error(), "not a directory")
}

// spellings are the paths that a cited one may mean as it is: itself, without the folder of the workspace, without "@"
// and the prefixes that git diff writes, and in the other Unicode forms.
func (c *Citation) spellings(name string) []string {
	names := []string{name}
	for _, root := range c.roots {
		if below, ok := strings.CutPrefix(name, root+"/"); ok {
			names = append(names, below)
		}
	}
	if at, ok := strings.CutPrefix(name, "@"); ok {
		names = append(names, strings.TrimPrefix(at, "/"))
	}
	for _, prefix := range []string{"a/", "b/", "i/", "w/", "c/", "o/"} {
		if below, ok := strings.CutPrefix(name, prefix); ok {
			names = append(names, below)
		}
	}
	for _, name := range slices.Clone(names) {
		names = append(names, norm.NFC.String(name), norm.NFD.String(name))
	}
	return names
}

// byEnd returns the files that end with the longest part of a path that any file ends with. Sure is false if that is
// no proof.
func (c *Citation) byEnd(ctx context.Context, name string) (matches []string, sure bool) {
	index := c.index(ctx)
	absolute := isAbsolute(name)
	trimmed := strings.TrimPrefix(name, "/")
	elements := strings.Split(trimmed, "/")
	first, _, folders := strings.Cut(trimmed, "/")
	if !absolute && folders && strings.Contains(first, ".") && isHostName(first) {
		// A package or page of somebody else.
		return nil, false
	}
	own := slices.Index(elements[:len(elements)-1], path.Base(filepath.ToSlash(c.root.Name())))
	for drop := range elements {
		end := strings.Join(elements[drop:], "/")
		var whole, same []string
		if matches, whole, same = index.spelled(end, absolute); len(matches) == 0 {
			continue
		}
		switch {
		case drop == 0, drop+1 < len(elements) && (own < 0 || drop <= own+1 || !absolute):
			return matches, true
		case absolute && len(whole) == 1 && (own >= 0 && drop == own+1 || own < 0 && len(same) == 1):
			// At the top of the workspace: the folder before it is the workspace, or no other file has the name.
			return matches, true
		}
		break
	}
	if said := index.behindWords(name); said != "" {
		return []string{said}, true
	}
	if len(matches) > 0 {
		return matches, false
	}
	// The rest of a name with blanks, whose first words were taken for the sentence.
	return index.endingWith(" " + name), false
}

// spelled returns the files that an end of a path means: of those that differ in case alone, the one that is spelled
// so. Whole are those that have the end alone as their path, same those that have it in any case.
func (x *fileIndex) spelled(end string, absolute bool) (matches, whole, same []string) {
	whole, same = x.ending(end, exactly(end)), x.ending(end, nil)
	if matches = whole; len(matches) == 0 || !absolute {
		matches = x.ending(end, func(path string) bool {
			return nfc(path) == nfc(end) || strings.HasSuffix(nfc(path), "/"+nfc(end))
		})
	}
	if len(matches) == 0 {
		matches = same
	}
	return matches, whole, same
}

// behindWords returns the file whose name follows words of a sentence, or behind a script without blanks, or "".
func (x *fileIndex) behindWords(name string) string {
	const farthest = 200
	for i, char := range name {
		rest := name[i:]
		switch {
		case i == 0 || i > farthest:
			continue
		case char == ' ':
			rest = rest[1:]
		case !spaceless(name[:i]):
			continue
		}
		if found := x.ending(rest, exactly(rest)); len(found) == 1 {
			return found[0]
		}
		if found := x.ending(rest, nil); char == ' ' && len(found) == 1 {
			return found[0]
		}
	}
	return ""
}

func exactly(path string) func(string) bool { return func(other string) bool { return other == path } }

// spaceless reports whether a text ends in a script that has no blanks between words.
func spaceless(text string) bool {
	runes := []rune(text)
	last := runes[len(runes)-1]
	return unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// isHostName reports whether the first folder of a path is a host, as in github.com/owner/name.
func isHostName(folder string) bool {
	return slices.Contains([]string{".com", ".org", ".net", ".io", ".dev", ".in", ".land", ".sh"}, path.Ext(folder))
}

// holding are the files among some that hold a quote. Too short a quote, and none, tell nothing.
func (c *Citation) holding(ctx context.Context, files []string, quote string) (holding []string) {
	quoted, refused := newQuotation(quote)
	if refused != "" || quoted.short {
		return nil
	}
	for _, name := range files[:min(len(files), maxHolding)] {
		source, refused := c.read(ctx, name)
		if refused != "" {
			continue
		}
		if slices.ContainsFunc(source.readings(quoted), func(q *quotation) bool {
			return bytes.Contains(source.plain, q.needle)
		}) {
			holding = append(holding, name)
		}
	}
	return holding
}

// index lists the files that can be cited, and those that are refused with a reason if no other has their name; git's
// own and those of dependencies are left out.
func (c *Citation) index(ctx context.Context) *fileIndex {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.files != nil && time.Since(c.files.at) < indexFresh {
		return c.files
	}
	files, entries := &fileIndex{at: time.Now(), byBase: map[string][]string{}}, 0
	errFull := errors.New("enough files were listed")
	add := func(name string) error {
		if entries++; entries > maxEntries {
			return errFull
		}
		if !strings.HasPrefix(name, "vendor/") && !strings.Contains(name, "/vendor/") {
			base := folded(path.Base(name))
			files.byBase[base] = append(files.byBase[base], name)
		}
		return nil
	}
	var err error
	if tree := c.guard.Tree(); tree != nil {
		for _, name := range tree.Names() {
			if err = add(name); err != nil {
				break
			}
		}
	} else {
		err = c.guard.Walk(ctx, func(_ *os.Root, name string, _ fs.DirEntry) error { return add(name) })
	}
	for base, names := range files.byBase {
		shown := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return c.guard.Secret(ctx, name, c.allow) != ""
		})
		if len(names) > 1 && len(shown) > 0 {
			files.byBase[base] = shown
		}
	}
	if err == nil || errors.Is(err, errFull) {
		c.files = files
	}
	return files
}

// ending are the files with an end of a path, in any case and Unicode form, that fit, all for nil, in the order of
// their paths.
func (x *fileIndex) ending(end string, fits func(path string) bool) (found []string) {
	wanted := folded(end)
	for _, name := range x.byBase[folded(path.Base(end))] {
		have := folded(name)
		if (have == wanted || strings.HasSuffix(have, "/"+wanted)) && (fits == nil || fits(name)) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// endingWith are the files whose paths end with a text.
func (x *fileIndex) endingWith(text string) (found []string) {
	wanted := folded(text)
	for base, names := range x.byBase {
		if !strings.HasSuffix(base, folded(path.Base(text))) {
			continue
		}
		found = append(found, lists.Filter(names, func(name string) bool {
			return strings.HasSuffix(folded(name), wanted)
		})...)
	}
	slices.Sort(found)
	return found
}

// folded is a path in one Unicode form and in lower case.
func folded(path string) string { return strings.ToLower(nfc(path)) }

func nfc(path string) string { return norm.NFC.String(path) }
