package battery

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// workspace is where the workspace lies in the battery's directory: below a
// work tree's top, and with something outside of both.
const workspace = "repository/app"

// made is a file that a repository does not hold well, one line of made.jsonl.
// One of Text, Base64, Link, Pipe and Folder says what it is.
type made struct {
	// Path counts from the battery's directory, with slashes.
	Path string `json:"path"`
	// Text is written Repeat times (0 counts as 1), and Tail behind it.
	Text   string `json:"text"`
	Repeat int    `json:"repeat"`
	Tail   string `json:"tail"`
	// Bytes is content that is not UTF-8.
	Bytes []byte `json:"base64"`
	// Link is a symlink's target, as it is written into it.
	Link string `json:"link"`
	// Pipe makes a named pipe, Folder a directory.
	Pipe   bool `json:"fifo"`
	Folder bool `json:"folder"`
}

// layOut writes the ordinary and the made files. It returns the paths, from
// the workspace on, of those that this system cannot hold.
func layOut(directory string) (lacking []string, err error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, fmt.Errorf("laying out the battery: %w; name an empty directory", err)
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("laying out the battery: %q is not empty; name an empty directory", directory)
	}
	if err := layOutOrdinary(directory); err != nil {
		return nil, err
	}
	files, err := readLines[made]("made.jsonl")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		err := file.write(directory)
		switch {
		case err == nil:
		case runtime.GOOS == "windows" && (file.Pipe || file.Link != "" || strings.Contains(file.Path, ":")):
			// No named pipes, symlinks only with a privilege, no colons in names.
			lacking = append(lacking, strings.TrimPrefix(file.Path, workspace+"/"))
		default:
			return nil, fmt.Errorf("laying out the battery: %w", err)
		}
	}
	return lacking, nil
}

// layOutOrdinary copies the embedded workspace.
func layOutOrdinary(directory string) error {
	ordinary, err := fs.Sub(data, dataFolder+"workspace")
	if err != nil {
		return fmt.Errorf("reading the battery: %w", err)
	}
	into := filepath.Join(directory, filepath.FromSlash(workspace))
	if err := os.CopyFS(into, ordinary); err != nil {
		return fmt.Errorf("laying out the battery: %w", err)
	}
	return nil
}

// write makes one file, and the folders above it.
func (m made) write(directory string) error {
	path := filepath.Join(directory, filepath.FromSlash(m.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	switch {
	case m.Link != "":
		return os.Symlink(filepath.FromSlash(m.Link), path)
	case m.Pipe:
		return makePipe(path)
	case m.Folder:
		return os.Mkdir(path, 0o750)
	case m.Bytes != nil:
		return os.WriteFile(path, m.Bytes, 0o600)
	}
	content := bytes.Repeat([]byte(m.Text), max(1, m.Repeat))
	return os.WriteFile(path, append(content, m.Tail...), 0o600)
}
