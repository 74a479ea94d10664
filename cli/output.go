package cli

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/report"
	"moot/state"
	"moot/view"
)

// output is a form of a result.
type output string

// The forms.
const (
	outputText     output = "text"
	outputMarkdown output = "markdown"
	outputJSON     output = "json"
	// outputSVG is a form of export alone.
	outputSVG output = "svg"
	// outputComment is a comment for a pull request, a form of export alone.
	outputComment output = "pr"
)

// outputs returns the forms of a session's result.
func outputs() []output { return []output{outputText, outputMarkdown, outputJSON} }

// metricsFlag adds --metrics.
func metricsFlag(f *pflag.FlagSet, into *bool) {
	f.BoolVar(into, "metrics", false, "end the result with the metrics of the debate; JSON always has them")
}

// outputFlag adds --output with the forms that the command knows. The first is the default.
func outputFlag(cmd *cobra.Command, into *output, forms ...output) {
	*into = forms[0]
	help := fmt.Sprintf("the `form` of the result: %s (default %s)", strings.Join(enum.Words(forms), ", "), forms[0])
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.FuncP("output", "o", help, func(text string) (err error) {
			*into, err = enum.Parse("form of output", text, forms)
			return err
		})
	})
	completeWords(cmd, "output", enum.Words(forms)...)
}

// render renders a session's result, as text or Markdown with its metrics if they are wanted. The lines are the text of the events, for JSON that includes them.
func render(
	form output, s *state.State, rulings []state.Ruling, head string, lines []string, width int, metrics bool,
) (string, error) {
	if form == outputJSON {
		return indentedJSON(report.Export(s, rulings, head, lines))
	}
	if form == outputComment {
		return report.Comment(s, rulings), nil
	}
	d := view.Session(s, rulings)
	if metrics {
		d.Add(view.Metrics(s, rulings))
	}
	if form == outputMarkdown {
		return report.Markdown(&d), nil
	}
	return report.Text(&d, width), nil
}

// columns aligns the cells of rows.
func columns(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			widths = append(widths, make([]int, max(0, len(row)-len(widths)))...)
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		for j, cell := range row {
			lines[i] += cell + strings.Repeat(" ", widths[j]-ansi.StringWidth(cell)+2)
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
