// Package program seats the programs that run on this machine: agent programs
// such as codex and claude, and any program of the user's own (exec:PATH).
//
// An agent program is described by an Adapter, a file of TOML: adapters/*.toml are
// built in, a user adds more, and docs/programs.md explains the format. The rules
// of the file turn each line of output into events, without code for any program.
// Package process runs the programs. Start at Adapter, then Program.Reply.
package program

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/agent/endpoint"
	"moot/config"
	"moot/internal/enum"
	"moot/internal/plain"
)

// Adapter describes how to speak to one agent program.
type Adapter struct {
	// Name begins the participant's string: the file's name without ".toml". File is
	// its path, "" if it is built in; Replaces says that it replaces a built-in one.
	Name     string `toml:"-"`
	File     string `toml:"-"`
	Replaces bool   `toml:"-"`

	Title    string `toml:"title"`
	Command  string `toml:"command"`
	ReadOnly string `toml:"read_only"`
	Notes    string `toml:"notes"`

	Version     Version     `toml:"version"`
	Fix         Fix         `toml:"fix"`
	Environment Environment `toml:"environment"`
	Arguments   Arguments   `toml:"arguments"`
	Output      Output      `toml:"output"`
	Stay        Stay        `toml:"stay"`
	Rules       []Rule      `toml:"read"`
	Plain       *Plain      `toml:"plain"`
	// Failures explain what went wrong; the first that fits counts.
	Failures []Failure `toml:"failure"`
}

// Version says how the program reports its version, and which were tried: "0.169"
// covers 0.169.3.
type Version struct {
	Arguments []string `toml:"arguments"`
	Tried     []string `toml:"tried"`
}

// Fix holds the commands that messages name.
type Fix struct {
	Install string `toml:"install"`
	Login   string `toml:"login"`
	Update  string `toml:"update"`
}

// Environment lists the program's own variables, "CODEX_*" for all with that
// beginning, and variables that it gets unless the user has set them.
type Environment struct {
	Keep []string          `toml:"keep"`
	Set  map[string]string `toml:"set"`
}

// Conversation says who names a conversation.
type Conversation string

// The ways to name a conversation: the program reports its name, moot chooses a
// UUID, or the program keeps no conversation.
const (
	Reported       Conversation = "told"
	Chosen         Conversation = "chosen"
	NoConversation Conversation = "none"
)

// Conversations returns all of them.
func Conversations() []Conversation { return []Conversation{Reported, Chosen, NoConversation} }

// Arguments start the program. In Begin and GoOn an argument
// "{model...}", "{effort...}", "{system...}", "{schema...}" or "{workspace...}" is
// replaced by the list of that name if it applies; in the lists {model}, {effort},
// {system}, {schema} (a file), {workspace} and {conversation} are replaced by the
// text itself.
type Arguments struct {
	Begin        []string     `toml:"begin"`
	GoOn         []string     `toml:"go_on"`
	Conversation Conversation `toml:"conversation"`
	// Model applies if a model was named, Default otherwise.
	Model   []string `toml:"model"`
	Default []string `toml:"default"`
	Effort  []string `toml:"effort"`
	System  []string `toml:"system"`
	Schema  []string `toml:"schema"`
	// Workspace applies in a workspace, Alone in an empty folder.
	Workspace []string `toml:"workspace"`
	Alone     []string `toml:"alone"`
}

// Stay says how to keep a program running between turns. Each turn is a line on
// its standard input and ends with the line of a Rule that has Done. Lines are JSON
// objects with places such as "{prompt}" in their texts. A line with an id waits
// for its answer; an answer that is an error ends the turn (JSON-RPC 2.0).
type Stay struct {
	Begin []string `toml:"begin"`
	GoOn  []string `toml:"go_on"`
	// Hello are the first lines, Open or Reopen is the next one, for a new or an old
	// conversation, and Message is the line of a turn.
	Hello   []string `toml:"hello"`
	Open    string   `toml:"open"`
	Reopen  string   `toml:"reopen"`
	Message string   `toml:"message"`
	// Conversation is the path at which a line names its conversation: lines of
	// other conversations are not part of the turn.
	Conversation string `toml:"conversation"`

	hello                 []message
	open, reopen, message message
}

// Count says what a number that the program reports covers.
type Count string

// The counts: one step of a turn, the turn, or all turns of the conversation so far.
const (
	PerStep         Count = "step"
	PerTurn         Count = "turn"
	PerConversation Count = "conversation"
)

// Counts returns all of them.
func Counts() []Count { return []Count{PerStep, PerTurn, PerConversation} }

// Output says how numbers are counted.
type Output struct {
	// Form is "lines" or missing: one JSON object per line.
	Form   string `toml:"form"`
	Tokens Count  `toml:"tokens"`
	Cost   Count  `toml:"cost"`
}

// Rule reads a line whose values match When. Paths have the syntax of
// github.com/tidwall/gjson.
type Rule struct {
	// When maps a path to the text that it must have, or to a list of texts. A text
	// that ends in a star is the beginning of one, and "*" any but none.
	When map[string]any `toml:"when"`

	// Conversation and Model are paths of names. Text is the path of the next piece
	// of the reply, Thought of a thought; Message of a whole message, the last of
	// which is the reply; Final of the reply itself.
	Conversation string `toml:"conversation"`
	Model        string `toml:"model"`
	Text         string `toml:"text"`
	Thought      string `toml:"thought"`
	Message      string `toml:"message"`
	Final        string `toml:"final"`
	// Note is a text with paths in braces; Once shows it only once per session.
	Note             string `toml:"note"`
	Once             bool   `toml:"once"`
	WaitMilliseconds string `toml:"wait_ms"`
	// PromptTokens and CompletionTokens are paths of numbers that are added.
	PromptTokens     []string `toml:"prompt_tokens"`
	CompletionTokens []string `toml:"completion_tokens"`
	Cost             string   `toml:"cost"`
	// Failure is the path of what went wrong, Status that of an HTTP status.
	Failure string `toml:"failure"`
	Status  string `toml:"status"`
	// Answer is a line like those of Stay, with paths as places.
	Answer string `toml:"answer"`
	// Anew discards the reply so far, Done ends the turn.
	Anew bool `toml:"anew"`
	Done bool `toml:"done"`
	// GivesUpAfter is the number of such lines after which the program is stopped.
	GivesUpAfter int `toml:"gives_up_after"`

	when   []condition
	answer *message
}

// Plain reads an output without known lines: the reply is between the lines From
// and Until, and the name of the conversation follows Conversation on its line.
type Plain struct {
	Conversation string `toml:"conversation"`
	From         string `toml:"from"`
	Until        string `toml:"until"`
}

// Meaning classifies a failure.
type Meaning string

// The meanings.
const (
	Lost     Meaning = "lost"    // the program does not know the conversation
	Login    Meaning = "login"   // nobody is logged in
	Refused  Meaning = "refused" // the key or login is not accepted
	Busy     Meaning = "busy"    // too many calls, or no credit
	Away     Meaning = "away"    // the model's server fails
	Cut      Meaning = "cut"     // the reply broke off
	Long     Meaning = "long"    // the prompt does not fit
	NoSchema Meaning = "schema"  // the schema of the reply was refused
	Unknown  Meaning = "flag"    // an unknown flag: another version
	Setting  Meaning = "setting" // wrong settings or model
)

// Meanings returns all of them.
func Meanings() []Meaning {
	return []Meaning{Lost, Login, Refused, Busy, Away, Cut, Long, NoSchema, Unknown, Setting}
}

// Failure is recognized by words in the failure or on standard error, by an HTTP
// status, or by an exit code. Says is a regular expression with one group for the
// reason on standard error; Fix says what to do.
type Failure struct {
	Means  Meaning  `toml:"means"`
	Words  []string `toml:"words"`
	Status []int    `toml:"status"`
	Exit   []int    `toml:"exit"`
	Says   string   `toml:"says"`
	Fix    string   `toml:"fix"`

	says *regexp.Regexp
}

// keeps reports that the program keeps a conversation across turns.
func (a *Adapter) keeps() bool {
	return a.Arguments.Conversation != NoConversation && len(a.Arguments.GoOn) > 0
}

// stays reports that the program can be kept running between turns.
func (a *Adapter) stays() bool { return a.keeps() && len(a.Stay.Begin) > 0 }

// ends reports whether the file says what ends a turn.
func (a *Adapter) ends() bool {
	return slices.ContainsFunc(a.Rules, func(r Rule) bool { return r.Done })
}

//go:embed adapters/*.toml
var built embed.FS

// BuiltIn returns the names of the built-in adapters.
func BuiltIn() []string { return []string{"codex", "claude", "gemini-cli", "opencode"} }

func builtIn(name string) (Adapter, error) {
	data, err := built.ReadFile("adapters/" + name + ".toml")
	if err != nil {
		return Adapter{}, fmt.Errorf("read the built-in adapter %s: %w", name, err)
	}
	return Read(name, name+".toml", data)
}

// Names returns the names of adapters.
func Names(known []Adapter) []string {
	names := make([]string, len(known))
	for i := range known {
		names[i] = known[i].Name
	}
	return names
}

// Known returns the built-in adapters and those of a folder, which may be "" or
// missing. A file replaces the built-in adapter of its name. A file that cannot be
// read is reported and left out, together with that adapter.
func Known(folder string) ([]Adapter, []config.Problem) {
	const maxFiles = 100
	var known []Adapter
	var problems []config.Problem
	problem := func(file string, err error) {
		if several, ok := errors.AsType[config.Problems](err); ok {
			problems = append(problems, several...)
		} else {
			problems = append(problems, config.Problem{File: file, What: err.Error()})
		}
	}
	for _, name := range BuiltIn() {
		a, err := builtIn(name)
		if err != nil {
			problem(name, err)
			continue
		}
		known = append(known, a)
	}
	if folder == "" {
		return known, problems
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			problem(folder, errors.New("cannot be read: "+reason(err)))
		}
		return known, problems
	}
	reserved := []string{"rules", "me", "script", "exec", "http", "https"}
	presets, _ := endpoint.Presets() // A test reads the built-in file.
	for i := range presets {
		reserved = append(reserved, presets[i].Name)
	}
	namePattern := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]*$`)
	files := 0
	for _, entry := range entries {
		name, isTOML := strings.CutSuffix(entry.Name(), ".toml")
		path := filepath.Join(folder, entry.Name())
		switch {
		case !isTOML || entry.IsDir() || strings.HasPrefix(name, "."):
			continue
		case !namePattern.MatchString(name):
			const rule = "%q cannot name a participant: start with a letter, and use letters, digits, dots, dashes " +
				"and underscores"
			problem(path, fmt.Errorf(rule, plain.Line(name)))
			continue
		case slices.Contains(reserved, name):
			problem(path, fmt.Errorf("%s is the name of another kind of participant: rename the file", name))
			continue
		}
		if files++; files > maxFiles {
			problem(path, fmt.Errorf("more than %d adapters; the rest is left out", maxFiles))
			break
		}
		at := slices.IndexFunc(known, func(a Adapter) bool { return a.Name == name })
		a, err := readFile(name, path)
		if err != nil {
			problem(path, err)
			if at >= 0 {
				known = slices.Delete(known, at, at+1)
			}
			continue
		}
		if a.Replaces = at >= 0; a.Replaces {
			known[at] = a
		} else {
			known = append(known, a)
		}
	}
	return known, problems
}

func readFile(name, path string) (Adapter, error) {
	file, err := os.Open(path)
	if err != nil {
		return Adapter{}, errors.New("cannot be read: " + reason(err))
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return Adapter{}, errors.New("is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err != nil {
		return Adapter{}, errors.New("cannot be read: " + reason(err))
	}
	a, err := Read(name, path, data)
	a.File = path
	return a, err
}

// reason is the error without the path.
func reason(err error) string {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		return inner.Err.Error()
	}
	return err.Error()
}

// MaxBytes is the largest file of an adapter.
const MaxBytes = 1 << 17

// reader turns a file into an adapter.
type reader struct {
	config.Reader

	adapter Adapter
}

// Read reads an adapter; name begins the participant's string, file is for errors.
// The error is of type config.Problems and lists all problems with their lines.
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

// word checks a word of a closed list, which the decoder does not.
func word[T ~string](r *reader, path, what string, into *T, otherwise T, known []T) {
	if *into == "" {
		*into = otherwise
	}
	if _, err := enum.Parse(what, string(*into), known); err != nil {
		r.Tell(path, "%v", err)
	}
}

// maxText bounds a text that is shown.
const maxText = 2000

// check checks and compiles the adapter.
func (r *reader) check() {
	a := &r.adapter
	for _, t := range []struct{ path, text, missing string }{
		{"title", a.Title, "what people call the program"},
		{"command", a.Command, "the program on the PATH, or its path"},
		{"read_only", a.ReadOnly, "how the program is kept from writing, or that nothing keeps it"},
		{"notes", a.Notes, ""},
		{"fix.install", a.Fix.Install, ""},
		{"fix.login", a.Fix.Login, ""},
		{"fix.update", a.Fix.Update, ""},
	} {
		switch {
		case t.missing != "" && strings.TrimSpace(t.text) == "":
			r.Tell(t.path, "%s is missing: %s", t.path, t.missing)
		case len(t.text) > maxText:
			r.Tell(t.path, "%s is longer than %d bytes", t.path, maxText)
		case plain.Line(t.text) != t.text:
			r.Tell(t.path, "%s has a line break, or a control or hidden character in it", t.path)
		}
	}
	if strings.HasPrefix(a.Command, "-") {
		r.Tell("command", "command begins with a dash")
	}
	if a.Output.Form != "" && a.Output.Form != "lines" {
		r.Tell("output.form", "form %q was removed: an adapter reads lines of JSON; "+
			"use exec:PATH for a program that writes only its reply", a.Output.Form)
	}
	word(r, "arguments.conversation", "way of naming a conversation",
		&a.Arguments.Conversation, NoConversation, Conversations())
	word(r, "output.tokens", "way of counting", &a.Output.Tokens, PerTurn, Counts())
	word(r, "output.cost", "way of counting", &a.Output.Cost, PerTurn, Counts())
	r.arguments()
	variable := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)
	for _, name := range a.Environment.Keep {
		if !variable.MatchString(name) {
			r.Tell("environment.keep", "%q is not a name of a variable", name)
		}
	}
	for name := range a.Environment.Set {
		if !variable.MatchString(name) || strings.HasSuffix(name, "*") {
			r.Tell("environment.set", "%q is not a name of a variable", name)
		}
	}
	const maxRules = 200
	if len(a.Rules) > maxRules || len(a.Failures) > maxRules {
		r.Tell("read["+strconv.Itoa(maxRules)+"]", "more than %d rules or failures", maxRules)
		return
	}
	replies, named := false, a.Arguments.Conversation != Reported
	for i := range a.Rules {
		rule := &a.Rules[i]
		r.rule(rule, "read["+strconv.Itoa(i)+"]")
		replies = replies || rule.Text != "" || rule.Message != "" || rule.Final != ""
		named = named || rule.Conversation != ""
	}
	for i := range a.Failures {
		r.failure(&a.Failures[i], "failure["+strconv.Itoa(i)+"]")
	}
	if !replies {
		r.Tell("output", "no [[read]] reads a reply: one of them has text, message or final")
	}
	if !named {
		r.Tell("arguments.conversation", "no [[read]] reads the name of the conversation, which the program reports")
	}
	if p := a.Plain; p != nil && p.From == "" {
		r.Tell("plain", "from is missing: the line before the reply")
	}
	r.stay()
}

func holdsConversation(list []string) bool {
	return slices.ContainsFunc(list, func(argument string) bool { return strings.Contains(argument, "{conversation}") })
}

func (r *reader) arguments() {
	a := &r.adapter.Arguments
	switch {
	case len(a.Begin) == 0 && len(a.GoOn) > 0:
		r.Tell("arguments", "begin is missing: the arguments of the first turn")
	case a.Conversation == NoConversation && len(a.GoOn) > 0:
		r.Tell("arguments.go_on", `go_on needs conversation = "told" if the program names it, or "chosen" if moot does`)
	case a.Conversation != NoConversation && !holdsConversation(a.GoOn):
		r.Tell("arguments", "go_on has no {conversation}: which one does the program continue?")
	case a.Conversation == Chosen && !holdsConversation(a.Begin):
		r.Tell("arguments.begin", "begin has no {conversation}, and moot is to choose it")
	}
	for _, list := range []struct {
		path   string
		list   []string
		places []string
	}{
		{"begin", a.Begin, []string{"conversation", "workspace"}},
		{"go_on", a.GoOn, []string{"conversation", "workspace"}},
		{"model", a.Model, []string{"model"}},
		{"default", a.Default, nil},
		{"effort", a.Effort, []string{"effort"}},
		{"system", a.System, []string{"system"}},
		{"schema", a.Schema, []string{"schema"}},
		{"workspace", a.Workspace, []string{"workspace"}},
		{"alone", a.Alone, []string{"workspace"}},
	} {
		r.places("arguments."+list.path, list.list, list.places)
	}
}

// placePattern matches a placeholder; arguments of JSON have braces too.
var placePattern = regexp.MustCompile(`\{([a-z_]+)(\.{3})?\}`)

// places checks the placeholders of a list.
func (r *reader) places(path string, list, known []string) {
	lists := []string{"model", "effort", "system", "schema", "workspace"}
	for _, argument := range list {
		for _, found := range placePattern.FindAllStringSubmatch(argument, -1) {
			name, isList := found[1], found[2] != ""
			switch {
			case isList &&
				(argument != found[0] || !slices.Contains(lists, name) || !slices.Contains(known, "conversation")):
				const rule = "%s is an argument of its own in begin or go_on, for one of the lists %s"
				r.Tell(path, rule, found[0], strings.Join(lists, ", "))
			case !isList && !slices.Contains(known, name):
				r.Tell(path, "unknown placeholder %s%s", found[0], config.Meant(enum.Nearest(name, known)))
			}
		}
	}
}

// rule checks and compiles one rule.
func (r *reader) rule(rule *Rule, path string) {
	for _, at := range slices.Sorted(maps.Keys(rule.When)) {
		c := condition{path: at}
		values, several := rule.When[at].([]any)
		if !several {
			values = []any{rule.When[at]}
		}
		for _, v := range values {
			switch v.(type) {
			case string, bool, int64:
				c.texts = append(c.texts, fmt.Sprint(v))
			default:
				r.Tell(path+".when", "when: %s has to be a text, true, false or a whole number, or a list of those", at)
			}
		}
		rule.when = append(rule.when, c)
	}
	switch {
	case rule.GivesUpAfter < 0:
		r.Tell(path+".gives_up_after", "gives_up_after is 0 or more")
	case rule.GivesUpAfter > 0 && rule.Failure == "":
		r.Tell(path+".gives_up_after", "gives_up_after needs failure: the path of the message")
	case rule.Once && rule.Note == "":
		r.Tell(path+".once", "once needs note: the text that is shown only once")
	case strings.Count(rule.Note, "{") != strings.Count(rule.Note, "}"):
		r.Tell(path+".note", "a brace of note is not closed")
	}
	if rule.Answer != "" {
		m, err := readMessage(rule.Answer)
		if err != nil {
			r.Tell(path+".answer", "answer %v", err)
		}
		rule.answer = &m
		if len(r.adapter.Stay.Begin) == 0 {
			r.Tell(path+".answer", "answer needs [stay]: no other program reads it")
		}
	}
}

// failure checks and compiles one failure.
func (r *reader) failure(f *Failure, path string) {
	if f.Means == "" {
		r.Tell(path, "means is missing: one of %s", strings.Join(enum.Words(Meanings()), ", "))
	} else {
		word(r, path+".means", "meaning of a failure", &f.Means, "", Meanings())
	}
	switch {
	case len(f.Words)+len(f.Status)+len(f.Exit) == 0:
		r.Tell(path, "a failure needs words, status or exit, to be recognized by")
	case slices.ContainsFunc(f.Words, func(word string) bool { return len(strings.TrimSpace(word)) < len("abc") }):
		r.Tell(path+".words", "words shorter than 3 characters would fit anything")
	case slices.Contains(f.Exit, 0):
		r.Tell(path+".exit", "a program that ends with 0 has not failed")
	case plain.Line(f.Fix) != f.Fix || len(f.Fix) > maxText:
		r.Tell(path+".fix", "fix is too long, or has a line break or a hidden character in it")
	}
	if f.Says == "" {
		return
	}
	var err error
	if f.says, err = regexp.Compile(f.Says); err != nil {
		r.Tell(path+".says", "says is not a regular expression: %v", err)
	} else if f.says.NumSubexp() != 1 {
		r.Tell(path+".says", "says has %d groups; it needs one, for the reason", f.says.NumSubexp())
	}
}

// stay checks how the program is kept running, if it is.
func (r *reader) stay() {
	a := &r.adapter
	s := &a.Stay
	if len(s.Begin)+len(s.GoOn)+len(s.Hello) == 0 && s.Open+s.Reopen+s.Message+s.Conversation == "" {
		return
	}
	if len(s.Begin) == 0 || len(s.GoOn) == 0 {
		r.Tell("stay", "stay needs begin and go_on: the arguments with which the program stays up")
	}
	for _, list := range []struct {
		path string
		list []string
	}{{"stay.begin", s.Begin}, {"stay.go_on", s.GoOn}} {
		if slices.Contains(list.list, "{schema...}") {
			r.Tell(list.path, "{schema...} cannot be part of stay: each turn has its own schema "+
				"in its message or prompt")
		}
		r.places(list.path, list.list, []string{"conversation", "workspace"})
	}
	if slices.Contains(s.Begin, "{system...}") != slices.Contains(s.GoOn, "{system...}") {
		r.Tell("stay", "{system...} belongs in both begin and go_on of stay, or in neither")
	}
	if (s.Open == "") != (s.Reopen == "") {
		r.Tell("stay", "stay has open and reopen, for a new conversation and for an old one, or neither")
	}
	places := []string{"conversation", "model", "effort", "folder"}
	for _, line := range s.Hello {
		s.hello = append(s.hello, r.message("hello", line, places))
	}
	s.open, s.reopen = r.message("open", s.Open, places), r.message("reopen", s.Reopen, places)
	if s.Message == "" {
		r.Tell("stay", "stay needs message: the line of a turn")
	} else if s.message = r.message("message", s.Message, append(places, "prompt", "schema")); s.message.value != nil &&
		!slices.Contains(s.message.places(), "prompt") {
		r.Tell("stay.message", "message has no {prompt}: where does the prompt go?")
	}
	if !a.keeps() || !holdsConversation(append([]string{s.Reopen}, s.GoOn...)) ||
		a.Arguments.Conversation == Chosen && !holdsConversation(append([]string{s.Open}, s.Begin...)) {
		r.Tell("stay", "stay needs {conversation} like [arguments]: a program that stays up continues a conversation")
	}
	if !a.ends() {
		r.Tell("stay", `stay needs a [[read]] with done = true: when is a turn over?`)
	}
}

// message reads one line for the program.
func (r *reader) message(key, line string, known []string) message {
	if line == "" {
		return message{}
	}
	m, err := readMessage(line)
	if err == nil {
		err = m.readID(line)
	}
	if err != nil {
		r.Tell("stay."+key, "%s %v", key, err)
		return message{}
	}
	for _, place := range m.places() {
		if !slices.Contains(known, place) {
			r.Tell("stay."+key, "unknown placeholder {%s}%s", place, config.Meant(enum.Nearest(place, known)))
		}
	}
	return m
}
