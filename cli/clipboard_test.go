package cli

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestTheClipboardIsTheOneThatWorks(t *testing.T) {
	for name, test := range map[string]struct {
		system   string
		environ  []string
		programs []string
		want     string
		why      string
	}{
		"macOS":                          {"darwin", nil, nil, "pbcopy", ""},
		"Windows":                        {"windows", nil, nil, "clip.exe", ""},
		"Wayland":                        {"linux", []string{"WAYLAND_DISPLAY=w", "DISPLAY=:0"}, []string{"wl-copy", "wl-paste", "xclip"}, "wl-copy", ""},
		"Wayland by X":                   {"linux", []string{"WAYLAND_DISPLAY=w", "DISPLAY=:0"}, []string{"xsel"}, "xsel", ""},
		"X":                              {"linux", []string{"DISPLAY=:0"}, []string{"xsel", "xclip", "wl-copy", "wl-paste"}, "xclip", ""},
		"X over ssh":                     {"linux", []string{"DISPLAY=localhost:10.0", "SSH_TTY=/dev/pts/1"}, []string{"xclip"}, "xclip", ""},
		"a phone":                        {"linux", nil, []string{"termux-clipboard-get", "termux-clipboard-set"}, "termux-clipboard-set", ""},
		"Linux on Windows":               {"linux", nil, []string{"clip.exe", "powershell.exe"}, "clip.exe", ""},
		"a display and no program":       {"linux", []string{"DISPLAY=:0", "WAYLAND_DISPLAY=w"}, nil, "", "no system clipboard: install wl-clipboard, xclip or xsel"},
		"X and no program":               {"linux", []string{"DISPLAY=:0"}, []string{"wl-copy"}, "", "install xclip or xsel"},
		"Wayland and only xclip":         {"linux", []string{"WAYLAND_DISPLAY=w"}, []string{"xclip"}, "", "install wl-clipboard"},
		"a program and no display":       {"freebsd", nil, []string{"xclip"}, "", "neither DISPLAY nor WAYLAND_DISPLAY is set"},
		"ssh":                            {"linux", []string{"SSH_CONNECTION=a b"}, []string{"xclip"}, "", "over ssh without DISPLAY or WAYLAND_DISPLAY"},
		"ssh, and it hides the terminal": {"linux", []string{"SSH_TTY=/dev/pts/1"}, nil, "", "over ssh"},
	} {
		c := &Console{Environ: test.environ}
		got, err := c.clipboardCommand(test.system, func(program string) (string, error) {
			if slices.Contains(test.programs, program) {
				return "/bin/" + program, nil
			}
			return "", errors.New("not found")
		})
		if strings.Join(got[:min(len(got), 1)], "") != test.want || (err == nil) != (test.why == "") || (err != nil && !strings.Contains(err.Error(), test.why)) {
			t.Errorf("%s: %q, %v; want %q %s", name, got, err, test.want, test.why)
		}
	}
}
