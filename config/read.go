package config

import (
	"fmt"
	"slices"

	"moot/internal/enum"
	"moot/internal/plain"
)

// sections are the tables that a file may have.
func sections() []string {
	return []string{"screen", "keys", "theme", "seats", "participants", "prices", "limits", "budget"}
}

// decides reports whether a section says who is asked, or what that costs.
func decides(section string) bool {
	return slices.Contains([]string{"seats", "participants", "prices", "limits", "budget"}, section)
}

// flat reports whether a section holds values, and no tables with names of their
// own.
func flat(section string) bool {
	return slices.Contains([]string{"screen", "seats", "limits", "budget"}, section)
}

// reader turns the leaves of a document into a File.
type reader struct {
	name     string
	file     File
	problems []Problem
	// deciding says that what is read now bears on who is asked.
	deciding bool
	// first is the line on which each path was given first.
	first map[string]int
	// unknown are the sections that were told to be unknown.
	unknown map[string]bool
	// mispriced are the models whose price was told to be wrong.
	mispriced map[string]bool
}

// Read reads a configuration; name is what problems call the file. The File
// always holds: what is wrong in data is among the problems, in the order of
// the lines, and leaves its default.
func Read(name string, data []byte) (File, []Problem) {
	data, problem := legible(data, "configuration", MaxBytes)
	var document *document
	if problem == nil {
		document, problem = parse(data)
	}
	if problem != nil {
		return Default(), []Problem{{
			File: name, Line: problem.Line,
			What: plain.Line(problem.What) + "; the whole file is left out", Decides: true,
		}}
	}
	r := &reader{
		name: name, file: Default(), first: map[string]int{}, unknown: map[string]bool{},
		mispriced: map[string]bool{},
	}
	for _, h := range document.headings {
		r.about(h.path[0])
		r.heading(h)
	}
	for _, l := range document.leaves {
		r.about(l.path[0])
		r.leaf(l)
	}
	r.whole()
	inOrder(r.problems)
	return r.file, r.problems
}

// about notes which section is read. One that is unknown counts as the one that
// was meant: who writes [seat] wants somebody to be asked. Where nobody knows what
// was meant, it may be that, unless it is an entry of [screen] without its heading.
func (r *reader) about(section string) {
	if !slices.Contains(sections(), section) {
		nearest := enum.Nearest(section, sections())
		r.deciding = decides(nearest) || nearest == "" && !slices.Contains(screenNames(), section)
		return
	}
	r.deciding = decides(section)
}

func (r *reader) tell(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{
		File: r.name, Line: line, What: fmt.Sprintf(format, args...),
		Decides: r.deciding,
	})
}

// again reports whether the path was given before, and tells it.
func (r *reader) again(path []string, line int, what string) bool {
	// No name holds a line break once it is quoted.
	key := what + "\n" + dotted(path)
	if first, given := r.first[key]; given {
		r.tell(line, "%s is given twice; line %d counts", what, first)
		return true
	}
	r.first[key] = line
	return false
}

// heading checks the name of a table. Its entries come as leaves.
func (r *reader) heading(h heading) {
	shown := "[" + dotted(h.path) + "]"
	headers := len(h.path) == 3 && h.path[0] == "participants" && h.path[2] == "headers"
	switch top := h.path[0]; {
	case !slices.Contains(sections(), top):
		r.unknown[top] = true
		r.tell(h.line, "unknown section %s%s", shown, meantTable(top))
	case h.many:
		r.tell(h.line, "[%s] is a list of tables; write %s", shown, shown)
	case flat(top) && len(h.path) > 1, len(h.path) > 2 && !headers:
		r.tell(h.line, "unknown section %s; [%s] has no tables in it%s", shown, dotted(h.path[:len(h.path)-1]),
			dots(h.path))
	case !flat(top) && len(h.path) == 1:
		// [theme] alone may hold paper.accent = …
	default:
		if first, given := r.first[shown]; given {
			r.tell(h.line, "%s stands twice, first in line %d; join the two", shown, first)
		} else {
			r.first[shown] = h.line
			r.open(h)
		}
	}
}

// dots says how a name with dots is written, where that is what was meant.
func dots(path []string) string {
	if path[0] != "prices" {
		return ""
	}
	return `; a name with dots stands in quotes, as in [prices."gpt-5.1"]`
}

// open notes the section of a heading, so that one without entries is there.
func (r *reader) open(h heading) {
	switch list := r.list(h.path[0]); {
	case list != nil:
		section(list, h.path[1], h.line)
	case h.path[0] == "participants":
		r.participant(h.path[1], h.line)
	case h.path[0] == "prices":
		r.price(h.path[1], h.line)
	}
}

// list is where the Sections of a table of tables go, nil for another table.
func (r *reader) list(top string) *[]Section {
	switch top {
	case "keys":
		return &r.file.Keys
	case "theme":
		return &r.file.Themes
	}
	return nil
}

// section finds a Section by its name, or adds it.
func section(list *[]Section, name string, line int) *Section {
	for i := range *list {
		if s := &(*list)[i]; s.Name == name {
			return s
		}
	}
	*list = append(*list, Section{Name: name, Line: line})
	return &(*list)[len(*list)-1]
}

// leaf takes one value to where it belongs.
func (r *reader) leaf(l leaf) {
	top := l.path[0]
	switch {
	case !slices.Contains(sections(), top):
		// The heading was told already: what is below it need not be.
		if !r.unknown[top] {
			r.tell(l.line, "unknown name %s%s", Named(top), belongs(l.path))
		}
	case len(l.path) == 1:
		r.tell(l.line, "%s is a section: write [%s] and its entries below it", top, heads(top))
	case top == "screen":
		r.screen(l)
	case top == "seats":
		r.seat(l)
	case top == "limits", top == "budget":
		r.setting(l)
	case len(l.path) == 2 && top == "prices":
		r.tell(l.line, "the price of %s is %s, in US dollars per million tokens", Named(l.path[1]), bothPrices)
	case len(l.path) == 2:
		r.tell(l.line, "%s stands in no table: write it below [%s]", Named(l.path[1]), heads(top))
	case top == "participants":
		r.option(l)
	case top == "prices":
		r.priced(l)
	case len(l.path) > 3:
		r.tell(l.line, "unknown name %s: [%s] has no tables in it", dotted(l.path), dotted(l.path[:2]))
	default:
		r.entry(l)
	}
}

// heads is how the tables of a section begin.
func heads(top string) string {
	switch top {
	case "keys":
		return "keys.PLACE"
	case "theme":
		return "theme.NAME"
	case "participants":
		return "participants.NAME"
	}
	return top
}

// meantTable names the nearest section.
func meantTable(word string) string {
	if nearest := enum.Nearest(word, sections()); nearest != "" {
		return Meant("[" + heads(nearest) + "]")
	}
	return ""
}

// belongs says where an entry above all headings may belong.
func belongs(path []string) string {
	top := path[0]
	switch meant := meantTable(top); {
	case slices.Contains(screenNames(), top):
		return "; write it below [screen]"
	case meant == "" && len(path) == 1:
		return "; it stands above all sections: write it below the one that it belongs to, such as [seats]"
	default:
		return meant
	}
}

// entry adds a line to a Section; the names in it are checked by whoever knows
// them.
func (r *reader) entry(l leaf) {
	table, name := dotted(l.path[:2]), l.path[2]
	switch l.kind {
	case kindBool, kindFloat, kindOther:
		r.tell(l.line, "%s in [%s] is a text or a list of texts, such as %s", Named(name), table, sample(l.path[0]))
		return
	case kindList:
		if len(l.values) == 0 && l.path[0] != "keys" {
			r.tell(l.line, "%s in [%s] is an empty list; leave the line out for the default", Named(name), table)
			return
		}
	case kindText, kindNumber:
	}
	if r.again(l.path, l.line, Named(name)+" in ["+table+"]") {
		return
	}
	into := section(r.list(l.path[0]), l.path[1], l.line)
	into.Entries = append(into.Entries, Entry{Name: name, Values: l.values, Line: l.line})
}

func sample(top string) string {
	if top == "keys" {
		return `"ctrl+n" or ["n", "ctrl+n"]`
	}
	return `"bold #8a5a00"`
}
