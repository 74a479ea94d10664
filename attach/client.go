package attach

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"moot/protocol"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
)

// Client is a session that runs in another process. It can be displayed and controlled like a local one. Its methods
// are safe to call from any goroutine while Run is active.
type Client struct {
	Hello
	// State, Rulings and Events describe the session when Dial returned.
	State   *state.State
	Rulings []state.Ruling
	Events  []state.Event
	// Notify receives the notices of Run. It is required.
	Notify func(protocol.Notice)

	path    string
	conn    net.Conn
	lines   *bufio.Scanner
	decoder *state.Decoder
	// now is the state after the events so far. unit has the events whose notice is not complete.
	now  *state.State
	unit []state.Event
	done chan struct{}

	mutex   sync.Mutex
	last    int
	left    bool
	results map[int]chan result
}

// patience is how long a session may be silent while a client joins.
const patience = 5 * time.Second

// errSilent reports that a process exists but does not answer.
var errSilent = errors.New("its process does not answer: it may be stopped (ctrl-z, or kill -STOP); " +
	"continue it with fg or kill -CONT, and attach again")

// Dial joins the session that listens on a path, and reads its events so far. A process that keeps silent for five
// seconds is an error.
func Dial(ctx context.Context, path string, mode Mode, formats ...state.Rules) (*Client, error) {
	return dial(ctx, path, mode, patience, formats...)
}

func dial(
	ctx context.Context, path string, mode Mode, patience time.Duration, formats ...state.Rules,
) (*Client, error) {
	conn, err := connect(ctx, path)
	if err == nil {
		c := newClient(conn, path, formats...)
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		defer stop()
		err = c.greet(mode, patience)
		if err == nil {
			err = conn.SetDeadline(time.Time{})
		}
		if err == nil {
			c.State, c.Rulings = c.now, resolver.Rule(c.now)
			return c, nil
		}
		_ = conn.Close()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = errSilent
		}
		err = cmp.Or(ctx.Err(), err)
	}
	return nil, fmt.Errorf("join session %s: %w", strings.TrimSuffix(filepath.Base(path), extension), err)
}

func newClient(conn net.Conn, path string, formats ...state.Rules) *Client {
	c := &Client{
		path: path, conn: conn, lines: bufio.NewScanner(conn), now: &state.State{},
		decoder: state.NewDecoder(formats...), done: make(chan struct{}), results: map[int]chan result{},
	}
	c.lines.Buffer(make([]byte, 1<<16), maxLine)
	return c
}

// greet exchanges hellos and reads the events so far. Each line may take as long as patience.
func (c *Client) greet(mode Mode, patience time.Duration) error {
	wait := func() error { return c.conn.SetDeadline(time.Now().Add(patience)) }
	if err := wait(); err != nil {
		return err
	}
	hello, err := encode(kindHello, 0, Hello{Version: version, Mode: mode})
	if err != nil {
		return err
	}
	if _, err := c.conn.Write(hello); err != nil {
		return err
	}
	l, err := c.read()
	if err != nil {
		return err
	}
	if l.Kind != kindHello {
		return errors.New("the session didn't say hello")
	}
	if err := decode(l.Data, &c.Hello); err != nil {
		return fmt.Errorf("the session's hello is not valid: %w", err)
	}
	if c.Error != "" {
		return errors.New(c.Error)
	}
	for len(c.Events) < c.Hello.Events {
		if l, err = c.read(); err != nil {
			return err
		}
		if err := wait(); err != nil {
			return err
		}
		e, err := c.event(l)
		if err != nil {
			return err
		}
		c.Events = append(c.Events, e)
	}
	c.now, err = state.Replay(c.Events)
	return err
}

// errEnded reports that the connection ended.
var errEnded = errors.New("the connection ended")

func (c *Client) read() (line, error) {
	var l line
	if !c.lines.Scan() {
		return l, cmp.Or(c.lines.Err(), errEnded)
	}
	err := decode(c.lines.Bytes(), &l)
	if err != nil {
		err = fmt.Errorf("the session sent a line that is not valid: %w", err)
	}
	return l, err
}

// event decodes an event.
func (c *Client) event(l line) (e state.Event, err error) {
	if l.Kind != kindEvent {
		return e, fmt.Errorf("the session sent %.40q, not an event", l.Kind)
	}
	e = state.Event{Seq: l.Seq, At: l.At, Channel: l.Channel}
	e.Data, err = c.decoder.Decode(l.Event, l.Data)
	return e, err
}

// Run passes on the notices of the session until it ends or Leave is called. The last notice is
// Ended; Run returns its error.
func (c *Client) Run(ctx context.Context) error {
	defer close(c.done)
	defer c.conn.Close()
	stop := context.AfterFunc(ctx, func() { c.Leave(ctx) })
	defer stop()
	for {
		n, err := c.next()
		if err == nil && n == nil {
			continue
		}
		end, over := n.(protocol.Ended)
		if err != nil {
			end, over = protocol.Ended{Err: c.explain(err)}, true
		}
		if over {
			if err == nil {
				c.takeResults()
			}
			end.State, end.Rulings = c.now, resolver.Rule(c.now)
			c.Notify(end)
			return end.Err
		}
		c.Notify(n)
	}
}

// takeResults reads the results of acts that ended the session: they follow its end.
func (c *Client) takeResults() {
	waits := func() bool {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		return len(c.results) > 0
	}
	_ = c.conn.SetReadDeadline(time.Now().Add(partTime))
	for waits() {
		if _, err := c.next(); err != nil {
			return
		}
	}
}

// Present returns what the session does now: its running calls, what it waits for, or its end. It is called before Run, or
// instead of it; Run does not repeat these notices. The client is of no use after an error.
func (c *Client) Present(ctx context.Context) ([]protocol.Notice, error) {
	stop := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	defer stop()
	var list []protocol.Notice
	for range c.Hello.Present {
		n, err := c.next()
		if err != nil {
			return nil, cmp.Or(ctx.Err(), err)
		}
		list = append(list, n)
	}
	return list, nil
}

// Done is closed when Run has ended.
func (c *Client) Done() <-chan struct{} { return c.done }

// next reads a line. It returns nil if that isn't a notice.
func (c *Client) next() (protocol.Notice, error) {
	l, err := c.read()
	if err != nil {
		return nil, err
	}
	switch l.Kind {
	case kindEvent:
		e, err := c.event(l)
		if err != nil {
			return nil, err
		}
		c.unit = append(c.unit, e)
		if c.now, err = state.Apply(c.now, e); err != nil || l.Left > 0 {
			return nil, err
		}
		n := run.Advanced(c.unit, c.now)
		c.unit = nil
		return n, nil
	case kindResult:
		var r result
		if err := decode(l.Data, &r); err != nil {
			return nil, err
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if waits := c.results[l.ID]; waits != nil {
			waits <- r
			delete(c.results, l.ID)
		}
		return nil, nil //nolint:nilnil // not a notice
	}
	n, err := decodeOne(notices(), l.Kind, l.Data)
	switch n := n.(type) {
	case callEnded:
		return protocol.CallEnded{Seat: n.Seat, Err: errorOf(n.Error)}, err
	case ended:
		if n.Stopped {
			return protocol.Ended{Err: protocol.ErrStopped}, err
		}
		return protocol.Ended{Err: errorOf(n.Error)}, err
	case protocol.Notice:
		return n, err
	}
	return nil, err
}

// explain returns why the connection ended before the session.
func (c *Client) explain(err error) error {
	if c.Left() {
		return protocol.ErrStopped
	}
	switch {
	case !dead(context.Background(), c.path):
		if errors.Is(err, errEnded) {
			err = errors.New("this side was too slow")
		}
		return fmt.Errorf("disconnected: %w; the session continues; join it again: moot attach %s", err, c.ID)
	case !c.Saved:
		return errors.New("the process that ran the session died, and it kept no session file")
	}
	return fmt.Errorf("the process that ran the session died; everything up to event %d is saved; continue with: "+
		"moot resume %s", c.now.Seq, c.ID)
}

// Leave leaves the session, which continues.
func (c *Client) Leave(context.Context) {
	select {
	case <-c.done:
	default:
		c.mutex.Lock()
		c.left = true
		c.mutex.Unlock()
	}
	_ = c.conn.Close()
}

// Left reports whether Leave was called before the session ended.
func (c *Client) Left() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.left
}

// send sends an action and waits for its result.
func (c *Client) send(ctx context.Context, act string, data any) (result, error) {
	waits := make(chan result, 1)
	c.mutex.Lock()
	c.last++
	id := c.last
	c.results[id] = waits
	c.mutex.Unlock()
	encoded, err := encode(act, id, data)
	if err == nil && len(encoded) > maxAct {
		err = fmt.Errorf("it has %d bytes, and at most %d can be sent to a session in another process", len(encoded),
			maxAct)
	}
	if err == nil {
		_, err = c.conn.Write(encoded)
	}
	if err != nil {
		return result{}, err
	}
	select {
	case r := <-waits:
		return r, errorOf(r.Error)
	case <-c.done:
		return result{}, fmt.Errorf("the connection to the session ended: %w", protocol.ErrStopped)
	case <-ctx.Done():
		return result{}, ctx.Err()
	}
}

// Step runs the next turn. If the connection fails, Run returns the error.
func (c *Client) Step(ctx context.Context) { _ = c.do(ctx, actStep, nil) }

// StepRound runs the rest of the round.
func (c *Client) StepRound(ctx context.Context) { _ = c.do(ctx, actStepRound, nil) }

// Auto turns automatic turns on or off.
func (c *Client) Auto(ctx context.Context, on bool) { _ = c.do(ctx, actAuto, on) }

// CancelCall cancels the running calls.
func (c *Client) CancelCall(ctx context.Context) { _ = c.do(ctx, actCancel, nil) }

// EditPrompt sets the text of the next prompt to a seat.
func (c *Client) EditPrompt(ctx context.Context, seat state.Seat, text string) {
	_ = c.do(ctx, actEdit, edit{seat, text})
}

// Replace assigns another participant to a seat. The process that runs the session creates it.
func (c *Client) Replace(ctx context.Context, seat state.Seat, p protocol.Participant) error {
	return c.do(ctx, actReplace, edit{seat, p.Name()})
}

// Pause records that the user paused the session, and ends its run; the client receives the end as a notice. If somebody
// sits at the session's own screen, it stays open there and waits before the next turn.
func (c *Client) Pause(ctx context.Context) (stays bool, err error) {
	r, err := c.send(ctx, actPause, nil)
	return r.Stays, err
}

// Override applies the user's move.
func (c *Client) Override(ctx context.Context, move protocol.UserMove) error {
	raw, err := marshal(move)
	if err != nil {
		return err
	}
	return c.do(ctx, actOverride, override{Kind: nameOf(move), Move: raw})
}

// Preview returns the next prompts, by seat.
func (c *Client) Preview(ctx context.Context) map[state.Seat]protocol.Prompt {
	r, _ := c.send(ctx, actPreview, nil)
	return r.Prompts
}

func (c *Client) do(ctx context.Context, act string, data any) error {
	_, err := c.send(ctx, act, data)
	return err
}
