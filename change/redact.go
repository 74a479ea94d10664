package change

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/internal/redact"
)

// redactor takes secrets out of the text of a file.
type redactor = func(name, text string) (string, []redact.Finding)

// mayHoldKey reports whether a file may hold a secret of several lines, of which a hunk may show only some.
func mayHoldKey(content []byte) bool {
	for _, start := range []string{"-----BEGIN ", "-----begin ", "---- BEGIN SSH2", "Private-Lines:"} {
		if bytes.Contains(content, []byte(start)) {
			return true
		}
	}
	return false
}

// longSecrets returns the secrets of several lines in a whole file.
func longSecrets(clean redactor, name, content string) (long []redact.Finding) {
	_, findings := clean(name, content)
	for _, f := range findings {
		if f.Last > f.Line {
			long = append(long, f)
		}
	}
	return long
}

// redact takes secrets out of the diff of a file. A changed line in which something was taken out is withheld: nobody
// sees what stood there.
func (m *Material) redact(file *changed, o Options) {
	reasons := map[int]string{}
	diff := withoutLongSecrets(file, reasons)
	cleaned, findings := o.Redact(file.path, diff)
	for _, f := range findings {
		for n := f.Line; n <= f.Last; n++ {
			reasons[n] = f.Reason
		}
	}
	if len(reasons) == 0 {
		return
	}
	for _, f := range findings {
		place := fmt.Sprintf("line %d", f.Line)
		if f.Last > f.Line {
			place = fmt.Sprintf("lines %d to %d", f.Line, f.Last)
		}
		o.Note(fmt.Sprintf("redacted   %s of the change of %s: %s", place, plain.Line(file.Path), f.Reason))
	}
	m.Redacted += max(1, len(findings))
	file.Diff = withSigns(diff, cleaned)
	for _, side := range []struct {
		sign   byte
		prefix string
	}{{'+', "redacted: "}, {'-', "redacted, of the file before: "}} {
		first, last, why := 0, 0, ""
		flush := func() {
			lines := strconv.Itoa(first)
			if last > first {
				lines = fmt.Sprintf("%d-%d", first, last)
			}
			if first > 0 {
				m.withhold(file.Path, lines, side.prefix+why)
			}
		}
		eachLine(file.Diff, func(n int, sign byte, was, now int) {
			number := now
			if sign == '-' {
				number = was
			}
			reason, isRedacted := reasons[n]
			if sign != side.sign || !isRedacted {
				return
			}
			if number != last+1 || reason != why || first == 0 {
				flush()
				first, why = number, reason
			}
			last = number
		})
		flush()
	}
}

// withoutLongSecrets takes the lines out of a diff that belong to secrets of several lines of the whole file, and notes
// why by the lines of the diff.
func withoutLongSecrets(file *changed, reasons map[int]string) string {
	if len(file.secrets[0])+len(file.secrets[1]) == 0 {
		return file.Diff
	}
	lines := strings.SplitAfter(file.Diff, "\n")
	eachLine(file.Diff, func(n int, sign byte, was, now int) {
		for side, number := range [2]int{was, now} {
			for _, f := range file.secrets[side] {
				if number >= f.Line && number <= f.Last {
					reasons[n] = f.Reason
				}
			}
		}
		if why, found := reasons[n]; found {
			lines[n-1] = string(sign) + redact.Mark(why) + "\n"
		}
	})
	return strings.Join(lines, "")
}

// withSigns restores the signs of lines that a redaction took out whole, so that the lines of the hunks still count.
func withSigns(diff, cleaned string) string {
	before, after := strings.Split(diff, "\n"), strings.Split(cleaned, "\n")
	if len(before) != len(after) {
		return cleaned
	}
	inHunk := false
	for i, line := range before {
		inHunk = inHunk || strings.HasPrefix(line, "@@ ")
		if inHunk && line != "" && strings.IndexByte("+- \\", line[0]) >= 0 && !strings.HasPrefix(after[i], line[:1]) {
			after[i] = line[:1] + after[i]
		}
	}
	return strings.Join(after, "\n")
}

// eachLine passes the lines of the hunks of a diff to use: the number in the diff from 1, the sign, and the numbers in
// the file before and after, 0 on the side that does not have it.
func eachLine(diff string, use func(n int, sign byte, was, now int)) {
	was, now, n, inHunk := 0, 0, 0, false
	for line := range strings.Lines(diff) {
		n++
		switch {
		case strings.HasPrefix(line, "@@ "):
			from, to, ok := starts(line)
			if ok {
				was, now, inHunk = from, to, true
			}
		case !inHunk:
		case line[0] == '+':
			use(n, '+', 0, now)
			now++
		case line[0] == '-':
			use(n, '-', was, 0)
			was++
		case line[0] == ' ', line == "\n":
			use(n, ' ', was, now)
			was++
			now++
		}
	}
}
