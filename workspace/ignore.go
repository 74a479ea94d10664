package workspace

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"moot/internal/regular"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreRule is a line of a .gitignore file.
type ignoreRule struct {
	// glob matches the path from the file's folder if anchored, else only its last name.
	glob                       string
	negated, folders, anchored bool
}

// ignoreChain holds the rules of the folders from the root down, with the depth of each.
type ignoreChain struct {
	rules []ignoreRule
	depth []int
}

// with adds the rules of a folder that lies depth folders below the root.
func (c ignoreChain) with(depth int, rules []ignoreRule) ignoreChain {
	c.rules = append(slices.Clip(c.rules), rules...)
	c.depth = append(slices.Clip(c.depth), slices.Repeat([]int{depth}, len(rules))...)
	return c
}

// ignores reports whether the last rule that matches says so.
func (c ignoreChain) ignores(names []string, folder bool) bool {
	for i, rule := range slices.Backward(c.rules) {
		if rule.folders && !folder || c.depth[i] >= len(names) {
			continue
		}
		name := names[len(names)-1]
		if rule.anchored {
			name = path.Join(names[c.depth[i]:]...)
		}
		if doublestar.MatchUnvalidated(rule.glob, name) {
			return !rule.negated
		}
	}
	return false
}

// commonRules apply to all folders: the user's for all repositories, and the repository's own.
func commonRules(root *os.Root) ignoreChain {
	return ignoreChain{}.with(0, userRules()).with(0, readIgnore(root, ".git/info/exclude"))
}

// excludesFile finds the setting core.excludesFile in a git configuration.
var excludesFile = regexp.MustCompile(`(?mi)^[ \t]*excludesfile[ \t]*=[ \t]*"?([^"\r\n]*?)"?[ \t]*$`)

// userRules reads the file that the user's git configuration names, or git's default.
func userRules() []ignoreRule {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	config := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	name := filepath.Join(config, "git", "ignore")
	for _, file := range []string{filepath.Join(config, "git", "config"), filepath.Join(home, ".gitconfig")} {
		text, _ := regular.Read(file, maxFile)
		if set := excludesFile.FindSubmatch(text); set != nil {
			name = string(set[1])
			if below, ok := strings.CutPrefix(name, "~/"); ok {
				name = filepath.Join(home, below)
			}
		}
	}
	text, _ := regular.Read(name, maxFile)
	return parseIgnore(string(text))
}

// readIgnore reads the rules of a file, none if it cannot be read.
func readIgnore(root *os.Root, name string) []ignoreRule {
	text, _ := readRegular(root, name)
	return parseIgnore(string(text))
}

// parseIgnore reads the text of a .gitignore file. A line that git would not understand
// matches nothing.
func parseIgnore(text string) []ignoreRule {
	var rules []ignoreRule
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		for trimmed := strings.TrimSuffix(line, " "); trimmed != line && !strings.HasSuffix(trimmed, `\`); {
			line, trimmed = trimmed, strings.TrimSuffix(trimmed, " ")
		}
		var rule ignoreRule
		line, rule.negated = strings.CutPrefix(line, "!")
		line, rule.folders = strings.CutSuffix(line, "/")
		rule.anchored = strings.Contains(line, "/")
		line = strings.TrimPrefix(line, "/")
		if strings.HasSuffix(line, "/**") {
			// Of a folder's content, not the folder itself.
			line += "/*"
		}
		// Braces mean nothing in .gitignore.
		rule.glob = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
		if line != "" && doublestar.ValidatePattern(rule.glob) {
			rules = append(rules, rule)
		}
	}
	return rules
}
