package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Installing adds to the files of each program and keeps the rest; removing leaves them as they were.
func TestInstall(t *testing.T) {
	before := map[string]string{
		"claude":   "{\n  \"numbers\": 1e400,\n  \"mcpServers\": {\n    \"other\": {}\n  },\n  \"z\": \"<é>\"\n}\n",
		"codex":    "model = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\"\n",
		"opencode": "",
	}
	for _, name := range Hosts() {
		home := t.TempDir()
		config := filepath.Join(home, filepath.FromSlash(hosts()[name].config))
		if before[name] != "" {
			if err := Apply([]Change{{Path: config, After: before[name]}}); err != nil {
				t.Fatal(err)
			}
		}
		install := func(command string, want int) {
			t.Helper()
			changes, err := Install(name, home, command, []string{"B_KEY", "A_KEY"})
			if err != nil || len(changes) != want {
				t.Fatalf("%s: %d changes, %v", name, len(changes), err)
			}
			if err := Apply(changes); err != nil {
				t.Fatal(err)
			}
		}
		install(`/opt/my "moot"`, 2)
		install(`/opt/my "moot"`, 0)
		text, err := os.ReadFile(config)
		if err != nil || !strings.Contains(string(text), `/opt/my \"moot\"`) || name == "codex" &&
			!strings.Contains(string(text), `["A_KEY", "B_KEY"]`) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		install("/usr/bin/moot", 1)
		install("", 2)
		text, _ = os.ReadFile(config)
		if got := strings.ReplaceAll(string(text), "\"mcp\": {}", ""); got != before[name] &&
			strings.Trim(got, "{} \n") != before[name] {
			t.Errorf("%s is left as\n%s", name, text)
		}
		if _, err := os.Stat(filepath.Join(home, filepath.FromSlash(hosts()[name].skill))); err == nil {
			t.Errorf("%s: the skill is still there", name)
		}
	}
}

// A configuration with comments is not touched.
func TestInstallKeepsWhatItCannotRead(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, filepath.FromSlash(hosts()["opencode"].config))
	if err := Apply([]Change{{Path: config, After: "{ // mine\n}\n"}}); err != nil {
		t.Fatal(err)
	}
	if changes, err := Install("opencode", home, "moot", nil); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("%v, %v", changes, err)
	}
}

// An entry that does not fit into the configuration of codex is not written.
func TestInstallKeepsTOMLThatItWouldBreak(t *testing.T) {
	for _, before := range []string{"[mcp_servers\n", "mcp_servers = { moot = { command = \"x\" } }\n"} {
		home := t.TempDir()
		config := filepath.Join(home, filepath.FromSlash(hosts()["codex"].config))
		if err := Apply([]Change{{Path: config, After: before}}); err != nil {
			t.Fatal(err)
		}
		if changes, err := Install("codex", home, "moot", nil); err == nil || !strings.Contains(err.Error(), "left unchanged") {
			t.Errorf("%q: %v, %v", before, changes, err)
		}
	}
}
