package program

import "testing"

func TestAVersionIsFoundInWhatIsSaid(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"codex-cli 0.169.0": "0.169.0", "2.1.4 (Claude Code)": "2.1.4", "go version go1.26.8 linux/amd64": "1.26.8",
		"v1.18.0-beta.1": "1.18.0-beta.1", "git version 2.39.3.windows.1": "2.39.3.windows.1", "1.2.3.4\n": "1.2.3.4", "no number": "", "": "",
		"warning: old\ntool\t3.1\n": "3.1", "1234567.1": "",
	} {
		if got := VersionIn(said); got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
}
