package endpoint

import (
	"net/http"
	"testing"
	"time"

	"gopkg.in/dnaeon/go-vcr.v4/pkg/cassette"
	"gopkg.in/dnaeon/go-vcr.v4/pkg/recorder"

	"moot/protocol"
)

// A cassette replays the exchange of a bug report: the server refuses the schema,
// then asks for fewer calls, then breaks off its reply.
func TestRecordedExchange(t *testing.T) {
	sameAddress := func(sent *http.Request, recorded cassette.Request) bool {
		return sent.Method == recorded.Method && sent.URL.String() == recorded.URL
	}
	tape, err := recorder.New("testdata/faults", recorder.WithMode(recorder.ModeReplayOnly),
		recorder.WithMatcher(sameAddress), recorder.WithSkipRequestLatency(true))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := tape.Stop(); err != nil {
			t.Error(err)
		}
	}()
	config, err := Parse("http://127.0.0.1:8080/v1#random", environment())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, Endpoint: New(config, Limits{BaseWait: time.Millisecond}, WithTransport(tape))}
	broken := mustFail[*protocol.Broken](b, "ended the stream without a reply; the 40 bytes received do not count")
	if broken.Partial != `{"moves":[{"category":"keeps it loses sl` {
		t.Errorf("partial reply %q", broken.Partial)
	}
	if len(b.notes) != 2 || b.Structured() != StructureObject {
		t.Errorf("notes %q, now asks for %s", b.notes, b.Structured())
	}
}
