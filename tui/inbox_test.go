package tui

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"moot/protocol"
	"moot/state"
)

// Nothing that is pushed is lost, the order of each pusher stays, and the
// pieces of a reply arrive whole.
func TestInboxLosesNothing(t *testing.T) {
	b := newModel(Options{}).inbox
	const pushers, each = 4, 500
	var group sync.WaitGroup
	for p := range pushers {
		group.Go(func() {
			seat := state.Seat(fmt.Sprint("s", p))
			for i := range each {
				b.push(notice{nil, protocol.Streamed{Seat: seat, Text: fmt.Sprintf("%d,", i)}})
				b.push(notice{nil, protocol.Forecast{Round: p, Calls: i}})
			}
		})
	}
	go func() {
		group.Wait()
		b.close()
	}()
	text, next := map[state.Seat]*strings.Builder{}, map[int]int{}
	for {
		items, more := b.next().(delivery)
		if !more {
			break
		}
		for _, item := range items {
			switch item := item.(notice).Notice.(type) {
			case protocol.Streamed:
				if text[item.Seat] == nil {
					text[item.Seat] = &strings.Builder{}
				}
				text[item.Seat].WriteString(item.Text)
			case protocol.Forecast:
				if item.Calls != next[item.Round] {
					t.Fatalf("%d comes after %d", item.Calls, next[item.Round])
				}
				next[item.Round]++
			}
		}
	}
	var want strings.Builder
	for i := range each {
		fmt.Fprintf(&want, "%d,", i)
	}
	for p := range pushers {
		if next[p] != each || text[state.Seat(fmt.Sprint("s", p))].String() != want.String() {
			t.Errorf("pusher %d: %d of %d notices, or its text is not whole", p, next[p], each)
		}
	}
}
