package search

import (
	"context"
	"strings"
	"testing"
)

func TestSurveyTellsItsCounts(t *testing.T) {
	t.Parallel()
	survey := Survey{Files: 12, Folders: 3, Skipped: map[Reason]int{ReasonBinary: 1, ReasonIgnored: 2}}
	if got, want := survey.String(), "12 files, 3 folders read; skipped 2 ignored, 1 binary"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	if got := survey.SkippedTotal(); got != 3 {
		t.Errorf("SkippedTotal() = %d, want 3", got)
	}
	for _, reason := range Reasons() {
		var read Reason
		if err := read.UnmarshalText([]byte(reason.String())); err != nil || read != reason {
			t.Errorf("%q reads as %q, error %v", reason, read, err)
		}
	}
	var reason Reason
	if err := reason.UnmarshalText([]byte("binry")); err == nil {
		t.Errorf("an unknown reason reads as %q", reason)
	}
}

func TestReadBatteryRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\ta.go: x\n":                   "line 1",
		"question?\n":                   "no answer",
		"one?\ntwo?\n\ta.go: x\n":       "line 2",
		"question?\n\tno separator\n":   "line 2",
		"ok?\n\tnothing\n\nquestion?\n": "no answer",
	} {
		if _, err := ReadBattery(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadBattery(%q) gives error %v, want one with %q", text, err, want)
		}
	}
}

func TestMeasureCounts(t *testing.T) {
	t.Parallel()
	index := openIndex(t, writeTree(t, map[string]string{"a.txt": "the flamingo pond\n", "b.txt": "a flamingo\n"}))
	score, err := Measure(context.Background(), index, []Question{
		{Text: "flamingo pond?", Answers: []Answer{{"a.txt", "pond"}}},
		{Text: "flamingo?", Answers: []Answer{{"c.txt", "x"}}},
		{Text: "gorilla?"},
		{Text: "pond?"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if score.Answerable != 2 || score.Recall1 != 0.5 || score.MRR != 0.5 || score.Unbearing != 2 || score.Silence != 0.5 || len(score.Misses) != 2 {
		t.Errorf("the score is %s with %d misses", score, len(score.Misses))
	}
}
