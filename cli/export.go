package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/natefinch/atomic"
	"github.com/spf13/cobra"

	"moot/enum"
	"moot/state/store"
)

// exportOptions are what moot export was told.
type exportOptions struct {
	console *Console
	as      string
	events  bool
	file    string
}

func newExport(c *Console) *cobra.Command {
	o := &exportOptions{console: c}
	cmd := &cobra.Command{
		Use:   "export --as FORM [--events] [-o FILE] [ID]",
		Short: "Write a session as JSON or Markdown, the newest without ID",
		Long: "Write a session to standard output, or whole or not at all to a file.\n" +
			"The JSON carries the head of the chain; keep it to find lines that are cut off later.",
		Example: "  moot export 20261121-153045-k3f9 --as json -o session.json\n" +
			"  moot export 20261121-153045-k3f9 --as json --events > whole.json\n" +
			"  moot export 20261121-153045-k3f9 --as markdown",
		Args: atMostOne("session"),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(firstOf(args)) },
	}
	cmd.Flags().StringVar(&o.as, "as", "", "the form: json, markdown")
	cmd.Flags().BoolVar(&o.events, "events", false, "with the text of every event (json)")
	cmd.Flags().StringVarP(&o.file, "file", "o", "", "the file to write, replaced if it is there")
	return cmd
}

// laterForms are the exports that come in a later release.
func laterForms() []string {
	return []string{"html", "adr", "argdown", "aif", "mermaid", "dot", "codex-ask"}
}

func (o *exportOptions) run(id string) error {
	form, err := o.form()
	if err != nil {
		return err
	}
	s, err := read(id)
	if err != nil {
		return err
	}
	var lines []string
	if o.events {
		if lines, err = store.Lines(s.path); err != nil {
			return err
		}
	}
	text, err := render(form, &s.state, s.rulings, s.head, lines, 0)
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

// form reads --as.
func (o *exportOptions) form() (output, error) {
	if o.as == "" {
		return "", usage("--as is missing: json or markdown; for example: moot export ID --as json")
	}
	for _, f := range laterForms() {
		if o.as == f {
			return "", usage("--as %s comes in a later release; this one writes json and markdown", f)
		}
	}
	form, err := enum.Parse("form of export", o.as, []output{outputJSON, outputMarkdown})
	var unknown *enum.UnknownError
	if errors.As(err, &unknown) {
		return "", usage("%w", unknown)
	}
	if o.events && form != outputJSON {
		return "", usage("--events goes with --as json")
	}
	return form, nil
}
