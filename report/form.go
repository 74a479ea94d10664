package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"moot/adr"
	"moot/figure"
	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Form is a way to write a session. The command line, the screen and the MCP server offer the forms of one table.
type Form string

// The forms.
const (
	FormText     Form = "text"
	FormMarkdown Form = "markdown"
	FormJSON     Form = "json"
	// FormJSONEvents is FormJSON with the text of every event.
	FormJSONEvents Form = "json with events"
	// FormComment is a comment for a pull request.
	FormComment Form = "pr"
	// FormSARIF and FormRDJSON are the findings of a review, for code scanning and for reviewdog.
	FormSARIF  Form = "sarif"
	FormRDJSON Form = "rdjson"
	// FormSVG is the map of the argument.
	FormSVG Form = "svg"
	// FormADR is a decision record.
	FormADR Form = "adr"
	// FormCodexAsk is the state file of codex-ask.
	FormCodexAsk Form = "codex-ask"
	// FormHTML is a page for a browser, one file that needs nothing else.
	FormHTML Form = "html"
)

// form is a row of the table.
type form struct {
	name                 Form
	extension, mediaType string
	// label and help describe the form on the screen, which offers those with a help.
	label, help string
	write       func(*Input) (string, error)
}

// Input holds the session and what the forms need besides.
type Input struct {
	State   *state.State
	Rulings []state.Ruling
	// Metrics adds the metrics to text and Markdown.
	Metrics bool
	// Width is the width of text, or 0.
	Width int
	// UpdatedAt is the time of the last event.
	UpdatedAt time.Time
	// Head is the head of the chain, ExitCode the exit code of the command, in JSON.
	Head     string
	ExitCode protocol.ExitCode
	// Lines returns the events for FormJSONEvents.
	Lines func() ([]string, error)
	// Events holds the events of the session, for FormHTML.
	Events []state.Event
	// Background, Ink and Inks are the colors of FormSVG; see figure.Map.SVG.
	Background, Ink string
	Inks            map[string]string
}

func forms() []form {
	return []form{
		{
			FormText, "txt", "text/plain", "", "",
			func(in *Input) (string, error) { return Text(in.document(), in.Width), nil },
		},
		{
			FormMarkdown, "md", "text/markdown", "", "the result, to read",
			func(in *Input) (string, error) { return Markdown(in.document()), nil },
		},
		{
			FormJSON, "json", "application/json", "", "the result, for programs",
			func(in *Input) (string, error) { return in.json(nil) },
		},
		{FormJSONEvents, "json", "application/json", "", "with every event of the record", writeJSONEvents},
		{
			FormComment, "md", "text/markdown", "", "",
			func(in *Input) (string, error) { return Comment(in.State, in.Rulings), nil },
		},
		{FormSARIF, "sarif", "application/sarif+json", "", "", writeSARIF},
		{FormRDJSON, "rdjson", "application/json", "", "", writeRDJSON},
		{FormHTML, "html", "text/html", "", "a page to share, for any browser", writeHTML},
		{FormSVG, "svg", "image/svg+xml", "svg map", "the argument as a picture", writeSVG},
		{FormCodexAsk, "json", "application/json", "", "", writeCodexAsk},
		{
			FormADR, "md", "text/markdown", "decision record", "for docs/adr or the folder you name",
			func(in *Input) (string, error) {
				// Without the records of a folder; see adr.Write.
				return adr.Write(adr.Session{State: in.State, Rulings: in.Rulings, Head: in.Head}, &adr.Folder{Width: 4}, "").Text, nil
			},
		},
	}
}

func (f Form) row() form {
	all := forms()
	if i := slices.IndexFunc(all, func(r form) bool { return r.name == f }); i >= 0 {
		return all[i]
	}
	return form{write: func(*Input) (string, error) {
		return "", fmt.Errorf("unknown form of export %q; nothing was written", string(f))
	}}
}

// Extension returns the extension of its files, without a dot.
func (f Form) Extension() string { return f.row().extension }

// MediaType returns its media type.
func (f Form) MediaType() string { return f.row().mediaType }

// Write writes a session.
func (f Form) Write(in Input) (string, error) { return f.row().write(&in) }

// Choices returns the forms that the screen offers.
func Choices() []view.Choice {
	var list []view.Choice
	for _, f := range forms() {
		if f.help != "" {
			list = append(list, view.Choice{Value: string(f.name), Label: f.label, Help: f.help})
		}
	}
	return list
}

func (in *Input) document() *view.Document {
	d := view.Session(in.State, in.Rulings)
	if in.Metrics {
		d.Add(view.Metrics(in.State, in.Rulings))
	}
	return &d
}

func (in *Input) json(lines []string) (string, error) {
	exported := Export(in.State, in.Rulings, in.Head, lines)
	exported.Session.ExitCode = in.ExitCode
	return JSON(exported)
}

func writeJSONEvents(in *Input) (string, error) {
	lines, err := in.Lines()
	if err != nil {
		return "", err
	}
	return in.json(lines)
}

// writeSVG draws the map. A map without points is an error.
func writeSVG(in *Input) (string, error) {
	if in.State.Points.Len() == 0 {
		return "", fmt.Errorf("session %s has no points yet: there is no map to draw", in.State.ID)
	}
	// The width in cells, legible on a page.
	const width = 90
	return figure.New(in.State, in.Rulings, ansi.GraphemeWidth, false).SVG(width, in.Background, in.Ink, in.Inks), nil
}

// JSON writes a value as indented JSON in which control characters are escaped.
func JSON(v any) (string, error) {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return "", fmt.Errorf("write the result as JSON: %w", err)
	}
	return plain.JSON(out.String()), nil
}
