package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/config"
	"moot/internal/enum"
)

// keyNames are the keys that have a name, as the terminal library writes them.
func keyNames() []string {
	names := []string{
		"enter", "tab", "backspace", "esc", "space", "up", "down", "left", "right", "begin", "insert", "delete",
		"pgup", "pgdown", "home", "end",
	}
	for n := 1; n <= 24; n++ {
		names = append(names, "f"+strconv.Itoa(n))
	}
	return names
}

// modifierNames are the keys that are held, in the order in which the terminal library
// writes them.
func modifierNames() []string { return []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} }

// keyName checks the name of a key as the configuration has it, such as ctrl+s, and
// returns it as the terminal library writes it.
func keyName(text string) (string, error) {
	held, base := splitKey(text)
	if utf8.RuneCountInString(base) != 1 {
		name := strings.ToLower(base)
		switch {
		case slices.Contains(keyNames(), name):
			return join(held, name), nil
		case utf8.RuneCountInString(name) != 1:
			return "", fmt.Errorf("unknown key %s%s", config.Named(text), config.Meant(enum.Nearest(name, keyNames())))
		}
		base = name
	}
	letter, _ := utf8.DecodeRuneInString(base)
	if letter == ' ' {
		return join(held, "space"), nil
	}
	if letter == utf8.RuneError || !unicode.IsPrint(letter) {
		return "", fmt.Errorf("unknown key %s", config.Named(text))
	}
	return characterKey(text, held, letter)
}

// characterKey is the name of a key that types a character, alone or held with
// others.
func characterKey(text string, held []string, letter rune) (string, error) {
	lower := unicode.ToLower(letter)
	switch {
	case len(held) == 0:
		return string(letter), nil
	case slices.Equal(held, []string{"shift"}) && lower == unicode.ToUpper(letter):
		return "", fmt.Errorf("what %s types depends on the keyboard; write the character itself", config.Named(text))
	case slices.Equal(held, []string{"shift"}):
		return string(unicode.ToUpper(letter)), nil
	case slices.Equal(held, []string{"ctrl"}) && letter == '@':
		return "ctrl+space", nil
	case slices.Equal(held, []string{"ctrl"}):
		for sent, key := range map[rune]string{'i': "tab", 'm': "enter", '[': "esc"} {
			if lower == sent {
				return "", fmt.Errorf("%s is %s to most terminals; write %s", join(held, string(lower)), key, key)
			}
		}
	case lower != letter && !slices.Contains(held, "ctrl"):
		held = append(slices.Clone(held), "shift")
	}
	return join(held, string(lower)), nil
}

// splitKey separates the modifiers from the key that they are held with.
func splitKey(text string) (held []string, base string) {
	for {
		modifier, rest, found := strings.Cut(text, "+")
		if !found || rest == "" || !slices.Contains(modifierNames(), strings.ToLower(modifier)) {
			return held, text
		}
		held, text = append(held, strings.ToLower(modifier)), rest
	}
}

// join writes a key with its modifiers in the library's order.
func join(held []string, base string) string {
	var b strings.Builder
	for _, modifier := range modifierNames() {
		if slices.Contains(held, modifier) {
			b.WriteString(modifier + "+")
		}
	}
	return b.String() + base
}

// typesText reports whether a key by its name types a character.
func typesText(key string) bool {
	return key == "space" || key == "shift+space" || utf8.RuneCountInString(key) == 1
}

// shownKeys names keys for the help and the footer: as many as its column holds.
func shownKeys(keys []string) string {
	const column = 11
	shown := ""
	for _, key := range keys {
		key = strings.ReplaceAll(key, "pgdown", "pgdn")
		if shown != "" && len(shown)+1+len(key) > column {
			break
		}
		shown = strings.TrimPrefix(shown+" "+key, " ")
	}
	return shown
}
