package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestVersionNamesTheCommitThatTheBuildRecorded(t *testing.T) {
	t.Parallel()
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	commit, date := setting("vcs.revision", "0123456789abcdef"), setting("vcs.time", "2026-11-28T22:15:03Z")
	for want, settings := range map[string][]debug.BuildSetting{
		"no commit recorded":                                           {setting("GOOS", "linux")},
		"commit 0123456789abcdef":                                      {commit},
		"commit 0123456789abcdef of 2026-11-28T22:15:03Z":              {commit, date, setting("vcs.modified", "false")},
		"commit 0123456789abcdef of 2026-11-28T22:15:03Z with changes": {commit, date, setting("vcs.modified", "true")},
	} {
		want = "moot v1.2.3 (" + want + "), " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
		if got := versionLine("v1.2.3", settings); got != want {
			t.Errorf("moot version prints %q, want %q", got, want)
		}
	}
}
