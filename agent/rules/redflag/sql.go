package redflag

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"moot/playbook"
)

// statement is what a kind of destructive statement looks like; unless is nil
// where there is no exception.
type statement struct {
	match, unless *regexp.Regexp
	what          string
}

// newStatements are looked for in this order; the first that matches counts.
func newStatements() []statement {
	var known []statement
	for _, row := range [][3]string{
		{`(?i)\bDROP\s+(?:TABLE|DATABASE|SCHEMA)\b`, `(?i)\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:tmp|temp)_`, "drops a table with all that is in it"},
		{`(?i)\bDROP\s+COLUMN\b|\bALTER\s+TABLE\b.*\bDROP\s+(?:COLUMN\s+)?["'\x60\w]+\s*(?:;|,|$)`, `(?i)\bDROP\s+(?:CONSTRAINT|INDEX|DEFAULT|NOT|KEY|FOREIGN|PRIMARY|PARTITION)\b`, "drops a column with all that is in it"},
		{`(?i)\bTRUNCATE\s+(?:TABLE\s+)?["'\x60\w]`, "", "empties a table"},
		{`(?i)\bDELETE\s+FROM\s+["'\x60\w.]+\s*(?:;|["'\x60]|\)|$)`, `(?i)\b(?:WHERE|USING|LIMIT)\b`, "deletes every row"},
		{`(?i)\bUPDATE\s+["'\x60\w.]+\s+SET\b.*(?:;|$)`, `(?i)\b(?:WHERE|FROM|JOIN|ON\s+(?:CONFLICT|DUPLICATE|DELETE|UPDATE))\b`, "overwrites every row"},
		{`(?i)\bDROP_(?:TABLE|COLUMN)\b|\bop\.drop_(?:table|column)\s*\(|\b(?:drop_table|remove_column|dropTable|dropColumn)\s*\(?`, "", "drops a table or a column with all that is in it"},
	} {
		one := statement{match: regexp.MustCompile(row[0]), what: row[2]}
		if row[1] != "" {
			one.unless = regexp.MustCompile(row[1])
		}
		known = append(known, one)
	}
	return known
}

// longestStatement is how many lines of a statement are read together.
const longestStatement = 40

// destructiveSQL finds added statements that drop or overwrite data. What undoes
// a migration has to.
func destructiveSQL(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.foreign || s.prose || e.forms.undoes(path.Base(s.Name())) || len(s.having([]string{"drop", "truncate", "delete", "update", "remove"})) == 0 {
			continue
		}
		for _, part := range e.sqlParts(s) {
			for _, c := range e.forms.statements {
				if c.match.MatchString(part.text) && (c.unless == nil || !c.unless.MatchString(part.text)) {
					report(hit{file: s, line: part.line, what: fmt.Sprintf("the statement %s", c.what)})
					break
				}
			}
		}
	}
}

// undoes reports whether a file is by its name what takes a migration back.
func (f *forms) undoes(base string) bool {
	return strings.Contains(base, ".down.") || strings.Contains(base, "_down.") || strings.Contains(base, "rollback") ||
		f.undo.MatchString(base)
}

// sqlPart is a statement, and the added line that it begins with.
type sqlPart struct {
	text string
	line *line
}

// sqlParts are the added statements of a file. In a file of SQL they run up to
// their semicolon; elsewhere a line is one.
func (e *examination) sqlParts(s *subject) []sqlPart {
	var parts []sqlPart
	var open *sqlPart
	lines, last := 0, 0
	for i := range s.hunks {
		back := e.downBefore(s, &s.hunks[i])
		open = nil
		for j := range s.hunks[i].lines {
			l := &s.hunks[i].lines[j]
			switch {
			case l.Side == Dropped:
				continue
			case e.forms.down.MatchString(l.Text):
				back, open = true, nil
			case e.forms.up.MatchString(l.Text):
				back, open = false, nil
			}
			if back || l.Side != Gained || e.moved(l) || strings.TrimSpace(l.code) == "" {
				continue
			}
			if open == nil || l.New != last+1 || lines >= longestStatement {
				parts = append(parts, sqlPart{line: l})
				open, lines = &parts[len(parts)-1], 0
			}
			open.text, lines, last = strings.TrimSpace(open.text+" "+strings.TrimSpace(l.code)), lines+1, l.New
			if strings.Contains(l.code, ";") || s.language.Name != "SQL" {
				open = nil
			}
		}
	}
	return parts
}

// downBefore reports whether a hunk begins within what takes a migration back.
func (e *examination) downBefore(s *subject, h *stretch) bool {
	v := s.look(e.workspace)
	if len(h.lines) == 0 || !v.whole {
		return false
	}
	for n := h.lines[0].New - 1; n > 0; n-- {
		text, _ := v.at(n)
		if e.forms.down.MatchString(text) {
			return true
		}
		if e.forms.up.MatchString(text) {
			return false
		}
	}
	return false
}
