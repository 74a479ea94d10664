package attach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"
)

const extension = ".sock"

// Folders returns the folders of the sockets. A host uses the first one that it can. There are
// several because coding agents start programs without XDG_RUNTIME_DIR. If moot's state is
// elsewhere, so are its sockets.
func Folders(state string) []string {
	if state != "" {
		return []string{filepath.Join(state, "run")}
	}
	return []string{filepath.Join(xdg.RuntimeDir, "moot"), filepath.Join(xdg.CacheHome, "moot", "run")}
}

// Running is a session that listens.
type Running struct {
	Path string
	Hello
	// Err says why it gave no answer.
	Err error
}

// answerTime is how long a host may take to say hello.
const answerTime = 2 * time.Second

// List returns the sessions that run, the oldest first. It removes the sockets of dead processes.
func List(ctx context.Context, folders []string) ([]Running, error) {
	var list []Running
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = checkFolder(folder)
		}
		if err != nil {
			return nil, fmt.Errorf("look for running sessions: %w", err)
		}
		for _, e := range entries {
			if id, found := strings.CutSuffix(e.Name(), extension); found {
				list = append(list, Running{Path: filepath.Join(folder, e.Name()), Hello: Hello{ID: id}})
			}
		}
	}
	var group sync.WaitGroup
	for i := range list {
		group.Go(func() {
			r := &list[i]
			ctx, cancel := context.WithTimeout(ctx, answerTime)
			defer cancel()
			c, err := dial(ctx, r.Path, Ask)
			if err != nil {
				r.Err = err
				return
			}
			defer c.conn.Close()
			r.Hello = c.Hello
		})
	}
	group.Wait()
	list = slices.DeleteFunc(list, func(r Running) bool { return errors.Is(r.Err, errDead) })
	slices.SortFunc(list, func(a, b Running) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}
