package research

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"moot/internal/redact"
	"moot/ledger"
)

// site is a web server on this machine.
type site struct {
	*httptest.Server

	hits atomic.Int64
	last atomic.Pointer[http.Request]
}

func newSite(t *testing.T, serve http.HandlerFunc) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(1)
		s.last.Store(r)
		serve(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// named is the site under a name, which openPages resolves to this machine.
func (s *site) named(name string) string { return "http://" + name + ":" + s.port() }

func (s *site) port() string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return port
}

// openPages opens a checker for hosts as --allow-host takes them. All names are of this machine.
func openPages(t *testing.T, hosts ...string) *Pages {
	t.Helper()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	var allowed []ledger.Host
	for _, text := range hosts {
		h, err := ledger.ParseHost(text)
		if err != nil {
			t.Fatal(err)
		}
		allowed = append(allowed, h)
	}
	p := OpenPages(allowed, redactor)
	p.resolver = names(t, func(string) [4]byte { return [4]byte{127, 0, 0, 1} })
	p.ReadPDF(os.Args[0])
	return p
}

// names is a resolver that asks a function for the address of a name.
func names(t *testing.T, address func(name string) [4]byte) *net.Resolver {
	t.Helper()
	server, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		packet := make([]byte, 1<<10)
		for {
			n, from, err := server.ReadFrom(packet)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(packet[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			reply := dnsmessage.Message{
				Header: dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}, Questions: m.Questions,
			}
			if q.Type == dnsmessage.TypeA {
				reply.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.AResource{A: address(strings.TrimSuffix(q.Name.String(), "."))},
				}}
			}
			if packed, err := reply.Pack(); err == nil {
				_, _ = server.WriteTo(packed, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// allow is a site as an allowed host.
func (s *site) allow(name string) string { return name + ":" + s.port() + ",private" }

func answer(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, text)
	}
}

const articlePage = `<!doctype html><html><head><title>Limits of the service</title>
<style>.x{color:red}</style><script>var secretPlan = "nobody reads scripts"</script></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/prices">Prices from 9 euros</a></li></ul></nav>
<article><h1>Limits</h1>
<p>Each account may send
  at most&nbsp;<b>60 requests</b> per minute, and at most 1000 requests per day, counted from midnight in the time zone
of the account. Requests beyond that are answered with the status 429 and are not billed.</p>
<p>The limit is raised on request, for accounts that have paid at least one invoice. The support team answers within
two business days, and needs the number of the account, the reason and the time for which the limit is raised.</p>
<p>Webhooks are retried five times, with a pause that doubles each time, and are given up after that. A webhook that
failed is shown in the console for thirty days, and can be sent again by hand during that time.</p>
<pre>retry:
  attempts: 5</pre></article>
<div hidden>a hidden promise</div><div style="display: none">another hidden promise</div>
<footer>Last changed on 2 March</footer></body></html>`

func TestPagesShowWhatStandsOnThem(t *testing.T) {
	t.Parallel()
	type test struct {
		kind, text, quote string
		verified          bool
		says              string
	}
	for name, c := range map[string]test{
		"article":             {"text/html; charset=utf-8", articlePage, "at most 60 requests per minute, and", true, "found in the main text of the page, read 20"},
		"code of an article":  {"text/html", articlePage, "retry: attempts: 5", true, "main text"},
		"around the article":  {"text/html", articlePage, "Prices from 9 euros", true, "outside of its main text"},
		"title":               {"text/html", articlePage, "Limits of the service", true, "found"},
		"not there":           {"text/html", articlePage, "at most 90 requests per minute, and at most", false, "does not have the quote; its nearest passage is 9"},
		"script":              {"text/html", articlePage, "nobody reads scripts", false, "does not have the quote"},
		"hidden":              {"text/html", articlePage, "another hidden promise", false, "does not have the quote"},
		"no article":          {"text/html", "<p>Up to <i>7</i> at once", "Up to 7 at once", true, "found"},
		"letters of a script": {"text/html", "<p>b&#97;ll&shy;oon", "balloon", true, "found"},
		"text":                {"text/plain", "one\r\nat most 3  \nthree\n", "at most 3\nthree", true, "found on the page"},
		"text, other blanks":  {"text/plain", "at  most 3\n", "at most 3", false, "does not have the quote; its nearest"},
		"json":                {"application/json", `{"limit": 60}`, `"limit": 60`, true, "found on the page"},
		"problem json":        {"application/problem+json", `{"limit": 60}`, `"limit": 60`, true, "found on the page"},
		"markdown":            {"text/markdown; charset=UTF-8", "# Limits\n\n- 60 per minute\n", "- 60 per minute", true, "found on the page"},
		"latin-1":             {"text/html; charset=iso-8859-1", "<p>Die H\xf6chstzahl ist 60", "Die Höchstzahl ist 60", true, "found"},
		"latin-1 in text":     {"text/plain; charset=ISO-8859-1", "H\xf6chstzahl", "Höchstzahl", true, "found"},
		"latin-1 in a meta":   {"text/html", "<meta charset=latin1><p>Die H\xf6chstzahl ist 60", "Höchstzahl", true, "found"},
		"late utf-8":          {"text/html", "<p>" + strings.Repeat("plain ", 500) + "Höchstzahl", "Höchstzahl", true, "found"},
		"utf-16":              {"text/plain", "\xff\xfeH\x00\xf6\x00c\x00h\x00s\x00t\x00", "Höchst", true, "found"},
		"shift jis":           {"text/html; charset=shift_jis", "<p>\x8f\xe3\x8c\xc0\x82\xcd60", "上限は60", true, "found"},
		"no type":             {"", "<html><p>sixty per minute", "sixty per minute", true, "found"},
		"pdf":                 {"application/pdf", pdfFile("At most 60 req-", "uests per minute"), "most 60 requests  per", false, "does not have the quote"},
		"pdf, other blanks":   {"application/pdf", pdfFile("At most  60", "requests per min", "ute"), "At most 60 requests per minute", true, "found in the PDF file, compared without white space"},
		"control characters":  {"text/plain", "a \x1b]0;owned\x07 title\n", "a \x1b]0;owned\x07 title", true, "found"},
		"scripted":            {"text/html", "<script>go()</script><p>Loading", "60 requests per minute", false, "the page shows its text with scripts, which are not run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, answer(c.kind, c.text))
			if c.kind == "" {
				s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header()["Content-Type"] = nil
					_, _ = io.WriteString(w, c.text)
				})
			}
			p := openPages(t, s.allow("docs.test"))
			got := p.Check(t.Context(), "GET "+s.named("docs.test")+"/limits", c.quote)
			unmet := !c.verified && name != "scripted"
			if got.Verified != c.verified || got.Unmet != unmet || !strings.Contains(got.Reason, c.says) {
				t.Fatalf("got %+v", got)
			}
			if got.Verified && (got.Excerpt == "" || got.Digest != ledger.Digest([]byte(c.text))) {
				t.Errorf("the excerpt or the digest is wrong: %+v", got)
			}
			if got.Unmet && (got.Excerpt != "" || strings.Contains(got.Reason, "nearest") && got.Nearest == "") {
				t.Errorf("a refusal without its nearest passage: %+v", got)
			}
		})
	}
}

// pdfFile writes a PDF file with a page for each text. A character outside of ASCII is not for it.
func pdfFile(lines ...string) string { return pdfOf(textStream(lines...), 1) }

// textStream is the contents of a page.
func textStream(lines ...string) string {
	var text strings.Builder
	text.WriteString("BT /F1 12 Tf 72 700 Td ")
	for _, line := range lines {
		fmt.Fprintf(&text, "(%s) Tj T* ", line)
	}
	text.WriteString("ET")
	return fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", text.Len(), text.String())
}

// pdfOf writes a PDF file with one page, whose contents are an object of the caller.
func pdfOf(contents string, pages int) string {
	var out strings.Builder
	out.WriteString("%PDF-1.4\n")
	var at []int
	for i, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>", fmt.Sprintf("<< /Type /Pages /Kids [3 0 R] /Count %d >>", pages),
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		contents, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
	} {
		at = append(at, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return out.String()
}

// What cannot be read whole, or not at all, is neither there nor absent.
func TestPagesThatCannotBeReadAreNotAnswered(t *testing.T) {
	t.Parallel()
	packed := func(text string, times int) string {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		for range times {
			_, _ = io.WriteString(w, text)
		}
		_ = w.Close()
		return out.String()
	}
	encoded := func(encoding, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", encoding)
			_, _ = io.WriteString(w, text)
		}
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "the quote", code) }
	}
	endless := func(first string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Length", fmt.Sprint(10<<30))
			_, _ = io.WriteString(w, first)
			block := strings.Repeat("0123456789abcde\n", 4<<10)
			for {
				if _, err := io.WriteString(w, block); err != nil {
					return
				}
			}
		}
	}
	raw := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}
	for name, c := range map[string]struct {
		serve    http.HandlerFunc
		verified bool
		says     string
	}{
		"404":                {status(404), false, "the server answered 404 Not Found"},
		"500":                {status(500), false, "the server answered 500"},
		"204":                {status(204), false, "the server answered 204"},
		"304":                {status(304), false, "the server answered 304"},
		"101":                {raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nthe quote"), false, "the server answered 101"},
		"control in status":  {raw("HTTP/1.1 404 \x1b[31mNo\r\n\r\n"), false, "the server answered 404 \\x1b[31mNo"},
		"no HTTP":            {raw("SSH-2.0-OpenSSH\r\n"), false, "did not answer"},
		"nothing":            {raw(""), false, "did not answer"},
		"huge header":        {raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 100<<10) + "\r\n\r\nthe quote"), false, "did not answer"},
		"short":              {raw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 900\r\n\r\nthe quote"), false, "ended before all of it was sent"},
		"two lengths":        {raw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\nContent-Length: 9\r\n\r\nthe quote"), false, "did not answer"},
		"damaged chunks":     {raw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nthe quote"), false, "cannot be read"},
		"image":              {answer("image/png", "the quote"), false, "its type is image/png, which is not read"},
		"octets":             {answer("application/octet-stream", "the quote"), false, "its type is application/octet-stream"},
		"damaged type":       {answer(";;x", "the quote"), false, "its type is"},
		"binary text":        {answer("text/plain", "the quote\x00"), false, "said to be text, but it is binary"},
		"empty":              {answer("text/html", "<p> </p>"), false, "the page has no text"},
		"only a script":      {answer("text/html", "<script>show()</script>"), false, "no text without its scripts, which are not run"},
		"unknown set":        {answer("text/plain; charset=iso-2022-kr", "the quote"), false, "character set replacement is not read"},
		"deep":               {answer("text/html", strings.Repeat("<b><div>", 90_000)+"the quote"), false, "the HTML cannot be read"},
		"brotli":             {encoded("br", "the quote"), false, "it is encoded as br, which is not read"},
		"twice packed":       {encoded("gzip, gzip", packed(packed("the quote", 1), 1)), false, "it is encoded as gzip, gzip"},
		"not packed":         {encoded("gzip", "the quote as it is"), false, "the answer cannot be read"},
		"cut while packed":   {encoded("gzip", packed(strings.Repeat("the quote", 100), 100)[:60]), false, "ended before all of it was sent"},
		"packed":             {encoded("gzip", packed("the quote", 1)), true, "found on the page"},
		"bomb, quote inside": {encoded("gzip", packed("the quote"+strings.Repeat("\n", 1<<20), 200)), true, "only the first 2 MiB were read"},
		"bomb":               {encoded("gzip", packed(strings.Repeat("bomb\n", 1<<18), 200)), false, "does not have the quote"},
		"10 GB":              {endless(""), false, "only the first 2 MiB were read"},
		"10 GB, quote first": {endless("the quote\n"), true, "only the first 2 MiB were read"},
		"pdf, damaged":       {answer("application/pdf", "%PDF-1.4\nthe quote"), false, "the PDF file cannot be read: it is damaged"},
		"pdf, no text":       {answer("application/pdf", pdfFile()), false, "the PDF file cannot be read: it has no text"},
		"pdf, cut":           {answer("application/pdf", pdfFile("the end")[:400]), false, "the PDF file cannot be read: it is damaged"},
		"pdf, too large":     {answer("application/pdf", "%PDF-1.4\n"+strings.Repeat(" ", maxPage)), false, "a PDF file of more than 2 MiB"},
		"pdf, many pages":    {answer("application/pdf", pdfOf(textStream("the quote"), 9_999_999)), true, "not all of the PDF file could be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, c.serve)
			p := openPages(t, s.allow("docs.test"))
			got := p.Check(t.Context(), "GET "+s.named("docs.test"), "the quote")
			if got.Verified != c.verified || got.Unmet || !strings.Contains(got.Reason, c.says) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A server that sends a byte now and then is given up when the time of the check is over.
func TestPagesEndWithTheirTime(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(w http.ResponseWriter, done <-chan struct{}){
		"drip": func(w http.ResponseWriter, done <-chan struct{}) {
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := io.WriteString(w, " "); err != nil || http.NewResponseController(w).Flush() != nil {
					return
				}
			}
		},
		"silence": func(_ http.ResponseWriter, done <-chan struct{}) { <-done },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started := make(chan struct{}, 1)
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/plain")
				started <- struct{}{}
				if name == "drip" {
					_, _ = io.WriteString(w, "x")
					_ = http.NewResponseController(w).Flush()
					<-r.Context().Done()
					return
				}
				serve(w, r.Context().Done())
			})
			p := openPages(t, s.allow("docs.test"))
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-started
				cancel(errors.New("time is up"))
			}()
			got := p.Check(ctx, "GET "+s.named("docs.test"), "the quote")
			if got.Verified || got.Unmet || !strings.Contains(got.Reason, "did not finish") {
				t.Errorf("got %+v", got)
			}
			if len(p.visits) != 0 {
				t.Error("what was stopped is kept as an answer")
			}
		})
	}
}

func TestPagesFollowRedirectsToAllowedHostsOnly(t *testing.T) {
	t.Parallel()
	other := newSite(t, answer("text/plain", "the quote"))
	for name, c := range map[string]struct {
		to       func(r *http.Request, own *site) string
		verified bool
		says     string
	}{
		"same host": {func(*http.Request, *site) string { return "/end?token=none" }, true, "; redirected to http://docs.test"},
		"four times": {func(r *http.Request, _ *site) string {
			return map[bool]string{true: "/end", false: r.URL.Path + "x"}[len(r.URL.Path) > 4]
		}, true, "redirected to"},
		"loop":       {func(*http.Request, *site) string { return "/" }, false, "it redirects more than 5 times"},
		"other host": {func(_ *http.Request, own *site) string { return own.named("evil.test") + "/end" }, false, "evil.test:PORT is not an allowed host: allow it with --allow-host evil.test:PORT"},
		"allowed":    {func(*http.Request, *site) string { return other.named("second.test") }, true, "; redirected to http://second.test"},
		"private":    {func(_ *http.Request, own *site) string { return own.named("open.test") + "/end" }, false, "open.test has the address 127.0.0.1, which is an address of this machine: allow it with --allow-host open.test:PORT,private"},
		"address":    {func(_ *http.Request, own *site) string { return "http://127.1:" + own.port() + "/end" }, false, "127.0.0.1:PORT is not an allowed host"},
		"metadata":   {func(*http.Request, *site) string { return "http://169.254.169.254/latest" }, false, "169.254.169.254 is not an allowed host"},
		"file":       {func(*http.Request, *site) string { return "file:///etc/passwd" }, false, "only http and https are fetched, not file"},
		"password":   {func(_ *http.Request, own *site) string { return "http://me:pw@docs.test:" + own.port() + "/end" }, false, "user name or password"},
		"nowhere":    {func(*http.Request, *site) string { return "" }, false, "without a place"},
		"damaged":    {func(*http.Request, *site) string { return "http://[::1" }, false, "without a place"},
		"long":       {func(*http.Request, *site) string { return "/" + strings.Repeat("x", 3000) }, false, "longer than 2048 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var own *site
			own = newSite(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/end" {
					answer("text/plain", "the quote")(w, r)
					return
				}
				w.Header()["Location"] = []string{c.to(r, own)}
				w.WriteHeader(http.StatusFound)
			})
			p := openPages(t, own.allow("docs.test"), other.allow("second.test"), "open.test:"+own.port())
			got := p.Check(t.Context(), "GET "+own.named("docs.test")+"/", "the quote")
			says := strings.ReplaceAll(c.says, "PORT", own.port())
			if got.Verified != c.verified || got.Unmet || !strings.Contains(got.Reason, says) {
				t.Errorf("got %+v", got)
			}
			if referer := own.last.Load().Referer(); referer != "" {
				t.Errorf("the server was told the page before: %s", referer)
			}
		})
	}
}

// A page that came over https does not lead to one that anybody on the way can change.
func TestPagesDoNotLeaveHTTPS(t *testing.T) {
	t.Parallel()
	plain := newSite(t, answer("text/plain", "the quote"))
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			http.Redirect(w, r, plain.named("example.com"), http.StatusMovedPermanently)
			return
		}
		answer("text/plain", "the quote")(w, r)
	}))
	t.Cleanup(secure.Close)
	at, err := url.Parse(secure.URL)
	if err != nil {
		t.Fatal(err)
	}
	p := openPages(t, "example.com:"+at.Port()+",private", plain.allow("example.com"))
	if got := p.Check(t.Context(), "GET https://example.com:"+at.Port(), "the quote"); got.Verified ||
		!strings.Contains(got.Reason, "certificate") {
		t.Errorf("a certificate of an unknown authority: %+v", got)
	}
	p = openPages(t, "example.com:"+at.Port()+",private", plain.allow("example.com"))
	authorities := x509.NewCertPool()
	authorities.AddCert(secure.Certificate())
	p.roots = &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}
	if got := p.Check(t.Context(), "GET https://example.com:"+at.Port(), "the quote"); !got.Verified {
		t.Errorf("over https: %+v", got)
	}
	got := p.Check(t.Context(), "GET https://example.com:"+at.Port()+"/down", "the quote")
	if got.Verified || !strings.Contains(got.Reason, "redirects from https to http") || plain.hits.Load() > 0 {
		t.Errorf("to http: %+v", got)
	}
}

func TestAddressesThatAreNotPublic(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.9.10", "169.254.169.254",
		"172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
		"198.51.100.1", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "192.88.99.1",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a00:1",
		"64:ff9b:1::808:808", "64:ff9b:1:fffe::1", "2002:7f00:1::", "2002:808:808::1", "2001::1", "2001:0:7f00:1::1",
		"2001:2::1", "2001:10::1", "2001:db8::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0",
		"fec0::1", "ff02::1", "100::1", "5f00::1", "4000::1", "2606:4700::1111%eth0", "2606:4700::1111%1",
		"::ffff:169.254.169.254%eth0",
	} {
		if notPublic(netip.MustParseAddr(address)) == "" {
			t.Errorf("%s counts as public", address)
		}
		at := netip.AddrPortFrom(netip.MustParseAddr(address), 80).String()
		if err := reachable(ledger.Host{Name: "x"}, at); err == nil {
			t.Errorf("%s is reached", at)
		}
		if err := reachable(ledger.Host{Name: "x", Private: true}, at); err != nil {
			t.Errorf("%s is refused although the user allowed it: %v", at, err)
		}
	}
	for _, address := range []string{
		"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "192.0.3.1", "198.17.0.1",
		"198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "64:ff9b::808:808", "::ffff:8.8.8.8",
	} {
		if class := notPublic(netip.MustParseAddr(address)); class != "" {
			t.Errorf("%s is %s", address, class)
		}
	}
}

// A name means what it means when the connection is made.
func TestANameThatChangesReachesNothingPrivate(t *testing.T) {
	t.Parallel()
	s := newSite(t, answer("text/plain", "the quote"))
	p := openPages(t, "docs.test:"+s.port(), "own.test:"+s.port()+",private")
	var asked atomic.Int64
	p.resolver = names(t, func(string) [4]byte {
		// The address of documentation is never reached either.
		if asked.Add(1) == 1 {
			return [4]byte{192, 0, 2, 1}
		}
		return [4]byte{127, 0, 0, 1}
	})
	for i, class := range []string{"192.0.2.1, which is an address for documentation", "127.0.0.1, which is an address of this machine"} {
		got := p.Check(t.Context(), fmt.Sprintf("GET %s/%d", s.named("docs.test"), i), "the quote")
		if got.Verified || got.Unmet || !strings.Contains(got.Reason, class) {
			t.Errorf("got %+v", got)
		}
	}
	if s.hits.Load() > 0 {
		t.Fatal("the server of this machine was asked")
	}
	if got := p.Check(t.Context(), "GET "+s.named("own.test"), "the quote"); !got.Verified {
		t.Errorf("what the user allowed is refused: %+v", got)
	}
}

func TestURLsThatAreNotFetched(t *testing.T) {
	t.Parallel()
	s := newSite(t, answer("text/plain", "the quote"))
	token := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	for text, says := range map[string]string{
		"http://other.test/":                                   "other.test is not an allowed host: allow it with --allow-host other.test",
		"http://docs.test/":                                    "docs.test is not an allowed host",
		"http://sub.docs.test:PORT/":                           "sub.docs.test:PORT is not an allowed host",
		"http://docs.test:1/":                                  "docs.test:1 is not an allowed host: allow it with --allow-host docs.test:1",
		"http://docs.test.evil.test:PORT/":                     "docs.test.evil.test:PORT is not an allowed host",
		"http://me@docs.test:PORT/":                            "user name or password",
		"http://me:pw@docs.test:PORT/":                         "",
		"http://docs.test:PORT@evil.test/":                     "seems to hold a secret",
		`http://evil.test\@docs.test:PORT/`:                    "",
		"ftp://docs.test:PORT/":                                "only http and https are fetched, not ftp",
		"file:///etc/passwd":                                   "",
		"docs.test:PORT/limits":                                "",
		"":                                                     "GET needs a URL without blanks: GET https://docs.example.com/path",
		"http://docs.test:PORT/a b":                            "without blanks",
		"http://docs.test:PORT/\x00":                           "without blanks",
		"http://docs.test:PORT/?k=" + token:                    "seems to hold a secret",
		"http://docs.test:PORT/?password=hunter22x":            "seems to hold a secret",
		"http://docs.test:PORT/?k=ghp%5F" + token[4:]:          "seems to hold a secret",
		"http://docs.test:PORT/" + strings.Repeat("x", maxURL): "longer than 2048 bytes",
		"http://0x7f.1:PORT/":                                  "127.0.0.1:PORT is not an allowed host",
		"http://2130706433:PORT/":                              "127.0.0.1:PORT is not an allowed host",
		"http://017700000001:PORT/":                            "127.0.0.1:PORT is not an allowed host",
		"http://[::ffff:127.0.0.1]:PORT/":                      "127.0.0.1:PORT is not an allowed host",
		"http://[::1]:PORT/":                                   "[::1]:PORT is not an allowed host",
		"http://[fe80::1%25eth0]:PORT/":                        "names a network interface",
		"http://1.2.3.4.5:PORT/":                               "is not the name of a host",
		"http://docs.test:99999/":                              "is not a port",
	} {
		p := openPages(t, s.allow("docs.test"))
		got := p.Check(t.Context(), "GET "+strings.ReplaceAll(text, "PORT", s.port()), "the quote")
		if got.Verified || got.Unmet || !strings.Contains(got.Reason, strings.ReplaceAll(says, "PORT", s.port())) {
			t.Errorf("%s: got %+v", text, got)
		}
		if strings.Contains(got.Reference+got.Reason, token[5:]) || strings.Contains(got.Reference, "hunter22x") {
			t.Errorf("%s: the secret is in the finding: %+v", text, got)
		}
	}
	if s.hits.Load() > 0 {
		t.Error("the server was asked")
	}
	for _, text := range []string{
		"<URL>", "`URL`", "[limits](URL)", "URL#part", "http://DOCS.TEST.:PORT/limits", "http://ｄｏｃｓ．test:PORT/limits",
	} {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "URL", s.named("docs.test")+"/limits"), "PORT", s.port())
		p := openPages(t, s.allow("docs.test"))
		got := p.Check(t.Context(), "GET "+text, "the quote")
		if !got.Verified || got.Reference != "GET "+s.named("docs.test")+"/limits" {
			t.Errorf("%s: got %+v", text, got)
		}
	}
	p := openPages(t, s.allow("docs.test"))
	for quote, says := range map[string]string{"": "no quote", "x": "fewer than 3", strings.Repeat("x", MaxQuote+1): "over 16 KiB"} {
		if got := p.Check(t.Context(), "GET "+s.named("docs.test"), quote); got.Verified || !strings.Contains(got.Reason, says) {
			t.Errorf("quote %.10q: got %+v", quote, got)
		}
	}
}

// Nothing goes out but the URL.
func TestPagesSendNothingOfTheUser(t *testing.T) {
	proxied := newSite(t, answer("text/plain", "the quote"))
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
		t.Setenv(name, proxied.URL)
	}
	t.Setenv("OPENAI_API_KEY", "sk-proj-environment")
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "7"})
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/next", http.StatusFound)
			return
		}
		answer("text/plain", "the quote")(w, r)
	})
	p := openPages(t, s.allow("docs.test"))
	if got := p.Check(t.Context(), "GET "+s.named("docs.test")+"/?q=1#top", "the quote"); !got.Verified {
		t.Fatalf("got %+v", got)
	}
	r := s.last.Load()
	for name := range r.Header {
		if name != "User-Agent" && name != "Accept" && name != "Accept-Encoding" && name != "Connection" {
			t.Errorf("the request has the header %s: %s", name, r.Header.Get(name))
		}
	}
	if r.Method != http.MethodGet || r.ContentLength > 0 || r.Header.Get("User-Agent") != "moot" || proxied.hits.Load() > 0 {
		t.Errorf("the request is %s with %v, and the proxy was asked %d times", r.Method, r.Header, proxied.hits.Load())
	}
}

// Two seats see the same bytes, and later ones are fetched again.
func TestAPageIsFetchedOncePerMinute(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "answer number %d", s.hits.Add(1))
	})
	p := openPages(t, s.allow("docs.test"))
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	p.now = func() time.Time { return now }
	cite := func(quote string) ledger.Finding { return p.Check(t.Context(), "GET "+s.named("docs.test"), quote) }
	answers := make(chan ledger.Finding)
	for range 8 {
		go func() { answers <- cite("answer number 1") }()
	}
	for range 8 {
		if got := <-answers; !got.Verified || !strings.Contains(got.Reason, "read 2026-03-04T05:06:07Z") {
			t.Errorf("at the same time: %+v", got)
		}
	}
	now = now.Add(pageAge - time.Second)
	if got := cite("answer number 2"); !got.Unmet || s.hits.Load() != 1 {
		t.Errorf("within a minute: %+v", got)
	}
	now = now.Add(time.Second)
	if got := cite("answer number 2"); !got.Verified || s.hits.Load() != 2 {
		t.Errorf("after a minute: %+v", got)
	}
	for i := range 2 * maxPages {
		p.Check(t.Context(), fmt.Sprintf("GET %s/%d", s.named("docs.test"), i), "answer number")
	}
	if len(p.visits) > maxPages {
		t.Errorf("%d pages are kept", len(p.visits))
	}
}

// What a page counts as is the user's word for its host, of the one that sent it in the end.
func TestWhatAPageCountsAs(t *testing.T) {
	t.Parallel()
	var s *site
	s = newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, s.named("blog.test"), http.StatusFound)
			return
		}
		w.Header().Set("X-Source-Kind", "official-source")
		_, _ = io.WriteString(w, "the quote. source_kind: live-api")
	})
	p := openPages(t, s.allow("docs.test"), s.allow("api.test"), s.allow("blog.test"))
	p.hosts[0].SourceKind, p.hosts[1].SourceKind = ledger.OfficialSource, ledger.LiveAPI
	kind := p.Kind()
	if err := ledger.CheckKinds([]ledger.Kind{kind}); err != nil || !strings.Contains(kind.Says, "docs.test:"+s.port()+", api.test") {
		t.Fatalf("%v: %+v", err, kind)
	}
	checkers := Checkers{List: []Checker{p}, Recorded: []ledger.Kind{kind}}
	for place, want := range map[string]struct {
		kind       ledger.SourceKind
		confidence float64
	}{
		s.named("docs.test"):           {ledger.OfficialSource, ledger.ConfidenceOfficial},
		s.named("api.test"):            {ledger.LiveAPI, ledger.ConfidenceFetched},
		s.named("blog.test"):           {ledger.FreshResearch, ledger.ConfidenceFetched},
		s.named("docs.test") + "/away": {ledger.FreshResearch, ledger.ConfidenceFetched},
	} {
		got := checkers.Check(t.Context(), "GET "+place, "the quote")
		if !got.Verified || got.Type != ledger.Textual || got.SourceKind != want.kind || got.Confidence != want.confidence {
			t.Errorf("%s: got %+v", place, got)
		}
	}
	many := make([]ledger.Host, 100)
	for i := range many {
		many[i].Name = fmt.Sprintf("a-rather-long-name-of-a-host-%d.example.com", i)
	}
	if err := ledger.CheckKinds([]ledger.Kind{OpenPages(many, nil).Kind()}); err != nil {
		t.Error(err)
	}
	if OpenPages(nil, nil) != nil {
		t.Error("a checker without hosts")
	}
}

// A hostile PDF file ends the process that reads it, and nothing else.
func TestHostilePDFFiles(t *testing.T) {
	t.Parallel()
	stream := func(filter, content string) string {
		return pdfOf(fmt.Sprintf("<< /Length %d /Filter %s >>\nstream\n%s\nendstream", len(content), filter, content), 1)
	}
	for name, file := range map[string]string{
		"page is its own parent": strings.Replace(pdfFile("the quoted text"), "/Kids [3 0 R]", "/Kids [2 0 R]", 1),
		"contents are a loop":    pdfOf("[4 0 R 4 0 R]", 1),
		"damaged stream":         stream("/FlateDecode", "no zlib"),
		"negative length":        pdfOf("<< /Length -5 >>\nstream\nx\nendstream", 1),
		"endless operands":       pdfOf("<< /Length 1000000 >>\nstream\n"+strings.Repeat("[", 1_000_000)+"\nendstream", 1),
		"many pages":             pdfOf(textStream("no"), 1<<62),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, answer("application/pdf", file))
			p := openPages(t, s.allow("docs.test"))
			p.pdfTime = time.Second
			if got := p.Check(t.Context(), "GET "+s.named("docs.test"), "the quoted text"); got.Verified || got.Unmet {
				t.Errorf("got %+v", got)
			}
		})
	}
}
