package research

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"

	"moot/internal/process"
)

// A PDF file is read in a process of its own, since a damaged or hostile one can take all memory and never end. The
// process ends itself when it has used too much.
const (
	pdfArgument = "moot-pdf-text"
	// pdfTime is how long it may take, and pdfMemory how much memory it may use, in bytes.
	pdfTime   = 8 * time.Second
	pdfMemory = 512 << 20
	// pdfPages is how many pages are read, and pdfText how much text, in bytes.
	pdfPages = 2000
	pdfText  = 4 << 20
)

// The exit codes of the process.
const (
	pdfRead = iota
	pdfDamaged
	pdfLarge
	pdfMore
)

// IsPDFHelper reports whether the process was started to read a PDF file; args begins with the name of the process.
func IsPDFHelper(args []string) bool { return len(args) == 2 && args[1] == pdfArgument }

// MainPDF reads a PDF file, writes its text and returns the exit code. The caller ends the process with it.
func MainPDF(in io.Reader, out io.Writer) int {
	content, err := io.ReadAll(io.LimitReader(in, maxPage))
	if err != nil {
		return pdfDamaged
	}
	code := make(chan int, 1)
	go func() { code <- writePDF(content, &boundedWriter{to: bufio.NewWriter(out), left: pdfText}) }()
	watch := time.NewTicker(20 * time.Millisecond)
	defer watch.Stop()
	for {
		select {
		case result := <-code:
			return result
		case <-watch.C:
			var memory runtime.MemStats
			if runtime.ReadMemStats(&memory); memory.Sys > pdfMemory {
				return pdfLarge
			}
		}
	}
}

type boundedWriter struct {
	to   *bufio.Writer
	left int
}

// writePDF writes the text of the pages. What cannot be read of them is left out.
func writePDF(content []byte, out *boundedWriter) (code int) {
	defer func() {
		if recover() != nil {
			code = pdfDamaged
		}
	}()
	reader, err := pdf.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return pdfDamaged
	}
	pages := reader.NumPage()
	whole := pages <= pdfPages
	for i := range min(pages, pdfPages) {
		text, err := pageText(reader, i+1)
		if err != nil {
			whole = false
			continue
		}
		if len(text) > out.left {
			text, whole = cut(text, out.left), false
		}
		out.left -= len(text)
		if _, err := out.to.WriteString(strings.ToValidUTF8(text, "\uFFFD") + "\n"); err != nil || out.to.Flush() != nil {
			return pdfDamaged
		}
		if out.left == 0 {
			break
		}
	}
	if whole {
		return pdfRead
	}
	return pdfMore
}

// pageText returns the text of a page, from 1.
func pageText(reader *pdf.Reader, number int) (text string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("page %d: %v", number, v)
		}
	}()
	return reader.Page(number).GetPlainText(nil)
}

// readPDF returns the text of a PDF file, and whether that is only a part of it.
func (p *Pages) readPDF(ctx context.Context, content []byte) (text string, part bool, err error) {
	if len(p.helper) == 0 {
		return "", false, errors.New("its type is application/pdf, which this program does not read")
	}
	runner := &process.Runner{}
	defer runner.Close()
	written, result, err := runner.Output(ctx, process.Spec{
		Path: p.helper[0], Args: p.helper[1:], Stdin: content,
		Limits: process.Limits{Total: p.pdfTime, Silence: p.pdfTime, TermWait: time.Second / 10, MaxOutputBytes: 2 * pdfText},
	})
	limit, limited := errors.AsType[*process.LimitError](err)
	switch {
	case ctx.Err() != nil:
		return "", false, errors.New(ended(context.Cause(ctx)))
	case err != nil && !limited:
		return "", false, errors.New("the PDF file cannot be read: " + shown(err.Error()))
	}
	why := "it is damaged"
	switch {
	case limited && limit.Limit == process.Output:
		why = "it has too much text"
	case limited:
		why = fmt.Sprintf("it takes longer than %s", p.pdfTime)
	case result.Exit == pdfLarge:
		why = fmt.Sprintf("it takes more than %d MiB of memory", pdfMemory>>20)
	case strings.TrimSpace(written) == "" && result.Exit == pdfRead:
		why = "it has no text, as if it were scanned"
	case result.Exit == pdfRead:
		return written, unreadable(written), nil
	}
	if strings.TrimSpace(written) == "" {
		return "", false, errors.New("the PDF file cannot be read: " + why)
	}
	return written, true, nil
}

// unreadable reports whether a text has many characters that nobody writes, as of a font that does not say what its
// signs mean.
func unreadable(text string) bool {
	const tolerated = 50 // one in so many
	odd := 0
	for _, c := range text {
		if c == utf8.RuneError || !unicode.IsPrint(c) && !unicode.IsSpace(c) {
			odd++
		}
	}
	return odd > utf8.RuneCountInString(text)/tolerated
}
