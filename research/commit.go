package research

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"

	"moot/internal/regular"
	"moot/ledger"
)

// Bounds of what is read of a git folder: a HEAD or ref file is some fifty
// bytes, packed-refs one line per ref.
const (
	maxRefFile    = 4096
	maxPackedRefs = 32 << 20
)

// workTree is the git work tree that holds the workspace. It is read without
// running git, so that a check needs no program and obeys no hook or setting
// of the workspace. The format is gitrepository-layout(5).
type workTree struct {
	// prefix is the workspace's place under the top of the work tree, with
	// slashes, or "" when it is the top.
	prefix string
	// top is the folder of the work tree.
	top string
	// gitDir holds HEAD; commonDir the refs, which linked work trees share.
	gitDir, commonDir string
}

// findWorkTree looks for a git folder in a directory and its parents, as git does, and returns nil if it finds
// nothing.
func findWorkTree(directory string) *workTree {
	for top := directory; ; top = filepath.Dir(top) {
		if gitDir := gitFolder(top); gitDir != "" {
			prefix, err := filepath.Rel(top, directory)
			if err != nil {
				return nil
			}
			if prefix == "." {
				prefix = ""
			}
			return &workTree{prefix: filepath.ToSlash(prefix), top: top, gitDir: gitDir, commonDir: commonFolder(gitDir)}
		}
		if top == filepath.Dir(top) {
			return nil
		}
	}
}

// gitFolder returns the git folder of a work tree's top: .git itself, or the
// folder that a .git file names (linked work trees and submodules); else "".
func gitFolder(top string) string {
	folder := filepath.Join(top, ".git")
	if named, found := strings.CutPrefix(readSmall(folder), "gitdir: "); found {
		folder = named
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(top, folder)
		}
	}
	if readSmall(filepath.Join(folder, "HEAD")) == "" {
		return ""
	}
	return folder
}

// commonFolder returns the git folder that holds the refs: gitDir itself, or
// for a linked work tree the one that its commondir file names.
func commonFolder(gitDir string) string {
	common := readSmall(filepath.Join(gitDir, "commondir"))
	switch {
	case common == "":
		return gitDir
	case filepath.IsAbs(common):
		return common
	}
	return filepath.Join(gitDir, common)
}

// folders returns the top of the work tree and the folders of its repository, which git reads. A commondir file may name
// anything: what is no repository is left out.
func (w *workTree) folders() []string {
	if w == nil {
		return nil
	}
	info, err := os.Stat(filepath.Join(w.commonDir, "objects")) //nolint:gosec // It is only looked at.
	if err != nil || !info.IsDir() || readSmall(filepath.Join(w.commonDir, "HEAD")) == "" {
		return []string{w.top}
	}
	return []string{w.top, w.gitDir, w.commonDir}
}

// commit returns the commit that the work tree is at, in lower-case hex, or ""
// when it has none yet or its refs are kept in a form that is not read here
// (reftable).
func (w *workTree) commit() string {
	value := readSmall(filepath.Join(w.gitDir, "HEAD"))
	if ref, symbolic := strings.CutPrefix(value, "ref: "); symbolic {
		if !strings.HasPrefix(ref, "refs/") || !filepath.IsLocal(filepath.FromSlash(ref)) {
			return ""
		}
		value = w.resolve(ref)
	}
	if !ledger.IsCommit(value) {
		return ""
	}
	return value
}

// resolve returns what a ref holds: its loose file in this work tree's folder
// or the common one, else its line in packed-refs, else "".
func (w *workTree) resolve(ref string) string {
	for _, folder := range []string{w.gitDir, w.commonDir} {
		if value := readSmall(filepath.Join(folder, filepath.FromSlash(ref))); value != "" {
			return value
		}
	}
	file, err := regular.Open(filepath.Join(w.commonDir, "packed-refs"))
	if err != nil {
		return ""
	}
	defer file.Close()
	lines := bufio.NewScanner(io.LimitReader(file, maxPackedRefs))
	for lines.Scan() {
		if value, name, _ := strings.Cut(lines.Text(), " "); name == ref {
			return value
		}
	}
	return ""
}

// readSmall returns a small file's text without the blanks around it, or "".
func readSmall(path string) string {
	file, err := regular.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxRefFile))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}
