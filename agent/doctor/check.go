package doctor

import (
	"time"

	"moot/enum"
)

// Word says how a check came out.
type Word string

// The words.
const (
	// OK is what works as far as could be seen.
	OK Word = "ok"
	// Missing is what is not there, or not set.
	Missing Word = "missing"
	// Broken is what is there and does not work.
	Broken Word = "broken"
	// Untried is what is there and was not tried, since that would send something to
	// a service elsewhere.
	Untried Word = "not tried"
)

// Words returns every Word.
func Words() []Word { return []Word{OK, Missing, Broken, Untried} }

// String returns the word itself.
func (w Word) String() string { return string(w) }

// UnmarshalText refuses a word that is none.
func (w *Word) UnmarshalText(text []byte) error {
	return enum.Unmarshal("outcome of a check", text, Words(), w)
}

// Part is a group of checks.
type Part string

// The parts, in the order in which they are told.
const (
	PartMoot         Part = "moot"
	PartServers      Part = "models on this machine"
	PartServices     Part = "model services"
	PartPrograms     Part = "agent programs"
	PartParticipants Part = "participants"
	PartTools        Part = "tools"
	PartTerminal     Part = "terminal"
)

// Parts returns every Part, in the order in which they are told.
func Parts() []Part {
	return []Part{PartMoot, PartServers, PartServices, PartPrograms, PartParticipants, PartTools, PartTerminal}
}

// Check is what was found of one thing. Texts of servers and programs in it are
// bounded, and hold no control characters.
type Check struct {
	Part Part   `json:"part"`
	Name string `json:"name"`
	Word Word   `json:"status"`
	// Found says in a sentence what was found.
	Found string `json:"found"`
	// Fix is what to do where something is to be done: a command where there is one.
	Fix string `json:"fix,omitempty"`
	// Configured says that the person set it up, so that it is meant to work: broken
	// then, it fails the whole.
	Configured bool `json:"configured"`
	// Absent says that it is nothing that this machine was ever set up for.
	Absent bool `json:"-"`
	// Participants are those that can be named because of it, the best first.
	Participants []string `json:"participants,omitempty"`
	// Version is that of a server or program, "" where it told none.
	Version string `json:"version,omitempty"`
	// Models is how many a server told.
	Models int `json:"models,omitempty"`
	// Millis is how long it took to answer, in milliseconds, 0 where nothing was
	// asked.
	Millis float64 `json:"milliseconds,omitempty"`
	// Asked is what asking it came to, nil where it was not asked.
	Asked *Asked `json:"asked,omitempty"`
	// Candidates are who could take a seat, usable or not.
	Candidates []Found `json:"-"`
}

// Found is something at hand that could take a seat.
type Found struct {
	// Name is the string that names the participant: "openai:gpt-5-mini".
	Name string
	// Title is what people call it: "OpenAI", "Ollama".
	Title string
	// Vendor is who makes the models, as far as that is known: "openai" for the
	// service and for Codex. Two of one vendor are alike.
	Vendor string
	// Why says what it was found by: "OPENAI_API_KEY is set".
	Why string
	// Cost says in a few words what a session costs with it.
	Cost string
	// Usable says that it can take a seat now.
	Usable bool
	// Local says that it runs on this machine.
	Local bool
}

// millis is a time as checks tell it, in milliseconds with one digit behind the
// point.
func millis(d time.Duration) float64 { return float64(d.Round(100*time.Microsecond)) / 1e6 }
