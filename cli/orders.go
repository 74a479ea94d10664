package cli

import (
	"context"
	"sync"
)

// orders are what the person told the session to do, done one after the other
// without the front end waiting for them.
type orders struct {
	mutex sync.Mutex
	list  []func(context.Context)
	wake  chan struct{}
}

func newOrders() *orders { return &orders{wake: make(chan struct{}, 1)} }

func (o *orders) add(f func(context.Context)) {
	o.mutex.Lock()
	o.list = append(o.list, f)
	o.mutex.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run does what is ordered until ctx ends.
func (o *orders) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		}
		o.mutex.Lock()
		list := o.list
		o.list = nil
		o.mutex.Unlock()
		for _, f := range list {
			f(ctx)
		}
	}
}
