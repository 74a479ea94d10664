package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/change"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/internal/regular"
	"moot/ledger"
	"moot/protocol"
	"moot/research/extract"
	"moot/research/findings"
	"moot/state"
	"moot/view"
	"moot/workspace"
)

// The maximum sizes in bytes of a question that is no material, of a file, and of all files.
const (
	maxQuestion = 600
	maxDocument = 256 << 10
	maxGiven    = 1 << 20
	// maxSecret is how much is read behind a limit, so that a secret at the limit is seen whole.
	maxSecret = 16 << 10
	// maxTitle is the length of the question that is made from material.
	maxTitle = 120
	// maxAbout is how much of the material chooses what models see of the workspace at first.
	maxAbout = 2000
)

// source is where a value comes from.
type source string

// The sources.
const (
	fromArgument source = "argument"
	fromFile     source = "file"
	fromStdin    source = "stdin" // as it is cited
	fromForm     source = "form"
	fromAgent    source = "agent"
	fromConfig   source = "configuration"
)

// value is a text with its source: the question, or a default from the configuration.
type value struct {
	// name is the flag, the seat or "".
	name, text string
	from       source
	// place is the file, a line of it as in config.toml:3, or - for standard input.
	place string
	// examined says that the session examines the file that the question was read from.
	examined bool
}

// cited is the path under which the session cites what it examines, or "".
func (v *value) cited(c *Console, workspace string) string {
	switch {
	case !v.examined || v.place == "":
		return ""
	case v.from == fromStdin:
		return string(fromStdin)
	}
	return citablePath(c, workspace, v.place)
}

// read reads a text from the command line: the content of @FILE, standard input for -, or the text itself.
func (v *value) read(c *Console, what, example string) error {
	switch {
	case v.text == "-":
		if v.from, v.place = fromStdin, v.text; c.InTerminal {
			c.Say("reading standard input; end it with ctrl-d")
		}
	case strings.HasPrefix(v.text, "@"):
		if v.from, v.place = fromFile, v.text[1:]; v.place == "" {
			return usage("@ needs the name of a file, as in @notes.md")
		}
	}
	if v.place != "" {
		read, err := readStart(c, v.place, maxDocument+maxSecret)
		if err != nil {
			return err
		}
		v.text = string(read)
	}
	switch v.text = strings.TrimSpace(v.text); {
	case v.text == "":
		return usage("%s is empty; type: %s", cmp.Or(inputName(v.place), what), example)
	case len(v.text) <= maxDocument && !utf8.ValidString(v.text):
		return usage("%s is not UTF-8 text", cmp.Or(inputName(v.place), what))
	}
	return nil
}

// titleOf is the question about material: its first sentence, or the file's name for a diff or code.
func titleOf(name, text string) string {
	prose := slices.Contains([]string{"", ".md", ".markdown", ".txt", ".rst", ".adoc", ".org"}, filepath.Ext(name))
	heading := strings.HasPrefix(text, "#")
	if text = strings.TrimLeft(text, "#=* \t\r\n"); isDiff(text) || !prose || text == "" {
		return "Review " + inputName(name)
	}
	first, _, _ := strings.Cut(text, "\n")
	paragraph, _, _ := strings.Cut(strings.ReplaceAll(text, "\r", ""), "\n\n")
	if heading {
		paragraph = first
	}
	if title := view.Title(strings.Join(strings.Fields(paragraph), " ")); utf8.RuneCountInString(title) <= maxTitle {
		return title
	}
	return plain.Clip(view.Title(first), maxTitle)
}

// isDiff reports whether a text is a diff, perhaps below the message of a commit.
func isDiff(text string) bool {
	for _, start := range []string{"diff ", "Index: ", "--- "} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return (strings.HasPrefix(text, "commit ") || strings.HasPrefix(text, "From ")) &&
		strings.Contains(text, "\ndiff --git ")
}

// givenOptions are the texts that the user gives besides the question.
type givenOptions struct {
	context, facts []string
	// findings are reports of tools.
	findings []string
	// diff is the revision of --diff, or "".
	diff string
	// about is the material that the question is about, change the change that it is about, or nil.
	about    *state.Document
	change   *givenChange
	noRedact bool
	// roots are the folders that an agent's program works in, and claims the facts that it gives, which bind nobody.
	roots, claims []string
}

// mentions adds the files, folders and globs that a question names as @PATH to the context.
func (o *givenOptions) mentions(ctx context.Context, m *material, question string) {
	for word := range strings.FieldsSeq(question) {
		name, is := strings.CutPrefix(strings.TrimLeft(word, "(\"'`"), "@")
		name = strings.TrimRight(name, ".,;:?!)\"'`")
		if !is || name == "" || slices.Contains(o.context, name) {
			continue
		}
		if found, err := matches(ctx, m, name); err != nil || len(found) == 0 {
			continue
		}
		if why := workspace.SecretName(name); why != "" {
			m.withhold(&state.Withheld{
				Path: workspace.ShownName(name), Reason: why + "; --context includes it", Seats: []state.Seat{},
			})
			continue
		}
		o.context = append(o.context, name)
	}
}

// readStart reads at most limit bytes of a regular file, or of standard input, whose name is -.
func readStart(c *Console, name string, limit int64) ([]byte, error) {
	from := c.In
	if name != "-" {
		file, err := openNamed(c, name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, limit))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", inputName(name), err)
	}
	return text, nil
}

// openNamed opens a regular file that the user named.
func openNamed(c *Console, name string) (*os.File, error) {
	path := c.path(name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage("there is no file %s", name)
	case err == nil && info.IsDir():
		return nil, usage("%s is a folder: name a file", name)
	case err == nil && !info.Mode().IsRegular():
		return nil, usage("%s is not a regular file; if the command reads -, pipe it in: moot … - < %s", name, name)
	}
	return regular.Open(path)
}

func (o *givenOptions) flags(cmd *cobra.Command) {
	group(cmd, "Material", func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.context, "context", nil,
			"material for the participants: a `PATH`, a folder, a glob such as 'docs/**/*.md', '!GLOB' to leave out, "+
				"or - (repeatable)")
		o.findingsFlag(f)
		f.StringVar(
			&o.diff,
			"diff",
			"",
			"add the git diff since HEAD as material, or since another commit with --diff=`REV`",
		)
		f.Lookup("diff").NoOptDefVal = "HEAD"
		f.StringArrayVar(&o.facts, "fact", nil, "a `fact` that binds everyone; code checks a limit such as 'retries "+
			"<= 2' (repeatable)")
		f.BoolVar(&o.noRedact, "no-redact", false, "don't redact secrets in the material and in citations")
	})
}

func (o *givenOptions) findingsFlag(f *pflag.FlagSet) {
	f.StringArrayVar(&o.findings, "findings", nil, "the report of a tool that participants can cite: a `FILE` with SARIF, JUnit, "+
		"go test -json, coverage or the output of a linter, or - (repeatable)")
}

// reports reads --findings: of each report, its findings as lines.
func (o *givenOptions) reports(m *material) (documents []state.Document, err error) {
	for _, name := range o.findings {
		data, err := readInput(m.console, name, findings.MaxReport)
		if err != nil {
			return nil, usage("--findings: %w", err)
		}
		report, err := findings.Parse(data)
		if err != nil {
			return nil, usage("--findings %s: %w", inputName(name), err)
		}
		shown := name
		if name == "-" {
			shown = "stdin"
		}
		shown = strings.Join(strings.Fields(m.Redact("the name of a file", filepath.ToSlash(shown))), "_") + findings.Suffix
		text := m.fit(shown, report.List(shown))
		if report.More > 0 {
			m.withhold(&state.Withheld{
				Path: inputName(name), Seats: []state.Seat{},
				Reason: fmt.Sprintf("%s behind the first %d", plain.Counted(report.More, "finding"), findings.MaxFindings),
			})
		}
		m.say("findings   %s: %s with %s", inputName(name), report.Form, plain.Counted(len(report.Findings), "finding"))
		documents = append(documents, state.Document{Path: shown, Text: text})
	}
	return documents, nil
}

// material reads what the user gives, and redacts secrets in it. It implements protocol.Files.
type material struct {
	console *Console
	note    func(string)
	// redactor is nil if the user wants to keep secrets.
	redactor *redact.Redactor
	left     int
	redacted int
	// withheld lists the files, and the lines, that participants do not see.
	withheld []*state.Withheld
	// roots are the folders of the coding agent that named the files. They are nil if the user did.
	roots []string
}

func (m *material) say(format string, args ...any) { m.note(fmt.Sprintf(format, args...)) }

func newMaterial(c *Console, keepSecrets bool, note func(string)) (m *material, err error) {
	m = &material{console: c, note: note, left: maxGiven}
	if !keepSecrets {
		_, m.redactor, err = c.shared()
	}
	return m, err
}

// read reads the context files, the user's facts and an agent's claims. A claim has no seat yet.
func (o *givenOptions) read(
	ctx context.Context, m *material, s *state.Settings, allow []string,
) (facts []*state.FactRecorded, err error) {
	if s.Context, err = o.documents(ctx, m, allow); err != nil {
		return nil, err
	}
	reports, err := o.reports(m)
	if err != nil {
		return nil, in("findings", err)
	}
	s.Context = append(s.Context, reports...)
	for i, text := range o.facts {
		if strings.TrimSpace(text) == "" {
			return nil, in("fact", usage("--fact needs a text"))
		}
		text = m.Redact(fmt.Sprintf("--fact number %d", i+1), text)
		facts = append(facts, &state.FactRecorded{Tag: ledger.TagUser, Seat: state.User, Text: text})
	}
	for i, text := range o.claims {
		if strings.TrimSpace(text) == "" {
			return nil, in("facts", usage("fact number %d is empty", i+1))
		}
		facts = append(facts, &state.FactRecorded{Tag: ledger.TagUnverified, Text: m.Redact("a fact", text)})
	}
	for i, fact := range facts {
		fact.ID = state.NextID('F', i)
	}
	return facts, nil
}

// Read implements protocol.Files.
func (m *material) Read(name string, limit int64) ([]byte, error) {
	if m.roots != nil {
		if err := agentMayRead(context.Background(), m.roots, m.console.path(name)); err != nil {
			return nil, &codeError{code: protocol.ExitError, err: err}
		}
	}
	data, err := readStart(m.console, name, limit)
	return data, asFailure(err)
}

// asFailure keeps an error that isn't about the command line from becoming one.
func asFailure(err error) error {
	if _, coded := errors.AsType[*codeError](err); err == nil || coded {
		return err
	}
	return &codeError{code: protocol.ExitError, err: err}
}

// Packet implements protocol.Files. A file that is a log becomes a packet.
func (m *material) Packet(name string) (*ledger.Packet, error) {
	packet, err := m.packetOfLog(name)
	if err != nil {
		return nil, asFailure(fmt.Errorf("%w; no session was opened", err))
	}
	if packet == nil {
		text, err := readInput(m.console, name, ledger.LargestPacket)
		if err != nil {
			return nil, asFailure(err)
		}
		if packet, err = ledger.ReadPacket(bytes.NewReader(text), name); err != nil {
			return nil, asFailure(fmt.Errorf("%w; no session was opened: moot packet check %s lists the mistakes of "+
				"all facts", err, name))
		}
	}
	if m.redactor != nil {
		if packet, err = redactPacket(packet, m.note); err != nil {
			return nil, asFailure(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		return nil, asFailure(fmt.Errorf("%s: %w", name, err))
	}
	return packet, nil
}

// packetOfLog makes a packet of a log. It returns nil for a file that looks like a packet, and for standard input, which
// holds one.
func (m *material) packetOfLog(name string) (*ledger.Packet, error) {
	if name == "-" {
		return nil, nil
	}
	file, err := openNamed(m.console, name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, min(info.Size(), extract.HeadSize))
	if _, err := io.ReadFull(file, head); err != nil {
		return nil, fmt.Errorf("read %s: %w", plain.Line(name), err)
	}
	if _, err := extract.FormOf(&extract.File{Name: name, ReaderAt: bytes.NewReader(head), Size: int64(len(head))}, telemetry()); err != nil {
		if start := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))); len(start) == 0 || start[0] == '{' {
			return nil, nil // If it is no packet, it is read as one to say why.
		}
		return nil, err
	}
	if info.Size() > ledger.LargestPacket {
		return nil, fmt.Errorf("%s has more than %d MiB: make a packet of a part of it with moot packet make --window, "+
			"--host, --account or --kind", plain.Line(name), ledger.LargestPacket>>20)
	}
	packet, err := packetOf(context.Background(), m.console, packetDefaults(), []string{name}, m.say)
	if err == nil {
		m.say("packet     made of %s: %s, %s", plain.Line(name), plain.Counted(packet.Len(), "fact"), windowOf(packet))
	}
	return packet, err
}

// Text implements protocol.Files. It cuts a file at the limit.
func (m *material) Text(name string) (string, error) {
	// The secret that the cut would split is read whole.
	read, err := m.Read(name, maxDocument+maxSecret)
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(read, 0) >= 0 {
		return "", usage("%s is a binary file; give a text file", name)
	}
	return m.fit(name, string(read)), nil
}

// fit redacts a text, and cuts it at what is left of the limits: half a secret would look like none.
func (m *material) fit(name, text string) string {
	text = m.Redact(name, text)
	limit := min(maxDocument, m.left)
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "")
		m.withhold(&state.Withheld{
			Path: inputName(name), Lines: fmt.Sprintf("%d-", strings.Count(text, "\n")+1), Seats: []state.Seat{},
			Reason: fmt.Sprintf("only the first %d bytes were read", limit),
		})
		text += fmt.Sprintf("\n[cut: only the first %d bytes of this file were read]", limit)
	}
	m.left = max(0, m.left-len(text))
	return text
}

// Redact implements protocol.Files.
func (m *material) Redact(name, text string) string {
	if m.redactor == nil {
		return text
	}
	cleaned, findings := m.redactor.Named(name, text)
	for _, f := range findings {
		m.redacted++
		m.say("redacted   %s line %d: %s", name, f.Line, f.Reason)
	}
	return cleaned
}

// shownName is the name of a file for prompts and the record: a name may hold a secret, too.
func (m *material) shownName(path string) string {
	if m.redactor == nil {
		return path
	}
	return workspace.ShownName(path)
}

// withhold notes what participants do not see.
func (m *material) withhold(withheld ...*state.Withheld) {
	for _, w := range withheld {
		w.Path = m.shownName(w.Path)
		place := w.Path
		if w.Lines != "" {
			place += ":" + w.Lines
		}
		m.say("not shown  %s: %s", plain.Line(place), w.Reason)
	}
	m.withheld = append(m.withheld, withheld...)
}

// documents reads what --context and --diff name (LU4): files, folders, globs with "!" for what
// to leave out, standard input, a git diff.
func (o *givenOptions) documents(ctx context.Context, m *material, allow []string) ([]state.Document, error) {
	documents := []state.Document{}
	add := func(name, text string) error {
		if strings.TrimSpace(text) == "" {
			return usage("%s is empty: a review of nothing must not look like a clean one", inputName(name))
		}
		m.say("context    %s, about %s", inputName(name), plain.Counted(protocol.EstimateTokens(len(text)), "token"))
		if name == "-" {
			name = "stdin" // what is cited has a name without blanks
		}
		name = m.Redact("the name of a file", filepath.ToSlash(name))
		documents = append(documents, state.Document{Path: name, Text: text})
		return nil
	}
	if o.change != nil {
		documents = append(documents, m.document(o.change))
	}
	if o.about != nil {
		if err := add(o.about.Path, o.about.Text); err != nil {
			return nil, err
		}
	}
	names, err := o.expand(ctx, m)
	if err != nil {
		return nil, in("context", err)
	}
	for i, name := range names {
		if m.left == 0 {
			for _, name := range names[i:] {
				m.withhold(&state.Withheld{
					Path: filepath.ToSlash(name), Seats: []state.Seat{},
					Reason: fmt.Sprintf("the files before it have %d KiB, which is all that is read", maxGiven>>10),
				})
			}
			break
		}
		text, err := m.Text(name)
		if err == nil {
			err = add(name, text)
		}
		if err != nil {
			return nil, in("context", err)
		}
	}
	if o.diff != "" {
		changed, err := o.since(ctx, m.console, allow)
		if err != nil {
			return nil, in("diff", err)
		}
		documents = append(documents, m.document(changed))
	}
	return documents, nil
}

// expand turns the patterns of --context into names of files, each once.
func (o *givenOptions) expand(ctx context.Context, m *material) ([]string, error) {
	var names, without []string
	for _, pattern := range o.context {
		if rest, is := strings.CutPrefix(pattern, "!"); is {
			if !doublestar.ValidatePattern(rest) {
				return nil, usage("--context %s: not a valid glob", pattern)
			}
			without = append(without, rest)
		}
	}
	for _, pattern := range o.context {
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		found, err := matches(ctx, m, pattern)
		if err != nil {
			return nil, err
		}
		kept := slices.DeleteFunc(slices.Clone(found),
			func(name string) bool { return workspace.Allowed(filepath.ToSlash(name), without) })
		if len(kept) == 0 {
			return nil, usage("--context %s matches no file%s", pattern,
				map[bool]string{true: " that is not left out"}[len(found) > 0])
		}
		for _, name := range kept {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// matches are the files that one pattern names. Folders and globs leave out what git ignores and
// what may hold secrets.
func matches(ctx context.Context, m *material, pattern string) ([]string, error) {
	info, err := os.Stat(m.console.path(pattern))
	switch {
	case pattern == "-", err == nil && !info.IsDir():
		return []string{pattern}, nil
	case err == nil && pattern != "":
		return below(ctx, m, pattern, "")
	case !strings.ContainsAny(pattern, "*?[{"):
		return nil, usage("there is no file %s", cmp.Or(pattern, `""`))
	case !doublestar.ValidatePattern(pattern):
		return nil, usage("--context %s: not a valid glob", pattern)
	}
	base, glob := doublestar.SplitPattern(filepath.ToSlash(pattern))
	return below(ctx, m, base, glob)
}

// below lists the text files of a folder that a glob matches, all for "".
func below(ctx context.Context, m *material, folder, glob string) ([]string, error) {
	c := m.console
	w, err := workspace.New(c.path(folder), nil, nil)
	if err != nil {
		return nil, usage("--context: %w", err)
	}
	defer w.Close() //nolint:errcheck // it was only read
	files, err := w.Files(ctx)
	if err != nil {
		return nil, usage("--context %s: %w", folder, err)
	}
	if bound := w.Bound(); bound != "" {
		m.say("cut        --context %s: only %s of the folder were looked at", folder, bound)
	}
	var names []string
	for _, name := range files {
		full := path.Join(filepath.ToSlash(folder), name)
		if ok, _ := doublestar.Match(glob, name); (ok || glob == "") && hasText(c.path(full)) {
			names = append(names, full)
		}
	}
	return names, nil
}

// hasText reports whether a file begins with text.
func hasText(name string) bool {
	file, err := regular.Open(name)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it was only read
	head := make([]byte, 4096)
	n, _ := file.Read(head)
	return n > 0 && bytes.IndexByte(head[:n], 0) < 0
}

// since reads the change from the revision of --diff to the working tree.
func (o *givenOptions) since(ctx context.Context, c *Console, allow []string) (*givenChange, error) {
	if strings.HasPrefix(o.diff, "-") {
		return nil, usage("--diff=%s: not a revision", o.diff)
	}
	read, err := readChange(ctx, c, "git diff "+o.diff, change.Options{Since: o.diff, Allow: allow}, o.noRedact)
	if err == nil {
		read.Close()
	}
	if _, mistake := errors.AsType[*change.Error](err); mistake {
		return nil, usage("--diff=%s: %w", o.diff, err)
	}
	return read, err
}

// document is the change as participants see it: as much of it as fits, by file. It notes what is withheld.
func (m *material) document(c *givenChange) state.Document {
	d := state.Document{Path: c.name, Files: []state.ChangedFile{}}
	for _, note := range c.notes {
		m.note(note)
	}
	m.redacted += c.Redacted
	m.withhold(c.Withheld...)
	var text strings.Builder
	for i := range c.Files {
		file := &c.Files[i]
		if file.Ignored != "" {
			continue
		}
		part := file.Diff
		if limit := min(maxDocument-text.Len(), m.left); len(part) > limit {
			m.withhold(&state.Withheld{
				Path: file.Path, Seats: []state.Seat{},
				Reason: fmt.Sprintf("all files together have more than %d KiB", maxDocument>>10),
			})
			part = ""
		}
		m.left -= len(part)
		text.WriteString(part)
		d.Files = append(d.Files, state.ChangedFile{Path: file.Path, Bytes: len(part)})
	}
	d.Text = text.String()
	m.say("context    %s, about %s", plain.Line(d.Path), plain.Counted(protocol.EstimateTokens(len(d.Text)), "token"))
	return d
}

// agentMayRead refuses files and folders that only the user may name: those outside of the roots of the agent's
// program, and those that may hold secrets. A link is judged by its target.
func agentMayRead(ctx context.Context, roots []string, name string) error {
	actual, err := filepath.EvalSymlinks(name)
	if err != nil {
		return fmt.Errorf("%s cannot be read", clip(name))
	}
	for _, top := range roots {
		if resolved, err := filepath.EvalSymlinks(top); err == nil {
			top = resolved
		}
		below, err := filepath.Rel(top, actual)
		if err != nil || !filepath.IsLocal(below) {
			continue
		}
		if below == "." {
			return nil
		}
		root, err := os.OpenRoot(top)
		if err != nil {
			return err
		}
		why := workspace.NewGuard(root).Secret(ctx, filepath.ToSlash(below), nil)
		if err := root.Close(); err != nil {
			return err
		}
		if why != "" {
			return fmt.Errorf("%s may hold secrets, and only the user can name it: %s", clip(name), why)
		}
		return nil
	}
	return fmt.Errorf("%s is outside of your roots (%s)", clip(name), strings.Join(roots, ", "))
}

// redactPacket removes secrets from the facts, which the session stores and models read. A packet without secrets is
// returned as it is. Facts are cited by their ids, so the ids stay.
func redactPacket(p *ledger.Packet, note func(string)) (*ledger.Packet, error) {
	if p.Len() > maxSearched {
		note(fmt.Sprintf("the packet has %d facts, and only packets of up to %d are searched for secrets: "+
			"all values go into the session and to models unchanged", p.Len(), maxSearched))
		return p, nil
	}
	redactor, err := redact.New()
	if err != nil {
		return nil, fmt.Errorf("prepare the redaction of secrets: %w", err)
	}
	from, to := p.Window()
	cleaned, err := ledger.NewPacket(p.ID(), from, to)
	if err != nil {
		return nil, err
	}
	// Many facts share few names and values, so each is searched once.
	type clean struct{ text, reason string }
	known := map[string]clean{}
	var found []string
	for _, f := range p.All() {
		reason := ""
		search := func(text string) string {
			one, searched := known[text]
			if !searched {
				clean, secrets := redactor.Text(text)
				if one.text = clean; len(secrets) > 0 {
					one.reason = secrets[0].Reason
				}
				known[text] = one
			}
			reason = cmp.Or(reason, one.reason)
			return one.text
		}
		if value := search(string(f.Value)); value != string(f.Value) {
			if f.Value, err = ledger.ParseValue([]byte(value)); err != nil {
				f.Value = ledger.TextValue(value)
			}
		}
		for _, text := range []*string{&f.Raw, &f.Entity, &f.Field, &f.SourceID, &f.ParserVersion} {
			*text = search(*text)
		}
		if reason != "" {
			found = append(found, plain.Line(f.ID)+" ("+reason+")")
		}
		if err := cleaned.Add(f); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return p, nil
	}
	const maxNamed = 5
	which := strings.Join(found[:min(len(found), maxNamed)], ", ")
	if more := len(found) - maxNamed; more > 0 {
		which += fmt.Sprintf(" and %d more", more)
	}
	note("redacted what looks like a secret in " + which + "; the digest is that of the redacted packet " +
		"(--no-redact keeps everything)")
	return cleaned, nil
}

// inputName is the name of an input in messages.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return plain.Line(name)
}

// readInput reads a regular file of at most limit bytes, or standard input, whose name is -.
func readInput(c *Console, name string, limit int64) ([]byte, error) {
	tooLarge := fmt.Errorf("%s has more than %d MiB", inputName(name), limit>>20)
	if info, err := os.Stat(c.path(name)); name != "-" && err == nil && info.Mode().IsRegular() && info.Size() > limit {
		return nil, tooLarge
	}
	text, err := readStart(c, name, limit+1)
	if err == nil && int64(len(text)) > limit {
		return nil, tooLarge
	}
	return text, err
}
