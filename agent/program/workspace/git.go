package workspace

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// gitFolder is where git keeps its own; what lies there comes after all other files.
const gitFolder = ".git"

func isGit(path string) bool { return strings.HasPrefix(path, gitFolder+"/") }

// gitFiles are the files that git keeps in one place each; gitTrees hold any
// number. What git keeps besides (objects, logs, what it last fetched) changes
// nothing of what is at work here.
func gitFiles() []string {
	return []string{"HEAD", "config", "index", "packed-refs", "info/exclude", "info/attributes"}
}

func gitTrees() []string { return []string{"hooks", "refs/heads", "refs/tags"} }

// maxGit is how many files of a tree of git's are looked at, and maxGitBytes how
// large one may be.
const (
	maxGit      = 2000
	maxGitBytes = 64 << 20
)

// git looks at what git keeps of its own in a folder. It is told apart by contents
// alone, so that git status, which writes its index anew, is no change.
func (t *taker) git(folder string) []file {
	own := openGit(folder)
	if own == nil {
		return nil
	}
	defer own.Close()
	var found []file
	for _, name := range gitFiles() {
		found = t.gitFile(found, own, name)
	}
	for _, tree := range gitTrees() {
		seen := 0
		_ = fs.WalkDir(own.FS(), tree, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || seen == maxGit {
				return fs.SkipAll
			}
			if entry.Type().IsRegular() {
				seen++
				found = t.gitFile(found, own, name)
			}
			return nil
		})
	}
	return found
}

// openGit opens where git keeps its own of a folder, or returns nil: the folder .git,
// or what a file of that name points to in a work tree that was added.
func openGit(folder string) *os.Root {
	const longest = 4096
	around, err := os.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer around.Close()
	info, err := around.Lstat(gitFolder)
	switch {
	case err != nil:
		return nil
	case info.IsDir():
		own, err := around.OpenRoot(gitFolder)
		if err != nil {
			return nil
		}
		return own
	case !info.Mode().IsRegular() || info.Size() > longest:
		return nil
	}
	pointer, err := around.ReadFile(gitFolder)
	place, found := strings.CutPrefix(strings.TrimSpace(string(pointer)), "gitdir: ")
	if err != nil || !found {
		return nil
	}
	if !filepath.IsAbs(place) {
		place = filepath.Join(folder, place)
	}
	own, err := os.OpenRoot(place)
	if err != nil {
		return nil
	}
	return own
}

// gitFile adds one file, where it is there.
func (t *taker) gitFile(found []file, own *os.Root, name string) []file {
	info, err := own.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxGitBytes {
		return found
	}
	content, err := own.ReadFile(name)
	if err != nil {
		return found
	}
	if name == "index" {
		content = staged(content)
	}
	return append(found, file{
		path: gitFolder + "/" + name, mark: mark{mode: info.Mode()}, content: maphash.Bytes(t.snapshot.seed, content), hashed: true,
	})
}

// staged is what an index of git says of files without when they were looked at:
// mode, object, flags and name of each (gitformat-index, versions 2 and 3 with SHA-1).
// An index of another form is returned whole.
func staged(index []byte) []byte {
	const header, times, trailer = 12, 40, 20
	// Behind the times stand the object (20) and the flags (2); bit 14 of these says
	// that two bytes more follow.
	const fixed, extended = times + 22, 1 << 14
	if len(index) < header+trailer || !bytes.HasPrefix(index, []byte("DIRC")) {
		return index
	}
	if v := binary.BigEndian.Uint32(index[4:]); v != 2 && v != 3 {
		return index
	}
	var told []byte
	rest := index[header : len(index)-trailer]
	for range binary.BigEndian.Uint32(index[8:]) {
		if len(rest) < fixed {
			return index
		}
		from := fixed
		if binary.BigEndian.Uint16(rest[fixed-2:])&extended != 0 {
			from += 2
		}
		if len(rest) < from {
			return index
		}
		name := bytes.IndexByte(rest[from:], 0)
		if name < 0 {
			return index
		}
		told = append(told, rest[24:28]...)
		told = append(told, rest[times:from+name+1]...)
		// One to eight zeros make the length one of eight.
		length := (from + name + 8) / 8 * 8
		if len(rest) < length {
			return index
		}
		rest = rest[length:]
	}
	return told
}
