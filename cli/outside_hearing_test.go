package cli

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"moot/state"
	"moot/tui"
	"moot/view"
)

// The form opens a hearing on the packet that it names, with its form, judge and seats,
// and what is wrong with one of them is said at its field.
func TestTheFormOpensAHearing(t *testing.T) {
	o := &screenServices{console: formDesk(t)}
	dir := t.TempDir()
	packet, broken := filepath.Join(dir, "packet.json"), filepath.Join(dir, "broken.json")
	for name, text := range map[string]string{
		packet: `{"packet_id":"night","window":["2026-11-20T02:00:00Z","2026-11-20T04:00:00Z"],"facts":[
			{"id":"f1","entity":"dc-1","entity_type":"node","field":"bytes_out","value":7,"timestamp":"2026-11-20T02:01:00Z","source_type":"netflow","source_id":"c"}]}`,
		broken: `{"packet_id":"night"`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	q := tui.Question{Format: state.FormatHearing, Settings: view.Values{
		"closed-world": packet,
		"architect":    "rules",
		"skeptic":      "me",
		"oracle":       "rules",
		"domain":       "security",
		"form":         "selective",
		"gate":         "escalation",
		"then":         "multi",
		"rounds":       "4",
		"judge":        "v2",
	}}
	opened, err := o.ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	h := opened.State.HearingSettings()
	if h.Form != state.FormSelective || h.Gate != state.GateEscalation || h.Then != state.FormMulti || h.Rounds != 4 || h.Judge != state.JudgeV2 || h.Domain.Name != "security" || !h.Oracle {
		t.Errorf("it is opened with %+v", h)
	}
	if opened.State.Question != h.Domain.Question || opened.State.Hearing.Packet.Len() != 1 {
		t.Errorf("it asks %q on %d facts", opened.State.Question, opened.State.Hearing.Packet.Len())
	}
	for _, test := range []struct {
		change view.Values
		field  string
	}{
		{view.Values{"closed-world": ""}, "closed-world"},
		{view.Values{"closed-world": broken}, "closed-world"},
		{view.Values{"closed-world": filepath.Join(dir, "none.json")}, "closed-world"},
		{view.Values{"architect": "nosuch:"}, "architect"},
		{view.Values{"rounds": "9"}, "rounds"},
		{view.Values{"domain": "nosuch.toml"}, "domain"},
		{view.Values{"then": "audit", "rounds": "", "judge": "claims"}, "judge"},
		{view.Values{"form": "single", "gate": "", "then": "", "rounds": ""}, "oracle"},
	} {
		wrong := q
		wrong.Settings = maps.Clone(q.Settings)
		maps.Copy(wrong.Settings, test.change)
		_, err := o.ask(t.Context(), wrong)
		var at *view.FieldError
		if !errors.As(err, &at) || at.Key != test.field {
			t.Errorf("the error is %v, not one of %s", err, test.field)
		}
	}
}
