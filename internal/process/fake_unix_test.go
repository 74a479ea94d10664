//go:build unix

package process_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is the program that is run: with part in its environment it plays
// that part instead of running tests.
const partVariable = "MOOT_TEST_PART"

func TestMain(m *testing.M) {
	if part := os.Getenv(partVariable); part != "" {
		os.Exit(play(part, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// long is longer than any test lasts: what is still there then has failed to end it.
const long = time.Minute

// grains is how many single bytes a program writes.
const grains = 100_000

// play plays one program.
func play(part string, arguments []string) int {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch part {
	case "echo": // says what it read
		io.Copy(out, os.Stdin)
	case "arguments":
		fmt.Fprintf(out, "%q\n", arguments)
	case "fail":
		fmt.Fprintln(os.Stderr, "cannot: no login")
		return 3
	case "silent": // reads all, and never says a word
		io.Copy(io.Discard, os.Stdin)
		<-time.After(long)
	case "deaf": // reads nothing, ever
		fmt.Fprintln(out, "ready")
		out.Flush()
		<-time.After(long)
	case "inattentive": // reads nothing and ends well
		fmt.Fprintln(out, "done")
	case "chatter": // never ends, and is never silent
		for range time.Tick(time.Millisecond) {
			fmt.Fprintln(out, "still here")
			if out.Flush() != nil {
				return 1
			}
		}
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
		fmt.Fprintln(out, "ready")
		out.Flush()
		<-time.After(long)
	case "polite": // says that it was asked to end
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		fmt.Fprintln(out, "ready")
		out.Flush()
		<-asked
		fmt.Fprintln(os.Stderr, "was asked")
		return 5
	case "leave", "leave-stubborn", "leave-silent", "leave-deserter", "stubborn-parent":
		return playParent(part)
	case "child":
		<-time.After(long)
	case "child-stubborn":
		signal.Ignore(syscall.SIGTERM)
		// Its parent tells first who it is.
		io.Copy(io.Discard, os.Stdin)
		os.Stdout.WriteString("up\n")
		<-time.After(long)
	case "lines": // what is on standard input, slowly, line by line
		for line := range strings.Lines(arguments[0]) {
			io.WriteString(os.Stdout, line)
		}
	case "flood":
		io.Copy(out, io.LimitReader(zeros('a', '\n'), 5<<20))
	case "endless-line":
		io.Copy(out, io.LimitReader(zeros('a', 'a'), 5<<20))
	case "grains": // so many writes of a byte
		for range grains {
			os.Stdout.WriteString("x")
		}
	case "noise":
		io.Copy(os.Stderr, io.LimitReader(zeros('e', '\n'), 3<<20))
		fmt.Fprintln(os.Stderr, "the end")
	case "environment":
		fmt.Fprintln(out, strings.Join(os.Environ(), "\n"))
	case "session":
		return playSession(out)
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		<-time.After(long)
	}
	return 0
}

// playParent starts a child that outlives it, unless somebody ends it.
func playParent(part string) int {
	mode := "child"
	if part == "leave-stubborn" || part == "stubborn-parent" {
		mode = "child-stubborn"
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), partVariable+"="+mode)
	if part != "leave-silent" {
		child.Stdout = os.Stdout
	}
	if part == "leave-deserter" {
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	told, err := child.StdinPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		return 1
	}
	fmt.Println("child", child.Process.Pid)
	told.Close()
	if part == "stubborn-parent" {
		signal.Ignore(syscall.SIGTERM)
		<-time.After(long)
	}
	return 0
}

// playSession answers each line it reads, until it reads "leave".
func playSession(out *bufio.Writer) int {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 4<<20)
	for in.Scan() {
		switch word := in.Text(); word {
		case "leave":
			return 7
		case "hang":
			<-time.After(long)
		default:
			fmt.Fprintf(out, "heard %d bytes\nand that is all\n.\n", len(word))
			out.Flush()
		}
	}
	return 0
}

// zeros is an endless stream of one byte, with another every 64 bytes.
func zeros(fill, every byte) io.Reader {
	return &pattern{line: append(bytes.Repeat([]byte{fill}, 63), every)}
}

type pattern struct {
	line []byte
	at   int
}

func (p *pattern) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = p.line[p.at%len(p.line)]
		p.at++
	}
	return len(into), nil
}
