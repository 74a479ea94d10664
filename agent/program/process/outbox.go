package process

import (
	"os"
	"sync"
)

// outbox holds what is to be written on a program's standard input, so that whoever
// writes does not wait until the program reads.
type outbox struct {
	mutex   sync.Mutex
	waiting [][]byte
	// last says that standard input is closed after what waits.
	last bool
	// news tells that there is something; left is closed when nothing more is read.
	news, left chan struct{}
}

func newOutbox() *outbox {
	return &outbox{news: make(chan struct{}, 1), left: make(chan struct{})}
}

// put adds content, which is not changed after that.
func (o *outbox) put(content []byte, last bool) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.last {
		return
	}
	if len(content) > 0 {
		o.waiting = append(o.waiting, content)
	}
	o.last = last
	select {
	case o.news <- struct{}{}:
	default:
	}
}

func (o *outbox) take() (content [][]byte, last bool) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	content, o.waiting = o.waiting, nil
	return content, o.last
}

// serve writes until the last was written, the program reads no more, or left is
// closed, and closes standard input.
func (o *outbox) serve(stdin *os.File) {
	defer stdin.Close() //nolint:errcheck // a program that reads no more is no error
	for {
		select {
		case <-o.news:
		case <-o.left:
			return
		}
		contents, last := o.take()
		for _, content := range contents {
			if _, err := stdin.Write(content); err != nil {
				return
			}
		}
		if last {
			return
		}
	}
}
