package scrub

import (
	_ "embed"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"moot/config"
	"moot/internal/redact"
)

//go:embed environment.toml
var environmentFile []byte

// sieve is environment.toml, which explains the fields.
type sieve struct {
	Counts   []string `toml:"counts"`
	Names    []string `toml:"names"`
	Proxies  []string `toml:"proxies"`
	Replaced []string `toml:"replaced"`
	Set      []string `toml:"set"`
	Value    string   `toml:"value"`

	value    *regexp.Regexp
	redactor *redact.Redactor
}

func readSieve() (*sieve, error) {
	s := &sieve{}
	if err := config.Strict(environmentFile, s); err != nil {
		return nil, fmt.Errorf("read the built-in list of secret variables: %w", err)
	}
	var err error
	if s.value, err = regexp.Compile(s.Value); err != nil {
		return nil, fmt.Errorf("read the built-in pattern of secret values: %w", err)
	}
	s.redactor, err = redact.New()
	return s, err
}

// Environment filters the environment for a program: it removes entries whose name or value looks like a secret. It
// keeps the program's own variables, listed in own ("*" at the end matches any rest), and sets TERM, NO_COLOR and
// others for a dumb terminal.
func Environment(environ, own []string) ([]string, error) {
	s, err := readSieve()
	if err != nil {
		return nil, err
	}
	var kept []string
	for _, entry := range environ {
		name, value, found := strings.Cut(entry, "=")
		// Windows has hidden variables such as "=C:".
		if !found || name == "" || slices.Contains(s.Replaced, strings.ToUpper(name)) {
			continue
		}
		mine := slices.ContainsFunc(own, func(pattern string) bool {
			beginning, open := strings.CutSuffix(pattern, "*")
			return name == pattern || open && strings.HasPrefix(name, beginning)
		})
		if mine || !s.secret(name, value) {
			kept = append(kept, entry)
		}
	}
	return append(kept, s.Set...), nil
}

// Secrets returns the values in an environment that look like secrets and are long enough to search for, including
// passwords in URLs.
func Secrets(environ []string) ([]string, error) {
	s, err := readSieve()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if parsed, err := url.Parse(value); err == nil && parsed.User != nil {
			password, _ := parsed.User.Password()
			found = append(found, password)
		}
		if !s.secret(name, value) {
			continue
		}
		if _, inner, parted := strings.Cut(value, "assword="); parted {
			inner, _, _ = strings.Cut(inner, ";")
			found = append(found, inner)
		}
		if Searchable(value) {
			found = append(found, value)
		}
	}
	return found, nil
}

// Searchable reports whether a value is long enough for a secret and is not a path, a word or a phrase, since
// removing those would damage ordinary text.
func Searchable(value string) bool {
	const shortest = 8
	return len(value) >= shortest && !strings.ContainsAny(value, " \t\n") && !isPath(value) &&
		strings.ContainsAny(value, "0123456789+/=_-.!$%&")
}

// secret reports whether a variable looks like a secret.
func (s *sieve) secret(name, value string) bool {
	upper := strings.ToUpper(name)
	switch {
	case slices.Contains(s.Proxies, upper):
		return false
	case slices.Contains(s.Names, upper) || s.named(upper, value) || s.value.MatchString(value):
		return true
	}
	_, found := s.redactor.Text(name + "=" + value)
	return slices.ContainsFunc(found, func(f redact.Finding) bool {
		// A path may be long and look random.
		return f.Reason != redact.Random || !isPath(value)
	})
}

// named reports whether an upper-case name belongs to a secret.
func (s *sieve) named(name, value string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	const digits = 9 // a longer number is not a count
	number := value != "" && len(value) <= digits && strings.Trim(value, "0123456789") == ""
	if number && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(s.Counts, w) }) {
		return false
	}
	return s.redactor.SecretName(name)
}

// isPath reports whether a value is one or more file paths.
func isPath(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~/") || strings.Contains(value, `:\`)
}
