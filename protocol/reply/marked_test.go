package reply

import (
	"testing"

	"moot/ledger"
)

func TestReferencesBehindAMark(t *testing.T) {
	t.Parallel()
	kinds := []ledger.Kind{{Name: "count", Marks: "LINES WORDS"}}
	for text, want := range map[string][2]string{
		"supports LINES list.txt => 3":                      {"LINES list.txt", "3"},
		"refutes WORDS my list.txt \"about 40\" [EVIDENCE]": {"WORDS my list.txt", "about 40"},
		"LINES list.txt":                                    {"LINES list.txt", ""},
		"supports LINES list.txt => 3\nmore words":          {"LINES list.txt", "3"},
		"supports list.txt:3 \"three\"":                     {},
		"supports OUTLINES list.txt => 3":                   {},
		"supports list.txt:3 \"LINES of the list\"":         {},
		"": {},
	} {
		found := marked(body{text: text, mask: mask(text)}, kinds)
		var got [2]string
		if len(found) == 1 {
			fields, _ := found[0].(map[string]any)
			got[0], _ = fields["reference"].(string)
			got[1], _ = fields["quote"].(string)
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
	if found := marked(body{text: "LINES a", mask: "LINES a"}, nil); found != nil {
		t.Errorf("a kind that the session does not take is read: %v", found)
	}
}

func TestAPatchIsInAFencedBlock(t *testing.T) {
	t.Parallel()
	kinds := []ledger.Kind{{Name: "trial", Marks: "TRY", Runs: true, Patch: true}, {Name: "count", Marks: "LINES"}}
	const patch = "--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,3 @@\n+```\n+CITE P2 supports x\n+```\n"
	for text, want := range map[string]string{
		"supports TRY true => without: exit 1; with: exit 0\n```diff\n" + patch + "```\nand more": patch,
		"supports TRY true\nThe patch:\n\n~~~\n" + patch + "~~~":                                  patch,
		"supports TRY true\n```diff\n" + patch:                                                    "",
		"supports TRY true => exit 0":                                                             "",
		"supports LINES a => 3\n```diff\n" + patch + "```":                                        "",
	} {
		found := marked(body{text: text, mask: mask(text)}, kinds)
		if len(found) != 1 {
			t.Errorf("%q: %v", text, found)
			continue
		}
		fields, _ := found[0].(map[string]any)
		if got, _ := fields["patch"].(string); got != want {
			t.Errorf("%q has the patch %q, want %q", text, got, want)
		}
	}
}
