package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"moot/agent/doctor"
	"moot/internal/plain"
)

// toolTasks look for the programs that moot works with.
func (c *Console) toolTasks(where *doctor.Where) []doctor.Task {
	var tasks []doctor.Task
	for _, t := range []struct{ name, version, does, install string }{
		{"git", "--version", "permalinks and commits as evidence", "install git"},
		{"go", "version", "go build and go vet as evidence", "install Go from https://go.dev/dl"},
	} {
		run := func(ctx context.Context) []doctor.Check {
			check := where.Tool(ctx, t.name, []string{t.version})
			if check.Word != doctor.OK {
				check.Fix = t.install
				check.Found += " (for " + t.does + ")"
			}
			return []doctor.Check{check}
		}
		tasks = append(tasks, doctor.Task{Part: doctor.PartTools, Name: t.name, Limit: where.Limit, Run: run})
	}
	editor := func(context.Context) []doctor.Check { return []doctor.Check{c.editorCheck()} }
	return append(tasks, doctor.Task{Part: doctor.PartTools, Name: "editor", Run: editor})
}

// editorCheck finds the editor that cited places are opened in.
func (c *Console) editorCheck() doctor.Check {
	check := doctor.Check{Part: doctor.PartTools, Name: "editor"}
	table, err := readEditors()
	if err == nil {
		var words []string
		named := c.Getenv("VISUAL") != "" || c.Getenv("EDITOR") != ""
		if words, err = c.editor(&table); err == nil {
			var path string
			if path, err = c.lookPath(words[0]); err == nil {
				check.Word, check.Found = doctor.OK, plain.Line(path)
				return check
			}
			check.Configured = named
		}
		check.Fix = table.fix()
	}
	check.Word, check.Found = doctor.Missing, plain.Clip(plain.Line(err.Error()), mostTold)
	if check.Configured {
		check.Word = doctor.Broken
	}
	return check
}

// The least terminal that the screens are made for.
const leastColumns, leastRows = 40, 12

// terminalTask looks at the terminal.
func (c *Console) terminalTask() doctor.Task {
	return doctor.Task{Part: doctor.PartTerminal, Name: "terminal", Run: func(context.Context) []doctor.Check {
		check := c.terminalCheck()
		check.Part, check.Name = doctor.PartTerminal, "terminal"
		return []doctor.Check{check}
	}}
}

func (c *Console) terminalCheck() doctor.Check {
	switch {
	case !c.InTerminal || !c.OutTerminal:
		return doctor.Check{Word: doctor.Missing, Found: "standard input or output is no terminal: sessions run headless here"}
	case c.Getenv("TERM") == "dumb":
		return doctor.Check{Word: doctor.Missing, Found: "TERM is dumb: sessions run headless here", Fix: "moot ask --plain …"}
	}
	said := []string{colorsOf(c)}
	check := doctor.Check{Word: doctor.OK}
	if width, height, err := sizeOf(c.Out); err == nil {
		said = append([]string{fmt.Sprintf("%d x %d", width, height)}, said...)
		if width < leastColumns || height < leastRows {
			check.Word = doctor.Missing
			check.Fix = fmt.Sprintf("make the window %d x %d or larger", leastColumns, leastRows)
		}
	}
	if name := c.Getenv("TERM"); name != "" {
		said = append(said, plain.Clip(plain.Line(name), mostToldName))
	}
	check.Found = strings.Join(said, ", ")
	return check
}

// mostToldName bounds a name out of the environment, in characters.
const mostToldName = 40

// sizeOf is the size of the terminal that is written to.
func sizeOf(out io.Writer) (width, height int, err error) {
	file, ok := out.(interface{ Fd() uintptr })
	if !ok {
		return 0, 0, os.ErrInvalid
	}
	return term.GetSize(file.Fd())
}

// colorsOf says how many colors are used.
func colorsOf(c *Console) string {
	if c.Getenv("NO_COLOR") != "" {
		return "no colors (NO_COLOR is set)"
	}
	switch colorprofile.Env(c.Environ) {
	case colorprofile.TrueColor:
		return "all colors"
	case colorprofile.ANSI256:
		return "256 colors"
	case colorprofile.ANSI:
		return "16 colors"
	case colorprofile.ASCII, colorprofile.NoTTY, colorprofile.Unknown:
	}
	return "no colors"
}
