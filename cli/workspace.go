package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/change"
	"moot/internal/git"
	"moot/protocol"
	"moot/research"
	"moot/state"
	"moot/workspace"
)

// workspaceOptions say which folder citations refer to.
type workspaceOptions struct {
	dir      string
	none     bool
	official []string
	allow    []string
	// tree is the commit under review, in which citations and lookups look instead of the folder, or "".
	tree string
	// lookups is how often a seat may look at the folder in a turn.
	lookups int
}

func (o *workspaceOptions) flags(cmd *cobra.Command) {
	group(cmd, "Workspace for citations", func(f *pflag.FlagSet) {
		f.StringVar(&o.dir, "workspace", "", "the `folder` (default: the git work tree around the current folder, "+
			"else the current folder, unless that is / or your home folder)")
		f.BoolVar(&o.none, "no-workspace", false, "refuse citations, for questions that are not about files")
		f.StringArrayVar(&o.allow, "allow-path", nil, "a `glob` of files in it that may be cited although git "+
			"ignores them or they may hold secrets, such as 'dist/**' (repeatable)")
		f.IntVar(&o.lookups, "lookups", protocol.DefaultLookups, "how often a model may list, search or read "+
			"files in it in a turn; 0 for never")
		f.StringArrayVar(&o.official, "official", nil, "a `file` or folder in it that is a specification (repeatable)")
	})
}

// resolve finds the workspace and sets it. Without a name, it is no folder that holds far more than the question can be
// about, such as /: that is an error, unless the question brings material of its own.
func (o *workspaceOptions) resolve(c *Console, s *state.Settings, material bool) error {
	s.Official = []string{}
	wide := o.dir == "" && !o.none && workspace.TooWide(c.Dir, c.home())
	switch {
	case wide && (!material || len(o.official) > 0):
		return in("workspace", usage("%s is in no git repository, and is not searched as a whole: name a folder with "+
			"--workspace DIR or material with --context FILE, or use --no-workspace", c.Dir))
	case wide:
		return nil
	}
	if o.none {
		if o.dir != "" || len(o.official) > 0 {
			return in("no-workspace", usage("--no-workspace excludes --workspace and --official"))
		}
		return nil
	}
	dir := workspace.WorkTree(c.Dir)
	if o.dir != "" {
		dir = c.path(o.dir)
	}
	if err := checkFolder(dir); err != nil {
		return in("workspace", fmt.Errorf("%w; name a folder with --workspace, or use --no-workspace", err))
	}
	for _, glob := range o.allow {
		if !doublestar.ValidatePattern(glob) {
			return in("allow-path", usage("--allow-path %s: not a valid glob", glob))
		}
	}
	s.AllowPaths = append([]string{}, o.allow...)
	if o.lookups < 0 {
		return in("lookups", usage("--lookups is 0 or more"))
	}
	s.Workspace, s.Tree, s.Lookups = dir, o.tree, o.lookups
	for _, path := range o.official {
		relative, err := inWorkspace(c, dir, path)
		if err != nil {
			return in("official", err)
		}
		s.Official = append(s.Official, relative)
	}
	return nil
}

// checkFolder returns nil if a folder can be read.
func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage("the workspace %s does not exist", dir)
	case err == nil && !info.IsDir():
		return usage("the workspace %s is not a folder", dir)
	case err != nil:
		return fmt.Errorf("open the workspace %s: %w", dir, err)
	}
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("the workspace %s cannot be read: %w", dir, err)
	}
	if _, err = folder.ReadDir(1); errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}

// inWorkspace returns a path that the user typed, relative to the workspace. The path is relative to the current folder
// if it exists there, else to the workspace.
func inWorkspace(c *Console, workspace, typed string) (string, error) {
	path := c.path(typed)
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(workspace, typed)
	}
	if _, err := os.Stat(path); err != nil || typed == "" {
		return "", usage("--official %q: there is no such file or folder", typed)
	}
	relative, err := filepath.Rel(workspace, path)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return "", usage("--official %s is outside of the workspace %s", typed, workspace)
	}
	return filepath.ToSlash(relative), nil
}

// citablePath is the path of a file in citations: relative to the workspace if the file is there, else as typed.
func citablePath(c *Console, workspace, typed string) string {
	relative, err := filepath.Rel(workspace, c.path(filepath.FromSlash(typed)))
	if workspace == "" || err != nil || !filepath.IsLocal(relative) {
		return filepath.ToSlash(typed)
	}
	return filepath.ToSlash(relative)
}

// openCitation opens the checker of citations. It is nil without a workspace.
func openCitation(s *state.Settings, tree *git.Tree) (*research.Citation, error) {
	if s.Workspace == "" {
		return nil, nil //nolint:nilnil // a session without a workspace has no citations
	}
	citation, err := research.OpenCitation(s.Workspace, s.Official...)
	if err != nil {
		return nil, fmt.Errorf("%w; the session needs it to check citations, and was left unchanged", err)
	}
	citation.Allow(s.AllowPaths)
	if tree != nil {
		citation.In(tree)
	}
	return citation, nil
}

// givenChange is a change that is given as material.
type givenChange struct {
	*change.Material
	// name is the path of the document that shows it.
	name  string
	notes []string
}

// readChange reads a change around the current folder. The caller closes it.
func readChange(
	ctx context.Context, c *Console, name string, o change.Options, keepSecrets bool,
) (*givenChange, error) {
	if !keepSecrets {
		_, redactor, err := c.shared()
		if err != nil {
			return nil, err
		}
		o.Redact = redactor.Named
	}
	given := &givenChange{name: name}
	o.Folder, o.Note = cmp.Or(o.Folder, c.Dir), func(text string) { given.notes = append(given.notes, text) }
	var err error
	given.Material, err = change.Read(ctx, o)
	if mistake, is := errors.AsType[*change.Error](err); is {
		return nil, usage("%w", mistake)
	}
	if err != nil {
		return nil, err
	}
	return given, nil
}
