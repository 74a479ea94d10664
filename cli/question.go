package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// maxQuestion bounds a question, in bytes: it goes into every prompt, whole.
const maxQuestion = 32 << 10

// readQuestion returns the question: as typed, from @FILE, or from standard
// input for -.
func readQuestion(c *Console, typed string) (string, error) {
	text, from := typed, "the question"
	switch {
	case typed == "-":
		from = "standard input"
		if c.InTerminal {
			c.Say("reading the question from standard input; end it with ctrl-d")
		}
		read, err := io.ReadAll(io.LimitReader(c.In, maxQuestion+1))
		if err != nil {
			return "", fmt.Errorf("read the question from standard input: %w", err)
		}
		text = string(read)
	case strings.HasPrefix(typed, "@"):
		from = typed[1:]
		if from == "" {
			return "", usage("@ needs the name of the file that holds the question: moot ask @question.md")
		}
		read, err := readFile(c, from, maxQuestion+1)
		if err != nil {
			return "", err
		}
		text = string(read)
	}
	return checkQuestion(text, from)
}

// checkQuestion returns a question without the space around it, and refuses what
// is none; from says where it was given.
func checkQuestion(text, from string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", usage("%s is empty: nothing was asked; type: moot ask \"Is the cache safe under load?\"", from)
	case len(text) > maxQuestion:
		return "", usage("%s is longer than %d bytes: ask a shorter question and give the rest with --context FILE", from, maxQuestion)
	case !utf8.ValidString(text):
		return "", usage("%s is no UTF-8 text", from)
	}
	return text, nil
}

// readFile reads at most limit bytes of a file that the user named.
func readFile(c *Console, name string, limit int64) ([]byte, error) {
	file, err := openNamed(c, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read, err := io.ReadAll(io.LimitReader(file, limit))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w; nothing was opened", name, err)
	}
	return read, nil
}

// openNamed opens a regular file, relative to the current folder.
func openNamed(c *Console, name string) (*os.File, error) {
	path := c.path(name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage("there is no file %s; no session was opened", name)
	case err != nil:
		return nil, fmt.Errorf("look at %s: %w; no session was opened", name, err)
	case info.IsDir():
		return nil, usage("%s is a folder; name its files, or make it the workspace: --workspace %s", name, name)
	case !info.Mode().IsRegular():
		return nil, usage("%s is no regular file", name)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w; no session was opened", name, err)
	}
	return file, nil
}

// path is a name that the user typed, from the current folder.
func (c *Console) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(c.Dir, name)
}
