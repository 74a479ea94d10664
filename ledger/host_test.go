package ledger

import (
	"net/url"
	"strings"
	"testing"
)

func TestHostsAreReadInEverySpelling(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Host{
		"docs.example.com":       {Name: "docs.example.com"},
		" Docs.Example.COM. ":    {Name: "docs.example.com"},
		"docs.example.com:8443":  {Name: "docs.example.com", Port: 8443},
		"wiki.lan,private":       {Name: "wiki.lan", Private: true},
		"wiki.lan:8080, private": {Name: "wiki.lan", Port: 8080, Private: true},
		"my_host":                {Name: "my_host"},
		"bücher.example":         {Name: "xn--bcher-kva.example"},
		"BÜCHER。example":         {Name: "xn--bcher-kva.example"},
		"xn--bcher-kva.example":  {Name: "xn--bcher-kva.example"},
		"1e100.net":              {Name: "1e100.net"},
		"127.0.0.1":              {Name: "127.0.0.1"},
		"127.1":                  {Name: "127.0.0.1"},
		"0x7f.1":                 {Name: "127.0.0.1"},
		"0X7F.0.0.1.":            {Name: "127.0.0.1"},
		"0177.0.0.01":            {Name: "127.0.0.1"},
		"2130706433":             {Name: "127.0.0.1"},
		"１２７．０．０．１":              {Name: "127.0.0.1"},
		"0":                      {Name: "0.0.0.0"},
		"::ffff:127.0.0.1":       {Name: "127.0.0.1"},
		"[::ffff:7f00:1]:80":     {Name: "127.0.0.1", Port: 80},
		"::1":                    {Name: "::1"},
		"[::1]":                  {Name: "::1"},
		"[0:0::1]:8080,private":  {Name: "::1", Port: 8080, Private: true},
		"2001:DB8:0:0::1":        {Name: "2001:db8::1"},
	} {
		got, err := ParseHost(text)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
			continue
		}
		if again, err := ParseHost(got.String()); err != nil || again != got || CheckHosts([]Host{got}) != nil {
			t.Errorf("%s is written as %s, which is read as %+v, %v", text, got, again, err)
		}
	}
	for text, says := range map[string]string{
		"": "is not the name", ",private": "is not the name", ".": "is not the name", "a..b": "is not the name", "a b": "is not the name",
		"*.example.com": "is not the name", "https://example.com": "write only the name", "example.com/docs": "write only the name",
		"me@example.com": "is not the name", "example.com,public": "is unknown after the name", "example.com,": "is unknown after the name",
		"example.com:0": "is not a port", "example.com:65536": "is not a port", "example.com:http": "is not a port", "example.com:": "is not a port",
		"fe80::1%eth0": "names a network interface", "1.2.3.4.5": "is not the name", "256.1.1.1": "is not the name",
		"4294967296": "is not the name", "1.2.3.08": "is not the name", "0x7g.1": "is not the name", "\x00": "is not the name",
		strings.Repeat("a", 64) + ".example": "is not the name", "exa\u202emple.com": "is not the name",
	} {
		if got, err := ParseHost(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %+v, %v, want an error with %q", text, got, err, says)
		}
	}
}

func TestTheHostOfAURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://docs.example.com/a": "docs.example.com", "https://docs.example.com:443": "docs.example.com",
		"http://docs.example.com:80": "docs.example.com", "http://docs.example.com:443": "docs.example.com:443",
		"https://[::1]:80/": "[::1]:80", "http://[::ffff:127.0.0.1]/": "127.0.0.1", "http://0x7f000001:8080": "127.0.0.1:8080",
	} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := HostOf(u); err != nil || got.Address() != want {
			t.Errorf("%s: got %s, %v, want %s", text, got.Address(), err, want)
		}
	}
}

// A session file may come from anyone: it allows nothing that a user could not.
func TestRecordedHostsAreChecked(t *testing.T) {
	t.Parallel()
	for _, h := range []Host{
		{}, {Name: "Example.com"}, {Name: "0x7f.1"}, {Name: "bücher.example"}, {Name: "a.test", Port: -1},
		{Name: "a.test", Port: 70000}, {Name: "a.test:80"}, {Name: "a.test,private"}, {Name: "a.test", SourceKind: UserOverride},
		{Name: "a.test", SourceKind: "official"}, {Name: "::ffff:10.0.0.1"},
	} {
		if CheckHosts([]Host{h}) == nil {
			t.Errorf("%+v is taken", h)
		}
	}
	if CheckHosts(make([]Host, maxHosts+1)) == nil {
		t.Error("any number of hosts is taken")
	}
	if err := CheckHosts([]Host{{Name: "a.test", Port: 8080, Private: true, SourceKind: OfficialSource}}); err != nil {
		t.Error(err)
	}
}
