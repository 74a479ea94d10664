package cli

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/pflag"

	"moot/figure"
	"moot/internal/plain"
	"moot/lab/measure"
	"moot/lab/results"
)

// labOutput is where results of the lab go, and how they are drawn.
type labOutput struct {
	json, tables, pictures string
	ascii                  bool
}

// How many tables and pictures stand in the terminal.
const (
	showFew  = "few"
	showAll  = "all"
	showNone = "none"
)

// flags takes what o has for what is shown without them.
func (o *labOutput) flags(f *pflag.FlagSet) {
	f.StringVar(&o.json, "json", "", "also write the results to this file, for moot lab report; - prints them in\nplace of the tables")
	f.StringVar(&o.tables, "tables", o.tables, "few (right verdicts, also by tier, and what came out) or all")
	f.StringVar(&o.pictures, "pictures", o.pictures, "few, all (also by tier, and what goes on behind a gate) or none")
	f.BoolVar(&o.ascii, "ascii", false, "draw with signs of ASCII alone")
}

// check refuses a word that names no tables or pictures, before anything is done.
func (o *labOutput) check() error {
	if _, err := oneOf("choice of tables", o.tables, []string{showFew, showAll}); err != nil {
		return err
	}
	_, err := oneOf("choice of pictures", o.pictures, []string{showFew, showAll, showNone})
	return err
}

// show prints results: what is stated, the tables and the pictures; or the JSON.
func (o *labOutput) show(c *Console, d *measure.Document) error {
	var file bytes.Buffer
	if o.json != "" {
		if err := d.Write(&file); err != nil {
			return err
		}
	}
	if o.json == "-" {
		return c.Print(file.String())
	}
	if err := c.Print(o.text(c, d)); err != nil {
		return err
	}
	switch {
	case o.tables == showFew && o.pictures == showNone:
		c.Say("note       --tables all tells more, and --pictures few draws it")
	case o.tables == showFew:
		c.Say("note       --tables all tells more")
	}
	if o.json == "" {
		return nil
	}
	path, err := writeNew(c.path(o.json), file.String())
	if err != nil {
		return err
	}
	c.Say("written    %s", path)
	return nil
}

// The sizes of a picture in cells: as wide as the terminal, and high enough for its
// plots, which stand in two columns where there is room for them.
const (
	usualWidth = 100
	plotRows   = 12
	headRows   = 5
	twoColumns = 60
)

func (o *labOutput) text(c *Console, d *measure.Document) string {
	text := o.drawn(c, d)
	if o.ascii {
		text = strings.ReplaceAll(text, "±", "+-")
	}
	return text
}

// drawn is the text with all signs.
func (o *labOutput) drawn(c *Console, d *measure.Document) string {
	var out strings.Builder
	write := func(lines ...string) {
		for _, line := range lines {
			out.WriteString(line + "\n")
		}
	}
	write(plain.Line(d.Title))
	if broken := results.Broken(d); broken != "" {
		write(broken)
	}
	for _, line := range d.Stated {
		write(wrapped(plain.Line(line), c.Width)...)
	}
	for _, t := range results.Tables(d) {
		if !t.Long && (t.Chief || o.tables == showAll) {
			write("", strings.TrimSuffix(t.Text(c.Width), "\n"))
		}
	}
	width := usualWidth
	if c.Width > 0 {
		width = c.Width
	}
	if o.pictures == showNone {
		return out.String()
	}
	for _, chart := range results.Charts(d, "lab", o.pictures == showAll) {
		rows := chart.Plots()
		if width >= twoColumns {
			rows = (rows + 1) / 2
		}
		write("")
		for _, row := range chart.Draw(width, headRows+rows*plotRows, o.ascii, nil) {
			write(strings.TrimRight(c.colored(row), " "))
		}
	}
	return out.String()
}

// wrapped breaks a line at its words, those behind the first indented; 0 is no limit.
func wrapped(line string, width int) []string {
	const indent = "  "
	if width <= len(indent) {
		return []string{"- " + line}
	}
	return strings.Split("- "+strings.ReplaceAll(ansi.Wordwrap(line, width-len(indent), ""), "\n", "\n"+indent), "\n")
}

// colored is a row of a picture, in color where standard output has some. What a color
// says, a sign says as well.
func (c *Console) colored(row figure.Row) string {
	plainly := !c.OutTerminal || colorprofile.Env(c.Environ) <= colorprofile.ASCII
	var out strings.Builder
	for _, run := range row {
		style, has := styleOf(run.Role)
		if plainly || !has || strings.TrimSpace(run.Text) == "" {
			out.WriteString(run.Text)
			continue
		}
		out.WriteString(style.Styled(run.Text))
	}
	return out.String()
}

// styleOf is how a role looks in the sixteen colors, which the terminal chooses.
func styleOf(r figure.Role) (ansi.Style, bool) {
	style := ansi.NewStyle()
	switch r {
	case figure.RoleBold, figure.RoleSelected:
		return style.Bold(), true
	case figure.RoleFaint, figure.RoleBorder, figure.RoleNotEvaluated:
		return style.Faint(), true
	case figure.RoleOrchestrator, figure.RoleOpen:
		return style.ForegroundColor(ansi.Cyan), true
	case figure.RoleConsultee, figure.RoleSeat, figure.RoleUser:
		return style.ForegroundColor(ansi.Magenta), true
	case figure.RoleAgreed, figure.RoleSupport:
		return style.ForegroundColor(ansi.Green), true
	case figure.RoleDismissed, figure.RoleAttack:
		return style.ForegroundColor(ansi.Red), true
	case figure.RoleUnresolved, figure.RoleWarn:
		return style.ForegroundColor(ansi.Yellow), true
	case figure.RoleText:
	}
	return style, false
}
