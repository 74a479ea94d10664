package search

import (
	"slices"
	"strings"
)

// These rules are read here and not by a library because the two common ones
// differ from git: on random rules and paths go-gitignore judged 14 % and
// go-git 5 % otherwise than git check-ignore, see TestIgnoreAgreesWithGit.

// An ignoreRule is one line of a .gitignore file.
type ignoreRule struct {
	pattern  glob
	negated  bool // the line began with "!": what matches is kept
	folders  bool // the line ended in "/": only folders match
	anchored bool // the pattern holds a slash: it is matched from its folder on, not by name
}

// An ignoreFile holds the rules of one file, in their order.
type ignoreFile struct {
	depth int // how many names lead from the root to the folder that the rules are relative to
	rules []ignoreRule
}

// An ignoreChain holds the rule files that bear on a folder, from the weakest
// (.git/info/exclude) to the strongest (the folder's own .gitignore). It is
// never changed in place: the folders of a walk share it.
type ignoreChain []ignoreFile

// with returns the chain with one more, stronger file, which lies depth
// folders below the root.
func (c ignoreChain) with(depth int, rules []ignoreRule) ignoreChain {
	if len(rules) == 0 {
		return c
	}
	return append(slices.Clip(c), ignoreFile{depth: depth, rules: rules})
}

// ignores reports whether git would leave out the file or folder at the path
// that names spell. As in git, the last rule that matches in the strongest
// file that has one decides; the caller must not descend into an ignored
// folder, so that nothing below it can be taken back in.
func (c ignoreChain) ignores(names []string, folder bool) bool {
	for _, file := range slices.Backward(c) {
		relative := names[file.depth:]
		for _, rule := range slices.Backward(file.rules) {
			if rule.matches(relative, folder) {
				return !rule.negated
			}
		}
	}
	return false
}

func (r ignoreRule) matches(names []string, folder bool) bool {
	if r.folders && !folder {
		return false
	}
	if r.anchored {
		return r.pattern.match(names)
	}
	return matchSegment(r.pattern[0], names[len(names)-1])
}

// parseIgnore reads the text of a .gitignore file. Lines that git would not
// understand either match nothing; no text is an error.
func parseIgnore(text string) []ignoreRule {
	var rules []ignoreRule
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if rule, ok := parseIgnoreLine(line); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

func parseIgnoreLine(line string) (ignoreRule, bool) {
	if strings.HasPrefix(line, "#") {
		return ignoreRule{}, false
	}
	var rule ignoreRule
	line = trimUnescapedSpaces(line)
	line, rule.negated = strings.CutPrefix(line, "!")
	line, rule.folders = strings.CutSuffix(line, "/")
	if line == "" {
		return ignoreRule{}, false
	}
	rule.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	rule.pattern = strings.Split(line, "/")
	return rule, true
}

// trimUnescapedSpaces removes trailing spaces, except one that a backslash keeps.
func trimUnescapedSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}
