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

// group is a program and everything it starts, in a job object. A process that the program starts before it is added
// to the job is not tracked.
type group struct {
	cmd   *exec.Cmd
	mutex sync.Mutex
	job   windows.Handle
}

// newGroup prepares a program to be started in a group.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
	return &group{cmd: cmd}
}

// started is called once the program runs. If the job cannot be created, only the program itself is killed later.
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
	defer windows.CloseHandle(process) //nolint:errcheck // the process keeps its other handles
	return windows.AssignProcessToJobObject(job, process)
}

// terminate is not supported: a program without a window or console cannot be asked to exit.
func (g *group) terminate() error { return errors.ErrUnsupported }

// kill kills all processes of the group.
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

// close kills the remaining processes.
func (g *group) close() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.job != 0 {
		windows.CloseHandle(g.job) //nolint:errcheck // closing the job kills its processes
		g.job = 0
	}
}

// alive returns false, because this is unknown here. Calling close is enough.
func (g *group) alive() bool { return false }

// signalOf returns "", because Windows has no signals.
func signalOf(*os.ProcessState) string { return "" }
