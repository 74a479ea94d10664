package research

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// Only regular files are read, and none over 16 MiB.
func TestKinds(t *testing.T) {
	tests := []struct {
		mode fs.FileMode
		size int
		want string
	}{
		{0, MaxFile, ""},
		{0, MaxFile + 1, "over 16 MiB"},
		{fs.ModeDir, 0, "a directory"},
		{fs.ModeDevice, 0, "a device"},
		{fs.ModeDevice | fs.ModeCharDevice, 0, "a device"},
		{fs.ModeNamedPipe, 0, "a named pipe"},
		{fs.ModeSocket, 0, "a socket"},
		{fs.ModeIrregular, 0, "no regular file"},
	}
	for _, test := range tests {
		files := fstest.MapFS{"x": {Mode: test.mode, Data: make([]byte, test.size)}}
		info, err := files.Stat("x")
		if err != nil {
			t.Fatal(err)
		}
		refused := refuseKind("x", info)
		if (refused == "") != (test.want == "") || !strings.Contains(refused, test.want) {
			t.Errorf("%s of %d bytes: %v, want %q", test.mode, test.size, refused, test.want)
		}
	}
}
