package jetstream

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"

	"moot/internal/plain"
)

// ErrServing means that another process serves the same folder.
var ErrServing = errors.New("another process has this queue open")

// MinToken is how many characters the token of an embedded server must have.
const MinToken = 16

// Limits of the embedded server.
const (
	serverPayload = 8 << 20
	serverMemory  = 64 << 20
)

// ServerOptions says how to serve a queue.
type ServerOptions struct {
	// Addr is HOST:PORT. An empty host is all addresses of this machine, port 0 a free one.
	Addr string
	// Token must be known to whoever connects; at least MinToken characters.
	Token string
	// Dir is the folder of the store, which is made if needed, readable by its owner only.
	Dir string
	// Log gets the errors and warnings of the server, one line each. It may be nil.
	Log func(string)
}

// Server is an embedded server.
type Server struct {
	// URL is the address for workers on other machines, without credentials. If all addresses of this machine are
	// served, it has the name of this machine.
	URL string
	// Local is an address for this process.
	Local string
	// Pin is "sha256:" and the digest of the certificate.
	Pin string

	server *server.Server
	lock   *flock.Flock
	log    *serverLog
}

// NewToken returns a random token for a server.
func NewToken() string { return rand.Text() }

// Serve starts a server in this process. The caller must call Close. Its store is the folder Dir, synced at each
// message. The first start makes a certificate, which stays in the folder.
func Serve(ctx context.Context, o ServerOptions) (*Server, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(o.Token) < MinToken {
		return nil, fmt.Errorf("serve the queue: the token has %d characters, and needs at least %d: anyone who "+
			"guesses it can read and change the batch", len(o.Token), MinToken)
	}
	host, portText, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, fmt.Errorf("serve the queue at %s: write HOST:PORT or :PORT", plain.Short(plain.Line(o.Addr)))
	}
	port, err := strconv.Atoi(portText)
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("serve the queue at %s: the port must be a number from 0 to 65535",
			plain.Short(plain.Line(o.Addr)))
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of the queue: %w", err)
	}
	lock := flock.New(filepath.Join(o.Dir, "lock"), flock.SetPermissions(0o600))
	switch locked, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock the queue in %s: %w", o.Dir, err)
	case !locked:
		return nil, fmt.Errorf("serve the queue in %s: %w: wait until it ends, or stop it", o.Dir, ErrServing)
	}
	s := &Server{lock: lock, log: &serverLog{to: o.Log}}
	if err := s.start(o, host, port); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) start(o ServerOptions, host string, port int) error {
	certificate, err := certificateOf(filepath.Join(o.Dir, "certificate.pem"))
	if err != nil {
		return err
	}
	digest := sha256.Sum256(certificate.Certificate[0])
	s.Pin = pinPrefix + hex.EncodeToString(digest[:])
	options := &server.Options{
		ServerName: "moot", Host: host, Port: port, Authorization: o.Token,
		TLSConfig:  &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13},
		TLSTimeout: 5, AuthTimeout: 5,
		JetStream: true, StoreDir: o.Dir, SyncAlways: true, JetStreamMaxMemory: serverMemory,
		MaxPayload: serverPayload,
		// Signals belong to the program, and the log to whoever passed Log.
		NoSigs: true, NoLog: true, DisableJetStreamBanner: true,
	}
	if s.server, err = server.NewServer(options); err != nil {
		return fmt.Errorf("serve the queue in %s: %s", o.Dir, plain.Line(err.Error()))
	}
	verifyStore(o.Dir)
	s.server.SetLoggerV2(s.log, false, false, false)
	s.server.Start()
	if s.log.lastFatal() != "" || !s.server.Running() || !s.server.ReadyForConnections(5*time.Second) || !s.server.JetStreamEnabled() {
		return fmt.Errorf("serve the queue at %s with the folder %s: %s", plain.Short(plain.Line(o.Addr)), o.Dir,
			orElseText(s.log.lastFatal(), "the server did not start"))
	}
	_, actual, err := net.SplitHostPort(s.server.Addr().String())
	if err != nil {
		return fmt.Errorf("serve the queue: %w", err)
	}
	remote, local := host, host
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		local = "127.0.0.1"
		if remote, err = os.Hostname(); err != nil {
			remote = local
		}
	}
	s.URL, s.Local = "nats://"+net.JoinHostPort(remote, actual), "nats://"+net.JoinHostPort(local, actual)
	return nil
}

// Close stops the server and releases the folder. Twice changes nothing.
func (s *Server) Close() error {
	if s.server != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	if err := s.lock.Close(); err != nil {
		return fmt.Errorf("unlock the queue: %w", err)
	}
	return nil
}

// verifyStore removes the summaries of the store, so that the server reads all messages with their checksums and cuts
// off what is damaged. With a summary it trusts them, and one wrong bit in a sequence makes it fill all memory.
func verifyStore(dir string) {
	summaries, _ := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", "*", "msgs", "index.db"))
	for _, name := range summaries {
		// The server makes it again. If it cannot be removed, the server has the same problem and says so.
		_ = os.Remove(name)
	}
}

// certificateOf reads the certificate and its key, or makes them. One made before is never replaced: workers pin it.
func certificateOf(path string) (tls.Certificate, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeCertificate(path)
	}
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("the certificate of the queue: %w", err)
	}
	certificate, err := tls.X509KeyPair(text, text)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("the certificate of the queue, %s, cannot be read: %w; delete the file to "+
			"make a new one, and give workers the new pin", path, err)
	}
	return certificate, nil
}

// makeCertificate writes a new certificate and its key. Its dates and names do not matter: it is pinned.
func makeCertificate(path string) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	number, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: number, Subject: pkix.Name{CommonName: "moot queue"}, DNSNames: []string{"moot-queue"},
		NotBefore: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
	text = append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	// A crash leaves the whole file or none.
	file, err := os.CreateTemp(filepath.Dir(path), "certificate-*.new")
	if err != nil {
		return nil, err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(file.Name()))
	}
	return text, nil
}

// serverLog passes errors and warnings on. It also remembers what the server would end a process of its own for.
type serverLog struct {
	to    func(string)
	mutex sync.Mutex
	fatal string
}

func (l *serverLog) line(format string, arguments []any) string {
	line := plain.Clip(plain.Line(fmt.Sprintf(format, arguments...)), 500)
	if l.to != nil {
		l.to(line)
	}
	return line
}

func (l *serverLog) lastFatal() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.fatal
}

func orElseText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// Errorf, and the others below, are what the server logs.
func (l *serverLog) Errorf(format string, v ...any) { l.line(format, v) }

// Warnf passes a warning on.
func (l *serverLog) Warnf(format string, v ...any) { l.line(format, v) }

// Fatalf passes an error on that kept the server from starting.
func (l *serverLog) Fatalf(format string, v ...any) {
	line := l.line(format, v)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.fatal = line
}

// Noticef drops what the server does all day.
func (l *serverLog) Noticef(string, ...any) {}

// Debugf drops what it thinks.
func (l *serverLog) Debugf(string, ...any) {}

// Tracef drops each message.
func (l *serverLog) Tracef(string, ...any) {}
