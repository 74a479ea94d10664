package rules

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"moot/agent/rules/redflag"
	"moot/plain"
	"moot/state"
)

// material is a file that a proposal is made from: one that the user gave, or
// that the question names.
type material struct {
	// path is how it is cited, "" where it has no name.
	path string
	text []byte
	// citable says that the text is the workspace's own, so that quotations of it
	// can be looked up.
	citable bool
	// change is what it does where it is a diff, else it as a whole; diff says
	// which.
	change *redflag.Change
	diff   bool
	// lines are those of the text with their ends, once they were asked for, and
	// secret the numbers of those that a secret is in.
	lines  [][]byte
	secret map[int]bool
}

const (
	// mostNamed is how many files that the question names are read.
	mostNamed = 10
	// maxDocument is the largest file that is read and is no diff, in bytes.
	maxDocument = 1 << 20
	// maxChange is the largest diff that is examined, in bytes: what is larger
	// takes minutes, and nobody reads it either.
	maxChange = 1 << 20
	// cutMark begins the line that stands for what was not read of a given file.
	cutMark = "\n[cut: only the first "
	// toldApart is how much of a file that was cut must be the same, in bytes.
	toldApart = 512
)

// materials are what the session is about. A change comes alone: what is given
// beside it is there to be read. Else the given files count, and where none is
// given, or none is a change, those that the question names.
func (t *turn) materials() []*material {
	given := t.given()
	changes := onlyChanges(given)
	if len(changes) > 0 {
		return changes
	}
	named := t.named()
	if changes = onlyChanges(named); len(changes) > 0 {
		return changes
	}
	if len(given) > 0 {
		return given
	}
	return named
}

func onlyChanges(all []*material) []*material {
	return slices.DeleteFunc(slices.Clone(all), func(m *material) bool { return !m.diff })
}

// given are the files that the user gave. The one that holds the question counts
// where it is a change, or where nothing else is given.
func (t *turn) given() []*material {
	var all []*material
	for i := range t.source.documents {
		d := &t.source.documents[i]
		if m := t.material(d.Path, []byte(d.Text)); m != nil {
			all = append(all, m)
		}
	}
	asked := state.Document{Path: t.s.Settings.QuestionPath, Text: t.s.Question}
	if asked.Path == "" && !looksLikeDiff("", []byte(asked.Text)) {
		return all
	}
	if m := t.material(asked.Path, []byte(asked.Text)); m != nil && (m.diff || len(all) == 0) {
		all = slices.Insert(all, 0, m)
	}
	return all
}

// material reads one text that was given: the workspace's own where it is the
// same, since that is what citations are looked up in, and nothing of it is
// redacted or cut.
func (t *turn) material(name string, text []byte) *material {
	m := &material{path: path.Clean(strings.ReplaceAll(name, `\`, "/")), text: text}
	if name == "" {
		m.path = ""
	}
	if own, ok := t.readOwn(m.path, redflag.MaxDiff); ok && t.same(own, text) {
		m.text, m.citable = own, true
	}
	return t.understood(m)
}

// understood reads a diff as a change and all else as a document; nil where it
// is no diff that can be read, or no text, which is noted.
func (t *turn) understood(m *material) *material {
	if m.diff = looksLikeDiff(m.path, m.text[:min(len(m.text), maxChange)]); m.diff {
		if len(m.text) > maxChange {
			t.note(sayNoteLarge, "file", shown(m.path), "most", itoa(maxChange))
			return nil
		}
		if !m.citable && bytes.Contains(m.text, []byte(cutMark)) {
			t.note(sayNotePart, "file", shown(m.path))
			return nil
		}
		change, err := redflag.ReadDiff(m.path, withLineEnd(m.text))
		if err != nil {
			t.note(sayNoteDiff, "reason", plain.Line(plain.Clip(err.Error(), quoted)))
			return nil
		}
		m.change, change.Redacted = change, !m.citable
		return m
	}
	if len(m.text) > maxDocument || bytes.IndexByte(m.text, 0) >= 0 || len(bytes.TrimSpace(m.text)) == 0 {
		t.note(sayNoteNoText, "file", shown(m.path))
		return nil
	}
	m.change = redflag.ReadDocument(m.path, m.text)
	m.change.Redacted = !m.citable
	return m
}

// withLineEnd is a text that ends with its last line: a question is trimmed.
func withLineEnd(text []byte) []byte {
	if bytes.HasSuffix(text, []byte("\n")) {
		return text
	}
	return append(bytes.Clone(text), '\n')
}

// looksLikeDiff reports whether a text is meant as a unified diff.
func looksLikeDiff(name string, text []byte) bool {
	if end := path.Ext(name); end == ".diff" || end == ".patch" {
		return true
	}
	before := []byte{}
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("diff --git ")) || bytes.HasPrefix(before, []byte("--- ")) && bytes.HasPrefix(line, []byte("+++ ")) {
			return true
		}
		before = line
	}
	return false
}

// same reports whether a file holds what was given, as it was redacted, cut and
// trimmed when it was.
func (t *turn) same(own, given []byte) bool {
	want := string(given)
	whole := true
	if at := strings.LastIndex(want, cutMark); at >= 0 {
		whole = false
		want = want[:min(at, toldApart)]
		own = own[:min(len(own), 2*toldApart)]
	}
	have := string(own)
	if t.source.redactor != nil && have != want && strings.TrimSpace(have) != want {
		have, _ = t.source.redactor.Text(have)
	}
	if !whole {
		return strings.HasPrefix(have, want)
	}
	return have == want || strings.TrimSpace(have) == want
}

// readOwn reads a file of the workspace. It is not ok for one that is not there,
// too large, not regular, or outside.
func (t *turn) readOwn(name string, most int64) ([]byte, bool) {
	files := t.source.files()
	if files == nil || !fs.ValidPath(name) || name == "." {
		return nil, false
	}
	info, err := fs.Stat(files, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil, false
	}
	text, err := fs.ReadFile(files, name)
	return text, err == nil
}

// hides reports whether a secret is in lines of a material. They are looked at
// with all around them: a line of a private key by itself looks like none.
func (t *turn) hides(m *material, first, last int) bool {
	if t.source.redactor == nil {
		return false
	}
	if m.secret == nil {
		m.secret = map[int]bool{}
		_, findings := t.source.redactor.Text(string(m.text))
		for _, found := range findings {
			for n := found.Line; n <= found.Last; n++ {
				m.secret[n] = true
			}
		}
	}
	for n := first; n <= last; n++ {
		if m.secret[n] {
			return true
		}
	}
	return t.source.secret(m.span(first, last))
}

// files is the workspace, nil where there is none. Nothing outside of it is
// opened, whatever a path or a link says.
func (from *source) files() fs.FS {
	if from.root == nil && from.workspace != "" {
		root, err := os.OpenRoot(from.workspace)
		if err != nil {
			from.failure = err.Error()
			return nil
		}
		from.root = root
	}
	if from.root == nil {
		return nil
	}
	return from.root.FS()
}

// named are the files of the workspace that a typed question names.
func (t *turn) named() []*material {
	if t.s.Settings.QuestionPath != "" || looksLikeDiff("", []byte(t.s.Question)) {
		return nil
	}
	var all []*material
	seen := map[string]bool{}
	for word := range strings.FieldsSeq(t.question()) {
		word = strings.TrimRight(strings.Trim(word, "\"'`“”‘’()[]{}<>,;:!?"), ".")
		name := path.Clean(strings.ReplaceAll(word, `\`, "/"))
		if len(all) == mostNamed || seen[name] || !strings.ContainsAny(name, "./") {
			continue
		}
		seen[name] = true
		text, ok := t.readOwn(name, redflag.MaxDiff)
		if !ok {
			continue
		}
		if m := t.understood(&material{path: name, text: text, citable: true}); m != nil {
			all = append(all, m)
		}
	}
	return all
}

// note says something beside the reply, once.
func (t *turn) note(key phrase, arguments ...string) {
	if text := t.say(key, arguments...); !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}
