package playbook_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"moot/protocol/dialectic/playbook"
)

// A session leads by the same checks as its playbook: nothing that finds a flag is lost in the file.
func TestARecordedPlaybookFindsTheSame(t *testing.T) {
	for _, name := range playbook.Names() {
		book, err := playbook.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		written, err := json.Marshal(book)
		if err != nil {
			t.Fatal(err)
		}
		var read playbook.Playbook
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatal(err)
		}
		checks := 0
		for i := range book.Flags {
			checks += len(book.Flags[i].Checks)
		}
		again, err := json.Marshal(read)
		if err != nil || string(again) != string(written) || !reflect.DeepEqual(read.Config, book.Config) || checks == 0 {
			t.Errorf("%s: %d checks, %v\n%s\n%s", name, checks, err, written, again)
		}
	}
}
