package program

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moot/agent/endpoint"
	"moot/config"
	"moot/plain"
)

//go:embed adapters/*.toml
var built embed.FS

// BuiltIn are the names of the adapters that moot is built with.
func BuiltIn() []string { return []string{"codex", "claude", "gemini-cli", "opencode"} }

// builtIn reads one of them.
func builtIn(name string) (Adapter, error) {
	data, err := built.ReadFile("adapters/" + name + ".toml")
	if err != nil {
		return Adapter{}, fmt.Errorf("read the adapter %s that moot is built with: %w", name, err)
	}
	return Read(name, name+".toml", data)
}

// Known returns the adapters that are built in and those of a folder, which may
// be "" or not there, in the order of built-in ones first. One of the folder
// takes the place of a built-in one of its name. A file that cannot be read as
// an adapter is told among the problems and left out; a built-in one of its name
// is then left out too, since the person wants another.
func Known(folder string) ([]Adapter, []config.Problem) {
	var known []Adapter
	var problems []config.Problem
	for _, name := range BuiltIn() {
		a, err := builtIn(name)
		if err != nil {
			problems = append(problems, problemsOf(name, err)...)
			continue
		}
		known = append(known, a)
	}
	own, wrong := readFolder(folder)
	for _, file := range own {
		at := slices.IndexFunc(known, func(a Adapter) bool { return a.Name == file.name })
		a, err := file.read()
		if err != nil {
			problems = append(problems, problemsOf(file.path, err)...)
			if at >= 0 {
				known = slices.Delete(known, at, at+1)
			}
			continue
		}
		if a.Replaces = at >= 0; a.Replaces {
			known[at] = a
		} else {
			known = append(known, a)
		}
	}
	return known, append(problems, wrong...)
}

// Names are those of the adapters.
func Names(known []Adapter) []string {
	names := make([]string, len(known))
	for i := range known {
		names[i] = known[i].Name
	}
	return names
}

// problemsOf are those of an error.
func problemsOf(file string, err error) []config.Problem {
	if several, ok := errors.AsType[config.Problems](err); ok {
		return several
	}
	return []config.Problem{{File: file, What: err.Error()}}
}

// ownFile is a file of the person's folder.
type ownFile struct{ name, path string }

// maxFiles is how many files of the folder are read.
const maxFiles = 100

// readFolder lists the files of a folder. Names of participants have no colon,
// no white space and no slash.
func readFolder(folder string) ([]ownFile, []config.Problem) {
	if folder == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []config.Problem{{File: folder, What: "cannot be read: " + reason(err)}}
	}
	var files []ownFile
	var problems []config.Problem
	for _, entry := range entries {
		name, isTOML := strings.CutSuffix(entry.Name(), ".toml")
		path := filepath.Join(folder, entry.Name())
		switch {
		case !isTOML || entry.IsDir() || strings.HasPrefix(name, "."):
		case len(files) == maxFiles:
			return files, append(problems, config.Problem{File: path, What: fmt.Sprintf("more than %d adapters; the rest is left out", maxFiles)})
		case !isName(name):
			problems = append(problems, config.Problem{File: path, What: fmt.Sprintf("%q cannot name a participant: use letters, digits, dots, dashes and underscores, beginning with a letter", plain.Line(name))})
		case slices.Contains(reserved(), name):
			problems = append(problems, config.Problem{File: path, What: name + " is the name of another kind of participant: rename the file"})
		default:
			files = append(files, ownFile{name, path})
		}
	}
	return files, problems
}

// reserved are names that participants of other kinds have.
func reserved() []string {
	names := []string{"rules", "me", "script", "exec", "http", "https"}
	// What is built in has no problems; a test reads it.
	presets, _ := endpoint.Presets()
	for i := range presets {
		names = append(names, presets[i].Name)
	}
	return names
}

// isName reports whether a participant's string may begin with it.
func isName(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789.-_", r)) {
			return false
		}
	}
	return name != ""
}

// read reads the file, as far as an adapter may be long.
func (f ownFile) read() (Adapter, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return Adapter{}, errors.New("cannot be read: " + reason(err))
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return Adapter{}, errors.New("is no file")
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err != nil {
		return Adapter{}, errors.New("cannot be read: " + reason(err))
	}
	a, err := Read(f.name, f.path, data)
	a.File = f.path
	return a, err
}

// reason is the error without the path, which is told before it.
func reason(err error) string {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		return inner.Err.Error()
	}
	return err.Error()
}
