package playbook

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"moot/config"
	"moot/internal/enum"
	"moot/resolver/dialectic"
)

// nameOf is a word from the file as it is shown.
func nameOf(word string) string { return config.Named(word) }

// isID reports whether a text is lower-case words joined by hyphens.
func isID(text string) bool {
	const longest = 60
	for word := range strings.SplitSeq(text, "-") {
		if word == "" || strings.IndexFunc(word,
			func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }) >= 0 {
			return false
		}
	}
	return len(text) <= longest
}

// flags reads the flags behind those that the playbook begins with.
func (r *reader) flags(book *Playbook) {
	first := map[string]string{}
	for i := range book.Flags {
		first[book.Flags[i].ID] = "in the playbook " + r.form.Extends + "; name it in without to replace it"
	}
	for i := range r.form.Flags {
		path := "flag[" + strconv.Itoa(i) + "]"
		flag := r.flag(path, &r.form.Flags[i], book)
		where, twice := first[flag.ID]
		switch {
		case flag.ID == "":
		case twice:
			r.Tell(path+".id", "the id %s is taken %s", flag.ID, where)
		default:
			first[flag.ID] = "by the flag in line " + strconv.Itoa(r.Line(path+".id"))
		}
		book.Flags = append(book.Flags, flag)
	}
	if len(book.Flags) == 0 {
		r.Tell("flag", "no flag: a playbook has at least one [[flag]], or extends one that has")
	}
}

func (r *reader) flag(path string, given *flagForm, book *Playbook) Flag {
	var flag Flag
	switch {
	case given.ID == "":
		r.Tell(path, "id is missing")
	case !isID(given.ID):
		r.Tell(path+".id", "the id %s is none: write lower-case words joined by hyphens, such as secret-in-change",
			nameOf(given.ID))
	default:
		flag.ID = given.ID
	}
	r.text(path+".title", given.Title, true, &flag.Title)
	r.text(path+".look", given.Look, true, &flag.Look)
	r.text(path+".why", given.Why, true, &flag.Why)
	r.text(path+".predicate", given.Predicate, true, &flag.Predicate)
	r.text(path+".clears", given.Clears, true, &flag.Clears)
	switch _, listed := book.Config.Thresholds[given.Category]; {
	case given.Category == "":
		r.Tell(path, "category is missing")
	case !listed:
		categories := slices.Sorted(maps.Keys(book.Config.Thresholds))
		near := config.Meant(enum.Nearest(given.Category, categories))
		if near == "" {
			near = "; give it a threshold in [thresholds]"
		}
		r.Tell(path+".category", "the category %s has no threshold%s", nameOf(given.Category), near)
	default:
		flag.Category = given.Category
	}
	if given.Severity == "" {
		r.Tell(path, "severity is missing")
	} else {
		flag.Severity, _ = word(r, path+".severity", "severity", given.Severity, dialectic.Severities())
	}
	if given.Checks != nil && len(given.Checks) == 0 {
		r.Tell(path+".check", "the list of checks is empty; leave it out")
	}
	for i := range given.Checks {
		if check, ok := r.check(path+".check["+strconv.Itoa(i)+"]", &given.Checks[i]); ok {
			flag.Checks = append(flag.Checks, check)
		}
	}
	return flag
}

// check reads one check; it is not ok without a kind that is known.
func (r *reader) check(path string, given *checkForm) (Check, bool) {
	if given.Kind == "" {
		r.Tell(path, "kind is missing: name what the check does")
		return Check{}, false
	}
	if slices.Contains(removedKinds(), given.Kind) {
		r.Tell(path+".kind", "the check %s was removed: write what it looks for as added-line or removed-line with a "+
			"pattern, "+
			"or as missing-companion or touched-file with files", given.Kind)
		return Check{}, false
	}
	kind, ok := word(r, path+".kind", "check", given.Kind, Kinds())
	if !ok {
		return Check{}, false
	}
	r.keys(path, kind, given)
	check := Check{
		Kind: kind, Limit: given.Limit, Scope: AllFiles,
		Files:   r.globs(path+".files", given.Files),
		Except:  r.globs(path+".except", given.Except),
		Needs:   r.globs(path+".needs", given.Needs),
		Near:    r.expression(path+".near", given.Near),
		When:    r.expression(path+".when", given.When),
		Unless:  r.expression(path+".unless", given.Unless),
		Changes: words(r, path+".change", "alteration", given.Change, Alterations()),
	}
	if given.Change != nil && len(given.Change) == 0 {
		r.Tell(path+".change", "the list of change is empty; leave it out")
	}
	if given.Scope != "" {
		check.Scope, _ = word(r, path+".scope", "scope", given.Scope, Scopes())
	}
	if given.Limit < 0 {
		r.Tell(path+".limit", "limit is %d; it is a number of lines above 0", given.Limit)
	}
	check.Patterns = r.set(path+".set", given.Set)
	where := Code
	if given.Where != "" {
		where, _ = word(r, path+".where", "part of a line", given.Where, Parts())
	}
	if match := r.expression(path+".pattern", given.Pattern); match != nil {
		check.Patterns = append(check.Patterns,
			Pattern{Match: match, Unless: check.Unless, Where: where, Words: wordsOf(match)})
	}
	return check, true
}

// removedKinds are checks that earlier versions had.
func removedKinds() []string {
	return []string{
		"generated-file", "untested-change", "removed-test", "changed-interface", "dependency-added",
		"dependency-lowered",
		"dependency-unpinned", "dependency-major", "lost-error-handling", "endless-loop", "one-way-migration",
		"destructive-sql", "changed-setting",
	}
}

// set is the patterns of a set, none where no set is named.
func (r *reader) set(path, name string) []Pattern {
	if name == "" {
		return nil
	}
	if r.sets == nil {
		var err error
		if r.sets, err = readSets(); err != nil {
			r.Tell(path, "%v", err)
			return nil
		}
	}
	rows, known := r.sets[name]
	if !known {
		r.unknown(path, "set of patterns", name, slices.Sorted(maps.Keys(r.sets)))
	}
	return slices.Clone(rows)
}

// keys tells the keys that a kind does not take, and those that it lacks.
func (r *reader) keys(path string, kind Kind, given *checkForm) {
	may, must := kind.Keys()
	has := given.given()
	for _, key := range has {
		if slices.Contains(may, key) {
			continue
		}
		takes := slices.Concat([]string{"files", "except", "scope"}, may)
		r.Tell(path+"."+key, "the check %s takes no %s; it takes %s", kind, key, strings.Join(takes, ", "))
	}
	if len(given.Files) > 0 {
		has = append(has, "files")
	}
	for _, key := range must {
		if key == "pattern" && given.Set != "" && slices.Contains(may, "set") {
			continue
		}
		if !slices.Contains(has, key) {
			r.Tell(path, "the check %s needs %s", kind, key)
		}
	}
}

// globs takes a list of globs.
func (r *reader) globs(path string, given []string) []string {
	key := path[strings.LastIndexByte(path, '.')+1:]
	if given != nil && len(given) == 0 {
		r.Tell(path, "the list of %s is empty; leave it out", key)
	}
	for _, glob := range given {
		if glob == "" || !doublestar.ValidatePattern(glob) {
			r.Tell(path, "%s in %s is no glob", strconv.Quote(glob), key)
		}
	}
	return given
}

// expression compiles a regular expression, nil for none.
func (r *reader) expression(path, given string) *regexp.Regexp {
	if given == "" {
		return nil
	}
	compiled, err := regexp.Compile(given)
	if err != nil {
		r.Tell(path, "%s is no regular expression: %v", path[strings.LastIndexByte(path, '.')+1:], err)
		return nil
	}
	return compiled
}
