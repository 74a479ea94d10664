package program

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"moot/config"
	"moot/enum"
	"moot/plain"
)

// MaxBytes is the largest file of an adapter that is read.
const MaxBytes = 1 << 17

// Bounds of a file's lists and texts.
const (
	maxRules = 200
	maxText  = 2000
)

// reader turns a file into an adapter.
type reader struct {
	file     string
	adapter  Adapter
	lines    config.Lines
	problems []config.Problem
}

// Read reads an adapter; name is what the participant's string will begin with,
// file what errors call the file. The error is of type config.Problems and holds
// all that is wrong at once, with the lines.
func Read(name, file string, data []byte) (Adapter, error) {
	if len(data) > MaxBytes {
		return Adapter{}, config.Problems{{File: file, What: fmt.Sprintf("larger than %d bytes, which is no adapter", MaxBytes)}}
	}
	r := &reader{file: file}
	if r.decode(data) {
		r.adapter.Name = name
		r.check()
	}
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b config.Problem) int { return a.Line - b.Line })
		return Adapter{}, config.Problems(config.Few(r.problems))
	}
	return r.adapter, nil
}

// tell adds a problem at the line of a path.
func (r *reader) tell(path, format string, args ...any) {
	r.at(r.lines.Of(path), format, args...)
}

func (r *reader) at(line int, format string, args ...any) {
	r.problems = append(r.problems, config.Problem{File: r.file, Line: line, What: plain.Line(fmt.Sprintf(format, args...))})
}

// decode reports whether the file could be read as an adapter; unknown keys are
// told and leave the rest to be looked at.
func (r *reader) decode(data []byte) bool {
	data = bytes.Clone(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if len(bytes.ToValidUTF8(data, nil)) < len(data) {
		r.at(0, "this is no text in UTF-8: save it as UTF-8")
		return false
	}
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&r.adapter)
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		for i := range strict.Errors {
			r.unknownKey(&strict.Errors[i])
		}
		err = nil
	}
	if err != nil {
		line, what := 0, "this is no adapter: "+strings.TrimPrefix(err.Error(), "toml: ")
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ = wrong.Position()
			if key := wrong.Key(); len(key) > 0 {
				what = config.Named(key[len(key)-1]) + ": " + strings.TrimPrefix(err.Error(), "toml: ")
			}
		}
		r.at(line, "%s", what)
		return false
	}
	r.lines = config.ReadLines(data)
	return true
}

// unknownKey tells a key that no table has, or another one than this.
func (r *reader) unknownKey(wrong *toml.DecodeError) {
	key := wrong.Key()
	line, _ := wrong.Position()
	if len(key) == 0 {
		return
	}
	last := key[len(key)-1]
	here := fields(reflect.TypeFor[Adapter](), key[:len(key)-1])
	if nearest := enum.Nearest(last, here); nearest != "" || !slices.Contains(keys(reflect.TypeFor[Adapter]()), last) {
		r.at(line, "unknown key %s%s", config.Named(last), config.Meant(nearest))
		return
	}
	r.at(line, "the key %s does not belong here", last)
}

// fields are the keys of the table at a path.
func fields(t reflect.Type, path []string) []string {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for i := range t.NumField() {
		tag := t.Field(i).Tag.Get("toml")
		if tag == "" || tag == "-" {
			continue
		}
		if len(path) > 0 && tag == path[0] {
			return fields(t.Field(i).Type, path[1:])
		}
		names = append(names, tag)
	}
	if len(path) > 0 {
		return nil
	}
	return names
}

// keys are those of all tables.
func keys(t reflect.Type) []string {
	names := fields(t, nil)
	for _, name := range names {
		names = append(names, fields(t, []string{name})...)
	}
	return names
}

// check looks at what was read.
func (r *reader) check() {
	a := &r.adapter
	if a.Arguments.Conversation == "" {
		a.Arguments.Conversation = Unkept
	}
	if a.Output.Form == "" {
		a.Output.Form = Lines
	}
	if a.Output.Tokens == "" {
		a.Output.Tokens = PerTurn
	}
	if a.Output.Cost == "" {
		a.Output.Cost = PerTurn
	}
	r.word("arguments.conversation", &a.Arguments.Conversation, a.Arguments.Conversation.String())
	r.word("output.form", &a.Output.Form, a.Output.Form.String())
	r.word("output.tokens", &a.Output.Tokens, a.Output.Tokens.String())
	r.word("output.cost", &a.Output.Cost, a.Output.Cost.String())
	r.texts()
	r.arguments()
	r.environment()
	if len(a.Rules) > maxRules || len(a.Failures) > maxRules {
		r.tell("read["+strconv.Itoa(maxRules)+"]", "more than %d rules or failures", maxRules)
		return
	}
	for i := range a.Rules {
		r.rule(i)
	}
	for i := range a.Failures {
		r.failure(i)
	}
	r.output()
	r.stay()
}

// word checks a word of a closed list: the decoder takes any text for one.
func (r *reader) word(path string, into encoding.TextUnmarshaler, given string) {
	if err := into.UnmarshalText([]byte(given)); err != nil {
		r.tell(path, "%v", err)
	}
}

// texts checks what a person is shown.
func (r *reader) texts() {
	a := &r.adapter
	for _, t := range []struct {
		path, text string
		needed     bool
	}{
		{"title", a.Title, true},
		{"command", a.Command, true},
		{"read_only", a.ReadOnly, true},
		{"notes", a.Notes, false},
		{"fix.install", a.Fix.Install, false},
		{"fix.login", a.Fix.Login, false},
		{"fix.update", a.Fix.Update, false},
	} {
		switch {
		case t.needed && strings.TrimSpace(t.text) == "":
			r.tell(t.path, "%s is missing: %s", t.path, map[string]string{
				"title":     "what people call the program",
				"command":   "the program on the PATH, or its path",
				"read_only": "how the program is kept from writing, or that nothing keeps it",
			}[t.path])
		case len(t.text) > maxText:
			r.tell(t.path, "%s is longer than %d bytes", t.path, maxText)
		case plain.Line(t.text) != t.text:
			r.tell(t.path, "%s has a line break, or a control or hidden character in it", t.path)
		}
	}
	if strings.HasPrefix(a.Command, "-") {
		r.tell("command", "command begins with a dash")
	}
}

// lists are the names of the lists that an argument may be replaced by.
func lists() []string { return []string{"model", "effort", "system", "schema", "workspace"} }

// arguments checks the placeholders.
func (r *reader) arguments() {
	a := &r.adapter.Arguments
	if len(a.Begin) == 0 && len(a.GoOn) > 0 {
		r.tell("arguments", "begin is missing: what the program is started with")
	}
	if a.Conversation == Unkept && len(a.GoOn) > 0 {
		r.tell("arguments.go_on", `go_on needs conversation = "told", where the program names it, or "chosen", where moot does`)
	}
	if a.Conversation != Unkept && !holdsConversation(a.GoOn) {
		r.tell("arguments", "go_on does not say {conversation}: with what does the program go on?")
	}
	if a.Conversation == Chosen && !holdsConversation(a.Begin) {
		r.tell("arguments.begin", "begin does not say {conversation}, and moot is to choose it")
	}
	for path, list := range map[string][]string{"begin": a.Begin, "go_on": a.GoOn} {
		r.places("arguments."+path, list, "conversation", "workspace")
	}
	r.places("arguments.model", a.Model, "model")
	r.places("arguments.default", a.Default)
	r.places("arguments.effort", a.Effort, "effort")
	r.places("arguments.system", a.System, "system")
	r.places("arguments.schema", a.Schema, "schema")
	r.places("arguments.workspace", a.Workspace, "workspace")
	r.places("arguments.alone", a.Alone, "workspace")
}

func holdsConversation(list []string) bool {
	return slices.ContainsFunc(list, func(argument string) bool { return strings.Contains(argument, "{conversation}") })
}

// placePattern finds placeholders: what is in braces and looks like a name, since
// arguments of JSON have braces as well.
var placePattern = regexp.MustCompile(`\{([a-z_]+)(\.{3})?\}`)

// places checks the placeholders of a list.
func (r *reader) places(path string, list []string, known ...string) {
	for _, argument := range list {
		for _, found := range placePattern.FindAllStringSubmatch(argument, -1) {
			if found[2] != "" {
				if argument != found[0] || !slices.Contains(lists(), found[1]) || !slices.Contains(known, "conversation") {
					r.tell(path, "%s stands alone as an argument of begin or go_on, for one of the lists %s", found[0], strings.Join(lists(), ", "))
				}
				continue
			}
			if !slices.Contains(known, found[1]) {
				r.tell(path, "unknown placeholder %s%s", found[0], config.Meant(enum.Nearest(found[1], known)))
			}
		}
	}
}

// variablePattern is the name of a variable, or its beginning and a star.
var variablePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)

func (r *reader) environment() {
	for _, name := range r.adapter.Environment.Keep {
		if !variablePattern.MatchString(name) {
			r.tell("environment.keep", "%q is no name of a variable", name)
		}
	}
	for name := range r.adapter.Environment.Set {
		if !variablePattern.MatchString(name) || strings.HasSuffix(name, "*") {
			r.tell("environment.set", "%q is no name of a variable", name)
		}
	}
}

// rule checks and compiles one rule.
func (r *reader) rule(i int) {
	rule, path := &r.adapter.Rules[i], "read["+strconv.Itoa(i)+"]"
	var err error
	if rule.when, err = conditions(rule.When); err != nil {
		r.tell(path+".when", "when: %v", err)
	}
	if rule.where, err = conditions(rule.Where); err != nil {
		r.tell(path+".where", "where: %v", err)
	}
	if rule.Each == "" && len(rule.Where) > 0 {
		r.tell(path+".where", "where goes with each: it chooses among the items of that list")
	}
	if rule.GivesUpAfter < 0 {
		r.tell(path+".gives_up_after", "gives_up_after is 0 or more")
	}
	if rule.GivesUpAfter > 0 && rule.Failure == "" {
		r.tell(path+".gives_up_after", "gives_up_after needs failure: the path of what is told then")
	}
	if rule.Answer != "" {
		m, err := readMessage(rule.Answer)
		if err != nil {
			r.tell(path+".answer", "answer %v", err)
		}
		rule.answer = &m
		if len(r.adapter.Stay.Begin) == 0 {
			r.tell(path+".answer", "answer needs [stay]: any other program has read all that it is told")
		}
	}
	for _, part := range strings.Split(rule.Note, "{")[1:] {
		if !strings.Contains(part, "}") {
			r.tell(path+".note", "a brace of note is not closed")
		}
	}
}

// failure checks and compiles one failure.
func (r *reader) failure(i int) {
	f, path := &r.adapter.Failures[i], "failure["+strconv.Itoa(i)+"]"
	if f.Means == "" {
		r.tell(path, "means is missing: one of %s", strings.Join(enum.Words(Meanings()), ", "))
	} else {
		r.word(path+".means", &f.Means, f.Means.String())
	}
	if len(f.Words)+len(f.Status)+len(f.Exit) == 0 {
		r.tell(path, "a failure is known by words, status or exit, and this one has none")
	}
	if slices.ContainsFunc(f.Words, func(word string) bool { return len(strings.TrimSpace(word)) < len("abc") }) {
		r.tell(path+".words", "words shorter than 3 characters would fit anything")
	}
	if slices.Contains(f.Exit, 0) {
		r.tell(path+".exit", "a program that ends with 0 has not failed")
	}
	if plain.Line(f.Fix) != f.Fix || len(f.Fix) > maxText {
		r.tell(path+".fix", "fix is too long, or has a line break or a hidden character in it")
	}
	if f.Says == "" {
		return
	}
	var err error
	if f.says, err = regexp.Compile(f.Says); err != nil {
		r.tell(path+".says", "says is no regular expression: %v", err)
	} else if f.says.NumSubexp() != 1 {
		r.tell(path+".says", "says has %d groups; it has one, which is what went wrong", f.says.NumSubexp())
	}
}

// output checks that a reply can come of it at all.
func (r *reader) output() {
	a := &r.adapter
	if a.Output.Form == Text {
		if len(a.Rules) > 0 {
			r.tell("read[0]", `no rule reads an output of text: take it out, or write form = "lines" or "json"`)
		}
		if a.Arguments.Conversation == Told && a.Plain == nil {
			r.tell("arguments.conversation", "an output of text tells no conversation, unless [plain] says where")
		}
		return
	}
	replies, told := false, a.Arguments.Conversation != Told
	for i := range a.Rules {
		rule := &a.Rules[i]
		replies = replies || rule.Text != "" || rule.Message != "" || rule.Final != ""
		told = told || rule.Conversation != ""
	}
	if !replies {
		r.tell("output", "no [[read]] reads a reply: one of them says text, message or final")
	}
	if !told {
		r.tell("arguments.conversation", "no [[read]] reads the conversation's name, and the program is to tell it")
	}
	if p := a.Plain; p != nil && p.From == "" {
		r.tell("plain", "from is missing: the line after which the reply stands")
	}
}
