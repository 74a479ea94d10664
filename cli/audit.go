package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/audit"
	"moot/internal/git"
	"moot/internal/plain"
	"moot/protocol"
	"moot/report"
	"moot/research"
	"moot/state"
	"moot/view"
	"moot/workspace"
)

// maxAudited is the size of a review that is read, in bytes.
const maxAudited = 16 << 20

// auditOptions are the flags of moot audit.
type auditOptions struct {
	console *Console
	form    report.Form
	at      string
	report  audit.Report
}

func newAudit(c *Console) *cobra.Command {
	o := &auditOptions{console: c}
	cmd := &cobra.Command{
		Use:  "audit",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	group(cmd, "Files", func(f *pflag.FlagSet) {
		f.StringVar(&o.at, "at", "", "compare with the files of this commit, not with those of the folder: a `revision`")
	})
	outputFlag(cmd, &o.form, append(outputs(), report.FormSARIF)...)
	return cmd
}

func (o *auditOptions) run(ctx context.Context, args []string) (err error) {
	ctx, stop := o.console.untilSignal(ctx)
	defer stop()
	if n := len(args) - len(slices.DeleteFunc(slices.Clone(args), func(name string) bool { return name == "-" })); n > 1 {
		return usage("standard input, -, can be audited once")
	}
	texts := make([]string, len(args))
	for i, name := range args {
		if texts[i], err = o.read(name); err != nil {
			return err
		}
	}
	tree, closeTree, err := openAudited(ctx, workspace.WorkTree(o.console.Dir), o.at)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeTree()) }()
	_, redactor, err := o.console.shared()
	if err != nil {
		return err
	}
	o.report = audit.Report{
		Schema: audit.SchemaName, Counts: map[audit.Verdict]int{}, Reviews: []audit.Review{}, Commit: tree.Commit,
		Folder: o.at == "", NoHistory: tree.NoHistory,
	}
	for i, name := range args {
		review, err := audit.Read(ctx, o.nameOf(name), texts[i], tree, redactor)
		if err != nil {
			return err
		}
		o.report.Add(review)
	}
	code := protocol.ExitConcluded
	if o.report.Accused() > 0 {
		code = protocol.ExitFound
	}
	o.report.ExitCode = int(code)
	if err := o.print(); err != nil {
		return err
	}
	return leaveWith(code)
}

// read reads a review.
func (o *auditOptions) read(name string) (string, error) {
	text, err := readInput(o.console, name, maxAudited)
	switch {
	case err != nil:
		return "", err
	case !utf8.Valid(text) || slices.Contains(text, 0):
		return "", usage("%s is not UTF-8 text; moot audit reads reviews in Markdown, SARIF, rdjson or JSON", inputName(name))
	case len(text) == 0:
		return "", usage("%s is empty", inputName(name))
	}
	return string(text), nil
}

// nameOf names a review: by its path below the repository if it is there, since programs that show SARIF want that.
func (o *auditOptions) nameOf(name string) string {
	if name == "-" {
		return string(fromStdin)
	}
	path := o.console.path(name)
	top := workspace.WorkTree(o.console.Dir)
	for _, folder := range []string{top, o.console.Dir} {
		if below, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(below) {
			return filepath.ToSlash(below)
		}
	}
	return filepath.ToSlash(name)
}

// openAudited opens what a review is compared with: the files of a folder, or of a commit of its repository.
func openAudited(ctx context.Context, folder, at string) (tree *audit.Tree, closeAll func() error, err error) {
	if err := checkFolder(folder); err != nil {
		return nil, nil, err
	}
	var opened []func() error
	end := func() (err error) {
		for _, one := range slices.Backward(opened) {
			err = errors.Join(err, one())
		}
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, end())
		}
	}()
	citation, err := research.OpenCitation(folder)
	if err != nil {
		return nil, nil, err
	}
	opened = append(opened, citation.Close)
	tree = &audit.Tree{Citation: citation}
	repository, err := git.Open(ctx, folder)
	if err != nil {
		if at != "" {
			return nil, nil, usage("--at %s: %w", at, err)
		}
		tree.NoHistory = "the history is not known here"
		var failed *git.Error
		if errors.As(err, &failed) && failed.NoRepository {
			tree.NoHistory = "there is no git repository here"
		}
		return tree, end, nil
	}
	opened = append(opened, func() error { repository.Close(); return nil })
	tree.Repository, tree.Commit = repository, repository.Head()
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		tree.Prefix = repository.Prefix(resolved)
	}
	if repository.IsShallow() {
		tree.NoHistory = "the history is not in this shallow clone"
	}
	if at == "" {
		return tree, end, nil
	}
	if tree.Commit, err = repository.Commit(ctx, at); err != nil {
		return nil, nil, usage("--at %s: %w", at, err)
	}
	// The tree closes its repository.
	files, err := git.OpenTree(ctx, folder, tree.Commit)
	if err != nil {
		return nil, nil, fmt.Errorf("--at %s: %w", at, err)
	}
	opened = append(opened, files.Close)
	citation.In(files)
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, fmt.Errorf("open the folder: %w", err)
	}
	opened = append(opened, root.Close)
	tree.InFolder = func(path string) bool {
		_, err := root.Lstat(filepath.FromSlash(path))
		return err == nil
	}
	return tree, end, nil
}

// maxStatements is how many statements of a review become points.
const maxStatements = 100

// takeReview audits the written review of the framing audit, so that its statements can become points.
func (b *builder) takeReview(ctx context.Context, s *state.Settings, files *material) (err error) {
	if s.Framing != state.FramingAudit {
		return nil
	}
	name := inputName(s.Input.DesignPath)
	if s.Workspace == "" {
		return in("framing", usage("--framing audit checks the places of %s in a workspace, and --no-workspace was given", name))
	}
	ctx, stop := b.console.untilSignal(ctx)
	defer stop()
	tree, closeTree, err := openAudited(ctx, s.Workspace, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeTree()) }()
	reviewed, err := audit.Read(ctx, name, s.Input.Design, tree, files.redactor)
	if err != nil {
		return err
	}
	found := reviewed.Session(ctx)
	if len(found.Statements) == 0 {
		why := "moot finds no statement in it that names a place, such as queue/lock.go:12"
		if reviewed.Nothing != "" {
			why = "it says: " + plain.Line(reviewed.Nothing)
		} else if len(reviewed.Statements) > 0 {
			why += "; it begins: " + plain.Line(reviewed.Statements[0])
		}
		return in("design", usage("%s cannot be audited: %s; --framing verify --design %s argues its paragraphs", name, why, name))
	}
	if more := len(found.Statements) - maxStatements; more > 0 {
		files.withhold(&state.Withheld{
			Path: name, Lines: fmt.Sprintf("%d-", found.Statements[maxStatements].Line), Seats: []state.Seat{},
			Reason: fmt.Sprintf("only the first %d statements of the review are points; %d more are not", maxStatements, more),
		})
		found.Statements = found.Statements[:maxStatements]
	}
	places := 0
	for _, n := range found.Count() {
		places += n
	}
	files.say("audit      %s with %s, %d absent or misplaced", plain.Counted(len(found.Statements), "statement"),
		plain.Counted(places, "place"), found.Accused())
	s.Input.Audit = found
	return nil
}

func (o *auditOptions) print() (err error) {
	var text string
	switch {
	case o.form == report.FormJSON:
		text, err = report.JSON(&o.report)
	case o.form == report.FormMarkdown:
		text = report.Markdown(o.report.Document())
	case o.form == report.FormSARIF:
		text, err = report.SARIF("audit", &view.Review{
			Lead: o.report.Document().Lead, Decided: true, Annotations: o.report.Annotations(),
		})
	default:
		text = report.Text(o.report.Document(), o.console.Width)
	}
	if err != nil {
		return err
	}
	return o.console.Print(text)
}
