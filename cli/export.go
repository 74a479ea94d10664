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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/protocol"
	"moot/report"
	"moot/state/store"
	"moot/tui/theme"
)

func newExport(c *Console) *cobra.Command {
	var form report.Form
	var events, dark bool
	var file string
	cmd := &cobra.Command{
		Use:               "export",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case form == "":
				return usage("--as is missing; it takes one of %s, as in moot export --as markdown",
					strings.Join(enum.Words(exportForms()), ", "))
			case events && form != report.FormJSON:
				return usage("--events is for --as json")
			case dark && form != report.FormSVG:
				return usage("--dark is for --as svg")
			case events:
				form = report.FormJSONEvents
			}
			s, err := read(c, firstOf(args))
			if err != nil {
				return err
			}
			if file != "" {
				path, err := c.exportTo(file, form, dark, s)
				if err == nil {
					c.Say("wrote      %s", path)
				}
				return err
			}
			text, err := s.exported(form, dark)
			if err != nil {
				return err
			}
			return c.Print(text)
		},
	}
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.Func("as", "the `form`: "+strings.Join(enum.Words(exportForms()), ", "), func(text string) (err error) {
			form, err = enum.Parse("form of export", text, exportForms())
			return err
		})
		f.BoolVar(&events, "events", false, "include the text of every event (json)")
		f.BoolVar(&dark, "dark", false, "light on dark (svg)")
		f.StringVarP(&file, "file", "f", "", "the file or folder to write to; an existing file is kept, and the new "+
			"one gets a number")
	})
	completeWords(cmd, "as", enum.Words(exportForms())...)
	return cmd
}

// exportForms are the forms of export.
func exportForms() []report.Form {
	return []report.Form{
		report.FormJSON, report.FormMarkdown, report.FormComment, report.FormSARIF, report.FormRDJSON, report.FormSVG,
	}
}

// exported writes a session in a form. With dark, a map is light on dark.
func (s *stored) exported(form report.Form, dark bool) (string, error) {
	in := report.Input{
		State: s.state, Rulings: s.rulings, Head: s.head, ExitCode: protocol.SessionExitCode(s.state, false),
		Lines:      func() ([]string, error) { return store.Lines(s.path) },
		Background: "#ffffff", Ink: "#1d2026", Inks: theme.Inks("light"),
	}
	if dark {
		in.Background, in.Ink, in.Inks = "#16181d", "#e4e6ea", theme.Inks("dark")
	}
	text, err := form.Write(in)
	if errors.Is(err, report.ErrNoReview) {
		err = usage("%w", err)
	}
	return text, err
}

// exportTo writes a session to a new file and returns its path. The target is a file or a folder; "" is the current
// folder. In a folder, the file is named moot-ID.json, .md or .svg.
func (c *Console) exportTo(target string, form report.Form, dark bool, s *stored) (string, error) {
	text, err := s.exported(form, dark)
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
		path = filepath.Join(path, "moot-"+s.id()+"."+form.Extension())
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
