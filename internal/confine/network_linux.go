package confine

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// machine has what a filter of system calls must know of a processor: how the kernel names it, and the numbers of calls.
type machine struct {
	name, socket uint32
	// socketCall opens sockets, too, or is 0.
	socketCall uint32
}

// ioUringSetup opens a queue of calls that no filter sees. Its number is the same everywhere.
const ioUringSetup = 425

// machines returns the processor that this program runs on and the older one whose programs it also runs. known is
// false if the filter has no numbers for them.
func machines() (native, older machine, known bool) {
	switch runtime.GOARCH {
	case "amd64":
		return machine{unix.AUDIT_ARCH_X86_64, 41, 0}, machine{unix.AUDIT_ARCH_I386, 359, 102}, true
	case "arm64":
		return machine{unix.AUDIT_ARCH_AARCH64, 198, 0}, machine{unix.AUDIT_ARCH_ARM, 281, 0}, true
	}
	return native, older, false
}

// closeNetwork keeps the current thread, and what it becomes, from opening sockets other than Unix ones and those that
// talk to the kernel: no TCP in any of its forms, no UDP, nothing raw. Landlock checks only where a TCP socket connects
// and binds. The thread must have given up gaining privileges, which Landlock needs as well.
func closeNetwork() error {
	native, older, known := machines()
	if !known {
		return fmt.Errorf("the system calls of %s are not known", runtime.GOARCH)
	}
	filter := networkFilter(native, older)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]} //nolint:gosec // some dozens
	_, _, failed := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0,
		uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if failed != 0 {
		return fmt.Errorf("filter system calls: %w", failed)
	}
	return nil
}

// networkFilter is a program of the kernel's packet filter that decides on each system call. It reads the number of the
// call, the processor and the first argument at their places in struct seccomp_data.
func networkFilter(native, older machine) []unix.SockFilter {
	const (
		number, processor, argument = 0, 4, 16
		x32                         = 0x40000000 // what a third kind of programs adds to numbers on amd64
		allow                       = unix.SECCOMP_RET_ALLOW
		denied                      = unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)
		unknown                     = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	end := func(result uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: result}
	}
	// when ends with a result if the value that was loaded compares so with k.
	when := func(comparison uint16, k, result uint32) []unix.SockFilter {
		return []unix.SockFilter{{Code: unix.BPF_JMP | comparison | unix.BPF_K, Jf: 1, K: k}, end(result)}
	}
	// unless ends with a result if it is not k.
	unless := func(k, result uint32) []unix.SockFilter {
		return []unix.SockFilter{{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: k}, end(result)}
	}
	calls := func(m machine) (list []unix.SockFilter) {
		list = append(list, load(number))
		list = append(list, when(unix.BPF_JGE, x32, unknown)...)
		list = append(list, when(unix.BPF_JEQ, ioUringSetup, denied)...)
		if m.socketCall != 0 {
			list = append(list, when(unix.BPF_JEQ, m.socketCall, denied)...)
		}
		list = append(list, unless(m.socket, allow)...)
		list = append(list, load(argument))
		list = append(list, when(unix.BPF_JEQ, unix.AF_UNIX, allow)...)
		list = append(list, when(unix.BPF_JEQ, unix.AF_NETLINK, allow)...)
		return append(list, end(denied))
	}
	own, other := calls(native), calls(older)
	list := []unix.SockFilter{
		load(processor),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: uint8(len(own)), K: native.name}, //nolint:gosec // a few
	}
	list = append(list, own...)
	list = append(list, unless(older.name, unknown)...)
	return append(list, other...)
}
