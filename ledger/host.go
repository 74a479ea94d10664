package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Host is a host that the user allowed, so that seats may cite its pages.
type Host struct {
	// Name is an ASCII name in lower case without a dot at its end, or an IP address in its usual spelling.
	Name string `json:"name"`
	// Port is the only port that is asked, or 0 for the default port of http and https.
	Port int `json:"port,omitempty"`
	// Private permits addresses that are not on the public internet.
	Private bool `json:"private,omitempty"`
	// SourceKind is set by the user: OfficialSource, LiveAPI, or "" for FreshResearch.
	SourceKind SourceKind `json:"source_kind,omitempty"`
}

// HostSources are the source kinds that the user may give to the pages of a host.
func HostSources() []SourceKind { return []SourceKind{OfficialSource, LiveAPI} }

const (
	// maxHosts is how many hosts a session may allow.
	maxHosts = 100
	maxPort  = 65535
	private  = "private"
)

// ParseHost reads NAME, NAME:PORT and NAME,private. An IPv6 address with a port is in brackets.
func ParseHost(text string) (h Host, err error) {
	name, option, more := strings.Cut(strings.TrimSpace(text), ",")
	if h.Private = more; more && strings.TrimSpace(option) != private {
		return Host{}, fmt.Errorf("%s is unknown after the name of a host: write NAME or NAME,private", quoted(option))
	}
	name = strings.TrimSpace(name)
	if strings.Contains(name, "/") {
		return Host{}, fmt.Errorf("%s is not the name of a host: write only the name, as in docs.example.com", quoted(name))
	}
	host := name
	if _, err := netip.ParseAddr(name); err != nil {
		if i := strings.LastIndexByte(name, ':'); i >= 0 && !strings.HasSuffix(name, "]") {
			port := name[i+1:]
			host = name[:i]
			if h.Port, err = strconv.Atoi(port); err != nil || h.Port < 1 || h.Port > maxPort {
				return Host{}, fmt.Errorf("%s is not a port from 1 to %d", quoted(port), maxPort)
			}
		}
	}
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	}
	h.Name, err = HostName(host)
	return h, err
}

// String writes the host as ParseHost reads it.
func (h Host) String() string {
	if h.Private {
		return h.Address() + "," + private
	}
	return h.Address()
}

// Address is the name, with the port if there is one.
func (h Host) Address() string {
	switch {
	case h.Port == 0:
		return h.Name
	case strings.Contains(h.Name, ":"):
		return fmt.Sprintf("[%s]:%d", h.Name, h.Port)
	}
	return fmt.Sprintf("%s:%d", h.Name, h.Port)
}

// HostOf is the host that a URL names, with its port if that is not the default one of the scheme.
func HostOf(u *url.URL) (h Host, err error) {
	if h.Name, err = HostName(u.Hostname()); err != nil {
		return h, err
	}
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	if port := cmp.Or(u.Port(), usual); port != usual {
		if h.Port, err = strconv.Atoi(port); err != nil || h.Port < 1 || h.Port > maxPort {
			return h, fmt.Errorf("%s is not a port from 1 to %d", quoted(port), maxPort)
		}
	}
	return h, nil
}

// HostName returns the spelling of a name or IP address by which hosts are compared: of an international name the ASCII
// form, and of an IPv4 address four decimal numbers, also if it was written as 0x7f.1, 2130706433 or ::ffff:127.0.0.1.
func HostName(name string) (string, error) {
	wrong := fmt.Errorf("%s is not the name of a host", quoted(name))
	if addr, err := netip.ParseAddr(name); err == nil {
		if addr.Zone() != "" {
			return "", fmt.Errorf("%s names a network interface: an address has none", quoted(name))
		}
		return addr.Unmap().String(), nil
	}
	profile := idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false), idna.StrictDomainName(false),
		idna.VerifyDNSLength(true))
	ascii, err := profile.ToASCII(strings.TrimSuffix(name, "."))
	if err != nil || ascii == "" || strings.Trim(ascii, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		return "", wrong
	}
	ascii = strings.TrimSuffix(ascii, ".")
	parts := strings.Split(ascii, ".")
	last := parts[len(parts)-1]
	if _, err := number(last); err != nil && strings.Trim(last, "0123456789") != "" {
		return ascii, nil
	}
	addr, ok := looseIPv4(parts)
	if !ok {
		return "", wrong
	}
	return addr.String(), nil
}

// looseIPv4 reads an address of up to four numbers, of which the last one fills the rest.
func looseIPv4(parts []string) (netip.Addr, bool) {
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, part := range parts {
		n, err := number(part)
		room := 1
		if i == len(parts)-1 {
			room = 4 - i
		}
		if err != nil || n >= 1<<(8*room) {
			return netip.Addr{}, false
		}
		value = value<<(8*room) | n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// number reads a decimal, 0x hexadecimal or 0 octal number.
func number(text string) (uint64, error) {
	switch {
	case text == "0x":
		return 0, nil
	case strings.HasPrefix(text, "0x"):
		return strconv.ParseUint(text[2:], 16, 33)
	case len(text) > 1 && text[0] == '0':
		return strconv.ParseUint(text[1:], 8, 33)
	}
	return strconv.ParseUint(text, 10, 33)
}

// CheckHosts refuses hosts that a session must not record, since a session file may come from anyone.
func CheckHosts(hosts []Host) error {
	if len(hosts) > maxHosts {
		return fmt.Errorf("%d hosts are allowed, and there may be %d", len(hosts), maxHosts)
	}
	for _, h := range hosts {
		plain := h
		plain.SourceKind = ""
		read, err := ParseHost(plain.String())
		if err != nil || read != plain {
			return fmt.Errorf("the allowed host %s is not written as it is compared", quoted(h.Name))
		}
		if h.SourceKind != "" && !slices.Contains(HostSources(), h.SourceKind) {
			return errors.New("the pages of a host are " + string(OfficialSource) + ", " + string(LiveAPI) +
				" or neither, not " + quoted(string(h.SourceKind)))
		}
	}
	return nil
}
