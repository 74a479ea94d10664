package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// longestLine is the most that a client may send in one line, in bytes: a reply whose every character is escaped.
const longestLine = 4 << 20

// Stdio returns the transport for standard input and output. The library closes the connection on a line that it cannot
// decode. This transport answers such a line with its JSON-RPC error, and the server continues.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	to := &lineWriter{out: out}
	return &mcp.IOTransport{Reader: &lineReader{in: bufio.NewReaderSize(in, 64<<10), errors: to}, Writer: to}
}

// lineWriter writes whole lines. Closing it leaves the output open.
type lineWriter struct {
	mutex sync.Mutex
	out   io.Writer
}

func (w *lineWriter) Write(line []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.out.Write(line)
}

func (*lineWriter) Close() error { return nil }

// lineReader passes on the lines that the library can decode, and answers the others.
type lineReader struct {
	in     *bufio.Reader
	errors io.Writer
	// rest is the part of the current line that was not read yet.
	rest []byte
}

func (*lineReader) Close() error { return nil }

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.line()
		if fault := check(line, err); fault != nil {
			if err := r.refuse(fault); err != nil {
				return 0, err
			}
			line = nil
		}
		if err != nil && !errors.Is(err, errLong) && len(line) == 0 {
			return 0, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.rest = slices.Concat(line, []byte("\n"))
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

var errLong = errors.New("the line is too long")

// line reads the next line. Of one that is too long it keeps nothing.
func (r *lineReader) line() (line []byte, err error) {
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, errLong
		default:
			return line, err
		}
	}
}

// fault is why a line is no message, and the ID of the request if it has one.
type fault struct {
	code int64
	text string
	id   json.RawMessage
}

// check returns why the library cannot decode a line as a message, or nil.
func check(line []byte, err error) *fault {
	line = bytes.TrimSpace(line)
	invalid := func(id json.RawMessage, format string, args ...any) *fault {
		return &fault{
			code: jsonrpc.CodeInvalidRequest, text: "invalid request: " + fmt.Sprintf(format, args...),
			id: id,
		}
	}
	switch {
	case errors.Is(err, errLong):
		return invalid(nil, "the line is longer than %d bytes", longestLine)
	case len(line) == 0:
		return nil
	case !utf8.Valid(line):
		return &fault{code: jsonrpc.CodeParseError, text: "parse error: the line is not UTF-8"}
	case !json.Valid(line):
		return &fault{code: jsonrpc.CodeParseError, text: "parse error: the line is not one JSON value"}
	case line[0] == '[':
		return invalid(nil, "batches are not supported: send one message a line")
	case line[0] != '{':
		return invalid(nil, "a message is a JSON object")
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil {
		return invalid(nil, "the message cannot be read")
	}
	id, method, params := parts["id"], parts["method"], parts["params"]
	is := func(value json.RawMessage, kinds string) bool {
		return len(value) > 0 && strings.IndexByte(kinds, value[0]) >= 0
	}
	var number int64
	switch {
	case id != nil && !is(id, `"`) && json.Unmarshal(id, &number) != nil, string(id) == "null":
		return invalid(nil, "id is a string or a whole number")
	case string(parts["jsonrpc"]) != `"2.0"`:
		return invalid(id, `jsonrpc is not "2.0"`)
	case method != nil && !is(method, `"`):
		return invalid(id, "method is not a string")
	case method == nil && parts["result"] == nil && parts["error"] == nil:
		return invalid(id, "method is missing")
	case params != nil && !is(params, "{n"):
		return &fault{code: jsonrpc.CodeInvalidParams, text: "invalid params: params is not an object", id: id}
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return invalid(id, "the message cannot be read")
	}
	return nil
}

// refuse answers a line that is no message.
func (r *lineReader) refuse(f *fault) error {
	id := f.id
	if id == nil {
		id = json.RawMessage("null")
	}
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": f.code, "message": f.text},
	})
	if err == nil {
		_, err = r.errors.Write(append(line, '\n'))
	}
	return err
}
