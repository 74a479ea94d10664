package process

import (
	_ "embed" // The names are a file of their own.
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moot/config"
	"moot/redact"
)

//go:embed environment.toml
var environmentFile []byte

// sieve is environment.toml, which explains the fields.
type sieve struct {
	Words    []string `toml:"words"`
	Parts    []string `toml:"parts"`
	Ends     []string `toml:"ends"`
	Counts   []string `toml:"counts"`
	Names    []string `toml:"names"`
	Proxies  []string `toml:"proxies"`
	Replaced []string `toml:"replaced"`
	Set      []string `toml:"set"`
	Value    string   `toml:"value"`

	own      []string
	value    *regexp.Regexp
	redactor *redact.Redactor
}

// Environment returns what a program may know of an environment, whose entries are
// NAME=value: all but what looks like a key, a token, a password or another secret,
// by its name or by its value, save the program's own variables, which own names (a
// "*" at the end of a name stands for any further characters). It is told of a
// terminal that can do nothing. The error says that moot is built wrong.
func Environment(environ, own []string) ([]string, error) {
	s, err := readSieve(own)
	if err != nil {
		return nil, err
	}
	var kept []string
	for _, entry := range environ {
		name, value, found := strings.Cut(entry, "=")
		// Windows has hidden variables such as "=C:".
		if !found || name == "" || slices.Contains(s.Replaced, strings.ToUpper(name)) || s.secret(name, value) {
			continue
		}
		kept = append(kept, entry)
	}
	return append(kept, s.Set...), nil
}

func readSieve(own []string) (*sieve, error) {
	s := &sieve{own: own}
	if err := config.Strict(environmentFile, s); err != nil {
		return nil, fmt.Errorf("read which variables a program may not know, which moot is built with: %w", err)
	}
	var err error
	if s.value, err = regexp.Compile(s.Value); err != nil {
		return nil, fmt.Errorf("read which values a program may not know, which moot is built with: %w", err)
	}
	s.redactor, err = redact.New()
	return s, err
}

// secret reports whether a variable looks like a secret that is not the program's
// own.
func (s *sieve) secret(name, value string) bool {
	upper := strings.ToUpper(name)
	switch {
	case s.isOwn(name) || slices.Contains(s.Proxies, upper):
		return false
	case slices.Contains(s.Names, upper) || s.named(upper, value):
		return true
	case s.value.MatchString(value):
		return true
	}
	_, found := s.redactor.Text(name + "=" + value)
	for _, f := range found {
		// Paths may be long and look random.
		if f.Reason != "high-entropy token" || !isPath(value) {
			return true
		}
	}
	return false
}

func (s *sieve) isOwn(name string) bool {
	for _, own := range s.own {
		beginning, open := strings.CutSuffix(own, "*")
		if name == own || open && strings.HasPrefix(name, beginning) {
			return true
		}
	}
	return false
}

// named reports whether a name, in capitals, is one of a secret.
func (s *sieve) named(name, value string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	if isCount(value) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(s.Counts, w) }) {
		return false
	}
	joined := strings.Join(words, "")
	if slices.ContainsFunc(s.Parts, func(part string) bool { return strings.Contains(joined, part) }) {
		return true
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains(s.Words, word) || slices.ContainsFunc(s.Ends, func(end string) bool { return strings.HasSuffix(word, end) })
	})
}

// isCount reports whether a value is a number that counts something.
func isCount(value string) bool {
	const digits = 9
	return value != "" && len(value) <= digits && strings.Trim(value, "0123456789") == ""
}

// isPath reports whether a value is the path of a file, or several.
func isPath(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~/") || strings.Contains(value, `:\`)
}
