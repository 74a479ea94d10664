package process

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a program with all that it starts: a job object. What a program
// starts before it is put into the job, in its first moment, is not in it.
type group struct {
	cmd   *exec.Cmd
	mutex sync.Mutex
	job   windows.Handle
}

// newGroup prepares a program that was not started yet.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
	return &group{cmd: cmd}
}

// started is called once the program runs. Where no job can be made, the program
// alone is ended later.
func (g *group) started() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, g.cmd.Process.Pid)
	}
	if err != nil {
		windows.CloseHandle(job) //nolint:errcheck // nothing is in it
		return
	}
	g.job = job
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process) //nolint:errcheck // the process has others
	return windows.AssignProcessToJobObject(job, process)
}

// terminate would ask them to end: a program without a window or a console cannot
// be asked here.
func (g *group) terminate() error { return errors.ErrUnsupported }

// kill ends all of them.
func (g *group) kill() error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.job != 0 {
		if err := windows.TerminateJobObject(g.job, 1); err == nil {
			return nil
		}
	}
	return g.cmd.Process.Kill()
}

// close ends what is left of them.
func (g *group) close() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.job != 0 {
		windows.CloseHandle(g.job) //nolint:errcheck // closing it ends what is in it
		g.job = 0
	}
}

// alive reports whether any of them runs still. That is not known here: close
// ends them at no cost.
func (g *group) alive() bool { return false }

// signalOf returns "": no signal ends a program here.
func signalOf(*os.ProcessState) string { return "" }
