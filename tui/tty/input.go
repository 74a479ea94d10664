package tty

import (
	"os"
	"sync/atomic"
	"time"
)

// Input is a terminal to read from. What the terminal sends goes through a Filter.
type Input struct {
	*os.File
	gone       func()
	lost       atomic.Bool
	attributes chan struct{}
	filter     Filter
	// rest did not fit into the last read.
	rest []byte
}

// NewInput returns the input of a terminal. gone is called when it can't be read anymore; it may be nil.
func NewInput(terminal *os.File, gone func()) *Input {
	return &Input{File: terminal, gone: gone, attributes: make(chan struct{}, 1)}
}

// Lost reports whether the terminal can't be read anymore.
func (in *Input) Lost() bool { return in.lost.Load() }

func (in *Input) lose() {
	in.lost.Store(true)
	if in.gone != nil {
		in.gone()
	}
}

// Attributes receives when the terminal has reported its attributes. A terminal replies in order, so it has replied to
// everything before.
func (in *Input) Attributes() <-chan struct{} { return in.attributes }

// feed passes bytes through the filter.
func (in *Input) feed(read []byte) []byte {
	out := in.filter.Feed(read, time.Now())
	if in.filter.attributes {
		in.filter.attributes = false
		select {
		case in.attributes <- struct{}{}:
		default:
		}
	}
	return out
}
