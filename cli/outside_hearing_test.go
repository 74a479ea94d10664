package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"moot/state"
	"moot/tui"
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
	q := tui.Question{
		Format: state.FormatHearing, Packet: packet, Architect: "rules", Skeptic: "me", Oracle: "rules", Domain: "security",
		Form: "selective", Gate: "escalation", Then: "multi", Rounds: "4", Judge: "v2",
	}
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
		change func(q *tui.Question)
		field  string
	}{
		{func(q *tui.Question) { q.Packet = "" }, "closed-world"},
		{func(q *tui.Question) { q.Packet = broken }, "closed-world"},
		{func(q *tui.Question) { q.Packet = filepath.Join(dir, "none.json") }, "closed-world"},
		{func(q *tui.Question) { q.Architect = "nosuch:" }, "architect"},
		{func(q *tui.Question) { q.Rounds = "9" }, "rounds"},
		{func(q *tui.Question) { q.Domain = "nosuch.toml" }, "domain"},
		{func(q *tui.Question) { q.Then, q.Rounds = "audit", ""; q.Judge = "claims" }, "judge"},
		{func(q *tui.Question) { q.Form, q.Gate, q.Then, q.Rounds = "single", "", "", "" }, "oracle"},
	} {
		wrong := q
		test.change(&wrong)
		_, err := o.ask(t.Context(), wrong)
		var at *tui.FieldError
		if !errors.As(err, &at) || at.Field != test.field {
			t.Errorf("the error is %v, not one of %s", err, test.field)
		}
	}
}
