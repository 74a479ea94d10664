package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"moot/config"
	"moot/protocol"
)

func newConfig(c *Console) *cobra.Command {
	return parent("config",
		command("check", cobra.ExactArgs(0), func([]string) error { return checkConfig(c) }),
		command("edit", cobra.ExactArgs(0), func([]string) error { return editConfig(c) }),
		command("path", cobra.ExactArgs(0), func([]string) error {
			path, _ := configPath(c)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				c.Say("note       there is no such file, so the defaults are used; moot config edit writes one")
			}
			return c.Print(path + "\n")
		}))
}

// writeTemplate writes a configuration that sets nothing. The error is fs.ErrExist if the file exists.
func writeTemplate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the configuration: %w; nothing was written", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("create the configuration: %w; nothing was written", err)
	}
	_, err = file.WriteString(config.Template())
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write the configuration: %w; %s may be incomplete", err, path)
	}
	return nil
}

// editConfig runs the editor, and checks the configuration afterwards.
func editConfig(c *Console) error {
	path, _ := configPath(c)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := writeTemplate(path); err != nil {
			return err
		}
		c.Say("wrote      %s", path)
	}
	cmd, err := editorCommand(c, path, 0)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.In, c.Out, c.Err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s: %w; %s is as the editor left it", cmd.Path, err, path)
	}
	return checkConfig(c)
}

func checkConfig(c *Console) error {
	d := c.readDefaults()
	problems := d.allProblems(c)
	for _, p := range config.Few(problems) {
		c.Say("problem    %s", p)
	}
	if len(config.Deciding(problems)) > 0 {
		c.Say("note       fix the participants and limits before asking a question")
	}
	if len(problems) > 0 {
		return leaveWith(protocol.ExitFound)
	}
	c.Say("checked    %s: no problems", d.path)
	if _, err := os.Stat(d.path); errors.Is(err, fs.ErrNotExist) {
		c.Say("note       there is no such file, so the defaults are used; moot config edit writes one")
	}
	return nil
}
