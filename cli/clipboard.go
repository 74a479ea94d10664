package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// copyText copies a text to the system clipboard, and says how: "the system clipboard, with xclip". If there is no
// clipboard, the error says what to install. A program that hangs is ended when ctx ends.
func (c *Console) copyText(ctx context.Context, text string) (how string, err error) {
	command, err := c.clipboardCommand(runtime.GOOS, exec.LookPath)
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

// clipboardCommand returns the command that copies its input to the clipboard of an operating system.
func (c *Console) clipboardCommand(system string, lookPath func(string) (string, error)) ([]string, error) {
	switch system {
	case "darwin":
		return []string{"pbcopy"}, nil
	case "windows":
		return []string{"clip.exe"}, nil
	}
	for _, tool := range []struct{ variable, command string }{
		{"WAYLAND_DISPLAY", "wl-copy"},
		{"DISPLAY", "xclip -in -selection clipboard"},
		{"DISPLAY", "xsel --input --clipboard"},
		{"", "termux-clipboard-set"},
		{"", "clip.exe"},
	} {
		command := strings.Fields(tool.command)
		if tool.variable != "" && c.Getenv(tool.variable) == "" {
			continue
		}
		if _, err := lookPath(command[0]); err == nil {
			return command, nil
		}
	}
	return nil, errors.New("no system clipboard: it needs a display, and wl-clipboard, xclip or xsel")
}
