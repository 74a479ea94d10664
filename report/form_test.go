package report_test

import (
	"slices"
	"strings"
	"testing"

	"moot/protocol/protocoltest"
	"moot/report"
)

// Each form writes a session, and the files of two forms differ.
func TestEachFormWritesASession(t *testing.T) {
	s, rulings := sample(t)
	in := report.Input{
		State: s, Rulings: rulings, Head: "0f", ExitCode: 3, Lines: func() ([]string, error) { return []string{`{"seq":1}`}, nil },
		Background: "#ffffff", Ink: "#000000", Events: protocoltest.Dispute(t).Events,
	}
	seen := map[string]report.Form{}
	for _, c := range []struct {
		form                 report.Form
		extension, mediaType string
		says                 string
	}{
		{report.FormText, "txt", "text/plain", "\nNOT EVALUATED"},
		{report.FormMarkdown, "md", "text/markdown", "\n## NOT EVALUATED"},
		{report.FormJSON, "json", "application/json", `"exit_code": 3`},
		{report.FormJSONEvents, "json", "application/json", `"{\"seq\":1}"`},
		{report.FormComment, "md", "text/markdown", "decided by code"},
		{report.FormSVG, "svg", "image/svg+xml", "<svg"},
		{report.FormHTML, "html", "text/html", "<h2 id=\"h-claims\">Claims</h2>"},
	} {
		text, err := c.form.Write(in)
		if err != nil || !strings.Contains(text, c.says) {
			t.Errorf("%s does not say %q: %v\n%s", c.form, c.says, err, text)
		}
		if other, taken := seen[text]; taken {
			t.Errorf("%s is the same as %s", c.form, other)
		}
		seen[text] = c.form
		if c.form.Extension() != c.extension || c.form.MediaType() != c.mediaType {
			t.Errorf("%s is .%s, %s", c.form, c.form.Extension(), c.form.MediaType())
		}
	}
	if text, err := report.Form("pdf").Write(in); err == nil || text != "" {
		t.Errorf("an unknown form: %q, %v", text, err)
	}
}

// The metrics are in text and Markdown if they are asked for.
func TestMetricsAreAddedToAForm(t *testing.T) {
	s, rulings := sample(t)
	for _, form := range []report.Form{report.FormText, report.FormMarkdown} {
		for _, metrics := range []bool{false, true} {
			text, err := form.Write(report.Input{State: s, Rulings: rulings, Metrics: metrics})
			if err != nil || strings.Contains(text, "METRICS") != metrics {
				t.Errorf("%s, metrics %t: %v\n%s", form, metrics, err, text)
			}
		}
	}
}

// The screen offers forms of the table, each with an explanation.
func TestTheScreenOffersForms(t *testing.T) {
	var names []string
	for _, c := range report.Choices() {
		names = append(names, c.Shown())
		if c.Help == "" || report.Form(c.Value).Extension() == "" {
			t.Errorf("%+v", c)
		}
	}
	if want := []string{"markdown", "json", "json with events", "html", "svg map", "decision record"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}
