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

	"moot/adr"
	"moot/internal/enum"
	"moot/internal/plain"
	"moot/protocol"
	"moot/report"
	"moot/state"
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
				path, notes, err := c.exportTo(file, form, dark, s)
				c.sayAll(notes)
				if err == nil {
					c.Say("wrote      %s", path)
				}
				return err
			}
			if form == report.FormADR {
				record, notes, err := c.decisionRecord(s, adr.Find(s.top(c)), "")
				if err != nil {
					return err
				}
				c.sayAll(notes)
				return c.Print(record.Text)
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
		report.FormHTML, report.FormJSON, report.FormMarkdown, report.FormComment, report.FormSARIF, report.FormRDJSON,
		report.FormSVG, report.FormADR, report.FormCodexAsk,
	}
}

// exported writes a session in a form. With dark, a map is light on dark.
func (s *stored) exported(form report.Form, dark bool) (string, error) {
	in := report.Input{
		UpdatedAt: s.events[len(s.events)-1].At,
		State:     s.state, Rulings: s.rulings, Head: s.head, ExitCode: protocol.SessionExitCode(s.state, false),
		Lines: func() ([]string, error) { return store.Lines(s.path) }, Events: s.events,
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

// exportTo writes a session to a new file and returns its path, with notes for the user. The target is a file or a
// folder; "" is the current folder, or for a decision record the folder of records. In a folder, the file is named
// moot-ID.json, .md or .svg, and a decision record by its number and title.
func (c *Console) exportTo(target string, form report.Form, dark bool, s *stored) (path string, notes []string, err error) {
	if form == report.FormADR && target == "" {
		target = adr.Find(s.top(c))
	}
	path = c.path(target)
	if form == report.FormADR && target != "" && !strings.EqualFold(filepath.Ext(path), ".md") {
		// The first record of a repository makes its folder.
		if err := os.MkdirAll(path, 0o755); err != nil { //nolint:gosec // a folder of a repository, like those around it
			return "", nil, fmt.Errorf("create the folder of decision records: %w", err)
		}
	}
	info, err := os.Stat(path)
	isFolder := err == nil && info.IsDir()
	if !isFolder && target != "" && os.IsPathSeparator(target[len(target)-1]) {
		return "", nil, usage("there is no folder %s; create it, or name a file", target)
	}
	var text string
	name := "moot-" + s.id() + "." + form.Extension()
	if form == report.FormADR {
		dir, file := path, ""
		if !isFolder {
			dir, file = filepath.Dir(path), filepath.Base(freeName(path))
		}
		var record adr.Written
		record, notes, err = c.decisionRecord(s, dir, file)
		text, name = record.Text, record.Name
	} else {
		text, err = s.exported(form, dark)
	}
	if err != nil {
		return "", nil, err
	}
	if isFolder {
		path = filepath.Join(path, name)
	}
	path, err = writeNewFile(path, func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	})
	return path, notes, err
}

func (c *Console) sayAll(notes []string) {
	for _, note := range notes {
		c.Say("%s", note)
	}
}

// top is the folder of the repository that the session is about, or its workspace, or the current folder.
func (s *stored) top(c *Console) string {
	workspace := s.state.Settings.Workspace
	if checkFolder(workspace) != nil {
		workspace = c.Dir
	}
	return placesOf(workspace)[0]
}

// decisionRecord writes the decision record of a session for a folder of records, or for none if dir is "". The notes
// say how it relates to the existing records. file is the name of its file, or "" for its number and title.
func (c *Console) decisionRecord(s *stored, dir, file string) (record adr.Written, notes []string, err error) {
	folder := adr.Folder{Width: 4}
	if dir != "" {
		if folder, err = adr.Read(dir); err != nil {
			return record, nil, err
		}
	}
	in := adr.Session{State: s.state, Rulings: s.rulings, Head: s.head, Quotes: map[string]string{}, File: file}
	for _, e := range s.events {
		if offered, is := e.Data.(*state.EvidenceOffered); is {
			in.Quotes[offered.ID] = offered.Quote
		}
	}
	in.Shown = adr.Prefix(placesOf(realPath(dir))[0], realPath(dir))
	record = adr.Write(in, &folder, adr.Prefix(realPath(s.state.Settings.Workspace), realPath(dir)))
	// The record goes to a repository: what became a secret since is taken out, too.
	if _, redactor, err := c.shared(); err != nil {
		return record, nil, err
	} else if !s.state.Settings.NoRedact {
		record.Text, _ = redactor.Text(record.Text)
	}
	if dir == "" {
		return record, []string{"records    there is no folder of decision records: nothing was compared"}, nil
	}
	notes = []string{"records    compared with " + plain.Counted(len(folder.Records), "record") + " in " + dir}
	for _, r := range record.Relations {
		notes = append(notes, fmt.Sprintf("record     %s %s, %s: %s", r.Kind, r.Name,
			plain.Line(clip(r.Record.Title)), plain.Line(r.Reason)))
		if r.Kind == adr.Supersedes {
			notes = append(notes, fmt.Sprintf("note       %s was left as it is: set its status to superseded once people accept the new one",
				r.Name))
		}
	}
	for _, note := range record.Notes {
		notes = append(notes, "note       "+note)
	}
	return record, notes, nil
}

// realPath returns a path without symbolic links, or as it is if it does not exist.
func realPath(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
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

// maxNames is how many names are tried for a new file.
const maxNames = 1000

// numbered returns the name that is tried n-th for a new file: path, then path with -2, -3 and so on.
func numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	extension := filepath.Ext(path)
	return strings.TrimSuffix(path, extension) + "-" + strconv.Itoa(n) + extension
}

// freeName returns the name that a new file would get now.
func freeName(path string) string {
	for n := 1; n <= maxNames; n++ {
		if _, err := os.Lstat(numbered(path, n)); errors.Is(err, fs.ErrNotExist) {
			return numbered(path, n)
		}
	}
	return path
}

// rename moves a draft to the first free name.
func rename(draft, path string) (string, error) {
	base := path
	for n := 1; n <= maxNames; n++ {
		path = numbered(base, n)
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
	return "", fmt.Errorf("%d files with that name exist already; choose another name", maxNames)
}
