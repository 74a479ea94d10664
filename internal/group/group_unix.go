//go:build unix

package group

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// Processes is a program with all that it starts. What leaves the group on
// purpose is not followed.
type Processes struct{ cmd *exec.Cmd }

// New prepares a program that was not started yet.
func New(cmd *exec.Cmd) *Processes {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return &Processes{cmd: cmd}
}

// Started is called once the program runs.
func (p *Processes) Started() {}

// Terminate sends SIGTERM to the group. If no process is left, it returns os.ErrProcessDone.
func (p *Processes) Terminate() error { return p.send(syscall.SIGTERM) }

// Kill sends SIGKILL to the group. If no process is left, it returns os.ErrProcessDone.
func (p *Processes) Kill() error { return p.send(syscall.SIGKILL) }

func (p *Processes) send(signal syscall.Signal) error {
	err := syscall.Kill(-p.cmd.Process.Pid, signal)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// Close ends what is left of them, and reports whether there was any. The number
// of the group is not given to another while one of it lives.
func (p *Processes) Close() bool { return p.Kill() == nil }

// Alive reports whether any of them runs still. One that has ended and that no
// parent asks for, as in a container without an init, does not count.
func (p *Processes) Alive() bool {
	err := p.send(0)
	return err == nil && !onlyZombies(p.cmd.Process.Pid)
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
