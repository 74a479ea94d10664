package cli

import (
	_ "embed" // for editors.toml
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moot/config"
	"moot/ledger"
	"moot/research"
)

//go:embed editors.toml
var editorFile []byte

// editorTable is the content of editors.toml.
type editorTable struct {
	Fallback []string `toml:"fallback"`
	Editors  []struct {
		Programs  []string `toml:"programs"`
		Arguments []string `toml:"arguments"`
	} `toml:"editor"`
}

func readEditors() (editorTable, error) {
	var table editorTable
	if err := config.Strict(editorFile, &table); err != nil {
		return table, fmt.Errorf("read the built-in table of editors: %w", err)
	}
	return table, nil
}

// editorName is a program without its folder and without a Windows extension.
func editorName(program string) string {
	name := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// editorCommand returns the command that opens a file at a line (0 is no line) with $VISUAL, $EDITOR or an editor on
// the PATH. The variables may contain arguments with shell quotes, but no shell runs.
func editorCommand(c *Console, path string, line int) (*exec.Cmd, error) {
	table, err := readEditors()
	if err != nil {
		return nil, err
	}
	words, err := c.editor(&table)
	if err != nil {
		return nil, err
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("the editor %q: %w; set VISUAL or EDITOR to an installed one", words[0], err)
	}
	// An absolute path is never taken for an option.
	arguments := []string{c.path(path)}
	for _, editor := range table.Editors {
		if line > 0 && slices.Contains(editor.Programs, editorName(words[0])) {
			put := strings.NewReplacer("{file}", arguments[0], "{line}", strconv.Itoa(line))
			arguments = nil
			for _, a := range editor.Arguments {
				arguments = append(arguments, put.Replace(a))
			}
			break
		}
	}
	cmd := exec.Command(program, append(words[1:], arguments...)...) //nolint:noctx // the user ends the editor
	cmd.Env = c.Environ
	return cmd, nil
}

// editor returns the editor and its arguments.
func (c *Console) editor(table *editorTable) ([]string, error) {
	for _, variable := range []string{"VISUAL", "EDITOR"} {
		value := strings.TrimSpace(c.Getenv(variable))
		if value == "" {
			continue
		}
		// The path of a program may contain spaces and backslashes.
		if _, err := exec.LookPath(value); err == nil {
			return []string{value}, nil
		}
		command, err := ledger.ParseCommand(value)
		if err != nil {
			return nil, fmt.Errorf("$%s is not an editor: %w; set it to a program and its arguments", variable, err)
		}
		return command.Words(), nil
	}
	for _, name := range table.Fallback {
		if _, err := exec.LookPath(name); err == nil {
			return []string{name}, nil
		}
	}
	return nil, fmt.Errorf("no editor was found: neither VISUAL nor EDITOR is set, and none of %s is on the PATH; "+
		"set EDITOR to the one you use", strings.Join(table.Fallback, ", "))
}

// citedFile returns the file and the first line that a reference cites. A file outside of the workspace is an error,
// even if a link leads there.
func citedFile(workspace, reference string) (path string, line int, err error) {
	if workspace == "" {
		return "", 0, errors.New("the session has no workspace: its citations are not files here")
	}
	cited, err := research.ParseReference(reference)
	if err != nil {
		return "", 0, err
	}
	name := filepath.FromSlash(cited.Path)
	if cited.Commit != "" {
		// A permalink is relative to the repository.
		if name, err = filepath.Rel(workspace, filepath.Join(workTree(workspace), name)); err != nil {
			return "", 0, fmt.Errorf("find %s in the workspace %s: %w", cited.Path, workspace, err)
		}
	}
	if !filepath.IsLocal(name) {
		return "", 0, fmt.Errorf("%s is outside of the workspace %s and was not opened", cited.Path, workspace)
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return "", 0, fmt.Errorf("open the workspace: %w", err)
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return "", 0, fmt.Errorf("open %s: %w; it must be a file of the workspace %s", cited.Path, err, workspace)
	case !info.Mode().IsRegular():
		return "", 0, fmt.Errorf("%s is not a regular file and was not opened", cited.Path)
	}
	return filepath.Join(workspace, name), cited.Spans[0].First, nil
}
