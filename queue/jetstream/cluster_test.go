package jetstream

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// TestCluster works on three servers that keep each stream three times, and stops the leader of the units.
func TestCluster(t *testing.T) {
	t.Parallel()
	var routes []*url.URL
	var ports []int
	for range 3 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: listener.Addr().String()})
		listener.Close()
	}
	var servers []*server.Server
	var urls []string
	for i := range 3 {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
			Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: ports[i]}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers = append(servers, s)
		urls = append(urls, "nats://"+s.Addr().String())
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		ready := 0
		for _, s := range servers {
			if s.JetStreamIsCurrent() {
				ready++
			}
		}
		if ready == 3 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the servers of the cluster did not find each other")
		}
	}
	o := Options{URL: strings.Join(urls, ","), Replicas: 3, Timeout: 20 * time.Second, Ping: time.Second}
	var q *Queue
	var err error
	for range 50 {
		if q, err = Connect(t.Context(), o); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	b := openBatch(t, q, "b1")
	info, err := b.q.js.Stream(t.Context(), unitsStream("b1"))
	if err != nil || info.CachedInfo().Config.Replicas != 3 {
		t.Fatalf("the units are not kept three times: %v", err)
	}
	work(t, connect(t, o), 4, session(5, slow(60*time.Millisecond)))
	f := newFolder(t, b)
	f.publish(t.Context(), tasks("b1", 16)...)
	var stopping sync.WaitGroup
	stopping.Go(func() {
		time.Sleep(200 * time.Millisecond)
		for _, s := range servers {
			if s.Name() == info.CachedInfo().Cluster.Leader {
				s.Shutdown()
			}
		}
	})
	f.follow(t.Context())
	stopping.Wait()
	f.check(5)
}
