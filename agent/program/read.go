package program

import (
	"encoding"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
	config.Reader

	adapter Adapter
}

// Read reads an adapter; name is what the participant's string will begin with,
// file what errors call the file. The error is of type config.Problems and holds
// all that is wrong at once, with the lines.
func Read(name, file string, data []byte) (Adapter, error) {
	r := &reader{Reader: config.Reader{Name: file}}
	if r.Decode(data, config.Kind{Name: "adapter", MaxBytes: MaxBytes}, &r.adapter) {
		r.adapter.Name = name
		r.check()
	}
	if err := r.Err(); err != nil {
		return Adapter{}, err
	}
	return r.adapter, nil
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
		r.Tell("read["+strconv.Itoa(maxRules)+"]", "more than %d rules or failures", maxRules)
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
		r.Tell(path, "%v", err)
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
			r.Tell(t.path, "%s is missing: %s", t.path, map[string]string{
				"title":     "what people call the program",
				"command":   "the program on the PATH, or its path",
				"read_only": "how the program is kept from writing, or that nothing keeps it",
			}[t.path])
		case len(t.text) > maxText:
			r.Tell(t.path, "%s is longer than %d bytes", t.path, maxText)
		case plain.Line(t.text) != t.text:
			r.Tell(t.path, "%s has a line break, or a control or hidden character in it", t.path)
		}
	}
	if strings.HasPrefix(a.Command, "-") {
		r.Tell("command", "command begins with a dash")
	}
}

// lists are the names of the lists that an argument may be replaced by.
func lists() []string { return []string{"model", "effort", "system", "schema", "workspace"} }

// arguments checks the placeholders.
func (r *reader) arguments() {
	a := &r.adapter.Arguments
	if len(a.Begin) == 0 && len(a.GoOn) > 0 {
		r.Tell("arguments", "begin is missing: what the program is started with")
	}
	if a.Conversation == Unkept && len(a.GoOn) > 0 {
		r.Tell("arguments.go_on", `go_on needs conversation = "told", where the program names it, or "chosen", where moot does`)
	}
	if a.Conversation != Unkept && !holdsConversation(a.GoOn) {
		r.Tell("arguments", "go_on does not say {conversation}: with what does the program go on?")
	}
	if a.Conversation == Chosen && !holdsConversation(a.Begin) {
		r.Tell("arguments.begin", "begin does not say {conversation}, and moot is to choose it")
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
					r.Tell(path, "%s stands alone as an argument of begin or go_on, for one of the lists %s", found[0], strings.Join(lists(), ", "))
				}
				continue
			}
			if !slices.Contains(known, found[1]) {
				r.Tell(path, "unknown placeholder %s%s", found[0], config.Meant(enum.Nearest(found[1], known)))
			}
		}
	}
}

// variablePattern is the name of a variable, or its beginning and a star.
var variablePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)

func (r *reader) environment() {
	for _, name := range r.adapter.Environment.Keep {
		if !variablePattern.MatchString(name) {
			r.Tell("environment.keep", "%q is no name of a variable", name)
		}
	}
	for name := range r.adapter.Environment.Set {
		if !variablePattern.MatchString(name) || strings.HasSuffix(name, "*") {
			r.Tell("environment.set", "%q is no name of a variable", name)
		}
	}
}

// rule checks and compiles one rule.
func (r *reader) rule(i int) {
	rule, path := &r.adapter.Rules[i], "read["+strconv.Itoa(i)+"]"
	var err error
	if rule.when, err = conditions(rule.When); err != nil {
		r.Tell(path+".when", "when: %v", err)
	}
	if rule.where, err = conditions(rule.Where); err != nil {
		r.Tell(path+".where", "where: %v", err)
	}
	if rule.Each == "" && len(rule.Where) > 0 {
		r.Tell(path+".where", "where goes with each: it chooses among the items of that list")
	}
	if rule.GivesUpAfter < 0 {
		r.Tell(path+".gives_up_after", "gives_up_after is 0 or more")
	}
	if rule.GivesUpAfter > 0 && rule.Failure == "" {
		r.Tell(path+".gives_up_after", "gives_up_after needs failure: the path of what is told then")
	}
	if rule.Answer != "" {
		m, err := readMessage(rule.Answer)
		if err != nil {
			r.Tell(path+".answer", "answer %v", err)
		}
		rule.answer = &m
		if len(r.adapter.Stay.Begin) == 0 {
			r.Tell(path+".answer", "answer needs [stay]: any other program has read all that it is told")
		}
	}
	if rule.Once && rule.Note == "" {
		r.Tell(path+".once", "once needs note: what is told only once")
	}
	for _, part := range strings.Split(rule.Note, "{")[1:] {
		if !strings.Contains(part, "}") {
			r.Tell(path+".note", "a brace of note is not closed")
		}
	}
}

// failure checks and compiles one failure.
func (r *reader) failure(i int) {
	f, path := &r.adapter.Failures[i], "failure["+strconv.Itoa(i)+"]"
	if f.Means == "" {
		r.Tell(path, "means is missing: one of %s", strings.Join(enum.Words(Meanings()), ", "))
	} else {
		r.word(path+".means", &f.Means, f.Means.String())
	}
	if len(f.Words)+len(f.Status)+len(f.Exit) == 0 {
		r.Tell(path, "a failure is known by words, status or exit, and this one has none")
	}
	if slices.ContainsFunc(f.Words, func(word string) bool { return len(strings.TrimSpace(word)) < len("abc") }) {
		r.Tell(path+".words", "words shorter than 3 characters would fit anything")
	}
	if slices.Contains(f.Exit, 0) {
		r.Tell(path+".exit", "a program that ends with 0 has not failed")
	}
	if plain.Line(f.Fix) != f.Fix || len(f.Fix) > maxText {
		r.Tell(path+".fix", "fix is too long, or has a line break or a hidden character in it")
	}
	if f.Says == "" {
		return
	}
	var err error
	if f.says, err = regexp.Compile(f.Says); err != nil {
		r.Tell(path+".says", "says is no regular expression: %v", err)
	} else if f.says.NumSubexp() != 1 {
		r.Tell(path+".says", "says has %d groups; it has one, which is what went wrong", f.says.NumSubexp())
	}
}

// output checks that a reply can come of it at all.
func (r *reader) output() {
	a := &r.adapter
	if a.Output.Form == Text {
		if len(a.Rules) > 0 {
			r.Tell("read[0]", `no rule reads an output of text: take it out, or write form = "lines" or "json"`)
		}
		if a.Arguments.Conversation == Told && a.Plain == nil {
			r.Tell("arguments.conversation", "an output of text tells no conversation, unless [plain] says where")
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
		r.Tell("output", "no [[read]] reads a reply: one of them says text, message or final")
	}
	if !told {
		r.Tell("arguments.conversation", "no [[read]] reads the conversation's name, and the program is to tell it")
	}
	if p := a.Plain; p != nil && p.From == "" {
		r.Tell("plain", "from is missing: the line after which the reply stands")
	}
}
