package playbook_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"moot/playbook"
	"moot/state"
)

// What a session keeps of a playbook leads it by the same checks: nothing that
// finds a flag is lost on the way through the file and back.
func TestARecordedPlaybookFindsTheSame(t *testing.T) {
	for _, name := range playbook.Names() {
		book, err := playbook.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := book.Record()
		if err != nil {
			t.Fatal(err)
		}
		written, err := json.Marshal(kept)
		if err != nil {
			t.Fatal(err)
		}
		var read state.Playbook
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatal(err)
		}
		again, err := playbook.Recorded(&read)
		if err != nil {
			t.Fatal(err)
		}
		checks := 0
		for i := range book.Flags {
			checks += len(book.Flags[i].Checks)
			// The Why of a flag is documentation and is not recorded.
			book.Flags[i].Why = ""
		}
		if !reflect.DeepEqual(again.Config, book.Config) || checks == 0 {
			t.Errorf("%s: another configuration, or %d checks", name, checks)
		}
		for i := range book.Flags {
			if said, back := listed(t, &book.Flags[i]), listed(t, &again.Flags[i]); !bytes.Equal(said, back) {
				t.Errorf("%s: %s\n%s", name, said, back)
			}
		}
		twice, err := again.Record()
		if err != nil || !reflect.DeepEqual(twice, kept) {
			t.Errorf("%s is kept otherwise the second time (%v)", name, err)
		}
	}
}

// listed is all that a flag says, expressions as they are written. A list that
// is empty says the same as none.
func listed(t *testing.T, f *playbook.Flag) []byte {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(text, []byte(`:[]`), []byte(`:null`))
}

// What somebody changed, or another version wrote, is refused and named.
func TestADamagedRecordIsRefused(t *testing.T) {
	for checks, want := range map[string]string{
		`{}`:                                                               "cannot unmarshal",
		`[{"kind":"secret","scope":"all"}] 1`:                              "more data after the value",
		`[{"kind":"secrets","scope":"all"}]`:                               `did you mean "secret"`,
		`[{"kind":"secret","scope":"some"}]`:                               "unknown scope",
		`[{"kind":"secret"}]`:                                              "missing",
		`[{"kind":"secret","scope":"all","colour":"red"}]`:                 "unknown field",
		`[{"kind":"added-line","scope":"all","near":"("}]`:                 "error parsing regexp",
		`[{"kind":"added-line","scope":"all","patterns":[{"match":"a"}]}]`: "has no match",
		`[{"kind":"added-line","scope":"all","patterns":[{"match":"a","where":"code"},{"match":"","where":""}]}]`: `unknown part of a line ""`,
	} {
		_, err := playbook.Recorded(&state.Playbook{Name: "mine", Flags: []state.RedFlag{{ID: "mine", Checks: json.RawMessage(checks)}}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "the flag mine") {
			t.Errorf("%s: %v", checks, err)
		}
	}
	if _, err := playbook.Recorded(&state.Playbook{Config: json.RawMessage(`{"rounds":3}`)}); err == nil {
		t.Error("an unknown setting is taken")
	}
}
