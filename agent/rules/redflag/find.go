package redflag

import (
	"context"
	"io/fs"

	"moot/playbook"
	"moot/redact"
)

// Checker applies machine checks. It may be used from several goroutines.
type Checker struct {
	data      *data
	languages []*language
	redactor  *redact.Redactor
	forms     *forms
}

// New returns a Checker. The error says that the data built into the program
// are damaged.
func New() (*Checker, error) {
	known, err := readData()
	if err != nil {
		return nil, err
	}
	redactor, err := redact.New()
	if err != nil {
		return nil, err
	}
	return &Checker{data: known, languages: known.Language, redactor: redactor, forms: newForms()}, nil
}

// Find applies the checks of a playbook to a change. Findings come in the order
// of the flags, and of each flag in the order of the change, at most twenty.
// The workspace is where the change was made; it may be nil, and need not be as
// the change leaves it: then the diff alone is looked at, and cited. The only
// error is the context's.
func (c *Checker) Find(ctx context.Context, book *playbook.Playbook, change *Change, workspace fs.FS) ([]Finding, error) {
	e := c.examine(change, workspace)
	var found []Finding
	for i := range book.Flags {
		flag := &book.Flags[i]
		of, err := e.raise(ctx, flag)
		if err != nil {
			return nil, err
		}
		found = append(found, of...)
	}
	return found, nil
}

// raise applies the checks of one flag. A place counts once, whichever of them
// found it.
func (e *examination) raise(ctx context.Context, flag *playbook.Flag) ([]Finding, error) {
	type spot struct {
		file *subject
		line *line
	}
	seen := map[spot]bool{}
	var found []Finding
	for i := range flag.Checks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		check := &flag.Checks[i]
		run := checkOf(check.Kind)
		run(e, check, func(h hit) {
			at := spot{h.file, h.line}
			switch {
			case seen[at]:
				return
			case len(found) >= mostFindings:
				found[len(found)-1].More++
			default:
				found = append(found, e.finding(flag, check.Kind, &h))
			}
			seen[at] = true
		})
	}
	return found, nil
}
