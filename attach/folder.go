package attach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

const extension = ".sock"

// Folders returns the folders for sockets. A host uses the first that works. There are several because coding agents
// start programs without XDG_RUNTIME_DIR. If moot's state folder was moved, the sockets move with it.
func Folders(state string) []string {
	if state != "" {
		return []string{filepath.Join(state, "run")}
	}
	if runtime.GOOS == "windows" {
		// The other one is the folder of the sessions there, which more than the user may open.
		return []string{filepath.Join(xdg.CacheHome, "moot", "run")}
	}
	return []string{filepath.Join(xdg.RuntimeDir, "moot"), filepath.Join(xdg.CacheHome, "moot", "run")}
}

// Running is a session that listens.
type Running struct{ ID, Path string }

// answerTime is how long a host may take to accept a connection.
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
			id, found := strings.CutSuffix(e.Name(), extension)
			if path := filepath.Join(folder, e.Name()); found && !dead(ctx, path) {
				list = append(list, Running{ID: id, Path: path})
			}
		}
	}
	slices.SortFunc(list, func(a, b Running) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}

// dead reports whether the process that listened on a socket has ended.
func dead(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	conn, err := connect(ctx, path)
	if err == nil {
		_ = conn.Close()
	}
	return errors.Is(err, errDead)
}
