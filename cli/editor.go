package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/workspace"
)

// atLine returns the arguments with which an editor opens a file at a line. Other editors get the file alone.
func atLine(editor, file string, line int) []string {
	number := strconv.Itoa(line)
	switch strings.TrimSuffix(strings.ToLower(filepath.Base(editor)), ".exe") {
	case "vi", "vim", "nvim", "view", "gvim", "mvim", "neovide", "nano", "pico", "emacs", "emacsclient", "mg", "joe",
		"micro", "kak", "gedit", "gnome-text-editor", "bbedit":
		return []string{"+" + number, file}
	case "hx", "helix", "subl", "sublime_text", "zed", "zeditor":
		return []string{file + ":" + number}
	case "code", "code-insiders", "codium", "vscodium", "code-oss", "cursor", "windsurf":
		return []string{"--goto", file + ":" + number}
	case "idea", "goland", "pycharm", "webstorm", "clion", "rider", "rubymine", "phpstorm", "rustrover", "kate", "mate":
		return []string{"--line", number, file}
	case "notepad++":
		return []string{"-n" + number, file}
	}
	return []string{file}
}

// editorCommand returns the command that opens a file at a line (0 is no line) with $VISUAL, $EDITOR or an editor on
// the PATH. The variables may contain arguments with shell quotes, but no shell runs.
func editorCommand(c *Console, path string, line int) (*exec.Cmd, error) {
	words, err := c.editor()
	if err != nil {
		return nil, err
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("the editor %q: %w; set VISUAL or EDITOR to an installed one", words[0], err)
	}
	// An absolute path is never taken for an option.
	arguments := []string{c.path(path)}
	if line > 0 {
		arguments = atLine(words[0], arguments[0], line)
	}
	cmd := exec.Command(program, append(words[1:], arguments...)...) //nolint:noctx // the user ends the editor
	cmd.Env = c.Environ
	return cmd, nil
}

// editor returns the editor and its arguments.
func (c *Console) editor() ([]string, error) {
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
	fallback := []string{"nano", "vim", "vi", "notepad"}
	for _, name := range fallback {
		if _, err := exec.LookPath(name); err == nil {
			return []string{name}, nil
		}
	}
	return nil, fmt.Errorf("no editor was found: neither VISUAL nor EDITOR is set, and none of %s is on the PATH; "+
		"set EDITOR to the one you use", strings.Join(fallback, ", "))
}

// citedFile returns the file and the first line that a reference cites. A file outside of the workspace is an error,
// even if a link leads there.
func citedFile(folder, reference string) (path string, line int, err error) {
	if folder == "" {
		return "", 0, errors.New("the session has no workspace: its citations are not files here")
	}
	cited, err := ledger.ParseReference(reference)
	if err != nil {
		return "", 0, err
	}
	name := filepath.FromSlash(cited.Path)
	if cited.Commit != "" {
		// A permalink is relative to the repository.
		if name, err = filepath.Rel(folder, filepath.Join(workspace.WorkTree(folder), name)); err != nil {
			return "", 0, fmt.Errorf("find %s in the workspace %s: %w", cited.Path, folder, err)
		}
	}
	if !filepath.IsLocal(name) {
		return "", 0, fmt.Errorf("%s is outside of the workspace %s and was not opened", cited.Path, folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", 0, fmt.Errorf("open the workspace: %w", err)
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return "", 0, fmt.Errorf("open %s: %w; it must be a file of the workspace %s", cited.Path, err, folder)
	case !info.Mode().IsRegular():
		return "", 0, fmt.Errorf("%s is not a regular file and was not opened", cited.Path)
	}
	if line = 1; len(cited.Spans) > 0 {
		line = cited.Spans[0].First
	}
	return filepath.Join(folder, name), line, nil
}

// copyText copies a text to the system clipboard, and says how: "the system clipboard, with xclip". If there is no
// clipboard, the error says what to install. A program that hangs is ended when ctx ends.
func (c *Console) copyText(ctx context.Context, text string) (how string, err error) {
	command, err := c.clipboardCommand()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env, cmd.Stdin = c.Environ, strings.NewReader(text)
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("the system clipboard, with %s did not take the text: %w", command[0], err)
	}
	return "the system clipboard, with " + command[0], nil
}

// clipboardCommand returns the command that copies its input to the clipboard of this system.
func (c *Console) clipboardCommand() ([]string, error) {
	switch runtime.GOOS {
	case "darwin":
		return []string{"pbcopy"}, nil
	case "windows":
		return []string{"clip.exe"}, nil
	}
	for _, tool := range []struct{ variable, command string }{
		{"WAYLAND_DISPLAY", "wl-copy"},
		{"DISPLAY", "xclip -in -selection clipboard"},
		{"DISPLAY", "xsel --input --clipboard"},
		{"WSL_DISTRO_NAME", "clip.exe"},
	} {
		command := strings.Fields(tool.command)
		if _, err := exec.LookPath(command[0]); err == nil && c.Getenv(tool.variable) != "" {
			return command, nil
		}
	}
	return nil, errors.New("no system clipboard: it needs a display, and wl-clipboard, xclip or xsel")
}
