package home

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/state"
	"moot/state/store"
)

// Sessions that run come first, then those of this repository, then the others by repository, the last change first.
func TestPrepareOrdersSessions(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	at := func(minutes int, s store.Summary) store.Summary {
		s.UpdatedAt = noon.Add(time.Duration(minutes) * time.Minute)
		return s
	}
	done := func(id, workspace string) store.Summary {
		return store.Summary{ID: id, Workspace: workspace, Closed: true}
	}
	sessions := []store.Summary{
		at(1, done("here-old", "/src/queue")), at(2, done("elsewhere-old", "/src/web")), at(3, done("nowhere", "")), at(50, done("elsewhere-new", "/src/web")),
		at(4, done("here-tree", "/src/queue/.trees/fix")), at(40, done("third", "/src/api")),
		at(5, store.Summary{ID: "runs", Workspace: "/src/web"}), at(0, store.Summary{ID: "needs you", Workspace: "/src/api", Needs: "a tradeoff"}),
	}
	top := func(folder string) string {
		before, _, _ := strings.Cut(folder, "/.trees")
		return before
	}
	d := Prepare(&Source{Sessions: sessions, Here: "/src/queue/.trees/fix", Repository: top, Home: "/src/web", Now: noon})
	var got []string
	for _, g := range d.groups {
		got = append(got, strings.TrimSpace(g.title+" "+g.path)+":")
		for _, s := range d.sessions[g.from:g.to] {
			got = append(got, s.ID)
		}
	}
	want := []string{
		"Running:", "needs you", "runs", "queue /src/queue:", "here-tree", "here-old", "web ~:", "elsewhere-new", "elsewhere-old", "api /src/api:", "third",
		"No folder:", "nowhere",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if d := Prepare(&Source{Sessions: sessions[2:3]}); d.groups[0].title != "" {
		t.Errorf("one group without a folder has the title %q", d.groups[0].title)
	}
}

func TestParticipants(t *testing.T) {
	for want, named := range map[string][]string{
		"gpt-5.2, qwen3": {"openai:gpt-5.2", "ollama:qwen3", "openai:gpt-5.2"}, "rules": {"rules", "rules"}, "": nil,
		"answers.txt": {"script:/home/ada/answers.txt"}, "a, b, c, 2 more": {"x:a", "x:b", "x:c", "x:d", "x:e"}, "odd:": {"odd:"},
	} {
		var seats []state.SeatAssignment
		for _, name := range named {
			seats = append(seats, state.SeatAssignment{Participant: name})
		}
		if got := Participants(seats); got != want {
			t.Errorf("%q: got %q, want %q", named, got, want)
		}
	}
	if got := fmt.Sprint(thousands(7), thousands(999), thousands(1000), thousands(1234567)); got != "79991,0001,234,567" {
		t.Errorf("got %s", got)
	}
}
