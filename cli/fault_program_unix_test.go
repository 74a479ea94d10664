//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/group/grouptest"
	"moot/state"
)

// playFault is what a program does from round 2 on.
type playFault struct {
	script string
	// words are what is said of it besides the name of the program.
	words []string
	// once says that it does so once, and is asked again at the cost of no round; else
	// the session is paused.
	once bool
	// flags are those of the run that meets the fault.
	flags []string
	// but are kinds to which it is no fault, or which meet it as another one does.
	but string
}

func playFaults() map[string]playFault {
	const others = "claude gemini-cli opencode mine"
	return map[string]playFault{
		"exit 0 and no word":    {script: "exit 0", once: true},
		"another output format": {script: `echo '{"event":"v2","payload":"a reply"}'; exit 0`, words: []string{"its output is another than it was"}, but: "exec"},
		"no JSON":               {script: `echo 'Here is what I think.'; exit 0`, but: "exec opencode gemini-cli"},
		"ended in the middle":   {script: `head -c 40 "$dir/reply-$n"; kill -9 $$`, words: []string{"SIGKILL"}},
		"a flood of lines":      {script: "exec yes", once: true, words: []string{"(oversized)"}, but: others},
		"a line without an end": {script: `exec tr '\0' x < /dev/zero`, once: true, words: []string{"(oversized)"}, but: others},
		"a flood of complaints": {script: `yes 'it is down' | head -n 300000 >&2; exit 3`, words: []string{"it is down"}, but: others},
		"escapes":               {script: `printf '\033[2J\033]0;owned\007 it is down\n' >&2; exit 3`, words: []string{"it is down"}, but: others},
		"a secret":              {script: `echo 'bad key sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefAB' >&2; exit 3`, words: []string{"bad key"}, but: others},
		"silence":               {script: "exec sleep 600", flags: []string{"--first-token-timeout", "100ms"}, words: []string{"100"}},
	}
}

// Every fault of a program in the middle of a session pauses it (EX7) with the seat, the
// program, what it said and what to do, at the latest when it comes a second time in a
// row (PH3); mended, the session ends as it does without the fault.
func TestProgramsFailInTheMiddle(t *testing.T) { //nolint:tparallel // its sessions lie in a folder that the environment names
	held := meetings()[0]
	r := newRoom(t, held)
	r.installed(t)
	const seat = "consultee"
	for name, f := range playFaults() {
		for _, k := range programKinds() {
			if strings.Contains(f.but, k.name) {
				continue
			}
			t.Run(name+"/"+k.name, func(t *testing.T) {
				t.Parallel()
				p := r.plays(t, k, r.references[held.format], seat)
				p.fault(t, p.refusal(t))
				o := r.sit(held, seat, p.participant(r), p.environ(r))
				if len(f.flags) > 0 {
					o.ask()
				}
				script := f.script
				if f.once {
					script = "rm \"$dir/fault.sh\"\n" + script
				}
				if p.fault(t, script); len(f.flags) > 0 {
					o.resume(f.flags...)
				} else {
					o.ask()
				}
				if f.once {
					o.says(t, append(f.words, k.command)...)
					if !strings.Contains(o.talk(), "refused    consultee's reply") && !strings.Contains(o.talk(), "started for this turn") {
						t.Errorf("it is not said that it is asked again\n%s", o.talk())
					}
				} else {
					o.paused(t, state.PauseUnreachable, append(f.words, k.command)...)
					p.fault(t, "")
					o.resume()
				}
				o.ends(t)
			})
		}
	}
}

// What a program leaves running does not hold up the session, and has ended with it.
func TestProgramsLeaveNothing(t *testing.T) { //nolint:tparallel // its sessions lie in a folder that the environment names
	held := meetings()[0]
	r := newRoom(t, held)
	r.installed(t)
	for _, k := range programKinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			p := r.plays(t, k, r.references[held.format], "consultee")
			p.fault(t, "sleep 600 > /dev/null 2>&1 &\necho \"child $!\" > \"$dir/child\"\nrm \"$dir/fault.sh\"")
			o := r.sit(held, "consultee", p.participant(r), p.environ(r))
			o.ask()
			o.ends(t)
			child, err := os.ReadFile(filepath.Join(p.dir, "child"))
			if err != nil {
				t.Fatal(err)
			}
			grouptest.Gone(t, grouptest.ChildOf(t, string(child)))
		})
	}
}
