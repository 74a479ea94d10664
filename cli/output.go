package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"moot/report"
	"moot/state"
)

// output is a form of the result.
type output string

// The forms.
const (
	outputText     output = "text"
	outputMarkdown output = "markdown"
	outputJSON     output = "json"
	// outputSVG is a picture, and a form of export alone.
	outputSVG output = "svg"
)

// outputs are the forms of a result.
func outputs() []output { return []output{outputText, outputMarkdown, outputJSON} }

// render writes a result in a form. Lines are the text of the events, for JSON
// that carries them.
func render(form output, s *state.State, rulings []state.Ruling, head string, lines []string, width int) (string, error) {
	switch form {
	case outputText:
		return report.Text(s, rulings, width), nil
	case outputMarkdown:
		return report.Markdown(s, rulings), nil
	case outputJSON:
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(report.Export(s, rulings, head, lines)); err != nil {
			return "", fmt.Errorf("write the session as JSON: %w", err)
		}
		return out.String(), nil
	case outputSVG:
	}
	return "", fmt.Errorf("no form %q", form)
}
