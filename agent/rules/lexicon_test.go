package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

func TestStates(t *testing.T) {
	l := readLexicon()
	for _, c := range []struct {
		passage, statement string
		want               bool
	}{
		{"The queue retries each job three times.", "the queue retries each job three times", true},
		{"// The queue retries each failed job three times.", "The queue retries each job three times", true},
		{"The queue does not retry a job.", "The queue does retry a job.", false},
		{"The queue never retries a job twice", "The queue never retries a job twice", true},
		{"receivers should accept keys for a day; webhook deliveries are signed and retried", "webhook deliveries should be retried for a day", false},
		{"webhook deliveries are retried for a day", "webhook deliveries should be retried for a day", false},
		{"the timeout is 30 seconds by default", "the timeout is 60 seconds by default", false},
		{"retries of jobs in the queue", "queue jobs retries", false},
		{"ok", "ok", false},
		{"", "anything at all here", false},
		{"maxRetries = 5 // per job", "max retries 5 per job", true},
	} {
		if got := l.states(c.passage, c.statement); got != c.want {
			t.Errorf("%q states %q: %v", c.passage, c.statement, got)
		}
	}
}

func TestDefined(t *testing.T) {
	l := readLexicon()
	for line, want := range map[string]string{
		"func (f *File) Append(events []Event) error {": "Append",
		"type Option func(*File)":                       "Option",
		"export default class Dialog extends Panel {":   "Dialog",
		"pub async fn serve(port: u16) {":               "serve",
		"    def run(self):":                            "run",
		"class Worker:":                                 "Worker",
		"class of errors that are known":                "",
		"function is a word in this sentence":           "",
		"// func Append is a comment":                   "",
		"return nil":                                    "",
		"func":                                          "",
		"":                                              "",
	} {
		if got := l.defined(line); got != want {
			t.Errorf("%q defines %q, not %q", line, got, want)
		}
	}
}

func TestMentions(t *testing.T) {
	p := newPatterns()
	for text, want := range map[string][]mention{
		`see queue/consumer.go:88 "defer ack()" for it`: {{"queue/consumer.go:88", "queue/consumer.go", 88, "defer ack()"}},
		"./a.go:3-5, says `x := 1`":                     {{"a.go:3-5", "a.go", 3, "x := 1"}},
		"in docs/plan.md#L12 and docs/plan.md#L12":      {{"docs/plan.md:12", "docs/plan.md", 12, ""}},
		"at 12:30 or http://example.com:8080/x":         nil,
		"Makefile/x:0":                                  nil,
	} {
		if got := p.in(text); !slices.Equal(got, want) {
			t.Errorf("%q holds %+v, not %+v", text, got, want)
		}
	}
}

func TestSplitReference(t *testing.T) {
	for reference, want := range map[string]struct {
		file string
		span [2]int
	}{
		"a.go:3": {"a.go", [2]int{3, 3}}, "c:/a b.go:3-9": {"c:/a b.go", [2]int{3, 9}}, "a.go": {}, "a.go:x": {}, ":3": {},
	} {
		if file, span := splitReference(reference); file != want.file || span != want.span {
			t.Errorf("%q is %q %v", reference, file, span)
		}
	}
}

// TestSentences finds a sentence without its key in the code, and the other way
// round; flaws are one sentence (JU1).
func TestSentences(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "sentences.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := readLexicon()
	used := map[phrase]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			if word, ok := spec.Values[0].(*ast.BasicLit); ok && word.Kind == token.STRING {
				key, err := strconv.Unquote(word.Value)
				if err != nil {
					t.Fatal(err)
				}
				used[phrase(key)] = true
			}
		}
		return true
	})
	for key := range used {
		if l.sentences[key] == "" {
			t.Errorf("data/sentences.txt has no %q", key)
		}
	}
	for key := range l.sentences {
		if !used[key] {
			t.Errorf("nothing says %q", key)
		}
	}
	if got := clause("One. Two! Three? And so on."); got != "One; Two; Three; And so on" {
		t.Errorf("the clause is %q", got)
	}
}

func TestRecite(t *testing.T) {
	l := readLexicon()
	for text, want := range map[string]string{
		"// one\n//\n// two //\nconst x = 3": "// one two // const x = 3",
		"\t# one\n\t# two":                   "# one two",
		"one // two\n// three":               "one // two // three",
		"* one\n* two":                       "* one * two",
		"":                                   "",
	} {
		if got := l.recite(text); got != want {
			t.Errorf("%q is recited %q, not %q", text, got, want)
		}
	}
}

func TestDataFiles(t *testing.T) {
	for _, name := range []string{"sentences", "shapes", "fillers", "binding", "negations", "contrary", "gaps", "definitions", "comments"} {
		if len(lines(name)) == 0 {
			t.Errorf("data/%s.txt is empty", name)
		}
	}
	l := readLexicon()
	for word := range l.negations {
		if l.fillers[word] {
			t.Errorf("%q is no filler: it turns a statement round", word)
		}
	}
	if l.shapeOf("Where is Append defined?") == l.shapeOf("Should we keep it?") {
		t.Error("two kinds of question have one shape")
	}
}
