package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// golden compares a screen with the one that is kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./tui -update, and look at it", err)
	}
	if wanted := strings.ReplaceAll(strings.TrimSuffix(string(want), "\n"), "\r\n", "\n"); wanted != got {
		t.Errorf("%s differs; write it anew with go test ./tui -update, and look at it. Got:\n%s\nwant:\n%s", path, ansi.Strip(got), ansi.Strip(wanted))
	}
}

// sizes are those at which the screens are kept.
func sizes() [][2]int { return [][2]int{{20, 6}, {40, 12}, {80, 24}, {120, 40}, {200, 60}} }

// Each scene is what it was, at each size and in each theme; in ASCII, it is ASCII.
func TestGoldenScreens(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("TestScenesFit plays the same scenes")
	}
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			golden(t, filepath.Join("screens", s.name), pictured(t, &s))
		})
	}
}

// pictured is a scene at each size: its text once, and below the styles of each
// theme.
func pictured(t *testing.T, s *scene) string {
	var out strings.Builder
	c := friendly(t)
	for _, size := range sizes() {
		m := s.play(&stage{t: t, cast: c, width: size[0], height: size[1]})
		text, styles := "", map[string][]string{}
		var order []string
		for _, theme := range []string{"dark", "light", "mono"} {
			m.appear(func(a *appearance) { a.light, a.mono = theme == "light", theme == "mono" })
			rows := strings.Split(m.View().Content, "\n")
			if plain := plainRows(rows); text == "" {
				text = plain
			} else if plain != text {
				t.Errorf("%s says something else at %v:\n%s\nthan in dark:\n%s", theme, size, plain, text)
			}
			list := styledRows(m.look, rows)
			if len(styles[list]) == 0 {
				order = append(order, list)
			}
			styles[list] = append(styles[list], theme)
		}
		if size[0] == 120 && !strings.Contains(text, s.shows) {
			t.Errorf("it does not show %q:\n%s", s.shows, text)
		}
		fmt.Fprintf(&out, "== %dx%d\n%s", size[0], size[1], text)
		for _, list := range order {
			fmt.Fprintf(&out, "== %dx%d %s\n%s", size[0], size[1], strings.Join(styles[list], " "), list)
		}
		checkASCII(t, m)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// checkASCII fails where who asks for ASCII gets anything else from moot.
func checkASCII(t *testing.T, m *Model) {
	t.Helper()
	m.appear(func(a *appearance) { a.ascii, a.light, a.mono = true, false, true })
	for _, row := range m.drawScreen() {
		if plain := ansi.Strip(row); strings.ContainsFunc(plain, func(r rune) bool { return r > '~' }) {
			t.Errorf("at %dx%d %q is no ASCII", m.width, m.height, plain)
		}
	}
}

// plainRows are the rows without styles, and without the spaces at their ends.
func plainRows(rows []string) string {
	var out strings.Builder
	for _, row := range rows {
		out.WriteString(strings.TrimRight(ansi.Strip(row), " ") + "\n")
	}
	return out.String()
}

// styleSequence matches what switches styles on and off.
var styleSequence = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// styledRows says by the names of the roles which cells are drawn in which
// styles, a line for each row, or for several that are alike: "3-7: 1-4 accent".
// Rows and cells are counted from 1.
func styledRows(l *look, rows []string) string {
	names := map[string]string{l.bold.on: "bold", "\x1b[7m": "cursor"}
	for r := roleCount - 1; r >= 0; r-- {
		names[l.ofRole(r).on] = roleNames()[r]
	}
	var out strings.Builder
	first, list := 0, ""
	flush := func(next int) {
		if list != "" {
			fmt.Fprintf(&out, "%s: %s\n", fromTo(first+1, next), list)
		}
	}
	for y, row := range rows {
		if here := styledRow(l, names, row); here != list {
			flush(y)
			first, list = y, here
		}
	}
	flush(len(rows))
	return out.String()
}

func fromTo(from, to int) string {
	return when(from == to, strconv.Itoa(from), fmt.Sprintf("%d-%d", from, to))
}

// styledRow says which cells of a row are drawn in which styles.
func styledRow(l *look, names map[string]string, row string) string {
	var list []string
	at, from, drawn := 1, 1, ""
	var on []string
	flush := func(next string) {
		if next == drawn {
			return
		}
		if drawn != "" && at > from {
			list = append(list, fromTo(from, at-1)+" "+drawn)
		}
		drawn, from = next, at
	}
	write := func(text string) {
		if text != "" {
			flush(strings.Join(on, "+"))
			at += l.method.StringWidth(text)
		}
	}
	written := 0
	for _, place := range styleSequence.FindAllStringIndex(row, -1) {
		write(row[written:place[0]])
		written = place[1]
		switch sequence := row[place[0]:written]; {
		case sequence == "\x1b[m" || sequence == "\x1b[0m":
			on = nil
		case names[sequence] != "":
			on = append(on, names[sequence])
		default:
			on = append(on, fmt.Sprintf("%q", sequence))
		}
	}
	write(row[written:])
	flush("")
	return strings.Join(list, ", ")
}

// typeKeys presses keys by their names, in order.
func typeKeys(m *Model, keys string) []tea.Cmd {
	var cmds []tea.Cmd
	for name := range strings.FieldsSeq(keys) {
		_, cmd := m.Update(keyOf(name))
		cmds = append(cmds, cmd)
	}
	return cmds
}

// keyOf is the message of a key by its name.
func keyOf(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
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
