package main

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func readMap(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("AGENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMapNamesEveryFolder finds each folder with Go code in the table of AGENTS.md.
func TestMapNamesEveryFolder(t *testing.T) {
	t.Parallel()
	_, folders, _ := strings.Cut(readMap(t), "\n## Folders\n")
	folders, _, _ = strings.Cut(folders, "\n## ")
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." && (entry.Name() == "testdata" || entry.Name()[0] == '.') {
			return filepath.SkipDir
		}
		folder := path.Dir(filepath.ToSlash(name)) + "/"
		if filepath.Ext(name) == ".go" && folder != "./" && !seen[folder] && !strings.Contains(folders, "`"+folder+"`") {
			t.Errorf("AGENTS.md has no line for %s", folder)
		}
		seen[folder] = seen[folder] || filepath.Ext(name) == ".go"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 30 {
		t.Fatalf("only %d folders with Go code were found: the test looks in the wrong place", len(seen))
	}
}

// TestFlowsNameFunctionsThatExist finds each function of the flows in AGENTS.md in the file that is named with it.
func TestFlowsNameFunctionsThatExist(t *testing.T) {
	t.Parallel()
	_, flows, _ := strings.Cut(readMap(t), "\n## Follow the flow\n")
	named := regexp.MustCompile("`(\\w+)`\\s+in\\s+`(\\S+\\.go)`").FindAllStringSubmatch(flows, -1)
	if len(named) < 30 {
		t.Fatalf("the flows name only %d functions: the test does not find them", len(named))
	}
	for _, one := range named {
		code, err := os.ReadFile(filepath.FromSlash(one[2]))
		if err != nil {
			t.Errorf("AGENTS.md names %s in %s: %v", one[1], one[2], err)
			continue
		}
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + one[1] + `[\[(]`).Match(code) {
			t.Errorf("AGENTS.md names %s in %s, which does not exist", one[1], one[2])
		}
	}
}

// TestLinksOfPagesLeadSomewhere follows the links between the pages, to files and to headings.
func TestLinksOfPagesLeadSomewhere(t *testing.T) {
	t.Parallel()
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md", "examples/*/*.md", ".github/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages at %s: %v", pattern, err)
		}
		pages = append(pages, found...)
	}
	// headings returns the anchors of a page, as forges make them.
	headings := func(page string) (anchors []string) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, heading := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllStringSubmatch(string(text), -1) {
			anchor := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
			anchors = append(anchors, strings.ReplaceAll(anchor, " ", "-"))
		}
		return anchors
	}
	followed := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		prose := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`").ReplaceAllString(string(text), "")
		for _, link := range regexp.MustCompile(`\]\(([^)\s]*)\)`).FindAllStringSubmatch(prose, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			followed++
			target, anchor, _ := strings.Cut(link[1], "#")
			if target = filepath.Join(filepath.Dir(page), filepath.FromSlash(target)); strings.HasPrefix(link[1], "#") {
				target = page
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere: %v", page, link[1], err)
			} else if anchor != "" && !slices.Contains(headings(target), anchor) {
				t.Errorf("%s: the link %s names no heading of %s", page, link[1], target)
			}
		}
	}
	if followed < 50 {
		t.Fatalf("only %d links were followed: the test does not find them", followed)
	}
}

// TestWorkflowsOfCI reads the workflows of docs/ci.md: they are YAML, ask for the permissions that the page names and no
// others, and put no text that a contributor writes into a script. The one for forks checks out nothing of the fork.
func TestWorkflowsOfCI(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	type workflow struct {
		On          map[string]any
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Env         map[string]string
			Steps       []struct {
				Uses, Run string
				With, Env map[string]string
			}
		}
	}
	granted := map[string]string{"contents": "read", "pull-requests": "write"}
	reviews, events := 0, map[string]bool{}
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if !strings.Contains(block[1], "\njobs:") {
			continue // It is for another forge.
		}
		var w workflow
		if err := yaml.Unmarshal([]byte(block[1]), &w); err != nil {
			t.Errorf("%v in\n%s", err, block[1])
			continue
		}
		for event := range w.On {
			events[event] = true
		}
		for name, job := range w.Jobs {
			if !maps.Equal(job.Permissions, granted) || w.Permissions == nil || len(w.Permissions) > 0 {
				t.Errorf("the job %s has the permissions %v, its workflow %v", name, job.Permissions, w.Permissions)
			}
			for _, step := range job.Steps {
				if _, isForFork := w.On["pull_request_target"]; isForFork && step.With["ref"] != "" {
					t.Errorf("the workflow for forks checks out %s", step.With["ref"])
				}
				if strings.Contains(step.Run, "${{") {
					t.Errorf("a script has an expression: %s", step.Run)
				}
				if strings.Contains(step.Run, "moot review") {
					reviews++
					if step.Env["GITHUB_TOKEN"] != "${{ github.token }}" || !strings.Contains(step.Run, "--post") ||
						job.Env["HEAD"] != "${{ github.event.pull_request.head.sha }}" {
						t.Errorf("the review gets %v and %v: %s", job.Env, step.Env, step.Run)
					}
				}
			}
		}
	}
	if reviews != 2 || !events["pull_request"] || !events["pull_request_target"] {
		t.Errorf("%d reviews on %v: the test does not find the workflows", reviews, events)
	}
}
