package findings_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"moot/research/findings"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ report, want string }{
		"go test": {`{"Action":"start","Package":"example.com/q"}
{"Action":"output","Package":"example.com/q","Test":"TestRetry","Output":"=== RUN   TestRetry\n"}
{"Action":"output","Package":"example.com/q","Test":"TestRetry","Output":"    queue_test.go:14: got 2, want 3\n"}
{"Action":"output","Package":"example.com/q","Test":"TestFine","Output":"    queue_test.go:20: a log\n"}
{"Action":"pass","Package":"example.com/q","Test":"TestFine"}
{"Action":"fail","Package":"example.com/q","Test":"TestRetry"}
{"Action":"output","Package":"example.com/q","Output":"panic: oh\n"}
{"Action":"fail","Package":"example.com/q"}
{"ImportPath":"example.com/r","Action":"build-output","Output":"r/r.go:3:1: syntax error\n"}
`, `go test -json
queue_test.go:14: fail: got 2, want 3 (go test example.com/q.TestRetry)
fail: panic: oh (go test example.com/q)
r/r.go:3: error: syntax error (go build)`},
		"SARIF": {`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"semgrep","rules":[{"id":"go.lock","defaultConfiguration":{"level":"warning"}}]}},
"results":[{"ruleId":"go.lock","message":{"text":"Lock is not released"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"queue/lock.go"},"region":{"startLine":12}}}]}]}]}`, `SARIF
queue/lock.go:12: warning: Lock is not released (semgrep go.lock)`},
		"JUnit": {`<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="q.Retry" name="twice"><failure message="got 2">at queue.py:14</failure></testcase><testcase name="fine"/></testsuite></testsuites>`, `JUnit
queue.py:14: failure: got 2 (JUnit q.Retry.twice)`},
		"Checkstyle": {`<checkstyle version="4"><file name="a/B.java"><error line="3" severity="error" message="no tab" source="Tabs"/></file></checkstyle>`, `Checkstyle
a/B.java:3: error: no tab (Checkstyle Tabs)`},
		"Cobertura": {`<coverage line-rate="0.5"><packages><package><classes><class filename="a.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/><line number="3" hits="0"/></lines></class></classes></package></packages></coverage>`, `Cobertura
a.py:2: uncovered: lines 2-3 are not covered (Cobertura uncovered)`},
		"Go coverage": {"mode: atomic\nexample.com/q/q.go:3.14,5.2 1 0\nexample.com/q/q.go:7.14,9.2 1 4\nexample.com/q/q.go:3.14,5.2 1 0\nexample.com/q/q.go:7.14,9.2 1 0\n", `Go coverage
example.com/q/q.go:3: uncovered: lines 3-5 are not covered (go cover uncovered)`},
		"lcov":        {"TN:\nSF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n", "lcov\na.js:2: uncovered: line 2 is not covered (lcov uncovered)"},
		"gcc":         {"In file included from a.c:1:\na.c:4:2: warning: unused variable 'x' [-Wunused-variable]\na.c:9:1: fatal error: none.h: No such file\n", "lines\na.c:4: warning: unused variable 'x' (-Wunused-variable)\na.c:9: error: none.h: No such file"},
		"go vet":      {"# example.com/q\nvet: ./q.go:5:2: undefined: x\nq.go:7:3: unreachable code\n", "lines\nq.go:5: undefined: x\nq.go:7: unreachable code"},
		"golangci":    {"queue/q.go:14:3: Error return value is not checked (errcheck)\n\tf()\n\t^\n", "lines\nqueue/q.go:14: Error return value is not checked (errcheck)"},
		"eslint":      {"\n/src/app.js\n  1:10  error    'a' is defined but never used  no-unused-vars\n  3:1   warning  Unexpected console statement   no-console\n\n2 problems\n", "lines\n/src/app.js:1: error: 'a' is defined but never used (eslint no-unused-vars)\n/src/app.js:3: warning: Unexpected console statement (eslint no-console)"},
		"pylint":      {"************* Module a\na.py:3:0: C0114: Missing module docstring (missing-module-docstring)\n", "lines\na.py:3: C0114: Missing module docstring (missing-module-docstring)"},
		"ruff":        {"a.py:3:1: F401 `os` imported but unused\n", "lines\na.py:3: `os` imported but unused (F401)"},
		"tsc":         {"src/a.ts(3,5): error TS2304: Cannot find name 'x'.\nsrc/b.ts:4:5 - error TS2322: Type.\n", "lines\nsrc/a.ts:3: error: Cannot find name 'x'. (tsc TS2304)\nsrc/b.ts:4: error: Type. (tsc TS2322)"},
		"cargo":       {"error[E0425]: cannot find value `x`\n --> src/main.rs:2:5\n  |\n2 |     x\n", "lines\nsrc/main.rs:2: error: cannot find value `x` (cargo E0425)"},
		"shellcheck":  {"a.sh:2:6: note: Double quote to prevent globbing. [SC2086]\n", "lines\na.sh:2: note: Double quote to prevent globbing. (SC2086)"},
		"mypy":        {"a.py:3: error: Incompatible types  [assignment]\n", "lines\na.py:3: error: Incompatible types (assignment)"},
		"Windows":     {"src\\a.c(3): error C2065: 'x': undeclared\r\n", "lines\nsrc/a.c:3: error: 'x': undeclared (C2065)"},
		"other paths": {"../../etc/a.c:1:1: error: up\n/abs/a.c:2:1: error: far\n", "lines\n../../etc/a.c:1: error: up\n/abs/a.c:2: error: far"},
		"empty SARIF": {`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[]}]}`, "SARIF"},
		"all covered": {"mode: set\nq.go:3.14,5.2 1 1\n", "Go coverage"},
	} {
		r, err := findings.Parse([]byte(c.report))
		got := r.Form
		for _, f := range r.Findings {
			got += "\n" + f.String()
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
		}
	}
}

// A refusal says which reports would be read. Hostile input gets an error.
func TestReportsThatAreRefused(t *testing.T) {
	t.Parallel()
	deep := "<testsuites>" + strings.Repeat("<testsuite>", 100)
	bomb := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]><testsuites><testsuite><testcase name="&b;"/></testsuite></testsuites>`
	for name, c := range map[string]struct{ report, says string }{
		"empty":           {" \n", "the report is empty"},
		"NUL":             {"a.c:1:1: error: x\x00\n", "NUL byte"},
		"too large":       {strings.Repeat("x", findings.MaxReport+1), "more than 32 MiB"},
		"prose":           {"All good at 12:30: nothing to see.\n", "moot reads go test -json"},
		"a log":           {"12:30:01: started\nhttp://example.com:80: up\n", "moot reads go test -json"},
		"other JSON":      {`{"a":1}`, "moot reads go test -json"},
		"damaged JSON":    {`{"runs":[`, "moot reads go test -json"},
		"deep JSON":       {strings.Repeat("[", 100_000), "moot reads go test -json"},
		"other XML":       {"<html><body/></html>", "moot reads go test -json"},
		"damaged XML":     {"<testsuites><testsuite", "no valid XML"},
		"deep XML":        {deep, "in each other"},
		"entities":        {bomb, "no valid XML"},
		"a file entity":   {`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuites><testsuite name="&a;"/></testsuites>`, "no valid XML"},
		"a cover profile": {"mode: set\nnonsense\n", "moot reads go test -json"},
	} {
		if _, err := findings.Parse([]byte(c.report)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBoundsOfAReport(t *testing.T) {
	t.Parallel()
	start := time.Now()
	r, err := findings.Parse([]byte(strings.Repeat("a.c:1:1: error: "+strings.Repeat("x", 2000)+"\n", findings.MaxFindings+5)))
	if err != nil || len(r.Findings) != findings.MaxFindings || r.More != 5 || len(r.Findings[0].Message) > 500 {
		t.Errorf("%v: %d findings, %d more", err, len(r.Findings), r.More)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %s", took)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"Action":"fail","Package":"p","Test":"T"}`, `{"runs":[{"results":[{"ruleId":"r","message":{"text":"m"},"level":"error"}]}]}`,
		"<testsuite><testcase><failure>a.go:1</failure></testcase></testsuite>", "<coverage/>", "mode: set\na.go:1.1,2.2 1 0\n",
		"SF:a\nDA:1,0\n", "a.c:1:1: error: m [r]\n", "a.js\n  1:1  error  m  r\n", "error[E1]: m\n --> a.rs:1:1\n", "\xff\xfe", "\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := findings.Parse(data)
		if err != nil && len(r.Findings) > 0 {
			t.Error("a report that is refused has findings")
		}
		for _, one := range r.Findings {
			if one.Line < 0 || strings.ContainsAny(one.Message, "\r\n") || len(one.Path) > 500 {
				t.Errorf("%+v", one)
			}
			_ = fmt.Sprint(one)
		}
		if again, _ := findings.Parse(bytes.Clone(data)); len(again.Findings) != len(r.Findings) {
			t.Error("the same report is read in two ways")
		}
	})
}
