package config

import (
	"cmp"
	"maps"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
)

// form is config.toml as it is decoded. A value of type any is a text, a number or a list of them.
type form struct {
	Screen       Screen                    `toml:"screen"`
	Keys         map[string]map[string]any `toml:"keys"`
	Theme        map[string]map[string]any `toml:"theme"`
	Seats        map[string]any            `toml:"seats"`
	Review       reviewForm                `toml:"review"`
	Participants map[string]Participant    `toml:"participants"`
	Prices       map[string]prices         `toml:"prices"`
	Hosts        map[string]Host           `toml:"hosts"`
	Limits       map[string]any            `toml:"limits"`
	Budget       map[string]any            `toml:"budget"`
	Tools        map[string]ToolServer     `toml:"tools"`
	// NotifyCommand is an array at the top of the file.
	NotifyCommand any `toml:"notify_command"`
}

// reviewForm is the table [review].
type reviewForm struct {
	Reviewers any `toml:"reviewers"`
	Ignore    any `toml:"ignore"`
}

// prices is a table [prices.MODEL].
type prices struct {
	In  *float64 `toml:"in"`
	Out *float64 `toml:"out"`
}

// reader turns a form into a File.
type reader struct {
	Reader

	form form
	file File
}

// kind describes the file for Reader.
func kind() Kind {
	return Kind{
		Name: "configuration", MaxBytes: MaxBytes,
		Mistyped: func(key []string) string {
			switch {
			case key[0] == "participants" && key[len(key)-1] == "key":
				// The value is never shown: it may be the key itself.
				return "key is the name of the variable that holds the key, in quotes"
			case key[0] == "prices" && len(key) == 2:
				return "the price of " + Named(key[1]) + " is " + priceExample + ", in US dollars per million tokens"
			}
			return ""
		},
		Decides: decides,
	}
}

// decides reports whether a section affects which participants are called, or their cost. An unknown section may be a
// misspelled one of these.
func decides(section string) bool {
	appearance := append([]string{"screen", "keys", "theme", "notify_command"}, keysOf(reflect.TypeFor[Screen]())...)
	return !slices.Contains(appearance, section) && !slices.Contains(appearance, enum.Nearest(section, Keys(form{})))
}

// Read reads a configuration; name is the file name in problems. An unknown or invalid entry is left out and reported.
// A file with an error of TOML or a value of the wrong type is ignored as a whole.
func Read(name string, data []byte) (File, []Problem) {
	r := &reader{Reader: Reader{Name: name}, form: form{Screen: Default().Screen}}
	if !r.Decode(data, kind(), &r.form) {
		last := &r.problems[len(r.problems)-1]
		last.What, last.Decides = last.What+"; the whole file is ignored", true
		return Default(), r.problems
	}
	r.file.Screen, r.file.Lines = r.form.Screen, r.lines
	r.file.Keys, r.file.Themes = r.sections("keys", r.form.Keys), r.sections("theme", r.form.Theme)
	r.notifyCommand()
	r.seats()
	r.review()
	r.file.Limits, r.file.Budget = r.settings("limits", r.form.Limits), r.settings("budget", r.form.Budget)
	r.prices()
	r.hosts()
	r.participants()
	r.tools()
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
	return r.file, r.problems
}

// report adds a problem that affects who is asked.
func (r *reader) report(path, format string, args ...any) {
	r.Tell(path, format, args...)
	r.problems[len(r.problems)-1].Decides = true
}

// inOrder returns the names of a table in the order of their lines.
func inOrder[T any](r *reader, table string, entries map[string]T) []string {
	return slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		return cmp.Or(r.Line(table+"."+a)-r.Line(table+"."+b), strings.Compare(a, b))
	})
}

// words returns the texts of a text, a whole number or a list of them.
func words(value any) (list []string, ok bool) {
	switch value := value.(type) {
	case string:
		return []string{value}, true
	case int64:
		return []string{strconv.FormatInt(value, 10)}, true
	case []any:
		for _, item := range value {
			one, ok := words(item)
			if _, nested := item.([]any); !ok || nested {
				return nil, false
			}
			list = append(list, one...)
		}
		return list, true
	}
	return nil, false
}

// sections reads [keys] or [theme]. Their names are checked by the packages that know them.
func (r *reader) sections(top string, tables map[string]map[string]any) []Section {
	var list []Section
	for _, name := range inOrder(r, top, tables) {
		table := top + "." + name
		section := Section{Name: name, Line: r.Line(table)}
		for _, key := range inOrder(r, table, tables[name]) {
			values, ok := words(tables[name][key])
			if !ok || len(values) == 0 && top == "theme" {
				r.Tell(table+"."+key, "%s in [%s] is a text or a list of texts", Named(key),
					dotted([]string{top, name}))
				continue
			}
			section.Entries = append(section.Entries, Entry{Name: key, Values: values, Line: r.Line(table + "." + key)})
		}
		list = append(list, section)
	}
	return list
}

// seats reads [seats]. The formats check the names of the seats.
func (r *reader) seats() {
	for _, name := range inOrder(r, "seats", r.form.Seats) {
		values, ok := words(r.form.Seats[name])
		_, number := r.form.Seats[name].(int64)
		empty := slices.ContainsFunc(values, func(v string) bool { return strings.TrimSpace(v) == "" })
		if !ok || number || empty || len(values) == 0 {
			r.report("seats."+name, "%s in [seats] is a participant, or a list of them for numbered seats, "+
				`such as "openai:MODEL" or ["codex", "rules"]`, Named(name))
			continue
		}
		r.file.Seats = append(r.file.Seats, Entry{Name: name, Values: values, Line: r.Line("seats." + name)})
	}
}

// notifyCommand reads notify_command. It changes nothing about who is asked.
func (r *reader) notifyCommand() {
	value := r.form.NotifyCommand
	if value == nil {
		return
	}
	list, isList := value.([]any)
	command, ok := words(value)
	texts := !slices.ContainsFunc(list, func(item any) bool { _, number := item.(int64); return number })
	if !isList || !ok || !texts || len(command) > 0 && strings.TrimSpace(command[0]) == "" {
		r.Tell("notify_command", `notify_command is a program with its arguments, such as ["notify-send", "moot"]; no `+
			"shell runs it")
		return
	}
	r.file.NotifyCommand = command
}

// review reads [review].
func (r *reader) review() {
	isText := func(value any) (texts []string, ok bool) {
		texts, ok = words(value)
		_, number := value.(int64)
		empty := slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
		return texts, ok && !number && !empty
	}
	if value := r.form.Review.Reviewers; value != nil {
		names, ok := isText(value)
		if r.file.Review.Reviewers.Line = r.Line("review.reviewers"); !ok || len(names) == 0 {
			r.report("review.reviewers", "reviewers in [review] is a list of participants, such as "+
				`["codex", "openai:MODEL"]`)
		} else {
			r.file.Review.Reviewers = Entry{Name: "reviewers", Values: names, Line: r.Line("review.reviewers")}
		}
	}
	if value := r.form.Review.Ignore; value != nil {
		globs, ok := isText(value)
		if !ok {
			r.report("review.ignore", `ignore in [review] is a list of globs, such as ["docs/**", "*.golden"]`)
			return
		}
		r.file.Review.Ignore = Entry{Name: "ignore", Values: globs, Line: r.Line("review.ignore")}
	}
}

// settings reads [limits] or [budget]. The flags check the names and values.
func (r *reader) settings(top string, entries map[string]any) []Setting {
	var list []Setting
	for _, name := range inOrder(r, top, entries) {
		s := Setting{Name: name, Line: r.Line(top + "." + name)}
		switch value := entries[name].(type) {
		case string:
			s.Value, s.Quoted = value, true
		case int64:
			s.Value = strconv.FormatInt(value, 10)
		case float64:
			s.Value = strconv.FormatFloat(value, 'f', -1, 64)
		default:
			r.report(top+"."+name, `%s in [%s] is a number, or a time in quotes such as "90s"`, Named(name), top)
			continue
		}
		list = append(list, s)
	}
	return list
}

// prices reads [prices].
func (r *reader) prices() {
	for _, model := range inOrder(r, "prices", r.form.Prices) {
		given, path := r.form.Prices[model], "prices."+model
		if given.In == nil || given.Out == nil {
			r.report(path, "the price of %s is incomplete: write %s, in US dollars per million tokens", Named(model),
				priceExample)
			continue
		}
		// NaN is outside of every range.
		if valid := func(x float64) bool { return x >= 0 && x <= maxPrice }; !valid(*given.In) || !valid(*given.Out) {
			r.report(path, "the prices of %s are numbers from 0 to %d", Named(model), maxPrice)
			continue
		}
		r.file.Prices = append(r.file.Prices, Price{Model: model, In: *given.In, Out: *given.Out, Line: r.Line(path)})
	}
}

// hosts reads [hosts]. Their names and sources are checked by the package that knows them.
func (r *reader) hosts() {
	for _, name := range inOrder(r, "hosts", r.form.Hosts) {
		h := r.form.Hosts[name]
		h.Name, h.Line = name, r.Line("hosts."+name)
		h.SourceLine = r.Line("hosts." + name + ".source")
		r.file.Hosts = append(r.file.Hosts, h)
	}
}

// maxName is the maximum length of a participant's name.
const maxName = 40

// participants reads [participants]. Invalid options are left out.
func (r *reader) participants() {
	for _, name := range inOrder(r, "participants", r.form.Participants) {
		p, path := r.form.Participants[name], "participants."+name
		p.Name, p.Line, p.Lines = name, r.Line(path), map[string]int{}
		table := "[" + dotted([]string{"participants", name}) + "]"
		for _, option := range Options() {
			if r.Given(path + "." + option) {
				p.Lines[option] = r.Line(path + "." + option)
			}
		}
		if name == "" || len(name) > maxName || strings.IndexFunc(name, notBare) >= 0 || name[0] == '-' {
			r.report(path, "%s: a name has letters, digits, - and _, at most %d", table, maxName)
		}
		for _, text := range []struct {
			option string
			value  *string
		}{{"is", &p.Is}, {"base", &p.Base}, {"fallback", &p.Fallback}} {
			if p.Lines[text.option] > 0 && (*text.value == "" || strings.TrimSpace(*text.value) != *text.value) {
				r.report(path+"."+text.option, "%s in %s is empty, or has spaces around it", text.option, table)
				*text.value = ""
			}
		}
		if p.Lines["max-tokens"] > 0 && p.MaxTokens < 1 {
			r.report(path+".max-tokens", "max-tokens in %s is a whole number from 1", table)
			p.MaxTokens = 0
		}
		if p.Lines["calls-at-once"] > 0 && p.CallsAtOnce < 1 {
			r.report(path+".calls-at-once", "calls-at-once in %s is a whole number from 1", table)
			p.CallsAtOnce = 0
		}
		if p.Lines["calls-per-minute"] > 0 && !(p.CallsPerMinute > 0 && p.CallsPerMinute <= maxPerMinute) {
			r.report(path+".calls-per-minute", "calls-per-minute in %s is a number above 0, at most %d", table, maxPerMinute)
			p.CallsPerMinute = 0
		}
		if t := p.Temperature; t != nil && !(*t >= 0 && *t <= maxTemperature) {
			r.report(path+".temperature", "temperature in %s is a number from 0 to %d", table, maxTemperature)
			p.Temperature = nil
		}
		if p.Lines["reasoning-effort"] > 0 {
			if _, err := enum.Parse("effort", p.ReasoningEffort, Efforts()); err != nil {
				r.report(path+".reasoning-effort", "reasoning-effort in %s: %s", table, err)
				p.ReasoningEffort = ""
			}
		}
		if p.Lines["key"] > 0 && !IsVariable(p.Key) {
			// The value is never shown: it may be the key itself.
			r.report(path+".key", "key in %s is the name of the variable or keyring entry that holds the key, such as "+
				`key = "WORK_OPENAI_KEY", and never the key itself; the value is not shown: if it is a key, remove it `+
				"from the file and store it with moot key set WORK_OPENAI_KEY", table)
			p.Key = ""
		}
		if p.Is == "" {
			if p.Lines["is"] == 0 {
				r.report(path, `%s has no participant: write is = "openai:MODEL", or another model or program`, table)
			}
			continue
		}
		r.file.Participants = append(r.file.Participants, p)
	}
}

// tools reads [tools]. A server with a mistake is left out, since it would be called in another way than was meant.
func (r *reader) tools() {
	for _, name := range inOrder(r, "tools", r.form.Tools) {
		s, path := r.form.Tools[name], "tools."+name
		s.Name, s.Line = name, r.Line(path)
		table := "[" + dotted([]string{"tools", name}) + "]"
		before := len(r.problems)
		if name == "" || len(name) > maxName || strings.IndexFunc(name, notBare) >= 0 || name[0] == '-' {
			r.report(path, "%s: a name has letters, digits, - and _, at most %d", table, maxName)
		}
		switch {
		case (len(s.Command) == 0) == (s.URL == ""):
			r.report(path, `%s needs a command or a url, one of them: command = ["PROGRAM", "ARGUMENT"]`, table)
		case s.URL != "" && !isToolURL(s.URL):
			r.report(path+".url", "url in %s is an address that begins with https:// (or http:// for this machine), "+
				"without a user, a password or a #; it is not shown, since it may hold a key", table)
		case s.URL == "" && strings.TrimSpace(s.Command[0]) == "":
			r.report(path+".command", "command in %s names no program", table)
		case s.URL != "" && len(s.Env) > 0:
			r.report(path+".env", "env in %s has no effect: only a program gets variables", table)
		}
		for _, tool := range s.Tools {
			if !IsToolName(tool) {
				r.report(path+".tools", "%s in tools of %s is not the name of a tool", Named(tool), table)
			}
		}
		for _, variable := range s.Env {
			if !variableName.MatchString(variable) || strings.HasPrefix(variable, "MOOT_") {
				r.report(path+".env", "env in %s has names of variables, without values, and none of moot's own", table)
			}
		}
		if s.Source != "" {
			Word(&r.Reader, path+".source", "source in "+table, s.Source, ToolSources())
		}
		for _, tool := range inOrder(r, path+".sources", s.Sources) {
			if IsToolName(tool) {
				Word(&r.Reader, path+".sources."+tool, Named(tool)+" in sources of "+table, s.Sources[tool], ToolSources())
			} else {
				r.report(path+".sources."+tool, "%s in sources of %s is not the name of a tool", Named(tool), table)
			}
		}
		for i := range r.problems[before:] {
			r.problems[before+i].Decides = true
		}
		if len(r.problems) == before {
			r.file.Tools = append(r.file.Tools, s)
		}
	}
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

// isToolURL reports whether a text is an address that tools may be called at. Only this machine is reached unencrypted.
func isToolURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	here := u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && here
}

// IsVariable reports whether a text is the name of a variable: capitals, digits and _. Keys have lowercase letters or
// other characters, or are one long word.
func IsVariable(text string) bool {
	const longest, oneWord = 64, 16
	if text == "" || len(text) > longest || text[0] >= '0' && text[0] <= '9' {
		return false
	}
	if strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_'
	}) {
		return false
	}
	return strings.Contains(text, "_") || len(text) < oneWord || !strings.ContainsAny(text, "0123456789")
}
