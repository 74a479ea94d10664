package git

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// maxObjects bounds what objects are read at once, in bytes, and maxReading how long that may take.
const (
	maxObjects = 8 << 30
	maxReading = 5 * time.Minute
)

// objects reads objects by their names, each once, in their order. The kind of one that is not there is "missing". What
// use leaves of the content is skipped. An object whose content does not fit its name is an error.
func (r *Repository) objects(
	ctx context.Context, ids []string, use func(id, kind string, size int64, content io.Reader) error,
) error {
	if len(ids) == 0 {
		return nil
	}
	if err := r.openObjects(); err != nil {
		return err
	}
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := r.readObjects(bufio.NewReaderSize(reader, 64<<10), len(ids), use)
		reader.CloseWithError(err)
		done <- err
	}()
	_, err := run(ctx, call{
		dir: filepath.Join(r.private, "empty"), env: r.environ(), limit: maxObjects, args: []string{"cat-file", "--batch"},
		time: maxReading, stdin: []byte(strings.Join(ids, "\n") + "\n"),
		each: func(piece []byte) error {
			_, err := writer.Write(piece)
			return err
		},
	})
	writer.CloseWithError(errors.Join(err, io.ErrUnexpectedEOF))
	if used := <-done; used != nil && !errors.Is(used, io.ErrUnexpectedEOF) {
		return used
	} else if err == nil {
		err = used
	}
	return err
}

// readObjects reads what git cat-file --batch writes.
func (r *Repository) readObjects(
	in *bufio.Reader, count int, use func(id, kind string, size int64, content io.Reader) error,
) error {
	for range count {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		fields := strings.Fields(line)
		if len(fields) == 2 {
			if err := use(fields[0], fields[1], 0, strings.NewReader("")); err != nil {
				return err
			}
			continue
		}
		if len(fields) != 3 {
			return &Error{Text: fmt.Sprintf("git cat-file: unexpected line %q", line)}
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return &Error{Text: fmt.Sprintf("git cat-file: unexpected line %q", line)}
		}
		sum := r.hash(fields[1], size)
		content := io.TeeReader(io.LimitReader(in, size), sum)
		if err := use(fields[0], fields[1], size, content); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return err
		}
		if name := hex.EncodeToString(sum.Sum(nil)); name != fields[0] {
			return &Error{Text: fmt.Sprintf("the repository is damaged: object %.12s holds other contents", fields[0])}
		}
		if _, err := in.Discard(1); err != nil {
			return err
		}
	}
	return nil
}
