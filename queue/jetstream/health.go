package jetstream

import (
	"context"
	"crypto/tls"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"moot/internal/plain"
)

// Health is what a check of a server found. Texts of the server are printable.
type Health struct {
	// Server and Cluster are names; Cluster is "" for a server that stands alone.
	Server, Cluster string
	Version         string
	// TLS is the version of TLS, or "" without encryption.
	TLS string
	// RoundTrip is how long an answer takes.
	RoundTrip time.Duration
	// MaxPayload is how many bytes fit into a message; larger units travel in pieces.
	MaxPayload int64
	// Limits of the account, in bytes or as counts.
	Memory, Storage, Streams, Consumers Allowance
	// Ahead is how far the clock of the server is ahead of this machine, give or take half a round trip. It is known
	// if ClockKnown is set.
	Ahead      time.Duration
	ClockKnown bool
	// Writable is nil if a stream could be made and removed, or why not.
	Writable error
}

// Allowance is what an account uses and may use; -1 is no limit.
type Allowance struct{ Used, Most int64 }

// Check asks the server how it is. To compare clocks and to see whether streams may be made, it makes a stream in
// memory and removes it.
func (q *Queue) Check(ctx context.Context) (Health, error) {
	ctx = undated{ctx}
	account, err := q.js.AccountInfo(ctx)
	if err != nil {
		return Health{}, q.connectError(err)
	}
	h := Health{
		Server: plain.Short(plain.Line(q.conn.ConnectedServerName())), Cluster: plain.Short(plain.Line(q.conn.ConnectedClusterName())),
		Version: plain.Short(plain.Line(q.conn.ConnectedServerVersion())), MaxPayload: q.conn.MaxPayload(),
		Memory:    allowance(account.Memory, account.Limits.MaxMemory),
		Storage:   allowance(account.Store, account.Limits.MaxStore),
		Streams:   Allowance{int64(account.Streams), int64(account.Limits.MaxStreams)},
		Consumers: Allowance{int64(account.Consumers), int64(account.Limits.MaxConsumers)},
	}
	if state, err := q.conn.TLSConnectionState(); err == nil {
		h.TLS = tls.VersionName(state.Version)
	}
	if h.RoundTrip, err = q.conn.RTT(); err != nil {
		return h, q.connectError(err)
	}
	name := "MOOT-CHECK-" + nonce()
	sent, local := time.Now(), q.options.now()
	stream, err := q.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: name, Subjects: []string{"moot.check." + name}, Storage: jetstream.MemoryStorage, MaxMsgs: 1,
	})
	if err != nil {
		h.Writable = fmt.Errorf("make a stream: %s", plain.Short(plain.Line(err.Error())))
		return h, nil
	}
	half := time.Since(sent) / 2
	if at := stream.CachedInfo().TimeStamp; !at.IsZero() {
		h.Ahead, h.ClockKnown = at.Sub(local.Add(half)), true
	}
	if err := q.js.DeleteStream(ctx, name); err != nil {
		h.Writable = fmt.Errorf("remove the stream %s again: %s", name, plain.Short(plain.Line(err.Error())))
	}
	return h, nil
}

func allowance(used uint64, most int64) Allowance {
	return Allowance{int64(min(used, 1<<62)), most}
}

// oldestMinor is the first 2.x version with the time of the server in its answers.
const oldestMinor = 10

// tooOld reports whether a version of the server is known to be too old.
func tooOld(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	x, err := strconv.Atoi(major)
	if err != nil {
		return false
	}
	y, err := strconv.Atoi(minor)
	return err == nil && (x < 2 || x == 2 && y < oldestMinor)
}
