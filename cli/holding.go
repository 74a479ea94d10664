package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/agent/endpoint"
	"moot/config"
	"moot/internal/enum"
	"moot/state"
	"moot/tui"
)

// holding is what the environment and the configuration say of who is asked, and
// of what that may cost. A nil holding says nothing.
type holding struct {
	// path is where the file is, name what problems call it, there whether it
	// exists.
	path, name string
	there      bool
	file       config.File
	book       *agent.Book
	// seats are who takes a seat where nobody is named, in the order of the table.
	seats []sourced
	// limits and budget are by the names of their flags.
	limits, budget []sourced
	prices         map[string]endpoint.Price
	problems       []config.Problem
}

// sourced is a value that holds, and where it comes from.
type sourced struct{ name, value, source string }

// The variables of the environment for an entry of a section begin so; its name
// in capitals follows, with _ for -.
const (
	seatVariable   = "MOOT_SEAT_"
	limitVariable  = "MOOT_LIMIT_"
	budgetVariable = "MOOT_BUDGET_"
)

// variable is the one that overrules an entry.
func variable(prefix, name string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// holds reads the configuration and the environment. What is wrong in them is
// among the problems; the error says that no place for a configuration is known.
func (c *Console) holds() (*holding, error) {
	path, name, err := configPath(c)
	if err != nil {
		return nil, err
	}
	data, there, problems := readConfig(path, name, c.Getenv(ConfigVariable) != "")
	h := &holding{path: path, name: name, there: there, problems: problems}
	file, wrong := config.Read(name, data)
	h.file, h.problems = file, append(h.problems, wrong...)
	h.book, wrong = agent.NewBook(file.Participants, c.path, c.agentPrograms()...)
	h.problems = append(h.problems, config.In(name, wrong)...)
	h.prices = map[string]endpoint.Price{}
	for _, p := range file.Prices {
		h.prices[p.Model] = endpoint.Price{In: p.In, Out: p.Out}
	}
	h.seat(c)
	h.limits = h.settings(c, "limits", limitVariable, file.Limits, limitFlags())
	h.budget = h.settings(c, "budget", budgetVariable, file.Budget, budgetFlags())
	return h, nil
}

// mayAsk is holds for whoever wants to ask somebody: what is wrong where it is
// said who is asked stops it, so that nobody is put in another's place.
func (c *Console) mayAsk() (*holding, error) {
	h, err := c.holds()
	if err != nil {
		return nil, err
	}
	stop := config.Deciding(config.Few(sorted(slices.Clone(h.problems))))
	if len(stop) == 0 {
		return h, nil
	}
	return nil, usage("the configuration is not clear about who is asked, or what that may cost; nobody was asked:\n%w\nmend it with moot config edit, or do without it: %s=%s", stop, ConfigVariable, nowhere())
}

func (h *holding) tell(line int, format string, args ...any) {
	h.problems = append(h.problems, config.Problem{File: h.name, Line: line, What: fmt.Sprintf(format, args...), Decides: true})
}

// at is where a line of the file is.
func (h *holding) at(line int) string { return h.name + ":" + strconv.Itoa(line) }

// likes are a seat and those of its like, in their order, as panelist and panelist-2.
func likes(seat string) []string {
	for _, row := range formatRows() {
		if names := append([]string{string(row.after)}, row.further...); slices.Contains(names, seat) {
			return names
		}
	}
	return []string{seat}
}

// seat reads who takes a seat where nobody is named.
func (h *holding) seat(c *Console) {
	known, _ := seatsOf("")
	lines := map[string]int{}
	var fromFile []sourced
	for _, e := range h.file.Seats {
		if !slices.Contains(known, e.Name) {
			h.tell(e.Line, "unknown seat %s in [seats]%s", config.Named(e.Name), config.Meant(enum.Nearest(e.Name, known)))
			continue
		}
		names := likes(e.Name)
		names = names[slices.Index(names, e.Name):]
		if len(e.Values) > len(names) {
			h.tell(e.Line, "%s in [seats] names %d participants, and there are seats for %d", e.Name, len(e.Values), len(names))
			continue
		}
		for i, participant := range e.Values {
			seat := names[i]
			if lines[seat] > 0 {
				h.tell(e.Line, "the seat %s is given in line %d of [seats] already", seat, lines[seat])
				continue
			}
			lines[seat] = e.Line
			if _, err := h.book.Parse(participant); err != nil {
				h.tell(e.Line, "%s in [seats]: %s", e.Name, err)
				continue
			}
			fromFile = append(fromFile, sourced{seat, participant, h.at(e.Line)})
		}
	}
	h.seats = h.ofEnvironment(c, known)
	named := slices.Clone(h.seats)
	for _, s := range fromFile {
		// Who names one of several seats of a like names them all.
		if !slices.ContainsFunc(named, func(n sourced) bool { return slices.Contains(likes(s.name), n.name) }) {
			h.seats = append(h.seats, s)
		}
	}
	slices.SortStableFunc(h.seats, func(a, b sourced) int { return order(state.Seat(a.name)) - order(state.Seat(b.name)) })
}

// sits is who takes a seat where nobody is named, or nil.
func (h *holding) sits(seat string) *sourced {
	for i := range h.seats {
		if h.seats[i].name == seat {
			return &h.seats[i]
		}
	}
	return nil
}

// ofEnvironment are the seats that the environment names.
func (h *holding) ofEnvironment(c *Console, known []string) []sourced {
	var found []sourced
	for _, name := range c.variables(seatVariable) {
		seat, participant := seatOfVariable(name, known), strings.TrimSpace(c.Getenv(name))
		problem := config.Problem{File: name, Decides: true}
		_, err := h.book.Parse(participant)
		switch {
		case participant == "":
			// As if it were not set.
		case seat == "":
			meant := enum.Nearest(strings.ToLower(strings.TrimPrefix(name, seatVariable)), known)
			if meant != "" {
				meant = variable(seatVariable, meant)
			}
			problem.What = "no format has such a seat" + config.Meant(meant)
			h.problems = append(h.problems, problem)
		case err != nil:
			problem.What = err.Error()
			h.problems = append(h.problems, problem)
		case !slices.ContainsFunc(found, func(f sourced) bool { return f.name == seat }):
			found = append(found, sourced{seat, participant, "environment " + name})
		}
	}
	return found
}

func seatOfVariable(name string, known []string) string {
	for _, seat := range known {
		if variable(seatVariable, seat) == name {
			return seat
		}
	}
	return ""
}

// variables are those of the environment that begin so, in their order.
func (c *Console) variables(prefix string) []string {
	var names []string
	for _, entry := range c.Environ {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, prefix) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// limitFlags are the flags whose names [limits] takes.
func limitFlags() *pflag.FlagSet {
	cmd := &cobra.Command{}
	(&callOptions{}).flags(cmd)
	limits := pflag.NewFlagSet("limits", pflag.ContinueOnError)
	limits.SortFlags = false
	for _, group := range flagGroups(cmd) {
		if strings.HasPrefix(group.title, "Limits") {
			limits.AddFlagSet(group.flags)
		}
	}
	return limits
}

// budgetFlags are the flags whose names [budget] takes.
func budgetFlags() *pflag.FlagSet {
	cmd, prompt := &cobra.Command{}, 0
	(&budgetOptions{}).flags(cmd, &prompt)
	cmd.Flags().SortFlags = false
	return cmd.Flags()
}

// settings reads a section whose entries are named as flags.
func (h *holding) settings(c *Console, section, prefix string, entries []config.Setting, flags *pflag.FlagSet) []sourced {
	var known []string
	flags.VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	var list []sourced
	for _, e := range entries {
		flag := flags.Lookup(e.Name)
		if flag == nil {
			h.tell(e.Line, "unknown key %s in [%s]%s", config.Named(e.Name), section, config.Meant(enum.Nearest(e.Name, known)))
			continue
		}
		if text := flag.Value.Type() == "duration"; text != e.Quoted || !takes(flag, e.Value, section) {
			how := ", without quotes"
			if text {
				how = ", in quotes"
			}
			h.tell(e.Line, "%s in [%s] is %s%s%s", e.Name, section, valueOf(flag.Value.Type()), above(section), how)
			continue
		}
		list = append(list, sourced{e.Name, e.Value, h.at(e.Line)})
	}
	for _, name := range c.variables(prefix) {
		value := strings.TrimSpace(c.Getenv(name))
		at := slices.IndexFunc(known, func(k string) bool { return variable(prefix, k) == name })
		problem := config.Problem{File: name, Decides: true}
		switch {
		case value == "":
		case at < 0:
			problem.What = "there is no such entry in [" + section + "]"
			h.problems = append(h.problems, problem)
		case !takes(flags.Lookup(known[at]), value, section):
			problem.What = "it is " + valueOf(flags.Lookup(known[at]).Value.Type()) + above(section)
			h.problems = append(h.problems, problem)
		default:
			list = slices.DeleteFunc(list, func(one sourced) bool { return one.name == known[at] })
			list = append(list, sourced{known[at], value, "environment " + name})
		}
	}
	return list
}

// above says from where a value of a section counts.
func above(section string) string {
	if section == "limits" {
		return " above 0"
	}
	return " from 0, which is no cap"
}

// takes reports whether a flag takes a value, and whether it is in the range of
// its section. The flag keeps it.
func takes(flag *pflag.Flag, value, section string) bool {
	if flag.Value.Set(value) != nil {
		return false
	}
	kept := flag.Value.String()
	zero := kept == "0" || kept == "0s"
	return !strings.HasPrefix(kept, "-") && !strings.EqualFold(kept, "NaN") && !strings.Contains(kept, "Inf") && (section != "limits" || !zero)
}

// fill sets flags that were not given to what holds.
func fill(flags *pflag.FlagSet, values []sourced) error {
	for _, v := range values {
		flag := flags.Lookup(v.name)
		if flag == nil || flag.Changed {
			continue
		}
		if err := flag.Value.Set(v.value); err != nil {
			return usage("%s: %s: %w", v.source, v.name, err)
		}
	}
	return nil
}

// seated adds who sits where nobody is named. Who names one of several seats of a
// like names them all.
func (h *holding) seated(named []place, format state.Format) []place {
	if h == nil {
		return named
	}
	row, places := rowOf(format), slices.Clone(named)
	for _, s := range h.seats {
		taken := slices.ContainsFunc(named, func(p place) bool { return slices.Contains(likes(s.name), string(p.seat)) })
		if !taken && slices.Contains(row.names(), s.name) {
			places = append(places, place{state.Seat(s.name), s.value})
		}
	}
	sortPlaces(places)
	return places
}

// names are the participants of the book.
func (h *holding) names() *agent.Book {
	if h == nil {
		return nil
	}
	return h.book
}

// price gives an endpoint the prices of the configuration.
func (h *holding) price(c *endpoint.Config) {
	if h != nil && len(h.prices) > 0 {
		c.Prices = h.prices
	}
}

// offered are the participants of the book as a form offers them, and who it
// begins with in a seat.
func (h *holding) offered() (named []tui.Candidate, seats map[string]string) {
	if h == nil {
		return nil, nil
	}
	for _, name := range h.book.Names() {
		choice, err := h.book.Parse(name)
		if err == nil {
			_, is := state.OwnName(choice.Name())
			named = append(named, tui.Candidate{Name: name, Title: is, Why: "named in " + h.name, Usable: true})
		}
	}
	seats = map[string]string{}
	for _, s := range h.seats {
		seats[s.name] = s.value
	}
	return named, seats
}
