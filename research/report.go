package research

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/research/findings"
	"moot/workspace"
)

// Findings checks what a tool reported, as a file of the workspace has it or one that the user gave: FINDING and the
// report, a place, and a text of the message or the rule as quote.
type Findings struct {
	absence *Absence
	// given are the lists of findings that the user gave, or an agent passed.
	given   []File
	byAgent bool
}

// OpenFindings returns the checker for the files that a checker of counts sees, and reports that the user gave.
func OpenFindings(files *Absence) *Findings { return &Findings{absence: files} }

// Give adds what the user gave, or an agent passed. Of that, the lists of findings count.
func (f *Findings) Give(files []File, byAgent bool) {
	f.given = lists.Filter(files, func(file File) bool { return strings.HasSuffix(file.Path, findings.Suffix) })
	f.byAgent = byAgent
}

// Kind describes findings.
func (f *Findings) Kind() ledger.Kind {
	return ledger.Kind{
		Name: "findings", Marks: "FINDING",
		Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceFindings,
		Says: `To show what a tool reported, cite FINDING, its report and the place, with a text of the message or the rule as ` +
			`quote: reference "FINDING report.sarif queue/lock.go:12", quote "not released". A report is a file of the workspace or one ` +
			`that the user gave: SARIF, JUnit, go test -json, coverage, or the output of a linter or compiler.`,
	}
}

// Check looks for the finding in its report.
func (f *Findings) Check(ctx context.Context, reference, quote string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference)}
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(finding.Reference), "FINDING"))
	name, place, _ := strings.Cut(rest, " ")
	name = strings.Trim(name, "`\"'")
	cited, err := ledger.ParseReference(strings.TrimSpace(place))
	quote = strings.Join(strings.Fields(quote), " ")
	switch {
	case err != nil || cited.Path == "" || len(cited.Spans) > 1:
		finding.Reason = "FINDING needs a report and a place in it: FINDING report.sarif queue/lock.go:12"
		return finding
	case quote == "":
		finding.Reason = "a finding needs a quote: a text of its message, or its rule"
		return finding
	}
	data, err := f.read(ctx, name, &finding)
	if err != nil {
		finding.Reason = "not answered: " + err.Error()
		return finding
	}
	var report findings.Report
	if given := f.handed(name); given != nil {
		report = findings.ReadList(given.Text)
	} else if report, err = findings.Parse(data); err != nil {
		finding.Reason = fmt.Sprintf("not answered: %s: %s", plain.Line(name), err)
		return finding
	}
	finding.Digest = ledger.Digest(data)
	atPlace := lists.Filter(report.Findings, func(one findings.Finding) bool { return isAt(one, cited) })
	found := lists.Filter(atPlace, func(one findings.Finding) bool {
		return strings.Contains(one.Message, quote) || strings.EqualFold(one.Rule, quote) || strings.Contains(one.String(), quote)
	})
	what := fmt.Sprintf("%s with %s", report.Form, plain.Counted(len(report.Findings), "finding"))
	switch {
	case len(found) > 0:
		one := found[0]
		finding.Verified, finding.Excerpt = true, one.String()
		finding.Reference = normalFinding(name, cited, one)
		finding.Reason = "reported in " + what
	case report.More > 0:
		finding.Reason = fmt.Sprintf("not answered: only the first %d findings of the report were read", len(report.Findings))
	default:
		finding.Unmet = true
		finding.Reason = fmt.Sprintf("no finding at %s has the quote, in %s", cited.String(), what)
		if len(atPlace) == 0 {
			finding.Reason = fmt.Sprintf("no finding is at %s, in %s", cited.String(), what)
		}
		finding.Nearest = linesOf(lists.Filter(report.Findings, func(one findings.Finding) bool {
			return path.Base(one.Path) == path.Base(cited.Path)
		}), maxFound)
	}
	finding.Excerpt, finding.Nearest = cut(finding.Excerpt, MaxExcerpt), cut(finding.Nearest, MaxExcerpt)
	if f.handed(name) != nil {
		finding.Reason += map[bool]string{true: ledger.GivenByAgent, false: ledger.GivenByUser}[f.byAgent]
	}
	return finding
}

// handed is the list that a name means, or nil.
func (f *Findings) handed(name string) *File {
	for i, given := range f.given {
		if given.Path == name || given.Path == name+findings.Suffix || path.Base(given.Path) == name+findings.Suffix {
			return &f.given[i]
		}
	}
	return nil
}

// normalFinding names the report, and the place, the tool and the rule of a finding.
func normalFinding(report string, cited ledger.Reference, one findings.Finding) string {
	place := cited.Path
	if one.Line > 0 {
		place += fmt.Sprintf(":%d", one.Line)
	}
	return "FINDING " + report + " " + place
}

// isAt reports whether a finding is at a cited place. A report may have been written on another machine, or name files by
// their import path, so that the longer path must end with the shorter one.
func isAt(one findings.Finding, cited ledger.Reference) bool {
	tail := func(long, short string) bool { return long == short || strings.HasSuffix(long, "/"+short) }
	if one.Path == "" || !tail(one.Path, cited.Path) && !tail(cited.Path, one.Path) {
		return false
	}
	return len(cited.Spans) == 0 || slices.ContainsFunc(cited.Spans, func(s ledger.Span) bool {
		return s.First <= one.Line && one.Line <= s.Last
	})
}

// linesOf writes findings as lines.
func linesOf(all []findings.Finding, most int) string {
	lines := lists.Map(all[:min(len(all), most)], func(one findings.Finding) string { return one.String() })
	if more := len(all) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// read reads a report: one that the user gave, or a file that the workspace shows.
func (f *Findings) read(ctx context.Context, name string, finding *ledger.Finding) ([]byte, error) {
	if given := f.handed(name); given != nil {
		return []byte(given.Text), nil
	}
	name = path.Clean(strings.TrimPrefix(name, "./"))
	if leaves(name) {
		return nil, fmt.Errorf("%q leaves the workspace", plain.Clip(name, 80))
	}
	a := f.absence
	w, err := workspace.New(a.folder, a.redactor, a.allow)
	if err != nil {
		return nil, err
	}
	defer w.Close() //nolint:errcheck // it was only read
	if a.tree != nil {
		w.In(a.tree)
		finding.Commit = a.tree.Commit
	}
	if why := w.Secret(ctx, name); why != "" {
		return nil, fmt.Errorf("%q is not read: %s", plain.Clip(name, 80), why)
	}
	data, err := w.Content(name, findings.MaxReport)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the report %q cannot be read: %s", plain.Clip(name, 80), plain.Clip(err.Error(), 120))
	case ledger.WrittenByMoot(name, data):
		return nil, errors.New(writtenByMoot(name))
	}
	return []byte(w.Redact(name, string(data))), nil
}

// Reports runs a command that the user approved and reads its output as findings: REPORT go vet ./..., with an expectation
// over the list of findings.
type Reports struct {
	// Command runs it.
	Command *Command
}

// Kind describes reports of commands.
func (r *Reports) Kind() ledger.Kind {
	return ledger.Kind{
		Name: "report", Marks: "REPORT", Runs: true,
		Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceFindings,
		Says: `To have a linter, compiler or test run and its findings read, cite REPORT and the command, with what its list of findings ` +
			`must show as quote: reference "REPORT go vet ./...", quote: output has "queue.go:14". Each finding is a line ` +
			`path:line: level: message (tool rule).`,
	}
}

// Check runs the command and compares its findings with the expectation.
func (r *Reports) Check(ctx context.Context, reference, expected string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(reference, ledger.MaxReference)}
	words := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(reference), "REPORT"))
	command, err := ledger.ParseCommand(words)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	finding.Reference = "REPORT " + command.String()
	expectation, err := ledger.ParseExpectation(expected)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	if r.Command == nil {
		finding.Reason = "commands are switched off: the session has no workspace"
		return finding
	}
	run, err := r.Command.runIn(ctx, command, &finding)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	ended := run.ended
	if run.started {
		finding.Run = &ledger.Run{
			ExitCode: ended.Code, Milliseconds: int(run.took.Milliseconds()), OutputBytes: len(ended.Stdout) + len(ended.Stderr),
			Confinement: run.confinement,
		}
	}
	if run.reason != "" {
		finding.Reason = run.reason
		return finding
	}
	report, err := reportOf(ended)
	if err != nil {
		finding.Reason = "not answered: " + err.Error()
		finding.Nearest, _ = excerpt(ended, nil, MaxKept)
		return finding
	}
	text := linesOf(report.Findings, findings.MaxFindings)
	finding.Digest = ledger.Digest(slices.Concat(ended.Stdout, ended.Stderr))
	list := ledger.Ended{Code: ended.Code, Stdout: []byte(text)}
	said := fmt.Sprintf("it ended with exit %d and reported %s (%s)", ended.Code, plain.Counted(len(report.Findings), "finding"), report.Form)
	kept, left := excerpt(list, expectation, MaxKept)
	if unmet := expectation.Unmet(list); len(unmet) > 0 {
		finding.Unmet, finding.Nearest = true, kept
		said += "; expected and not met: " + unmet.String()
	} else {
		finding.Verified, finding.Excerpt = true, kept
		said += "; expected and met: " + expectation.String()
	}
	if report.More > 0 {
		finding.Verified, finding.Unmet = false, false
		said = fmt.Sprintf("not answered: it reported over %d findings", findings.MaxFindings)
	}
	if left > 0 {
		said += fmt.Sprintf("; %d bytes of the list are left out here", left)
	}
	if kept == "" && finding.Verified {
		finding.Excerpt = "no findings"
	}
	finding.Reason = said
	return finding
}

// reportOf reads the findings that a command printed. Tools write them to either stream, and print nothing if all is well.
func reportOf(ended ledger.Ended) (findings.Report, error) {
	out, errs := strings.TrimSpace(string(ended.Stdout)), strings.TrimSpace(string(ended.Stderr))
	if out+errs == "" {
		if ended.Code != 0 {
			return findings.Report{}, fmt.Errorf("it ended with exit %d and printed nothing", ended.Code)
		}
		return findings.Report{Form: "no output"}, nil
	}
	report, err := findings.Parse([]byte(out))
	if err != nil && errs != "" {
		report, err = findings.Parse([]byte(errs))
	}
	return report, err
}
