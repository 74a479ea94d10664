package confine

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// newestABI is the newest version whose rules are known here: later kernels apply these.
const newestABI = 11

// Supported returns the version of Landlock that the kernel offers, and 0 with the reason if it has none.
func Supported() (abi int, why string) {
	abi, err := landlocksys.LandlockGetABIVersion()
	if err != nil || abi <= 0 {
		return 0, "the kernel has no Landlock, or it is switched off"
	}
	return min(abi, newestABI), ""
}

// Main is the helper: it confines the process and becomes the program. It returns an exit code if it can't, and then
// has reported why.
func Main(args []string) int {
	const reportFile = 3
	syscall.CloseOnExec(reportFile)
	out := os.NewFile(reportFile, "report")
	report := func(kind, text string) int {
		_, _ = fmt.Fprintf(out, "%s%.500s\n", kind, text) // If moot has ended, nobody reads it.
		return 1
	}
	var policy Policy
	if err := json.Unmarshal([]byte(args[2]), &policy); err != nil {
		return report(reportFailed, err.Error())
	}
	abi, why := Supported()
	if abi == 0 {
		return report(reportFailed, why)
	}
	runtime.LockOSThread() // The bounding set and the filter belong to the thread that becomes the program.
	dropCapabilities()
	if err := landlock.V11.BestEffort().Restrict(rules(policy, abi)...); err != nil {
		return report(reportFailed, err.Error())
	}
	if err := closeNetwork(); err == nil {
		report(reportNetwork, "closed")
	}
	report(reportABI, strconv.Itoa(abi))
	err := syscall.Exec(args[3], args[4:], os.Environ()) //nolint:gosec // what this helper is for
	return report(reportExec, err.Error())
}

// dropCapabilities takes from root what passes by Landlock, such as reading the memory of other processes, and leaves
// what files need. A user without privileges has nothing to drop.
func dropCapabilities() {
	keep := []uintptr{
		unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETGID,
		unix.CAP_SETUID,
	}
	for capability := range uintptr(64) {
		if !slices.Contains(keep, capability) {
			_ = unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0) // Not permitted, or unknown to this kernel.
		}
	}
}

// rules are the rules of a policy. No rule opens a port, so TCP is closed from ABI 4 on.
func rules(policy Policy, abi int) []landlock.Rule {
	var list []landlock.Rule
	add := func(paths []string, folder, file func(...string) landlock.FSRule) {
		for _, path := range paths {
			info, err := os.Stat(path)
			switch {
			case err != nil:
			case info.IsDir():
				list = append(list, folder(path).IgnoreIfMissing())
			default:
				list = append(list, file(path).IgnoreIfMissing())
			}
		}
	}
	add(policy.Read, landlock.RODirs, landlock.ROFiles)
	change := landlock.RWDirs
	if abi >= 2 {
		// The first version cannot allow that a file moves to another folder: for a rule that asks for it, the library
		// would confine nothing at all.
		change = func(paths ...string) landlock.FSRule { return landlock.RWDirs(paths...).WithRefer() }
	}
	add(policy.Write, change, landlock.RWFiles)
	return list
}
