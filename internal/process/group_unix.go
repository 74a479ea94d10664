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

// group is a program with all that it starts, in a session of its own, and so a process
// group without a terminal: what asks for a password there finds none, and is not stopped
// for having asked. What leaves the group on purpose is not followed.
type group struct{ cmd *exec.Cmd }

// newGroup prepares a program that was not started yet.
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

// close ends what is left of them. The number of the group is not given to another
// while one of it lives.
func (g *group) close() { _ = g.kill() } // An error says that there is nothing left.

// alive reports whether any of them runs still. One that has ended and that no
// parent asks for, as in a container without an init, does not count.
func (g *group) alive() bool {
	err := g.send(0)
	return err == nil && !onlyZombies(g.cmd.Process.Pid)
}

// onlyZombies reports whether all of a group have ended, where the system tells
// (Linux).
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
		// "pid (name) state parent group …"; the name may hold anything.
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

// signalOf names the signal that ended a program, or returns "".
func signalOf(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}
