//go:build unix

package process

import (
	"bytes"
	"os"
	"testing"
	"time"
)

// What a program wrote before it ended is read, though something else holds its output
// and the time for it is over before this process has come to reading.
func TestWhatIsHeldIsRead(t *testing.T) {
	t.Parallel()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	defer to.Close()
	want := bytes.Repeat([]byte("a line\n"), 9000)
	if _, err := to.Write(want); err != nil {
		t.Fatal(err)
	}
	if err := from.SetReadDeadline(time.Now()); err != nil {
		t.Fatal(err)
	}
	p := &Process{}
	var got []byte
	p.read(from, func(piece []byte) { got = append(got, piece...) })
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d were read", len(got), len(want))
	}
}
