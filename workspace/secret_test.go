package workspace

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSecretPaths(t *testing.T) {
	top := repository(t, map[string]string{
		".gitignore": "/dist/\n*.local\nvendor/\n", "w/a.go": "package a\n", "w/dist/a": "x\n",
		"w/.gitignore": "own\n", "w/.env": "A=b\n", "my.local": "x\n", "w/my.local": "x\n", "w/own": "x\n",
	})
	if err := os.Symlink(".env", filepath.Join(top, "w", "settings.txt")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{".", "w"} {
		root, err := os.OpenRoot(filepath.Join(top, folder))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		guard := NewGuard(root)
		for _, name := range []string{
			".git/config", "sub/.git/config", ".env", ".env.production", "deploy/prod.env", ".ENV", ".netrc", ".pgpass", "id_rsa",
			"certs/server.key", "certs/server.pem", "app.jks", ".aws/credentials", ".npmrc", ".docker/config.json",
			"a/.cargo/credentials.toml", "my.local", "vendor/.env", "terraform.tfstate",
		} {
			if guard.Secret(t.Context(), name, nil) == "" {
				t.Errorf("%s: %s is shown", folder, name)
			}
			if why := guard.Secret(t.Context(), name, []string{"**/" + filepath.Base(name)}); why != "" {
				t.Errorf("%s: %s is allowed, and refused: %s", folder, name, why)
			}
		}
		for _, name := range []string{
			"a.go", "vendor/x/y.go", "node_modules/x/my.local", "id_rsa.pub", "environment.go", "env.go", "docs/keys.md",
			".github/workflows/ci.yml", ".gitignore", "config.json", "credentials.go",
		} {
			if why := guard.Secret(t.Context(), name, nil); why != "" {
				t.Errorf("%s: %s is refused: %s", folder, name, why)
			}
		}
	}
	root, err := os.OpenRoot(filepath.Join(top, "w"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	guard := NewGuard(root)
	for name, secret := range map[string]bool{"settings.txt": true, "own": true, "a.go": false, "dist/a": false} {
		if why := guard.Secret(t.Context(), name, nil); (why != "") != secret {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// What the user's git ignores everywhere is ignored too: git's default file, or the one that is set.
func TestSecretPathsOfTheUser(t *testing.T) {
	home := writeTree(t, map[string]string{
		".config/git/ignore": "notes.me\n", "mine": "drafts/\n",
	})
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	root, err := os.OpenRoot(repository(t, map[string]string{"notes.me": "x\n", "drafts/a": "x\n"}))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	try := func(want map[string]bool) {
		t.Helper()
		guard := NewGuard(root)
		for name, secret := range want {
			if why := guard.Secret(t.Context(), name, nil); (why != "") != secret {
				t.Errorf("%s: %q", name, why)
			}
		}
	}
	try(map[string]bool{"notes.me": true, "drafts/a": false})
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[core]\n\texcludesFile = ~/mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	try(map[string]bool{"notes.me": false, "drafts/a": true})
}

// What git ignores by rules above the workspace is neither listed nor searched.
func TestRulesAboveTheWorkspace(t *testing.T) {
	top := repository(t, map[string]string{
		".gitignore": "*.local\n/w/dist/\n", "w/a.go": "package flamingo\n",
		"w/b.local": "flamingo\n", "w/dist/c.go": "package flamingo\n",
	})
	if got := paths(find(t, filepath.Join(top, "w"), "Where is the flamingo?")); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("found %q", got)
	}
}

// Each kind of secret file is known by its name, in every spelling, and so are its copies. Source code, examples and
// public keys are shown, whatever their folders are called.
func TestSecretNames(t *testing.T) {
	t.Parallel()
	table, err := secretNames()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range table.patterns {
		if _, err := path.Match(p.pattern, "x"); err != nil {
			t.Errorf("%s: %v", p.pattern, err)
		}
	}
	for _, name := range []string{
		// environment files
		".env", ".env.local", ".env.production.local", "run.env", "deploy/prod.env", "x/.envrc", ".envrc.local", ".env-staging", ".env_prod", "prod.env.json",
		"env.production", ".flaskenv", ".dev.vars", ".ENV", "app.Env",
		// histories
		".bash_history", "home/.zsh_history", ".psql_history", ".mysql_history", ".rediscli_history", ".python_history", ".node_repl_history", "fish/fish_history",
		"ConsoleHost_history.txt", ".sqlite_history", ".mongosh-history", ".viminfo",
		// logins and key stores
		".netrc", "_netrc", ".pgpass", ".my.cnf", ".htpasswd", ".git-credentials", "config/secrets.yml", "credentials.json", "passwords.txt", "id_ed25519", "deploy_rsa",
		"id_rsa.work", "ssh_host_rsa_key", "server.key", "tls/cert.pem", "app.jks", "vault.kdbx", "x.p12", "user.keytab", "login.keychain-db", ".ssh/config", ".gnupg/trustdb.gpg",
		// clouds, clusters, Terraform
		".aws/credentials", ".aws/config", ".azure/accessTokens.json", "prod-service-account.json", "app-firebase-adminsdk-1a.json", ".vault-token", "rclone.conf", ".boto",
		"terraform.tfstate", "terraform.tfstate.backup", "prod.auto.tfvars", "prod.tfvars.json", ".terraformrc", ".kube/config", "kubeconfig", "prod.kubeconfig", "kubeconfig-prod.yaml",
		"k3s.yaml", ".docker/config.json", ".dockerconfigjson",
		// packages, mail, VPN, editors
		".npmrc", ".yarnrc.yml", ".pypirc", ".cargo/credentials.toml", ".m2/settings.xml", ".gradle/gradle.properties", "gh/hosts.yml", ".muttrc", ".msmtprc", "sasl_passwd", ".authinfo",
		"office.ovpn", "wg0.conf", "ipsec.secrets", "home.nmconnection", "wpa_supplicant.conf", ".idea/dataSources.xml", "http-client.private.env.json", ".vscode/sftp.json",
		".dbeaver-data-sources.xml", "sitemanager.xml",
		// copies of all of these
		".env~", ".env.bak", "#.env#", ".env.swp", "..env.swp", ".id_rsa.swp", "id_rsa.old", "id_rsa.1", "server.key.orig", "terraform.tfstate.1700000000.backup", "secrets.yml.20260101",
		".npmrc.save", "credentials (1).json", "credentials copy.json", "credentials-backup.json", "kubeconfig.bak.gz", ".bash_history-20260101", "backup_id_rsa", ".netrc.dpkg-old",
		// names that hold one themselves
		"dump-ghp_" + "Zk3vB8qLw2Xn5Rt7Yp1Ad4Gh6Jm9Cs0Ef12.sql", "notes/password=r4bbitHole.txt", "sub/.git/config",
	} {
		if SecretName(name) == "" {
			t.Errorf("%s is shown", name)
		}
	}
	for _, name := range []string{
		".envoy/z.go", "pkg/.aws/z.go", "x.key/z.go", "x.key/README", "run.env/main.go", "tfstate/state.go", "secrets/store.go", "id_rsa/doc.md", ".env.example", ".env.sample", "prod.env.template",
		"environment.go", "env.go", "src/env.d.ts", "credentials.go", "secrets.py", "passwords.rs", "id_rsa.pub", "keys.go", "token.go", "docs/history.md", "history.go", "HISTORY.md", "config.json",
		"kubernetes/deployment.yaml", "kubeconfig.go", "pubkey.txt", "main.tf", "package-lock.json", "go.sum", "backup.go", "old.txt", "main.go.orig", ".gitignore", ".github/workflows/ci.yml",
		"index-BdQq87eaZk3vB8qLw2Xn5Rt7Yp1Ad4Gh.js", "monkey", "keyboard.json", "a.history.go", "cookies.go", "Makefile", "web.config", "settings.xml", "x/config",
	} {
		if why := SecretName(name); why != "" {
			t.Errorf("%s is refused: %s", name, why)
		}
	}
}

func TestShownNames(t *testing.T) {
	t.Parallel()
	token := "ghp_" + "Zk3vB8qLw2Xn5Rt7Yp1Ad4Gh6Jm9Cs0Ef12"
	for name, want := range map[string]string{
		"a/" + token + ".sql": "a/[REDACTED: GitHub token].sql",
		"a/store.go":          "a/store.go",
	} {
		if got := ShownName(name); got != want {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
}

func FuzzSecretName(f *testing.F) {
	for _, name := range []string{".env", "#x#", "~", "copy of ", "/", "..swp", ".#", "a (1)", "x.bak.bak.bak.bak"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if why := SecretName(name); (why == "") != (SecretName("folder/"+name) == "") && !strings.Contains(name, "/") {
			t.Errorf("%q alone: %q", name, why)
		}
	})
}
