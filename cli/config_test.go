package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"moot/protocol"
	"moot/tui"
)

// settled parses flags and resolves them against a configuration. It returns the options of the screen, and what was
// printed.
func settled(t *testing.T, file string, environ []string, args ...string) (o tui.Options, said string, err error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.toml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := &Console{Err: &out, Dir: dir, Environ: append([]string{ConfigVariable + "=mine.toml"}, environ...)}
	looks := &lookOptions{}
	cmd := &cobra.Command{Use: "test"}
	looks.flags(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	err = looks.load(c, true)
	return looks.loaded, out.String(), err
}

// A flag goes before the environment, and that before the file.
func TestWhatHoldsOfTheLook(t *testing.T) {
	const file = "[screen]\ntheme = \"paper\"\nascii = true\nanimation = false\nmouse = false\n[theme.paper]\nbase = \"light\"\n"
	for _, test := range []struct {
		name, file string
		environ    []string
		args       []string
		theme      string
		// options of the screen: ASCII, NoAnimation, NoMouse.
		is [3]bool
	}{
		{"nothing", "", nil, nil, "auto", [3]bool{}},
		{"the file", file, nil, nil, "paper", [3]bool{true, true, true}},
		{"the environment", file, []string{"MOOT_THEME=mono"}, nil, "mono", [3]bool{true, true, true}},
		{"a flag", file, []string{"MOOT_THEME=mono"}, []string{"--theme", "contrast"}, "contrast", [3]bool{true, true, true}},
		{"flags without a file", "", nil, []string{"--ascii", "--no-animation"}, "auto", [3]bool{true, true, false}},
	} {
		o, said, err := settled(t, test.file, test.environ, test.args...)
		if err != nil || said != "" || len(o.Problems) > 0 {
			t.Errorf("%s: %v, said %q", test.name, err, said)
		}
		if got := [3]bool{o.ASCII, o.NoAnimation, o.NoMouse}; o.Theme.Name != test.theme || got != test.is {
			t.Errorf("%s: theme %s and %v, want %s and %v", test.name, o.Theme.Name, got, test.theme, test.is)
		}
	}
}

// Mistakes are printed and passed to the screen; the rest of the file applies.
func TestConfigurationProblemsAreReported(t *testing.T) {
	o, said, err := settled(t, `[screen]
theme = "papr"
mouse = false
[keys.session]
auto = "g"
stop = "f5"
auot = "f6"
[theme.paper]
acent = "red"
`, []string{"MOOT_THEME=drak"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"mine.toml:2: unknown theme papr; did you mean paper?",
		"mine.toml:5: g in [keys.session] is already home; auto keeps its default",
		"mine.toml:7: unknown action auot in [keys.session]; did you mean auto?",
		"mine.toml:9: unknown key acent in [theme.paper]; did you mean accent?",
		"MOOT_THEME: unknown theme drak; did you mean dark?",
	}
	if !slices.Equal(o.Problems, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(o.Problems, "\n"), strings.Join(want, "\n"))
	}
	if wanted := "moot: " + strings.Join(want, "\nmoot: ") + "\nmoot: the defaults are used instead\n"; said != wanted {
		t.Errorf("said:\n%s\nwant:\n%s", said, wanted)
	}
	at := slices.IndexFunc(o.Keys, func(b tui.Binding) bool { return b.Place == tui.OnSession && b.Action == tui.ActionStop })
	if o.Theme != nil || !slices.Equal(o.Keys[at].Keys, []string{"f5"}) {
		t.Errorf("theme %v, keys of stop %v", o.Theme, o.Keys[at].Keys)
	}
}

// A theme that nobody knows, on the command line, is a mistake in what was
// typed, with a screen or without.
func TestUnknownThemeIsAUsageError(t *testing.T) {
	_, said, err := settled(t, "[theme.paper]\n", nil, "--theme", "papper")
	if exitCode(err) != protocol.ExitUsage || !strings.Contains(err.Error(), `unknown theme "papper": did you mean "paper"?`) || said != "" {
		t.Errorf("%v, said %q", err, said)
	}
	looks := lookOptions{theme: "drak"}
	if err := looks.load(&Console{Environ: []string{ConfigVariable + "=" + os.DevNull}}, false); exitCode(err) != protocol.ExitUsage {
		t.Errorf("without a screen: %v", err)
	}
}

// A missing file is an error only if the user named it.
func TestMissingConfiguration(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent.toml")
	for _, test := range []struct {
		path  string
		named bool
		want  string
	}{
		{absent, false, ""},
		{absent, true, "x: cannot be read: "},
		{t.TempDir(), false, "x: cannot be read: "},
		{os.DevNull, true, ""},
	} {
		data, _, problems := readConfig(test.path, "x", test.named)
		said := ""
		if len(problems) > 0 {
			said = problems[0].Error()
		}
		if len(data) > 0 || (said == "") != (test.want == "") || !strings.HasPrefix(said, test.want) {
			t.Errorf("%s: %q, want %q", test.path, said, test.want)
		}
	}
}
