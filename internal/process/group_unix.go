//go:build unix

package process

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is a program and everything it starts, in its own session. It has no terminal, so a password prompt fails at
// once instead of stopping the process. A process that leaves the group on purpose is not tracked.
type group struct{ cmd *exec.Cmd }

// newGroup prepares a program to be started in a group.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return &group{cmd: cmd}
}

// started is called once the program runs.
func (g *group) started() {}

// terminate sends SIGTERM to the group. If no process is left, it returns os.ErrProcessDone.
func (g *group) terminate() error { return g.send(syscall.SIGTERM) }

// kill sends SIGKILL to the group. If no process is left, it returns os.ErrProcessDone.
func (g *group) kill() error { return g.send(syscall.SIGKILL) }

func (g *group) send(signal syscall.Signal) error {
	err := syscall.Kill(-g.cmd.Process.Pid, signal)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// close kills the remaining processes. The group's id is not reused while one of them exists.
func (g *group) close() { _ = g.kill() } // an error means that none is left

// alive reports whether a process of the group is still running. Zombies do not count: in a container without an
// init, no parent reaps them.
func (g *group) alive() bool {
	err := g.send(0)
	return err == nil && !onlyZombies(g.cmd.Process.Pid)
}

// onlyZombies reports whether all processes of a group are zombies (Linux only).
func onlyZombies(group int) bool {
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(found) == 0 {
		return false
	}
	seen := false
	for _, name := range found {
		content, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// The format is "pid (name) state parent group …", and the name may contain anything.
		fields := bytes.Fields(content[bytes.LastIndexByte(content, ')')+1:])
		if len(fields) < 3 || string(fields[2]) != strconv.Itoa(group) {
			continue
		}
		if state := fields[0][0]; state != 'Z' && state != 'X' {
			return false
		}
		seen = true
	}
	return seen
}

// signalOf returns the name of the signal that ended a program, or "".
func signalOf(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}
