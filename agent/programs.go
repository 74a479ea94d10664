package agent

import (
	_ "embed" // The programs are a file of their own.

	"github.com/pelletier/go-toml/v2"
)

//go:embed programs.toml
var programFile []byte

// program is an agent program that is known by name.
type program struct {
	Name    string `toml:"name"`
	What    string `toml:"what"`
	Command string `toml:"command"`
}

// programs returns those of programs.toml, in its order.
func programs() []program {
	var file struct {
		Program []program `toml:"program"`
	}
	if err := toml.Unmarshal(programFile, &file); err != nil {
		// The file is built in; a test reads it.
		return nil
	}
	return file.Program
}

// laterNamed returns the agent program of that name, or nil.
func laterNamed(name string) *program {
	for _, p := range programs() {
		if p.Name == name {
			return &p
		}
	}
	return nil
}
