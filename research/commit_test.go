package research

import (
	"path/filepath"
	"strings"
	"testing"
)

const (
	someCommit  = "4f2d8c1b7a6e5d3c2b1a0f9e8d7c6b5a49382716"
	otherCommit = "9e8d7c6b5a493827164f2d8c1b7a6e5d3c2b1a0f"
)

// commitCase is a git folder in one of its forms, and the commit it is at.
type commitCase struct {
	name string
	// files lie in the directory above the workspace "w".
	files map[string]string
	want  string
	// link is how a permalink to that commit comes out, for a path that does
	// not say where the workspace lies in the repository.
	link string
}

func commitCases() []commitCase {
	return []commitCase{
		{"no work tree", nil, "", "other-commit"},
		{"a branch", map[string]string{
			"w/.git/HEAD":            "ref: refs/heads/main\n",
			"w/.git/refs/heads/main": someCommit + "\n",
		}, someCommit, "in-place"},
		{
			"a work tree that begins above",
			map[string]string{".git/HEAD": "ref: refs/heads/a/b\n", ".git/refs/heads/a/b": someCommit + "\n"},
			someCommit, "outside",
		},
		{"a detached head", map[string]string{"w/.git/HEAD": someCommit + "\n"}, someCommit, "in-place"},
		{"a packed ref", map[string]string{
			"w/.git/HEAD": "ref: refs/heads/main\n",
			"w/.git/packed-refs": "# pack-refs with: peeled\n" + otherCommit + " refs/heads/mai\n" + someCommit +
				" refs/heads/main\n^" + otherCommit + "\n",
		}, someCommit, "in-place"},
		{"a loose ref is newer than a packed one", map[string]string{
			"w/.git/HEAD": "ref: refs/heads/main\n", "w/.git/refs/heads/main": someCommit + "\n",
			"w/.git/packed-refs": otherCommit + " refs/heads/main\n",
		}, someCommit, "in-place"},
		{"a linked work tree", map[string]string{
			"w/.git": "gitdir: ../m/.git/worktrees/w\n", "m/.git/worktrees/w/HEAD": "ref: refs/heads/side\n",
			"m/.git/worktrees/w/commondir": "../..\n", "m/.git/HEAD": otherCommit,
			"m/.git/worktrees/w/gitdir": "../../../../w/.git\n",
			"m/.git/refs/heads/side":    someCommit + "\n",
		}, someCommit, "in-place"},
		{"no commit yet", map[string]string{"w/.git/HEAD": "ref: refs/heads/main\n"}, "", "other-commit"},
		{"refs in another format", map[string]string{
			"w/.git/HEAD":                 "ref: refs/heads/.invalid\n",
			"w/.git/reftable/tables.list": "x",
		}, "", "other-commit"},
		{
			"a ref that leaves the folder",
			map[string]string{"w/.git/HEAD": "ref: refs/../../../secret\n", "secret": someCommit},
			"", "other-commit",
		},
		{"a ref that is none", map[string]string{"w/.git/HEAD": "ref: /etc/hosts\n"}, "", "other-commit"},
		{"a head that is no commit", map[string]string{"w/.git/HEAD": "main\n"}, "", "other-commit"},
		{
			"an empty git folder is none",
			map[string]string{"w/.git/config": "", ".git/HEAD": someCommit},
			someCommit,
			"outside",
		},
		{"a git file that names nothing", map[string]string{"w/.git": "gitdir: nowhere\n"}, "", "other-commit"},
	}
}

// The commit is found on a branch, in packed refs, detached, and in a linked work tree, and omitted without a
// repository.
func TestCommit(t *testing.T) {
	for _, test := range commitCases() {
		t.Run(test.name, func(t *testing.T) {
			directory := t.TempDir()
			write(t, filepath.Join(directory, "w", "a.go"), source)
			for path, content := range test.files {
				write(t, filepath.Join(directory, filepath.FromSlash(path)), content)
				if top, found := strings.CutSuffix(path, ".git/HEAD"); found {
					write(t, filepath.Join(directory, filepath.FromSlash(top), ".git/objects/x"), "")
					write(t, filepath.Join(directory, filepath.FromSlash(top), ".git/refs/x"), "")
				}
			}
			c, err := OpenCitation(filepath.Join(directory, "w"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if finding := examine(t, c, "a.go:4", "return nil", "in-place"); finding.Commit != test.want {
				t.Errorf("commit %q, want %q", finding.Commit, test.want)
			}
			// A refusal that has read the file says so too.
			if finding := examine(t, c, "a.go:4", "return nul", "absent"); finding.Commit != test.want {
				t.Errorf("commit %q of a refusal, want %q", finding.Commit, test.want)
			}
			examine(t, c, "https://github.com/o/r/blob/"+someCommit+"/a.go#L4", "return nil", test.link)
		})
	}
}
