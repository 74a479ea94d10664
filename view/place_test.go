package view_test

import (
	"slices"
	"strings"
	"testing"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/view"
)

// TestPlaces checks in the scenarios of all formats that each text of the record has a place with its ID, and that each
// ID of a place can be shown.
func TestPlaces(t *testing.T) {
	kinds := map[string]bool{}
	protocoltest.AllScenarios(t, "../protocol", func(t *testing.T, d *protocoltest.Desk) {
		s, rulings := d.State, resolver.Rule(d.State)
		places := view.Places(s, rulings)
		has := func(id, text string) {
			t.Helper()
			text = strings.TrimSpace(text)
			if text != "" && !slices.ContainsFunc(places, func(p view.Place) bool {
				return p.ID == id && strings.Contains(p.Text, text)
			}) {
				t.Errorf("no place %q has %q", id, text)
			}
		}
		has("", s.Question)
		for _, p := range s.Points.All() {
			has(p.ID, p.Text)
			for i := range p.UserRulings {
				has(p.ID, p.UserRulings[i].Reason)
			}
		}
		for _, c := range s.Challenges.All() {
			has(c.ID, c.Objection)
			for i := range c.Defenses {
				has(c.ID, c.Defenses[i].Text)
			}
		}
		for _, e := range s.Evidence.All() {
			has(e.ID, e.Reference)
			has(e.ID, e.Excerpt)
		}
		for _, f := range s.Facts.All() {
			has(f.ID, f.Text)
		}
		for _, q := range s.Questions.All() {
			has(q.ID, q.Text)
			has(q.ID, q.Answer)
		}
		if a := s.Answer(); a != nil {
			for _, one := range a.Sentences {
				has(one.ID, one.Text)
			}
		}
		ids := view.PlaceIDs(s, places)
		argument := view.NewArgument(s, rulings)
		for i, p := range places {
			kinds[p.Kind] = true
			if p.Text == "" || p.Kind == "" || slices.Contains(places[:i], p) {
				t.Errorf("place %d is %+v", i, p)
			}
			if p.ID != "" && !slices.Contains(ids, p.ID) {
				t.Errorf("%s is not among the IDs %q", p.ID, ids)
			}
			if r := resolver.RulingOn(rulings, p.Point); r != nil && p.Bucket != r.Bucket {
				t.Errorf("%+v is in bucket %s", p, r.Bucket)
			}
		}
		for _, id := range ids {
			if d, ok := argument.Document(id); !ok || d.Question == "" && len(d.Sections) == 0 {
				t.Errorf("%s cannot be shown", id)
			}
		}
	})
	for _, kind := range []string{
		"question", "reading of the question", "position", "options", "files", "answer", "earlier answer", "left out of the answer",
		"objection to the answer", "claim", "finding", "your reason", "reason", "definition", "missing measurement",
		"would be resolved by", "note", "doubt of the arbiter", "request", "objection", "answer to an objection", "quote",
		"command", "refused citation", "objection to evidence", "fact", "question to you", "your answer", "conflict",
		"synthesis", "would change its mind", "not proposed",
	} {
		if !kinds[kind] {
			t.Errorf("no scenario has a place of the kind %q", kind)
		}
		delete(kinds, kind)
	}
	for kind := range kinds {
		if !strings.HasPrefix(kind, "view of ") {
			t.Errorf("the kind %q is unknown", kind)
		}
	}
}

func TestLongPlace(t *testing.T) {
	r := protocoltest.NewRecord(t)
	opened := protocoltest.ConsultOpened()
	opened.Question = strings.Repeat("ä", view.MaxPlace)
	r.Add(opened)
	places := view.Places(r.State, nil)
	if len(places) != 1 || places[0].Text != opened.Question[:view.MaxPlace] {
		t.Errorf("the place of a long question has %d bytes", len(places[0].Text))
	}
}
