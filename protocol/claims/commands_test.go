package claims_test

import (
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// Prompts mention commands only if commands can run.
func TestPromptMentionsCommands(t *testing.T) {
	t.Parallel()
	inWorkspace := func(o *state.SessionOpened) { o.Settings.Workspace = "/work" }
	attended := func(o *state.SessionOpened) { o.Settings.Attended = true }
	for _, test := range []struct {
		change  []func(*state.SessionOpened)
		allowed []string
		want    string
	}{
		{nil, nil, ""},
		{[]func(*state.SessionOpened){attended}, nil, ""},
		{[]func(*state.SessionOpened){inWorkspace}, nil, ""},
		{[]func(*state.SessionOpened){inWorkspace, attended}, nil, "The user is asked before one runs."},
		{
			[]func(*state.SessionOpened){inWorkspace},
			[]string{"go vet ..."},
			"Only these may run (* is any word, ... any that follow): go vet ...",
		},
		{
			[]func(*state.SessionOpened){inWorkspace, attended},
			[]string{"go vet ..."},
			"these run at once (* is any word, ... any that follow): go vet ...",
		},
	} {
		s := protocoltest.New(t, protocoltest.Opened(consult.Name, test.change...)).State
		s.AllowedCommands = test.allowed
		system := consult.Format{}.Prompt(s, protocol.Ask{
			Seat:  state.Consultee,
			Stage: state.StagePropose,
		}).System
		if !strings.HasSuffix(system, test.want) || strings.Contains(system, "propose a command") != (test.want != "") {
			t.Errorf("%v: %q", test.want, system)
		}
	}
}
