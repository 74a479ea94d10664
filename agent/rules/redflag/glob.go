package redflag

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// matches reports whether a glob matches a path: one without a slash its last
// name, others the whole of it.
func matches(glob, name string) bool {
	if !strings.Contains(glob, "/") {
		name = path.Base(name)
	}
	return doublestar.MatchUnvalidated(glob, name)
}

func matchesAny(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return matches(glob, name) })
}

// fill puts a file's folder, name and stem into a glob. What they hold is taken
// by the letter.
func fill(glob, name string) string {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	filled := strings.NewReplacer(
		"{dir}", literally(path.Dir(name)), "{name}", literally(base), "{stem}", literally(stem),
	).Replace(glob)
	return strings.TrimPrefix(filled, "./")
}

func literally(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`,
	).Replace(text)
}
