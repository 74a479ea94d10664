//go:build !unix

package tui

import "os"

// jobSignals are those of a shell's job control: there are none.
func jobSignals() []os.Signal { return nil }

func isStop(os.Signal) bool { return false }

func isContinue(os.Signal) bool { return false }

func stopGroup() {}

func stopProcess() {}

func runInBackground() {}
