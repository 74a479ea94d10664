package redflag

import (
	"fmt"
	"strings"
	"unicode"

	"moot/playbook"
)

// untestedChange finds functions that changed while no test did that names
// them, or that by its file's name is theirs.
func untestedChange(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.tests || s.foreign || s.Alteration == playbook.Deleted || s.language.Declares.Regexp == nil || e.generated(s) ||
			e.companionTested(s) {
			continue
		}
		for _, changed := range e.changedFunctions(s) {
			if !e.tested(s, changed.about) {
				changed.what = fmt.Sprintf("the function %s changed, and no test that changed names it", changed.about)
				report(changed)
			}
		}
	}
}

// changedFunctions are the functions of a file whose code changed, each with
// its first new line, or the first that is gone where none is new.
func (e *examination) changedFunctions(s *subject) []hit {
	var found []hit
	// seen is where the hit on a function is.
	seen := map[string]int{}
	v := s.look(e.workspace)
	for i := range s.hunks {
		after := 0
		for j := range s.hunks[i].lines {
			l := &s.hunks[i].lines[j]
			if l.Side == Dropped && after == 0 {
				after = nextNew(s.hunks[i].lines[j:])
			}
			if l.New > 0 {
				after = l.New
			}
			if l.Side == Both || l.lost || e.moved(l) || !substance(l.code) {
				continue
			}
			name, _ := v.around(s.language, after)
			if l.Side == Dropped && l.declares != "" {
				// The function has another name now, which its own lines tell.
				continue
			}
			if name == "" && !v.whole {
				name = s.language.declared(s.hunks[i].section)
			}
			at, known := seen[name]
			switch {
			case name == "":
			case !known:
				seen[name] = len(found)
				found = append(found, hit{file: s, line: l, about: name})
			case found[at].line.Side == Dropped && l.Side == Gained:
				// What is there now can be looked up.
				found[at].line = l
			}
		}
	}
	return found
}

func nextNew(lines []line) int {
	for i := range lines {
		if lines[i].New > 0 {
			return lines[i].New
		}
	}
	return 0
}

// substance reports whether code says something: more than brackets.
func substance(code string) bool { return strings.Trim(code, " \t{}()[];,") != "" }

// companionTested reports whether tests changed that are the file's by their
// name, or in the file itself.
func (e *examination) companionTested(s *subject) bool {
	for _, glob := range s.language.Companions {
		filled := fill(glob, s.Name())
		for _, other := range e.files {
			if other != s && matches(filled, other.Path) && other.gains() {
				return true
			}
		}
	}
	for _, l := range s.all(Gained) {
		if s.language.Within.matches(l.Text) && !e.moved(l) {
			return true
		}
	}
	return false
}

// gains reports whether the file got a line.
func (s *subject) gains() bool {
	for range s.all(Gained) {
		return true
	}
	return false
}

// tested reports whether a test that the change adds to names the function: as
// a word, between underlines, or behind Test.
func (e *examination) tested(s *subject, function string) bool {
	named, name := e.testWords(s.language), strings.TrimRight(strings.ToLower(function), "?!")
	for at := 0; ; {
		i := strings.Index(named[at:], name)
		if i < 0 {
			return false
		}
		before, after := named[:at+i], named[at+i+len(name):]
		begins := strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "_")
		ends := after[0] == '\n' || after[0] == '_'
		if begins && ends || strings.HasSuffix(before, "\ntest") || strings.HasSuffix(before, "\ntest_") {
			return true
		}
		at += i + 1
	}
}

// testWords are the words of the tests of a language that the change adds to,
// each once, in lower case, between line ends.
func (e *examination) testWords(l *language) string {
	if words, known := e.inTests[l]; known {
		return words
	}
	seen := map[string]bool{}
	var all strings.Builder
	all.WriteByte('\n')
	take := func(text string) {
		for _, word := range strings.FieldsFunc(strings.ToLower(text), notWord) {
			if !seen[word] {
				seen[word] = true
				all.WriteString(word + "\n")
			}
		}
	}
	for _, s := range e.files {
		if !s.tests || s.language != l || !s.gains() {
			continue
		}
		for i := range s.hunks {
			take(s.hunks[i].section)
			for j := range s.hunks[i].lines {
				if one := &s.hunks[i].lines[j]; one.Side != Dropped {
					take(one.code)
				}
			}
		}
	}
	e.inTests[l] = all.String()
	return e.inTests[l]
}

// notWord reports what ends a word.
func notWord(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// removedTest finds tests that are gone although what they tested is not.
func removedTest(e *examination, check *playbook.Check, report func(hit)) {
	gone, came := e.declarations()
	for _, s := range e.pick(check) {
		if !s.tests || s.foreign || s.Alteration == playbook.Deleted && e.subjectGone(s) {
			continue
		}
		for _, l := range s.all(Dropped) {
			name := s.language.Test.name(l.code)
			if name == "" || e.moved(l) || came[name] || about(name, gone) {
				continue
			}
			report(hit{file: s, line: l, about: name, what: fmt.Sprintf("the test %s is gone", name)})
			if s.Alteration == playbook.Deleted {
				break
			}
		}
	}
}

// declarations are the names of functions that are gone, and those of functions
// and tests that came.
func (e *examination) declarations() (gone, came map[string]bool) {
	gone, came = map[string]bool{}, map[string]bool{}
	for _, s := range e.files {
		for _, l := range s.all(Gained) {
			came[l.declares], came[s.language.Test.name(l.code)] = true, true
		}
	}
	for _, s := range e.files {
		if s.tests {
			continue
		}
		for _, l := range s.all(Dropped) {
			if name := l.declares; name != "" && !came[name] {
				gone[name] = true
			}
		}
	}
	delete(came, "")
	return gone, came
}

// about reports whether a test's name holds that of one of the functions.
func about(test string, functions map[string]bool) bool {
	const telling = 4
	flat := strings.NewReplacer("_", "", " ", "").Replace(strings.ToLower(test))
	for name := range functions {
		short := strings.ReplaceAll(strings.ToLower(name), "_", "")
		if len(short) >= telling && strings.Contains(flat, short) {
			return true
		}
	}
	return false
}

// subjectGone reports whether a file that the change deletes has this one for
// its tests.
func (e *examination) subjectGone(tests *subject) bool {
	for _, other := range e.files {
		if other == tests || other.Alteration != playbook.Deleted || other.tests {
			continue
		}
		for _, glob := range tests.language.Companions {
			if matches(fill(glob, other.Old), tests.Old) {
				return true
			}
		}
	}
	return false
}
