package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moot/protocol"
)

// docs/exit-codes.md has the codes as the program knows them, and each of its rows about a result is run by
// testdata/script/exit_code_table.txtar.
func TestExitCodeTable(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "exit-codes.md"))
	if err != nil {
		t.Fatal(err)
	}
	table := ""
	for _, code := range []protocol.ExitCode{
		protocol.ExitConcluded, protocol.ExitError, protocol.ExitUsage, protocol.ExitInconclusive, protocol.ExitFound,
		protocol.ExitPerson, protocol.ExitTimeout, protocol.ExitHangup, protocol.ExitInterrupted, protocol.ExitTerminated,
	} {
		table += fmt.Sprintf("| %d | %s |\n", code, code.Meaning())
	}
	if !strings.Contains(string(page), "\n"+table+"\n") {
		t.Errorf("docs/exit-codes.md lacks this table:\n%s", table)
	}
	var order []string
	for _, code := range protocol.ExitCodes() {
		order = append(order, fmt.Sprint(int(code)))
	}
	if want := strings.Join(order, ", "); !strings.Contains(string(page), want) {
		t.Errorf("docs/exit-codes.md does not have the order %s", want)
	}
	script, err := os.ReadFile("testdata/script/exit_code_table.txtar")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| ([^|]*[^|\d ][^|]*) \| (\d+) \|$`).FindAllStringSubmatch(string(page), -1)
	if len(rows) < 10 {
		t.Fatalf("docs/exit-codes.md has %d rows about results", len(rows))
	}
	for _, row := range rows {
		if !strings.Contains(string(script), "# "+row[1]+"\ncode "+row[2]+" moot ") {
			t.Errorf("no command of the script has the comment %q and the code %s", row[1], row[2])
		}
	}
}
