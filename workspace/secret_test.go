package workspace

import (
	"os"
	"path/filepath"
	"slices"
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
