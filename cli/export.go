package cli

import (
	"context"
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
	"moot/state/store"
)

// drawing is the content of an SVG.
type drawing string

// The drawings.
const (
	drawingMap        drawing = "map"
	drawingConfidence drawing = "confidence"
)

// exportForm is the form of an export.
type exportForm struct {
	output output
	// events adds the text of every event to JSON.
	events bool
	// drawing and dark are for SVG.
	drawing drawing
	dark    bool
}

// exportOptions are the flags of moot export.
type exportOptions struct {
	console     *Console
	as, drawing string
	events      bool
	dark        bool
	file        string
	copied      bool
}

func newExport(c *Console) *cobra.Command {
	o := &exportOptions{console: c}
	cmd := &cobra.Command{
		Use:               "export",
		Args:              atMostOne("session"),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.as != string(outputSVG) && cmd.Flags().Changed("figure") {
				return usage("--figure is for --as svg")
			}
			return o.run(cmd.Context(), firstOf(args))
		},
	}
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringVar(&o.as, "as", "", "the form: "+strings.Join(enum.Words(exportForms()), ", "))
		f.BoolVar(&o.events, "events", false, "include the text of every event (json)")
		f.StringVar(&o.drawing, "figure", string(drawingMap), "the drawing: map or confidence (svg)")
		f.BoolVar(&o.dark, "dark", false, "light on dark (svg)")
		f.StringVarP(&o.file, "file", "f", "", "the file or folder to write to; an existing file is kept, and the new "+
			"one gets a number")
		f.BoolVar(&o.copied, "copy", false, "copy it to the clipboard instead of printing it")
	})
	completeWords(cmd, "as", enum.Words(exportForms())...)
	completeWords(cmd, "figure", string(drawingMap), string(drawingConfidence))
	return cmd
}

// exportForms are the forms of export.
func exportForms() []output { return []output{outputJSON, outputMarkdown, outputComment, outputSVG} }

func (o *exportOptions) run(ctx context.Context, id string) error {
	form, err := o.parse()
	if err != nil {
		return err
	}
	s, err := read(o.console, id)
	if err != nil {
		return err
	}
	if o.file != "" {
		path, err := o.console.exportTo(o.file, form, s)
		if err == nil {
			o.console.Say("wrote      %s", path)
		}
		return err
	}
	text, err := form.render(s)
	if err != nil {
		return err
	}
	if !o.copied {
		return o.console.Print(text)
	}
	how, err := o.console.copyText(ctx, text)
	if err != nil && o.console.ErrTerminal {
		// Many terminals take it themselves (OSC 52).
		how = "the clipboard by way of the terminal"
		_, err = io.WriteString(o.console.Err, ansi.SetSystemClipboard(text))
	}
	if err == nil {
		o.console.Say("copied     to %s", how)
	}
	return err
}

// parse checks the flags.
func (o *exportOptions) parse() (exportForm, error) {
	form := exportForm{events: o.events, dark: o.dark}
	if o.as == "" {
		return form, usage("--as is missing: %s; for example: moot export ID --as json",
			strings.Join(enum.Words(exportForms()), ", "))
	}
	var err error
	if form.output, err = oneOf("form of export", o.as, exportForms()); err != nil {
		return form, err
	}
	if form.drawing, err = oneOf("figure", o.drawing, []drawing{drawingMap, drawingConfidence}); err != nil {
		return form, err
	}
	switch {
	case o.events && form.output != outputJSON:
		return form, usage("--events is for --as json")
	case o.copied && o.file != "":
		return form, usage("--copy and --file exclude each other")
	case o.dark && form.output != outputSVG:
		return form, usage("--dark is for --as svg")
	}
	return form, nil
}

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
		return render(f.output, &s.state, s.rulings, s.head, lines, 0, false)
	}
	style := figure.SVGStyle{Dark: f.dark}
	if f.drawing == drawingMap {
		// The width in cells: wide enough for two columns, and still legible on a page.
		const width = 120
		if s.state.Points.Len() == 0 {
			return "", fmt.Errorf("session %s has no points yet: there is no map to draw", s.state.ID)
		}
		return figure.Map(&s.state, s.rulings, figure.MapOptions{Width: width}).SVG(style), nil
	}
	chart := figure.Confidence(&s.state, "")
	if why := chart.Empty(); why != "" {
		return "", fmt.Errorf("there is nothing to draw for session %s: %s", s.state.ID, why)
	}
	return chart.SVG(style), nil
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
	return writeNew(path, text)
}

func writeNew(path, text string) (string, error) {
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
