package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors are the folders of the house from the roof down. Each may import only
// those below it. The root is main.go.
func floors() []string {
	return []string{
		".", "examples", "cli", "serve", "tui", "attach", "search", "report", "lab", "queue", "demo", "agent", "audit", "recheck", "adr", "research", "memory", "change", "workspace", "figure", "protocol/protocoltest/random", "protocol/run", "protocol/protocoltest", "protocol/formats",
		"protocol/consult", "protocol/dialectic", "protocol/panel", "protocol/council", "protocol/hearing", "protocol/review", "protocol/claims", "protocol/reply", "protocol", "protocol/move", "view",
		"protocol/dialectic/playbook", "protocol/council/constitution", "protocol/hearing/domain", "state/store", "resolver", "resolve", "protocol/dialectic/gates", "protocol/hearing/judge", "protocol/review/merge", "protocol/review/written", "state", "ledger",
	}
}

// formatFolders are the folders of the formats, which do not know each other.
func formatFolders() []string {
	return []string{"protocol/consult", "protocol/dialectic", "protocol/panel", "protocol/council", "protocol/hearing", "protocol/review"}
}

// knowFormats are the folders that may import those of formats: the list, the seats that rules
// fill, and what is for one format, such as moot review. The others know protocol.Format only.
func knowFormats() []string {
	return []string{"protocol/formats", "agent", "lab", "demo", "cli", "change", "memory"}
}

// forTests is the folder with what the tests of several folders need. Only tests may import it and those below it.
const forTests = "protocol/protocoltest"

// isForTests reports whether a floor holds what only tests need.
func isForTests(floor string) bool {
	return floor == forTests || strings.HasPrefix(floor, forTests+"/")
}

// runsFormats reports whether the tests of a floor may run sessions of the formats above it: rules are tested beside
// their code, and some only show what they do in a session.
func runsFormats(floor string) bool {
	return strings.HasPrefix(floor+"/", "protocol/") || slices.Contains([]string{"resolver", "state", "view"}, floor)
}

// leaves lie below all floors and import nothing of the module, save what
// amongLeaves allows.
func leaves() []string {
	return []string{"config", "queue/jetstream", "internal/git", "internal/forge", "internal/redact", "internal/confine", "internal/jsonlines", "internal/plain", "internal/enum", "internal/process", "internal/regular", "internal/lists", "internal/mutate", "internal/rename"}
}

// amongLeaves is which leaves one may import: redact marks what it takes out in
// plain text, config names the nearest word that it knows, in plain text too, and
// forge reads a file and shows what servers say.
func amongLeaves() map[string]string {
	return map[string]string{"internal/redact": "internal/plain", "config": "internal/enum internal/lists internal/plain", "internal/jsonlines": "internal/enum", "internal/git": "internal/process internal/regular", "internal/forge": "internal/plain internal/regular", "internal/confine": "internal/regular", "queue/jetstream": "internal/plain"}
}

// apart are folders that do not know each other, although one lies above.
func apart() [][2]string {
	return [][2]string{
		{"agent", "research"},
		{"report", "lab"},
		// The loop knows the log as an interface only.
		{"protocol/run", "state/store"},
	}
}

// pureImports are the packages of the standard library that pure code may import: they see no
// files, network, clock, randomness or other goroutines. impureNames forbids the exceptions.
func pureImports() []string {
	return []string{
		"bufio", "bytes", "cmp", "context", "crypto/sha256", "embed", "encoding", "encoding/binary", "encoding/hex", "encoding/json",
		"encoding/xml", "errors", "fmt", "hash", "io", "iter", "maps", "math", "math/big", "math/bits", "net/netip", "net/url", "path", "reflect", "regexp", "regexp/syntax", "slices", "sort", "strconv",
		"strings", "time", "unicode", "unicode/utf16", "unicode/utf8",
	}
}

// pureLibraries are the libraries that a folder, or some, may use and stay pure.
func pureLibraries() map[string]string {
	return map[string]string{
		"github.com/google/jsonschema-go/jsonschema": "protocol/move protocol/reply",
		// It turns one text into another, and that only where the text is short (maxRepair).
		"github.com/kaptinlin/jsonrepair":             "protocol/reply",
		"github.com/pelletier/go-toml/v2":             "internal/redact config resolver",
		"github.com/pelletier/go-toml/v2/unstable":    "config protocol/hearing/domain",
		"github.com/bmatcuk/doublestar/v4":            "protocol/dialectic/playbook",
		"github.com/blevesearch/snowballstem":         "protocol/review/merge",
		"golang.org/x/net/idna":                       "ledger",
		"github.com/blevesearch/snowballstem/english": "protocol/review/merge",
		"github.com/charmbracelet/x/ansi":             "figure",
		"github.com/go-json-experiment/json":          "ledger resolver state internal/jsonlines protocol/dialectic/gates protocol/hearing/judge",
		"github.com/go-json-experiment/json/v1":       "state",
		"github.com/go-json-experiment/json/jsontext": "ledger resolver state internal/jsonlines protocol/dialectic/gates protocol/hearing/judge",
		"github.com/bluekeyes/go-gitdiff/gitdiff":     "ledger",
		"github.com/yuin/goldmark":                    "protocol/review/written",
		"github.com/yuin/goldmark/ast":                "protocol/review/written",
		"github.com/yuin/goldmark/extension":          "protocol/review/written",
		"github.com/yuin/goldmark/extension/ast":      "protocol/review/written",
		"github.com/yuin/goldmark/text":               "protocol/review/written",
		"golang.org/x/text/unicode/norm":              "resolver protocol/council protocol/dialectic/gates protocol/review/merge",
		"mvdan.cc/sh/v3/expand":                       "ledger",
		"mvdan.cc/sh/v3/syntax":                       "ledger",
	}
}

// impureNames are the names in pureImports that pure code may not use.
func impureNames() map[string][]string {
	return map[string][]string{
		"time": {
			"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTicker", "NewTimer", "Local",
			"LoadLocation",
		},
		"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause", "AfterFunc"},
		"fmt":     {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
		"io":      {"Pipe"},
		"iter":    {"Pull", "Pull2"},
	}
}

// TestHouse reads every Go file of the module: the folders import only what
// lies below them, and the pure ones are pure.
func TestHouse(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all sources, in one goroutine")
	}
	files := token.NewFileSet()
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && (entry.Name() == "testdata" || entry.Name()[0] == '.' || name == "tools") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse %s: %w", name, err)
		}
		name = filepath.ToSlash(name)
		seen[floorOf(path.Dir(name))] = true
		for _, found := range inspect(name, file) {
			t.Error(found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, must := range []string{"ledger", "state", "state/store", "resolver", "protocol"} {
		if !seen[must] {
			t.Errorf("no Go file of %s was read: the test looks in the wrong place", must)
		}
	}
}

// inspect says what a file does that its place in the house forbids.
func inspect(name string, file *ast.File) []string {
	floor := floorOf(path.Dir(name))
	test := isForTests(floor) || strings.HasSuffix(name, "_test.go")
	if floor == "" {
		return []string{name + ": the folder has no place in the house"}
	}
	var found []string
	imported := map[string]string{}
	for _, spec := range file.Imports {
		target, _ := strconv.Unquote(spec.Path.Value)
		local := path.Base(target)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imported[local] = target
		if why := mayImport(floor, target, test); why != "" {
			found = append(found, name+": "+why)
		}
		if why := mayImportPure(name, floor, target); why != "" && isPure(name) {
			found = append(found, name+": "+why)
		}
	}
	if !test {
		found = append(found, startsGit(name, floor, file, imported)...)
		ast.Inspect(file, func(node ast.Node) bool {
			if why := formatNamed(node, floor, imported); why != "" {
				found = append(found, name+": "+why)
			}
			return true
		})
	}
	if !isPure(name) {
		return found
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if why := impurity(node, imported); why != "" {
			found = append(found, name+": pure code has "+why)
		}
		return true
	})
	return found
}

// startsGit says where a file starts git other than by the one function of internal/git, which no setting of a
// repository reaches. A file that can start programs does not name git.
func startsGit(name, floor string, file *ast.File, imported map[string]string) (found []string) {
	starts := false
	for _, target := range imported {
		starts = starts || target == "os/exec" || target == "syscall" || target == "moot/internal/process"
	}
	var inRun ast.Node
	ast.Inspect(file, func(node ast.Node) bool {
		if function, ok := node.(*ast.FuncDecl); ok {
			inRun = nil
			if floor == "internal/git" && function.Name.Name == "run" {
				inRun = function
			}
		}
		if text, ok := node.(*ast.BasicLit); ok && starts && inRun == nil {
			if value, err := strconv.Unquote(text.Value); err == nil && (value == "git" || strings.HasPrefix(value, "git ")) {
				found = append(found, name+": starts git; only the function run of internal/git does")
			}
		}
		return true
	})
	return found
}

// TestOneFunctionStartsGit shows what startsGit finds.
func TestOneFunctionStartsGit(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		`package a; import "os/exec"; func f() { exec.Command("git", "status") }`:                              1,
		`package a; import "os/exec"; func f() { exec.Command("sh", "-c", "git status") }`:                     1,
		`package a; import "moot/internal/process"; func run() { _ = process.Spec{Path: "git"} }`:              1,
		`package a; func f() string { return "git" }`:                                                          0,
		`package a; import "moot/internal/git"; func f() { git.Find("") }`:                                     0,
		`package a; import "moot/internal/process"; const program = "git"; func f() { process.Find(program) }`: 1,
	} {
		for folder, allowed := range map[string]int{"cli": 0, "internal/git": strings.Count(source, "func run()")} {
			file, err := parser.ParseFile(token.NewFileSet(), "a.go", source, 0)
			if err != nil {
				t.Fatal(err)
			}
			imported := map[string]string{}
			for _, spec := range file.Imports {
				target, _ := strconv.Unquote(spec.Path.Value)
				imported[path.Base(target)] = target
			}
			if found := startsGit("a.go", folder, file, imported); len(found) != want-allowed {
				t.Errorf("%s in %s: %v", source, folder, found)
			}
		}
	}
}

// formatNamed says which format a piece of syntax names, or "". Code outside of the folder of a
// format asks its interface instead.
func formatNamed(node ast.Node, floor string, imported map[string]string) string {
	if slices.Contains(formatFolders(), floor) {
		return ""
	}
	switch n := node.(type) {
	case *ast.SelectorExpr:
		from, ok := n.X.(*ast.Ident)
		folder := strings.TrimPrefix(imported[fmt.Sprint(from)], "moot/")
		if ok && n.Sel.Name == "Name" && slices.Contains(formatFolders(), folder) {
			return "compares with " + from.Name + ".Name; ask protocol.Format instead"
		}
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		// The tools of moot mcp, the command moot review, a field of an item and a flag of a demo have such names too.
		allowed := err != nil || floor == "serve" || floor == "demo" || text == "review" && (floor == "cli" || floor == "queue")
		if !allowed && slices.Contains(formatFolders(), "protocol/"+text) {
			return "names the format " + n.Value + "; ask protocol.Format instead"
		}
	}
	return ""
}

// floorOf returns the floor or leaf that a folder belongs to, or "".
func floorOf(folder string) string {
	best := ""
	for _, floor := range slices.Concat(floors(), leaves()) {
		inside := folder == floor || strings.HasPrefix(folder, floor+"/")
		if inside && len(floor) > len(best) {
			best = floor
		}
	}
	return best
}

// mayImport says why code of a floor must not import the target, or "". A test
// may bring together what the program keeps apart, but looks upward no more
// than the program does.
func mayImport(floor, target string, test bool) string {
	folder, inside := strings.CutPrefix(target, "moot/")
	if !inside {
		return ""
	}
	other := floorOf(folder)
	order := slices.Concat(floors(), leaves())
	switch {
	case other == "":
		return fmt.Sprintf("%s has no place in the house", target)
	case other == floor:
		return ""
	case isForTests(other) && !test:
		return fmt.Sprintf("%s imports %s, which is for tests", floor, target)
	case test && (isForTests(other) || strings.HasPrefix(other, "protocol/") && runsFormats(floor)):
		return ""
	case test && floor == "view" && slices.Index(order, other) >= slices.Index(order, forTests):
		// The tests of view show sessions of all formats.
		return ""
	case slices.Index(order, other) < slices.Index(order, floor):
		return fmt.Sprintf("%s imports %s, which lies above it", floor, target)
	case slices.Contains(leaves(), floor) && !slices.Contains(strings.Fields(amongLeaves()[floor]), other):
		return fmt.Sprintf("%s imports %s, but a leaf stands alone", floor, target)
	}
	if !test && slices.Contains(formatFolders(), other) && !slices.Contains(knowFormats(), floor) {
		return fmt.Sprintf("%s imports %s; ask protocol.Format instead", floor, target)
	}
	for _, pair := range apart() {
		if !test && slices.Contains(pair[:], floor) && slices.Contains(pair[:], other) {
			return fmt.Sprintf("%s imports %s; the two do not know each other", floor, target)
		}
	}
	return ""
}

// isPure reports whether a file must be pure: all of ledger, state, resolver,
// figure and the leaves, and of protocol all but protocol/run and what is for tests.
func isPure(name string) bool {
	if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, forTests+"/") {
		return false
	}
	switch floor := floorOf(path.Dir(name)); floor {
	case "ledger", "state", "resolver", "view", "figure", "config",
		"internal/enum", "internal/jsonlines", "internal/lists", "internal/plain", "internal/redact":
		return true
	}
	return strings.HasPrefix(name, "protocol/") && !strings.HasPrefix(name, "protocol/run/")
}

// mayImportPure says why pure code must not import the target, or "".
func mayImportPure(name, floor, target string) string {
	if target == "moot" || strings.HasPrefix(target, "moot/") || slices.Contains(pureImports(), target) || slices.Contains(strings.Fields(pureLibraries()[target]), floor) {
		return ""
	}
	return fmt.Sprintf("pure code imports %s (%s is no file of the loop)", target, path.Base(name))
}

// impurity names what a piece of syntax does that pure code must not, or "".
func impurity(node ast.Node, imported map[string]string) string {
	switch n := node.(type) {
	case *ast.GoStmt:
		return "a go statement"
	case *ast.SendStmt, *ast.SelectStmt, *ast.ChanType:
		return "a channel"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "a channel"
		}
	case *ast.SelectorExpr:
		from, ok := n.X.(*ast.Ident)
		if ok && slices.Contains(impureNames()[imported[from.Name]], n.Sel.Name) {
			return imported[from.Name] + "." + n.Sel.Name
		}
	case *ast.ImportSpec:
		if n.Name != nil && (n.Name.Name == "." || n.Name.Name == "_" && n.Path.Value != `"embed"`) {
			return "an import that hides what it uses"
		}
	}
	return ""
}
