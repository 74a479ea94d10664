package ledger

import (
	"strings"
	"sync"
	"testing"
)

// A command is parted as a shell parts it; what only a shell could do is refused
// by name.
func TestParseCommand(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want, why string }{
		{"go test ./...", "go|test|./...", ""},
		{"$ go  vet\t./... ", "", "cannot be printed"},
		{"$ go   vet   ./...", "go|vet|./...", ""},
		{"grep -n 'a b' \"c d\" e\\ f", "grep|-n|a b|c d|e f", ""},
		{`grep 'foo.*' "*.go" \*`, "grep|foo.*|*.go|*", ""},
		{`echo "a\"b\$c\d" ''`, `echo|a"b$c\d|`, ""},
		{"find . -name {} +", "find|.|-name|{}|+", ""},
		{"go test # all", "go|test", ""},
		{"$", "", "it is empty"},
		{"", "", "it is empty"},
		{"''", "", "names no program"},
		{"ls | wc", "", "joins commands (|)"},
		{"a && b", "", "joins commands (&&)"},
		{"a || b", "", "joins commands (||)"},
		{"a; b", "", "several commands"},
		{"a;", "", "several commands"},
		{"a &", "", "background"},
		{"a > b", "", "redirects"},
		{"a 2>&1", "", "redirects"},
		{"a <<< b", "", "it needs a shell"},
		{"! a", "", "negates"},
		{"X=1 a", "", "sets a variable"},
		{"X=1", "", "sets a variable"},
		{"echo $HOME", "", "a variable"},
		{`echo "$HOME"`, "", "a variable"},
		{"echo $((1+1))", "", "only a shell"},
		{"echo $(id)", "", "only a shell can expand"},
		{"echo `id`", "", "only a shell can expand"},
		{"ls *.go", "", "pattern of file names (*)"},
		{"ls a?", "", "pattern of file names (?)"},
		{"ls [ab]", "", "pattern of file names ([)"},
		{"ls ~/x", "", "uses ~"},
		{"ls {} {a} a,b {a,", "ls|{}|{a}|a,b|{a,", ""},
		{"if true; then a; fi", "", "shell syntax"},
		{"(a)", "", "shell syntax"},
		{"echo 'open", "", "quotes are not closed"},
		{"a\nb", "", "cannot be printed"},
		{"a \x1b[31m", "", "cannot be printed"},
		{"a \u202eb", "", "cannot be printed"},
		{"a \xff", "", "not UTF-8"},
		{strings.Repeat("a", MaxCommand+1), "", "over 500 bytes"},
	} {
		c, err := ParseCommand(test.text)
		if test.why != "" {
			if err == nil || !strings.Contains(err.Error(), test.why) {
				t.Errorf("%q: %v, not %s", test.text, err, test.why)
			}
			continue
		}
		if got := strings.Join(c.Words(), "|"); err != nil || got != test.want {
			t.Errorf("%q: %q, %v", test.text, got, err)
		}
	}
}

// A place in a file is no command.
func TestIsCommand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"$ go vet": true, " $ a": true, "$": true, "$a:1": false,
		"a/$ b.go:1": false, "": false,
	} {
		if IsCommand(text) != want {
			t.Errorf("%q: not %v", text, want)
		}
	}
}

// A pattern allows exact words, * any one word, ... any that follow.
func TestCommandPattern(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, command string
		want             bool
	}{
		{"go test ./...", "go test ./...", true},
		{"go test ./...", "go test ./queue", false},
		{"go test *", "go test ./...", true},
		{"go test *", "go test", false},
		{"go test *", "go test -v ./...", false},
		{"go test ...", "go test", true},
		{"go test ...", "go test -v ./...", true},
		{"go test ...", "go testing", false},
		{"go * ./...", "go vet ./...", true},
		{"go * ./...", "go vet ./... x", false},
		{"...", "rm -rf x", true},
		{"grep '*' a", "grep '*' a", true},
		{"grep '*' a", "grep b a", false},
		{"a '...'", "a ...", true},
		{"a '...'", "a b", false},
		{"'go' test", "go test", true},
	} {
		p, err := ParseCommandPattern(test.pattern)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ParseCommand(test.command)
		if err != nil {
			t.Fatal(err)
		}
		if p.Matches(c) != test.want {
			t.Errorf("%s and %s: not %v", test.pattern, test.command, test.want)
		}
		again, err := ParseCommandPattern(p.String())
		if err != nil || again.Matches(c) != test.want || again.String() != p.String() {
			t.Errorf("%s is read back as %s: %v", p, again, err)
		}
	}
	for _, bad := range []string{"", "go ... x", "go -run=*", "ls | wc", "ls *.go"} {
		if p, err := ParseCommandPattern(bad); err == nil {
			t.Errorf("%q is read as %s", bad, p)
		}
	}
}

// Valid and invalid expectations.
func TestParseExpectation(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"exit 0", "exit 0"},
		{"Exits with 3.", "exit 3"},
		{"exit code 1", "exit 1"},
		{`exit 0; stdout has "ok"`, `exit 0; stdout has "ok"`},
		{
			"stdout has 'a;b', stderr lacks `c` and output matches 'd+'",
			`stdout has "a;b"; stderr lacks "c"; output matches "d+"`,
		},
		{`output contains "\x1b\n"`, `output has "\x1b\n"`},
		{"exit 0, and stdout has 'x'", `exit 0; stdout has "x"`},
		{"", ""},
		{"exit", ""},
		{"exit -1", ""},
		{"exit 256", ""},
		{"exit 99999999999999999999", ""},
		{"it works", ""},
		{"stdout has ok", ""},
		{"stdout has ''", ""},
		{"stdout has", ""},
		{"stdout says 'ok'", ""},
		{"stdout matches '('", ""},
		{"exit 0 stdout has 'x'", ""},
		{"exit 0 or exit 1", ""},
		{strings.Repeat("exit 0;", MaxClauses+1), ""},
		{"\xff", ""},
		{strings.Repeat(" ", MaxExpectation+1), ""},
	} {
		e, err := ParseExpectation(test.text)
		if test.want == "" {
			if err == nil {
				t.Errorf("%q is read as %s", test.text, e)
			}
			continue
		}
		if err != nil || e.String() != test.want {
			t.Errorf("%q is read as %q: %v", test.text, e.String(), err)
		}
		if again, err := ParseExpectation(e.String()); err != nil || again.String() != e.String() {
			t.Errorf("%s is read back as %s: %v", e, again, err)
		}
	}
}

// Whatever is given, reading it does no harm, and what is read is read back.
func FuzzParseExpectation(f *testing.F) {
	f.Add("exit 0; stdout has \"ok\"")
	f.Add("stderr matches `(?i)x` and output lacks 'y'")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpectation(text)
		if err != nil {
			return
		}
		e.Unmet(Ended{Stdout: []byte(text)})
		if again, err := ParseExpectation(e.String()); len(e.String()) <= MaxExpectation &&
			(err != nil || again.String() != e.String()) {
			t.Errorf("%q is read back as %q: %v", e, again, err)
		}
	})
}

// A proposal is parted at the last arrow that an expectation follows.
func TestCutProposal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, command, expectation string }{
		{"go vet ./... => exit 0", "go vet ./...", "exit 0"},
		{"grep 'a => b' f => exit 1", "grep 'a => b' f", "exit 1"},
		{`echo x => stdout has "y => exit 0"`, "echo x", `stdout has "y => exit 0"`},
		{"go vet", "go vet", ""},
		{"go vet => it works", "go vet => it works", ""},
	} {
		command, expectation, found := CutProposal(test.text)
		if command != test.command || expectation != test.expectation || found != (test.expectation != "") {
			t.Errorf("%q: %q %q %v", test.text, command, expectation, found)
		}
	}
}

// Sessions run at the same time, and each reads commands.
func TestCommandsAreReadAtTheSameTime(t *testing.T) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				if c, err := ParseCommand(`go test "./"queue -run 'Sync'"Late"`); err != nil || len(c.Words()) != 5 {
					t.Errorf("%v, %v", c, err)
				}
			}
		})
	}
	group.Wait()
}
