package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
	"moot/internal/plain"
)

// sections returns the tables that a file may have.
func sections() []string {
	return []string{"screen", "keys", "theme", "seats", "participants", "prices", "limits", "budget"}
}

// decides reports whether a section affects which participants are called, or their cost.
func decides(section string) bool {
	return slices.Contains([]string{"seats", "participants", "prices", "limits", "budget"}, section)
}

// flat reports whether a section has values only, and no tables with names of the user's choice.
func flat(section string) bool {
	return slices.Contains([]string{"screen", "seats", "limits", "budget"}, section)
}

// reader turns the leaves of a document into a File.
type reader struct {
	name     string
	file     File
	problems []Problem
	// deciding reports whether the current section affects which participants are called.
	deciding bool
	// first maps each path to its first line.
	first map[string]int
	// unknown has the unknown sections that were reported.
	unknown map[string]bool
	// mispriced has the models with an invalid price that was reported.
	mispriced map[string]bool
}

// Read reads a configuration; name is the file name in problems. The File is always usable: invalid entries have
// their default and are reported, in the order of the lines.
func Read(name string, data []byte) (File, []Problem) {
	data, problem := legible(data, "configuration", MaxBytes)
	var document *document
	if problem == nil {
		document, problem = parse(data)
	}
	if problem != nil {
		return Default(), []Problem{{
			File: name, Line: problem.Line,
			What: plain.Line(problem.What) + "; the whole file is ignored", Decides: true,
		}}
	}
	r := &reader{
		name: name, file: Default(), first: map[string]int{}, unknown: map[string]bool{},
		mispriced: map[string]bool{},
	}
	for _, h := range document.headings {
		r.enter(h.path[0])
		r.heading(h)
	}
	for _, l := range document.leaves {
		r.enter(l.path[0])
		r.leaf(l)
	}
	r.checkComplete()
	inOrder(r.problems)
	return r.file, r.problems
}

// enter sets deciding for a section. An unknown section counts as the nearest known one: [seat] probably means
// [seats]. Without a near one it counts as deciding, unless it is an entry of [screen] without its heading.
func (r *reader) enter(section string) {
	if !slices.Contains(sections(), section) {
		nearest := enum.Nearest(section, sections())
		r.deciding = decides(nearest) || nearest == "" && !slices.Contains(screenNames(), section)
		return
	}
	r.deciding = decides(section)
}

func (r *reader) report(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{
		File: r.name, Line: line, What: fmt.Sprintf(format, args...),
		Decides: r.deciding,
	})
}

// duplicate reports whether the path was given before, as a problem.
func (r *reader) duplicate(path []string, line int, what string) bool {
	// A quoted name has no line breaks.
	key := what + "\n" + dotted(path)
	if first, given := r.first[key]; given {
		r.report(line, "%s is given twice; line %d counts", what, first)
		return true
	}
	r.first[key] = line
	return false
}

// heading checks the name of a table. Its entries follow as leaves.
func (r *reader) heading(h heading) {
	shown := "[" + dotted(h.path) + "]"
	headers := len(h.path) == 3 && h.path[0] == "participants" && h.path[2] == "headers"
	switch top := h.path[0]; {
	case !slices.Contains(sections(), top):
		r.unknown[top] = true
		r.report(h.line, "unknown section %s%s", shown, meantTable(top))
	case h.many:
		r.report(h.line, "[%s] is a list of tables; write %s", shown, shown)
	case flat(top) && len(h.path) > 1, len(h.path) > 2 && !headers:
		r.report(h.line, "unknown section %s; [%s] has no subtables%s", shown, dotted(h.path[:len(h.path)-1]),
			dots(h.path))
	case !flat(top) && len(h.path) == 1:
		// [theme] alone may contain paper.accent = …
	default:
		if first, given := r.first[shown]; given {
			r.report(h.line, "%s is repeated, first on line %d; merge the two", shown, first)
		} else {
			r.first[shown] = h.line
			r.open(h)
		}
	}
}

// dots returns a hint on names with dots.
func dots(path []string) string {
	if path[0] != "prices" {
		return ""
	}
	return `; quote a name with dots, as in [prices."gpt-5.1"]`
}

// open adds the section of a heading, even if it has no entries.
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

// list returns the Sections of a table of tables, nil for other tables.
func (r *reader) list(top string) *[]Section {
	switch top {
	case "keys":
		return &r.file.Keys
	case "theme":
		return &r.file.Themes
	}
	return nil
}

// section finds or adds a Section by name.
func section(list *[]Section, name string, line int) *Section {
	for i := range *list {
		if s := &(*list)[i]; s.Name == name {
			return s
		}
	}
	*list = append(*list, Section{Name: name, Line: line})
	return &(*list)[len(*list)-1]
}

// leaf reads a value into the file.
func (r *reader) leaf(l leaf) {
	top := l.path[0]
	switch {
	case !slices.Contains(sections(), top):
		// The heading was reported, which is enough.
		if !r.unknown[top] {
			r.report(l.line, "unknown name %s%s", Named(top), belongs(l.path))
		}
	case len(l.path) == 1:
		r.report(l.line, "%s is a section: write [%s] and its entries below it", top, heads(top))
	case top == "screen":
		r.screen(l)
	case top == "seats":
		r.seat(l)
	case top == "limits", top == "budget":
		r.setting(l)
	case len(l.path) == 2 && top == "prices":
		r.report(l.line, "the price of %s is %s, in US dollars per million tokens", Named(l.path[1]), priceExample)
	case len(l.path) == 2:
		r.report(l.line, "%s is not in a table: write it below [%s]", Named(l.path[1]), heads(top))
	case top == "participants":
		r.option(l)
	case top == "prices":
		r.priceEntry(l)
	case len(l.path) > 3:
		r.report(l.line, "unknown name %s: [%s] has no subtables", dotted(l.path), dotted(l.path[:2]))
	default:
		r.entry(l)
	}
}

// heads returns the heading of the tables of a section.
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

// meantTable suggests the nearest section.
func meantTable(word string) string {
	if nearest := enum.Nearest(word, sections()); nearest != "" {
		return Meant("[" + heads(nearest) + "]")
	}
	return ""
}

// belongs suggests the section of an entry above all headings.
func belongs(path []string) string {
	top := path[0]
	switch meant := meantTable(top); {
	case slices.Contains(screenNames(), top):
		return "; write it below [screen]"
	case meant == "" && len(path) == 1:
		return "; it comes before the first section: move it below its section, such as [seats]"
	default:
		return meant
	}
}

// entry adds a line to a Section. Its names are checked by the package that knows them.
func (r *reader) entry(l leaf) {
	table, name := dotted(l.path[:2]), l.path[2]
	switch l.kind {
	case kindBool, kindFloat, kindOther:
		r.report(l.line, "%s in [%s] is a text or a list of texts, such as %s", Named(name), table, sample(l.path[0]))
		return
	case kindList:
		if len(l.values) == 0 && l.path[0] != "keys" {
			r.report(l.line, "%s in [%s] is an empty list; leave the line out for the default", Named(name), table)
			return
		}
	case kindText, kindNumber:
	}
	if r.duplicate(l.path, l.line, Named(name)+" in ["+table+"]") {
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

// screenNames returns the entries of [screen].
func screenNames() []string { return []string{"theme", "ascii", "animation", "mouse", "notify"} }

// screen reads an entry of [screen].
func (r *reader) screen(l leaf) {
	known, name := screenNames(), l.path[1]
	if len(l.path) > 2 || !slices.Contains(known, name) {
		r.report(l.line, "unknown key %s in [screen]%s", dotted(l.path[1:]), Meant(enum.Nearest(name, known)))
		return
	}
	s := &r.file.Screen
	if name == "theme" {
		switch {
		case l.kind != kindText || l.values[0] == "":
			r.report(l.line, `theme in [screen] is the name of a theme in quotes, such as "dark"`)
		case !r.duplicate(l.path, l.line, "theme in [screen]"):
			s.Theme, s.ThemeLine = l.values[0], l.line
			r.record(l)
		}
		return
	}
	if l.kind != kindBool {
		r.report(l.line, "%s in [screen] is true or false, without quotes", name)
		return
	}
	if r.duplicate(l.path, l.line, name+" in [screen]") {
		return
	}
	r.record(l)
	switch value := l.values[0] == "true"; name {
	case "ascii":
		s.ASCII = value
	case "animation":
		s.Animation = value
	case "mouse":
		s.Mouse = value
	case "notify":
		s.Notify = value
	}
}

// record stores the line of an entry.
func (r *reader) record(l leaf) {
	if r.file.Lines == nil {
		r.file.Lines = Lines{}
	}
	r.file.Lines[dotted(l.path)] = l.line
}

// seat reads an entry of [seats]. The formats check the names of the seats.
func (r *reader) seat(l leaf) {
	name := l.path[1]
	wrong := l.kind != kindText && l.kind != kindList || len(l.path) > 2 || len(l.values) == 0
	if wrong || slices.ContainsFunc(l.values, func(v string) bool { return strings.TrimSpace(v) == "" }) {
		r.report(l.line, `%s in [seats] is a participant, or a list of them for numbered seats, such as "openai:gpt-5-mini" or ["codex", "rules"]`, dotted(l.path[1:]))
		return
	}
	if !r.duplicate(l.path, l.line, Named(name)+" in [seats]") {
		r.file.Seats = append(r.file.Seats, Entry{Name: name, Values: l.values, Line: l.line})
	}
}

// setting reads an entry of [limits] or [budget]. The flags check the names.
func (r *reader) setting(l leaf) {
	name, top := l.path[1], l.path[0]
	number := l.kind == kindNumber || l.kind == kindFloat
	if len(l.path) > 2 || !number && l.kind != kindText {
		r.report(l.line, `%s in [%s] is a number, or a time in quotes such as "90s"`, dotted(l.path[1:]), top)
		return
	}
	if r.duplicate(l.path, l.line, Named(name)+" in ["+top+"]") {
		return
	}
	s := Setting{Name: name, Value: l.values[0], Quoted: !number, Line: l.line}
	if number {
		value, ok := r.number(l, 0, maxNumber)
		if !ok {
			return
		}
		s.Value = strconv.FormatFloat(value, 'f', -1, 64)
	}
	if top == "limits" {
		r.file.Limits = append(r.file.Limits, s)
	} else {
		r.file.Budget = append(r.file.Budget, s)
	}
}

// number parses a number in a range, or reports a problem.
func (r *reader) number(l leaf, least, largest float64) (float64, bool) {
	value := math.NaN()
	if l.kind == kindNumber || l.kind == kindFloat {
		text := strings.ReplaceAll(l.values[0], "_", "")
		if n, err := strconv.ParseInt(text, 0, 64); err == nil {
			value = float64(n)
		} else if f, err := strconv.ParseFloat(text, 64); err == nil {
			value = f
		}
	}
	// NaN is outside of every range.
	if value >= least && value <= largest {
		return value, true
	}
	r.report(l.line, "%s is a number from %s to %s, without quotes", entryOf(l.path),
		strconv.FormatFloat(least, 'f', -1, 64), strconv.FormatFloat(largest, 'f', -1, 64))
	return 0, false
}

// entryOf names an entry and its table in a message. The key in is quoted, so that it does not read as a word.
func entryOf(path []string) string {
	last := len(path) - 1
	name := Named(path[last])
	if name == "in" {
		name = `"in"`
	}
	return name + " in [" + dotted(path[:last]) + "]"
}

// price finds or adds the price of a model. Missing values are NaN.
func (r *reader) price(model string, line int) *Price {
	for i := range r.file.Prices {
		if p := &r.file.Prices[i]; p.Model == model {
			return p
		}
	}
	r.file.Prices = append(r.file.Prices, Price{Model: model, In: math.NaN(), Out: math.NaN(), Line: line})
	return &r.file.Prices[len(r.file.Prices)-1]
}

// priceEntry reads an entry of [prices.MODEL].
func (r *reader) priceEntry(l leaf) {
	name, table := l.path[2], dotted(l.path[:2])
	into := r.price(l.path[1], l.line)
	known := []string{"in", "out"}
	if len(l.path) > 3 || !slices.Contains(known, name) {
		r.report(l.line, "unknown key %s in [%s]%s%s", dotted(l.path[2:]), table, Meant(enum.Nearest(name, known)),
			dots(l.path))
		return
	}
	value, ok := r.number(l, 0, maxPrice)
	if !ok {
		r.mispriced[l.path[1]] = true
		return
	}
	if r.duplicate(l.path, l.line, entryOf(l.path)) {
		return
	}
	if name == "in" {
		into.In = value
	} else {
		into.Out = value
	}
}

// checkComplete removes prices and participants that lack a required entry, and reports them.
func (r *reader) checkComplete() {
	r.deciding = true
	r.file.Prices = slices.DeleteFunc(r.file.Prices, func(p Price) bool {
		half := math.IsNaN(p.In) || math.IsNaN(p.Out)
		if half && !r.mispriced[p.Model] {
			r.report(p.Line, "the price of %s is incomplete: write %s, in US dollars per million tokens",
				Named(p.Model),
				priceExample)
		}
		return half || r.mispriced[p.Model]
	})
	r.file.Participants = slices.DeleteFunc(r.file.Participants, func(p Participant) bool {
		// If the entry was given but wrong, that was reported.
		if p.Is == "" && p.Lines["is"] == 0 {
			r.report(p.Line, `[%s] has no participant: write is = "openai:gpt-5-mini", or another participant`,
				dotted([]string{"participants", p.Name}))
		}
		return p.Is == ""
	})
}

// maxName is the maximum length of a participant's name.
const maxName = 40

// participant finds or adds a participant by name.
func (r *reader) participant(name string, line int) *Participant {
	for i := range r.file.Participants {
		if p := &r.file.Participants[i]; p.Name == name {
			return p
		}
	}
	if !plainName(name) {
		r.report(line, "[%s]: a name has letters, digits, - and _, at most %d",
			dotted([]string{"participants", name}), maxName)
	}
	r.file.Participants = append(r.file.Participants, Participant{Name: name, Line: line, Lines: map[string]int{}})
	return &r.file.Participants[len(r.file.Participants)-1]
}

func plainName(name string) bool {
	return name != "" && len(name) <= maxName && strings.IndexFunc(name, notBare) < 0 && name[0] != '-'
}

// option reads an entry of [participants.NAME].
func (r *reader) option(l leaf) {
	p, name, table := r.participant(l.path[1], l.line), l.path[2], dotted(l.path[:2])
	if name == "headers" {
		r.header(p, l)
		return
	}
	if len(l.path) > 3 || !slices.Contains(Options(), name) {
		r.report(l.line, "unknown key %s in [%s]%s", dotted(l.path[2:]), table, Meant(enum.Nearest(name, Options())))
		return
	}
	if r.duplicate(l.path, l.line, name+" in ["+table+"]") {
		return
	}
	p.Lines[name] = l.line
	switch name {
	case "temperature":
		if value, ok := r.number(l, 0, maxTemperature); ok {
			p.Temperature = &value
		}
	case "max-tokens":
		r.count(l, &p.MaxTokens)
	case "requests-per-minute":
		r.count(l, &p.PerMinute)
	case "parallel":
		r.count(l, &p.Parallel)
	case "reasoning-effort":
		if l.kind != kindText || !slices.Contains(Efforts(), l.values[0]) {
			near := ""
			if l.kind == kindText {
				near = Meant(enum.Nearest(l.values[0], Efforts()))
			}
			r.report(l.line, "reasoning-effort in [%s] is one of %s, in quotes%s", table, strings.Join(Efforts(), ", "),
				near)
			return
		}
		p.ReasoningEffort = l.values[0]
	case "key":
		if l.kind != kindText || !IsVariable(l.values[0]) {
			// The value is never shown: it may be the key itself.
			r.report(l.line, `key in [%s] is the name of the variable or keyring entry that holds the key, such as key = "WORK_OPENAI_KEY", and never the key itself; the value is not shown: if it is a key, remove it from the file and store it with moot key set WORK_OPENAI_KEY`, table)
			return
		}
		p.Key = l.values[0]
	default:
		r.text(l, map[string]*string{"is": &p.Is, "base": &p.Base, "fallback": &p.Fallback}[name])
	}
}

// text reads a text in quotes.
func (r *reader) text(l leaf, into *string) {
	samples := map[string]string{
		"is": "openai:gpt-5-mini", "base": "https://models.example.org/v1",
		"fallback": "ollama:qwen3:8b",
	}
	name := l.path[2]
	if l.kind != kindText || strings.TrimSpace(l.values[0]) != l.values[0] || l.values[0] == "" {
		r.report(l.line, "%s in [%s] is a text in quotes, such as %q", name, dotted(l.path[:2]), samples[name])
		return
	}
	*into = l.values[0]
}

// count reads a whole number from 1.
func (r *reader) count(l leaf, into *int) {
	value, err := strconv.ParseInt(strings.ReplaceAll(strings.Join(l.values, ""), "_", ""), 0, 32)
	if l.kind != kindNumber || err != nil || value < 1 {
		r.report(l.line, "%s in [%s] is a whole number from 1, without quotes", l.path[2], dotted(l.path[:2]))
		return
	}
	*into = int(value)
}

// header reads an entry of headers = { … }.
func (r *reader) header(p *Participant, l leaf) {
	table := dotted(l.path[:2])
	if len(l.path) != 4 {
		r.report(l.line, `headers in [%s] is a table of texts, such as { X-Team = "search" }`, table)
		return
	}
	name := l.path[3]
	if l.kind != kindText || !headerText(l.values[0]) || !headerName(name) {
		r.report(l.line, `%s in the headers of [%s] is a text in quotes, on one line, such as X-Team = "search" or X-Key = "$TEAM_KEY"`, Named(name), table)
		return
	}
	if secretHeader(name) && !strings.Contains(l.values[0], "$") {
		r.report(l.line, `%s in the headers of [%s] would contain a secret, which does not belong in this file: name the variable that contains it, such as %s = "$TEAM_KEY"; the value is not shown`, name, table, name)
		return
	}
	if r.duplicate(append(slices.Clone(l.path[:3]), strings.ToLower(name)), l.line,
		strings.ToLower(name)+" in the headers of ["+table+"]") {
		return
	}
	p.Lines["headers"] = l.line
	p.Headers = append(p.Headers, Header{Name: name, Value: l.values[0], Line: l.line})
}

// headerName reports whether a name is an HTTP token.
func headerName(name string) bool {
	return name != "" && len(name) <= 60 && strings.IndexFunc(name, notBare) < 0
}

// headerText reports whether a text is a valid header value.
func headerText(text string) bool {
	return text != "" && len(text) <= 1<<12 &&
		!strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
}

// secretHeader reports whether a header usually carries a key.
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"authorization", "api-key", "apikey", "token", "secret", "password", "cookie"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// IsVariable reports whether a text is the name of a variable: capitals, digits and _. Keys have lowercase letters or
// other characters, or are one long word.
func IsVariable(text string) bool {
	const longest, oneWord = 64, 16
	if text == "" || len(text) > longest || text[0] >= '0' && text[0] <= '9' {
		return false
	}
	if strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			c != '_'
	}) {
		return false
	}
	return strings.Contains(text, "_") || len(text) < oneWord || !strings.ContainsAny(text, "0123456789")
}
