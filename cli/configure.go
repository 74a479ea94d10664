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

	"moot/config"
)

func newConfig(c *Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config COMMAND",
		Short: "Show, write and change the configuration",
		Long: "Show, write and change the configuration: who takes a seat where nobody is named,\n" +
			"participants of your own, prices, limits, and how the screen looks. Flags go before the\n" +
			"environment, and the environment before the file. docs/configuration.md has all of it.",
		Example: "  moot config show\n  moot config init\n  moot config edit\n  moot config path",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchCommand(cmd, args[0])
			}
			return usage("the command is missing: show, edit, path or init; %s --help says more", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newConfigShow(c), newConfigEdit(c), newConfigPath(c), newConfigInit(c))
	for _, below := range cmd.Commands() {
		below.DisableFlagsInUseLine = true
	}
	return cmd
}

func newConfigPath(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:     "path",
		Short:   "Print where the configuration is",
		Long:    "Print where the configuration is, whether it exists or not: " + ConfigVariable + " names it, else it is\nconfig.toml in the folder moot of your configuration folder.",
		Example: "  moot config path",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			path, _, err := configPath(c)
			if err != nil {
				return err
			}
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				c.Say("note       there is no such file yet: the defaults hold; moot config init writes one")
			}
			return c.Print(path + "\n")
		},
	}
}

func newConfigInit(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a configuration to begin with",
		Long: "Write a configuration to begin with: all that it can say, each line a comment, so that\n" +
			"nothing changes until you take a # away. A file that is there is left as it is.",
		Example: "  moot config init",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			path, _, err := configPath(c)
			if err != nil {
				return err
			}
			err = writeTemplate(path)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s is there already, and was left as it is: change it with moot config edit, or move it away first", path)
			}
			if err != nil {
				return err
			}
			c.Say("written    %s; change it with moot config edit", path)
			return nil
		},
	}
}

// writeTemplate makes a configuration that says nothing yet, for its owner alone.
// An error that is fs.ErrExist says that there is one.
func writeTemplate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the configuration: %w; nothing was written", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make the configuration: %w; nothing was written", err)
	}
	_, err = file.WriteString(config.Template())
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write the configuration: %w; what is in %s may be cut off", err, path)
	}
	return nil
}

func newConfigEdit(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:   "edit",
		Short: "Change the configuration in your editor",
		Long: "Open the configuration in $VISUAL, or $EDITOR, and check it afterwards: what is wrong is told\n" +
			"with its line. Where there is none, one is made first, as moot config init makes it.",
		Example: "  moot config edit\n  EDITOR=nano moot config edit",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return editConfig(c) },
	}
}

// editConfig lets the person change the file until it holds, or they leave it.
func editConfig(c *Console) error {
	path, _, err := configPath(c)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := writeTemplate(path); err != nil {
			return err
		}
		c.Say("written    %s", path)
	}
	for line := 0; ; {
		cmd, err := editorCommand(c, path, line)
		if err != nil {
			return err
		}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = c.In, c.Out, c.Err
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("the editor %s: %w; %s is as the editor left it", cmd.Path, err, path)
		}
		h, err := c.holds()
		if err != nil {
			return err
		}
		problems := h.all(c)
		if len(problems) == 0 {
			c.Say("checked    %s: no problems; moot config show says what holds", path)
			return nil
		}
		tellProblems(c, problems)
		line = problems[0].Line
		if again, err := c.editAgain(); err != nil || !again {
			return errors.Join(err, leaveWith(ExitFound))
		}
	}
}

// tellProblems says what is wrong with a configuration, and what that means.
func tellProblems(c *Console, problems []config.Problem) {
	for _, p := range config.Few(problems) {
		c.Say("problem    %s", p)
	}
	if len(config.Deciding(problems)) > 0 {
		c.Say("note       nobody is asked before it is mended where it says who is asked")
	}
}

// editAgain asks whether the person wants to mend the file. Where nobody sits, that
// is no.
func (c *Console) editAgain() (bool, error) {
	if !c.InTerminal {
		return false, nil
	}
	c.Say("choose     1) edit it again  2) leave it as it is (enter takes 1)")
	line, err := c.readLine()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	answer := strings.TrimSpace(line)
	return answer == "" || answer == "1", err
}
