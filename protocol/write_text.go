package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// TextOf writes a move on one line, as the parser reads it. Free text loses its line ends
// and bars. It returns "" if no form of the move can hold it.
func TextOf(m Move) string {
	var fields map[string]json.RawMessage
	text, err := encodeJSON(m)
	if err != nil || json.Unmarshal(text, &fields) != nil {
		return ""
	}
	for _, row := range moveTable() {
		if row.move.Kind() != m.Kind() {
			continue
		}
		for i := range row.lines {
			if line, ok := row.write(&row.lines[i], fields); ok && row.lines[i].words != "" {
				return line
			}
		}
	}
	return ""
}

// lineWriter writes one move in one form.
type lineWriter struct {
	fields map[string]json.RawMessage
	// used are the fields that are on the line.
	used map[string]bool
	line string
}

// write writes a move in a form and reports whether the form fits it.
func (row *moveRow) write(form *lineForm, fields map[string]json.RawMessage) (string, bool) {
	word, _, _ := strings.Cut(form.words, "|")
	w := &lineWriter{fields: fields, used: map[string]bool{}, line: word}
	field, value, ok := strings.Cut(form.set, "=")
	if ok && !strings.Contains(form.lead, field) && w.plain(field) != value || !w.ids(form) || !w.lead(form) {
		return "", false
	}
	if text := w.plain(form.text); form.text != "" && text != "" {
		w.line += ": " + text
	}
	w.rest(reflect.TypeOf(row.move).Elem())
	return w.line, true
}

// plain is a field as one writes it on a line.
func (w *lineWriter) plain(name string) string {
	w.used[name] = true
	return plainJSON(w.fields[name])
}

// ids writes the ids of a form and reports whether the move has them.
func (w *lineWriter) ids(form *lineForm) bool {
	before, after, two := strings.Cut(form.ids, ",")
	switch {
	case form.ids == "" || form.ids == "-":
		return true
	case two:
		w.line += strings.TrimRight(" "+w.plain(before)+" "+w.plain(after), " ")
		return w.plain(before) != "" && (w.plain(after) != "" || after == "fact")
	}
	for name := range strings.SplitSeq(form.ids, "|") {
		if id := w.plain(name); id != "" {
			w.line += " " + id
			return true
		}
	}
	return form.free
}

// lead writes the fields before the colon and reports whether the move has them.
func (w *lineWriter) lead(form *lineForm) bool {
	for _, field := range strings.Fields(form.lead) {
		name := strings.Trim(field, "[]?")
		value := w.plain(name)
		switch {
		case name == "pair":
			same, opposed, alike := w.plain("same_subject"), w.plain("opposed"), w.plain("alike")
			value = pairSubject
			if opposed == "yes" {
				value = pairOpposed
			} else if alike == "yes" {
				value = pairAlike
			}
			if same+opposed+alike == "" {
				return false
			}
			w.line += ": " + value
		case value == "" && !strings.HasSuffix(field, "?"):
			return false
		case value == "":
		case name == "into":
			w.line += " INTO " + value
		case name == "value":
			w.line += " = " + string(w.fields[name])
		case strings.HasPrefix(field, "["):
			w.line += " [" + value + "]"
		default:
			w.line += " " + value
		}
	}
	return true
}

// rest writes the other fields of a move, each behind a bar.
func (w *lineWriter) rest(t reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch value := plainJSON(w.fields[name]); {
		case f.Anonymous || w.used[name] || value == "" || name == "quote":
		case name == "citations":
			var citations []Citation
			if json.Unmarshal(w.fields[name], &citations) == nil {
				for _, c := range citations {
					w.line += " |" + cited(c.Reference, c.Quote, c.Direct)
				}
			}
		case name == "reference":
			w.line += cited(value, plainJSON(w.fields["quote"]), false)
		case name == "derived":
			var d Derivation
			if json.Unmarshal(w.fields[name], &d) == nil {
				w.line += " | derived: " + d.Op + " of " + strings.Join(d.Of, ", ")
			}
		case name == "predicate" && w.fields[name][0] == '{':
		default:
			w.line += " | " + strings.ReplaceAll(name, "_", " ") + ": " + value
		}
	}
}

// plainJSON is a value as one writes it on a line.
func plainJSON(raw json.RawMessage) string {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return ""
	}
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return strings.ReplaceAll(OneLine(v), "|", "/")
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = fmt.Sprint(v[i])
		}
		return strings.Join(words, ", ")
	}
	return string(raw)
}

// cited is a reference with its quote, or a command with what is expected of it.
func cited(reference, quote string, direct bool) string {
	reference = strings.ReplaceAll(OneLine(reference), "|", "/")
	if strings.HasPrefix(reference, "$") {
		return " `" + reference + " => " + strings.ReplaceAll(OneLine(quote), "|", "/") + "`"
	}
	line := " " + reference + ` "` + strings.ReplaceAll(OneLine(quote), `"`, `\"`) + `"`
	if direct {
		line += " (direct)"
	}
	return line
}

// template is a form with samples in place of its fields.
func (row *moveRow) template(form *lineForm) string {
	line, _, _ := strings.Cut(form.words, "|")
	samples := map[string]string{
		"": "", "-": "P1", "point": "P1", "point,other": "P1 P5", "point,fact": "P2 F3", "from": "P5 P6",
		"challenge":       "C1",
		"challenge|point": "C1", "evidence": "E1", "[facts]": "[f1, f2]", "confidence": "0.8", "relation": "supports",
		"scope": "in-scope", "class": "REJECT", "judgment": "accepted", "grade": "fatal", "flag": "doubt",
		"[flag]": "[red-flag]",
		"into":   "INTO P1", "pair": "opposed", "path": "path", "value": "= 10", "term": "TERM",
	}
	line = strings.TrimSpace(line + " " + samples[form.ids])
	for _, field := range strings.Fields(form.lead) {
		if field == "pair" {
			line += ":"
		}
		line += " " + samples[strings.TrimSuffix(field, "?")]
	}
	if form.text != "" {
		line += ": " + strings.ReplaceAll(form.text, "_", " ")
	}
	if _, isCitation := reflect.TypeOf(row.move).Elem().FieldByName("Reference"); isCitation {
		line += ` path:12 "quote"`
	}
	return line
}
