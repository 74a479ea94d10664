//go:build unix

package cli_test

import (
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"moot/cli"
	"moot/state"
)

// EX6: a cap that is reached in the middle pauses the session, again where it is not
// raised, and with more of it the session goes on.
func TestBudgetIsReachedInTheMiddle(t *testing.T) { //nolint:tparallel // its sessions lie in a folder that the environment names
	held := meetings()[0]
	r := newRoom(t, held)
	ref := r.references[held.format]
	for _, seat := range held.seats {
		t.Run(seat, func(t *testing.T) {
			t.Parallel()
			w := newWire(t, ref, seat, false, nil)
			o := r.sit(held, seat, w.name(), nil)
			// Each reply counts as 15 tokens; the first of round 2 is the last.
			o.flags = []string{"--max-tokens", strconv.Itoa(15 * (ref.second(seat) + 1))}
			o.ask()
			o.flags = nil
			o.paused(t, state.PauseBudget, "raise it with --max-tokens")
			o.resume()
			o.paused(t, state.PauseBudget, "raise it with --max-tokens")
			o.resume("--max-tokens", "1000000")
			o.ends(t)
		})
	}
}

// A program that is removed in the middle is named with what installs it, or with what
// to do, and the session goes on when it is back.
func TestProgramsAreRemovedInTheMiddle(t *testing.T) {
	held := meetings()[0]
	r := newRoom(t, held)
	r.installed(t)
	for _, k := range programKinds() {
		t.Run(k.name, func(t *testing.T) {
			p := r.plays(t, k, r.references[held.format], "consultee")
			path := filepath.Join(r.dir, "bin", k.command)
			// The one that stays up between turns ends with it.
			p.fault(t, "mv '"+path+"' '"+path+".away'; exit 3")
			o := r.sit(held, "consultee", p.participant(r), p.environ(r))
			o.ask()
			o.paused(t, state.PauseUnreachable, k.command)
			o.resume()
			if k.name == "exec" {
				// Who sits there is looked for before the session goes on.
				if o.code != cli.ExitError || !strings.Contains(o.talk(), "there is no program") {
					t.Errorf("exit code %d\n%s", o.code, o.talk())
				}
			} else {
				o.paused(t, state.PauseUnreachable, k.command+" is not on the PATH")
			}
			if err := os.Rename(path+".away", path); err != nil {
				t.Fatal(err)
			}
			p.fault(t, "")
			o.resume()
			o.ends(t)
		})
	}
}

// Who takes over in the middle may be of no use as well: a server with a certificate that
// nobody trusts, or none at all. The session waits for the next.
func TestAnotherTakesOverInTheMiddle(t *testing.T) {
	held := meetings()[0]
	r := newRoom(t, held)
	w := newWire(t, r.references[held.format], "consultee", false, answers(503, "{}"))
	untrusted := httptest.NewUnstartedServer(answers(200, "{}"))
	untrusted.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	untrusted.StartTLS()
	defer untrusted.Close()
	o := r.sit(held, "consultee", w.name(), nil, "--attempts", "1")
	o.ask()
	o.paused(t, state.PauseUnreachable, w.URL)
	o.resume("--consultee", untrusted.URL+"/v1#model")
	o.paused(t, state.PauseUnreachable, untrusted.URL, "certificate")
	o.resume("--consultee", "http://127.0.0.1:1/v1#model")
	o.paused(t, state.PauseUnreachable, "http://127.0.0.1:1", "refused")
	o.resume("--consultee", "script:gone.txt")
	if o.code != cli.ExitError || !strings.Contains(o.talk(), "gone.txt") {
		t.Errorf("exit code %d\n%s", o.code, o.talk())
	}
	w.set(nil, 0)
	o.resume("--consultee", w.name())
	o.ends(t)
}

// A script that is over has nothing to say, one that is gone is named, and the session
// goes on when it is back.
func TestScriptIsGoneInTheMiddle(t *testing.T) {
	held := meetings()[0]
	r := newRoom(t, held)
	w := newWire(t, r.references[held.format], "orchestrator", false, answers(503, "{}"))
	var script strings.Builder
	for _, s := range r.references[held.format].said["consultee"] {
		script.WriteString("--- consultee\n" + s.text + "\n")
	}
	r.write(t, "said.txt", script.String())
	held.seated = map[string]string{"consultee": "script:said.txt"}
	o := r.sit(held, "orchestrator", w.name(), nil, "--attempts", "1")
	o.ask()
	o.paused(t, state.PauseUnreachable, w.URL)
	if err := os.Remove(filepath.Join(r.dir, "said.txt")); err != nil {
		t.Fatal(err)
	}
	w.set(nil, 0)
	o.resume()
	if o.code != cli.ExitError || !strings.Contains(o.talk(), "said.txt") {
		t.Errorf("exit code %d\n%s", o.code, o.talk())
	}
	r.write(t, "said.txt", script.String())
	o.resume()
	if s := o.now(t); !s.Closed {
		t.Errorf("exit code %d\n%s", o.code, o.talk())
	}
}

// The folder that rules read may go in the middle: that is said before anything goes on.
func TestWorkspaceIsGoneInTheMiddle(t *testing.T) {
	held := meetings()[0]
	r := newRoom(t, held)
	w := newWire(t, r.references[held.format], "consultee", false, answers(503, "{}"))
	o := r.sit(held, "consultee", w.name(), nil, "--attempts", "1")
	o.ask()
	o.paused(t, state.PauseUnreachable, w.URL)
	folder := filepath.Join(r.dir, "limits")
	if err := os.Rename(folder, folder+"-away"); err != nil {
		t.Fatal(err)
	}
	w.set(nil, 0)
	o.resume()
	if o.code != cli.ExitError || !strings.Contains(o.talk(), folder+" does not exist; the session needs it and is kept as it is; put it back") {
		t.Errorf("exit code %d\n%s", o.code, o.talk())
	}
	if err := os.Rename(folder+"-away", folder); err != nil {
		t.Fatal(err)
	}
	o.resume()
	o.ends(t)
}
