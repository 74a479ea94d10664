package research

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/research/gocode"
	"moot/workspace"
)

// goIndex keeps an index of the Go files for as long as they stay the same. A check that runs out of time leaves it being
// made, for the checks after it.
type goIndex struct {
	mutex sync.Mutex
	// of is the digest of the files. index and err are set once made is closed.
	of    string
	made  chan struct{}
	index *gocode.Index
	err   error
}

// maxIndexing is how long an index may take.
const maxIndexing = 2 * time.Minute

// get returns the index of files with a digest. produce makes it with the context of the checker.
func (g *goIndex) get(ctx, owner context.Context, digest string, produce func(ctx context.Context) (*gocode.Index, error)) (*gocode.Index, error) {
	g.mutex.Lock()
	for g.made != nil && (g.of != digest || g.err != nil) {
		// Of other files, or it failed.
		made := g.made
		g.mutex.Unlock()
		select {
		case <-made:
		case <-ctx.Done():
			return nil, errStillRead
		}
		g.mutex.Lock()
		if g.made == made {
			g.made, g.index, g.err = nil, nil, nil
		}
	}
	if g.made == nil {
		g.of, g.made = digest, make(chan struct{})
		go func(made chan struct{}) {
			limited, cancel := context.WithTimeout(owner, maxIndexing)
			defer cancel()
			index, err := produce(limited)
			g.mutex.Lock()
			g.index, g.err = index, err
			g.mutex.Unlock()
			close(made)
		}(g.made)
	}
	made := g.made
	g.mutex.Unlock()
	select {
	case <-made:
	case <-ctx.Done():
		return nil, errStillRead
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.index, g.err
}

var errStillRead = errors.New("the Go packages are still being read; cite it again in a later turn")

// goFiles returns the index of the Go files of a listing, or nil without Go files, and the digest of the files.
func (a *Absence) goFiles(
	ctx context.Context, w *workspace.Workspace, l *workspace.Listing, typed bool,
) (*gocode.Index, string, error) {
	request := gocode.Request{Dir: w.Dir()}
	var read strings.Builder
	for _, name := range l.Files {
		base := path.Base(name)
		switch {
		case base == "go.mod":
			request.Modules = append(request.Modules, path.Dir(name))
		case name == "go.work":
			request.Work = true
		case strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".s"):
			request.Files = append(request.Files, name)
		case base != "go.sum" && name != "vendor/modules.txt":
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		data, err := w.Content(name, MaxFile)
		if err != nil {
			l.Unread = append(l.Unread, name+": "+plain.Clip(err.Error(), 80))
			continue
		}
		fmt.Fprintf(&read, "%s %s\n", name, ledger.Digest(data))
	}
	if !slices.ContainsFunc(request.Files, func(name string) bool { return strings.HasSuffix(name, ".go") }) {
		return nil, "", nil
	}
	switch {
	case !typed:
		request.Modules = nil
	case len(request.Modules) == 0:
		request.Modules = []string{"."} // Its go.mod may be above the workspace.
	}
	digest := ledger.Digest([]byte(read.String()))
	cache := &a.syntax
	if typed {
		cache = &a.goCode
	}
	index, err := cache.get(ctx, a.owner, digest, func(ctx context.Context) (*gocode.Index, error) {
		if a.tree != nil {
			copied, err := a.copy(ctx)
			if err != nil {
				return nil, err
			}
			request.Dir = copied
		}
		return gocode.Make(ctx, request, a.environ)
	})
	return index, digest, err
}

// copy writes the files of the reviewed commit to a folder, once.
func (a *Absence) copy(ctx context.Context) (string, error) {
	a.copying.Lock()
	defer a.copying.Unlock()
	if a.copied == "" {
		copied, err := a.tree.CopyWithout(ctx, func(name string) bool {
			return workspace.SecretName(name) != "" && !workspace.Allowed(name, a.allow)
		})
		if err != nil {
			return "", err
		}
		a.copied = copied
	}
	return a.copied, nil
}

// callers counts the calls of a function: by go/types if Go declares or uses it, and by a search for the word otherwise.
func (a *Absence) callers(ctx context.Context, w *workspace.Workspace, q countQuery) (counted, error) {
	listing, err := w.Listing(ctx, "")
	if err != nil {
		return counted{}, err
	}
	index, digest, err := a.goFiles(ctx, w, &listing, true)
	if err != nil {
		return counted{}, err
	}
	if index == nil {
		return a.words(ctx, w, q, &listing)
	}
	c := counted{digest: digest}
	found, err := index.Callers(q.what)
	switch {
	case err != nil:
		return counted{}, err
	case len(found.Several) > 0:
		return counted{}, fmt.Errorf("%s may be one of: %s", q.what, listed(index, found.Several))
	case len(found.Near) > 0:
		return counted{}, fmt.Errorf("no Go file declares or uses %s; did you mean: %s", q.what, listed(index, found.Near))
	case found.Of == nil:
		return a.words(ctx, w, q, &listing)
	}
	c.n, c.more = len(found.Calls), len(found.Through)+len(found.Loose)
	how := "go/types in " + plain.Counted(index.Checked, "Go file")
	if index.Checked == 0 {
		how = "the identifiers of " + plain.Counted(len(index.Files), "Go file") + ", whose types could not be checked"
	}
	c.found = fmt.Sprintf("%s of %s by %s", plain.Counted(c.n, "call"), found.Of, how)
	lines := &lineReader{w: w}
	for _, group := range []struct {
		places []gocode.Place
		note   string
	}{
		{found.Calls, ""},
		{found.Through, " (through an interface)"},
		{found.Loose, " (not resolved)"},
		{found.Values, " (used as a value)"},
	} {
		for _, p := range group.places {
			if len(c.places) < maxFound {
				c.places = append(c.places, lines.place(index.Files[p[0]], p[1])+group.note)
			}
		}
	}
	c.apart(len(found.Through), "call", "through an interface that the type implements may be one of it")
	c.apart(len(found.Loose), "identifier", "with its name could not be resolved, as in files for other systems")
	c.apart(len(found.Values), "use", "as a value, which something may call later")
	c.apart(len(found.Apart), "identifier", "with its name in files that Go ignores, such as testdata, not counted")
	c.notes = append(c.notes, "calls by reflection and from packages outside of the workspace are not seen")
	c.problems(index, len(found.Loose) > 0)
	c.left(&listing, 0)
	return c, nil
}

func (c *counted) apart(n int, what, why string) {
	if n > 0 {
		c.notes = append(c.notes, plain.Counted(n, what)+" "+why)
	}
}

// problems notes what kept Go code from being read. It matters only if something was not resolved.
func (c *counted) problems(index *gocode.Index, matter bool) {
	for _, p := range index.Problems[:min(len(index.Problems), maxSkipped)] {
		if p == gocode.ErrNoGo.Error() {
			c.open = append(c.open, p)
		} else if matter {
			c.notes = append(c.notes, plain.Clip(p, 160))
		}
	}
}

// listed names declarations with their places.
func listed(index *gocode.Index, all []*gocode.Declared) string {
	names := lists.Map(all[:min(len(all), 8)], func(d *gocode.Declared) string {
		if d.File < 0 {
			return d.String()
		}
		return fmt.Sprintf("%s (%s:%d)", d, plain.Line(index.Files[d.File]), d.Line)
	})
	if more := len(all) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// symbols counts declarations: of Go by the syntax of all files, also those for other systems, and of other languages by
// a search for the word.
func (a *Absence) symbols(ctx context.Context, w *workspace.Workspace, q countQuery) (counted, error) {
	listing, err := w.Listing(ctx, "")
	if err != nil {
		return counted{}, err
	}
	index, digest, err := a.goFiles(ctx, w, &listing, false)
	if err != nil {
		return counted{}, err
	}
	c, err := a.words(ctx, w, q, &listing)
	if err != nil {
		return c, err
	}
	if index == nil {
		if c.files == 0 {
			c.open = append(c.open, "the workspace has no source files")
		}
		return c, nil
	}
	found, err := index.Symbols(q.what)
	if err != nil {
		return counted{}, err
	}
	other := c.n
	c.n += len(found)
	c.found = fmt.Sprintf("%s of %s in %s by their syntax", plain.Counted(c.n, "declaration"), plain.Line(q.what),
		plain.Counted(len(index.Files), "Go file"))
	if other > 0 {
		c.found += fmt.Sprintf(", %d of them by a search of words in other languages", other)
	}
	name := q.what[strings.LastIndexAny(q.what, ".)/")+1:]
	for _, i := range index.Broken {
		if data, err := w.Content(index.Files[i], MaxFile); err != nil || strings.Contains(string(data), name) {
			c.open = append(c.open, plain.Line(index.Files[i])+" has errors of syntax, and the name")
		}
	}
	c.apart(len(index.Apart[name]), "identifier", "with the name in files that Go ignores, such as testdata, not counted")
	c.digest = ledger.Digest([]byte(c.digest + digest))
	lines := &lineReader{w: w}
	places := lists.Map(found[:min(len(found), maxFound)], func(d *gocode.Declared) string {
		return lines.place(index.Files[d.File], d.Line)
	})
	c.places = slices.Concat(places, c.places[:min(len(c.places), maxFound-len(places))])
	return c, nil
}

// words counts calls or declarations in languages other than Go, by what stands before and after the word.
func (a *Absence) words(ctx context.Context, w *workspace.Workspace, q countQuery, l *workspace.Listing) (counted, error) {
	parts := strings.FieldsFunc(q.what, func(c rune) bool { return strings.ContainsRune(".:#()*/->", c) })
	if len(parts) == 0 || strings.ContainsFunc(parts[len(parts)-1], func(c rune) bool { return !isWord(c) }) {
		return counted{}, fmt.Errorf("%q is no name", plain.Clip(q.what, 80))
	}
	name := parts[len(parts)-1]
	var c counted
	mentions, seen := 0, 0
	var read strings.Builder
	all := *l
	all.Files = slices.DeleteFunc(slices.Clone(l.Files), func(file string) bool {
		return strings.HasSuffix(file, ".go") || !ledger.IsSource(file)
	})
	var sure, unsure []string
	own, err := a.each(ctx, w, &all, func(file string, data []byte) error {
		c.files++
		fmt.Fprintf(&read, "%s %s\n", file, ledger.Digest(data))
		text := string(normalLines(decodeText(data)))
		if !strings.Contains(text, name) {
			return nil
		}
		for i, line := range strings.Split(w.Redact(file, text), "\n") {
			for _, use := range usesOf(line, name) {
				seen++
				isCounted, isUnsure := use == called, use == calledOrDeclared
				if q.mark == "SYMBOL" {
					isCounted, isUnsure = use == declared, use == calledOrDeclared || use == mayDeclare
				}
				switch place := placeLine(file, i+1, line); {
				case isCounted:
					c.n++
					sure = append(sure, place)
				case isUnsure:
					c.more++
					unsure = append(unsure, place+" (not sure)")
				case use != declared:
					mentions++
				}
				sure, unsure = sure[:min(len(sure), maxFound)], unsure[:min(len(unsure), maxFound)]
			}
		}
		return nil
	})
	if err != nil {
		return counted{}, err
	}
	l.Unread = all.Unread
	c.places = slices.Concat(sure, unsure)
	c.places = c.places[:min(len(c.places), maxFound)]
	what := map[string]string{"CALLERS": "call", "SYMBOL": "declaration"}[q.mark]
	c.found = fmt.Sprintf("%s of %s by a search of words in %s that are not Go", plain.Counted(c.n, what), name,
		plain.Counted(c.files, "source file"))
	if seen == 0 && q.mark == "CALLERS" {
		return counted{}, errors.New("no source file declares or mentions " + name + ", so the name may be wrong")
	}
	c.apart(c.more, "line", "may be a "+what+" or something else")
	if q.mark == "CALLERS" {
		c.apart(mentions, "mention", "that is no call, such as in a comment or as a value")
	}
	c.left(l, own)
	c.digest = ledger.Digest([]byte(read.String()))
	return c, nil
}

// use says whether a line calls, declares or only mentions a word.
type use int

const (
	mentioned use = iota
	called
	declared
	calledOrDeclared
	mayDeclare
)

var (
	declares = regexp.MustCompile(`(?:^|[^\w.$])(?:def|defp|defn|class|fn|fun|func|function\*?|sub|struct|union|enum|interface|trait|type|` +
		`typedef|const|let|var|val|static|module|namespace|record|object|macro|proc|procedure|#[ \t]*define)[ \t]+(?:mut[ \t]+)?$`)
	onlyWords = regexp.MustCompile(`^[\w \t*&<>\[\],:@~?]*[\w*&>\]?:][ \t*&]*$`)
	// expressionWord is a word after which an expression follows.
	expressionWord = regexp.MustCompile(`(?:^|[^\w])(?:return|await|new|yield|else|do|in|not|and|or|case|throw|go|defer|raise|assert|then|if|while|unless)[ \t]+$`)
)

// usesOf returns what a line does with each of its words that are a name.
func usesOf(line, name string) (uses []use) {
	for at := 0; ; {
		i := strings.Index(line[at:], name)
		if i < 0 {
			return uses
		}
		from, to := at+i, at+i+len(name)
		at = to
		last, _ := utf8.DecodeLastRuneInString(line[:from])
		next, _ := utf8.DecodeRuneInString(line[to:])
		if from > 0 && isWord(last) || to < len(line) && isWord(next) {
			continue
		}
		before, after := line[:from], strings.TrimSpace(line[to:])
		isCall, isPlain := strings.HasPrefix(after, "("), onlyWords.MatchString(before) && !expressionWord.MatchString(before)
		assigns := strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") || strings.HasPrefix(after, ":")
		switch trimmed := strings.TrimSpace(before); {
		case declares.MatchString(before):
			uses = append(uses, declared)
		case isCall && (trimmed == "" && strings.HasSuffix(after, "{") || trimmed != "" && isPlain):
			uses = append(uses, calledOrDeclared)
		case isCall:
			uses = append(uses, called)
		case assigns || isPlain && trimmed != "":
			uses = append(uses, mayDeclare)
		default:
			uses = append(uses, mentioned)
		}
	}
}

func isWord(c rune) bool { return c == '_' || c == '$' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// lineReader reads lines of files without their secrets.
type lineReader struct {
	w     *workspace.Workspace
	files map[string][]string
}

// place shows a line with its place.
func (r *lineReader) place(name string, line int) string {
	lines, known := r.files[name]
	if !known {
		if data, err := r.w.Content(name, MaxFile); err == nil {
			lines = strings.Split(r.w.Redact(name, string(normalLines(decodeText(data)))), "\n")
		}
		if r.files == nil {
			r.files = map[string][]string{}
		}
		r.files[name] = lines
	}
	if line > len(lines) {
		return fmt.Sprintf("%s:%d", plain.Line(name), line)
	}
	return placeLine(name, line, lines[line-1])
}
