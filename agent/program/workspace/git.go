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

const gitFolder = ".git"

func isGit(path string) bool { return strings.HasPrefix(path, gitFolder+"/") }

// git adds the files that decide what git does in a folder; objects and logs do not.
// They are compared by contents alone, and the index without its times, so that git
// status, which rewrites the index, is no change.
func (s *Snapshot) git(folder string) {
	const maxFiles, maxBytes = 2000, 64 << 20
	own := openGit(folder)
	if own == nil {
		return
	}
	defer func() { _ = own.Close() }()
	add := func(name string) {
		info, err := own.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxBytes {
			return
		}
		content, err := own.ReadFile(name)
		if err != nil {
			return
		}
		if name == "index" {
			content = staged(content)
		}
		hash := maphash.Bytes(s.seed, content)
		s.files[gitFolder+"/"+name] = file{mark: mark{mode: info.Mode()}, content: hash, hashed: true}
	}
	for _, name := range []string{"HEAD", "config", "index", "packed-refs", "info/exclude", "info/attributes"} {
		add(name)
	}
	for _, tree := range []string{"hooks", "refs/heads", "refs/tags"} {
		seen := 0
		_ = fs.WalkDir(own.FS(), tree, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || seen == maxFiles {
				return fs.SkipAll
			}
			if entry.Type().IsRegular() {
				seen++
				add(name)
			}
			return nil
		})
	}
}

// openGit opens git's folder, or returns nil: .git, or the folder that a file of that
// name points to in an additional work tree.
func openGit(folder string) *os.Root {
	const longestPointer = 4096
	around, err := os.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer func() { _ = around.Close() }()
	info, err := around.Lstat(gitFolder)
	if err != nil {
		return nil
	}
	var own *os.Root
	if info.IsDir() {
		own, err = around.OpenRoot(gitFolder)
	} else if info.Mode().IsRegular() && info.Size() <= longestPointer {
		var pointer []byte
		pointer, err = around.ReadFile(gitFolder)
		place, found := strings.CutPrefix(strings.TrimSpace(string(pointer)), "gitdir: ")
		if err != nil || !found {
			return nil
		}
		if !filepath.IsAbs(place) {
			place = filepath.Join(folder, place)
		}
		own, err = os.OpenRoot(place)
	}
	if err != nil {
		return nil
	}
	return own
}

// staged returns the entries of a git index without their times: mode, object, flags
// and name of each (gitformat-index, versions 2 and 3 with SHA-1). It returns an index
// of another form unchanged.
func staged(index []byte) []byte {
	const header, times, trailer = 12, 40, 20
	// The object (20 bytes) and the flags (2) follow the times; bit 14 of the flags
	// announces two more bytes.
	const fixed, extended = times + 22, 1 << 14
	if len(index) < header+trailer || !bytes.HasPrefix(index, []byte("DIRC")) {
		return index
	}
	if v := binary.BigEndian.Uint32(index[4:]); v != 2 && v != 3 {
		return index
	}
	var entries []byte
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
		length := (from + name + 8) / 8 * 8 // Padded with one to eight zeros.
		if name < 0 || len(rest) < length {
			return index
		}
		entries = append(entries, rest[24:28]...)
		entries = append(entries, rest[times:from+name+1]...)
		rest = rest[length:]
	}
	return entries
}
