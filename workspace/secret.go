package workspace

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

type secretPath struct {
	why   string
	globs []string
}

// secretPaths are globs, in lower case, of files that hold secrets, by the reason to refuse them.
// One without a slash matches the name of the file or of a folder above it.
func secretPaths() []secretPath {
	return []secretPath{
		{"it is part of .git", []string{".git"}},
		{"files of that name hold passwords", []string{
			".env*", "*.env", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".htpasswd", ".git-credentials", ".password-store",
		}},
		{"it is a private key or a key store", []string{
			"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_*_sk", "ssh_host_*_key", "*.pem", "*.key", "*.p8", "*.p12",
			"*.pfx", "*.pkcs12", "*.ppk", "*.jks", "*.keystore", "*.kdbx", ".ssh", ".gnupg",
		}},
		{"it holds the credentials of a cloud service", []string{
			".aws", ".azure", ".gcloud", ".kube", ".config/gcloud/**", "**/.config/gcloud/**", ".boto", ".s3cfg", "kubeconfig",
			"*.kubeconfig", "credentials.json", "client_secret*.json", "service[-_]account*.json", ".vault-token", ".vault_pass*",
			"application_default_credentials.json", "*.tfstate", "*.tfstate.backup", "*.tfvars", ".terraformrc", ".terraform.d",
		}},
		{"it holds the credentials of a package manager", []string{
			".npmrc", ".yarnrc.yml", ".pypirc", ".dockercfg", ".dockerconfigjson", "{,**/}.docker/config.json",
			"{,**/}.cargo/credentials*", "{,**/}.gem/credentials", "{,**/}.m2/settings*.xml", "{,**/}.gradle/gradle.properties",
			"{,**/}.composer/auth.json", "{,**/}.config/gh/hosts.yml",
		}},
	}
}

// Secret says why a file below root may hold secrets and is not shown, or "". Allow are globs of
// paths that the user permits. A link is judged by its target, too.
func Secret(root *os.Root, name string, allow []string) string {
	if Allowed(name, allow) {
		return ""
	}
	why := SecretName(name)
	if why == "" && ignored(root, name) {
		why = "git ignores it"
	}
	if why != "" {
		return why
	}
	resolved, err := filepath.EvalSymlinks(filepath.Join(root.Name(), filepath.FromSlash(name)))
	top, topErr := filepath.EvalSymlinks(root.Name())
	if errors.Join(err, topErr) != nil {
		return ""
	}
	target, err := filepath.Rel(top, resolved)
	if target = filepath.ToSlash(target); err != nil || target == name || Allowed(target, allow) {
		return ""
	}
	if why = SecretName(target); why == "" && filepath.IsLocal(target) && ignored(root, target) {
		why = "git ignores it"
	}
	return why
}

// Allowed reports whether one of the globs matches a path.
func Allowed(name string, globs []string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		ok, _ := doublestar.Match(strings.TrimPrefix(glob, "./"), name)
		return ok
	})
}

// secretGlobs returns the reasons of secretPaths by glob: a table of plain names and of "*.extension", which is fast,
// and globs of paths for the rest.
//
//nolint:gochecknoglobals // a table
var secretGlobs = sync.OnceValues(func() (table map[string]string, globs []secretPath) {
	table = map[string]string{}
	for _, rule := range secretPaths() {
		var paths []string
		for _, glob := range rule.globs {
			switch extension := strings.TrimPrefix(glob, "*"); {
			case strings.Contains(glob, "/"):
				paths = append(paths, glob)
			case !strings.ContainsAny(glob, "*?[{"), extension != glob && path.Ext(extension) == extension:
				table[glob] = rule.why
			default:
				paths = append(paths, "**/"+glob+"/**")
			}
		}
		globs = append(globs, secretPath{rule.why, paths})
	}
	return table, globs
})

// SecretName says why a path is a secret by its name, or "".
func SecretName(name string) string {
	name = strings.ToLower(name)
	table, globs := secretGlobs()
	for part := range strings.SplitSeq(name, "/") {
		if why := cmp.Or(table[part], table["*"+path.Ext(part)]); why != "" {
			return why
		}
	}
	for _, rule := range globs {
		if Allowed(name, rule.globs) {
			return rule.why
		}
	}
	return ""
}

// ignored reports whether git ignores a file, other than in vendor and node_modules.
func ignored(root *os.Root, name string) bool {
	names, chain, out := treeAbove(root)
	if out {
		return true
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if isDependencies(part) {
			return false
		}
		chain = chain.with(len(names), readIgnore(root, path.Join(append(slices.Clone(parts[:i]), ".gitignore")...)))
		names = append(names, part)
		if chain.ignores(names, i < len(parts)-1) {
			return true
		}
	}
	return false
}

func isDependencies(folder string) bool { return folder == "vendor" || folder == "node_modules" }

// treeAbove returns the names of the folders from the top of the work tree, which may lie above root, down to root,
// the rules that hold there, and whether git ignores one of these folders.
func treeAbove(root *os.Root) (names []string, chain ignoreChain, ignored bool) {
	top := WorkTree(root.Name())
	below, relErr := filepath.Rel(top, root.Name())
	above, err := os.OpenRoot(top)
	if errors.Join(err, relErr) != nil {
		return nil, commonRules(root), false
	}
	defer above.Close() //nolint:errcheck // it was only read
	chain = commonRules(above)
	if below == "." {
		return nil, chain, false
	}
	names = strings.Split(filepath.ToSlash(below), "/")
	for i, name := range names {
		if isDependencies(name) {
			return names, chain, false
		}
		chain = chain.with(i, readIgnore(above, path.Join(append(slices.Clone(names[:i]), ".gitignore")...)))
		ignored = ignored || chain.ignores(names[:i+1], true)
	}
	return names, chain, ignored
}

// WorkTree is the closest folder with .git, at dir or above it, else dir.
func WorkTree(dir string) string {
	if top, found := workTree(dir); found {
		return top
	}
	return dir
}

// InWorkTree reports whether there is a folder with .git at dir or above it.
func InWorkTree(dir string) bool {
	_, found := workTree(dir)
	return found
}

func workTree(dir string) (top string, found bool) {
	for top = dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); !errors.Is(err, fs.ErrNotExist) {
			return top, true
		}
		if top == filepath.Dir(top) {
			return "", false
		}
	}
}

// TooWide reports whether a folder in no work tree holds far more than a question can be about: the top of a disk, or
// the user's home folder.
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
