package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"

	"github.com/atotto/clipboard"
)

// copyText copies a text to the system clipboard, and says how: "the system clipboard, with xclip". If there is no
// clipboard, the error says what to install. A program that hangs is abandoned when ctx ends.
func (c *Console) copyText(ctx context.Context, text string) (how string, err error) {
	program, err := c.clipboardProgram(runtime.GOOS, exec.LookPath)
	if err != nil {
		return "", err
	}
	done := make(chan error, 1)
	go func() { done <- clipboard.WriteAll(text) }()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	with := ""
	if program != "" {
		with = ", with " + program
	}
	if err != nil {
		return "", fmt.Errorf("the system clipboard%s did not take the text: %w", with, err)
	}
	return "the system clipboard" + with, nil
}

// clipboardProgram is the program that the clipboard library will use, or "" for the system's API. Without a display,
// the programs would fail with a message on standard error that the library drops.
func (c *Console) clipboardProgram(system string, lookPath func(string) (string, error)) (string, error) {
	there := func(names ...string) bool {
		for _, name := range names {
			if _, err := lookPath(name); err != nil {
				return false
			}
		}
		return true
	}
	switch system {
	case "darwin":
		return "pbcopy", nil
	case "windows", "plan9":
		return "", nil
	}
	x := ""
	switch {
	case there("xclip"):
		x = "xclip"
	case there("xsel"):
		x = "xsel"
	}
	switch {
	case c.Getenv("WAYLAND_DISPLAY") != "" && there("wl-copy", "wl-paste"):
		return "wl-copy", nil
	case x != "" && c.Getenv("DISPLAY") != "":
		return x, nil
	case x == "" && there("termux-clipboard-set", "termux-clipboard-get"):
		return "termux-clipboard-set", nil
	case x == "" && there("clip.exe", "powershell.exe"):
		return "clip.exe", nil
	}
	return "", errors.New("no system clipboard: " + c.clipboardLack())
}

// clipboardLack says why there is no clipboard, or what to install.
func (c *Console) clipboardLack() string {
	wayland, display := c.Getenv("WAYLAND_DISPLAY") != "", c.Getenv("DISPLAY") != ""
	remote := c.Getenv("SSH_TTY") != "" || c.Getenv("SSH_CONNECTION") != ""
	switch {
	case wayland && display:
		return "install wl-clipboard, xclip or xsel"
	case wayland:
		return "install wl-clipboard"
	case display:
		return "install xclip or xsel"
	case remote:
		return "over ssh without DISPLAY or WAYLAND_DISPLAY, a program cannot reach the clipboard of your machine"
	}
	return "neither DISPLAY nor WAYLAND_DISPLAY is set"
}
