package ledger

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind describes a form of evidence to code that checks nothing. Its checker, in package research, holds the
// description. It is data: a session records the kinds that it was opened with, so that replay, verify and export need
// no checker. The zero Kind describes places in files.
type Kind struct {
	// Name is a word, such as "command".
	Name string `json:"name"`
	// Marks are the words with which its references begin, with blanks between them, such as "SEARCH CALLERS". Places
	// in files have none: they own what no other kind owns.
	Marks string `json:"marks"`
	// Runs says that a mark is followed by a command. It runs only after the user approved it, and the quote of its
	// citation is the result that it must show.
	Runs bool `json:"runs"`
	// Says tells a seat how to cite it, with an example. It is "" for places, which each format describes.
	Says string `json:"says"`
	// Type, SourceKind and Confidence are given to an item once its check has a result.
	Type       Type       `json:"type"`
	SourceKind SourceKind `json:"source_kind"`
	Confidence float64    `json:"confidence"`
	// Also are the source kinds that the user configured for some of its sources, such as a host with official documents,
	// with blanks between them. Its checker says which one a finding has.
	Also string `json:"also,omitempty"`
}

// PlaceKind describes citations: a path, lines and a quote. ParseReference reads them.
func PlaceKind() Kind {
	return Kind{Name: "citation", Type: Textual, SourceKind: DomainEvidence, Confidence: ConfidenceInPlace}
}

// CommandKind describes command lines, "$ go vet ./...", which ParseCommand reads. ParseExpectation reads their
// results.
func CommandKind() Kind {
	return Kind{
		Name: "command", Marks: commandMark, Runs: true,
		Says: `If running something in the workspace would settle a point, propose a command as a citation: ` +
			`reference "$ go test ./queue", and as quote what you expect: exit 0, or: stdout has "ok" (stdout, ` +
			`stderr or output; has, lacks or matches), several separated by ; characters. In lines, write: CITE P1 ` +
			`supports $ go test ./queue => exit 0. It runs without a shell: one program with its arguments, no ` +
			`pipes, no redirection, no variables, no wildcards. It counts only if the expectation is met.`,
		Type: Execution, SourceKind: LiveAPI, Confidence: ConfidenceExecution,
	}
}

// Kinds returns the kinds of a session: those that every session has, and what it recorded beyond them. Places come
// last.
func Kinds(recorded []Kind) []Kind {
	return slices.Concat([]Kind{CommandKind()}, recorded, []Kind{PlaceKind()})
}

// KindOf returns the kind that owns a reference.
func KindOf(kinds []Kind, reference string) Kind {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Owns(reference) })
	if i < 0 {
		return PlaceKind()
	}
	return kinds[i]
}

// Owns reports whether a reference begins with a mark of the kind, alone or before a blank.
func (k Kind) Owns(reference string) bool {
	reference = strings.TrimSpace(reference)
	return k.IsPlace() || slices.ContainsFunc(strings.Fields(k.Marks), func(mark string) bool {
		rest, found := strings.CutPrefix(reference, mark)
		return found && (rest == "" || strings.TrimLeft(rest, " \t") != rest)
	})
}

// IsPlace reports whether its references are places in files.
func (k Kind) IsPlace() bool { return k.Marks == "" }

// Reference is a command in its normal form as a reference of the kind: behind "$ ", or its words, of which a mark is
// the first.
func (k Kind) Reference(c Command) string {
	if k.Marks == commandMark {
		return c.Reference()
	}
	return c.String()
}

// Stamp sets type, source kind and confidence: those of the kind if the check has a result, and those of a statement
// that nothing supports otherwise. A source kind that the finding has already is kept if the kind has it in Also.
func (k Kind) Stamp(f *Finding) {
	configured := f.SourceKind
	f.Type, f.SourceKind, f.Confidence = Claim, LLMInference, ConfidenceWord
	if !f.Verified && !f.Unmet {
		return
	}
	f.Type, f.SourceKind, f.Confidence = k.Type, k.SourceKind, k.Confidence
	if configured == k.SourceKind || !slices.Contains(strings.Fields(k.Also), string(configured)) {
		return
	}
	f.SourceKind, f.Confidence = configured, ConfidenceFetched
	if configured == OfficialSource {
		f.Confidence = ConfidenceOfficial
	} else if configured == ModeledFallback {
		f.Confidence = ConfidenceModeled
	}
}

// Bounds of the kinds that a session records.
const (
	maxKinds = 32
	maxSays  = 1000
)

var (
	kindName = regexp.MustCompile(`^[a-z]{2,20}$`)
	kindMark = regexp.MustCompile(`^[A-Z]{2,20}$`)
)

// CheckKinds refuses kinds that a session must not record, since a session file may come from anyone: their marks would
// take over references of another kind, or their items would outrank what a check may say.
func CheckKinds(recorded []Kind) error {
	if len(recorded) > maxKinds {
		return fmt.Errorf("%d kinds of evidence are recorded, and there may be %d", len(recorded), maxKinds)
	}
	taken := map[string]bool{CommandKind().Name: true, PlaceKind().Name: true}
	for _, k := range recorded {
		if !kindName.MatchString(k.Name) || taken[k.Name] || k.IsPlace() {
			return fmt.Errorf("the kind of evidence %s has no name or no marks of its own", quoted(k.Name))
		}
		taken[k.Name] = true
		for _, mark := range strings.Fields(k.Marks) {
			if !kindMark.MatchString(mark) || taken[mark] {
				return fmt.Errorf("references of the kind %s cannot begin with %s", k.Name, quoted(mark))
			}
			taken[mark] = true
		}
		if err := k.check(); err != nil {
			return fmt.Errorf("the kind of evidence %s: %w", k.Name, err)
		}
	}
	return nil
}

// check refuses a description that is not one line of text, and stamps that code does not give.
func (k Kind) check() error {
	switch {
	case k.Says == "" || len(k.Says) > maxSays || !utf8.ValidString(k.Says) ||
		strings.ContainsFunc(k.Says, func(c rune) bool { return !unicode.IsPrint(c) }):
		return errors.New("its description is not one line of text")
	case k.Type == Claim, k.SourceKind == UserOverride, k.SourceKind == LLMInference:
		return fmt.Errorf("a check does not give the stamp %s, %s", k.Type, k.SourceKind)
	case slices.ContainsFunc(strings.Fields(k.Also), func(kind string) bool {
		return !slices.Contains([]SourceKind{LiveAPI, OfficialSource, FreshResearch, ModeledFallback}, SourceKind(kind))
	}):
		return fmt.Errorf("a user does not configure one of the source kinds %s", quoted(k.Also))
	case k.Type == Execution && !k.Runs:
		return errors.New("only what runs is an execution")
	case !(k.Confidence > ConfidenceWord && k.Confidence <= ConfidenceExecution):
		return fmt.Errorf("no check has the confidence %v", k.Confidence)
	}
	return nil
}
