package group

import (
	"errors"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Processes is a program with all that it starts: a job object. What a program
// starts before it is put into the job, in its first moment, is not in it.
type Processes struct {
	cmd   *exec.Cmd
	mutex sync.Mutex
	job   windows.Handle
}

// New prepares a program that was not started yet.
func New(cmd *exec.Cmd) *Processes {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
	return &Processes{cmd: cmd}
}

// Started is called once the program runs. Where no job can be made, the program
// alone is ended later.
func (p *Processes) Started() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
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
		err = assign(job, p.cmd.Process.Pid)
	}
	if err != nil {
		windows.CloseHandle(job) //nolint:errcheck // nothing is in it
		return
	}
	p.job = job
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process) //nolint:errcheck // the process has others
	return windows.AssignProcessToJobObject(job, process)
}

// Terminate would ask them to end: a program without a window or a console cannot
// be asked here.
func (p *Processes) Terminate() error { return errors.ErrUnsupported }

// Kill ends all of them.
func (p *Processes) Kill() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.job != 0 {
		if err := windows.TerminateJobObject(p.job, 1); err == nil {
			return nil
		}
	}
	return p.cmd.Process.Kill()
}

// Close ends what is left of them. Whether there was any is not known.
func (p *Processes) Close() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.job != 0 {
		windows.CloseHandle(p.job) //nolint:errcheck // closing it ends what is in it
		p.job = 0
	}
	return false
}

// Alive reports whether any of them runs still. That is not known here: Close
// ends them at no cost.
func (p *Processes) Alive() bool { return false }
