package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/config"
	"moot/internal/enum"
	"moot/internal/regular"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/review"
	"moot/state"
	"moot/tui"
	"moot/tui/home"
	"moot/tui/theme"
)

func newConfig(c *Console) *cobra.Command {
	return parent("config",
		command("check", cobra.ExactArgs(0), func([]string) error { return checkConfig(c) }),
		command("edit", cobra.ExactArgs(0), func([]string) error { return editConfig(c) }),
		command("path", cobra.ExactArgs(0), func([]string) error {
			path, _ := configPath(c)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				c.Say("note       there is no such file, so the defaults are used; moot config edit writes one")
			}
			return c.Print(path + "\n")
		}))
}

// writeTemplate writes a configuration that sets nothing. The error is fs.ErrExist if the file exists.
func writeTemplate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the configuration: %w; nothing was written", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("create the configuration: %w; nothing was written", err)
	}
	_, err = file.WriteString(config.Template())
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write the configuration: %w; %s may be incomplete", err, path)
	}
	return nil
}

// editConfig runs the editor, and checks the configuration afterwards.
func editConfig(c *Console) error {
	path, _ := configPath(c)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := writeTemplate(path); err != nil {
			return err
		}
		c.Say("wrote      %s", path)
	}
	cmd, err := editorCommand(c, path, 0)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.In, c.Out, c.Err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s: %w; %s is as the editor left it", cmd.Path, err, path)
	}
	return checkConfig(c)
}

func checkConfig(c *Console) error {
	d := c.readDefaults()
	problems := d.allProblems(c)
	for _, p := range config.Few(problems) {
		c.Say("problem    %s", p)
	}
	if len(config.Deciding(problems)) > 0 {
		c.Say("note       fix the participants and limits before asking a question")
	}
	if len(problems) > 0 {
		return leaveWith(protocol.ExitFound)
	}
	c.Say("checked    %s: no problems", d.path)
	if _, err := os.Stat(d.path); errors.Is(err, fs.ErrNotExist) {
		c.Say("note       there is no such file, so the defaults are used; moot config edit writes one")
	}
	return nil
}

// The environment variables of moot.
const (
	// ConfigVariable names the configuration file. The default is moot/config.toml in the XDG config folder.
	ConfigVariable = "MOOT_CONFIG"
	// ThemeVariable names a theme.
	ThemeVariable = "MOOT_THEME"
)

// defaults are the participants, limits, budget and prices from the environment and config.toml.
type defaults struct {
	// path is the path of the file, and name its name in messages.
	path, name string
	exists     bool
	file       config.File
	book       *agent.Book
	// seats are in the order of the seats; limits and budget have the names of their flags.
	seats, limits, budget []value
	hosts                 []ledger.Host
	prices                map[string]endpoint.Price
	problems              []config.Problem
}

// configPath returns the path of the configuration, and its name in messages.
func configPath(c *Console) (path, name string) {
	if named := c.Getenv(ConfigVariable); named != "" {
		return c.path(named), named
	}
	return c.path(filepath.Join(xdg.ConfigHome, "moot", "config.toml")), "config.toml"
}

// readConfig reads the file. A missing file is empty, unless the user named it.
func readConfig(path, name string, named bool) (data []byte, exists bool, problems []config.Problem) {
	if path == os.DevNull {
		return nil, true, nil
	}
	data, err := regular.Read(path, config.MaxBytes)
	if err == nil {
		return data, true, nil
	}
	missing := errors.Is(err, fs.ErrNotExist)
	if missing && !named {
		return nil, false, nil
	}
	return nil, !missing, []config.Problem{{File: name, What: "cannot be read: " + cause(err), Decides: true}}
}

// readDefaults reads the configuration and the environment. Mistakes in them go into problems.
func (c *Console) readDefaults() *defaults {
	path, name := configPath(c)
	data, exists, problems := readConfig(path, name, c.Getenv(ConfigVariable) != "")
	d := &defaults{path: path, name: name, exists: exists, problems: problems, prices: map[string]endpoint.Price{}}
	file, wrong := config.Read(name, data)
	d.file, d.problems = file, append(d.problems, wrong...)
	d.book, wrong = agent.NewBook(file.Participants, c.agentPrograms()...)
	d.problems = append(d.problems, config.In(name, wrong)...)
	d.file.Tools = slices.DeleteFunc(d.file.Tools, func(server config.ToolServer) bool {
		i := slices.IndexFunc(agent.KeyUses(d.book), func(use agent.KeyUse) bool {
			return slices.Contains(server.Env, use.Variable)
		})
		if i >= 0 {
			d.addProblem(d.file.Lines.Of("tools."+server.Name+".env"), "env in [tools.%s] passes on %s, the key of a "+
				"participant: give the server a variable of its own", server.Name, agent.KeyUses(d.book)[i].Variable)
		}
		return i >= 0
	})
	for _, p := range file.Prices {
		d.prices[p.Model] = endpoint.Price{In: p.In, Out: p.Out}
	}
	d.readSeats(c)
	d.readHosts()
	for _, glob := range file.Review.Ignore.Values {
		if !doublestar.ValidatePattern(glob) {
			d.addProblem(file.Review.Ignore.Line, "%s in ignore of [review] is not a valid glob", config.Named(glob))
		}
	}
	d.limits = d.readSection("limits", file.Limits, limitFlags())
	d.budget = d.readSection("budget", file.Budget, budgetFlags())
	return d
}

// validDefaults is readDefaults for commands that ask a participant. It fails if a mistake makes it unclear who is
// asked or what that may cost.
func (c *Console) validDefaults() (*defaults, error) {
	if c.fixed != nil {
		return c.fixed, nil
	}
	d := c.readDefaults()
	blocking := config.Deciding(config.Few(sortProblems(slices.Clone(d.problems))))
	if len(blocking) == 0 {
		return d, nil
	}
	return nil, usage("the configuration doesn't clearly say who is asked, what that may cost or which pages may be "+
		"read; nobody was asked:\n%w\nfix it with moot config edit, or ignore it with %s=%s", blocking, ConfigVariable, os.DevNull)
}

// sortProblems sorts by line. Problems without a line come last.
func sortProblems(problems []config.Problem) []config.Problem {
	slices.SortStableFunc(problems, func(a, b config.Problem) int {
		if (a.Line == 0) != (b.Line == 0) {
			return b.Line - a.Line
		}
		return a.Line - b.Line
	})
	return problems
}

// allProblems returns all mistakes, those in themes and keys included.
func (d *defaults) allProblems(c *Console) []config.Problem {
	// Only the flag --theme can cause an error.
	looks, _ := (&lookOptions{}).resolve(c, d)
	return sortProblems(slices.Concat(d.problems, looks))
}

func (d *defaults) addProblem(line int, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	d.problems = append(d.problems, config.Problem{File: d.name, Line: line, What: what, Decides: true})
}

// at is a place in the file.
func (d *defaults) at(line int) string { return d.name + ":" + strconv.Itoa(line) }

// readSeats reads [seats], and the reviewers of [review].
func (d *defaults) readSeats(c *Console) {
	known := seatNames(c.formats()...)
	lines := map[string]int{}
	d.readReviewers(known)
	hasReviewers := len(d.seats) > 0
	for _, e := range d.file.Seats {
		if hasReviewers && slices.Contains(seatGroup(known, string(review.Reviewer)), e.Name) {
			continue
		}
		if !slices.Contains(known, e.Name) {
			nearest := config.Meant(enum.Nearest(e.Name, known))
			d.addProblem(e.Line, "unknown seat %s in [seats]%s", config.Named(e.Name), nearest)
			continue
		}
		names := seatGroup(known, e.Name)
		names = names[slices.Index(names, e.Name):]
		if len(e.Values) > len(names) {
			d.addProblem(e.Line, "%s in [seats] names %d participants, but there is room for %d", e.Name, len(e.Values),
				len(names))
			continue
		}
		for i, participant := range e.Values {
			seat := names[i]
			if lines[seat] > 0 {
				d.addProblem(e.Line, "the seat %s is already set in line %d of [seats]", seat, lines[seat])
				continue
			}
			lines[seat] = e.Line
			if _, err := d.book.Parse(participant); err != nil {
				d.addProblem(e.Line, "%s in [seats]: %s", e.Name, err)
				continue
			}
			d.seats = append(d.seats, value{name: seat, text: participant, from: fromConfig, place: d.at(e.Line)})
		}
	}
	slices.SortStableFunc(d.seats, func(a, b value) int {
		return slices.Index(known, a.name) - slices.Index(known, b.name)
	})
	d.reviewersFromSeats(known)
}

// readHosts reads [hosts].
func (d *defaults) readHosts() {
	for _, h := range d.file.Hosts {
		host, err := ledger.ParseHost(h.Name)
		if err != nil || strings.Contains(h.Name, ",") {
			d.addProblem(h.Line, "%s in [hosts] is not the name of a host, such as docs.example.com, or with a port",
				config.Named(h.Name))
			continue
		}
		host.Private = h.Private
		if h.Source != "" {
			if host.SourceKind, err = enum.Parse("source", h.Source, ledger.HostSources()); err != nil {
				d.addProblem(h.SourceLine, "source in [hosts.%s]: %s", config.Named(h.Name), err)
				continue
			}
		}
		d.hosts = addHosts(d.hosts, host)
	}
	if err := ledger.CheckHosts(d.hosts); err != nil {
		d.addProblem(d.file.Hosts[0].Line, "[hosts]: %s", err)
	}
}

// readReviewers reads the reviewers of [review].
func (d *defaults) readReviewers(known []string) {
	e := d.file.Review.Reviewers
	group := seatGroup(known, string(review.Reviewer))
	if len(e.Values) > len(group) {
		d.addProblem(e.Line, "reviewers in [review] names %d participants, but there is room for %d", len(e.Values),
			len(group))
		return
	}
	for i, participant := range e.Values {
		if _, err := d.book.Parse(participant); err != nil {
			d.addProblem(e.Line, "reviewers in [review]: %s", err)
			continue
		}
		d.seats = append(d.seats, value{name: group[i], text: participant, from: fromConfig, place: d.at(e.Line)})
	}
}

// reviewersFromSeats lets the models and programs of [seats] review if the file names no reviewers.
func (d *defaults) reviewersFromSeats(known []string) {
	group := seatGroup(known, string(review.Reviewer))
	var found []value
	for _, s := range d.seats {
		switch kind := d.kind(s.text); {
		case slices.Contains(group, s.name):
			return
		case s.text == state.BuiltInRules || kind != protocol.ParticipantModel && kind != protocol.ParticipantProgram:
		case len(found) < len(group) && !slices.ContainsFunc(found, func(f value) bool { return f.text == s.text }):
			s.name = group[len(found)]
			found = append(found, s)
		}
	}
	d.seats = append(d.seats, found...)
}

// limitFlags are the flags that [limits] sets.
func limitFlags() *pflag.FlagSet {
	cmd := &cobra.Command{}
	(&callOptions{}).flags(cmd)
	_, sets := flagGroups(cmd)
	return sets[limitsTitle]
}

// budgetFlags are the flags that [budget] sets.
func budgetFlags() *pflag.FlagSet {
	cmd, prompt := &cobra.Command{}, 0
	(&budgetOptions{}).flags(cmd, &prompt)
	return cmd.Flags()
}

// readSection reads a section whose entries have the names of flags, and the variables that override it.
func (d *defaults) readSection(section string, entries []config.Setting, flags *pflag.FlagSet) []value {
	var known []string
	flags.VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	allowed := ", 0 (no cap) or more"
	if section == "limits" {
		allowed = ", above 0"
	}
	var list []value
	for _, e := range entries {
		flag := flags.Lookup(e.Name)
		if flag == nil {
			nearest := config.Meant(enum.Nearest(e.Name, known))
			d.addProblem(e.Line, "unknown key %s in [%s]%s", config.Named(e.Name), section, nearest)
			continue
		}
		kind := flag.Value.Type()
		isText, quotes := kind == "duration", ", without quotes"
		if isText {
			quotes = ", in quotes"
		}
		if isText != e.Quoted || !accepts(flag, e.Value, section) {
			d.addProblem(e.Line, "%s in [%s] must be %s%s%s", e.Name, section, describeType(kind), allowed, quotes)
			continue
		}
		list = append(list, value{name: e.Name, text: e.Value, from: fromConfig, place: d.at(e.Line)})
	}
	return list
}

// accepts sets a flag, and reports whether the value is valid for it and its section.
func accepts(flag *pflag.Flag, value, section string) bool {
	if flag.Value.Set(value) != nil {
		return false
	}
	text := flag.Value.String()
	zero := text == "0" || text == "0s"
	finite := !strings.EqualFold(text, "NaN") && !strings.Contains(text, "Inf")
	return finite && !strings.HasPrefix(text, "-") && (section != "limits" || !zero)
}

// setUnchanged sets the flags that weren't on the command line.
func setUnchanged(flags *pflag.FlagSet, values []value) error {
	for _, v := range values {
		flag := flags.Lookup(v.name)
		if flag == nil || flag.Changed {
			continue
		}
		if err := flag.Value.Set(v.text); err != nil {
			return usage("%s: %s: %w", v.place, v.name, err)
		}
	}
	return nil
}

// seat returns the default participant of a seat, or nil.
func (d *defaults) seat(name string) *value {
	for i := range d.seats {
		if d.seats[i].name == name {
			return &d.seats[i]
		}
	}
	return nil
}

// addSeats adds the default participants of some seats to the named ones. If one seat of a group is named, the group
// has no defaults.
func (d *defaults) addSeats(named []state.SeatAssignment, names []string) []state.SeatAssignment {
	places := slices.Clone(named)
	for _, s := range d.seats {
		inGroup := func(p state.SeatAssignment) bool {
			return slices.Contains(seatGroup(names, s.name), string(p.Seat))
		}
		if !slices.ContainsFunc(named, inGroup) && slices.Contains(names, s.name) {
			places = append(places, state.SeatAssignment{Seat: state.Seat(s.name), Participant: s.text})
		}
	}
	sortPlaces(places, names)
	return places
}

// kind returns what answers for a participant.
func (d *defaults) kind(name string) protocol.ParticipantKind {
	choice, err := d.book.Parse(name)
	switch {
	case err != nil:
		return protocol.ParticipantUnknown
	case choice.IsModel():
		return protocol.ParticipantModel
	case choice.Has(agent.KindPerson):
		return protocol.ParticipantPerson
	}
	return protocol.ParticipantProgram
}

// kindWord is the kind of a participant for people, or "" if its name says more.
func (d *defaults) kindWord(name string) string {
	switch d.kind(name) {
	case protocol.ParticipantModel:
		return "model"
	case protocol.ParticipantPerson:
		return "you"
	case protocol.ParticipantProgram, protocol.ParticipantUnknown:
	}
	return ""
}

// candidates returns the named participants and the default seats, for a form.
func (d *defaults) candidates() (named []home.Candidate, seats map[string]string) {
	for _, name := range d.book.Names() {
		choice, err := d.book.Parse(name)
		if err == nil {
			_, is := state.SplitName(choice.Name())
			named = append(named, home.Candidate{Name: name, Title: is, Why: "named in " + d.name, Usable: true, Kind: d.kindWord(name)})
		}
	}
	seats = map[string]string{}
	for _, s := range d.seats {
		seats[s.name] = s.text
	}
	return named, seats
}

// agentPrograms returns the adapters for agent programs: the built-in ones, and the user's own in the folder programs
// next to the configuration. They are read once, and
// mistakes in them are reported then.
func (c *Console) agentPrograms() []program.Adapter {
	c = c.root()
	c.programsOnce.Do(func() {
		path, _ := configPath(c)
		known, problems := program.Known(filepath.Join(filepath.Dir(path), "programs"))
		for _, p := range problems {
			c.Say("moot: %s", p)
		}
		if len(problems) > 0 {
			c.Say("moot: these programs are left out; docs/programs.md explains the files")
		}
		for i := range known {
			if known[i].Replaces {
				c.Say("note       %s replaces the built-in adapter of %s", known[i].File, known[i].Name)
			}
		}
		c.adapters = known
	})
	return c.adapters
}

// forPrograms adds what agent programs need.
func (c *Console) forPrograms(deps *agent.Deps) {
	deps.Environ, deps.Programs = c.Environ, c.agentPrograms()
	deps.Alone = filepath.Join(xdg.CacheHome, "moot", "alone")
	deps.Versions = filepath.Join(xdg.CacheHome, "moot", "versions")
}

// lookOptions are the flags for the appearance of the screen. The configuration can turn on the same.
type lookOptions struct {
	theme              string
	ascii, noAnimation bool

	// loaded are the options of the screen from the flags, the environment and the configuration.
	loaded tui.Options
}

func (o *lookOptions) flags(cmd *cobra.Command) {
	group(cmd, "Appearance (config.toml sets the defaults)", func(f *pflag.FlagSet) {
		f.StringVar(&o.theme, "theme", "",
			"the colors: auto, dark, light, contrast, ansi, mono, or a theme of your configuration (also MOOT_THEME)")
		f.BoolVar(&o.ascii, "ascii", false, "draw borders and signs in ASCII")
		f.BoolVar(&o.noAnimation, "no-animation", false, "turn animations off")
	})
}

// load reads the configuration if a screen is shown. It reports mistakes in the configuration and the environment, and
// uses the defaults for them. An unknown --theme is an error even without a screen.
func (o *lookOptions) load(c *Console, screen bool) error {
	if !screen && o.theme == "" {
		return nil
	}
	d := c.readDefaults()
	problems, err := o.resolve(c, d)
	if err != nil || !screen {
		return err
	}
	// They are printed before the screen covers the terminal, and shown on the screen too.
	problems = config.Few(sortProblems(slices.Concat(d.problems, problems)))
	for _, p := range problems {
		c.Say("moot: %s", p)
		o.loaded.Problems = append(o.loaded.Problems, p.String())
	}
	if len(problems) > 0 {
		c.Say("moot: the defaults are used instead")
	}
	if len(config.Deciding(problems)) > 0 {
		c.Say("moot: fix the participants and limits before asking a question: moot config edit")
	}
	return nil
}

// resolve combines the flags, the environment and the configuration.
func (o *lookOptions) resolve(c *Console, d *defaults) (problems []config.Problem, err error) {
	screen, to := &d.file.Screen, &o.loaded
	to.ASCII, to.NoAnimation = o.ascii || screen.ASCII, o.noAnimation || !screen.Animation
	to.NoMouse = !screen.Mouse
	var wrong []config.Problem
	to.Themes, wrong = theme.Load(d.file.Themes)
	problems = config.In(d.name, wrong)
	to.Keys, wrong = tui.Rebind(tui.Bindings(), d.file.Keys)
	problems = append(problems, config.In(d.name, wrong)...)
	if o.theme != "" {
		if to.Theme, err = to.Themes.Find(o.theme); err != nil {
			return nil, usage("%w", err)
		}
		return problems, nil
	}
	for _, source := range []config.Problem{
		{File: ThemeVariable, What: c.Getenv(ThemeVariable)},
		{File: d.name, Line: d.file.Lines["screen.theme"], What: d.file.Screen.Theme},
	} {
		if source.What == "" {
			continue
		}
		named, err := to.Themes.Find(source.What)
		if err == nil {
			to.Theme = named
			break
		}
		source.What = "unknown theme " + config.Named(source.What)
		if unknown, ok := errors.AsType[*enum.UnknownError](err); ok {
			source.What += config.Meant(unknown.Nearest)
		}
		problems = append(problems, source)
	}
	return problems, nil
}
