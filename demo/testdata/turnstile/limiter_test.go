package turnstile

import (
	"testing"
	"time"
)

func TestBurstThenRefill(t *testing.T) {
	clock := time.Unix(0, 0)
	l := New(10, 20)
	l.now = func() time.Time { return clock }
	for i := range 20 {
		if !l.Allow("a") {
			t.Fatalf("request %d of the burst was refused", i+1)
		}
	}
	if l.Allow("a") {
		t.Fatal("request 21 was allowed at once")
	}
	clock = clock.Add(100 * time.Millisecond)
	if !l.Allow("a") {
		t.Fatal("no token after a tenth of a second")
	}
}
