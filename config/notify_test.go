package config_test

import (
	"slices"
	"testing"

	"moot/config"
)

// notify_command is a list; a mistake in it keeps no session from starting.
func TestNotifyCommand(t *testing.T) {
	file, problems := config.Read("config.toml", []byte(`notify_command = ["notify-send", "-u", "moot says"]`))
	if want := []string{"notify-send", "-u", "moot says"}; !slices.Equal(file.NotifyCommand, want) || len(problems) > 0 {
		t.Errorf("%q, %v", file.NotifyCommand, problems)
	}
	if file, problems := config.Read("config.toml", []byte(`notify_command = []`)); len(file.NotifyCommand) > 0 || len(problems) > 0 {
		t.Errorf("%q, %v", file.NotifyCommand, problems)
	}
	_, problems = config.Read("config.toml", []byte(`notify_command = "notify-send"`))
	if len(problems) != 1 || problems[0].Decides {
		t.Errorf("%+v", problems)
	}
}
