package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"moot/plain"
)

// leaf is a value of a structured file: a text, a number, true, false, null, or
// a list of those, with the lines that it stands on.
type leaf struct {
	path        string
	value       json.RawMessage
	first, last int
}

const (
	// deepest is how far values are nested that are read.
	deepest = 60
	// mostLeaves is how many values of a file are read.
	mostLeaves = 5000
)

// errTooDeep and errTooMany say why a file is not read.
var (
	errTooDeep = errors.New("its values are nested too deep")
	errTooMany = errors.New("it holds too many values")
)

// draftLeaves drafts a field for each value of a structured file.
func (t *turn) draftLeaves(m *material) []drafted {
	leaves, err := leavesOf(m.path, m.text)
	if err != nil {
		t.note(sayNoteUnread, "file", shown(m.path), "reason", plain.Line(plain.Clip(err.Error(), quoted)))
		return nil
	}
	var all []drafted
	secrets, long := 0, 0
	for _, l := range leaves {
		quote := m.span(l.first, l.last)
		if string(l.value) == "null" {
			// Nothing is set there.
			continue
		}
		if t.hides(m, l.first, l.last) || t.source.secret(string(l.value)) {
			// A value that is a secret is neither proposed nor quoted.
			secrets++
			continue
		}
		if !proposable(l.value) || len(l.value) > longestQuote || len(quote) > longestQuote {
			long++
			continue
		}
		all = append(all, drafted{
			path: cleanedPath(l.path), value: l.value, from: m, file: m.path, line: l.first, last: l.last, quote: quote,
		})
	}
	if secrets > 0 {
		t.note(sayNoteSecrets, "file", shown(m.path), "count", plain.Counted(secrets, "value"))
	}
	if long > 0 {
		t.note(sayNoteLong, "file", shown(m.path), "count", plain.Counted(long, "value"))
	}
	return all
}

// proposable reports whether a value can be that of a field: not null, and no
// list that is long or has null in it.
func proposable(value json.RawMessage) bool {
	const most = 40
	var items []any
	if json.Unmarshal(value, &items) != nil {
		return true
	}
	return len(items) <= most && !slices.Contains(items, nil)
}

// cleanedPath is the path of a value with the letters that a field's path may
// have. What is too long keeps its end.
func cleanedPath(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-[]/", r) {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "value"
	}
	const room = longestPath - len("...") - len("-1000")
	if len(name) > room {
		name = "..." + name[len(name)-room:]
	}
	return name
}

// leavesOf reads the values of a structured file, in the order of the file.
func leavesOf(name string, text []byte) ([]leaf, error) {
	switch path.Ext(name) {
	case ".json":
		return jsonLeaves(text)
	case ".toml":
		return tomlLeaves(text)
	}
	return yamlLeaves(text)
}

// join puts a key behind a path, and item the number of an item.
func join(where, key string) string { return strings.TrimPrefix(where+"."+key, ".") }

func item(where string, n int) string { return where + "[" + strconv.Itoa(n) + "]" }

// listed are values as a list.
func listed(items []leaf) json.RawMessage {
	values := make([][]byte, len(items))
	for i := range items {
		values[i] = items[i].value
	}
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
}

// lastLine is how many lines below the first the last one stands that is neither
// empty nor a comment.
func lastLine(text []byte, comment string) int {
	last, at := 0, 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte(comment)) {
			last = at
		}
		at++
	}
	return last
}
