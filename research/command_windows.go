package research

import (
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// processGroup is a command with all that it starts: a job object. What a command
// starts before it is put into the job, in its first moment, is not in it.
type processGroup struct {
	mutex sync.Mutex
	job   windows.Handle
}

// prepare is called before the command starts.
func (g *processGroup) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
	cmd.Cancel = func() error {
		g.mutex.Lock()
		defer g.mutex.Unlock()
		if g.job != 0 {
			if err := windows.TerminateJobObject(g.job, 1); err == nil {
				return nil
			}
		}
		return cmd.Process.Kill()
	}
}

// started is called once it runs. Where no job can be made, the command alone is
// ended later.
func (g *processGroup) started(cmd *exec.Cmd) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, cmd.Process.Pid)
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

// end ends what the command left running. Whether there was any is not known.
func (g *processGroup) end(*exec.Cmd) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.job != 0 {
		windows.CloseHandle(g.job) //nolint:errcheck // closing it ends what is in it
		g.job = 0
	}
	return false
}
