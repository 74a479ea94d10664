package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"moot/agent/rules/redflag"
	"moot/ledger"
	"moot/plain"
	"moot/playbook"
	"moot/protocol"
	"moot/resolver/dialectic"
)

// drafted is a field as a file gives it, before it is proposed.
type drafted struct {
	path  string
	value json.RawMessage
	// why is what there is to say beside the value, "" for nothing.
	why                string
	category, severity string
	from               *material
	// file is the file that the field is about, and line to last where it stands
	// in the material; line is 0 where it stands nowhere.
	file       string
	line, last int
	quote      string
}

const (
	// mostFields is how many fields a proposal has at most.
	mostFields = 60
	// longestPath is the length of a field's path, in bytes.
	longestPath = 120
	// longestQuote is how much of a passage is quoted for a field, in bytes.
	longestQuote = 1000
)

// draft drafts the fields of a proposal from the materials, each path once. The
// result is the same for both seats, so that one finds the fields of the other.
func (t *turn) draft() []drafted {
	if t.drafted != nil {
		return t.drafted
	}
	var all []drafted
	for _, m := range t.about() {
		switch {
		case m.diff:
			all = append(all, t.draftChange(m)...)
		case isStructured(m.path):
			all = append(all, t.draftLeaves(m)...)
		default:
			all = append(all, t.draftStatements(m)...)
		}
	}
	taken := map[string]bool{}
	for i := range all {
		all[i].path = unique(taken, all[i].path)
		t.weigh(&all[i])
	}
	t.drafted = all
	return all
}

// about are the materials, read once in a turn.
func (t *turn) about() []*material {
	if t.read == nil {
		t.read = append([]*material{}, t.materials()...)
	}
	return t.read
}

// weigh gives a field the category and severity of the gravest red flag that is
// about such files; a field of which the playbook says nothing is a fact, of the
// severity that a field has by default.
func (t *turn) weigh(d *drafted) {
	d.category, d.severity = "Factual", string(dialectic.High)
	if book, err := t.playbook(); err == nil {
		if flag := redflag.Concern(&book, d.file); flag != nil {
			d.category, d.severity = flag.Category, string(flag.Severity)
		}
	}
}

// playbook is what the session is led by, machine checks included.
func (t *turn) playbook() (playbook.Playbook, error) {
	if t.book == nil && t.bookFailure == nil {
		if t.s.Settings.Playbook == nil {
			t.book = &playbook.Playbook{}
		} else if book, err := playbook.Recorded(t.s.Settings.Playbook); err != nil {
			t.bookFailure = err
		} else {
			t.book = &book
		}
	}
	if t.bookFailure != nil {
		return playbook.Playbook{}, t.bookFailure
	}
	return *t.book, nil
}

// draftChange drafts a field for each file of a change: that it is added,
// modified, deleted or renamed.
func (t *turn) draftChange(m *material) []drafted {
	var all []drafted
	for i := range m.change.Files {
		file := &m.change.Files[i]
		d := drafted{
			path: fieldPath("change", file.Name()), from: m, file: file.Name(),
			line: file.Line, last: file.Line, quote: file.Head, why: t.countOf(file),
		}
		says := map[playbook.Alteration]string{
			playbook.Added: "add", playbook.Modified: "modify", playbook.Deleted: "delete", playbook.Renamed: "rename",
		}[file.Alteration]
		if file.Alteration == playbook.Renamed {
			// Where it comes from stands in the lines below the heading.
			if last := m.renamed(file.Line); last > 0 {
				d.last, d.quote = last, m.span(file.Line, last)
				says += " from " + file.Old
			}
		}
		d.value = encoded(says)
		all = append(all, d)
	}
	return all
}

// countOf says how much of a file a change alters.
func (t *turn) countOf(file *redflag.File) string {
	if file.Binary {
		return t.say(sayFieldBinary)
	}
	gained, dropped := 0, 0
	for i := range file.Hunks {
		for j := range file.Hunks[i].Lines {
			switch file.Hunks[i].Lines[j].Side {
			case redflag.Gained:
				gained++
			case redflag.Dropped:
				dropped++
			case redflag.Both:
			}
		}
	}
	return t.say(sayFieldLines, "gained", plain.Counted(gained, "line"), "dropped", itoa(dropped))
}

// renamed is the line below a heading that says what a file is called now, 0
// where there is none.
func (m *material) renamed(heading int) int {
	const most = 8
	for n := heading + 1; heading > 0 && n <= heading+most; n++ {
		line := m.lineOf(n)
		switch {
		case strings.HasPrefix(line, "rename to "):
			return n
		case strings.HasPrefix(line, "@@ "), strings.HasPrefix(line, "diff --git "):
			return 0
		}
	}
	return 0
}

// lineOf is a line of the material by its number, without its end.
func (m *material) lineOf(number int) string { return m.span(number, number) }

// span is some lines of the material as they stand, without the last one's end.
func (m *material) span(first, last int) string {
	if m.lines == nil {
		m.lines = bytes.SplitAfter(m.text, []byte("\n"))
	}
	if first < 1 || first > len(m.lines) || last < first {
		return ""
	}
	return strings.TrimRight(string(bytes.Join(m.lines[first-1:min(last, len(m.lines))], nil)), "\r\n")
}

// at is how lines of the material are cited.
func (m *material) at(first, last int) string {
	if last > first {
		return fmt.Sprintf("%s:%d-%d", m.path, first, last)
	}
	return fmt.Sprintf("%s:%d", m.path, first)
}

// encoded is a text as JSON.
func encoded(text string) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		// A text can always be encoded.
		return json.RawMessage(`""`)
	}
	return bytes.TrimSpace(out.Bytes())
}

// fieldPath is a field's path that names something in brackets, with the letters
// that a path may have. What is too long keeps its end, which tells files apart.
func fieldPath(group, name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/", r) {
			return r
		}
		return '_'
	}, name)
	const room = longestPath - len("[...]") - len("-1000")
	if most := room - len(group); len(name) > most {
		name = "..." + name[len(name)-most:]
	}
	return group + "[" + name + "]"
}

// unique is a path that was not taken yet.
func unique(taken map[string]bool, name string) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	taken[free] = true
	return free
}

// tabling proposes the fields that were drafted (PROPOSE), as many as a proposal
// has. Where there is nothing it says what was looked for.
func (t *turn) tabling() {
	all := t.draft()
	if len(all) == 0 {
		t.add(&protocol.NoObjection{Reason: strings.Join(append([]string{t.say(sayNothingGiven)}, t.notes...), "; ")})
		return
	}
	if len(all) > mostFields {
		t.flaggedFirst(all)
		t.note(sayNoteFields, "left", plain.Counted(len(all)-mostFields, "field"), "most", itoa(mostFields))
	}
	for i := range all[:min(len(all), mostFields)] {
		d := &all[i]
		if t.s.FieldAt(d.path) != nil {
			continue
		}
		m := &protocol.Propose{Path: d.path, Value: d.value, Text: d.why, Category: d.category, Severity: d.severity}
		switch quote := d.quote; {
		case !d.from.citable:
			t.note(sayNoteNotCited, "file", shown(d.from.path))
		case d.line == 0 || strings.TrimSpace(quote) == "" || len(quote) > longestQuote || t.hides(d.from, d.line, d.last):
		default:
			m.Citations = []protocol.Citation{{Reference: d.from.at(d.line, d.last), Quote: quote, Relation: ledger.Supports}}
		}
		t.add(m)
	}
}

// flaggedFirst puts the fields of files first in which a red flag was found:
// where some are left out, these are what the session is about.
func (t *turn) flaggedFirst(all []drafted) {
	flagged := map[string]bool{}
	for _, m := range t.about() {
		found, err := t.findings(m)
		if err != nil {
			return
		}
		for i := range found {
			flagged[found[i].Path] = true
		}
	}
	slices.SortStableFunc(all, func(a, b drafted) int {
		switch {
		case flagged[a.file] == flagged[b.file]:
			return 0
		case flagged[a.file]:
			return -1
		}
		return 1
	})
}

// shown is the name of a file in a sentence.
func shown(name string) string {
	if name == "" {
		return "the question"
	}
	return plain.Line(plain.Clip(name, recited))
}

// isStructured reports whether a file is of values by its name.
func isStructured(name string) bool {
	switch path.Ext(name) {
	case ".json", ".toml", ".yaml", ".yml":
		return true
	}
	return false
}
