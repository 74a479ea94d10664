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
	if err := readable(dir).refused(); err != nil {
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

// folderFault is why a folder is of no use as a workspace.
type folderFault struct {
	what, fix string
	// typed says that a name was wrong, and not the folder.
	typed bool
	err   error
}

// refused is the error of a new session.
func (f *folderFault) refused() error {
	switch {
	case f == nil:
		return nil
	case f.typed:
		return usage("%s; %s", f.what, f.fix)
	}
	return fmt.Errorf("%s: %w; no session was opened; %s", f.what, f.err, f.fix)
}

// kept is the error of a session that began earlier, whose workspace is what it is.
func (f *folderFault) kept() error {
	const needs = "the session needs it and is kept as it is; put it back and go on"
	switch {
	case f == nil:
		return nil
	case f.err == nil:
		return fmt.Errorf("%s; %s", f.what, needs)
	}
	return fmt.Errorf("%s: %w; %s", f.what, f.err, needs)
}

// readable says why a workspace is missing or cannot be read, nil where it can.
func readable(dir string) *folderFault {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &folderFault{
			what: "the workspace " + dir + " does not exist", fix: "name a folder that does with --workspace, or leave it out with --no-workspace", typed: true,
		}
	case err != nil:
		return &folderFault{what: "look at the workspace " + dir, fix: "name another with --workspace", err: err}
	case !info.IsDir():
		return &folderFault{what: "the workspace " + dir + " is no folder", fix: "name a folder with --workspace", typed: true}
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
		return &folderFault{what: "the workspace " + dir + " cannot be read", fix: "mend its mode, or name another with --workspace", err: err}
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
