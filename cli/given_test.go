package cli

import (
	"strings"
	"testing"

	"moot/internal/redact"
)

// Material is redacted before it is cut: half of a token would look like none. The name of a file is redacted as well.
func TestMaterialIsRedactedBeforeItIsCut(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	token := "ghp_" + "Zk3vB8qLw2Xn5Rt7Yp1Ad4Gh6Jm9Cs0Ef12"
	m := &material{note: func(string) {}, redactor: redactor, left: maxGiven}
	const before = 20
	text := strings.Repeat("ab\n", (maxDocument-before)/3) + "x " + token + "\nmore\n"
	if cut := text[:maxDocument]; !strings.Contains(cut, token[:10]) || strings.Contains(cut, token) {
		t.Fatal("the limit is not inside of the token")
	}
	if got := m.fit("a.txt", text); strings.Contains(got, token[:8]) || !strings.Contains(got, "[cut: ") {
		t.Errorf("the material ends with %q", got[len(got)-100:])
	}
	if got := m.Redact("the name of a file", "dump-"+token+".sql"); strings.Contains(got, token) {
		t.Errorf("the file is called %q", got)
	}
}
