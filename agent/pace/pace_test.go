package pace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// patient are limits that only pace.
func patient(perMinute int) Limits {
	return Limits{PerMinute: perMinute, Longest: time.Hour}
}

// enter fails the test unless the call goes out, and returns when it did.
func enter(t *testing.T, l *Lane, limits Limits) time.Time {
	t.Helper()
	leave, err := l.Enter(t.Context(), limits, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	leave()
	return time.Now()
}

// Calls go out in the order of the theoretical arrival times: each when it comes, or an
// interval behind the one before it.
func TestCallsAreEvenlySpread(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		perMinute := rapid.IntRange(1, 600).Draw(rt, "per minute")
		gaps := rapid.SliceOfN(rapid.IntRange(0, 30_000), 1, 12).Draw(rt, "gaps")
		keepers := rapid.IntRange(1, 3).Draw(rt, "processes")
		synctest.Test(t, func(t *testing.T) {
			var lanes []*Lane
			for range keepers {
				lanes = append(lanes, New(filepath.Join(dir, strconv.Itoa(n))).Lane("https://x.example/v1", "k"))
			}
			var arrivals, went []time.Time
			var mutex sync.Mutex
			var group sync.WaitGroup
			for i, gap := range gaps {
				time.Sleep(time.Duration(gap) * time.Millisecond)
				arrivals = append(arrivals, time.Now())
				group.Go(func() {
					at := enter(t, lanes[i%keepers], patient(perMinute))
					mutex.Lock()
					went = append(went, at)
					mutex.Unlock()
				})
				synctest.Wait()
			}
			group.Wait()
			interval := time.Minute / time.Duration(perMinute)
			next := time.Time{}
			for i, at := range arrivals {
				if next.After(at) {
					at = next
				}
				if !went[i].Equal(at) {
					t.Fatalf("call %d of %d a minute went out at %s, want %s", i, perMinute, went[i], at)
				}
				next = at.Add(interval)
			}
		})
	})
}

func TestNothingIsWrittenWithoutALimit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pace")
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		lane := New(dir).Lane("http://127.0.0.1:8080/v1", "")
		for range 100 {
			enter(t, lane, Limits{Longest: time.Minute})
		}
		if time.Since(began) != 0 {
			t.Errorf("waited %s", time.Since(began))
		}
	})
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s was made: %v", dir, err)
	}
}

// Who was told to wait tells all: they come back one after the other, and one that is
// told once more holds those that wait already.
func TestAHoldIsForAll(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		limits := Limits{Longest: 2 * time.Minute}
		lane := New(dir).Lane("https://x.example/v1", "k")
		end := time.Now().Add(10 * time.Second)
		if wait := lane.Hold(t.Context(), limits, end); wait != 10*time.Second {
			t.Fatalf("its own place comes in %s", wait)
		}
		var told []Wait
		var mutex sync.Mutex
		var went []time.Time
		var group sync.WaitGroup
		for range 5 {
			group.Go(func() {
				leave, err := New(dir).Lane("HTTPS://X.example/other", "k").Enter(t.Context(), limits, false, func(w Wait) {
					mutex.Lock()
					told = append(told, w)
					mutex.Unlock()
				})
				if err != nil {
					t.Error(err)
					return
				}
				leave()
				mutex.Lock()
				went = append(went, time.Now())
				mutex.Unlock()
			})
			synctest.Wait()
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if len(went) != 0 || len(told) != 5 || told[4].Reason != Asked || !told[4].Until.Equal(end) || told[4].For != 10*time.Second+5*recovery {
			t.Fatalf("%d went out, told %+v", len(went), told)
		}
		// The first to come back is told again.
		_ = lane.Hold(t.Context(), limits, time.Now().Add(20*time.Second))
		group.Wait()
		slices.SortFunc(went, time.Time.Compare)
		for i, at := range went {
			if at.Sub(end) < 20*time.Second || i > 0 && at.Sub(went[i-1]) < recovery {
				t.Errorf("call %d went out %s after the first hold", i, at.Sub(end))
			}
		}
		if other := New(dir).Lane("https://x.example/v1", "another key"); other.file == lane.file {
			t.Error("another key has the same lane")
		}
	})
}

func TestAHoldThatIsTooLongIsNobodysElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lane := New("").Lane("https://x.example", "")
		limits := Limits{Longest: time.Minute}
		if wait := lane.Hold(t.Context(), limits, time.Now().Add(time.Hour)); wait != time.Hour {
			t.Errorf("%s", wait)
		}
		began := time.Now()
		if enter(t, lane, limits); time.Since(began) != 0 {
			t.Errorf("another waited %s", time.Since(began))
		}
	})
}

func TestAPlaceThatComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lane, limits := New("").Lane("https://x.example", ""), Limits{PerMinute: 2, Longest: time.Minute}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() { enter(t, lane, limits) })
			synctest.Wait()
		}
		var queue *QueueError
		if _, err := lane.Enter(t.Context(), limits, false, nil); !errors.As(err, &queue) || queue.For != 90*time.Second {
			t.Errorf("error %v", err)
		}
		// Whoever leaves gives the place back.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := lane.Enter(ctx, Limits{PerMinute: 2, Longest: time.Hour}, false, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		group.Wait()
		if at := time.Now(); enter(t, lane, limits).Sub(at) != 30*time.Second {
			t.Error("places were lost")
		}
	})
}

func TestOnlySoManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lane, limits := New("").Lane("http://127.0.0.1:1", ""), Limits{Parallel: 2, Longest: time.Minute}
		var mutex sync.Mutex
		running, most, told := 0, 0, 0
		var group sync.WaitGroup
		for range 7 {
			group.Go(func() {
				leave, err := lane.Enter(t.Context(), limits, false, func(w Wait) {
					mutex.Lock()
					defer mutex.Unlock()
					if w.Reason == Full {
						told++
					}
				})
				if err != nil {
					t.Error(err)
					return
				}
				defer leave()
				mutex.Lock()
				running++
				most = max(most, running)
				mutex.Unlock()
				time.Sleep(time.Second)
				mutex.Lock()
				running--
				mutex.Unlock()
			})
		}
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := lane.Enter(ctx, limits, false, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		group.Wait()
		if most != 2 || told != 5 {
			t.Errorf("%d at once, %d were told", most, told)
		}
	})
}

// Whatever is in the place of the file, a call goes out; why it is paced alone is told
// once.
func TestAFileThatCannotBeUsed(t *testing.T) {
	far := write(time.Now().Add(100*time.Hour).UnixNano(), time.Now().Add(200*time.Hour).UnixNano())
	cases := map[string]struct {
		spoil   func(dir, file string) error
		trouble bool
	}{
		"text":   {func(_, file string) error { return os.WriteFile(file, []byte("hello"), 0o600) }, false},
		"binary": {func(_, file string) error { return os.WriteFile(file, []byte{0, 255, 1}, 0o600) }, false},
		"a long file": {func(_, file string) error {
			return os.WriteFile(file, []byte(strings.Repeat("moot-pace 1 9 ", 1e5)), 0o600)
		}, false},
		"times that nobody waits for": {func(_, file string) error { return os.WriteFile(file, []byte(far), 0o600) }, false},
		"a folder":                    {func(_, file string) error { return os.Mkdir(file, 0o700) }, true},
		"a link to nowhere":           {func(dir, file string) error { return os.Symlink(filepath.Join(dir, "none"), file) }, true},
		"a file for a folder": {func(dir, _ string) error {
			return errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600))
		}, true},
		"a folder that is the lock": {func(_, file string) error { return os.Mkdir(file+".lock", 0o700) }, true},
		"no permission": {func(dir, _ string) error {
			if os.Getuid() == 0 || runtime.GOOS == "windows" {
				return errors.ErrUnsupported
			}
			return os.Chmod(dir, 0o500)
		}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "pace")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			lane := New(dir).Lane("https://x.example", "")
			if err := c.spoil(dir, lane.file); errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				enter(t, lane, patient(60))
				if waited := enter(t, lane, patient(60)).Sub(began); waited != time.Second {
					t.Errorf("waited %s", waited)
				}
			})
			if first, again := lane.Trouble(), lane.Trouble(); (first != nil) != c.trouble || again != nil {
				t.Errorf("told %v, then %v", first, again)
			}
		})
	}
}

// A program that was stopped while it held the lock holds nobody up.
func TestALockThatIsNeverGivenBack(t *testing.T) {
	dir := t.TempDir()
	holder := New(dir).Lane("https://x.example", "")
	unlock := holder.lock(t.Context())
	defer unlock()
	synctest.Test(t, func(t *testing.T) {
		lane := New(dir).Lane("https://x.example", "")
		began := time.Now()
		enter(t, lane, patient(60))
		if waited := time.Since(began); waited > 2*patience || lane.Trouble() == nil {
			t.Errorf("waited %s", waited)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := New(dir).Lane("https://x.example", "").Enter(ctx, patient(60), false, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// Whoever leaves does so at once, though another call of this process waits for the lock.
func TestLeavingWhileAnotherWaitsForTheLock(t *testing.T) {
	dir := t.TempDir()
	unlock := New(dir).Lane("https://x.example", "").lock(t.Context())
	defer unlock()
	synctest.Test(t, func(t *testing.T) {
		lane := New(dir).Lane("https://x.example", "")
		var group sync.WaitGroup
		defer group.Wait()
		group.Go(func() { enter(t, lane, patient(60)) })
		synctest.Wait()
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_ = lane.Hold(ctx, Limits{Longest: time.Hour}, began.Add(time.Second))
		leave, err := lane.Enter(ctx, Limits{Longest: time.Hour}, true, nil)
		if why := lane.Trouble(); time.Since(began) != time.Millisecond || why != nil {
			t.Errorf("it took %s, and tells %v", time.Since(began), why)
		}
		if err == nil {
			leave()
		}
	})
}

// One that a busy machine kept from going on while it held the lock is waited for.
func TestALockThatIsHeldForAWhile(t *testing.T) {
	dir := t.TempDir()
	unlock := New(dir).Lane("https://x.example", "").lock(t.Context())
	synctest.Test(t, func(t *testing.T) {
		lane := New(dir).Lane("https://x.example", "")
		time.AfterFunc(time.Second, unlock)
		enter(t, lane, patient(60))
		if why := lane.Trouble(); why != nil {
			t.Errorf("it is paced alone: %v", why)
		}
	})
}

// callerVariable makes the test program a second process: it names the folder.
const callerVariable = "MOOT_PACE_CALLER"

// TestMain runs calls instead of the tests where it is asked to.
func TestMain(m *testing.M) {
	dir := os.Getenv(callerVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	lane := New(dir).Lane("https://x.example", "secret-key")
	for range calls {
		leave, err := lane.Enter(context.Background(), patient(perMinute), false, nil)
		if err != nil {
			os.Exit(1)
		}
		_, _ = fmt.Println(time.Now().UnixNano())
		leave()
	}
}

const (
	// calls and perMinute are what each of the processes does: one each 40 ms.
	calls     = 5
	perMinute = 1500
)

func TestTwoProcessesShareALane(t *testing.T) {
	dir := t.TempDir()
	hold := time.Now().Add(300 * time.Millisecond)
	_ = New(dir).Lane("https://x.example", "secret-key").Hold(t.Context(), patient(perMinute), hold)
	var went []int64
	var mutex sync.Mutex
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			command := exec.CommandContext(t.Context(), os.Args[0])
			command.Env = append(os.Environ(), callerVariable+"="+dir)
			out, err := command.Output()
			if err != nil {
				t.Error(err)
			}
			mutex.Lock()
			defer mutex.Unlock()
			for lines := bufio.NewScanner(strings.NewReader(string(out))); lines.Scan(); {
				at, err := strconv.ParseInt(lines.Text(), 10, 64)
				if err != nil {
					t.Error(err)
				}
				went = append(went, at)
			}
		})
	}
	group.Wait()
	slices.Sort(went)
	if len(went) != 2*calls {
		t.Fatalf("%d calls", len(went))
	}
	// Each has a place of its own, before which it does not go out, however slow the
	// machine is.
	const interval = time.Minute / perMinute
	for i, at := range went {
		if early := hold.Add(time.Duration(i) * interval).Sub(time.Unix(0, at)); early > 0 {
			t.Errorf("call %d went out %s before its place", i, early)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, _ := os.ReadFile(filepath.Join(dir, entry.Name()))
		if strings.Contains(entry.Name()+string(text), "secret") || strings.Contains(entry.Name(), ".new-") {
			t.Errorf("%s: %s", entry.Name(), text)
		}
	}
}

// A file's text gives times that are written as it was, or none.
func FuzzParse(f *testing.F) {
	f.Add(write(1, 2))
	f.Add("moot-pace 1 9 -9\n")
	f.Add("moot-pace 2 9 9\n")
	f.Add("moot-pace 1 99999999999999999999 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		if got := parse(text); got != (times{}) && write(toNano(got.next), toNano(got.hold)) != text {
			t.Errorf("%q is read as %v", text, got)
		}
	})
}
