package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/internal/plain"
)

// Console is all that a command may touch of the process around it. It is the
// one owner of the streams: what they are, how wide, and whether in color.
type Console struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// InTerminal, OutTerminal and ErrTerminal say which of them a person sits
	// at.
	InTerminal, OutTerminal, ErrTerminal bool
	// Width is that of Out in columns, 0 where it is no terminal.
	Width int
	// Environ is the environment, as NAME=value.
	Environ []string
	// Dir is the current folder.
	Dir string
	Now func() time.Time
	// Random is where ids and nonces come from.
	Random io.Reader
	// Signals are those that the process gets; nil is the process's own.
	Signals <-chan os.Signal
	// Transport carries what moot doctor and the search for participants ask; nil is
	// one of its own.
	Transport http.RoundTripper
	// Keyring keeps keys for the person; nil is that of the system.
	Keyring Keyring
	// CheckTime is how long each check of moot doctor, and what the search for
	// participants asks, may take; 0 is as long as a person would wait.
	CheckTime time.Duration

	mutex sync.Mutex
	keys  keychain
	// pacer spaces out the calls of all sessions; it is made on first use.
	pacer *endpoint.Pacer

	programsOnce sync.Once
	adapters     []program.Adapter
}

// maxWidth is where lines are broken however wide the terminal is: longer
// lines are hard to read.
const maxWidth = 100

// NewConsole returns the console of this process.
func NewConsole() (*Console, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the current folder: %w", err)
	}
	c := &Console{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Dir: dir,
		Now: time.Now, Random: rand.Reader,
		InTerminal:  term.IsTerminal(os.Stdin.Fd()),
		OutTerminal: term.IsTerminal(os.Stdout.Fd()),
		ErrTerminal: term.IsTerminal(os.Stderr.Fd()),
	}
	if c.OutTerminal {
		if width, _, err := term.GetSize(os.Stdout.Fd()); err == nil {
			c.Width = min(width, maxWidth)
		}
		if columns, err := strconv.Atoi(c.Getenv("COLUMNS")); err == nil && columns > 0 {
			c.Width = min(columns, maxWidth)
		}
	}
	return c, nil
}

// Getenv returns a variable of the environment, "" where it is not set.
func (c *Console) Getenv(name string) string {
	value := ""
	for _, entry := range c.Environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// Say writes one line of talk to standard error. Text in args that moot did
// not write is escaped. It may be called from several goroutines.
func (c *Console) Say(format string, args ...any) {
	line := plain.Text(fmt.Sprintf(format, args...))
	c.mutex.Lock()
	defer c.mutex.Unlock()
	// Where standard error is gone there is nobody to tell.
	_, _ = io.WriteString(c.Err, line+"\n")
}

// redraws reports whether a line of talk can be drawn anew in its place.
func (c *Console) redraws() bool { return c.ErrTerminal && c.Getenv("TERM") != "dumb" }

// redraw draws a line of moot's own words in the place of the one before, on standard
// error; "" takes it away.
func (c *Console) redraw(line string) {
	const least, toEnd = 20, "\x1b[K"
	if c.Width > 0 && len(line) >= c.Width {
		line = line[:max(least, c.Width-1)]
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	// Where standard error is gone there is nobody to tell.
	_, _ = io.WriteString(c.Err, "\r"+line+toEnd)
}

// patience is how long a person is left without a word about what is done.
const patience = 300 * time.Millisecond

// meanwhile does something, and shows a line of moot's own words as long as that takes
// longer than a person's patience. Without a terminal it shows nothing.
func (c *Console) meanwhile(line string, do func()) {
	if !c.redraws() {
		do()
		return
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-over:
			return
		case <-time.After(patience):
		}
		c.redraw(line)
		<-over
		c.redraw("")
	}()
	defer func() {
		close(over)
		<-ended
	}()
	do()
}

// Print writes a result to standard output. Its error matters: a result that
// did not arrive is no success.
func (c *Console) Print(text string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if _, err := io.WriteString(c.Out, text); err != nil {
		return fmt.Errorf("write the result to standard output: %w", err)
	}
	return nil
}

// interactive reports whether a screen can be shown.
func (c *Console) interactive() bool {
	return c.InTerminal && c.OutTerminal && c.Getenv("TERM") != "dumb"
}

// readLine reads one line from standard input, byte by byte: what follows it
// belongs to somebody else. At the end of the input it is what was left, and the
// error is io.EOF where that is nothing.
func (c *Console) readLine() (string, error) {
	var line []byte
	one := make([]byte, 1)
	for len(line) < 1<<16 {
		n, err := c.In.Read(one)
		if n == 1 && one[0] == '\n' {
			break
		}
		line = append(line, one[:n]...)
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return "", io.EOF
		case errors.Is(err, io.EOF):
			return string(line), nil
		case err != nil:
			return "", fmt.Errorf("read standard input: %w", err)
		}
	}
	return string(line), nil
}

// checkTime is how long a check may take that usually may take so long.
func (c *Console) checkTime(usual time.Duration) time.Duration {
	if c.CheckTime > 0 {
		return c.CheckTime
	}
	return usual
}
