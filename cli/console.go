package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/internal/enum"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/reply"
	"moot/research"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// Console is the process around a command: its streams, environment, clock and signals. No command uses the package os
// for these directly.
type Console struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// These say which of the streams are terminals.
	InTerminal, OutTerminal, ErrTerminal bool
	// Width is the width of Out in columns, or 0 if it isn't a terminal.
	Width int
	// Environ is the environment, as NAME=value.
	Environ []string
	// Dir is the current folder.
	Dir string
	Now func() time.Time
	// Random is the source of IDs and nonces.
	Random io.Reader
	// Signals replaces the signals of the process; nil means those of the process.
	Signals <-chan os.Signal
	// Transport carries the requests of moot doctor and the discovery of participants; nil means a default one.
	Transport http.RoundTripper
	// Keyring stores keys; nil means the keyring of the system.
	Keyring Keyring
	// Formats are those that sessions may have; nil means all of moot's.
	Formats []protocol.Format
	// Checkers check kinds of evidence besides citations and commands.
	Checkers []research.Checker
	// CheckTime limits each check of moot doctor and the discovery of participants; 0 means the defaults.
	CheckTime time.Duration
	// State is the folder of moot's files; "" means the one that the environment of the process names.
	State string
	// Confines says that main of this program is also the helper that confines commands, and the one that reads PDF files.
	Confines bool

	// parent is the console of the process for one of its sessions in a batch, which shares everything that is made
	// once. folder is where the sessions of the batch are.
	parent *Console
	folder string
	// fixed is the configuration of a batch, read once.
	fixed *defaults
	// transport is shared by the model endpoints of all sessions in batches; nil gives each its own. connected is the one
	// of the process.
	transport     http.RoundTripper
	connected     http.RoundTripper
	connectedOnce sync.Once
	// args are the arguments of the command that runs, without the program's name.
	args []string

	mutex sync.Mutex
	keys  keychain
	// drawing guards Random for the sessions of a batch.
	drawing sync.Mutex

	sharedOnce sync.Once
	parser     *reply.Parser
	redactor   *redact.Redactor
	sharedErr  error

	// memory holds what model endpoints learn, for the sessions of this process.
	memory endpoint.Memory

	programsOnce sync.Once
	adapters     []program.Adapter
}

// Keyring stores secrets: the keyring of the system, or that of a test. A missing secret is keyring.ErrNotFound.
type Keyring interface {
	Get(service, entry string) (string, error)
	Set(service, entry, secret string) error
	Delete(service, entry string) error
}

// keychain caches the keys of a keyring, and stops asking a keyring that failed.
type keychain struct {
	mutex sync.Mutex
	known map[string]string
	down  error
}

// shared returns the parser of replies and the redactor, which all sessions use: they take milliseconds to build.
func (c *Console) shared() (*reply.Parser, *redact.Redactor, error) {
	c = c.root()
	c.sharedOnce.Do(func() {
		var errs [2]error
		c.parser, errs[0] = reply.NewParser(c.formats())
		c.redactor, errs[1] = redact.New()
		c.sharedErr = errors.Join(errs[:]...)
	})
	return c.parser, c.redactor, c.sharedErr
}

// root is the console of the process.
func (c *Console) root() *Console {
	for c.parent != nil {
		c = c.parent
	}
	return c
}

// inBatch returns the console of sessions that run in a batch: nobody reads what they print, and their files are in a
// folder of the batch. Relative paths are relative to dir.
func (c *Console) inBatch(folder, dir string, d *defaults) *Console {
	return &Console{
		In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Environ: c.Environ, Dir: dir, Now: c.Now,
		Random:  &sharedReader{mutex: &c.root().drawing, from: c.root().Random},
		Keyring: c.Keyring, Formats: c.Formats, Checkers: c.Checkers, CheckTime: c.CheckTime, State: c.State,
		Confines: c.Confines, parent: c, folder: folder, fixed: d, transport: c.root().connections(),
	}
}

// connections returns the transport that all sessions in batches share.
func (c *Console) connections() http.RoundTripper {
	c.connectedOnce.Do(func() { c.connected = endpoint.NewTransport() })
	return c.connected
}

// sharedReader lets several goroutines read from a reader.
type sharedReader struct {
	mutex *sync.Mutex
	from  io.Reader
}

// Read implements io.Reader.
func (r *sharedReader) Read(p []byte) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.from.Read(p)
}

// formats returns the formats that sessions may have. The first one is the default.
func (c *Console) formats() []protocol.Format {
	if c.Formats == nil {
		return formats.All()
	}
	return c.Formats
}

// rules returns the formats as the store takes them.
func (c *Console) rules() []state.Rules {
	return lists.Map(c.formats(), func(f protocol.Format) state.Rules { return f })
}

// formatNames returns the names of the formats.
func (c *Console) formatNames() []string {
	return lists.Map(c.formats(), func(f protocol.Format) string { return string(f.Name()) })
}

// format returns the format with a name.
func (c *Console) format(name string) (protocol.Format, error) {
	names := c.formatNames()
	if _, err := oneOf("format", name, names); err != nil {
		return nil, in("format", err)
	}
	return c.formats()[slices.Index(names, name)], nil
}

// maxWidth limits the line length on wide terminals, for readability.
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
		if width, err := strconv.Atoi(c.Getenv("COLUMNS")); err == nil && width > 0 {
			c.Width = min(width, maxWidth)
		}
	}
	return c, nil
}

// Getenv returns a variable of the environment, or "" if it isn't set.
func (c *Console) Getenv(name string) string {
	value := ""
	for _, entry := range c.Environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// home returns the user's home folder, or "".
func (c *Console) home() string { return cmp.Or(c.Getenv("HOME"), c.Getenv("USERPROFILE")) }

// Say writes one line to standard error, with control characters escaped. It is safe for concurrent use.
func (c *Console) Say(format string, args ...any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	// A closed standard error can't be reported anywhere.
	_, _ = io.WriteString(c.Err, plain.Text(fmt.Sprintf(format, args...))+"\n")
}

// confirm asks the user at the terminal.
func (c *Console) confirm(question string) (bool, error) {
	if !c.InTerminal {
		return false, usage("%s There is no terminal to confirm it: add --yes", question)
	}
	c.Say("%s [y/N]", question)
	line, err := c.readLine()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	if answer == "y" || answer == "yes" {
		return true, err
	}
	c.Say("nothing was changed")
	return false, err
}

// Print writes a result to standard output.
func (c *Console) Print(text string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if _, err := io.WriteString(c.Out, text); err != nil {
		return fmt.Errorf("write the result to standard output: %w", err)
	}
	return nil
}

// showsScreen reports whether a command shows a screen. A flag or ACCESSIBLE=1 turns it off.
func (c *Console) showsScreen(plainMode bool) bool {
	return c.interactive() && !plainMode && c.Getenv("ACCESSIBLE") != "1"
}

// interactive reports whether a screen can be shown.
func (c *Console) interactive() bool {
	return c.InTerminal && c.OutTerminal && c.Getenv("TERM") != "dumb"
}

// readLine reads one line from standard input, byte by byte, so that the rest stays for the next reader. At the end of
// the input it returns what is left, or io.EOF if that is nothing.
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

// readHidden reads one line from the terminal without showing it.
func (c *Console) readHidden() (string, error) {
	file, is := c.In.(*os.File)
	if !is || !term.IsTerminal(file.Fd()) {
		return c.readLine()
	}
	text, err := term.ReadPassword(file.Fd())
	c.Say("")
	return string(text), err
}

// sessions returns the folder of the sessions.
func (c *Console) sessions() (string, error) {
	if c.folder != "" {
		return c.folder, nil
	}
	if c.State != "" {
		return filepath.Join(c.State, "sessions"), nil
	}
	return store.Dir()
}

// checkTime returns CheckTime, or the default if it isn't set.
func (c *Console) checkTime(byDefault time.Duration) time.Duration {
	if c.CheckTime > 0 {
		return c.CheckTime
	}
	return byDefault
}

// path resolves a path that the user typed, relative to the current folder.
func (c *Console) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(c.Dir, name)
}

// lookPath finds a program on the PATH of the console's environment. Unlike exec.LookPath, it ignores relative folders.
func (c *Console) lookPath(name string) (string, error) {
	if filepath.Base(name) != name {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(c.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// untilSignal returns a context that ends at the first signal that asks the process to end. Its cause has the exit
// code. A second signal ends the process at once.
func (c *Console) untilSignal(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, ignore := c.signals()
	go func() {
		select {
		case s := <-signals:
			cancel(leaveWith(signalCode(s)))
		case <-ctx.Done():
		}
		ignore()
	}()
	return ctx, func() { cancel(nil) }
}

// signals returns the signals that ask the process to end, until stop is called.
func (c *Console) signals() (got <-chan os.Signal, stop func()) {
	if c.Signals != nil {
		return c.Signals, func() {}
	}
	own := make(chan os.Signal, 4)
	signal.Notify(own, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	return own, func() { signal.Stop(own) }
}

// signalCode is the exit code after a signal.
func signalCode(s os.Signal) protocol.ExitCode {
	switch s {
	case syscall.SIGTERM:
		return protocol.ExitTerminated
	case syscall.SIGHUP:
		return protocol.ExitHangup
	}
	return protocol.ExitInterrupted
}

// codeError is an error with an exit code. Nothing is printed if err is nil.
type codeError struct {
	code protocol.ExitCode
	err  error
}

// Error implements error.
func (e *codeError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// Unwrap returns the cause.
func (e *codeError) Unwrap() error { return e.err }

// leaveWith ends a command with an exit code, without printing an error.
func leaveWith(code protocol.ExitCode) error {
	if code == protocol.ExitConcluded {
		return nil
	}
	return &codeError{code: code}
}

// usage is an error in the command line or in a file that it names.
func usage(format string, args ...any) error {
	return &codeError{code: protocol.ExitUsage, err: fmt.Errorf(format, args...)}
}

// found is the error of a check that failed.
func found(format string, args ...any) error {
	return &codeError{code: protocol.ExitFound, err: fmt.Errorf(format, args...)}
}

// exitCode is the exit code for an error. Of several that were joined, the code that takes precedence counts.
func exitCode(err error) protocol.ExitCode {
	switch e := err.(type) { //nolint:errorlint // it looks at each error of the tree itself
	case nil:
		return protocol.ExitConcluded
	case *codeError:
		return e.code
	case interface{ Unwrap() error }:
		if cause := e.Unwrap(); cause != nil {
			return exitCode(cause)
		}
	case interface{ Unwrap() []error }:
		return protocol.FirstExitCode(lists.Map(e.Unwrap(), exitCode)...)
	}
	return protocol.ExitError
}

// in says which value of a new session is wrong: the flag of moot ask, which is the key of the form too, or "question".
// A nil error stays nil.
func in(key string, err error) error {
	if err == nil {
		return nil
	}
	return &view.FieldError{Key: key, Err: err}
}

// asUsage makes a wrong value that a format reported a usage error.
func asUsage(err error) error {
	_, wrong := errors.AsType[*view.FieldError](err)
	if _, coded := errors.AsType[*codeError](err); wrong && !coded {
		return &codeError{code: protocol.ExitUsage, err: err}
	}
	return err
}

// oneOf parses a word of a closed list.
func oneOf[T ~string](what, text string, known []T) (T, error) {
	word, err := enum.Parse(what, text, known)
	if unknown, ok := errors.AsType[*enum.UnknownError](err); ok {
		return word, usage("%w", unknown)
	}
	return word, err
}

// firstOf is the first argument, or "".
func firstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// version is the version that the build recorded.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}

// cause is an error without the operation and path that package os adds.
func cause(err error) string {
	if inner, ok := errors.AsType[*os.PathError](err); ok {
		return inner.Err.Error()
	}
	return plain.Line(err.Error())
}
