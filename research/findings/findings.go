// Package findings reads what tools report: tests, linters, compilers and coverage. A report is recognized by its
// content, never by its name, and one that is not understood is an error that says what would be. It is pure: it opens
// no file, so a path is only a text, whatever it says. Start at Parse.
package findings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reviewdog/errorformat"

	"moot/ledger"
	"moot/protocol/review/written"
)

// Bounds of a report: its size, its findings, and the length of a line and of a text in it, in bytes.
const (
	MaxReport   = 32 << 20
	MaxFindings = 10_000
	maxLine     = 4 << 10
	maxText     = 500
)

// Finding is one item of a report. What the report does not say is "" or 0.
type Finding struct {
	Tool, Rule string
	// Path is as the report writes it, with slashes; it may be absolute or of another machine.
	Path string
	Line int
	// Level is the word of the tool, such as error or warning.
	Level, Message string
}

// Report is a report that was understood.
type Report struct {
	// Form is how it is written, such as "SARIF".
	Form     string
	Findings []Finding
	// More counts the findings behind MaxFindings, and Unread the lines that are no findings.
	More, Unread int
}

// ErrUnknown says what would be read.
var ErrUnknown = errors.New("the report is not understood; moot reads go test -json, SARIF, JUnit XML, Checkstyle XML, " +
	"coverage (Go profiles, lcov, Cobertura), and the lines of compilers and linters (path:line: message)")

// Parse reads a report.
func Parse(data []byte) (Report, error) {
	if len(data) > MaxReport {
		return Report{}, fmt.Errorf("the report has more than %d MiB", MaxReport>>20)
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\uFEFF")))
	switch {
	case len(data) == 0:
		return Report{}, errors.New("the report is empty")
	case bytes.IndexByte(data, 0) >= 0:
		return Report{}, errors.New("the report is not text: it has a NUL byte")
	}
	text := strings.ToValidUTF8(string(data), "\uFFFD")
	var r Report
	var err error
	switch {
	case text[0] == '{' && isGoTest(text):
		r = readGoTest(text)
	case text[0] == '{' || text[0] == '[' && (len(text) < 2 || strings.ContainsAny(text[1:min(len(text), 200)], "{]")) && json.Valid(data):
		r, err = readData(text)
	case text[0] == '<':
		r, err = readXML(text)
	case strings.HasPrefix(text, "mode: "):
		r, err = readCover(text)
	case strings.HasPrefix(text, "TN:"), strings.HasPrefix(text, "SF:"):
		r, err = readLcov(text)
	default:
		r = readLines(text)
		if len(r.Findings) == 0 {
			err = ErrUnknown
		}
	}
	if err != nil {
		return Report{}, err
	}
	r.bound()
	return r, nil
}

// bound cuts what is too long, and makes paths comparable.
func (r *Report) bound() {
	if more := len(r.Findings) - MaxFindings; more > 0 {
		r.Findings, r.More = r.Findings[:MaxFindings], r.More+more
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Path = strings.TrimPrefix(strings.TrimPrefix(strings.ReplaceAll(f.Path, "\\", "/"), "file://"), "./")
		f.Message = strings.Join(strings.Fields(f.Message), " ")
		for _, text := range []*string{&f.Tool, &f.Rule, &f.Path, &f.Level, &f.Message} {
			*text = cut(*text, maxText)
		}
		f.Line = max(f.Line, 0)
	}
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// String is a finding as a line: "queue/lock.go:14: error: message (tool rule)".
func (f Finding) String() string {
	place := f.Path
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	out := ""
	for _, part := range []string{place, f.Level, f.Message} {
		if part != "" {
			out += cmp.Or(strings.Repeat(": ", min(len(out), 1)), "") + part
		}
	}
	if by := strings.TrimSpace(f.Tool + " " + f.Rule); by != "" {
		out += " (" + by + ")"
	}
	return out
}

// Suffix ends the name of a list of findings, and list finds the place in its lines.
const Suffix = ".findings"

var listLine = regexp.MustCompile(`^(.+?):(\d+): (.*)$`)

// List writes the findings as lines for people and models, which ReadList reads. Seats cite the list by name.
func (r *Report) List(name string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s, %d findings. To cite one: FINDING %s and its place, with a text of its line as quote.\n", r.Form,
		len(r.Findings), name)
	for _, f := range r.Findings {
		out.WriteString(f.String() + "\n")
	}
	if r.More > 0 {
		fmt.Fprintf(&out, "# and %d more\n", r.More)
	}
	return out.String()
}

// ReadList reads a list: each finding has its path and line, and the rest of its line as message. Findings without a place
// are left out, since nothing can cite them.
func ReadList(text string) Report {
	r := Report{Form: "a list"}
	for line := range strings.Lines(text) {
		m := listLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || strings.HasPrefix(line, "# ") {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		r.Findings = append(r.Findings, Finding{Path: m[1], Line: n, Message: m[3]})
	}
	return r
}

// goTestEvent is a line of go test -json.
type goTestEvent struct{ Action, Package, ImportPath, Test, Output string }

// isGoTest reports whether the first line is one of go test -json.
func isGoTest(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	var e goTestEvent
	return json.Unmarshal([]byte(line), &e) == nil && e.Action != "" && (e.Package != "" || e.ImportPath != "")
}

var testPlace = regexp.MustCompile(`^\s*([^\s:]+\.go):(\d+)(?::\d+)?: ?(.*)`)

// readGoTest reads failed tests, with a finding for each place that they print, and packages that do not build.
func readGoTest(text string) (r Report) {
	r.Form = "go test -json"
	output := map[string][]string{}
	kept := 0
	var build []string
	for line := range strings.Lines(text) {
		var e goTestEvent
		if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
			r.Unread++
			continue
		}
		name := e.Package + " " + e.Test
		switch e.Action {
		case "output":
			if kept += len(e.Output); kept < MaxReport {
				output[name] = append(output[name], cut(e.Output, maxLine))
			}
		case "build-output":
			build = append(build, e.Output)
		case "pass", "skip":
			delete(output, name)
		case "fail":
			rule := strings.TrimSuffix(e.Package+"."+e.Test, ".")
			before := len(r.Findings)
			var rest []string
			for _, said := range output[name] {
				if m := testPlace.FindStringSubmatch(said); m != nil {
					n, _ := strconv.Atoi(m[2])
					r.Findings = append(r.Findings, Finding{"go test", rule, m[1], n, "fail", m[3]})
				} else if word := strings.TrimSpace(said); word != "" && !strings.HasPrefix(word, "=== ") {
					rest = append(rest, word)
				}
			}
			if len(r.Findings) == before {
				r.Findings = append(r.Findings, Finding{
					Tool: "go test", Rule: rule, Level: "fail", Message: cmp.Or(strings.Join(rest, " "), "it failed"),
				})
			}
			delete(output, name)
		}
	}
	if len(build) > 0 {
		for _, f := range readLines(strings.Join(build, "")).Findings {
			f.Tool, f.Level = "go build", "error"
			r.Findings = append(r.Findings, f)
		}
	}
	return r
}

// readData reads SARIF and rdjson by the reader of written reviews.
func readData(text string) (Report, error) {
	read, ok := written.ReadData(text)
	if !ok || read.Layout != written.SARIF && read.Layout != written.RDJSON {
		return Report{}, ErrUnknown
	}
	r := Report{Form: string(read.Layout)}
	for i := range read.Findings {
		f := &read.Findings[i]
		message := f.What
		if f.Why != "" {
			message += " " + f.Why
		}
		r.Findings = append(r.Findings, Finding{f.Tool, f.Rule, f.Path, f.Line, f.Severity, message})
	}
	return r, nil
}

var coverLine = regexp.MustCompile(`^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$`)

// testLine is a place in the text of a failed test.
var testLine = regexp.MustCompile(`([^\s():"]+\.[A-Za-z]{1,5}):(\d{1,9})`)

// block is a range of lines in a file.
type block struct {
	path     string
	from, to int
}

// readCover reads the blocks of a Go profile that no test ran.
func readCover(text string) (Report, error) {
	r := Report{Form: "Go coverage"}
	ran := map[block]bool{}
	var order []block
	for line := range strings.Lines(text) {
		m := coverLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			if !strings.HasPrefix(line, "mode: ") && strings.TrimSpace(line) != "" {
				r.Unread++
			}
			continue
		}
		b := block{path: m[1]}
		b.from, _ = strconv.Atoi(m[2])
		b.to, _ = strconv.Atoi(m[3])
		if _, known := ran[b]; !known {
			order = append(order, b)
		}
		ran[b] = ran[b] || strings.Trim(m[4], "0") != ""
	}
	if len(order) == 0 && r.Unread > 0 {
		return r, ErrUnknown
	}
	for _, b := range order {
		if !ran[b] {
			r.Findings = append(r.Findings, uncovered("go cover", b))
		}
	}
	return r, nil
}

func uncovered(tool string, b block) Finding {
	message := fmt.Sprintf("lines %d-%d are not covered", b.from, b.to)
	if b.from == b.to {
		message = fmt.Sprintf("line %d is not covered", b.from)
	}
	return Finding{tool, "uncovered", b.path, b.from, "uncovered", message}
}

// hits counts how often lines ran by file.
type hits struct {
	files []string
	lines map[string]map[int]int
}

func (h *hits) add(file string, line, n int) {
	if h.lines == nil {
		h.lines = map[string]map[int]int{}
	}
	if h.lines[file] == nil {
		h.files, h.lines[file] = append(h.files, file), map[int]int{}
	}
	h.lines[file][line] += n
}

func (h *hits) findings(tool string) (found []Finding) {
	for _, file := range h.files {
		var open *block
		numbers := make([]int, 0, len(h.lines[file]))
		for n := range h.lines[file] {
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		for _, n := range numbers {
			switch {
			case h.lines[file][n] > 0:
				if open != nil {
					found = append(found, uncovered(tool, *open))
				}
				open = nil
			case open == nil:
				open = &block{file, n, n}
			default:
				open.to = n
			}
		}
		if open != nil {
			found = append(found, uncovered(tool, *open))
		}
	}
	return found
}

// readLcov reads the lines of an lcov file that nothing ran.
func readLcov(text string) (Report, error) {
	r, h, file := Report{Form: "lcov"}, &hits{}, ""
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch name {
		case "SF":
			file = value
		case "DA":
			parts := strings.Split(value, ",")
			n, err := strconv.Atoi(parts[0])
			if err != nil || len(parts) < 2 || file == "" {
				r.Unread++
				continue
			}
			h.add(file, n, len(strings.Trim(parts[1], "0")))
		}
	}
	if len(h.files) == 0 {
		return r, ErrUnknown
	}
	r.Findings = h.findings("lcov")
	return r, nil
}

// formats match lines, the first one that fits.
var formats = []string{ //nolint:gochecknoglobals // a table
	// tsc, also with --pretty, and MSVC
	`%f(%l\,%c): %trror TS%n: %m`, `%f(%l\,%c): %tarning TS%n: %m`, `%f:%l:%c - %trror TS%n: %m`,
	`%f(%l): %trror %m`, `%f(%l): %tarning %m`,
	// gcc, clang, mypy, javac, shellcheck -f gcc
	`%f:%l:%c: fatal %trror: %m`, `%f:%l:%c: %trror: %m`, `%f:%l:%c: %tarning: %m`, `%f:%l:%c: %tote: %m`,
	`%f:%l: %trror: %m`, `%f:%l: %tarning: %m`, `%f:%l: %tote: %m`,
	// eslint -f compact
	`%f: line %l\, col %c\, %trror - %m`, `%f: line %l\, col %c\, %tarning - %m`,
	// go vet, golangci-lint, pylint, ruff and others
	`vet: %f:%l:%c: %m`, `%f:%l:%c: %m`, `%f:%l: %m`,
}

var (
	// numbered matches every line that one of the formats can match.
	numbered = regexp.MustCompile(`[:(]\d|line \d`)
	// stylishLine is a line of ESLint below the name of its file; cargoHead and cargoPlace are the two lines of rustc.
	stylishLine = regexp.MustCompile(`^\s+(\d+):\d+\s+(error|warning)\s+(.*?)\s*(?:\s{2,}([\w@/-]+))?$`)
	cargoHead   = regexp.MustCompile(`^(error|warning)(?:\[(E\d+)\])?: (.*)$`)
	cargoPlace  = regexp.MustCompile(`^\s*--> (.+?):(\d+):\d+$`)
	// ruleBehind and ruleBefore find the rule in a message: "message (errcheck)", "message [SC2086]", "C0114: message".
	ruleBehind = regexp.MustCompile(`\s*[(\[]((?:[A-Za-z@][\w@/-]*)|-W[\w=-]+)[)\]]$`)
	ruleBefore = regexp.MustCompile(`^([A-Z]{1,6}\d{2,5}):? (.+)$`)
)

// readLines reads what compilers and linters print.
func readLines(text string) (r Report) {
	r.Form = "lines"
	format, err := errorformat.NewErrorformat(formats)
	if err != nil {
		return r
	}
	file, head := "", Finding{}
	for line := range strings.Lines(text) {
		line = cut(strings.TrimRight(line, " \t\r\n"), maxLine)
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if m := stylishLine.FindStringSubmatch(line); m != nil && file != "" {
			n, _ := strconv.Atoi(m[1])
			r.Findings = append(r.Findings, Finding{"eslint", m[4], file, n, m[2], m[3]})
			continue
		}
		file = ""
		if m := cargoHead.FindStringSubmatch(line); m != nil {
			head = Finding{Tool: "cargo", Rule: m[2], Level: m[1], Message: m[3]}
			r.Unread++
			continue
		}
		if m := cargoPlace.FindStringSubmatch(line); m != nil && head.Level != "" {
			head.Path = m[1]
			head.Line, _ = strconv.Atoi(m[2])
			r.Findings, r.Unread, head = append(r.Findings, head), r.Unread-1, Finding{}
			continue
		}
		if f, ok := readLine(format, trimmed); ok {
			r.Findings = append(r.Findings, f)
			continue
		}
		r.Unread++
		if isPath(line) {
			file = line
		}
	}
	return r
}

func readLine(format *errorformat.Errorformat, line string) (f Finding, ok bool) {
	if !numbered.MatchString(line) {
		return f, false
	}
	for _, efm := range format.Efms {
		m := efm.Match(line)
		if m == nil {
			continue
		}
		if m.L <= 0 || !isPath(m.F) || strings.TrimSpace(m.M) == "" {
			return f, false
		}
		f = Finding{Path: m.F, Line: m.L, Message: strings.TrimSpace(m.M)}
		f.Level = map[string]string{"e": "error", "w": "warning", "n": "note"}[strings.ToLower(string(m.T))]
		if m.N > 0 {
			f.Tool, f.Rule = "tsc", "TS"+strconv.Itoa(m.N)
		}
		break
	}
	if f.Path == "" {
		return f, false
	}
	if m := ruleBehind.FindStringSubmatchIndex(f.Message); m != nil && f.Rule == "" && m[0] > 0 {
		f.Message, f.Rule = f.Message[:m[0]], f.Message[m[2]:m[3]]
	}
	if m := ruleBefore.FindStringSubmatch(f.Message); m != nil && f.Rule == "" {
		f.Rule, f.Message = m[1], m[2]
	}
	return f, true
}

// isPath reports whether a text looks like the name of a file.
func isPath(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t\"'`<>|") && !strings.Contains(text, "://") &&
		(ledger.IsFile(strings.ReplaceAll(text, "\\", "/")) || strings.ContainsAny(text, `/\`) && path.Ext(text) != "")
}
