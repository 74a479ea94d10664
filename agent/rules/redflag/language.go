package redflag

import (
	_ "embed" // What is known of languages is a file of its own.
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moot/config"
)

//go:embed languages.toml
var languageFile []byte

// language is a row of languages.toml, which explains the fields.
type language struct {
	Name       string   `toml:"name"`
	Files      []string `toml:"files"`
	Comment    []string `toml:"comment"`
	NoName     []string `toml:"no_name"`
	Private    []string `toml:"private"`
	Tests      []string `toml:"tests"`
	Companions []string `toml:"companions"`

	Declares expression `toml:"declares"`
	Exported expression `toml:"exported"`
	Test     expression `toml:"test"`
	Within   expression `toml:"within"`
	Loop     expression `toml:"loop"`
	Leaves   expression `toml:"leaves"`
	Handles  expression `toml:"handles"`
}

// expression is a regular expression of a file; without one it matches nothing.
type expression struct{ *regexp.Regexp }

// UnmarshalText compiles the expression.
func (e *expression) UnmarshalText(text []byte) error {
	compiled, err := regexp.Compile(string(text))
	e.Regexp = compiled
	return err
}

func (e expression) matches(text string) bool { return e.Regexp != nil && e.MatchString(text) }

// name is the first group that matched, "" where the text does not match.
func (e expression) name(text string) string {
	if e.Regexp == nil {
		return ""
	}
	for i, group := range e.FindStringSubmatch(text) {
		if i > 0 && group != "" {
			return group
		}
	}
	return ""
}

// data is languages.toml and manifests.toml.
type data struct {
	Foreign   []string    `toml:"foreign"`
	Prose     []string    `toml:"prose"`
	Generated expression  `toml:"generated"`
	Language  []*language `toml:"language"`
	Manifest  []*manifest `toml:"manifest"`
}

func readData() (*data, error) {
	var known data
	for _, file := range [][]byte{languageFile, manifestFile} {
		if err := config.Strict(file, &known); err != nil {
			return nil, fmt.Errorf("read what moot is built with of languages and manifests: %w", err)
		}
	}
	return &known, nil
}

// languageOf finds the language of a path, or one of which nothing is known.
func (c *Checker) languageOf(path string) *language {
	for _, l := range c.languages {
		if matchesAny(l.Files, path) {
			return l
		}
	}
	return &language{}
}

// declared is the name of the function that a line declares, or "".
func (l *language) declared(text string) string {
	name := l.Declares.name(text)
	if slices.Contains(l.NoName, name) {
		return ""
	}
	return name
}

// split parts a line into its code and its comment. What stands in quotes
// begins no comment.
func (l *language) split(text string) (code, comment string) {
	if len(l.Comment) == 0 {
		return text, ""
	}
	trimmed := strings.TrimLeft(text, " \t")
	if l.Comment[0] == "//" && (strings.HasPrefix(trimmed, "/*") || strings.HasPrefix(trimmed, "* ") || trimmed == "*" || trimmed == "*/") {
		return "", text
	}
	at := l.commentAt(text, true)
	if at < 0 {
		// A quote that does not end, such as an apostrophe, is none.
		at = l.commentAt(text, false)
	}
	if at < 0 {
		return text, ""
	}
	return text[:at], text[at:]
}

// commentAt is where a comment begins, -1 for none. With quotes it is also -1
// where one stays open, which the caller tells by asking again.
func (l *language) commentAt(text string, quotes bool) int {
	var open byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case open != 0:
			if c == '\\' && open != '`' {
				i++
			} else if c == open {
				open = 0
			}
		case quotes && (c == '"' || c == '\'' || c == '`'):
			open = c
		case l.begins(text, i):
			return i
		}
	}
	if quotes && open == 0 {
		return len(text)
	}
	return -1
}

// begins reports whether a comment begins at a byte. A # within a word, as in
// an address, and a // behind a colon do not.
func (l *language) begins(text string, at int) bool {
	for _, token := range l.Comment {
		if !strings.HasPrefix(text[at:], token) {
			continue
		}
		before := byte(' ')
		if at > 0 {
			before = text[at-1]
		}
		if token == "//" && before != ':' || before == ' ' || before == '\t' {
			return true
		}
	}
	return false
}
