package cli

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/report"
	"moot/state"
)

// exported is a session that was read.
func exportedSession(t *testing.T) *stored {
	t.Helper()
	events := []state.Event{
		{Seq: 1, Data: &state.SessionOpened{Rules: formats.ByName(consult.Name), Version: state.Version, ID: "other", Question: "Which queue?", Settings: state.Settings{Format: consult.Name}}},
		{Seq: 2, Data: &state.RoundStarted{Round: 1}},
		{Seq: 3, Data: &state.PointRaised{ID: "P1", By: state.Consultee, Text: "a <b> & c"}},
	}
	folded, err := state.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	return &stored{path: filepath.Join(t.TempDir(), "s1.jsonl"), state: folded, events: events}
}

func TestAnExportNeverTakesAName(t *testing.T) {
	c, s := &Console{Dir: t.TempDir()}, exportedSession(t)
	sub := filepath.Join(c.Dir, "notes")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		where string
		form  report.Form
		want  string
	}{
		{"", report.FormMarkdown, "moot-s1.md"},
		{".", report.FormMarkdown, "moot-s1-2.md"},
		{"notes", report.FormJSON, "notes/moot-s1.json"},
		{"notes/", report.FormJSON, "notes/moot-s1-2.json"},
		{sub, report.FormJSON, "notes/moot-s1-3.json"},
		{"mine.json", report.FormJSON, "mine.json"},
		{"mine.json", report.FormJSON, "mine-2.json"},
		{"map", report.FormSVG, "map"},
		{"map", report.FormSVG, "map-2"},
	} {
		path, _, err := c.exportTo(test.where, test.form, false, s)
		if err != nil || path != filepath.Join(c.Dir, filepath.FromSlash(test.want)) {
			t.Errorf("to %q: %s, %v; want %s", test.where, path, err, test.want)
			continue
		}
		text, err := os.ReadFile(path)
		want, _ := s.exported(test.form, false)
		if err != nil || string(text) != want || want == "" {
			t.Errorf("%s holds %q, %v", path, text, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
	if entries, err := os.ReadDir(c.Dir); err != nil || len(entries) != 7 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestADrawingIsXML(t *testing.T) {
	s := exportedSession(t)
	for _, dark := range []bool{false, true} {
		text, err := s.exported(report.FormSVG, dark)
		if err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(strings.NewReader(text))
		for err == nil {
			_, err = decoder.Token()
		}
		if !errors.Is(err, io.EOF) || !strings.HasPrefix(text, "<") {
			t.Errorf("%v in %.200s", err, text)
		}
	}
	s.state.Points = state.List[state.Point]{}
	if _, err := s.exported(report.FormSVG, false); err == nil || !strings.Contains(err.Error(), "no map to draw") {
		t.Errorf("a map of nothing: %v", err)
	}
}
