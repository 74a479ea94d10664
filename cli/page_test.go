package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// library is a server with pages, which notes what it was asked.
type library struct {
	*httptest.Server

	limit atomic.Int64
	seen  atomic.Pointer[[]string]
}

func newLibrary(t *testing.T) *library {
	t.Helper()
	l := &library{}
	l.limit.Store(60)
	l.seen.Store(&[]string{})
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := append(*l.seen.Load(), fmt.Sprint(r.URL, r.Header))
		l.seen.Store(&seen)
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<title>Limits</title><p>At most %d requests per minute\n<b>and</b> account.", l.limit.Load())
	}))
	t.Cleanup(l.Close)
	return l
}

// host is the server as --allow-host takes it.
func (l *library) host() string { return strings.TrimPrefix(l.URL, "http://") + ",private" }

// citePages lets a seat cite a page of the server twice, the second time for what is not on it.
func citePages(t *testing.T, d *desk, url string) (seats []string) {
	t.Helper()
	write := func(name, text string) string {
		path := filepath.Join(d.Dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "script:" + path
	}
	return []string{
		"--headless", "--orchestrator", write("orchestrator.txt", "--- evaluate\n"+
			"AGREE P1: E1 says it\nAGREE P2: it may be\nAGREE P3: it may be\n"),
		"--consultee", write("consultee.txt", `--- propose
{"moves":[
{"move":"RAISE","text":"60 requests are allowed","citations":[{"reference":"GET `+url+`/limits","quote":"60 requests per minute and account"}]},
{"move":"RAISE","text":"90 requests are allowed","citations":[{"reference":"GET `+url+`/limits","quote":"90 requests per minute and account"}]},
{"move":"RAISE","text":"Others say so","citations":[{"reference":"GET https://elsewhere.example/limits","quote":"60 requests"}]}]}
--- coverage
NOTHING
`),
	}
}

// A page that a seat cites goes from the server to the rulings, the exports and the recheck.
func TestPagesInASession(t *testing.T) {
	l, d := newLibrary(t), newDesk(t)
	d.Environ = append(d.Environ, "OPENAI_API_KEY=sk-proj-in-the-environment")
	t.Setenv("OPENAI_API_KEY", "sk-proj-in-the-environment")
	seats := citePages(t, d, l.URL)
	run := func(code int, args ...string) string {
		t.Helper()
		d.out.Reset()
		d.err.Reset()
		got := d.run(args...)
		said := d.out.String() + d.err.String()
		if got != code {
			t.Fatalf("moot %s: exit code %d, want %d\n%s", strings.Join(args, " "), got, code, said)
		}
		return said
	}
	has := func(said string, want ...string) {
		t.Helper()
		for _, text := range want {
			if !strings.Contains(said, text) {
				t.Errorf("want %q in\n%s", text, said)
			}
		}
	}
	ask := func(flags ...string) (said, id string) {
		t.Helper()
		d.out.Reset()
		d.err.Reset()
		d.run(append(append([]string{"ask", "How many requests?"}, seats...), flags...)...)
		said = d.out.String() + d.err.String()
		_, id, _ = strings.Cut(said, "saved      ")
		id, _, _ = strings.Cut(id, ",")
		return said, id
	}

	// Without an allowed host, moot fetches nothing, and no prompt mentions pages.
	said, id := ask()
	if has(said, "unverified E1"); len(*l.seen.Load()) > 0 {
		t.Errorf("the server was asked: %v", *l.seen.Load())
	}
	if strings.Contains(run(0, "export", id, "--as", "json", "--events"), "web page") {
		t.Error("a seat is told of pages that it cannot cite")
	}
	// Of a host in a private network, the user has to say that it is.
	said, _ = ask("--allow-host", strings.TrimSuffix(l.host(), ",private"))
	if has(said, "allow it with --allow-host "+l.host()); len(*l.seen.Load()) > 0 {
		t.Errorf("the server was asked: %v", *l.seen.Load())
	}

	said, id = ask("--allow-host", l.host(), "--no-workspace")
	has(said, "hosts      pages of these may be read: "+l.host(), "E1: GET "+l.URL+"/limits (cited, fresh research, 0.75)",
		"unverified E2 P2 GET "+l.URL+"/limits: the page does not have the quote; its nearest passage is 9",
		"elsewhere.example is not an allowed host: allow it with --allow-host elsewhere.example")
	if seen := *l.seen.Load(); len(seen) != 1 || strings.Contains(seen[0], "sk-proj") {
		t.Errorf("the server was asked %q", seen)
	}
	has(run(0, "export", id, "--as", "json", "--events"), `To show what stands on a web page, cite GET and its URL`,
		`\"hosts\":[{\"name\":\"127.0.0.1\"`, "At most 60 requests per minute and account.")
	has(run(0, "show", id), "E1: GET "+l.URL+"/limits", "really: the page does not have the quote")
	has(run(0, "verify", id), "every ruling recomputes")
	has(run(0, "replay", id), "found in the main text of the page, read 20")

	// A fork keeps the hosts.
	fork := strings.Split(run(0, "fork", id, "--at", "1"), "\n")[0]
	d.run(append([]string{"resume", fork}, seats...)...)
	has(d.out.String()+d.err.String(), "hosts      pages of these may be read: "+l.host(), "E1: GET "+l.URL+"/limits")

	// A recheck fetches only what its own command line allows.
	before := len(*l.seen.Load())
	has(run(0, "recheck", id), "1 not run", "GET "+l.URL+"/limits not run: 127.0.0.1:", "allow it with --allow-host 127.0.0.1:")
	if len(*l.seen.Load()) != before {
		t.Error("a recheck fetched a page unasked")
	}
	has(run(0, "recheck", id, "--allow-host", l.host()), "1 holds")
	l.limit.Store(600)
	has(run(4, "recheck", id, "--allow-host", l.host()), "GET "+l.URL+"/limits changed", "At most 600 requests")
	l.Close()
	has(run(0, "recheck", id, "--allow-host", l.host()), "is unverifiable: 127.0.0.1:", "did not answer")
}

// A resumed session may be given hosts that it did not have, and the prompts name them.
func TestHostsForAResumedSession(t *testing.T) {
	l, d := newLibrary(t), newDesk(t)
	seats := citePages(t, d, l.URL)
	d.run(append([]string{"ask", "How many requests?"}, seats...)...)
	said := d.out.String() + d.err.String()
	_, id, _ := strings.Cut(said, "saved      ")
	id, _, _ = strings.Cut(id, ",")
	d.out.Reset()
	d.run("fork", id, "--at", "1")
	fork := strings.TrimSpace(d.out.String())
	d.out.Reset()
	d.run(append([]string{"resume", fork, "--allow-host", l.host()}, seats...)...)
	if !strings.Contains(d.out.String(), "E1: GET "+l.URL+"/limits (cited, fresh research, 0.75)") {
		t.Errorf("the page is not evidence:\n%s%s", d.out.String(), d.err.String())
	}
	d.out.Reset()
	if code := d.run("verify", fork); code != 0 || !strings.Contains(d.out.String(), "every ruling recomputes") {
		t.Errorf("exit code %d\n%s%s", code, d.out.String(), d.err.String())
	}
	d.out.Reset()
	d.run("export", fork, "--as", "json", "--events")
	for _, want := range []string{`hosts-allowed`, `To show what stands on a web page`} {
		if !strings.Contains(d.out.String(), want) {
			t.Errorf("the record lacks %q", want)
		}
	}
}

// The configuration allows hosts, and it alone says what their pages are.
func TestHostsOfTheConfiguration(t *testing.T) {
	l, d := newLibrary(t), newDesk(t)
	seats := citePages(t, d, l.URL)
	configure := func(text string) {
		t.Helper()
		path := filepath.Join(d.Dir, "config.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d.Environ = []string{"MOOT_CONFIG=" + path}
		d.out.Reset()
		d.err.Reset()
	}
	address := strings.TrimSuffix(l.host(), ",private")
	for source, stamp := range map[string]string{
		"": "(cited, fresh research, 0.75)", `source = "official-source"`: "(cited, official source, 0.95)",
		`source = "live-api"`: "(cited, live API, 0.75)",
	} {
		configure("[hosts.\"" + address + "\"]\nprivate = true\n" + source + "\n")
		d.run(append([]string{"ask", "How many requests?"}, seats...)...)
		if !strings.Contains(d.out.String(), "E1: GET "+l.URL+"/limits "+stamp) {
			t.Errorf("%s: want %s\n%s%s", source, stamp, d.out.String(), d.err.String())
		}
	}
	for text, says := range map[string]string{
		"[hosts.\"a.test/docs\"]\n":                      `config.toml:1: "a.test/docs" in [hosts] is not the name of a host`,
		"[hosts.\"a.test,private\"]\n":                   `config.toml:1: "a.test,private" in [hosts] is not the name of a host`,
		"[hosts.\"a.test\"]\nsource = \"user-override\"": `config.toml:2: source in [hosts."a.test"]: unknown source "user-override"`,
		"[hosts.\"a.test\"]\nprivat = true":              "config.toml:2: unknown key privat in [hosts.\"a.test\"]; did you mean private?",
		"[hosts.\"a.test\"]\nprivate = \"yes\"":          "config.toml:2: private is true or false",
		"[hosts]\n\"a.test\" = true":                     "config.toml:2: ",
	} {
		configure(text)
		if code := d.run(append([]string{"ask", "How many requests?"}, seats...)...); code != 2 ||
			!strings.Contains(d.err.String(), says) || !strings.Contains(d.err.String(), "which pages may be read; nobody was asked") {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s", text, code, says, d.err.String())
		}
	}
}

func TestAllowHostRefuses(t *testing.T) {
	for flag, says := range map[string]string{
		"https://docs.example.com/limits": "write only the name",
		"docs.example.com:http":           "is not a port",
		"docs.example.com,secret":         "is unknown after the name of a host",
		"*.example.com":                   "is not the name of a host",
	} {
		d := newDesk(t)
		if code := d.run("ask", "--headless", "--consultee", "rules", "--orchestrator", "rules", "--allow-host", flag, "Why?"); code != 2 ||
			!strings.Contains(d.err.String(), says) {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s", flag, code, says, d.err.String())
		}
	}
	d := newDesk(t)
	code := d.run("ask", "--headless", "--format", "hearing", "--closed-world", "packet.json", "--allow-host", "docs.example.com")
	if code != 2 || !strings.Contains(d.err.String(), "--allow-host: a hearing reads no files") {
		t.Errorf("a hearing: exit code %d\n%s", code, d.err.String())
	}
}

// A page that a pressure-tester asks for is fetched at once if its host is allowed, and decides on the objection.
func TestARequestedPageDecides(t *testing.T) {
	for name, test := range map[string]struct {
		allow    bool
		limit    int64
		decision string
		says     []string
	}{
		"met":         {true, 60, "ADVANCE", []string{"resolved   C1 cleared", "found in the main text of the page"}},
		"unmet":       {true, 600, "ESCALATE", []string{"the page does not have the quote"}},
		"not allowed": {false, 60, "ESCALATE", []string{"--allow-host"}},
	} {
		l, d := newLibrary(t), newDesk(t)
		l.limit.Store(test.limit)
		write := func(name, text string) string {
			path := filepath.Join(d.Dir, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return "script:" + path
		}
		args := []string{
			"ask", "--headless", "--format", "dialectic", "--playbook", "code-review",
			"--proposer", write("proposer.txt", `--- propose
{"moves":[{"move":"PROPOSE","path":"requests.max","value":60,"category":"Factual","text":"the service allows it",`+
				`"citations":[{"reference":"GET `+l.URL+`/limits","quote":"At most 60 requests"}]}]}
`), "--pressure-tester", write("tester.txt", `--- evaluate
OBJECT P1: nobody knows the limit | category: Factual | severity: HIGH | predicate: the documentation has it | request: `+
				l.URL+`/limits => 60 requests per minute
`),
		}
		if test.allow {
			args = append(args, "--allow-host", l.host())
		}
		d.run(append(args, "How many requests?")...)
		said := d.out.String() + d.err.String()
		for _, want := range append(test.says, "decision   "+test.decision) {
			if !strings.Contains(said, want) {
				t.Errorf("%s: want %q in\n%s", name, want, said)
			}
		}
		if fetched := len(*l.seen.Load()) > 0; fetched != test.allow {
			t.Errorf("%s: fetched %v", name, fetched)
		}
	}
}

// In one dialectic a page, a tool of a server and a command answer what the pressure-tester asked for, and clear its
// objections.
func TestRequestsForAPageAToolAndACommand(t *testing.T) {
	l, d := newLibrary(t), newDesk(t)
	write := func(name, text string) string {
		path := filepath.Join(d.Dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "script:" + path
	}
	config, _ := strings.CutPrefix(write("config.toml", `[tools.coverage]
command = ["coverage-server"]
tools = ["query"]
env = ["PATH"]
`), "script:")
	d.Environ = []string{"MOOT_CONFIG=" + config, "PATH=" + os.Getenv("PATH")}
	write("limits.txt", "60 requests\n")
	d.run("ask", "--headless", "--format", "dialectic", "--playbook", "code-review",
		"--proposer", write("proposer.txt", `--- propose
{"moves":[
{"move":"PROPOSE","path":"requests.max","value":60,"category":"Factual","text":"the service allows it","citations":[{"reference":"limits.txt:1","quote":"60 requests"}]},
{"move":"PROPOSE","path":"coverage.least","value":60,"category":"Factual","text":"it is covered","citations":[{"reference":"limits.txt:1","quote":"60 requests"}]},
{"move":"PROPOSE","path":"limits.file","value":60,"category":"Factual","text":"it is written down","citations":[{"reference":"limits.txt:1","quote":"60 requests"}]}]}
`),
		"--pressure-tester", write("tester.txt", `--- evaluate
OBJECT P1: nobody knows the limit | category: Factual | severity: HIGH | predicate: the documentation has it | request: `+
			l.URL+`/limits => 60 requests per minute
OBJECT P2: nobody measured it | category: Factual | severity: HIGH | predicate: it was measured | request: `+
			`TOOL coverage/query {"file":"a.go"} => output has "61%"
OBJECT P3: the file may be empty | category: Factual | severity: HIGH | predicate: it has the limit | request: `+
			`$ grep -c 60 limits.txt => exit 0
`),
		"--allow-host", l.host(), "--allow-command", "grep -c * *", "May we send more?")
	said := d.out.String() + d.err.String()
	for _, want := range []string{
		"resolved   C1 cleared: E4", "resolved   C2 cleared: E5", "resolved   C3 cleared: E6", "decision   ADVANCE",
		"E4: GET " + l.URL, "E5: TOOL coverage/query", "E6: $ grep -c 60 limits.txt",
		"fresh-research", "live-api",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("want %q", want)
		}
	}
	if t.Failed() {
		t.Log(said)
	}
}
