//go:build unix

package research

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A named pipe in the place of a git file is not waited for.
func TestPipesOfTheGitFolderDoNotBlock(t *testing.T) {
	directory := t.TempDir()
	write(t, filepath.Join(directory, "a.go"), source)
	write(t, filepath.Join(directory, ".git", "HEAD"), "ref: refs/heads/main\n")
	for _, name := range []string{"packed-refs", "commondir"} {
		if err := syscall.Mkfifo(filepath.Join(directory, ".git", name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := OpenCitation(directory)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// Nobody can say what git ignores there.
	if finding := examine(t, c, "a.go:4", "return nil", "secret"); !strings.Contains(finding.Reason, ".git/commondir") {
		t.Errorf("%+v", finding)
	}
}

// A file that became a pipe after it was looked at is not waited for either.
func TestAPipeThatTookAFilesPlaceDoesNotBlock(t *testing.T) {
	c, directory := open(t, nil)
	if err := syscall.Mkfifo(filepath.Join(directory, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, refused := c.open("pipe"); !strings.Contains(refused, "only a regular file") {
		t.Errorf("%v", refused)
	}
}

// Sockets are refused without being opened. A device would be as well; a test
// cannot make one without privileges, so its kind is tried in TestKinds.
func TestSocket(t *testing.T) {
	// The name of a socket may have some hundred bytes only.
	directory, err := os.MkdirTemp("", "moot") //nolint:usetesting // the name of t.TempDir is too long
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(directory)
	listener, err := net.Listen("unix", filepath.Join(directory, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c, err := OpenCitation(directory)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	examine(t, c, "socket:1", "anything", "not-regular")
}

// linkOut makes out.txt, a symlink that leads out of the workspace.
func linkOut(t testing.TB, directory string) {
	t.Helper()
	if err := os.Symlink("../secret.txt", filepath.Join(directory, "out.txt")); err != nil {
		t.Fatal(err)
	}
}
