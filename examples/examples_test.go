package examples_test

import (
	"os"
	"testing"

	"moot/config"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic/playbook"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The files that readers copy are valid.
func TestExamplesAreValid(t *testing.T) {
	if _, problems := config.Read("config.toml", read(t, "config.toml")); len(problems) > 0 {
		t.Error(problems)
	}
	if _, err := playbook.Read("playbook.toml", read(t, "playbook.toml")); err != nil {
		t.Error(err)
	}
	if _, err := constitution.Read(read(t, "constitution.toml"), "constitution.toml"); err != nil {
		t.Error(err)
	}
}
