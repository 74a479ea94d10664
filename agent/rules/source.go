package rules

import (
	"cmp"
	"context"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"moot/agent/search"
	"moot/redact"
	"moot/state"
)

// passage is some lines that bear on what was sought.
type passage struct {
	path       string
	line, last int
	// text is the lines as they stand, joined by "\n".
	text  string
	terms []string
	// score compares passages of one search, 0 for those of context files.
	score float64
}

// reference is how the passage is cited.
func (p *passage) reference() string {
	if p.last > p.line {
		return p.path + ":" + strconv.Itoa(p.line) + "-" + strconv.Itoa(p.last)
	}
	return p.path + ":" + strconv.Itoa(p.line)
}

// finding is what a search brought.
type finding struct {
	passages []passage
	// terms are the words that were sought, files how many were searched.
	terms []string
	files int
}

// source is where a turn finds passages: the given context first, then the
// workspace. It is open for one reply.
type source struct {
	lexicon   *lexicon
	documents []state.Document
	index     *search.Index
	// workspace is its folder, "" for none, and root the same once it was opened.
	workspace string
	root      *os.Root
	// redactor finds passages that hold a secret: they are not quoted. It is nil
	// where the user wants them.
	redactor *redact.Redactor
	// module says that the workspace is a Go module.
	module bool
	// failure says why the workspace cannot be searched, "" where it can or
	// where there is none.
	failure string
}

func (r *Rules) openSource(s *state.State) *source {
	from := &source{lexicon: r.lexicon, redactor: r.redactor, workspace: r.options.Workspace}
	if s.Settings.NoRedact {
		from.redactor = nil
	}
	seen := map[string]bool{}
	for _, d := range slices.Concat(r.options.Context, s.Settings.Context) {
		if !seen[d.Path] {
			seen[d.Path] = true
			from.documents = append(from.documents, d)
		}
	}
	if r.options.Workspace == "" {
		return from
	}
	index, err := search.Open(r.options.Workspace)
	if err != nil {
		from.failure = err.Error()
		return from
	}
	from.index, from.module = index, isModule(r.options.Workspace)
	return from
}

func (from *source) close() {
	if from.root != nil {
		from.root.Close() //nolint:errcheck // it was only read
	}
	if from.index != nil {
		from.index.Close() //nolint:errcheck // it was only read
	}
}

// find returns at most limit passages on what is sought, best first. The only
// error is the context's.
func (from *source) find(ctx context.Context, sought string, limit int) (finding, error) {
	var found finding
	for i := range from.documents {
		found.passages = append(found.passages, from.inDocument(&from.documents[i], sought)...)
	}
	found.passages = found.passages[:min(len(found.passages), limit)]
	if from.index == nil {
		for word := range from.lexicon.wordsOf(sought) {
			found.terms = append(found.terms, word)
		}
		slices.Sort(found.terms)
		return found, ctx.Err()
	}
	result, err := from.index.Search(ctx, sought, limit)
	if err != nil {
		if ctx.Err() != nil {
			return finding{}, ctx.Err()
		}
		from.failure = err.Error()
	}
	found.terms, found.files = result.Terms, result.Survey.Files
	for _, p := range result.Passages {
		known := slices.ContainsFunc(found.passages, func(q passage) bool { return q.overlaps(p.Path, p.Line, p.EndLine) })
		if !known && !from.secret(p.Text) {
			found.passages = append(found.passages, passage{p.Path, p.Line, p.EndLine, p.Text, p.Terms, p.Score})
		}
	}
	found.passages = found.passages[:min(len(found.passages), limit)]
	return found, nil
}

// secret reports whether a text holds what looks like one.
func (from *source) secret(text string) bool {
	if from.redactor == nil {
		return false
	}
	_, findings := from.redactor.Text(text)
	return len(findings) > 0
}

func (p *passage) overlaps(path string, line, last int) bool {
	return p.path == path && line <= p.last && last >= p.line
}

// perDocument is how many passages of one context file are taken.
const perDocument = 3

// maxLine is the longest line, in bytes, that is quoted from a context file.
const maxLine = 1000

// inDocument returns the lines of a context file that share the most words with
// what is sought: two at least, or all where fewer are sought.
func (from *source) inDocument(d *state.Document, sought string) []passage {
	asked := from.lexicon.wordsOf(sought)
	need := min(2, len(asked))
	if need == 0 {
		return nil
	}
	type ranked struct {
		shared int
		passage
	}
	var best []ranked
	number := 0
	for line := range strings.Lines(d.Text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if len(line) > maxLine || !utf8.ValidString(line) {
			continue
		}
		held := from.lexicon.wordsOf(line)
		if n := asked.shared(held); n >= need {
			var terms []string
			for word := range held {
				if asked[word] {
					terms = append(terms, word)
				}
			}
			slices.Sort(terms)
			best = append(best, ranked{n, passage{path.Clean(strings.ReplaceAll(d.Path, `\`, "/")), number, number, line, terms, 0}})
		}
	}
	slices.SortStableFunc(best, func(a, b ranked) int { return cmp.Compare(b.shared, a.shared) })
	var found []passage
	for _, r := range best[:min(len(best), perDocument)] {
		found = append(found, r.passage)
	}
	return found
}

// lineAt returns the line that a reference names, or nil.
func (from *source) lineAt(ctx context.Context, file string, line int) (*passage, error) {
	name := file + ":" + strconv.Itoa(line)
	if from.index == nil {
		return nil, ctx.Err()
	}
	result, err := from.index.Search(ctx, name, 1)
	if err != nil {
		return nil, ctx.Err()
	}
	for _, p := range result.Passages {
		if p.Line > line || p.EndLine < line {
			continue
		}
		text := strings.Split(p.Text, "\n")[line-p.Line]
		if from.secret(text) {
			return nil, nil
		}
		return &passage{path: p.Path, line: line, last: line, text: text}, nil
	}
	return nil, nil
}
