package redflag

import (
	"path"
	"regexp"
	"strings"

	"moot/playbook"
)

// oneWayMigration finds new migrations that say nowhere how they are taken back.
// What it cannot read as a migration it leaves alone.
func oneWayMigration(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.Alteration != playbook.Added || s.Binary || s.tests || e.forms.undoes(path.Base(s.Path)) {
			continue
		}
		var text strings.Builder
		for _, l := range s.all(Gained) {
			text.WriteString(l.Text)
			text.WriteByte('\n')
		}
		if e.oneWay(s, text.String()) {
			report(hit{file: s, line: s.first(), what: "the migration says nowhere how it is taken back"})
		}
	}
}

// oneWay reports whether a migration has no way back, by the habits of the tools
// that run them.
func (e *examination) oneWay(s *subject, text string) bool {
	has := func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(text) }
	switch path.Ext(s.Path) {
	case ".sql":
		return !has(`(?im)^\s*--\s*\+?\s*(?:\w+[: ])?\s*(?:down|rollback|undo)\b`) && !e.hasUndo(s.Path)
	case ".py":
		switch {
		case has(`(?m)^def upgrade\b`):
			return !has(`(?m)^def downgrade\b`) || has(`(?ms)^def downgrade\b[^\n]*:\s*(?:""".*?"""\s*)?(?:pass|raise NotImplementedError\b[^\n]*)\s*\z`)
		case has(`\bRunPython\(`):
			return has(`\bRunPython\(\s*[\w.]+\s*,?\s*\)`)
		case has(`\bRunSQL\(`):
			return !has(`\breverse_sql\b`)
		}
	case ".rb":
		return has(`(?m)^\s*def (?:self\.)?up\b`) && !has(`(?m)^\s*def (?:self\.)?down\b`) ||
			has(`(?m)^\s*def change\b`) && has(`(?m)^\s*execute\b`) && !has(`\breversible\b`)
	case ".js", ".ts", ".mjs", ".cjs":
		return has(`\bup\b\s*(?:=|:|\()`) && !has(`\bdown\b\s*(?:=|:|\()`)
	}
	return false
}

// hasUndo reports whether a migration of SQL has a file that takes it back, in
// the change or beside it.
func (e *examination) hasUndo(name string) bool {
	folder, base := path.Dir(name), path.Base(name)
	stem := strings.TrimSuffix(base, ".sql")
	undo := []string{strings.TrimSuffix(stem, ".up") + ".down.sql", strings.TrimSuffix(stem, "_up") + "_down.sql", stem + ".rollback.sql"}
	if version, _, flyway := strings.Cut(stem, "__"); flyway && strings.HasPrefix(version, "V") {
		undo = append(undo, "U"+version[1:]+"__*.sql")
	}
	for _, one := range undo {
		glob := path.Join(literally(folder), one)
		for _, other := range e.files {
			if other.Path != "" && other.Path != name && matches(glob, other.Path) {
				return true
			}
		}
		if exists(e.workspace, path.Join(folder, one)) {
			return true
		}
	}
	return false
}
