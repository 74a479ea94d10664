package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/figure"
	"moot/internal/enum"
	"moot/protocol"
	"moot/state/store"
	"moot/tui/theme"
)

// exportForm is the form of an export.
type exportForm struct {
	output output
	// events adds the text of every event to JSON.
	events bool
	// dark is for SVG.
	dark bool
}

func newExport(c *Console) *cobra.Command {
	var form exportForm
	var file string
	cmd := &cobra.Command{
		Use:               "export",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case form.output == "":
				return usage("--as is missing; it takes one of %s, as in moot export --as markdown",
					strings.Join(enum.Words(exportForms()), ", "))
			case form.events && form.output != outputJSON:
				return usage("--events is for --as json")
			case form.dark && form.output != outputSVG:
				return usage("--dark is for --as svg")
			}
			s, err := read(c, firstOf(args))
			if err != nil {
				return err
			}
			if file != "" {
				path, err := c.exportTo(file, form, s)
				if err == nil {
					c.Say("wrote      %s", path)
				}
				return err
			}
			text, err := form.render(s)
			if err != nil {
				return err
			}
			return c.Print(text)
		},
	}
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.Func("as", "the `form`: "+strings.Join(enum.Words(exportForms()), ", "), func(text string) (err error) {
			form.output, err = enum.Parse("form of export", text, exportForms())
			return err
		})
		f.BoolVar(&form.events, "events", false, "include the text of every event (json)")
		f.BoolVar(&form.dark, "dark", false, "light on dark (svg)")
		f.StringVarP(&file, "file", "f", "", "the file or folder to write to; an existing file is kept, and the new "+
			"one gets a number")
	})
	completeWords(cmd, "as", enum.Words(exportForms())...)
	return cmd
}

// exportForms are the forms of export.
func exportForms() []output { return []output{outputJSON, outputMarkdown, outputComment, outputSVG} }

// render renders the export. A drawing without content is an error.
func (f exportForm) render(s *stored) (string, error) {
	if f.output != outputSVG {
		var lines []string
		if f.events {
			var err error
			if lines, err = store.Lines(s.path); err != nil {
				return "", err
			}
		}
		return render(f.output, s.state, s.rulings, s.head, lines, 0, false, protocol.SessionExitCode(s.state, false))
	}
	if s.state.Points.Len() == 0 {
		return "", fmt.Errorf("session %s has no points yet: there is no map to draw", s.state.ID)
	}
	// The width in cells, legible on a page.
	const width = 90
	m := figure.New(s.state, s.rulings, ansi.GraphemeWidth, false)
	if f.dark {
		return m.SVG(width, "#16181d", "#e4e6ea", theme.Inks("dark")), nil
	}
	return m.SVG(width, "#ffffff", "#1d2026", theme.Inks("light")), nil
}

// exportTo writes a session to a new file and returns its path. The target is a file or a folder; "" is the current
// folder. In a folder, the file is named moot-ID.json, .md or .svg.
func (c *Console) exportTo(target string, form exportForm, s *stored) (string, error) {
	text, err := form.render(s)
	if err != nil {
		return "", err
	}
	path := c.path(target)
	info, err := os.Stat(path)
	isFolder := err == nil && info.IsDir()
	if !isFolder && target != "" && os.IsPathSeparator(target[len(target)-1]) {
		return "", usage("there is no folder %s; create it, or name a file", target)
	}
	if isFolder {
		extension := string(form.output)
		if form.output == outputMarkdown || form.output == outputComment {
			extension = "md"
		}
		path = filepath.Join(path, "moot-"+s.id()+"."+extension)
	}
	return writeNewFile(path, func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	})
}

// writeNewFile creates a file and returns its path. If the name is taken, it adds -2, -3 and so on to it. The file
// appears with its complete content or not at all, and only its owner can read it.
func writeNewFile(path string, write func(io.Writer) error) (written string, err error) {
	draft, err := os.CreateTemp(filepath.Dir(path), ".moot-*")
	if errors.Is(err, fs.ErrNotExist) {
		return "", usage("there is no folder %s; create it, or name another one", filepath.Dir(path))
	}
	if err == nil {
		if err = write(draft); err == nil {
			err = draft.Sync()
		}
		if err = errors.Join(err, draft.Close()); err == nil {
			written, err = rename(draft.Name(), path)
		}
		if removed := os.Remove(draft.Name()); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	if err != nil {
		return "", fmt.Errorf("write %s: %w; nothing was written", path, err)
	}
	return written, nil
}

// rename moves a draft to the first free name.
func rename(draft, path string) (string, error) {
	const maxTries = 1000
	extension := filepath.Ext(path)
	stem := strings.TrimSuffix(path, extension)
	for n := 1; n <= maxTries; n++ {
		if n > 1 {
			path = stem + "-" + strconv.Itoa(n) + extension
		}
		// A link never replaces another file.
		err := os.Link(draft, path)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			// Some file systems have no links: claim the name, then replace the empty file.
			var claim *os.File
			if claim, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				err = errors.Join(claim.Close(), os.Rename(draft, path))
			}
		}
		if !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return "", fmt.Errorf("%d files with that name exist already; choose another name", maxTries)
}
