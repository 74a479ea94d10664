package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/lists"
	"moot/internal/plain"
)

// RefusedError means that no form knows a file.
type RefusedError struct {
	Name string
	// Like says in a clause what the file looks like.
	Like string
	// Takes lists what the forms would take.
	Takes []string
}

// Error is one sentence.
func (e *RefusedError) Error() string {
	last := len(e.Takes) - 1
	return fmt.Sprintf("%s: %s; moot takes %s and %s", e.Name, e.Like, strings.Join(e.Takes[:last], ", "), e.Takes[last])
}

// FormOf returns the form of a file, or a *RefusedError.
func FormOf(f *File, forms []Form) (*Form, error) {
	raw := make([]byte, HeadSize)
	n, err := f.ReadAt(raw[:min(HeadSize, f.Size)], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", f.Name, err)
	}
	// An error means that the head ends within a character.
	head, _ := io.ReadAll(utf8Of(bytes.NewReader(raw[:n])))
	for i := range forms {
		if forms[i].Recognize(head) {
			return &forms[i], nil
		}
	}
	return nil, &RefusedError{Name: f.Name, Like: likeness(raw[:n], head), Takes: lists.Map(forms, func(f Form) string { return f.Takes })}
}

// likeness says what a file looks like that no form knows.
func likeness(raw, head []byte) string {
	for _, one := range []struct {
		at          int
		magic, like string
	}{
		{0, "\x1f\x8b", "a gzip file: unpack it"},
		{0, "\xfd7zXZ\x00", "an xz file: unpack it"},
		{0, "BZh", "a bzip2 file: unpack it"},
		{0, "\x28\xb5\x2f\xfd", "a zstd file: unpack it"},
		{0, "PK\x03\x04", "a zip file: unpack it"},
		{0, "7z\xbc\xaf\x27\x1c", "a 7z file: unpack it"},
		{257, "ustar", "a tar file: unpack it"},
		{0, "\xd4\xc3\xb2\xa1", "a capture of packets (pcap)"},
		{0, "\xa1\xb2\xc3\xd4", "a capture of packets (pcap)"},
		{0, "\x4d\x3c\xb2\xa1", "a capture of packets (pcap)"},
		{0, "\xa1\xb2\x3c\x4d", "a capture of packets (pcap)"},
		{0, "\x0a\x0d\x0d\x0a", "a capture of packets (pcapng)"},
		{4, "LfLe", "an event log of Windows XP (.evt): convert it with wevtutil export-log OLD.evt NEW.evtx /lf"},
		{0, "%PDF-", "a PDF file"},
		{0, "\x89PNG", "a picture (PNG)"},
		{0, "\xff\xd8\xff", "a picture (JPEG)"},
		{0, "\x7fELF", "a program (ELF)"},
		{0, "MZ", "a Windows program"},
		{0, "SQLite format 3\x00", "an SQLite database"},
		{0, "LPKSHHRH", "a binary journal of systemd: export it with journalctl --file FILE -o json"},
	} {
		if len(raw) >= one.at && bytes.HasPrefix(raw[one.at:], []byte(one.magic)) {
			return "it looks like " + one.like
		}
	}
	text := bytes.TrimSpace(head)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	shown := plain.Clip(plain.Line(string(first)), 60)
	switch {
	case len(raw) == 0:
		return "the file is empty"
	case bytes.IndexByte(head, 0) >= 0 || !isText(head):
		return "binary data that moot doesn't know"
	case len(text) == 0:
		return "the file is blank"
	case text[0] == '{' || text[0] == '[':
		keys := FirstKeys(text)
		switch {
		case slices.Contains(keys, "packet_id"):
			return "it is a packet already"
		case len(keys) == 0:
			return "JSON that moot doesn't know"
		}
		return "JSON that moot doesn't know, with the keys " +
			plain.Clip(plain.Line(strings.Join(keys[:min(len(keys), 4)], ", ")), 80)
	case text[0] == '<' && !bytes.HasPrefix(text, []byte("<1")):
		return "XML or HTML that moot doesn't know, beginning with " + shown
	}
	return fmt.Sprintf("text without times that moot knows, beginning with %q", shown)
}

// isText reports whether a head is UTF-8 text, except for a character that its end cuts.
func isText(head []byte) bool {
	wrong := 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 && len(rest) > utf8.UTFMax || r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\x1b' {
			wrong++
		}
		rest = rest[size:]
	}
	return wrong*50 <= len(head)
}

// FirstKeys returns the keys of the first JSON object of a head, in their order, as far as the head has them.
func FirstKeys(head []byte) (keys []string) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(bytes.TrimSpace(head)), jsontext.AllowDuplicateNames(true))
	token, err := decoder.ReadToken()
	if err == nil && token.Kind() == jsontext.KindBeginArray {
		token, err = decoder.ReadToken()
	}
	if err != nil || token.Kind() != jsontext.KindBeginObject {
		return nil
	}
	for {
		token, err := decoder.ReadToken()
		if err != nil || token.Kind() != jsontext.KindString {
			return keys
		}
		keys = append(keys, token.String())
		if decoder.SkipValue() != nil {
			return keys
		}
	}
}
