package program

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"moot/agent/endpoint"
	"moot/protocol"
	"moot/state"
)

// turn is one call of Reply.
type turn struct {
	program *Program
	call    *protocol.Call
	watch   func(protocol.Delta)
	// folder is where the program runs, scratch where its schema lies; both are
	// "" where there is none, and made says that folder is removed afterwards.
	folder, scratch string
	made            bool

	values values
	// strict is the schema of the reply as servers take it, nil where the program
	// takes none.
	strict []byte
	// going says that the conversation is one that was begun before, before what
	// its name was then.
	going     bool
	recovered string
	runs      int
	// spent is how long a program that stays up did not answer.
	spent time.Duration
	notes []string
}

// newTurn makes the folders.
func (p *Program) newTurn(call *protocol.Call, watch func(protocol.Delta)) (*turn, error) {
	t := &turn{program: p, call: call, watch: watch, folder: p.options.Workspace}
	t.values.model, t.values.effort, t.values.workspace = p.model, p.options.Effort, p.options.Workspace
	if p.adapter.Arguments.takesSystem(call.Prompt.System) {
		t.values.system = call.Prompt.System
	}
	var err error
	if t.folder == "" {
		if t.folder, err = p.alone(&call.State, call.Ask.Seat); err != nil {
			return nil, err
		}
		t.made = true
	}
	if err := t.schema(); err != nil {
		t.leave()
		return nil, err
	}
	return t, nil
}

// alone makes an empty folder; a program that stays up is left in its own.
func (p *Program) alone(s *state.State, seat state.Seat) (string, error) {
	room := p.room()
	if p.options.Alone == "" || s.ID == "" {
		if room != "" {
			return room, nil
		}
		return os.MkdirTemp("", "moot-")
	}
	folder := filepath.Join(p.options.Alone, filepath.Base(s.ID)+"-"+filepath.Base(string(seat)))
	if folder == room {
		return folder, nil
	}
	// What lies there was left by a run that did not end by itself.
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	return folder, os.MkdirAll(folder, 0o700)
}

// schema makes the schema of the reply, and writes it into a file where the program
// reads one.
func (t *turn) schema() error {
	p := t.program
	p.mutex.Lock()
	refused := p.noSchema
	p.mutex.Unlock()
	file := len(p.adapter.Arguments.Schema) > 0
	if len(t.call.Schema) == 0 || refused || !file && !p.adapter.Stay.takesSchema() {
		return nil
	}
	strict, err := endpoint.Strict(t.call.Schema)
	if err != nil {
		// The prompt says the form as well.
		return nil //nolint:nilerr // see above
	}
	if t.strict = strict; !file {
		return nil
	}
	if t.scratch, err = os.MkdirTemp("", "moot-"); err != nil {
		return err
	}
	t.values.schema = filepath.Join(t.scratch, "reply.schema.json")
	return os.WriteFile(t.values.schema, strict, 0o600)
}

// leave removes what was made for the turn.
func (t *turn) leave() {
	if t.made && t.folder != t.program.room() {
		os.RemoveAll(t.folder) //nolint:errcheck // what cannot be removed is the system's to clean up
	}
	if t.scratch != "" {
		os.RemoveAll(t.scratch) //nolint:errcheck // see above
	}
}

// resume goes on with a conversation, where there is one and the program can.
func (t *turn) resume(conversation string) {
	if t.program.adapter.Keeps() && idPattern.MatchString(conversation) {
		t.going, t.values.conversation = true, conversation
		return
	}
	t.begin()
}

// begin begins a conversation.
func (t *turn) begin() {
	t.going, t.values.conversation = false, ""
	if t.program.adapter.Arguments.Conversation == Chosen {
		t.values.conversation = newUUID()
	}
}

// newUUID is a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // It never fails, by its documentation.
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
