package extract

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// EachLine calls each with every line of a file that is not blank, without its end and without a byte order mark. The
// text is only valid during the call. A line longer than LongestLine is lost.
func EachLine(ctx context.Context, from *File, into Sink, each func(line int, text []byte) error) error {
	in := bufio.NewReaderSize(io.NewSectionReader(from, 0, from.Size), HeadSize)
	var long []byte // What was read so far of a line that is longer than the buffer.
	for line, size := 1, 0; ; {
		text, err := in.ReadSlice('\n')
		size += len(text)
		if errors.Is(err, bufio.ErrBufferFull) {
			if size <= LongestLine {
				long = append(long, text...)
			}
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("read %s: %w", from.Name, err)
			}
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		if len(long) > 0 {
			text = append(long, text...)
		}
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		text = bytes.TrimRight(text, "\r\n")
		switch {
		case size > LongestLine+len("\r\n"):
			into.Lost("line "+strconv.Itoa(line), 1, fmt.Sprintf("it is longer than %d bytes", LongestLine))
		case len(bytes.TrimSpace(text)) > 0:
			if err := each(line, text); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if line%1024 == 0 && ctx.Err() != nil {
			return fmt.Errorf("read %s: %w", from.Name, ctx.Err())
		}
		long, size, line = long[:0], 0, line+1
	}
}
