package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"moot/lab/measure"
	"moot/lab/results"
)

func newLabReport(c *Console) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report FILE... --out PAGE",
		Short: "Make one page of HTML out of results",
		Long: "Make one page of HTML, with tables and pictures, from files that moot lab run --json wrote.\n" +
			"The page is self-contained: no script and no network. - reads standard input.",
		Example: "  moot lab run --json results.json\n  moot lab report results.json --out results.html",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("the file of results is missing; for example: moot lab report results.json --out page.html")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return reportLab(c, args, out) },
	}
	cmd.Flags().StringVar(&out, "out", "", "the page to write; without it the page goes to standard output")
	return cmd
}

func reportLab(c *Console, names []string, out string) error {
	var files []results.File
	for _, name := range names {
		d, err := readResults(c, name)
		if err != nil {
			return fmt.Errorf("%s: %w; no page was written", name, err)
		}
		files = append(files, results.File{Name: name, Document: d})
	}
	page, err := results.Page(files)
	if err != nil {
		return err
	}
	if out == "" {
		return c.Print(page)
	}
	path, err := writeNew(c.path(out), page)
	if err != nil {
		return err
	}
	c.Say("written    %s", path)
	return nil
}

// mostResults is how large a file of results may be, in bytes.
const mostResults = 1 << 30

// readResults reads a file of results; - is standard input.
func readResults(c *Console, name string) (measure.Document, error) {
	from := c.In
	if name != "-" {
		file, err := os.Open(c.path(name))
		if errors.Is(err, fs.ErrNotExist) {
			return measure.Document{}, usage("there is no such file")
		}
		if err != nil {
			return measure.Document{}, err
		}
		defer file.Close()
		from = file
	}
	return measure.Read(io.LimitReader(bufio.NewReader(from), mostResults))
}
