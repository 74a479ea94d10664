package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moot/config"
)

// The page shows the template, in force.
func TestConfigurationPageShowsTheTemplate(t *testing.T) {
	path := filepath.Join("..", "docs", "configuration.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(page), "\r\n", "\n")
	before, after, found := strings.Cut(text, "```toml\n")
	_, behind, closed := strings.Cut(after, "```\n")
	if !found || !closed {
		t.Fatal("the page shows no file")
	}
	settings := regexp.MustCompile(`(?m)^#([^ \n])`).ReplaceAllString(config.Template(), "$1")
	want := before + "```toml\n" + settings + "```\n" + behind
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != text {
		t.Errorf("%s does not show the template of the configuration; go test ./cli -run ConfigurationPage -update writes it", path)
	}
}
