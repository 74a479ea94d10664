// Package program runs participants that are programs on this machine: agent programs such as codex and claude, and
// any program of the user's (exec:PATH).
//
// An Adapter describes an agent program. It is a TOML file: the ones in adapters/ are built in, users can add more,
// and docs/programs.md explains the format. The rules in the file turn each output line into events, so that no
// program needs code of its own. Package process runs the programs. Start at Adapter, then Program.Reply.
package program

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
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
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/internal/regular"
	"moot/state"
)

// Adapter describes how to talk to an agent program.
type Adapter struct {
	// Name is the start of the participant string: the file name without ".toml". File is the path of the file, or ""
	// if it is built in. Replaces says that it replaces a built-in adapter.
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
	Trust       Trust       `toml:"trust"`
	Arguments   Arguments   `toml:"arguments"`
	Output      Output      `toml:"output"`
	Stay        Stay        `toml:"stay"`
	Rules       []Rule      `toml:"read"`
	Plain       *Plain      `toml:"plain"`
	// Failures classify failures; the first match counts.
	Failures []Failure `toml:"failure"`

	// words are the arguments of a user-supplied program. If raw is set, its whole output is the reply.
	words []string
	raw   bool
}

// Version says how to ask the program for its version, and which versions were tested: "0.169" covers 0.169.3.
type Version struct {
	Arguments []string `toml:"arguments"`
	Tried     []string `toml:"tried"`
}

// Fix holds the commands that error messages suggest.
type Fix struct {
	Install string `toml:"install"`
	Login   string `toml:"login"`
	Update  string `toml:"update"`
}

// Environment lists the program's own variables ("CODEX_*" matches a prefix), and variables to set unless the user
// has set them.
type Environment struct {
	Keep []string          `toml:"keep"`
	Set  map[string]string `toml:"set"`
}

// Conversation says who chooses the id of a conversation.
type Conversation string

// The program reports an id, moot chooses a UUID, or the program does not keep conversations.
const (
	Reported       Conversation = "told"
	Chosen         Conversation = "chosen"
	NoConversation Conversation = "none"
)

// Trust describes where a program that runs only in trusted folders keeps their list.
type Trust struct {
	// Folders is a JSON file with an object: each key is a folder, its value TRUST_FOLDER, TRUST_PARENT
	// (the folder above it) or DO_NOT_TRUST. The longest key that covers a folder counts.
	Folders string `toml:"folders"`
	// Settings are JSON files. Switch is the path in them that is false if the program trusts all folders.
	Settings []string `toml:"settings"`
	Switch   string   `toml:"switch"`
	// Unless lists variables that override this. If one is set, moot leaves the check to the program.
	Unless []string `toml:"unless"`
	Fix    string   `toml:"fix"`
}

// Arguments are the command line of the program. In Begin and GoOn, an argument "{model...}", "{effort...}",
// "{system...}" or "{workspace...}" is replaced by the list of that name, if it applies. In these lists, {model},
// {effort}, {system}, {workspace} and {conversation} are replaced by the text.
type Arguments struct {
	Begin        []string     `toml:"begin"`
	GoOn         []string     `toml:"go_on"`
	Conversation Conversation `toml:"conversation"`
	// Model applies if the user named a model, Default otherwise.
	Model   []string `toml:"model"`
	Default []string `toml:"default"`
	Effort  []string `toml:"effort"`
	System  []string `toml:"system"`
	// Workspace applies in a workspace, Alone in an empty folder. Copy replaces Workspace in a copy of files under
	// review that has none which steer programs.
	Workspace []string `toml:"workspace"`
	Copy      []string `toml:"copy"`
	Alone     []string `toml:"alone"`
}

// Stay says how to keep a program running between turns. Each turn is a line on standard input, and it ends with an
// output line that matches a Rule with Done. Lines are JSON objects with placeholders such as "{prompt}" in their
// strings. After a line with an id, moot waits for the answer; an error answer ends the turn (JSON-RPC 2.0).
type Stay struct {
	Begin []string `toml:"begin"`
	GoOn  []string `toml:"go_on"`
	// Hello are the first lines. Open or Reopen comes next, for a new or an existing conversation. Message is the
	// line for a turn.
	Hello   []string `toml:"hello"`
	Open    string   `toml:"open"`
	Reopen  string   `toml:"reopen"`
	Message string   `toml:"message"`
	// Conversation is the path of the conversation id in output lines. Lines of other conversations are ignored.
	Conversation string `toml:"conversation"`

	hello                 []message
	open, reopen, message message
}

// Count says what a reported number covers.
type Count string

// One step of a turn, the turn, or the conversation so far.
const (
	PerStep         Count = "step"
	PerTurn         Count = "turn"
	PerConversation Count = "conversation"
)

// Counts returns every Count.
func Counts() []Count { return []Count{PerStep, PerTurn, PerConversation} }

// Output says how numbers are counted.
type Output struct {
	Tokens Count `toml:"tokens"`
	Cost   Count `toml:"cost"`
}

// Rule reads lines whose values match When. Paths use the syntax of github.com/tidwall/gjson.
type Rule struct {
	// When maps a path to the value that it must have, or to a list of values. A value ending in "*" matches a
	// prefix, and "*" matches anything that is not empty.
	When map[string]any `toml:"when"`

	// Conversation and Model are the paths of those names. Text is the path of the next piece of the reply, Thought
	// of a thought, Message of a whole message (the last one is the reply), and Final of the reply itself.
	Conversation string `toml:"conversation"`
	Model        string `toml:"model"`
	Text         string `toml:"text"`
	Thought      string `toml:"thought"`
	Message      string `toml:"message"`
	Final        string `toml:"final"`
	// Note is a text with paths in braces. If Once is set, it is shown once per session.
	Note             string `toml:"note"`
	Once             bool   `toml:"once"`
	WaitMilliseconds string `toml:"wait_ms"`
	// PromptTokens and CompletionTokens are paths whose numbers are added up.
	PromptTokens     []string `toml:"prompt_tokens"`
	CompletionTokens []string `toml:"completion_tokens"`
	Cost             string   `toml:"cost"`
	// Failure is the path of the error message, and Status of the HTTP status.
	Failure string `toml:"failure"`
	Status  string `toml:"status"`
	// Resets is the path of the Unix time at which a limit ends.
	Resets string `toml:"resets"`
	// Answer is a line like those of Stay, with paths as placeholders.
	Answer string `toml:"answer"`
	// Anew discards the reply so far. Done ends the turn.
	Anew bool `toml:"anew"`
	Done bool `toml:"done"`
	// GivesUpAfter stops the program after this many matching lines.
	GivesUpAfter int `toml:"gives_up_after"`

	when   []condition
	answer *message
}

// Plain reads output without known lines: the reply is between the lines From and Until, and the conversation id
// follows Conversation on its line.
type Plain struct {
	Conversation string `toml:"conversation"`
	From         string `toml:"from"`
	Until        string `toml:"until"`
}

// Meaning classifies a failure.
type Meaning string

// The meanings.
const (
	Lost    Meaning = "lost"    // the conversation is unknown
	Login   Meaning = "login"   // not logged in
	Refused Meaning = "refused" // the key or login is not accepted
	Busy    Meaning = "busy"    // too many calls, or no credit
	Away    Meaning = "away"    // the model's server fails
	Cut     Meaning = "cut"     // the reply broke off
	Long    Meaning = "long"    // the prompt does not fit
	Unknown Meaning = "flag"    // an unknown flag, so another version
	Setting Meaning = "setting" // wrong settings or model
	// Declined says that the model declined to answer, Filtered that a filter stopped it.
	Declined Meaning = "declined"
	Filtered Meaning = "filtered"
)

// Meanings returns every Meaning.
func Meanings() []Meaning {
	return []Meaning{Lost, Login, Refused, Busy, Away, Cut, Long, Unknown, Setting, Declined, Filtered}
}

// kind returns the kind of failure for the record.
func (m Meaning) kind() state.FailureKind {
	switch m {
	case Login, Refused:
		return state.FailureLogin
	case Busy:
		return state.FailureLimit
	case Long:
		return state.FailureContext
	case Declined:
		return state.FailureRefused
	case Filtered:
		return state.FailureFiltered
	case Lost, Away, Cut, Unknown, Setting:
	}
	return state.FailureUnreachable
}

// Failure is recognized by words in the error message or on standard error, by an HTTP status, or by an exit code.
// Says is a regular expression with a group for the reason on standard error. Fix says what to do.
type Failure struct {
	Means  Meaning  `toml:"means"`
	Words  []string `toml:"words"`
	Status []int    `toml:"status"`
	Exit   []int    `toml:"exit"`
	Says   string   `toml:"says"`
	Fix    string   `toml:"fix"`

	says *regexp.Regexp
}

// keeps reports whether the program keeps a conversation across turns.
func (a *Adapter) keeps() bool {
	return a.Arguments.Conversation != NoConversation && len(a.Arguments.GoOn) > 0
}

// stays reports whether the program can be kept running between turns.
func (a *Adapter) stays() bool { return a.keeps() && len(a.Stay.Begin) > 0 }

// ends reports whether a rule ends a turn.
func (a *Adapter) ends() bool {
	return slices.ContainsFunc(a.Rules, func(r Rule) bool { return r.Done })
}

//go:embed adapters/*.toml
var built embed.FS

// BuiltIn returns the names of the built-in adapters.
func BuiltIn() []string { return []string{"codex", "claude", "gemini-cli", "opencode", "qwen-code"} }

func builtIn(name string) (Adapter, error) {
	data, err := built.ReadFile("adapters/" + name + ".toml")
	if err != nil {
		return Adapter{}, fmt.Errorf("read the built-in adapter %s: %w", name, err)
	}
	return Read(name, name+".toml", data)
}

// Names returns the names of adapters.
func Names(known []Adapter) []string {
	return lists.Map(known, func(one Adapter) string { return one.Name })
}

// Known returns the built-in adapters and those in a folder, which may be "" or missing. A file overrides the
// built-in adapter with its name. If a file cannot be read, it is reported and that adapter is left out.
func Known(folder string) ([]Adapter, []config.Problem) {
	const maxFiles = 1000
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
	presets, _ := endpoint.Presets() // the file is built in and tested
	for i := range presets {
		reserved = append(reserved, presets[i].Name)
	}
	namePattern := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]*$`)
	for _, entry := range entries[:min(len(entries), maxFiles)] {
		name, isTOML := strings.CutSuffix(entry.Name(), ".toml")
		path := filepath.Join(folder, entry.Name())
		at := slices.IndexFunc(known, func(a Adapter) bool { return a.Name == name })
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
		case at >= 0:
			known = slices.Delete(known, at, at+1)
		}
		data, err := regular.Read(path, MaxBytes)
		if err != nil {
			problem(path, errors.New("cannot be read: "+reason(err)))
			continue
		}
		a, err := Read(name, path, data)
		if err != nil {
			problem(path, err)
			continue
		}
		a.File = path
		if a.Replaces = at >= 0; !a.Replaces {
			at = len(known)
		}
		known = slices.Insert(known, at, a)
	}
	return known, problems
}

// reason is the error without the path.
func reason(err error) string {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		return inner.Err.Error()
	}
	return err.Error()
}

// MaxBytes is the maximum size of an adapter file.
const MaxBytes = 1 << 17

// reader parses and checks an adapter file.
type reader struct {
	config.Reader

	adapter Adapter
}

// Read parses an adapter. name is the start of the participant string, and file is for errors. The error is
// config.Problems with all problems and their lines.
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

// word checks a word of a closed list and sets the default.
func word[T ~string](r *reader, path, what string, into *T, otherwise T, known []T) {
	*into = cmp.Or(*into, otherwise)
	if _, err := enum.Parse(what, string(*into), known); err != nil {
		r.Tell(path, "%v", err)
	}
}

// maxText is the maximum length of a displayed text.
const maxText = 2000

// check validates and compiles the adapter.
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
		{"trust.fix", a.Trust.Fix, ""},
	} {
		if t.missing != "" && strings.TrimSpace(t.text) == "" {
			r.Tell(t.path, "%s is missing: %s", t.path, t.missing)
		}
		r.line(t.path, t.text)
	}
	word(r, "arguments.conversation", "way of naming a conversation",
		&a.Arguments.Conversation, NoConversation, []Conversation{Reported, Chosen, NoConversation})
	word(r, "output.tokens", "way of counting", &a.Output.Tokens, PerTurn, Counts())
	word(r, "output.cost", "way of counting", &a.Output.Cost, PerTurn, Counts())
	r.places()
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
	arguments := &a.Arguments
	continues := arguments.Conversation != NoConversation
	r.require([]requirement{
		{replies, "output", "no [[read]] reads a reply: one of them has text, message or final"},
		{
			named, "arguments.conversation",
			"no [[read]] reads the name of the conversation, which the program reports",
		},
		{a.Plain == nil || a.Plain.From != "", "plain", "from is missing: the line before the reply"},
		{
			continues || len(arguments.GoOn) == 0, "arguments.go_on",
			`go_on needs conversation = "told" if the program names it, or "chosen" if moot does`,
		},
		{
			!continues || holdsConversation(arguments.GoOn), "arguments",
			"go_on has no {conversation}: which one does the program continue?",
		},
		{
			arguments.Conversation != Chosen || holdsConversation(arguments.Begin), "arguments.begin",
			"begin has no {conversation}, and moot is to choose it",
		},
	})
	r.stay()
}

// places checks the placeholders of all arguments.
func (r *reader) places() {
	a := &r.adapter
	arguments := &a.Arguments
	whole := []string{"conversation", "workspace", "model...", "effort...", "system...", "workspace..."}
	for _, list := range []struct {
		path        string
		list, known []string
	}{
		{"arguments.begin", arguments.Begin, whole},
		{"arguments.go_on", arguments.GoOn, whole},
		{"arguments.model", arguments.Model, []string{"model"}},
		{"arguments.default", arguments.Default, nil},
		{"arguments.effort", arguments.Effort, []string{"effort"}},
		{"arguments.system", arguments.System, []string{"system"}},
		{"arguments.workspace", arguments.Workspace, []string{"workspace"}},
		{"arguments.copy", arguments.Copy, []string{"workspace"}},
		{"arguments.alone", arguments.Alone, []string{"workspace"}},
		{"stay.begin", a.Stay.Begin, whole},
		{"stay.go_on", a.Stay.GoOn, whole},
	} {
		for _, argument := range list.list {
			for _, found := range placePattern.FindAllStringSubmatch(argument, -1) {
				if !slices.Contains(list.known, found[1]) {
					near := enum.Nearest(found[1], list.known)
					r.Tell(list.path, "unknown placeholder %s%s", found[0], config.Meant(near))
				}
			}
		}
	}
}

// stay validates and compiles the section about keeping the program running.
func (r *reader) stay() {
	a := &r.adapter
	s := &a.Stay
	places := []string{"conversation", "model", "effort", "folder"}
	for _, line := range s.Hello {
		s.hello = append(s.hello, r.message("hello", line, places))
	}
	s.open, s.reopen = r.message("open", s.Open, places), r.message("reopen", s.Reopen, places)
	s.message = r.message("message", s.Message, append(places, "prompt"))
	if len(s.Begin)+len(s.GoOn) == 0 && s.Message == "" {
		return
	}
	r.require([]requirement{
		{
			len(s.Begin) > 0 && len(s.GoOn) > 0, "stay",
			"stay needs begin and go_on: the arguments with which the program stays up",
		},
		{
			slices.Contains(s.message.places(), "prompt"), "stay",
			"stay needs message: the line of a turn, with {prompt}",
		},
		{
			a.keeps() && holdsConversation(append([]string{s.Reopen}, s.GoOn...)), "stay",
			"stay needs {conversation} like [arguments]: a program that stays up continues a conversation",
		},
		{a.ends(), "stay", "stay needs a [[read]] with done = true: when is a turn over?"},
	})
}

// requirement is a condition that an adapter must meet, with its path and the problem otherwise.
type requirement struct {
	met        bool
	path, what string
}

func (r *reader) require(all []requirement) {
	for _, one := range all {
		if !one.met {
			r.Tell(one.path, "%s", one.what)
		}
	}
}

// line checks a displayed text.
func (r *reader) line(path, text string) {
	if plain.Line(text) != text || len(text) > maxText {
		r.Tell(path, "%s is too long, or has a line break, or a control or hidden character in it", path)
	}
}

func holdsConversation(list []string) bool {
	return slices.ContainsFunc(list, func(argument string) bool { return strings.Contains(argument, "{conversation}") })
}

// placePattern matches a placeholder. JSON arguments contain braces too.
var placePattern = regexp.MustCompile(`\{([a-z_]+(?:\.{3})?)\}`)

// rule compiles one rule.
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
	if rule.Answer != "" {
		m, err := readMessage(rule.Answer)
		if err != nil {
			r.Tell(path+".answer", "answer %v", err)
		}
		rule.answer = &m
	}
}

// failure validates and compiles a failure.
func (r *reader) failure(f *Failure, path string) {
	word(r, path+".means", "meaning of a failure", &f.Means, "", Meanings())
	r.line(path+".fix", f.Fix)
	if len(f.Words)+len(f.Status)+len(f.Exit) == 0 {
		r.Tell(path, "a failure needs words, status or exit, to be recognized by")
	}
	if f.Says != "" {
		var err error
		if f.says, err = regexp.Compile(f.Says); err != nil {
			r.Tell(path+".says", "says is not a regular expression: %v", err)
		}
	}
}

// message parses a line to send to the program.
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
