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

// write writes a move in a form and reports whether the form fits it.
func (row *moveRow) write(form *lineForm, fields map[string]json.RawMessage) (string, bool) {
	line, _, _ := strings.Cut(form.words, "|")
	used := map[string]bool{}
	// plain is a field as one writes it on a line.
	plain := func(name string) string {
		used[name] = true
		return plainJSON(fields[name])
	}
	if field, value, ok := strings.Cut(form.set, "="); ok && !strings.Contains(form.lead, field) &&
		plain(field) != value {
		return "", false
	}
	switch before, after, _ := strings.Cut(form.ids, ","); {
	case form.ids == "" || form.ids == "-":
	case after != "":
		if plain(before) == "" || plain(after) == "" && after == "other" {
			return "", false
		}
		line += strings.TrimRight(" "+plain(before)+" "+plain(after), " ")
	default:
		ids := ""
		for name := range strings.SplitSeq(form.ids, "|") {
			if ids = plain(name); ids != "" {
				break
			}
		}
		if ids == "" && !form.free {
			return "", false
		}
		line += " " + ids
	}
	for _, field := range strings.Fields(form.lead) {
		name := strings.Trim(field, "[]?")
		value := plain(name)
		switch {
		case name == "pair":
			switch {
			case plain("opposed") == "yes":
				value = pairOpposed
			case plain("alike") == "yes":
				value = pairAlike
			case plain("same_subject") == "yes":
				value = pairSubject
			default:
				return "", false
			}
			used["same_subject"], used["opposed"], used["alike"] = true, true, true
			line += ": " + value
		case value == "" && !strings.HasSuffix(field, "?"):
			return "", false
		case value == "":
		case name == "into":
			line += " INTO " + value
		case name == "value":
			line += " = " + string(fields[name])
		case strings.HasPrefix(field, "["):
			line += " [" + value + "]"
		default:
			line += " " + value
		}
	}
	if text := plain(form.text); form.text != "" && text != "" {
		line += ": " + text
	}
	t := reflect.TypeOf(row.move).Elem()
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch value := plainJSON(fields[name]); {
		case f.Anonymous || used[name] || value == "" || name == "quote":
		case name == "citations":
			var citations []Citation
			if json.Unmarshal(fields[name], &citations) == nil {
				for _, c := range citations {
					line += " |" + cited(c.Reference, c.Quote, c.Direct)
				}
			}
		case name == "reference":
			line += cited(value, plainJSON(fields["quote"]), false)
		case name == "derived":
			var d Derivation
			if json.Unmarshal(fields[name], &d) == nil {
				line += " | derived: " + d.Op + " of " + strings.Join(d.Of, ", ")
			}
		case name == "predicate" && fields[name][0] == '{':
		default:
			line += " | " + strings.ReplaceAll(name, "_", " ") + ": " + value
		}
	}
	return line, true
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
		return strings.ReplaceAll(oneLine(v), "|", "/")
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
	reference = strings.ReplaceAll(oneLine(reference), "|", "/")
	if strings.HasPrefix(reference, "$") {
		return " `" + reference + " => " + strings.ReplaceAll(oneLine(quote), "|", "/") + "`"
	}
	line := " " + reference + ` "` + strings.ReplaceAll(oneLine(quote), `"`, `\"`) + `"`
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
