package dialectic

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic/gates"
	"moot/state"
	"moot/view"
)

func changeCoverage(s *state.State, files []string, change func(*Coverage)) error {
	for _, path := range files {
		if !isChanged(s, path) {
			return state.Unknown("changed file", path)
		}
	}
	own := *Of(s)
	change(&own.Change)
	own.Change.Seq = s.Seq
	s.Own = &own
	return nil
}

// isChanged reports whether a path is a file of the change under review.
func isChanged(s *state.State, path string) bool {
	change := s.Settings.Change()
	return change != nil && slices.ContainsFunc(change.Files, func(f state.ChangedFile) bool { return f.Path == path })
}

// changedFiles are the files of the change under review as G9 reads them.
func changedFiles(s *state.State) []gates.ChangedFile {
	change := s.Settings.Change()
	if change == nil {
		return nil
	}
	withheld := map[string][]string{}
	for _, w := range s.WithheldFrom(PressureTester) {
		why := w.Reason
		if w.Lines != "" {
			why = "line " + w.Lines + ", " + why
		}
		withheld[w.Path] = append(withheld[w.Path], why)
	}
	fields := proposedFields(s)
	files := make([]gates.ChangedFile, 0, len(change.Files))
	for _, f := range change.Files {
		file := gates.ChangedFile{
			Path: f.Path, Withheld: strings.Join(withheld[f.Path], "; "),
			Covered: slices.ContainsFunc(
				fields,
				func(p *state.Point) bool { return covers(s, FieldOf(p), f.Path) },
			),
			NotProposed: slices.ContainsFunc(
				Of(s).Change.LeftOut,
				func(out FileLeftOut) bool { return out.Path == f.Path },
			),
			Accepted: slices.Contains(Of(s).Change.Accepted, f.Path),
		}
		if file.Withheld == "" && !s.WasShown(PressureTester, f.Path) {
			file.Withheld = "no prompt that it answered holds it"
		}
		files = append(files, file)
	}
	return files
}

// covers reports whether a field proposes a changed file: its path is the file's, perhaps with the name of a part of it
// (store.go.retries), or its value names the file.
func covers(s *state.State, f *Field, file string) bool {
	rest, part := strings.CutPrefix(strings.TrimPrefix(f.Path, "./"), file)
	part = part && rest != "" && strings.IndexByte("./[-_", rest[0]) >= 0 && !isChanged(s, f.Path)
	return f.Path == file || part || names(string(f.Value), file)
}

// names reports whether a text names a file by its whole path.
func names(text, file string) bool {
	isPart := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_-/\\@~", r)
	}
	for from := 0; ; {
		at := strings.Index(text[from:], file)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+at])
		after := text[from+at+len(file):]
		next, size := utf8.DecodeRuneInString(after)
		if next == '.' {
			// The end of a sentence, or another ending.
			next, _ = utf8.DecodeRuneInString(after[size:])
		}
		if !isPart(before) && before != '.' && !isPart(next) {
			return true
		}
		from += at + len(file)
	}
}

// notProposed handles NOT_PROPOSED.
func (a *admitter) notProposed(m *NotProposed) error {
	path := strings.TrimPrefix(strings.TrimSpace(m.File), "./")
	switch {
	case a.Seat != Proposer:
		return protocol.Refuse("not-author", "only the proposer says what is not proposed")
	case a.State.Settings.Change() == nil:
		return protocol.Refuse("not-here", "the session is not about a change of files")
	case !isChanged(a.State, path):
		return protocol.Refuse("path", "%s is not a changed file", plain.Short(path))
	case strings.TrimSpace(m.Reason) == "":
		return protocol.Refuse("missing-field", "say why %s is not proposed", path)
	case slices.ContainsFunc(Of(a.State).Change.LeftOut, func(out FileLeftOut) bool { return out.Path == path }):
		return protocol.Refuse("repeated", "%s is named as not proposed already", path)
	}
	return a.Add(&FileLeftOut{Path: path, By: a.Seat, Reason: plain.OneLine(m.Reason)})
}

// uncovered are the changed files that fail G9: the pressure-tester did not see them whole, or nothing covers them.
func uncovered(s *state.State) []gates.ChangedFile {
	return slices.DeleteFunc(changedFiles(s), func(f gates.ChangedFile) bool {
		return f.Accepted || f.Withheld == "" && (f.Covered || f.NotProposed)
	})
}

// coverage lists for the proposer the changed files that no field covers.
func coverage(b *claims.PromptBuilder) {
	if b.Ask.Seat != Proposer || b.State.Settings.Change() == nil {
		return
	}
	inner := &strings.Builder{}
	for _, f := range uncovered(b.State) {
		if !f.Covered && !f.NotProposed {
			fmt.Fprintf(inner, "%s\n", plain.OneLine(f.Path))
		}
	}
	b.List(
		"Changed files that no field covers yet. Cover each by a field, whose path is the file or whose value names it, "+
			"or say that it is not proposed. Example: NOT PROPOSED docs/intro.md: only words.",
		"changed files",
		inner,
	)
}

// changeQuestion asks the user about the changed files that fail G9.
func changeQuestion(s *state.State) *state.QuestionSurfaced {
	files := uncovered(s)
	if len(files) == 0 {
		return nil
	}
	return &state.QuestionSurfaced{
		About: aboutChange, Options: []string{answerAccept, answerHold},
		Text: uncoveredWords(s) + ". Do you accept that?",
	}
}

// mostListed is how many files a sentence names.
const mostListed = 3

// uncoveredWords says which changed files fail G9, and why, or returns "".
func uncoveredWords(s *state.State) string {
	files := uncovered(s)
	unseen := lists.Filter(files, func(f gates.ChangedFile) bool { return f.Withheld != "" })
	bare := lists.Filter(files, func(f gates.ChangedFile) bool { return f.Withheld == "" })
	return view.Join("; ", countedFiles(s, unseen, "was", "were", "not shown to the pressure-tester whole"),
		countedFiles(s, bare, "is", "are", "covered by no field"))
}

// leftWords says which changed files an advancing proposal leaves out, and which the user took as they are, or
// returns "".
func leftWords(s *state.State) string {
	all := changedFiles(s)
	out := lists.Filter(all, func(f gates.ChangedFile) bool { return f.NotProposed && !f.Covered })
	accepted := lists.Filter(all, func(f gates.ChangedFile) bool {
		return f.Accepted && (f.Withheld != "" || !f.Covered && !f.NotProposed)
	})
	return view.Join("; ", countedFiles(s, out, "is", "are", "not proposed"),
		countedFiles(s, accepted, "was", "were", "accepted by the user as is"))
}

// countedFiles counts files of all that changed and names the first ones, with why they were not shown. It takes the
// verb of one and of several.
func countedFiles(s *state.State, files []gates.ChangedFile, one, several, words string) string {
	if len(files) == 0 {
		return ""
	}
	named := lists.Map(files[:min(mostListed, len(files))], func(f gates.ChangedFile) string {
		if f.Withheld == "" {
			return f.Path
		}
		return f.Path + " (" + f.Withheld + ")"
	})
	text := strings.Join(named, ", ")
	if more := len(files) - mostListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	verb := several
	if len(files) == 1 {
		verb = one
	}
	return fmt.Sprintf("%d of %s %s %s: %s", len(files),
		view.Counted(len(s.Settings.Change().Files), "changed file"), verb, words, text)
}
