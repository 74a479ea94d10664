package cli_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"
)

// misuse is a folder of a project with what surrounds it, a server in it, and the sessions of other folders.
type misuse struct {
	*host
	base, work string
	// others maps places to the IDs of sessions that the agent may not see, files maps paths to contents.
	others map[string]string
	files  map[string]string
	known  map[string]bool
}

// What an agent may never get to see. Each text is in files or sessions outside of the project, or in secret ones.
const (
	outsideText = "the river bends twice before noon"
	secretText  = "the lamp is kept below the stair"
	privateText = "Should the heron be painted blue?"
)

func newMisuse(t *testing.T) *misuse {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &misuse{base: base, work: filepath.Join(base, "work"), others: map[string]string{}, files: map[string]string{}, known: map[string]bool{}}
	for name, text := range map[string]string{
		"work/limit.go": "package limit\n\nconst limit = 8\n", "work/sub/page.md": "A page.\n", "work/.gitignore": "*.log\nbuild/\n",
		"work/.env": secretText, "work/sub/.env.local": secretText, "work/id_rsa": secretText, "work/.aws/credentials": secretText,
		"work/today.log": secretText, "work/build/out.txt": secretText, "work/.npmrc": secretText,
		"other/outside.txt": outsideText, "work2/outside.txt": outsideText, "outside.txt": outsideText,
	} {
		path := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, []byte(text))
	}
	for link, target := range map[string]string{
		"link": "../other", "linkfile.txt": "../other/outside.txt", "sub/up": "../..", "plain.txt": ".env", "loop": "loop",
		"cloud": ".aws", "keys.md": "id_rsa",
	} {
		if err := os.Symlink(target, filepath.Join(m.work, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(m.work, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "-C", m.work, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git: %s", out)
	}
	write(t, filepath.Join(m.work, ".git", "notes"), []byte(secretText))
	d := newDesk(t)
	for name, args := range map[string][]string{
		"other": {"--workspace", filepath.Join(base, "other")}, "sibling": {"--workspace", filepath.Join(base, "work2")},
		"parent": {"--workspace", base}, "none": {"--no-workspace"},
	} {
		d.Dir = base
		if code := d.run(append([]string{"ask", privateText, "--headless", "--seat", "orchestrator=rules", "--seat", "consultee=rules"}, args...)...); code > 3 {
			t.Fatalf("%s: exit code %d\n%s", name, code, d.err.String())
		}
		for file, text := range storedFiles(t, m.known) {
			if !m.known[file] {
				m.known[file], m.files[file] = true, text
				m.others[name] = strings.TrimSuffix(filepath.Base(file), ".jsonl")
			}
		}
	}
	if len(m.others) != 4 {
		t.Fatalf("sessions: %v", m.others)
	}
	d.Dir = m.work
	m.host = d.strictHost(t, `{}`, nil)
	return m
}

// storedFiles returns the session files with their texts, but those that are known.
func storedFiles(t *testing.T, known map[string]bool) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("MOOT_STATE_DIR"), "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range files {
		if known[file] {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	return texts
}

// paths are the ways to name what an agent may not read.
func (m *misuse) paths() []string {
	list := []string{
		"..", "../", "/", "~", "~/x", "$HOME", "/etc/passwd", "/proc/self/environ", "/dev/stdin", "/dev/zero", "-", "pipe", "loop", "\x00",
		"limit.go\x00/../../outside.txt", strings.Repeat("a/", 5000), strings.Repeat("x", 300), "*\x00", "[", "{", "{a,b", "!..", "!",
		"file://" + filepath.ToSlash(m.base) + "/outside.txt", "http://127.0.0.1/outside.txt", `..\outside.txt`, `C:\outside.txt`, "@../outside.txt",
		"exec:cat ../outside.txt", "script:../outside.txt", "sub/../../outside.txt", "./.././outside.txt", "sub/up/outside.txt", "sub/up/other",
		"link", "link/", "link/outside.txt", "link/*", "link/*.txt", "linkfile.txt", "link*", "link*/outside.txt", "*/outside.txt", "**/outside.txt",
		"{..,sub}/outside.txt", "{link,sub}/outside.txt", "{../outside,x}.txt", "[.][.]/outside.txt", "?./outside.txt", "sub/{up,x}/outside.txt", "sub/*/outside.txt",
		"{limit.go,../outside.txt}", "sub/{../../outside.txt,x}", "*/../../outside.txt", "x*/../../outside.txt", "sub/up/work/.env",
	}
	for _, secret := range []string{
		".env", "sub/.env.local", "id_rsa", ".aws", ".aws/credentials", ".npmrc", "today.log", "build", "build/out.txt", ".git", ".git/notes", "plain.txt", "cloud", "cloud/credentials", "keys.md",
	} {
		folder, name := filepath.Split(secret)
		list = append(list, secret, "sub/../"+secret, filepath.Join(m.work, secret), "{"+secret+",x}", folder+name[:1]+"*", "../work/"+secret)
	}
	for _, outside := range []string{"outside.txt", "other", "other/outside.txt", "work2", "work2/outside.txt", "other/*", "work2/*.txt", "wor*2/outside.txt", "*"} {
		list = append(list, "../"+outside, filepath.Join(m.base, outside), "./../"+outside, "sub/../../"+outside)
	}
	return list
}

// ids are the ways to name a session of another folder.
func (m *misuse) ids() []string {
	list := []string{"..", "*", "\x00", "-", "latest", "/", strings.Repeat("2", 5000), "%2e%2e", "2", "20"}
	for _, id := range m.others {
		file := filepath.Join(os.Getenv("MOOT_STATE_DIR"), "sessions", id+".jsonl")
		list = append(list, id, id[:len(id)-1], id[:10], " "+id, id+" ", id+".jsonl", strings.ToUpper(id), file, "../sessions/"+id, "./"+id, "moot://sessions/"+id, id+"\x00", id+".json", "{"+id+"}")
	}
	return list
}

// allMisuse makes each call of TestAgentMisuse, which takes half a minute, and not only a third of them.
var allMisuse = flag.Bool("misuse", false, "call each tool with each hostile value in each place")

// TestAgentMisuse calls each tool with each argument that names a path, a participant, a session or a command, and hostile
// values for it. Nothing from outside of the project and no secret gets into an answer or a session, no program runs, and the
// sessions of other folders stay as they are.
func TestAgentMisuse(t *testing.T) {
	if testing.Short() {
		t.Skip("long: the calls come one after another, so the race detector finds nothing in them")
	}
	m := newMisuse(t)
	cases, bad := 0, 0
	harmless := func(what, answer string) {
		t.Helper()
		cases++
		var why []string
		for _, text := range []string{outsideText, secretText, privateText} {
			if strings.Contains(answer, text) {
				why = append(why, fmt.Sprintf("the answer has %q", text))
			}
		}
		for where, id := range m.others {
			if strings.Contains(answer, id) && !strings.Contains(what, id) && !strings.Contains(what, "session=") {
				why = append(why, "the answer names the session of "+where)
			}
		}
		for file, text := range storedFiles(t, m.known) {
			m.known[file] = true
			for _, secret := range []string{outsideText, secretText} {
				if strings.Contains(text, secret) {
					why = append(why, fmt.Sprintf("a session has %q", secret))
				}
			}
			first, _, _ := strings.Cut(text, "\n")
			why = append(why, m.escapes(gjson.Get(first, "data"))...)
		}
		if _, err := os.Stat(filepath.Join(m.work, "ran")); err == nil {
			why = append(why, "a program ran")
			_ = os.Remove(filepath.Join(m.work, "ran"))
		}
		if len(why) > 0 {
			bad++
			t.Errorf("%.200s: %s", what, strings.Join(slices.Compact(why), "; "))
		}
	}
	call := func(tool, field, value string, args map[string]any) {
		t.Helper()
		harmless(fmt.Sprintf("%s %s=%q", tool, field, value), m.tool(tool, args))
	}
	for i, path := range m.paths() {
		forms := []struct {
			field string
			more  map[string]any
		}{
			{"context", map[string]any{"context": []string{path}}},
			{"workspace and all of it", map[string]any{"workspace": path, "context": []string{"**"}}},
			{"design", map[string]any{"design": path, "framing": "critique"}},
			{"consultee", map[string]any{"consultee": path}},
			{"script", map[string]any{"consultee": "script:" + path}},
			{"context after a workspace", map[string]any{"context": []string{path}, "workspace": "sub"}},
			{"workspace", map[string]any{"workspace": path}},
			{"question", map[string]any{"question": "@" + path}},
			{"mention", map[string]any{"question": "What does @" + path + " say?"}},
			{"facts", map[string]any{"facts": []string{"@" + path}}},
		}
		if others := forms[1:]; !*allMisuse {
			forms = append(forms[:1:1], others[i%len(others)])
		}
		for _, form := range forms {
			args := map[string]any{"question": "What is the limit?", "consultee": "rules"}
			maps.Copy(args, form.more)
			call("consult", form.field, path, args)
		}
	}
	for _, name := range []string{
		"exec:touch ran", "exec:sh -c 'touch ran'", "exec:/bin/sh", "rules+exec:touch ran", "exec:touch ran+rules", " exec:touch ran", "EXEC:touch ran", "me", "human",
		"http://example.com/v1#m", "https://user:pass@127.0.0.1/v1#m", "http://[::ffff:8.8.8.8]/v1#m", "http://169.254.169.254/latest#m", "ftp://127.0.0.1/#m",
		"openai:m@http://example.com/v1", "rules\x00exec:touch ran", strings.Repeat("exec:touch ran;", 2000), "@" + filepath.Join(m.base, "outside.txt"), "exec:./*", "$(touch ran)", "`touch ran`",
	} {
		for _, role := range []string{"orchestrator", "observer"} {
			call("consult", "consultee", name, map[string]any{"question": "q", "consultee": name, "role": role})
		}
	}
	for i, id := range m.ids() {
		calls := []func(){
			func() { call("result", "session", id, map[string]any{"session": id, "as": "json"}) },
			func() { call("sessions", "query", id, map[string]any{"query": id}) },
			func() { call("reply", "session", id, map[string]any{"session": id, "moves": []any{}}) },
			func() { call("wait", "session", id, map[string]any{"session": id, "seconds": 1}) },
		}
		for _, tool := range []string{"status", "result", "cancel"} {
			calls = append(calls, func() { call(tool, "session", id, map[string]any{"session": id}) })
		}
		for _, uri := range []string{"moot://sessions/" + id, "moot://sessions/" + id + ".json", "moot://sessions/" + url.PathEscape(id)} {
			calls = append(calls, func() {
				data, err := json.Marshal(map[string]any{"uri": uri})
				if err != nil {
					t.Fatal(err)
				}
				harmless(fmt.Sprintf("resource session=%q", uri), m.call("resources/read", string(data)).Raw)
			})
		}
		for j, call := range calls {
			if *allMisuse || (i+j)%3 == 0 {
				call()
			}
		}
	}
	for _, query := range []string{"", "heron", privateText, "%", "*", ".*"} {
		call("sessions", "query", query, map[string]any{"query": query, "limit": 100})
	}
	// A seat cites and looks up what it may not read.
	turn := m.turn("consult", map[string]any{"question": "What is the limit?", "consultee": "rules"})
	for i, path := range m.paths() {
		if every := map[bool]int{true: 4, false: 13}[*allMisuse]; i%every > 0 {
			continue
		}
		if turn.Get("status").Str != "your-turn" {
			turn = m.turn("consult", map[string]any{"question": "What is the limit?", "consultee": "rules"})
		}
		for _, move := range []map[string]any{
			{"move": "RAISE", "text": "It is so.", "citations": []map[string]any{{"reference": path + ":1", "quote": "the"}}},
			{"move": "LOOK", "read": path},
			{"move": "LOOK", "list": path},
			{"move": "LOOK", "search": "the", "in": path},
			{"move": "RAISE", "text": "It runs.", "citations": []map[string]any{{"reference": "$ touch ran " + path, "quote": "exit 0"}}},
		} {
			args := map[string]any{"session": turn.Get("session").Str, "moves": []any{move}}
			call("reply", "moves", path, args)
		}
		turn = m.turn("wait", map[string]any{"session": turn.Get("session").Str})
	}
	for file, text := range storedFiles(t, nil) {
		if was, other := m.files[file]; other && was != text {
			t.Error("a session of another folder changed")
		}
		for _, secret := range []string{outsideText, secretText} {
			if strings.Contains(text, secret) {
				t.Errorf("%s has %q", filepath.Base(file), secret)
			}
		}
	}
	t.Logf("%d of %d calls did harm", bad, cases)
	if least := map[bool]int{true: 2000, false: 600}[*allMisuse]; cases < least {
		t.Errorf("only %d calls were made", cases)
	}
}

// escapes says what of a session that was opened lies outside of the project.
func (m *misuse) escapes(opened gjson.Result) (why []string) {
	folder := opened.Get("settings.workspace").Str
	place, err := filepath.EvalSymlinks(folder)
	if below, relErr := filepath.Rel(m.work, place); err != nil || relErr != nil || !filepath.IsLocal(below) {
		why = append(why, "the workspace is "+folder)
	}
	for _, seat := range opened.Get("seats.#.participant").Array() {
		if strings.Contains(seat.Str, ":") && !strings.HasPrefix(seat.Str, "mcp:") {
			why = append(why, "a seat is "+seat.Str)
		}
	}
	return why
}
