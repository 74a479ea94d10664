package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/tui/theme"
)

var update = flag.Bool("update", false, "write the golden screens")

// golden compares text with the golden file of that name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./tui -update and review it", err)
	}
	if wanted := strings.ReplaceAll(string(want), "\r\n", "\n"); wanted != got {
		t.Errorf("%s differs; write it with go test ./tui -update and review it. Got:\n%s\nwant:\n%s", path, got, wanted)
	}
}

// TestGoldenScreens holds the text of each scene. The text must not depend on the
// theme: every color comes with a word or a sign. With --ascii it is all ASCII.
func TestGoldenScreens(t *testing.T) {
	t.Parallel()
	skipShort(t)
	cast := friendly(t)
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			for _, size := range [][2]int{{120, 40}, {60, 20}} {
				m := s.play(&stage{t: t, cast: cast, width: size[0], height: size[1]})
				text := screenText(m)
				m.appear(func(a *theme.Appearance) { a.Mono = true })
				if plain := screenText(m); plain != text {
					t.Errorf("without colors the screen at %v is\n%s\nwith colors\n%s", size, plain, text)
				}
				m.appear(func(a *theme.Appearance) { a.ASCII = true })
				for row := range strings.SplitSeq(screenText(m), "\n") {
					if strings.ContainsFunc(row, func(r rune) bool { return r > '~' }) {
						t.Errorf("with --ascii at %v: %q", size, row)
					}
				}
				fmt.Fprintf(&out, "== %dx%d\n", size[0], size[1])
				for row := range strings.SplitSeq(text, "\n") {
					out.WriteString(strings.TrimRight(row, " ") + "\n")
				}
			}
			golden(t, filepath.Join("screens", s.name), out.String())
		})
	}
}

// screenText is the text on the screen, without styles.
func screenText(m *Model) string {
	m.dirty = true
	return ansi.Strip(strings.Join(m.drawScreen(), "\n"))
}

// typeKeys presses keys by name, in order.
func typeKeys(m *Model, keys string) []tea.Cmd {
	var cmds []tea.Cmd
	for name := range strings.FieldsSeq(keys) {
		_, cmd := m.Update(keyOf(name))
		cmds = append(cmds, cmd)
	}
	return cmds
}

// keyOf is the message of a key, by name.
func keyOf(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	var mod tea.KeyMod
	for prefix, bit := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "shift+": tea.ModShift} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			name, mod = rest, mod|bit
		}
	}
	if code, found := named[name]; found {
		key := tea.KeyPressMsg{Code: code, Mod: mod}
		if code == tea.KeySpace {
			key.Text = " "
		}
		return key
	}
	key := tea.KeyPressMsg{Code: []rune(name)[0], Mod: mod}
	if mod == 0 {
		key.Text = name
	}
	return key
}
