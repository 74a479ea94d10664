package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/zalando/go-keyring"

	"moot/agent/doctor"
	"moot/internal/plain"
	"moot/state/store"
)

// mootTasks look at moot itself: the program, the configuration, and where sessions
// are kept.
func (c *Console) mootTasks(h *holding) []doctor.Task {
	one := func(name string, look func() doctor.Check) doctor.Task {
		return doctor.Task{Part: doctor.PartMoot, Name: name, Configured: true, Run: func(context.Context) []doctor.Check {
			check := look()
			check.Part, check.Name, check.Configured = doctor.PartMoot, name, true
			return []doctor.Check{check}
		}}
	}
	return []doctor.Task{
		one("version", func() doctor.Check {
			return doctor.Check{Word: doctor.OK, Version: version(), Found: fmt.Sprintf("%s, built with %s for %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)}
		}),
		one("rules", func() doctor.Check {
			return doctor.Check{Word: doctor.OK, Participants: []string{rulesName}, Found: "built in: they search, quote and check without a model"}
		}),
		one("configuration", func() doctor.Check { return c.configCheck(h) }),
		one("sessions", c.stateCheck),
		{Part: doctor.PartMoot, Name: "keyring", Run: func(context.Context) []doctor.Check { return []doctor.Check{c.keyringCheck()} }},
	}
}

// configCheck tells what is wrong in the configuration.
func (c *Console) configCheck(h *holding) doctor.Check {
	switch problems := h.all(c); {
	case len(problems) > 0:
		said := problems[0].String()
		if more := len(problems) - 1; more > 0 {
			said += fmt.Sprintf("; and %s more", plain.Counted(more, "problem"))
		}
		return doctor.Check{Word: doctor.Broken, Found: plain.Clip(plain.Line(said), mostTold), Fix: "moot config edit"}
	case !h.there:
		return doctor.Check{Word: doctor.OK, Found: "none at " + h.path + ": the defaults hold"}
	}
	return doctor.Check{Word: doctor.OK, Found: h.path}
}

// mostTold bounds what is told of one problem, in characters.
const mostTold = 240

// stateCheck looks at the folder of the sessions, and writes nothing into it.
func (c *Console) stateCheck() doctor.Check {
	dir, err := store.Dir()
	if err != nil {
		return doctor.Check{Word: doctor.Broken, Found: problemOf(err)}
	}
	fix := "export " + store.StateVariable + "=DIR"
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return doctor.Check{Word: doctor.Broken, Found: fmt.Sprintf("%s cannot be read: %s", dir, problemOf(err)), Fix: fix}
	}
	sessions := 0
	for _, e := range entries {
		name, isSession := strings.CutSuffix(e.Name(), ".jsonl")
		if isSession && store.CheckID(name) == nil {
			sessions++
		}
	}
	at := dir
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(at) != at {
		at = filepath.Dir(at)
		_, err = os.Stat(at)
	}
	if err := mayWrite(at); err != nil {
		return doctor.Check{Word: doctor.Broken, Found: fmt.Sprintf("%s cannot be written: %s", at, problemOf(err)), Fix: fix}
	}
	return doctor.Check{Word: doctor.OK, Found: fmt.Sprintf("%s in %s", plain.Counted(sessions, "session"), dir)}
}

// keyringLook is how long the keyring may take to say that it has nothing under a
// name.
const keyringLook = time.Second

// keyringCheck says whether keys can be kept in a keyring. It asks for an entry that
// nobody makes, which unlocks nothing.
func (c *Console) keyringCheck() doctor.Check {
	check := doctor.Check{Part: doctor.PartMoot, Name: "keyring", Word: doctor.OK, Found: "it answers: keys can be kept there"}
	_, err := c.keep(c.checkTime(keyringLook), func(ring Keyring) (string, error) { return ring.Get(keyService, "MOOT_DOCTOR") })
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		check.Word, check.Found = doctor.Missing, plain.Clip(plain.Line(err.Error()), mostTold)
	}
	return check
}

// mayWrite says why files cannot be made in a folder: one is made, and removed.
func mayWrite(dir string) error {
	file, err := os.CreateTemp(dir, ".moot-*")
	if err != nil {
		return err
	}
	name := file.Name()
	if err := file.Close(); err != nil {
		return err
	}
	return os.Remove(name)
}
