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

// secretNames are the globs of secretPaths by the way in which they are matched fastest: by the
// whole name, by its extension, as globs of a name, and as globs of a path.
type secretNames struct {
	names, extensions map[string]string
	globs, paths      []secretPath
}

var knownSecrets = sync.OnceValue(func() *secretNames { //nolint:gochecknoglobals // a table
	known := &secretNames{names: map[string]string{}, extensions: map[string]string{}}
	for _, rule := range secretPaths() {
		for _, glob := range rule.globs {
			extension := strings.TrimPrefix(glob, "*")
			switch {
			case strings.Contains(glob, "/"):
				known.paths = append(known.paths, secretPath{rule.why, []string{glob}})
			case !strings.ContainsAny(glob, "*?[{"):
				known.names[glob] = rule.why
			case extension != glob && path.Ext(extension) == extension:
				known.extensions[extension] = rule.why
			default:
				known.globs = append(known.globs, secretPath{rule.why, []string{glob}})
			}
		}
	}
	return known
})

// SecretName says why a path is a secret by its name, or "".
func SecretName(name string) string {
	name = strings.ToLower(name)
	known := knownSecrets()
	for part := range strings.SplitSeq(name, "/") {
		if why := cmp.Or(known.names[part], known.extensions[path.Ext(part)]); why != "" {
			return why
		}
		for _, rule := range known.globs {
			if doublestar.MatchUnvalidated(rule.globs[0], part) {
				return rule.why
			}
		}
	}
	for _, rule := range known.paths {
		if doublestar.MatchUnvalidated(rule.globs[0], name) {
			return rule.why
		}
	}
	return ""
}

// ignored reports whether git ignores a file, other than in vendor and node_modules. The rules
// begin at the top of the work tree, which may lie above root.
func ignored(root *os.Root, name string) bool {
	if top := workTree(root.Name()); top != root.Name() {
		above, err := os.OpenRoot(top)
		prefix, relErr := filepath.Rel(top, root.Name())
		if errors.Join(err, relErr) == nil {
			defer above.Close() //nolint:errcheck // it was only read
			root, name = above, path.Join(filepath.ToSlash(prefix), name)
		}
	}
	parts := strings.Split(name, "/")
	chain := commonRules(root)
	for i := range parts {
		if parts[i] == "vendor" || parts[i] == "node_modules" {
			return false
		}
		chain = chain.with(i, readIgnore(root, path.Join(append(slices.Clone(parts[:i]), ".gitignore")...)))
		if chain.ignores(parts[:i+1], i < len(parts)-1) {
			return true
		}
	}
	return false
}

// workTree is the closest folder with .git, at dir or above it, else dir.
func workTree(dir string) string {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); !errors.Is(err, fs.ErrNotExist) {
			return top
		}
		if top == filepath.Dir(top) {
			return dir
		}
	}
}
