package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/natefinch/atomic"
	"github.com/spf13/cobra"

	"moot/figure"
	"moot/internal/enum"
	"moot/state/store"
)

// drawing is what an SVG shows.
type drawing string

// The drawings.
const (
	drawingMap        drawing = "map"
	drawingConfidence drawing = "confidence"
)

func drawings() []drawing {
	return []drawing{drawingMap, drawingConfidence}
}

// leaving is how a session is exported.
type leaving struct {
	form output
	// events adds the text of every event to JSON.
	events bool
	// drawing and dark are for SVG.
	drawing drawing
	dark    bool
}

// exportOptions are what moot export was told.
type exportOptions struct {
	console     *Console
	as, drawing string
	events      bool
	dark        bool
	// file is replaced, to is not.
	file, to string
}

func newExport(c *Console) *cobra.Command {
	o := &exportOptions{console: c}
	cmd := &cobra.Command{
		Use:   "export --as FORM [flags] [ID]",
		Short: "Write a session as JSON, Markdown or a picture, the newest without ID",
		Long: "Write a session to standard output, or whole or not at all to a file.\n" +
			"The JSON carries the head of the chain; keep it to find lines that are cut off later.",
		Example: "  moot export 20261121-153045-k3f9 --as json -o session.json\n" +
			"  moot export 20261121-153045-k3f9 --as json --events > whole.json\n" +
			"  moot export 20261121-153045-k3f9 --as markdown --to notes/\n" +
			"  moot export 20261121-153045-k3f9 --as svg --figure confidence --dark --to .",
		Args: atMostOne("session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.as != string(outputSVG) && cmd.Flags().Changed("figure") {
				return usage("--figure goes with --as svg")
			}
			return o.run(firstOf(args))
		},
	}
	cmd.Flags().StringVar(&o.as, "as", "", "the form: json, markdown, svg")
	cmd.Flags().BoolVar(&o.events, "events", false, "with the text of every event (json)")
	cmd.Flags().StringVar(&o.drawing, "figure", string(drawingMap), "what is drawn: map or confidence (svg)")
	cmd.Flags().BoolVar(&o.dark, "dark", false, "light on dark (svg)")
	cmd.Flags().StringVarP(&o.file, "file", "o", "", "the file to write, replaced if it is there")
	cmd.Flags().StringVar(&o.to, "to", "", "the file or folder to write to; what is there stays, and the new one\ngets a number")
	return cmd
}

func (o *exportOptions) run(id string) error {
	how, err := o.leaving()
	if err != nil {
		return err
	}
	s, err := read(id)
	if err != nil {
		return err
	}
	if o.to != "" {
		path, err := o.console.exportTo(o.to, how, s)
		if err != nil {
			return err
		}
		o.console.Say("wrote      %s", path)
		return nil
	}
	text, err := how.text(s)
	if err != nil {
		return err
	}
	if o.file == "" {
		return o.console.Print(text)
	}
	if err := atomic.WriteFile(o.console.path(o.file), strings.NewReader(text)); err != nil {
		return fmt.Errorf("write %s: %w; a file that was there is as it was", o.file, err)
	}
	o.console.Say("wrote      %s, %d bytes", o.file, len(text))
	return nil
}

// leaving reads the flags, and refuses those of another form.
func (o *exportOptions) leaving() (leaving, error) {
	how := leaving{events: o.events, dark: o.dark}
	if o.as == "" {
		return how, usage("--as is missing: json, markdown or svg; for example: moot export ID --as json")
	}
	var err error
	if how.form, err = oneOf("form of export", o.as, []output{outputJSON, outputMarkdown, outputSVG}); err != nil {
		return how, err
	}
	if o.drawing == "buckets" || o.drawing == "cost" {
		return how, usage("--figure %s was removed: the tables of --as markdown and the metrics of --as json hold its numbers", o.drawing)
	}
	if how.drawing, err = oneOf("figure", o.drawing, drawings()); err != nil {
		return how, err
	}
	switch {
	case o.events && how.form != outputJSON:
		return how, usage("--events goes with --as json")
	case o.dark && how.form != outputSVG:
		return how, usage("--dark goes with --as svg")
	case o.file != "" && o.to != "":
		return how, usage("--file replaces what is there and --to does not: choose one")
	}
	return how, nil
}

// oneOf reads a word of a closed list.
func oneOf[T ~string](what, text string, known []T) (T, error) {
	word, err := enum.Parse(what, text, known)
	var unknown *enum.UnknownError
	if errors.As(err, &unknown) {
		return word, usage("%w", unknown)
	}
	return word, err
}

// text is the whole export.
func (l leaving) text(s *stored) (string, error) {
	if l.form == outputSVG {
		return l.draw(s)
	}
	var lines []string
	if l.events {
		var err error
		if lines, err = store.Lines(s.path); err != nil {
			return "", err
		}
	}
	return render(l.form, &s.state, s.rulings, s.head, lines, 0)
}

// mapWidth is that of an exported map in cells: wide enough for two columns of
// text, and still legible on a page.
const mapWidth = 120

// draw makes the picture. What has nothing to show is an error, not an empty
// file.
func (l leaving) draw(s *stored) (string, error) {
	style := figure.SVGStyle{Dark: l.dark}
	var chart *figure.Chart
	switch l.drawing {
	case drawingMap:
		if s.state.Points.Len() == 0 {
			return "", fmt.Errorf("session %s has no point yet: there is no map to draw", s.state.ID)
		}
		return figure.Map(&s.state, s.rulings, figure.MapOptions{Width: mapWidth}).SVG(style), nil
	case drawingConfidence:
		chart = figure.Confidence(&s.state, "")
	}
	if why := chart.Empty(); why != "" {
		return "", fmt.Errorf("there is nothing to draw of session %s: %s", s.state.ID, why)
	}
	return chart.SVG(style), nil
}

// ending is that of the form's files.
func (l leaving) ending() string {
	if l.form == outputMarkdown {
		return "md"
	}
	return string(l.form)
}
