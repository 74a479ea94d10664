package cli

import (
	"path/filepath"

	"github.com/adrg/xdg"

	"moot/agent"
	"moot/agent/program"
)

// programFolder is where the person's own adapters are: the folder programs beside
// the configuration.
func programFolder(c *Console) (string, error) {
	path, _, err := configPath(c)
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(path), "programs"), nil
}

// agentPrograms are the agent programs that may be named: those that are built in,
// and the person's own. They are read once; what is wrong with a file is said then.
func (c *Console) agentPrograms() []program.Adapter {
	c.programsOnce.Do(func() {
		folder, err := programFolder(c)
		if err != nil {
			c.Say("moot: %s; agent programs of your own are left out", err)
		}
		known, problems := program.Known(folder)
		for _, p := range problems {
			c.Say("moot: %s", p)
		}
		if len(problems) > 0 {
			c.Say("moot: what is wrong there is left out; docs/programs.md explains these files")
		}
		for i := range known {
			if known[i].Replaces {
				c.Say("note       %s is spoken to as %s says, in place of what moot is built with", known[i].Name, known[i].File)
			}
		}
		c.adapters = known
	})
	return c.adapters
}

// forPrograms adds what agent programs are made with.
func (c *Console) forPrograms(deps *agent.Deps) {
	deps.Environ, deps.Programs = c.Environ, c.agentPrograms()
	deps.Alone = filepath.Join(xdg.CacheHome, "moot", "alone")
}
