// Package play plays written replies as two OpenAI-compatible endpoints, so that
// an example can be run where no model is at hand. No language model is at work
// in it, and what it says to a prompt it says to each that holds the same words.
//
// Start at Run.
package play

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed replies.toml
var replies []byte

// endpoint is one that is played; replies.toml says what its fields mean.
type endpoint struct {
	Name   string  `toml:"name"`
	Model  string  `toml:"model"`
	Schema bool    `toml:"schema"`
	Reply  []reply `toml:"reply"`
}

type reply struct {
	Words []string `toml:"words"`
	Text  string   `toml:"text"`
}

func readEndpoints() ([]endpoint, error) {
	var file struct {
		Endpoint []endpoint `toml:"endpoint"`
	}
	decoder := toml.NewDecoder(bytes.NewReader(replies)).DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("read the written replies: %w", err)
	}
	return file.Endpoint, nil
}

// answer is what the endpoint says to a prompt, and whether it has anything to
// say to it.
func (e *endpoint) answer(prompt string) (string, bool) {
	for _, r := range e.Reply {
		if r.fits(prompt) {
			return strings.TrimSpace(r.Text), true
		}
	}
	return "", false
}

func (r *reply) fits(prompt string) bool {
	for _, words := range r.Words {
		if !strings.Contains(prompt, words) {
			return false
		}
	}
	return true
}
