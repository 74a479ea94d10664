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
	group(cmd, "What citations refer to", func(f *pflag.FlagSet) {
		f.StringVar(&o.dir, "workspace", "", "the folder (default: the git work tree around the current folder, else that folder)")
		f.BoolVar(&o.none, "no-workspace", false, "none: citations are refused; for questions that are not about files at hand")
		f.StringArrayVar(&o.official, "official", nil, "a file or folder of it that is a specification (repeatable)")
	})
}

// settle finds the workspace and writes it into the settings.
func (o *workspaceOptions) settle(c *Console, s *state.Settings) error {
	s.Official = []string{}
	if o.none {
		if o.dir != "" || len(o.official) > 0 {
			return in(fieldNoWorkspace, usage("--no-workspace excludes --workspace and --official"))
		}
		return nil
	}
	dir := workTree(c.Dir)
	if o.dir != "" {
		dir = c.path(o.dir)
	}
	if err := readable(dir); err != nil {
		return in(fieldWorkspace, err)
	}
	s.Workspace = dir
	for _, path := range o.official {
		relative, err := below(c, dir, path)
		if err != nil {
			return in(fieldOfficial, err)
		}
		s.Official = append(s.Official, relative)
	}
	return nil
}

// readable refuses a workspace that is missing or cannot be read.
func readable(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage("the workspace %s does not exist; name a folder that does with --workspace, or leave it out with --no-workspace", dir)
	case err != nil:
		return fmt.Errorf("look at the workspace %s: %w; no session was opened", dir, err)
	case !info.IsDir():
		return usage("the workspace %s is no folder; name a folder with --workspace", dir)
	}
	folder, err := os.Open(dir)
	if err == nil {
		_, err = folder.ReadDir(1)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		err = errors.Join(err, folder.Close())
	}
	if err != nil {
		return fmt.Errorf("the workspace %s cannot be read: %w; no session was opened; mend its mode, or name another with --workspace", dir, err)
	}
	return nil
}

// workTree returns the folder that holds .git, at dir or above it, else dir.
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

// below returns a path that the user typed, relative to the workspace: from
// the current folder where it is there, else from the workspace.
func below(c *Console, workspace, typed string) (string, error) {
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

// citablePath is a file that the user named as citations name it: by its path
// below the workspace, where it lies there, else as it was named.
func citablePath(c *Console, workspace, typed string) string {
	relative, err := filepath.Rel(workspace, c.path(filepath.FromSlash(typed)))
	if workspace == "" || err != nil || !filepath.IsLocal(relative) {
		return filepath.ToSlash(typed)
	}
	return filepath.ToSlash(relative)
}

// openCitation opens the researcher of a session; nil where it has no
// workspace.
func openCitation(s *state.Settings) (*research.Citation, error) {
	if s.Workspace == "" {
		return nil, nil //nolint:nilnil // no workspace is no error
	}
	citation, err := research.OpenCitation(s.Workspace, research.Official(s.Official...))
	if err != nil {
		return nil, fmt.Errorf("%w; the session needs it to check citations, and is kept as it is", err)
	}
	return citation, nil
}
