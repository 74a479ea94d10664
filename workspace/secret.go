package workspace

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"moot/internal/git"
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

// WorkTree is the top of the git work tree around dir, else dir. Repositories of other users do not count.
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
