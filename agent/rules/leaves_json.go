package rules

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonLeaves reads JSON, one value behind the other where there are several.
func jsonLeaves(text []byte) ([]leaf, error) {
	r := &jsonReader{text: text, decoder: jsontext.NewDecoder(bytes.NewReader(text))}
	for n := 0; ; n++ {
		where := ""
		if n > 0 {
			where = item("document", n)
		}
		if err := r.value(where, 0, 0); errors.Is(err, io.EOF) {
			return r.found, nil
		} else if err != nil {
			return nil, err
		}
	}
}

type jsonReader struct {
	text    []byte
	decoder *jsontext.Decoder
	found   []leaf
	// counted is how far lines were counted, and line the line there.
	counted, line int
}

// lineAt is the line of an offset that does not lie before the last one.
func (r *jsonReader) lineAt(offset int64) int {
	r.line += bytes.Count(r.text[r.counted:offset], []byte("\n"))
	r.counted = int(offset)
	return r.line + 1
}

// value reads one value; first is the line of its key, 0 where it has none.
func (r *jsonReader) value(where string, first, depth int) error {
	switch kind := r.decoder.PeekKind(); {
	case depth > deepest:
		return errTooDeep
	case len(r.found) > mostLeaves:
		return errTooMany
	case kind == '{', kind == '[':
		return r.container(where, first, depth)
	}
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return err
	}
	value := bytes.Clone(raw)
	last := r.lineAt(r.decoder.InputOffset())
	if first == 0 {
		first = last
	}
	r.found = append(r.found, leaf{where, value, first, last})
	return nil
}

func (r *jsonReader) container(where string, first, depth int) error {
	begin, err := r.decoder.ReadToken()
	if err != nil {
		return err
	}
	object := begin.Kind() == '{'
	began := r.lineAt(r.decoder.InputOffset())
	if first == 0 {
		first = began
	}
	before := len(r.found)
	plainItems := !object
	for n := 0; ; n++ {
		switch kind := r.decoder.PeekKind(); {
		case kind == '}' || kind == ']':
			if _, err := r.decoder.ReadToken(); err != nil {
				return err
			}
			if plainItems && n > 0 {
				r.list(where, before, first)
			}
			return nil
		case object:
			key, err := r.decoder.ReadToken()
			if err != nil {
				return err
			}
			name := key.String()
			at := r.lineAt(r.decoder.InputOffset())
			if err := r.value(join(where, name), at, depth+1); err != nil {
				return err
			}
		default:
			plainItems = plainItems && kind != '{' && kind != '['
			if err := r.value(item(where, n), 0, depth+1); err != nil {
				return err
			}
		}
	}
}

// list makes one value of the items of a list.
func (r *jsonReader) list(where string, before, first int) {
	r.found = append(r.found[:before], leaf{where, listed(r.found[before:]), first, r.lineAt(r.decoder.InputOffset())})
}
