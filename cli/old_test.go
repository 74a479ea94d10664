package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"moot/state/store"
)

// What a version without the council wrote lies in testdata/old: for each format a
// session, its export and what show said of it. The session still has the head that
// it had, every ruling recomputes, and nothing that was told then is lost or told
// otherwise; what it exported is checked as before. The metrics, of which that version knew nothing, are there as well.
func TestSessionsOfAnOlderVersion(t *testing.T) {
	for _, format := range []string{"consult", "dialectic", "panel"} {
		t.Run(format, func(t *testing.T) {
			d := newDesk(t)
			var was map[string]any
			decode(t, old(t, format+".json"), &was)
			id := was["session"].(map[string]any)["id"].(string)
			head := was["chain"].(map[string]any)["head"].(string)
			dir, err := store.Dir()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), old(t, format+".jsonl"), 0o600); err != nil {
				t.Fatal(err)
			}

			if said := d.says(t, "verify", "--head", head, id); !strings.Contains(said, "every ruling recomputes, head "+head) {
				t.Errorf("verify: %s", said)
			}
			shown, metrics, _ := strings.Cut(d.says(t, "show", id), "\nMETRICS\n")
			if want := string(old(t, format+".txt")); shown != want {
				t.Errorf("it was shown as\n%s\nand now is as\n%s", want, shown)
			}
			if !strings.Contains(metrics, "overall 0.") {
				t.Errorf("its metrics are %q", metrics)
			}
			var is map[string]any
			decode(t, []byte(d.says(t, "export", id, "--as", "json")), &is)
			for _, lost := range missing("", was, is) {
				t.Error(lost)
			}
			if debate := is["metrics"].(map[string]any)["debate"].(map[string]any); debate["overall"] == nil || debate["perspective_coverage"] == 0.0 {
				t.Errorf("it is measured as %v", debate)
			}
			whole := filepath.Join(d.Dir, "whole.json")
			was["events"] = strings.Split(strings.TrimSpace(string(old(t, format+".jsonl"))), "\n")
			encoded, err := json.Marshal(was)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(whole, encoded, 0o600); err != nil {
				t.Fatal(err)
			}
			if said := d.says(t, "verify", whole); !strings.Contains(said, "so does all that the export says") {
				t.Errorf("verify of an export with its events: %s", said)
			}
			if listed := d.says(t, "list"); !strings.Contains(listed, id) {
				t.Errorf("it is not listed: %s", listed)
			}
		})
	}
}

// old is a file that an older version wrote.
func old(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "old", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decode(t *testing.T, text []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}

// says runs a command that must succeed, and returns what it prints.
func (d *desk) says(t *testing.T, args ...string) string {
	t.Helper()
	d.out.Reset()
	if code := d.run(args...); code != 0 {
		t.Fatalf("%v ends with %d: %s", args, code, d.err.String())
	}
	return d.out.String()
}

// missing tells what of an older value the newer one lacks or has otherwise; it may
// have more.
func missing(at string, was, is any) []string {
	var lost []string
	switch was := was.(type) {
	case map[string]any:
		now, ok := is.(map[string]any)
		if !ok {
			return []string{at + " is no object any more"}
		}
		for key, value := range was {
			lost = append(lost, missing(at+"."+key, value, now[key])...)
		}
	case []any:
		now, ok := is.([]any)
		if !ok || len(now) != len(was) {
			return []string{fmt.Sprintf("%s was %v and is %v", at, was, is)}
		}
		for i, value := range was {
			lost = append(lost, missing(fmt.Sprintf("%s[%d]", at, i), value, now[i])...)
		}
	default:
		if !reflect.DeepEqual(was, is) {
			lost = append(lost, fmt.Sprintf("%s was %v and is %v", at, was, is))
		}
	}
	return lost
}
