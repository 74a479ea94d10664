package endpoint

import (
	"net"
	"net/http"
	"time"
)

// NewTransport returns a transport to share between endpoints: it keeps as
// many connections to one server as a hundred sessions use at once, and sends
// nothing compressed, because proxies hold compressed streams back. Connection
// limits are those of the system; how long a call may take is in Limits.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        512,
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
	}
}
