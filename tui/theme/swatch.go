package theme

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"moot/config"
	"moot/internal/enum"
)

// swatch is the style of one role, for example "bold #8a5a00 on 15".
type swatch struct {
	// ink and ground are the text and background colors: "#rrggbb", a color
	// number from "0" to "255", or "" for the terminal's default.
	ink, ground                            string
	bold, faint, italic, underline, invert bool
}

// style returns the swatch as escape sequences.
func (s swatch) style() Style { return styleOf(s.lipgloss()) }

// lipgloss returns the swatch as a style of that library.
func (s swatch) lipgloss() lipgloss.Style {
	style := lipgloss.NewStyle().Bold(s.bold).Faint(s.faint).Italic(s.italic).Underline(s.underline).Reverse(s.invert)
	if s.ink != "" {
		style = style.Foreground(lipgloss.Color(s.ink))
	}
	if s.ground != "" {
		style = style.Background(lipgloss.Color(s.ground))
	}
	return style
}

// colorNames returns the names of the 16 ANSI colors by number.
func colorNames() []string {
	names := []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}
	for _, name := range names[:8:8] {
		names = append(names, "bright-"+name)
	}
	return names
}

// defaultColor is the terminal's own color.
const defaultColor = "default"

func attributeNames() []string { return []string{"bold", "faint", "italic", "underline", "reverse"} }

// parseSwatch reads the words of a style. Their order doesn't matter, except
// that "on" precedes the background color. Errors don't name the key or file.
func parseSwatch(text string) (swatch, error) {
	var s swatch
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return s, fmt.Errorf("names no style; write %q for the terminal's own color", defaultColor)
	}
	for i, word := range words {
		if word == "on" && i < len(words)-1 || s.attribute(word) {
			continue
		}
		color, err := parseColor(word)
		if err != nil {
			return s, err
		}
		if i > 0 && words[i-1] == "on" {
			s.ground = color
		} else {
			s.ink = color
		}
	}
	return s, nil
}

// attribute sets the attribute named by word. It reports whether there is one.
func (s *swatch) attribute(word string) bool {
	switch word {
	case "bold":
		s.bold = true
	case "faint":
		s.faint = true
	case "italic":
		s.italic = true
	case "underline":
		s.underline = true
	case "reverse":
		s.invert = true
	default:
		return false
	}
	return true
}

// parseColor reads "#rrggbb", "#rgb", a number to 255 or a name.
func parseColor(word string) (string, error) {
	if digits, found := strings.CutPrefix(word, "#"); found {
		if _, err := strconv.ParseUint(digits, 16, 32); err != nil || len(digits) != 3 && len(digits) != 6 {
			return "", fmt.Errorf("%.60q is no color; write # and 3 or 6 hexadecimal digits, such as #8a5a00", word)
		}
		if len(digits) == 3 {
			digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
		}
		return "#" + digits, nil
	}
	if word == defaultColor {
		return "", nil
	}
	if i := slices.Index(colorNames(), word); i >= 0 {
		return strconv.Itoa(i), nil
	}
	if n, err := strconv.Atoi(word); err == nil {
		if n < 0 || n > 255 {
			return "", fmt.Errorf("%.60q is no color; the numbers are 0 to 255", word)
		}
		return strconv.Itoa(n), nil
	}
	near := enum.Nearest(word, slices.Concat(colorNames(), attributeNames(), []string{defaultColor}))
	return "", fmt.Errorf("unknown color %s%s", config.Named(word), config.Meant(near))
}
