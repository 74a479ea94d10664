package jsonlines

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// locate returns an offset within the value that a pointer names, or within the
// innermost one that is there.
func locate(text []byte, at jsontext.Pointer) int64 {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))
	nearest := int64(0)
	for token := range at.Tokens() {
		opening, err := decoder.ReadToken()
		if err != nil {
			return nearest
		}
		nearest = decoder.InputOffset() - 1
		if !enter(decoder, opening.Kind(), token) {
			return nearest
		}
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nearest
	}
	return decoder.InputOffset() - 1
}

// enter goes to the value of a name or place in the object or list that was just
// opened, and reports whether it is there.
func enter(decoder *jsontext.Decoder, opened jsontext.Kind, token string) bool {
	if opened == jsontext.KindBeginArray {
		place, err := strconv.Atoi(token)
		for ; err == nil && place > 0 && decoder.PeekKind() != jsontext.KindEndArray; place-- {
			err = decoder.SkipValue()
		}
		return err == nil && decoder.PeekKind() != jsontext.KindEndArray
	}
	for opened == jsontext.KindBeginObject && decoder.PeekKind() == jsontext.KindString {
		name, err := decoder.ReadToken()
		if err != nil || name.String() == token {
			return err == nil
		}
		if decoder.SkipValue() != nil {
			return false
		}
	}
	return false
}

// brokenAt is the place within a value where its bytes are no JSON any more. The
// error of the decoder that read the values before may lack the first name of it.
func brokenAt(text []byte) jsontext.Pointer {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		_, err := decoder.ReadToken()
		var syntactic *jsontext.SyntacticError
		if errors.As(err, &syntactic) {
			return syntactic.JSONPointer
		}
		if err != nil {
			return ""
		}
	}
}
