package tui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// standins are characters in the place of those that a text to write in cannot
// hold or must not draw: tabs, control characters, what turns a line around,
// bytes that are no text. None of them is in the text, so that the text comes
// back byte for byte.
type standins struct {
	// of are the stand-ins by what they stand for, for the other way round; order
	// is that of their first place.
	of    map[string]rune
	stand map[rune]string
	order []string
}

// newStandins finds stand-ins for a text.
func newStandins(text string) *standins {
	s := &standins{of: map[string]rune{}, stand: map[rune]string{}}
	used := map[rune]bool{}
	for _, r := range text {
		used[r] = true
	}
	units(text, func(unit string, odd bool) {
		if !odd || s.of[unit] != 0 {
			return
		}
		r := free(unit, used)
		used[r] = true
		s.of[unit], s.stand[r] = r, unit
		s.order = append(s.order, unit)
	})
	return s
}

// units parts a text into its characters; a byte that is no text is one.
func units(text string, each func(unit string, odd bool)) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		odd := r != '\n' && (r == utf8.RuneError || !unicode.IsGraphic(r))
		each(text[i:i+size], odd)
		i += size
	}
}

// free is a character that is not used yet: a picture of the unit where there is
// one, else a letter in a circle, else one that has no meaning.
func free(unit string, used map[rune]bool) rune {
	r, _ := utf8.DecodeRuneInString(unit)
	var pictures []rune
	switch {
	case r == '\t':
		pictures = []rune{'⇥', '␉'}
	case r < ' ':
		pictures = []rune{'␀' + r}
	case r == 0x7f:
		pictures = []rune{'␡'}
	}
	for _, p := range pictures {
		if !used[p] {
			return p
		}
	}
	for _, span := range [][2]rune{{'①', '⓿'}, {0xe000, 0xf8ff}, {0xf0000, 0x10fffd}} {
		for p := span[0]; p <= span[1]; p++ {
			if !used[p] {
				return p
			}
		}
	}
	return utf8.RuneError
}

// hide puts the stand-ins into a text.
func (s *standins) hide(text string) string {
	var b strings.Builder
	units(text, func(unit string, _ bool) {
		if r := s.of[unit]; r != 0 {
			b.WriteRune(r)
			return
		}
		b.WriteString(unit)
	})
	return b.String()
}

// restore takes them out again.
func (s *standins) restore(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unit, stands := s.stand[r]; stands {
			b.WriteString(unit)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// legend says what stands for what, or "".
func (s *standins) legend() string {
	var parts []string
	for _, unit := range s.order {
		name := fmt.Sprintf("%+q", unit)
		if unit == "\t" {
			name = "a tab"
		}
		parts = append(parts, string(s.of[unit])+" is "+strings.Trim(name, `"`))
	}
	return strings.Join(parts, ", ")
}
