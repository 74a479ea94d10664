//go:build !unix

package tui

import (
	"io"
	"os"
)

// There is no job control.

func jobSignals() []os.Signal { return nil }

func isStop(os.Signal) bool { return false }

func isContinue(os.Signal) bool { return false }

func withoutShell() bool { return false }

func inBackground(io.Reader) bool { return false }

func stopGroup() {}

func stopProcess() {}

func runInBackground() {}
