package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/research"
	"moot/state"
)

// workspaceOptions say which folder citations refer to.
type workspaceOptions struct {
	dir      string
	none     bool
	official []string
}

func (o *workspaceOptions) flags(cmd *cobra.Command) {
	group(cmd, "Workspace for citations", func(f *pflag.FlagSet) {
		f.StringVar(&o.dir, "workspace", "", "the folder (default: the git work tree around the current folder, "+
			"else the\ncurrent folder)")
		f.BoolVar(&o.none, "no-workspace", false, "refuse citations, for questions that are not about files")
		f.StringArrayVar(&o.official, "official", nil, "a file or folder in it that is a specification (repeatable)")
	})
}

// resolve finds the workspace and sets it.
func (o *workspaceOptions) resolve(c *Console, s *state.Settings) error {
	s.Official = []string{}
	if o.none {
		if o.dir != "" || len(o.official) > 0 {
			return in("no-workspace", usage("--no-workspace excludes --workspace and --official"))
		}
		return nil
	}
	dir := workTree(c.Dir)
	if o.dir != "" {
		dir = c.path(o.dir)
	}
	if err := checkFolder(dir); err != nil {
		return in("workspace", fmt.Errorf("%w; name a folder with --workspace, or use --no-workspace", err))
	}
	s.Workspace = dir
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

// workTree returns the closest folder that contains .git, at dir or above it, else dir.
func workTree(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return dir
		}
	}
}

// inWorkspace returns a path that the user typed, relative to the workspace. The path is relative to the current folder
// if it exists there, else to the workspace.
func inWorkspace(c *Console, workspace, typed string) (string, error) {
	path := c.path(typed)
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(workspace, typed)
	}
	if _, err := os.Stat(path); err != nil {
		return "", usage("--official %s: there is no such file or folder", typed)
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
func openCitation(s *state.Settings) (*research.Citation, error) {
	if s.Workspace == "" {
		return nil, nil //nolint:nilnil // a session without a workspace has no citations
	}
	citation, err := research.OpenCitation(s.Workspace, research.Official(s.Official...))
	if err != nil {
		return nil, fmt.Errorf("%w; the session needs it to check citations, and was left unchanged", err)
	}
	return citation, nil
}
