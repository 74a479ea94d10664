package redflag

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"moot/playbook"
)

// maxSource is the largest file of the workspace that is read, in bytes.
const maxSource = 1 << 20

// view is what is known of a file as the change leaves it.
type view struct {
	// lines are those of the whole file where that is known.
	lines []string
	whole bool
	// inPlace says that the workspace holds the file as the change leaves it.
	inPlace bool
	// some are the lines that the diff shows, by their numbers.
	some map[int]string
}

// at returns a line by its number, from 1.
func (v *view) at(n int) (string, bool) {
	if v.whole {
		if n < 1 || n > len(v.lines) {
			return "", false
		}
		return v.lines[n-1], true
	}
	text, known := v.some[n]
	return text, known
}

// look puts together what is known of a file: the workspace's, if the change is
// what made it so, else what the diff shows.
func look(file *File, workspace fs.FS) *view {
	v := &view{some: map[int]string{}}
	for i := range file.Hunks {
		for _, line := range file.Hunks[i].Lines {
			if line.New > 0 {
				v.some[line.New] = begun(line.Text)
			}
		}
	}
	if lines, ok := readLines(workspace, file.Path); ok && agrees(lines, v.some) {
		v.lines, v.whole, v.inPlace = lines, true, true
		return v
	}
	if file.Alteration == playbook.Added && len(file.Hunks) == 1 {
		for n := 1; n <= len(v.some); n++ {
			v.lines = append(v.lines, v.some[n])
		}
		v.whole = true
	}
	return v
}

func agrees(lines []string, shown map[int]string) bool {
	for n, text := range shown {
		if n > len(lines) || lines[n-1] != text {
			return false
		}
	}
	return true
}

// readLines reads a file of the workspace. It is not ok for one that is not
// there, too large, not regular, or outside.
func readLines(workspace fs.FS, name string) ([]string, bool) {
	if workspace == nil || !fs.ValidPath(name) || name == "." {
		return nil, false
	}
	info, err := fs.Stat(workspace, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil, false
	}
	file, err := workspace.Open(name)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSource+1))
	if err != nil || len(data) > maxSource {
		return nil, false
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i := range lines {
		lines[i] = begun(strings.TrimRight(lines[i], "\r"))
	}
	return lines, true
}

// exists reports whether the workspace holds a file that a glob matches. Only
// the folder of a glob without ** is looked into.
func exists(workspace fs.FS, glob string) bool {
	folder := path.Dir(glob)
	if workspace == nil || !fs.ValidPath(folder) || strings.ContainsAny(folder, "*?[{") {
		return false
	}
	entries, err := fs.ReadDir(workspace, folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool { return matches(glob, path.Join(folder, entry.Name())) })
}

// indent is how far a line is indented, a tab counting as four blanks; -1 for a
// blank line.
func indent(text string) int {
	width := 0
	for _, c := range text {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 4
		case '\r':
		default:
			return width
		}
	}
	return -1
}

// around finds the function that a line lies in, going up from it; "" where
// that cannot be told.
func (v *view) around(l *language, n int) (name string, line int) {
	text, known := v.at(n)
	if !known {
		return "", 0
	}
	width := indent(text)
	if width < 0 {
		width = 1 << 20
	}
	if name := l.declared(text); name != "" {
		return name, n
	}
	for n--; width > 0; n-- {
		text, known := v.at(n)
		if !known {
			return "", 0
		}
		at := indent(text)
		// The end of a list of parameters stands as far out as its function.
		if at < 0 || at >= width || strings.IndexByte(")]}{", text[len(text)-len(strings.TrimLeft(text, " \t"))]) >= 0 {
			continue
		}
		if name := l.declared(text); name != "" {
			return name, n
		}
		if l.Test.name(text) != "" {
			return "", 0
		}
		width = at
	}
	return "", 0
}
