package play

import (
	"fmt"
	"strings"

	"moot/config"
)

// endpoint is one that is played. In the TOML of a Show:
//
//	name     how the endpoint is called
//	model    the model to ask for
//	schema   whether the endpoint takes a response_format
//	reply    replies; the first whose words all stand in the prompt is given
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

func readEndpoints(replies []byte) ([]endpoint, error) {
	var file struct {
		Endpoint []endpoint `toml:"endpoint"`
	}
	if err := config.Strict(replies, &file); err != nil {
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
