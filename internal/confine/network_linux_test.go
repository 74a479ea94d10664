package confine

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if IsHelper(os.Args) {
		os.Exit(Main(os.Args))
	}
	if len(os.Args) > 1 && os.Args[1] == "sockets" {
		for _, s := range sockets() {
			_, err := unix.Socket(s.domain, s.kind, s.protocol)
			fmt.Printf("%s: %v\n", s.name, err == nil)
		}
		_, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		fmt.Printf("pair: %v\n", err == nil)
		_, _, failed := unix.Syscall(ioUringSetup, 1, 0, 0)
		fmt.Printf("ring: %v\n", failed != unix.EACCES)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type socket struct {
	name                   string
	domain, kind, protocol int
	stays                  bool
}

func sockets() []socket {
	return []socket{
		{"unix stream", unix.AF_UNIX, unix.SOCK_STREAM, 0, true},
		{"unix datagram", unix.AF_UNIX, unix.SOCK_DGRAM | unix.SOCK_CLOEXEC, 0, true},
		{"netlink", unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE, true},
		{"tcp", unix.AF_INET, unix.SOCK_STREAM, 0, false},
		{"tcp 6", unix.AF_INET6, unix.SOCK_STREAM | unix.SOCK_NONBLOCK, unix.IPPROTO_TCP, false},
		{"multipath tcp", unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP, false},
		{"udp", unix.AF_INET, unix.SOCK_DGRAM, 0, false},
		{"udp 6", unix.AF_INET6, unix.SOCK_DGRAM, 0, false},
		{"ping", unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP, false},
		{"raw", unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_RAW, false},
		{"packet", unix.AF_PACKET, unix.SOCK_RAW, 0, false},
		{"virtual machines", unix.AF_VSOCK, unix.SOCK_STREAM, 0, false},
		{"crypto", unix.AF_ALG, unix.SOCK_SEQPACKET, 0, false},
	}
}

// A confined program opens no socket of a network, and neither do its children.
func TestTheNetworkIsClosed(t *testing.T) {
	t.Parallel()
	if abi, why := Supported(); abi == 0 {
		t.Skip(why)
	}
	if _, _, known := machines(); !known {
		t.Skip(runtime.GOARCH)
	}
	for _, words := range [][]string{
		{os.Args[0], "sockets"}, {"/bin/sh", "-c", "'" + os.Args[0] + "' sockets; true"},
	} {
		report, helper, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		path, args := Wrap(Policy{Read: []string{"/"}, Write: []string{os.DevNull}}, words[0], words)
		cmd := exec.CommandContext(t.Context(), path, args...)
		cmd.ExtraFiles = []*os.File{helper}
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := helper.Close(); err != nil {
			t.Fatal(err)
		}
		done, err := ReadReport(io.Reader(report))
		if err != nil || !done.Network {
			t.Fatalf("%+v, %v", done, err)
		}
		want := ""
		for _, s := range sockets() {
			want += fmt.Sprintf("%s: %v\n", s.name, s.stays)
		}
		if want += "pair: true\nring: false\n"; string(out) != want {
			t.Errorf("%v: it opens\n%swant\n%s", words, out, want)
		}
	}
}

// decide runs a filter on one call, as the kernel does.
func decide(t *testing.T, filter []unix.SockFilter, processor, number, argument uint32) string {
	t.Helper()
	data, a := map[uint32]uint32{0: number, 4: processor, 16: argument}, uint32(0)
	for at := 0; at < len(filter); at++ {
		f := filter[at]
		jump := false
		switch f.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = data[f.K]
			continue
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			jump = a == f.K
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			jump = a >= f.K
		case unix.BPF_RET | unix.BPF_K:
			switch f.K {
			case unix.SECCOMP_RET_ALLOW:
				return "allowed"
			case unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES):
				return "denied"
			case unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS):
				return "unknown"
			}
			t.Fatalf("it ends with %x", f.K)
		default:
			t.Fatalf("it has the instruction %x", f.Code)
		}
		if jump {
			at += int(f.Jt)
		} else {
			at += int(f.Jf)
		}
	}
	t.Fatal("it does not end")
	return ""
}

// Programs of an older processor, and those that the filter does not know, find no other way.
func TestTheFilterKnowsEveryProcessor(t *testing.T) {
	t.Parallel()
	amd64, i386 := machine{unix.AUDIT_ARCH_X86_64, 41, 0}, machine{unix.AUDIT_ARCH_I386, 359, 102}
	filter := networkFilter(amd64, i386)
	for _, c := range []struct {
		name                        string
		processor, number, argument uint32
		want                        string
	}{
		{"another call", unix.AUDIT_ARCH_X86_64, 0, unix.AF_INET, "allowed"},
		{"a socket", unix.AUDIT_ARCH_X86_64, 41, unix.AF_INET, "denied"},
		{"a Unix socket", unix.AUDIT_ARCH_X86_64, 41, unix.AF_UNIX, "allowed"},
		{"no such domain", unix.AUDIT_ARCH_X86_64, 41, 0xffffffff, "denied"},
		{"a socket of x32", unix.AUDIT_ARCH_X86_64, 0x40000000 + 41, unix.AF_INET, "unknown"},
		{"a ring", unix.AUDIT_ARCH_X86_64, ioUringSetup, 1, "denied"},
		{"another call of i386", unix.AUDIT_ARCH_I386, 41, unix.AF_INET, "allowed"},
		{"a socket of i386", unix.AUDIT_ARCH_I386, 359, unix.AF_INET6, "denied"},
		{"a Unix socket of i386", unix.AUDIT_ARCH_I386, 359, unix.AF_UNIX, "allowed"},
		{"the old way of i386", unix.AUDIT_ARCH_I386, 102, 1, "denied"},
		{"a ring of i386", unix.AUDIT_ARCH_I386, ioUringSetup, 1, "denied"},
		{"an unknown processor", unix.AUDIT_ARCH_AARCH64, 41, unix.AF_UNIX, "unknown"},
	} {
		if got := decide(t, filter, c.processor, c.number, c.argument); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
	}
}
