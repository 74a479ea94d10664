package attach

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"moot/internal/lists"
	"moot/protocol"
	"moot/state"
)

// Limits of a host.
const (
	// maxQueue is how many bytes can be queued for an observer; a slower observer is dropped.
	maxQueue = 8 << 20
	// helloTime is how long a client may take to say hello, partTime how long the last notices may
	// take to reach an observer.
	helloTime = 5 * time.Second
	partTime  = time.Second
)

// Options configure a Host.
type Options struct {
	// State and Events describe the session before it runs.
	State  *state.State
	Events []state.Event
	// Saved says that the session has a file.
	Saved bool
	// Stepping says that the session waits before each turn.
	Stepping bool
	// Alone says that no one else attends the session: it continues by itself when the last observer leaves.
	Alone bool
	// Front says that somebody sits at the session's own screen: pausing it makes it wait there before the next turn, and
	// its process keeps it open.
	Front bool
	// Seat creates a participant for a seat.
	Seat func(seat state.Seat, name string) (protocol.Participant, error)
}

// Host lets other processes join a session. Its methods are safe to call from any goroutine.
type Host struct {
	options  Options
	session  Session
	listener net.Listener
	path     string
	context  context.Context
	cancel   context.CancelFunc
	group    sync.WaitGroup

	mutex     sync.Mutex
	state     *state.State
	events    []state.Event
	stepping  bool
	observers []*observer
	// The notices that a new observer needs after the events: the cost of the round, what the session waits for, and
	// the end.
	forecast, waits, ended protocol.Notice
	calls                  []*call
	closed                 bool
}

// call is a running call, with its reply so far.
type call struct {
	started protocol.CallStarted
	text    []byte
}

// New returns the host of a session.
func New(o Options) *Host {
	ctx, cancel := context.WithCancel(context.Background())
	return &Host{
		options: o, state: o.State, events: slices.Clip(o.Events), stepping: o.Stepping, context: ctx, cancel: cancel,
	}
}

// Listen starts accepting connections, in the first of the folders that works (see Folders). If it fails, the session
// continues, but no one can join it.
func (h *Host) Listen(folders []string, s Session) error {
	h.session = s
	var failed error
	for _, folder := range folders {
		var err error
		if h.listener, h.path, err = listen(folder, h.state.ID); err == nil {
			h.group.Go(h.accept)
			return nil
		}
		failed = errors.Join(failed, fmt.Errorf("listen in %s: %w", folder, err))
	}
	return failed
}

func (h *Host) accept() {
	for {
		conn, err := h.listener.Accept()
		if err != nil {
			if h.context.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			// Too many open files, for example.
			select {
			case <-time.After(100 * time.Millisecond):
			case <-h.context.Done():
			}
			continue
		}
		h.group.Go(func() {
			defer conn.Close()
			if checkPeer(conn) == nil {
				h.serve(conn)
			}
		})
	}
}

// Watch receives the notices of the session in order. It never blocks.
func (h *Host) Watch(n protocol.Notice) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.follow(n)
	if len(h.observers) == 0 {
		return
	}
	lines, err := encodeNotice(n)
	for _, o := range h.observers {
		if err != nil {
			// Without this notice, the observer's state would be wrong.
			_ = o.conn.Close()
		}
		o.push(lines)
	}
}

// follow stores what a new observer needs.
func (h *Host) follow(n protocol.Notice) {
	find := func(seat state.Seat) *call {
		for _, c := range h.calls {
			if c.started.Ask.Seat == seat {
				return c
			}
		}
		return &call{}
	}
	switch n := n.(type) {
	case protocol.Advanced:
		h.state, h.events = n.State, append(h.events, n.Events...)
	case protocol.CallStarted:
		h.waits = nil
		h.calls = append(h.calls, &call{started: n})
	case protocol.Streamed:
		c := find(n.Seat)
		if n.Restart {
			c.text = nil
		}
		c.text = append(c.text, n.Text...)
	case protocol.CallEnded:
		h.calls = slices.DeleteFunc(h.calls, func(c *call) bool { return c.started.Ask.Seat == n.Seat })
	case protocol.Forecast:
		h.forecast = n
	case protocol.TurnReady, protocol.Waiting:
		h.waits, h.calls = n, nil
	case protocol.Stepping:
		h.stepping = n.On
	case protocol.Ended:
		h.ended, h.calls, h.waits = n, nil, nil
	}
}

// present returns the lines that describe the present state beyond the events, and their number.
func (h *Host) present() (lines []byte, n int, err error) {
	list := lists.Filter([]protocol.Notice{h.forecast, h.waits, h.ended}, func(n protocol.Notice) bool {
		return n != nil
	})
	for _, c := range h.calls {
		list = append(list, c.started, protocol.Streamed{Seat: c.started.Ask.Seat, Text: string(c.text)})
	}
	for _, n := range list {
		one, err := encodeNotice(n)
		if err != nil {
			return nil, 0, err
		}
		lines = append(lines, one...)
	}
	return lines, len(list), nil
}

// serve serves one connection.
func (h *Host) serve(conn net.Conn) {
	stop := context.AfterFunc(h.context, func() {
		// The last notices may not have been sent yet.
		_ = conn.SetDeadline(time.Now().Add(partTime))
		if c, ok := conn.(interface{ CloseRead() error }); ok {
			_ = c.CloseRead()
		}
	})
	defer stop()
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, maxAct)
	_ = conn.SetReadDeadline(time.Now().Add(helloTime))
	mode, err := readHello(lines)
	if h.context.Err() != nil {
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	if err != nil {
		_ = conn.SetWriteDeadline(time.Now().Add(partTime))
		refusal, _ := encode(kindHello, 0, Hello{Version: version, Error: err.Error()})
		_, _ = conn.Write(refusal)
		return
	}
	o := &observer{conn: conn, watches: mode != Join, wake: make(chan struct{}, 1)}
	events, err := h.join(o, mode)
	if err != nil {
		return
	}
	var writing sync.WaitGroup
	writing.Go(func() {
		o.write(events)
		_ = conn.Close()
	})
	for lines.Scan() {
		if !h.answer(o, lines.Bytes()) {
			break
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		o.result(0, result{Error: fmt.Sprintf("a line is longer than %d bytes", maxAct)})
	}
	// The observer leaves. If no one attends the session anymore, it continues by itself.
	h.mutex.Lock()
	joined := func(o *observer) bool { return !o.watches }
	was := slices.ContainsFunc(h.observers, joined)
	h.observers = slices.DeleteFunc(h.observers, func(other *observer) bool { return o == other })
	runsOn := h.options.Alone && h.stepping && was && !slices.ContainsFunc(h.observers, joined)
	h.mutex.Unlock()
	o.finish()
	if runsOn {
		h.session.Auto(h.context, true)
	}
	writing.Wait()
}

// readHello reads the first line of a client.
func readHello(lines *bufio.Scanner) (Mode, error) {
	if !lines.Scan() {
		return "", errors.New("the first line must be a hello")
	}
	var l line
	var hello Hello
	err := decode(lines.Bytes(), &l)
	if err == nil {
		err = decode(l.Data, &hello)
	}
	switch {
	case err != nil || l.Kind != kindHello:
		return "", errors.New("the first line must be a hello")
	case hello.Version != version:
		return "", fmt.Errorf("the session runs in another version of moot: its protocol has version %d, yours %d",
			version, hello.Version)
	case hello.Mode != Join && hello.Mode != Watch:
		return "", fmt.Errorf("unknown mode %.40q", hello.Mode)
	}
	return hello.Mode, nil
}

// join adds an observer. It returns the events to send first.
func (h *Host) join(o *observer, mode Mode) ([]state.Event, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	present, n, err := h.present()
	if err != nil {
		return nil, err
	}
	o.first, err = encode(kindHello, 0, Hello{
		Version: version, Mode: mode, ID: h.state.ID, Events: len(h.events), Present: n, Saved: h.options.Saved,
		Stepping: h.stepping,
	})
	if err != nil {
		return nil, err
	}
	o.push(present)
	if h.closed {
		o.finish()
	} else {
		h.observers = append(h.observers, o)
	}
	return h.events[:len(h.events):len(h.events)], nil
}

// answer carries out an act. It returns false if the line is not one.
func (h *Host) answer(o *observer, text []byte) bool {
	o.acting.Lock()
	defer o.acting.Unlock()
	var l line
	if err := decode(text, &l); err != nil {
		o.result(0, result{Error: "a line is not valid: " + err.Error()})
		return false
	}
	var r result
	var err error
	if o.watches {
		err = errors.New("you only watch; join without --watch to act")
	} else {
		r, err = h.act(l)
	}
	r.Error = textOf(err)
	return o.result(l.ID, r)
}

// act performs the action in a line.
func (h *Host) act(l line) (r result, err error) {
	var seat edit
	switch l.Kind {
	case actStep:
		h.session.Step(h.context)
	case actStepRound:
		h.session.StepRound(h.context)
	case actCancel:
		h.session.CancelCall(h.context)
	case actPreview:
		r.Prompts = h.session.Preview(h.context)
	case actPause:
		if r.Stays = h.options.Front; r.Stays {
			h.session.Auto(h.context, false)
			return r, nil
		}
		return r, h.session.Pause(h.context)
	case actAuto:
		var on bool
		if err = decode(l.Data, &on); err == nil {
			h.session.Auto(h.context, on)
		}
	case actOverride:
		var o override
		if err := decode(l.Data, &o); err != nil {
			return r, err
		}
		move, err := decodeOne(moves(h.options.State), o.Kind, o.Move)
		if err != nil {
			return r, err
		}
		return r, h.session.Override(h.context, move)
	case actEdit:
		if err = decode(l.Data, &seat); err == nil {
			h.session.EditPrompt(h.context, seat.Seat, seat.Text)
		}
	case actReplace:
		if err := decode(l.Data, &seat); err != nil {
			return r, err
		}
		p, err := h.options.Seat(seat.Seat, seat.Text)
		if err != nil {
			return r, err
		}
		return r, h.session.Replace(h.context, seat.Seat, p)
	default:
		err = fmt.Errorf("unknown act %.40q", l.Kind)
	}
	return r, err
}

// Close ends all connections once they have the last notices, and removes the socket.
func (h *Host) Close() {
	h.mutex.Lock()
	if h.closed {
		h.mutex.Unlock()
		return
	}
	h.closed = true
	observers := slices.Clone(h.observers)
	h.mutex.Unlock()
	// An act that ended the session, such as the last answer, still gets its result.
	late := time.Now().Add(partTime)
	for _, o := range observers {
		o.settle(late)
		o.finish()
	}
	h.cancel()
	if h.listener != nil {
		_ = h.listener.Close()
		_ = os.Remove(h.path)
	}
	h.group.Wait()
}

// observer is one connection.
type observer struct {
	conn    net.Conn
	watches bool
	// first is the hello.
	first []byte

	// acting is locked while an act of the observer is carried out.
	acting sync.Mutex

	mutex    sync.Mutex
	waiting  []byte
	finished bool
	wake     chan struct{}
}

// push queues lines. An observer that is too slow is disconnected.
func (o *observer) push(lines []byte) {
	o.mutex.Lock()
	if len(o.waiting) > maxQueue {
		o.waiting, o.finished = nil, true
		_ = o.conn.Close()
	}
	if !o.finished {
		o.waiting = append(o.waiting, lines...)
	}
	o.mutex.Unlock()
	o.signal()
}

// settle waits until the result of an act is queued, but not longer than until a time.
func (o *observer) settle(late time.Time) {
	for time.Now().Before(late) {
		if o.acting.TryLock() {
			o.acting.Unlock()
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// finish ends the connection after the queued lines.
func (o *observer) finish() {
	o.mutex.Lock()
	o.finished = true
	o.mutex.Unlock()
	o.signal()
}

func (o *observer) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *observer) result(id int, r result) bool {
	encoded, err := encode(kindResult, id, r)
	if err == nil {
		o.push(encoded)
	}
	return err == nil
}

// write writes the hello, the events, and then what is queued.
func (o *observer) write(events []state.Event) {
	buffered := bufio.NewWriterSize(o.conn, 1<<16)
	_, err := buffered.Write(o.first)
	for i := 0; i < len(events) && err == nil; i++ {
		var encoded []byte
		if encoded, err = encodeEvent(events[i], 0); err == nil {
			_, err = buffered.Write(encoded)
		}
	}
	for err == nil {
		o.mutex.Lock()
		lines, finished := o.waiting, o.finished
		o.waiting = nil
		o.mutex.Unlock()
		if _, err = buffered.Write(lines); err == nil {
			err = buffered.Flush()
		}
		if finished || err != nil {
			return
		}
		<-o.wake
	}
}
