package search

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The floors are what the ranking reached when they were set, less a few
// questions of margin.
func TestBatteryOnTheCorpus(t *testing.T) {
	t.Parallel()
	index := openIndex(t, "testdata/corpus")
	checkBattery(t, index, "testdata/corpus", "testdata/questions.txt", BatteryScore{Recall1: 0.73, Recall3: 0.83, Recall8: 0.86, MRR: 0.78, Silence: 0.9})
}

// The battery on Go's own sources takes the packages of the questions and
// others that could distract.
func TestBatteryOnGo(t *testing.T) {
	t.Parallel()
	source := goSource(t)
	index := openIndex(t, source, WithPaths("net", "sync", "internal/sync", "bufio", "encoding/json", "context", "mime", "strings", "io"))
	checkBattery(t, index, source, "testdata/questions-go.txt", BatteryScore{Recall1: 0.66, Recall3: 0.80, Recall8: 0.86, MRR: 0.73, Silence: 0.7})
}

func TestBatteryOnGoHeldOut(t *testing.T) {
	t.Parallel()
	source := goSource(t)
	index := openIndex(t, source, WithPaths("archive", "compress", "database", "crypto/rsa", "crypto/tls", "crypto/subtle", "path",
		"io", "os", "math/rand", "slices", "sort", "regexp", "html", "time", "log", "encoding", "fmt", "internal/fmtsort"))
	checkBattery(t, index, source, "testdata/questions-go-heldout.txt", BatteryScore{Recall1: 0.63, Recall3: 0.73, Recall8: 0.80, MRR: 0.70, Silence: 0.7})
}

func goSource(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("searches some 20 MB for each question")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src")
	if _, err := os.Stat(filepath.Join(source, "net", "http", "server.go")); err != nil {
		t.Skip("the sources of the standard library are not installed")
	}
	return source
}

func checkBattery(t *testing.T, index *Index, root, name string, floor BatteryScore) {
	t.Helper()
	questions := readQuestions(t, name)
	checkAnswers(t, root, questions)
	score, err := Measure(context.Background(), index, questions)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %s", name, score)
	for _, miss := range score.Misses {
		t.Logf("rank %d: %s", miss.Rank, miss.Question.Text)
		for _, passage := range miss.Found[:min(3, len(miss.Found))] {
			t.Logf("\t%.1f %s:%d %q", passage.Score, passage.Path, passage.Line, passage.Text)
		}
	}
	for _, figure := range []struct {
		name      string
		got, want float64
	}{
		{"recall@1", score.Recall1, floor.Recall1},
		{"recall@3", score.Recall3, floor.Recall3},
		{"recall@8", score.Recall8, floor.Recall8},
		{"MRR", score.MRR, floor.MRR},
		{"silence", score.Silence, floor.Silence},
	} {
		if figure.got < figure.want {
			t.Errorf("%s is %.3f, below its floor %.3f", figure.name, figure.got, figure.want)
		}
	}
}

// checkAnswers keeps the battery honest: each answer is a line of its file.
func checkAnswers(t *testing.T, root string, questions []Question) {
	t.Helper()
	for _, question := range questions {
		for _, answer := range question.Answers {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(answer.Path)))
			if err != nil {
				t.Errorf("%s: %v", question.Text, err)
			} else if !strings.Contains(string(text), answer.Text) {
				t.Errorf("%s: %s does not hold %q", question.Text, answer.Path, answer.Text)
			}
		}
	}
}

func readQuestions(t *testing.T, name string) []Question {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	questions, err := ReadBattery(file)
	if err != nil {
		t.Fatal(err)
	}
	return questions
}

func openIndex(t testing.TB, root string, with ...Option) *Index {
	t.Helper()
	index, err := Open(root, with...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := index.Close(); err != nil {
			t.Error(err)
		}
	})
	return index
}
