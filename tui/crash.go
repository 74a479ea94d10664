package tui

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"moot/protocol"
)

// crash is a panic that was caught: what and where. The first one counts.
type crash struct {
	mutex sync.Mutex
	value any
	stack []byte
}

// catch notes a panic; to be deferred. It reports through then that there was
// one.
func (c *crash) catch(then func()) {
	if v := recover(); v != nil {
		c.note(v, debug.Stack())
		then()
	}
}

func (c *crash) note(value any, stack []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.value == nil {
		c.value, c.stack = value, stack
	}
}

// happened reports whether a panic was caught.
func (c *crash) happened() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.value != nil
}

// CrashError says that moot itself failed. The session on disk is whole: what
// was shown was written before.
type CrashError struct {
	// Value is what the panic said, Report the file that tells more, or "".
	Value  any
	Report string
	// Resume is the command that goes on, or "".
	Resume string
}

// Error says what happened, what was kept and what to do.
func (e *CrashError) Error() string {
	text := fmt.Sprintf("moot failed: %v; the session is saved", e.Value)
	if e.Report != "" {
		text += "; a report is in " + e.Report
	}
	if e.Resume != "" {
		text += "; go on with: " + e.Resume
	}
	return text
}

// report writes the crash to a file and returns the error that names it.
func (c *crash) report(o *Options, of *Opened) *CrashError {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	failure := &CrashError{Value: c.value, Resume: of.ResumeCommand}
	text := fmt.Sprintf("moot failed at %s\nsession %s\n\n%v\n\n%s", o.Now().Format("2006-01-02 15:04:05 -0700"), of.State.ID, c.value, c.stack)
	if of.ReportPath == "" || os.WriteFile(of.ReportPath, []byte(text), 0o600) != nil {
		failure.Report = writeAnywhere(text)
		return failure
	}
	failure.Report = of.ReportPath
	return failure
}

// writeAnywhere writes a report where the session has no place for it, and
// returns where, or "".
func writeAnywhere(text string) string {
	file, err := os.CreateTemp("", "moot-crash-*.txt")
	if err != nil {
		return ""
	}
	_, err = file.WriteString(text)
	if closed := file.Close(); err != nil || closed != nil {
		return ""
	}
	return file.Name()
}

// noteError notes a panic that the session caught itself.
func (c *crash) noteError(err error) {
	var panicked *protocol.PanicError
	if errors.As(err, &panicked) {
		c.note(panicked.Value, panicked.Stack)
	}
}
