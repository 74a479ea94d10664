package workspace

import (
	"cmp"
	_ "embed"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"moot/config"
	"moot/internal/git"
	"moot/internal/redact"
)

// secretKind is a kind of files with secrets; secrets.toml explains the fields.
type secretKind struct {
	Why     string   `toml:"why"`
	Names   []string `toml:"names"`
	Folders []string `toml:"folders"`
}

//go:embed secrets.toml
var secretKinds []byte

// Allowed reports whether one of the globs matches a path.
func Allowed(name string, globs []string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		ok, _ := doublestar.Match(strings.TrimPrefix(glob, "./"), name)
		return ok
	})
}

// secretTable is secrets.toml for fast lookups: plain names, endings such as ".pem", patterns, and folders.
type secretTable struct {
	exact, endings, folders map[string]string
	patterns                []struct{ pattern, why string }
}

//nolint:gochecknoglobals // a table
var secretNames = sync.OnceValues(func() (*secretTable, error) {
	t := &secretTable{exact: map[string]string{}, endings: map[string]string{}, folders: map[string]string{}}
	var file struct {
		Kinds []secretKind `toml:"kind"`
	}
	if err := config.Strict(secretKinds, &file); err != nil {
		return nil, err
	}
	for _, kind := range file.Kinds {
		for _, name := range kind.Names {
			ending := strings.TrimPrefix(name, "*")
			switch {
			case !strings.ContainsAny(name, "*?["):
				t.exact[name] = cmp.Or(t.exact[name], kind.Why)
			case ending != name && path.Ext(ending) == ending && !strings.ContainsAny(ending, "*?["):
				t.endings[ending] = cmp.Or(t.endings[ending], kind.Why)
			default:
				t.patterns = append(t.patterns, struct{ pattern, why string }{name, kind.Why})
			}
		}
		for _, folder := range kind.Folders {
			t.folders[folder] = kind.Why
		}
	}
	return t, nil
})

//nolint:gochecknoglobals // a table
var redactNames = sync.OnceValues(redact.New)

// SecretName returns why a file is not shown because of its name, or "". It checks the last element of the path and
// its folder. Copies and backups of a secret file are secret; its examples and source code are not. A file is also
// not shown if its name contains a secret.
func SecretName(name string) string {
	folded := strings.ToLower(name)
	for part := range strings.SplitSeq(folded, "/") {
		if part == ".git" {
			return "it is part of .git"
		}
	}
	folder, base := path.Split(folded)
	folder = path.Base(folder)
	table, err := secretNames()
	if err != nil {
		return err.Error()
	}
	for copies := 0; ; copies++ {
		if why := table.why(folder, base); why != "" {
			return why
		}
		original := table.originalName(base)
		if original == base || copies == 3 {
			break
		}
		base = original
	}
	redactor, err := redactNames()
	if err != nil {
		return err.Error()
	}
	_, found := redactor.Text(name)
	if slices.ContainsFunc(found, func(f redact.Finding) bool { return f.Reason != redact.Random }) {
		return "its name holds what looks like a secret"
	}
	return ""
}

// ShownName returns a name for screens, prompts and the record, without a secret that it may contain.
func ShownName(name string) string {
	redactor, err := redactNames()
	if err != nil {
		return redact.Mark("name")
	}
	shown, _ := redactor.Text(name)
	return shown
}

// why returns why a file in a folder is secret. Both names are in lower case.
func (t *secretTable) why(folder, base string) string {
	if why := cmp.Or(t.exact[folder+"/"+base], t.exact[base]); why != "" {
		return why
	}
	if isExample(base) || isCode(base) {
		return ""
	}
	if why := cmp.Or(t.endings[path.Ext(base)], t.folders[folder]); why != "" {
		return why
	}
	for _, p := range t.patterns {
		target := base
		if strings.Contains(p.pattern, "/") {
			target = folder + "/" + base
		}
		if ok, _ := path.Match(p.pattern, target); ok {
			return p.why
		}
	}
	return ""
}

// isExample reports whether a file is an example of a secret file, such as .env.example. Its values are still
// redacted.
func isExample(base string) bool {
	for _, word := range []string{"example", "sample", "template", "tmpl", "dist", "pub"} {
		if strings.HasSuffix(base, "."+word) || strings.Contains(base, "."+word+".") ||
			strings.HasSuffix(base, "-"+word) {
			return true
		}
	}
	return false
}

// isCode reports whether a file is source code or a document.
func isCode(base string) bool {
	switch path.Ext(base) {
	case ".go", ".py", ".pyi", ".c", ".h", ".cc", ".cpp", ".hpp", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx",
		".java", ".kt", ".kts", ".scala", ".rs", ".rb",
		".php", ".cs", ".swift", ".dart", ".lua", ".pl", ".pm", ".ex", ".exs", ".erl", ".hs", ".clj", ".sh", ".bash",
		".vue", ".svelte", ".html", ".css", ".md", ".rst", ".adoc",
		".proto", ".sql", ".tf", ".gradle", ".groovy", ".m", ".mm", ".zig":
		return true
	}
	return false
}

// copySuffix matches suffixes added by backups, editors and package managers.
var copySuffix = regexp.MustCompile(
	`(?:~|\.(?:bak|back|backup|bkp|old|orig|original|save|saved|copy|tmp|temp|swp|swo|swn|` +
		`rej|prev|previous|new|disabled|dpkg-\w+|rpm\w+|ucf-\w+|pacsave|gz|bz2|xz|zst|zip|` +
		`\d{1,14}|\d{4}-\d\d-\d\d|[0-9a-f]{32,})|` +
		`[-_ .](?:bak|backup|old|orig|copy|save)(?:[-_ .]?\d+)?|` +
		`(?: - | )copy(?: \d+)?|[-_. ]\d{4}-?\d\d-?\d\d|\(\d+\)| \(\d+\))$`)

// originalName returns the name of the file that a copy was made from, or the name itself.
func (t *secretTable) originalName(base string) string {
	if strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#") && len(base) > 2 {
		return base[1 : len(base)-1]
	}
	if end := path.Ext(base); (end == ".swp" || end == ".swo" || end == ".swn") && strings.HasPrefix(base, ".") {
		// vim's swap file for both x and .x is .x.swp.
		original := strings.TrimSuffix(base, end)
		if t.why("", original) == "" {
			return strings.TrimPrefix(original, ".")
		}
		return original
	}
	if strings.HasPrefix(base, ".#") || strings.HasPrefix(base, "~$") {
		return base[2:]
	}
	if cut := copySuffix.ReplaceAllString(base, ""); cut != "" && cut != base {
		return cut
	}
	// The copy may keep the extension: server-old.pem has it already, credentials (1).json does not.
	if end := path.Ext(base); end != "" {
		stem := strings.TrimSuffix(base, end)
		if cut := copySuffix.ReplaceAllString(stem, ""); cut != "" && cut != stem {
			return cut + end
		}
	}
	for _, prefix := range []string{"copy of ", "copy_of_", "backup_", "backup-", "old_", "old-", "bak_"} {
		if rest, ok := strings.CutPrefix(base, prefix); ok {
			return rest
		}
	}
	return base
}

// WorkTree returns the top of the git work tree that contains dir, or dir itself. Repositories of other users do not
// count.
func WorkTree(dir string) string {
	if place, err := git.Find(dir); err == nil {
		return place.Top
	}
	return dir
}

// InWorkTree reports whether dir is in a git work tree.
func InWorkTree(dir string) bool {
	_, err := git.Find(dir)
	return err == nil
}

// TooWide reports whether a folder outside of a work tree is too large for a question: the top of a disk, or the
// user's home folder.
func TooWide(dir, home string) bool {
	resolved := func(name string) string {
		name, _ = filepath.Abs(name)
		if target, err := filepath.EvalSymlinks(name); err == nil {
			return target
		}
		return name
	}
	dir = resolved(dir)
	if InWorkTree(dir) {
		return false
	}
	return filepath.Dir(dir) == dir || home != "" && dir == resolved(home)
}
