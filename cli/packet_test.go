package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"moot/cli"
)

// hostileTexts break tables: escapes, wide letters, no letters, long words.
func hostileTexts() []string {
	return []string{
		"plain", "\x1b[2J\x1b]0;title\a", "日本語のホスト名はとても長いことがある", "\u202egnp.exe", "a\tb\nc\rd",
		strings.Repeat("x", 300), "e\u0301\u0301\u0301", "👩\u200d💻 👨\u200d👩\u200d👧",
	}
}

// hostilePacket is a packet of facts whose every text breaks tables, in a file.
func hostilePacket(t *testing.T, name, value string) string {
	t.Helper()
	var facts []string
	for i, text := range hostileTexts() {
		facts = append(facts, fmt.Sprintf(`{"id":%s,"entity":%s,"entity_type":"node","field":%s,"value":%s,"timestamp":"2026-11-21T10:00:00.%03dZ","source_type":"graph_computation","source_id":%s,"raw":%s}`,
			quoted(text+fmt.Sprint(i)), quoted(text), quoted(text), quoted(text+value), i+1, quoted(text),
			quoted(text)))
	}
	path := filepath.Join(t.TempDir(), name)
	packet := `{"packet_id":` + quoted(hostileTexts()[1]) +
		`,"window":["2026-11-21T10:00:00Z","2026-11-21T11:00:00Z"],"facts":[` + strings.Join(facts, ",") + "]}"
	if err := os.WriteFile(path, []byte(packet), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// quoted is a text in JSON.
func quoted(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r < ' ' || r == '"' || r == '\\' {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return `"` + out.String() + `"`
}

// At every width lines fit, and no text moves the cursor.
func TestPacketsFitTheTerminal(t *testing.T) {
	before, after := hostilePacket(t, "before.json", ""), hostilePacket(t, "after.json", "!")
	for _, width := range []int{0, 10, 40, 72, 100} {
		for _, c := range []struct {
			code int
			args []string
		}{
			{cli.ExitConcluded, []string{"packet", "show", before}},
			{cli.ExitConcluded, []string{"packet", "show", before, "plain0", hostileTexts()[1] + "1"}},
			{cli.ExitFound, []string{"packet", "diff", before, after}},
		} {
			d := newDesk(t)
			d.Width = width
			if code := d.run(c.args...); code != c.code {
				t.Fatalf("%s: exit code %d: %s", c.args, code, d.err.String())
			}
			for line := range strings.SplitSeq(strings.TrimSuffix(d.out.String(), "\n"), "\n") {
				if wide := ansi.StringWidth(line); width > 0 && wide > width {
					t.Errorf("%s at %d columns: a line has %d: %q", c.args[1], width, wide, line)
				}
				for _, r := range line {
					if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
						t.Fatalf("%s at %d columns: %U is in %q", c.args[1], width, r, line)
					}
				}
			}
		}
	}
}

// A packet that cannot be written leaves no file behind.
func TestAPacketThatCannotBeWrittenIsNoFile(t *testing.T) {
	d := newDesk(t)
	from := filepath.Join(d.Dir, "events.csv")
	if err := os.WriteFile(from, []byte("entity,field,value,timestamp\nw,f,1,2026-11-21T10:00:00Z\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if code := d.run("packet", "make", "--out", filepath.Join("none", "out.json"), from); code != cli.ExitUsage {
		t.Errorf("exit code %d", code)
	}
	if said := d.err.String(); !strings.Contains(said, "there is no folder") {
		t.Errorf("it says %q", said)
	}
	if entries, err := os.ReadDir(d.Dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
