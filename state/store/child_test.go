package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"testing"

	"moot/state/store"
)

// childVariable makes a run of the test binary one of the processes below.
const childVariable = "STORE_TEST_CHILD"

// children maps roles to functions that a child process runs on a session file. They report on standard output and
// return an exit code.
func children() map[string]func(path string) int {
	return map[string]func(string) int{"append": appendForever, "hold": holdOpen, "fill": fillUp, "die": dieWriting, "fork": forkInLittleRoom}
}

func TestMain(m *testing.M) {
	if role := os.Getenv(childVariable); role != "" {
		os.Exit(children()[role](os.Args[1]))
	}
	os.Exit(m.Run())
}

// child starts this binary in a role.
func child(t *testing.T, role, path string) (*exec.Cmd, *bufio.Reader, io.WriteCloser) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], path)
	cmd.Env = append(os.Environ(), childVariable+"="+role)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(out), in
}

func fail(err error) int {
	fmt.Println("error:", err)
	return 1
}

// appendForever appends one to three events at a time, and acknowledges each
// time with the number of the last.
func appendForever(path string) int {
	f, _, err := store.Open(path)
	if err != nil {
		return fail(err)
	}
	for i := 0; ; i++ {
		if err := f.Append(points(f.Len()+1, 1+i%3)); err != nil {
			return fail(err)
		}
		fmt.Println(f.Len())
	}
}

// dieWriting is killed when its write of a unit of four events has put as many
// bytes into the file as standard input says.
func dieWriting(path string) int {
	f, _, err := store.Open(path)
	if err != nil {
		return fail(err)
	}
	var n int
	if _, err := fmt.Scan(&n); err != nil {
		return fail(err)
	}
	store.DieAfter(f, n)
	return fail(f.Append(points(f.Len()+1, 4)))
}

// holdOpen holds the file until its standard input ends.
func holdOpen(path string) int {
	f, _, err := store.Open(path)
	if err != nil {
		return fail(err)
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := f.Close(); err != nil {
		return fail(err)
	}
	return 0
}

func TestAKilledProcessLosesNoAcknowledgedEvent(t *testing.T) {
	f := create(t, t.TempDir(), "s1")
	appendTo(t, f, opened("q"))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	before, cut := 1, 0
	for range 12 {
		cmd, out, _ := child(t, "append", f.Path())
		acked := before
		kill := 1 + random.IntN(25)
		for n := 0; ; n++ {
			text, err := out.ReadString('\n')
			if err != nil {
				break
			}
			if acked, err = strconv.Atoi(text[:len(text)-1]); err != nil {
				t.Fatal(text)
			}
			if n == kill {
				// What it acknowledges until it is dead is read on.
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()
		again, got, err := store.Open(f.Path())
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if acked <= before || len(got.Events) < acked {
			t.Fatalf("%d events after %d were acknowledged, %d before", len(got.Events), acked, before)
		}
		if !reflect.DeepEqual(got.Events[1:], points(2, len(got.Events)-1)) {
			t.Fatal("the events are others than were written")
		}
		// Units of one, two and three events end after 1, 3, 6, 7, … events.
		if n := (len(got.Events) - before) % 6; n != 0 && n != 1 && n != 3 {
			t.Fatalf("%d events after %d are not whole units", len(got.Events), before)
		}
		if got.Repaired.Cut > 0 {
			cut++
		}
		before = len(got.Events)
	}
	t.Logf("%d events, %d unfinished units", before, cut)
}

func TestAnotherProcessIsKeptOut(t *testing.T) {
	dir := t.TempDir()
	f := create(t, dir, "s1")
	appendTo(t, f, opened("q"))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	cmd, out, in := child(t, "hold", f.Path())
	if text, err := out.ReadString('\n'); text != "held\n" {
		t.Fatal(text, err)
	}
	_, _, err := store.Open(f.Path())
	if _, ok := errors.AsType[*store.HeldError](err); !ok {
		t.Errorf("opened twice: %v", err)
	}
	if got, err := store.Read(f.Path()); err != nil || len(got.Events) != 1 {
		t.Errorf("a reader is kept out: %v", err)
	}
	if all, err := store.List(dir); err != nil || len(all) != 1 || all[0].Broken != "" {
		t.Errorf("it is listed as %+v, %v", all, err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	again, _, err := store.Open(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}
