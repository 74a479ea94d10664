package program

import (
	"testing"

	"moot/agent/scrub"
	"moot/internal/redact"
)

func TestPasswordsAreRemovedFromMessages(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	p := &Program{secrets: scrub.New(), redactor: redactor}
	for said, want := range map[string]string{
		"cannot log in with password=hunter": "cannot log in with password=[REDACTED: secret by its name]",
		"cannot log in: password: required":  "cannot log in: password: required",
	} {
		if got := p.clean(said); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
