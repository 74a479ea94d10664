package store

import (
	"bytes"
	"reflect"
	"strings"
	"unicode/utf8"

	"moot/state"
)

// A byte that is not UTF-8 is disguised as the character base plus the byte,
// which is above firstDisguise; see the package comment.
const (
	base          = 0x10FF00
	firstDisguise = base + 0x80
)

// mustDisguise reports whether JSON may have lost bytes of its texts:
// encoding/json writes a byte that is not UTF-8 as an escaped U+FFFD (a real
// U+FFFD is written as it is), and disguises look like real characters.
func mustDisguise(data []byte) bool {
	return bytes.Contains(data, []byte(`\ufffd`)) || holdsDisguise(data)
}

// holdsDisguise reports whether a character of U+10FF80 to U+10FFFF is in the
// JSON; their UTF-8 begins with these three bytes, and no other's does.
func holdsDisguise(data []byte) bool {
	return bytes.Contains(data, []byte{0xF4, 0x8F, 0xBE}) || bytes.Contains(data, []byte{0xF4, 0x8F, 0xBF})
}

// disguise makes any text valid UTF-8, so that reveal gives it back.
func disguise(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if (r == utf8.RuneError && size == 1) || r >= firstDisguise {
			for _, c := range []byte(text[i : i+size]) {
				b.WriteRune(base + rune(c))
			}
		} else {
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// reveal is the inverse of disguise.
func reveal(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r >= firstDisguise {
			b.WriteByte(byte((r - base) & 0xFF))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// disguised returns a copy of the payload with all its texts disguised.
func disguised(payload state.Payload) state.Payload { return withTexts(payload, disguise) }

// undisguised returns a copy of the payload with all its texts revealed.
func undisguised(payload state.Payload) state.Payload { return withTexts(payload, reveal) }

func withTexts(payload state.Payload, change func(string) string) state.Payload {
	copied, ok := rewrite(reflect.ValueOf(payload), change).Interface().(state.Payload)
	if !ok {
		// The copy has the payload's own type.
		return payload
	}
	return copied
}

// rewrite returns a copy of a value in which every string was changed. Bytes
// (json.RawMessage) stay as they are: encoding/json copies them verbatim.
func rewrite(v reflect.Value, change func(string) string) reflect.Value {
	if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.IsNil() {
		return v
	}
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	switch v.Kind() {
	case reflect.String:
		copied.SetString(change(v.String()))
	case reflect.Pointer:
		copied.Set(reflect.New(v.Type().Elem()))
		copied.Elem().Set(rewrite(v.Elem(), change))
	case reflect.Struct:
		for i := range v.NumField() {
			if copied.Field(i).CanSet() {
				copied.Field(i).Set(rewrite(v.Field(i), change))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v
		}
		copied.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			copied.Index(i).Set(rewrite(v.Index(i), change))
		}
	case reflect.Map:
		copied.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for _, key := range v.MapKeys() {
			copied.SetMapIndex(rewrite(key, change), rewrite(v.MapIndex(key), change))
		}
	}
	return copied
}
