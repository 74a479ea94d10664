package program

import (
	"regexp"

	"moot/enum"
)

// Adapter is how one agent program is spoken to: a file of TOML. The fields that
// are lists of arguments hold placeholders, see Arguments.
type Adapter struct {
	// Name is what the participant's string begins with: the file's name
	// without ".toml".
	Name string `toml:"-"`
	// File is the file that it was read from, "" for one that is built in.
	File string `toml:"-"`
	// Replaces says that a built-in adapter of this name was replaced.
	Replaces bool `toml:"-"`

	// Title is what people call the program; Command is the program on the
	// PATH, or its path.
	Title   string `toml:"title"`
	Command string `toml:"command"`
	// ReadOnly says how the program is kept from writing, Notes what else is
	// good to know; sentences to be shown.
	ReadOnly string `toml:"read_only"`
	Notes    string `toml:"notes"`

	Version     Version     `toml:"version"`
	Fix         Fix         `toml:"fix"`
	Environment Environment `toml:"environment"`
	Arguments   Arguments   `toml:"arguments"`
	Output      Output      `toml:"output"`
	Stay        Stay        `toml:"stay"`
	// Rules read the lines of the output, Plain an output that has none of them.
	Rules []Rule `toml:"read"`
	Plain *Plain `toml:"plain"`
	// Failures say what went wrong; the first that fits counts.
	Failures []Failure `toml:"failure"`
}

// Version is how the program tells its version, and which were tried.
type Version struct {
	Arguments []string `toml:"arguments"`
	// Tried are versions, or beginnings of them: "0.169" covers 0.169.3.
	Tried []string `toml:"tried"`
}

// Fix are the commands that a message names.
type Fix struct {
	Install string `toml:"install"`
	Login   string `toml:"login"`
	Update  string `toml:"update"`
}

// Environment is what the program is given of the environment beyond what every
// program gets.
type Environment struct {
	// Keep are the program's own variables; a star at the end stands for any
	// rest: "CODEX_*".
	Keep []string `toml:"keep"`
	// Set are variables that it is given where the person has not set them.
	Set map[string]string `toml:"set"`
}

// Conversation is who names a conversation.
type Conversation string

// The ways in which a conversation is named.
const (
	// Told: the program tells its name, which a rule reads.
	Told Conversation = "told"
	// Chosen: moot chooses a UUID and passes it.
	Chosen Conversation = "chosen"
	// Unkept: the program keeps none.
	Unkept Conversation = "none"
)

// Conversations are all of them.
func Conversations() []Conversation { return []Conversation{Told, Chosen, Unkept} }

// String returns the word itself.
func (c Conversation) String() string { return string(c) }

// UnmarshalText refuses a word that is none.
func (c *Conversation) UnmarshalText(text []byte) error {
	return enum.Unmarshal("way of naming a conversation", text, Conversations(), c)
}

// Arguments are what the program is started with. In Begin and GoOn an argument
// that is "{model...}", "{effort...}", "{system...}", "{schema...}" or
// "{workspace...}" alone is replaced by the list of that name, or by nothing where it
// does not apply; in the lists {model}, {effort}, {system}, {schema} (a file),
// {workspace} and {conversation} stand for the text itself.
type Arguments struct {
	// Begin starts a conversation, GoOn goes on with one.
	Begin        []string     `toml:"begin"`
	GoOn         []string     `toml:"go_on"`
	Conversation Conversation `toml:"conversation"`
	// Model is added where a model was named, Default where none was.
	Model   []string `toml:"model"`
	Default []string `toml:"default"`
	// Effort is added where it was said how long the model may think.
	Effort []string `toml:"effort"`
	// System passes the system prompt; where it is empty, or the prompt too
	// long for an argument, the system prompt goes before the text.
	System []string `toml:"system"`
	// Schema passes a file with the JSON Schema of the reply.
	Schema []string `toml:"schema"`
	// Workspace is added in a workspace, Alone in an empty folder.
	Workspace []string `toml:"workspace"`
	Alone     []string `toml:"alone"`
}

// Stay is how a program is kept up between turns, each of which is a line on its
// standard input and ends with the line of a Rule that says Done. Lines are objects
// of JSON with places in their texts, as "{prompt}". A line with an id waits for its
// answer, and an answer that is an error ends the turn (JSON-RPC 2.0).
type Stay struct {
	// Begin and GoOn are as those of Arguments, but have no "{schema...}".
	Begin []string `toml:"begin"`
	GoOn  []string `toml:"go_on"`
	// Hello are the lines that it is told first, once after its start, Open is the one
	// after them that begins a conversation, and Reopen that which goes on with one.
	Hello  []string `toml:"hello"`
	Open   string   `toml:"open"`
	Reopen string   `toml:"reopen"`
	// Message is the line of a turn.
	Message string `toml:"message"`
	// Conversation is the path at which a line names the conversation that it is of;
	// what is told of another is no part of the turn.
	Conversation string `toml:"conversation"`

	hello                 []message
	open, reopen, message message
}

// Form is how an output is cut up.
type Form string

// The forms.
const (
	// Lines is one JSON value a line.
	Lines Form = "lines"
	// Whole is one JSON value in all.
	Whole Form = "json"
	// Text is the reply itself.
	Text Form = "text"
)

// Forms are all of them.
func Forms() []Form { return []Form{Lines, Whole, Text} }

// String returns the word itself.
func (f Form) String() string { return string(f) }

// UnmarshalText refuses a word that is no Form.
func (f *Form) UnmarshalText(text []byte) error {
	return enum.Unmarshal("form of output", text, Forms(), f)
}

// Count is what a number that the program tells is counted over.
type Count string

// The counts.
const (
	// PerStep: each number counts, and they are added.
	PerStep Count = "step"
	// PerTurn: the last number of a run is that of the turn.
	PerTurn Count = "turn"
	// PerConversation: the last number is that of all turns so far.
	PerConversation Count = "conversation"
)

// Counts are all of them.
func Counts() []Count { return []Count{PerStep, PerTurn, PerConversation} }

// String returns the word itself.
func (c Count) String() string { return string(c) }

// UnmarshalText refuses a word that is no Count.
func (c *Count) UnmarshalText(text []byte) error {
	return enum.Unmarshal("way of counting", text, Counts(), c)
}

// Output is how the output is cut up and its numbers are counted.
type Output struct {
	Form   Form  `toml:"form"`
	Tokens Count `toml:"tokens"`
	Cost   Count `toml:"cost"`
}

// Rule reads a line whose values are those of When. The paths are those of
// github.com/tidwall/gjson.
type Rule struct {
	// When is a path and the text that stands there, or a list of texts. A text
	// that ends in a star is the beginning of one, and "*" any but none. A rule
	// without When reads every line.
	When map[string]any `toml:"when"`
	// Each is the path of a list: what follows is read in each of its items
	// for which Where holds, which is written like When.
	Each  string         `toml:"each"`
	Where map[string]any `toml:"where"`

	// Conversation, Model: paths of their names.
	Conversation string `toml:"conversation"`
	Model        string `toml:"model"`
	// Text is the next piece of the reply, Thought that of what is thought
	// before; Message is a whole message, of which the last is the reply; Final
	// is the reply itself, whatever came before.
	Text    string `toml:"text"`
	Thought string `toml:"thought"`
	Message string `toml:"message"`
	Final   string `toml:"final"`
	// Note is a text with paths in braces; WaitSeconds and WaitMilliseconds are
	// paths of how long is waited. Once says that what it tells is of the whole
	// session: it is told with the first turn, and in the same words never again.
	Note             string `toml:"note"`
	Once             bool   `toml:"once"`
	WaitSeconds      string `toml:"wait_seconds"`
	WaitMilliseconds string `toml:"wait_ms"`
	// PromptTokens and CompletionTokens are paths of numbers to be added, Cost
	// that of US dollars.
	PromptTokens     []string `toml:"prompt_tokens"`
	CompletionTokens []string `toml:"completion_tokens"`
	Cost             string   `toml:"cost"`
	// Failure is the path of what went wrong, Status that of an HTTP status.
	Failure string `toml:"failure"`
	Status  string `toml:"status"`
	// Answer is what the program is answered, where it asks something while it stays
	// up: a line as those of Stay, in which the places are paths.
	Answer string `toml:"answer"`
	// Anew says that what was said until here is not part of the reply, Done
	// that the turn is over.
	Anew bool `toml:"anew"`
	Done bool `toml:"done"`
	// GivesUpAfter is after how many of these lines the program is stopped, and
	// the line taken for its failure; 0 is never.
	GivesUpAfter int `toml:"gives_up_after"`

	when, where []condition
	answer      *message
}

// Plain reads an output of text: the reply stands between a line From and a line
// Until, and the conversation's name after Conversation at the head of a line.
type Plain struct {
	Conversation string `toml:"conversation"`
	From         string `toml:"from"`
	Until        string `toml:"until"`
}

// Meaning is what a failure means.
type Meaning string

// The meanings.
const (
	// Lost: the program does not know the conversation, or its name is taken.
	Lost Meaning = "lost"
	// Login: nobody is logged in, and no key is set.
	Login Meaning = "login"
	// Refused: the key or the login is not accepted.
	Refused Meaning = "refused"
	// Busy: asked too often, or no credit is left.
	Busy Meaning = "busy"
	// Away: the model's server does not answer or fails.
	Away Meaning = "away"
	// Cut: the reply broke off.
	Cut Meaning = "cut"
	// Long: the prompt does not fit.
	Long Meaning = "long"
	// NoSchema: the schema of the reply was refused.
	NoSchema Meaning = "schema"
	// Unknown: the program does not know a flag: another version.
	Unknown Meaning = "flag"
	// Setting: its own settings or the named model are wrong.
	Setting Meaning = "setting"
)

// Meanings are all of them.
func Meanings() []Meaning {
	return []Meaning{Lost, Login, Refused, Busy, Away, Cut, Long, NoSchema, Unknown, Setting}
}

// String returns the word itself.
func (m Meaning) String() string { return string(m) }

// UnmarshalText refuses a word that is no Meaning.
func (m *Meaning) UnmarshalText(text []byte) error {
	return enum.Unmarshal("meaning of a failure", text, Meanings(), m)
}

// Failure says what it means when the program fails with one of these words in
// what it said or on its standard error, with one of these HTTP statuses, or
// with one of these exit codes.
type Failure struct {
	Means  Meaning  `toml:"means"`
	Words  []string `toml:"words"`
	Status []int    `toml:"status"`
	Exit   []int    `toml:"exit"`
	// Says reads what went wrong out of the standard error: a regular
	// expression with one group. Without it the last line is told.
	Says string `toml:"says"`
	// Fix is what to do, where there is more to say than the meaning does.
	Fix string `toml:"fix"`

	says *regexp.Regexp
}

// Keeps reports that the program keeps a conversation across turns.
func (a *Adapter) Keeps() bool {
	return a.Arguments.Conversation != Unkept && len(a.Arguments.GoOn) > 0
}
