package research

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
)

// Bounds of a page.
const (
	// maxURL is how long a URL may be, and maxPage how much of a page is read, in bytes. Both hold for what is sent as
	// well as for what it unpacks to.
	maxURL  = 2 << 10
	maxPage = 2 << 20
	// maxHeader bounds the header of an answer, in bytes.
	maxHeader    = 64 << 10
	maxRedirects = 5
	// pageTime is how long a page may take with its redirects, and pageAge how long what came is shown again.
	pageTime = 10 * time.Second
	pageAge  = time.Minute
	// maxPages is how many pages are kept for that.
	maxPages = 16
)

// pageMark begins the reference of a page.
const pageMark = "GET"

// Pages checks what stands on a page of a host that the user allowed: GET https://docs.example.com/limits. It sends
// nothing but the URL: no cookies, no credentials, no referer, and no proxy of the environment gets to see it. Where a
// connection leads is checked when it is made, so it does not matter what a name meant before.
type Pages struct {
	hosts []ledger.Host
	// secrets finds what no URL may hold, since a seat chose it, and redactor what no excerpt may; it may be nil.
	secrets, redactor *redact.Redactor
	// helper is the program that reads PDF files, with its arguments; see ReadPDF.
	helper  []string
	pdfTime time.Duration
	now     func() time.Time
	// resolver and roots are nil for those of the system.
	resolver *net.Resolver
	roots    *tls.Config

	mutex  sync.Mutex
	visits map[string]*visit
}

// visit is one fetch of a URL, which all who cite it in the next minute share.
type visit struct {
	at   time.Time
	done chan struct{}
	page *page
	err  error
}

// OpenPages returns the checker for pages of some hosts, or nil without a host.
func OpenPages(hosts []ledger.Host, secrets *redact.Redactor) *Pages {
	if len(hosts) == 0 {
		return nil
	}
	return &Pages{hosts: hosts, secrets: secrets, redactor: secrets, now: time.Now, pdfTime: pdfTime, visits: map[string]*visit{}}
}

// Redact sets what removes secrets from excerpts; nil keeps them.
func (p *Pages) Redact(redactor *redact.Redactor) { p.redactor = redactor }

// ReadPDF sets the program that reads PDF files. Its main function calls MainPDF if IsPDFHelper says so.
func (p *Pages) ReadPDF(program string) { p.helper = []string{program, pdfArgument} }

// Kind describes references to pages. It names the hosts, since a seat cannot know them otherwise.
func (p *Pages) Kind() ledger.Kind {
	const most = 500
	says := `To show what stands on a web page, cite GET and its URL, with a text of the page as quote: reference ` +
		`"GET https://%s/limits", quote "at most 60 requests per minute". Put nothing private into a URL. Only pages of ` +
		`these hosts can be read: %s.`
	names := ""
	for i, h := range p.hosts {
		if len(names)+len(h.Address()) > most {
			names += fmt.Sprintf(" and %d more", len(p.hosts)-i)
			break
		}
		if i > 0 {
			names += ", "
		}
		names += h.Address()
	}
	var also []string
	for _, kind := range ledger.HostSources() {
		if slices.ContainsFunc(p.hosts, func(h ledger.Host) bool { return h.SourceKind == kind }) {
			also = append(also, string(kind))
		}
	}
	return ledger.Kind{
		Name: "page", Marks: pageMark, Also: strings.Join(also, " "),
		Type: ledger.Textual, SourceKind: ledger.FreshResearch, Confidence: ledger.ConfidenceFetched,
		Says: fmt.Sprintf(says, cut(p.hosts[0].Address(), most), names),
	}
}

// Check fetches a page and looks for the quote on it.
func (p *Pages) Check(ctx context.Context, reference, quote string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference)}
	target, err := p.address(reference)
	if err != nil {
		if _, is := errors.AsType[*secretError](err); is {
			finding.Reference = pageMark + " " + redact.Mark("a URL that seems to hold a secret")
		}
		finding.Reason = err.Error()
		return finding
	}
	finding.Reference = pageMark + " " + target.String()
	quoted, refused := newQuotation(quote)
	switch {
	case refused != "":
		finding.Reason = refused + ": a citation of a page needs a text that stands on it"
		return finding
	case quoted.short:
		finding.Reason = fmt.Sprintf("the quote has fewer than %d visible characters: quote more of the page", MinQuote)
		return finding
	}
	page, err := p.get(ctx, target)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	finding.Digest = page.digest
	page.look(ctx, quoted, &finding)
	if finding.Verified || finding.Unmet {
		finding.SourceKind = page.host.SourceKind
	}
	return finding
}

// address reads a reference, and refuses a URL that must not be fetched. It returns it without a fragment, which
// servers do not get.
func (p *Pages) address(reference string) (*url.URL, error) {
	_, rest, _ := strings.Cut(strings.TrimSpace(reference), pageMark)
	rest = strings.TrimSpace(rest)
	if _, link, ok := strings.Cut(rest, "]("); ok && strings.HasPrefix(rest, "[") {
		rest = strings.TrimSuffix(link, ")")
	}
	rest = strings.Trim(rest, "<>`\"'")
	if len(rest) > maxURL {
		return nil, fmt.Errorf("the URL is longer than %d bytes", maxURL)
	}
	if p.secrets != nil {
		// A secret may be written with %41 for A.
		forms := []string{rest}
		if decoded, err := url.QueryUnescape(rest); err == nil {
			forms = append(forms, decoded)
		}
		for _, form := range forms {
			if kept, found := p.secrets.Text(form); kept != form {
				return nil, &secretError{found}
			}
		}
	}
	target, err := url.Parse(rest)
	if err != nil || target.Host == "" || strings.ContainsFunc(rest, func(c rune) bool { return c <= ' ' }) {
		return nil, errors.New("GET needs a URL without blanks: GET https://docs.example.com/path")
	}
	target.Fragment, target.RawFragment = "", ""
	_, err = p.permit(target)
	return target, err
}

// Refuses says why the page of a reference is not fetched, or returns "". A nil checker has no allowed host.
func (p *Pages) Refuses(reference string) string {
	if p == nil {
		p = &Pages{}
	}
	if _, err := p.address(reference); err != nil {
		return err.Error()
	}
	return ""
}

// secretError refuses a URL that is not to be sent or shown.
type secretError struct{ found []redact.Finding }

func (e *secretError) Error() string {
	reasons := lists.Map(e.found, func(f redact.Finding) string { return f.Reason })
	return fmt.Sprintf("the URL is not fetched, since it seems to hold a secret (%s)", strings.Join(reasons, ", "))
}

// permit returns the allowed host of a URL, and writes its name as it is compared. It refuses others.
func (p *Pages) permit(target *url.URL) (ledger.Host, error) {
	switch {
	case target.Scheme != "http" && target.Scheme != "https":
		return ledger.Host{}, fmt.Errorf("only http and https are fetched, not %s", shown(target.Scheme))
	case target.User != nil:
		return ledger.Host{}, errors.New("a URL with a user name or password is not fetched")
	}
	named, err := ledger.HostOf(target)
	if err != nil {
		return named, err
	}
	target.Host = named.Address()
	if named.Port == 0 && strings.Contains(named.Name, ":") {
		target.Host = "[" + named.Name + "]"
	}
	i := slices.IndexFunc(p.hosts, func(h ledger.Host) bool { return h.Name == named.Name && h.Port == named.Port })
	if i < 0 {
		return named, fmt.Errorf("%s is not an allowed host: allow it with --allow-host %[1]s", named.Address())
	}
	return p.hosts[i], nil
}

// shown makes what a server or a seat wrote fit a reason.
func shown(text string) string { return plain.Clip(plain.Line(text), 100) }

// get returns what a URL shows, as it was fetched in the last minute or is fetched now.
func (p *Pages) get(ctx context.Context, target *url.URL) (*page, error) {
	key := target.String()
	for {
		p.mutex.Lock()
		v := p.visits[key]
		if v != nil && p.now().Sub(v.at) < pageAge {
			p.mutex.Unlock()
			select {
			case <-v.done:
			case <-ctx.Done():
				return nil, errors.New(ended(ctx.Err()))
			}
			if v.page != nil || v.err != nil {
				return v.page, v.err
			}
			continue // Whoever fetched it was stopped.
		}
		v = &visit{at: p.now(), done: make(chan struct{})}
		p.keep(key, v)
		p.mutex.Unlock()
		func() {
			defer close(v.done)
			// A panic leaves neither page nor error, and the next one fetches the page again.
			defer func() {
				if ctx.Err() != nil || v.page == nil && v.err == nil {
					p.forget(key, v)
				}
			}()
			page, err := p.fetch(ctx, target)
			if ctx.Err() == nil {
				v.page, v.err = page, err
			}
		}()
		if v.page == nil && v.err == nil {
			return nil, errors.New(ended(ctx.Err()))
		}
		return v.page, v.err
	}
}

// keep adds a visit, in place of the oldest one if there are many. The caller holds the mutex.
func (p *Pages) keep(key string, v *visit) {
	p.visits[key] = v
	for len(p.visits) > maxPages {
		oldest := key
		for other, w := range p.visits {
			if w.at.Before(p.visits[oldest].at) || oldest == key {
				oldest = other
			}
		}
		delete(p.visits, oldest)
	}
}

func (p *Pages) forget(key string, v *visit) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.visits[key] == v {
		delete(p.visits, key)
	}
}

// fetch asks for a URL and follows its redirects. The error is the reason of a refusal.
func (p *Pages) fetch(ctx context.Context, target *url.URL) (*page, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, pageTime, fmt.Errorf("the page took longer than %s", pageTime))
	defer cancel()
	for hops := 0; ; hops++ {
		host, err := p.permit(target)
		if err != nil {
			return nil, fmt.Errorf("it redirects to another page: %w", err)
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), http.NoBody)
		if err != nil {
			return nil, errors.New("the URL cannot be asked for: " + shown(err.Error()))
		}
		request.Header = http.Header{
			"User-Agent": {"moot"}, "Accept-Encoding": {"gzip"},
			"Accept": {"text/html, text/markdown, text/plain, application/json, application/pdf, */*;q=0.1"},
		}
		// It is used once: nothing of one page reaches the next.
		transport := &http.Transport{
			DialContext: p.dialer(host).DialContext, TLSClientConfig: p.roots.Clone(), DisableKeepAlives: true,
			DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
		}
		response, err := transport.RoundTrip(request)
		if err != nil {
			return nil, p.failed(ctx, host, err)
		}
		next, err := redirected(target, response)
		switch {
		case err != nil:
			return nil, errors.Join(err, response.Body.Close())
		case next == nil:
			page, err := p.read(ctx, host, target, response)
			if page != nil && hops > 0 {
				page.note += "; redirected to " + p.clean(target.String())
			}
			_ = response.Body.Close() // What was read of it is all that counts.
			return page, err
		case hops == maxRedirects:
			_ = response.Body.Close()
			return nil, fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		_ = response.Body.Close()
		target = next
	}
}

// redirected returns where an answer redirects to, or nil.
func redirected(from *url.URL, response *http.Response) (*url.URL, error) {
	switch response.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
	default:
		return nil, nil //nolint:nilnil // It is no redirect.
	}
	place := response.Header.Get("Location")
	next, err := from.Parse(place)
	switch {
	case err != nil || place == "":
		return nil, errors.New("it redirects without a place that can be read: " + shown(response.Status))
	case len(place) > maxURL:
		return nil, fmt.Errorf("it redirects to a URL that is longer than %d bytes", maxURL)
	case from.Scheme == "https" && next.Scheme == "http":
		return nil, errors.New("it redirects from https to http")
	}
	next.Fragment, next.RawFragment = "", ""
	return next, nil
}

// failed puts into words why there is no answer.
func (p *Pages) failed(ctx context.Context, host ledger.Host, err error) error {
	if private, is := errors.AsType[*notPublicError](err); is {
		return private
	}
	if ctx.Err() != nil {
		return errors.New(ended(context.Cause(ctx)))
	}
	if unknown, is := errors.AsType[*net.DNSError](err); is && unknown.IsNotFound {
		return fmt.Errorf("there is no host %s", host.Name)
	}
	return fmt.Errorf("%s did not answer: %s", host.Address(), shown(err.Error()))
}

// dialer connects to a host, at addresses that it may have. They are checked between the lookup of the name and the
// connection.
func (p *Pages) dialer(host ledger.Host) *net.Dialer {
	return &net.Dialer{
		Resolver: p.resolver,
		Control:  func(_, resolved string, _ syscall.RawConn) error { return reachable(host, resolved) },
	}
}

// notPublicError refuses an address that only a host that is allowed as private may have.
type notPublicError struct {
	host    ledger.Host
	address netip.Addr
	class   string
}

func (e *notPublicError) Error() string {
	host := e.host
	host.Private = true
	return fmt.Sprintf("%s has the address %s, which is %s: allow it with --allow-host %s", e.host.Name, e.address, e.class,
		host)
}

// reachable refuses an address that a host may not have.
func reachable(host ledger.Host, resolved string) error {
	at, err := netip.ParseAddrPort(resolved)
	if err != nil {
		return fmt.Errorf("%s is no address: %w", resolved, err)
	}
	if class := notPublic(at.Addr()); class != "" && !host.Private {
		return &notPublicError{host, at.Addr(), class}
	}
	return nil
}

// network is a range of addresses that are not on the public internet.
type network struct{ prefix, class string }

// networks4 and networks6 are those of IPv4 and IPv6. Outside of 2000::/3, no address of IPv6 is public.
var (
	networks4 = []network{ //nolint:gochecknoglobals // a table
		{"0.0.0.0/8", "an unspecified address"},
		{"10.0.0.0/8", "a private address"},
		{"100.64.0.0/10", "an address of a shared network"},
		{"127.0.0.0/8", "an address of this machine"},
		{"169.254.0.0/16", "a link-local address"},
		{"172.16.0.0/12", "a private address"},
		{"192.0.0.0/24", "a reserved address"},
		{"192.0.2.0/24", "an address for documentation"},
		{"192.31.196.0/24", "a reserved address"},
		{"192.52.193.0/24", "a reserved address"},
		{"192.88.99.0/24", "a reserved address"},
		{"192.168.0.0/16", "a private address"},
		{"192.175.48.0/24", "a reserved address"},
		{"198.18.0.0/15", "an address for benchmarks"},
		{"198.51.100.0/24", "an address for documentation"},
		{"203.0.113.0/24", "an address for documentation"},
		{"224.0.0.0/4", "a multicast address"},
		{"255.255.255.255/32", "the broadcast address"},
		{"240.0.0.0/4", "a reserved address"},
	}
	networks6 = []network{ //nolint:gochecknoglobals // a table
		{"::/128", "an unspecified address"},
		{"::1/128", "an address of this machine"},
		{"64:ff9b:1::/48", "an address of a local translator"},
		{"fc00::/7", "a private address"},
		{"fe80::/10", "a link-local address"},
		{"fec0::/10", "a private address"},
		{"ff00::/8", "a multicast address"},
		{"2001::/32", "an address of a tunnel"},
		{"2001:2::/48", "an address for benchmarks"},
		{"2001::/23", "a reserved address"},
		{"2001:db8::/32", "an address for documentation"},
		{"2002::/16", "an address of a tunnel"},
		{"3fff::/20", "an address for documentation"},
	}
)

// notPublic says which class an address belongs to that is not on the public internet, or returns "".
func notPublic(addr netip.Addr) string {
	zoned := addr.Zone() != ""
	addr = addr.WithZone("").Unmap()
	if netip.MustParsePrefix("64:ff9b::/96").Contains(addr) {
		// A translator makes it the IPv4 address at its end.
		bytes := addr.As16()
		addr = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	table := networks6
	if addr.Is4() {
		table = networks4
	}
	for _, n := range table {
		if netip.MustParsePrefix(n.prefix).Contains(addr) {
			return n.class
		}
	}
	switch {
	case zoned:
		return "an address of one network interface"
	case !addr.Is4() && !netip.MustParsePrefix("2000::/3").Contains(addr):
		return "a reserved address"
	}
	return ""
}

// read reads an answer into a page.
func (p *Pages) read(ctx context.Context, host ledger.Host, from *url.URL, response *http.Response) (*page, error) {
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %s", shown(response.Status))
	}
	var body io.Reader = response.Body
	sent := &countingReader{from: body, most: maxPage}
	switch encoding := strings.ToLower(strings.Join(response.Header.Values("Content-Encoding"), ", ")); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(sent)
		if err != nil {
			return nil, p.unread(ctx, err)
		}
		body = unpacked
	default:
		return nil, fmt.Errorf("it is encoded as %s, which is not read", shown(encoding))
	}
	var text bytes.Buffer
	_, err := text.ReadFrom(io.LimitReader(body, maxPage+1))
	page := &page{host: host, at: p.now().UTC().Truncate(time.Second), cut: sent.over || text.Len() > maxPage}
	page.part = page.cut
	if err != nil && !sent.over {
		return nil, p.unread(ctx, err)
	}
	content := text.Bytes()[:min(text.Len(), maxPage)]
	page.digest = ledger.Digest(content)
	if err := p.texts(ctx, page, content, response.Header.Get("Content-Type"), from); err != nil {
		return nil, err
	}
	return page, nil
}

// unread puts into words why an answer ended early.
func (p *Pages) unread(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return errors.New(ended(context.Cause(ctx)))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the answer ended before all of it was sent")
	}
	return errors.New("the answer cannot be read: " + shown(err.Error()))
}

// countingReader ends after some bytes, and says whether there were more.
type countingReader struct {
	from io.Reader
	most int
	over bool
}

func (r *countingReader) Read(into []byte) (int, error) {
	if r.most == 0 {
		if n, err := r.from.Read(make([]byte, 1)); n == 0 {
			return 0, err
		}
		r.over = true
		return 0, io.ErrUnexpectedEOF
	}
	n, err := r.from.Read(into[:min(len(into), r.most)])
	r.most -= n
	return n, err
}
