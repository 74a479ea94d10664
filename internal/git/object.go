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

// maxObjects is the maximum total size of objects read at once, in bytes, and maxReading the time limit.
const (
	maxObjects = 8 << 30
	maxReading = 5 * time.Minute
)

// objects reads objects by id, each once, and passes them to use. A missing object has the kind "missing". If it is
// missing or larger than most bytes, the content is empty and git does not load it. use need not read all of the
// content. An object whose content does not match its id is an error.
func (r *Repository) objects(
	ctx context.Context, ids []string, most int64, use func(id, kind string, size int64, content io.Reader) error,
) error {
	if len(ids) == 0 {
		return nil
	}
	if err := r.openObjects(); err != nil {
		return err
	}
	batch := func(how string, ids []string, each func(piece []byte) error) (string, error) {
		return run(ctx, call{
			dir: filepath.Join(r.private, "empty"), env: r.environ(), limit: maxObjects,
			args: []string{"cat-file", how},
			time: maxReading, stdin: []byte(strings.Join(ids, "\n") + "\n"), each: each,
		})
	}
	kinds, err := batch("--batch-check", ids, nil)
	if err != nil {
		return err
	}
	var wanted []string
	for line := range strings.Lines(kinds) {
		id, kind, size, err := header(line)
		switch {
		case err != nil:
			return err
		case kind != "missing" && size <= most:
			wanted = append(wanted, id)
		default:
			if err := use(id, kind, size, strings.NewReader("")); err != nil {
				return err
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := r.readObjects(bufio.NewReaderSize(reader, 64<<10), len(wanted), use)
		reader.CloseWithError(err)
		done <- err
	}()
	_, err = batch("--batch", wanted, func(piece []byte) error {
		_, err := writer.Write(piece)
		return err
	})
	writer.CloseWithError(errors.Join(err, io.ErrUnexpectedEOF))
	if used := <-done; used != nil && !errors.Is(used, io.ErrUnexpectedEOF) {
		return used
	} else if err == nil {
		err = used
	}
	return err
}

// header parses the line with which git cat-file describes an object.
func header(line string) (id, kind string, size int64, err error) {
	fields := strings.Fields(line)
	if len(fields) == 2 {
		return fields[0], fields[1], 0, nil
	}
	if len(fields) == 3 {
		if size, err = strconv.ParseInt(fields[2], 10, 64); err == nil {
			return fields[0], fields[1], size, nil
		}
	}
	return "", "", 0, &Error{Text: fmt.Sprintf("git cat-file: unexpected line %q", line)}
}

// readObjects reads the output of git cat-file --batch.
func (r *Repository) readObjects(
	in *bufio.Reader, count int, use func(id, kind string, size int64, content io.Reader) error,
) error {
	for range count {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		id, kind, size, err := header(line)
		if err != nil {
			return err
		}
		sum := r.hash(kind, size)
		content := io.TeeReader(io.LimitReader(in, size), sum)
		if err := use(id, kind, size, content); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return err
		}
		if name := hex.EncodeToString(sum.Sum(nil)); name != id {
			return &Error{Text: fmt.Sprintf("the repository is damaged: object %.12s holds other contents", id)}
		}
		if _, err := in.Discard(1); err != nil {
			return err
		}
	}
	return nil
}
