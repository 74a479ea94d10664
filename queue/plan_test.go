package queue

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newItem makes an item whose question and seats are given, from a line.
func newItem(line int, id, question, seats string) *Item {
	parts := Parts{Question: question, Seats: seats, Number: 1}
	item := &Item{
		Digest: parts.Digest(), Lines: []int{line}, Parts: parts, Title: question,
		Fields: []Field{{Name: FieldQuestion, Values: []string{question}}},
	}
	if id != "" {
		item.IDs = []string{id}
	}
	return item
}

func planOf(items ...*Item) *Plan {
	p := &Plan{}
	for _, item := range items {
		p.Add(item)
	}
	return p
}

// BA1: equal lines are one item with all their ids; an id that two items have is refused.
func TestEqualLinesAreOneItem(t *testing.T) {
	p := planOf(newItem(1, "a", "Why?", "x"), newItem(2, "b", "How?", "x"), newItem(3, "c", "Why?", "x"))
	if len(p.Items) != 2 || strings.Join(p.Items[0].IDs, " ") != "a c" || len(p.Items[0].Lines) != 2 {
		t.Errorf("got %+v", p.Items[0])
	}
	if err := p.CheckNames(); err != nil {
		t.Error(err)
	}
	p.Add(newItem(4, "a", "Where?", "x"))
	if err := p.CheckNames(); err == nil || !strings.Contains(err.Error(), "line 4: the id a belongs to line 1") {
		t.Errorf("got %v", err)
	}
}

// BA1: what changed is named by its part; what is gone is listed; the position does not matter.
func TestPlansAreComparedByContent(t *testing.T) {
	before := planOf(newItem(1, "a", "Why?", "x"), newItem(2, "", "How?", "x"), newItem(3, "c", "Where?", "x"),
		newItem(4, "d", "When?", "x"))
	now := planOf(newItem(1, "d", "When?", "x"), newItem(2, "a", "Why?", "y"), newItem(3, "", "How?", "y"),
		newItem(4, "e", "Who?", "x"), newItem(5, "f", "What?", "x"))
	changed, removed := now.Compare(before)
	if len(changed) != 1 || strings.Join(changed[0].Parts, " ") != "seats" || len(changed[0].Before) != 2 {
		t.Errorf("changed: %+v", changed)
	}
	if len(removed) != 1 || removed[0].ID() != "c" {
		t.Errorf("removed: %+v", removed)
	}
}

func TestAPlanIsReadAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), planName)
	text, err := planOf(newItem(1, "a", "Why?", "x"), newItem(2, "", "How?", "x")).encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := readPlan(path)
	if err != nil || len(p.Items) != 2 || p.Items[1].ID() != p.Items[1].Digest[:shortDigest] {
		t.Fatalf("got %+v, %v", p, err)
	}
	for _, wrong := range []string{
		strings.Replace(string(text), `"Why?"`, `"Who?"`, 1), "{}\n", strings.Replace(string(text), `"digest"`, `"x":1,"digest"`, 1),
	} {
		if err := os.WriteFile(path, []byte(wrong), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readPlan(path); err == nil || !strings.Contains(err.Error(), "line 1 is no item") {
			t.Errorf("%.60q: got %v", wrong, err)
		}
	}
}

func TestItemsAreNamedByIDOrDigest(t *testing.T) {
	p := planOf(newItem(1, "a", "Why?", "x"))
	for _, name := range []string{"a", p.Items[0].Digest, p.Items[0].Digest[:8]} {
		if found, err := p.Named(name); err != nil || len(found) != 1 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	for _, name := range []string{"b", p.Items[0].Digest[:3], ""} {
		if found, err := p.Named(name); err == nil {
			t.Errorf("%s: %v", name, found)
		}
	}
}
