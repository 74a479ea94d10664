package endpoint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// retired is the content of retired.toml.
type retired struct {
	Checked toml.LocalDate `toml:"checked"`
	Names   []string       `toml:"names"`
}

func readRetired(t *testing.T) retired {
	t.Helper()
	text, err := os.ReadFile("retired.toml")
	if err != nil {
		t.Fatal(err)
	}
	var list retired
	if err := toml.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if day := list.Checked.AsTime(time.UTC); day.Year() < 2026 || len(list.Names) == 0 {
		t.Fatalf("checked %v, %d names", list.Checked, len(list.Names))
	}
	return list
}

// pattern matches the names in a text, with a vendor before them, but not as parts of other names.
func (r *retired) pattern() *regexp.Regexp {
	var names []string
	for _, name := range r.Names {
		quoted := regexp.QuoteMeta(strings.TrimSuffix(name, "*"))
		if strings.HasSuffix(name, "*") {
			quoted += `[\w.-]*`
		}
		names = append(names, quoted)
	}
	return regexp.MustCompile(`(?:^|[^\w.-])(` + strings.Join(names, "|") + `)(?:$|[^\w.-]|[.-](?:$|[^\w]))`)
}

func TestRetiredNamesAreRecognized(t *testing.T) {
	list := readRetired(t)
	pattern := list.pattern()
	for text, want := range map[string]bool{
		"deepseek:deepseek-chat": true, "`openai/gpt-4o-mini`": true, "use o1.": true, "mistralai/mixtral-8x7b": true,
		"gemini-1.5-flash": true, "deepseek-reasoner thinks": true, "gpt-4-turbo": true, "claude-3-5-sonnet-latest": true,
		"gpt-5.4-mini": false, "deepseek-v4-flash": false, "pro-o1-x": false, "gpt-4": true, "my-gpt-4o": false,
		"openai/gpt-oss-120b": false, "claude-sonnet-4-6": false, "gemini-3.8-flash": false,
	} {
		if got := pattern.MatchString(text); got != want {
			t.Errorf("%q: retired %v, want %v", text, got, want)
		}
	}
}

// No preset, price, page, example, help text or prompt names a model that is retired.
func TestNoRetiredModelIsNamed(t *testing.T) {
	list := readRetired(t)
	pattern := list.pattern()
	root := filepath.Join("..", "..")
	read := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if slices.Contains([]string{"testdata", ".git", "tools", "security"}, name) {
				return filepath.SkipDir
			}
			return nil
		}
		code := filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && filepath.Base(filepath.Dir(path)) != "endpoint"
		if name == "retired.toml" || !code && !slices.Contains([]string{".toml", ".md", ".txt", ".json"}, filepath.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for i, line := range strings.Split(string(text), "\n") {
			if found := pattern.FindStringSubmatch(line); found != nil {
				t.Errorf("%s:%d names %s, which is retired: %s", path, i+1, found[1], strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 100 {
		t.Errorf("only %d files were read", read)
	}
	prices, err := Prices()
	if err != nil {
		t.Fatal(err)
	}
	for model := range prices {
		if pattern.MatchString(model) {
			t.Errorf("%s is retired and has a price", model)
		}
	}
}
