package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/internal/enum"
	"moot/ledger"
)

// docs/packet.md shows a sound packet, names every key and word, and quotes a real error.
func TestThePageOfPacketsIsRight(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "packet.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	_, example, _ := strings.Cut(page, "```json\n")
	example, _, _ = strings.Cut(example, "```\n")
	if p := read(t, example); p.Len() != 2 {
		t.Errorf("the example has %d facts", p.Len())
	}
	words := append(ledger.FactKeys(), enum.Words(ledger.SourceTypes())...)
	for _, word := range append(words, enum.Words(ledger.EntityTypes())...) {
		if !strings.Contains(page, "`"+word+"`") {
			t.Errorf("the page does not name %s", word)
		}
	}
	_, err = ledger.ReadPacket(strings.NewReader(strings.Replace(example, `"auth_log"`, `"authlog"`, 1)), "case.json")
	_, shown, _ := strings.Cut(page, "    moot: case.json: ")
	shown, _, _ = strings.Cut(shown, "\n")
	if err == nil || !strings.HasPrefix(err.Error(), "case.json: "+shown) {
		t.Errorf("the page says %q, and moot %v", shown, err)
	}
}
