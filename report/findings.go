package report

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/view"
)

// ErrNoReview reports that a form for findings was asked of a session that is no review.
var ErrNoReview = errors.New("is no review, and has no findings on lines of a change")

// reviewed returns the review that a session is.
func (in *Input) reviewed(form Form) (view.Review, error) {
	format, is := view.FormatOf(in.State).(view.Reviews)
	if !is {
		return view.Review{}, fmt.Errorf("session %s %w: %s is for those of moot review", in.State.ID, ErrNoReview, form)
	}
	return format.Review(in.State, in.Rulings), nil
}

// The parts of SARIF 2.1.0 that code scanning reads.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver struct {
				Name  string      `json:"name"`
				Rules []sarifRule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		AutomationDetails struct {
			ID string `json:"id"`
		} `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		// ColumnKind is required where columns are counted, and harmless elsewhere.
		ColumnKind string `json:"columnKind"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level   view.Level `json:"level"`
		Message sarifText  `json:"message"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               view.Level        `json:"level"`
		Message             sarifText         `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		PhysicalLocation struct {
			ArtifactLocation struct {
				URI       string `json:"uri"`
				URIBaseID string `json:"uriBaseId"`
			} `json:"artifactLocation"`
			Region sarifRegion `json:"region"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
		EndLine   int `json:"endLine"`
	}
)

// writeSARIF writes the findings of a review for code scanning. Those that were dismissed are left out, because GitHub
// ignores suppressions, and closes an alert that a newer upload does not have.
func writeSARIF(in *Input) (string, error) {
	review, err := in.reviewed(FormSARIF)
	if err != nil {
		return "", err
	}
	return SARIF(string(in.State.Settings.Format), &review)
}

// SARIF writes annotations for code scanning. what names the kind of run, as in "audit".
func SARIF(what string, review *view.Review) (string, error) {
	run := sarifRun{Results: []sarifResult{}, ColumnKind: "unicodeCodePoints"}
	run.Tool.Driver.Name, run.Tool.Driver.Rules = "moot", []sarifRule{}
	run.AutomationDetails.ID = "moot " + what + "/"
	level := view.LevelNote
	if !review.Decided {
		level = view.LevelError
	}
	run.Invocations = []sarifInvocation{{
		ExecutionSuccessful: review.Decided,
		Notifications:       []sarifNotification{{level, sarifText{sarifMessage(review.Lead)}}},
	}}
	rules, names := map[string]int{}, map[string]int{}
	for i := range review.Annotations {
		f := &review.Annotations[i]
		kind := f.Kind
		if kind == "" {
			kind = "other"
		}
		index, known := rules[kind]
		if !known {
			index = len(rules)
			rules[kind] = index
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
				ID: strings.ReplaceAll(kind, " ", "-"), ShortDescription: sarifText{"Finding of " + withArticle(what) + ": " + kind},
			})
		}
		result := sarifResult{
			RuleID: run.Tool.Driver.Rules[index].ID, RuleIndex: index, Level: f.Level,
			Message: sarifText{sarifMessage(f.Text...)}, Locations: make([]sarifLocation, 1),
		}
		at := &result.Locations[0].PhysicalLocation
		// The path is relative, and a colon in its first part would make it a URL of its own.
		at.ArtifactLocation.URI = strings.Join(lists.Map(strings.Split(f.Path, "/"), func(name string) string {
			return strings.ReplaceAll(url.PathEscape(name), ":", "%3A")
		}), "/")
		at.ArtifactLocation.URIBaseID = "%SRCROOT%"
		// Code scanning wants a line.
		at.Region = sarifRegion{max(1, f.Line), max(1, f.End)}
		// Code scanning compares the second one alone, so two findings of one place need two.
		names[f.Fingerprint]++
		result.PartialFingerprints = map[string]string{
			"mootFinding/v1":          f.Fingerprint,
			"primaryLocationLineHash": f.Fingerprint + ":" + strconv.Itoa(names[f.Fingerprint]),
		}
		run.Results = append(run.Results, result)
	}
	return JSON(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// withArticle puts "a" or "an" before a word.
func withArticle(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// sarifMessage joins paragraphs of a message, in which no link works.
func sarifMessage(paragraphs ...string) string {
	return strings.Join(lists.Map(paragraphs, func(text string) string {
		text = plain.Text(plain.Clip(text, longestText))
		return strings.NewReplacer("](", "]\u200b(", "://", ":\u200b//").Replace(text)
	}), "\n\n")
}

// The Reviewdog Diagnostic Format.
type (
	rdResult struct {
		Source      rdSource       `json:"source"`
		Diagnostics []rdDiagnostic `json:"diagnostics"`
	}
	rdSource struct {
		Name string `json:"name"`
	}
	rdDiagnostic struct {
		Message  string     `json:"message"`
		Location rdLocation `json:"location"`
		Severity string     `json:"severity"`
		Code     *rdCode    `json:"code,omitempty"`
	}
	rdCode struct {
		Value string `json:"value"`
	}
	rdLocation struct {
		Path  string   `json:"path"`
		Range *rdRange `json:"range,omitempty"`
	}
	rdRange struct {
		Start rdPosition `json:"start"`
		End   rdPosition `json:"end"`
	}
	rdPosition struct {
		Line int `json:"line"`
	}
)

// writeRDJSON writes the findings of a review for reviewdog, which posts them as Markdown. A fix is prose, so it is part
// of the message and no suggestion.
func writeRDJSON(in *Input) (string, error) {
	review, err := in.reviewed(FormRDJSON)
	if err != nil {
		return "", err
	}
	result := rdResult{Source: rdSource{"moot"}, Diagnostics: []rdDiagnostic{}}
	for i := range review.Annotations {
		f := &review.Annotations[i]
		paragraphs := lists.Map(f.Text, func(text string) string { return line("%s", text) })
		one := rdDiagnostic{
			Message: strings.Join(paragraphs, "\n\n"), Location: rdLocation{Path: f.Path},
			Severity: map[view.Level]string{
				view.LevelError: "ERROR", view.LevelWarning: "WARNING", view.LevelNote: "INFO",
			}[f.Level],
		}
		if f.Kind != "" {
			one.Code = &rdCode{f.Kind}
		}
		if f.Line > 0 {
			one.Location.Range = &rdRange{rdPosition{f.Line}, rdPosition{f.End}}
		}
		result.Diagnostics = append(result.Diagnostics, one)
	}
	return JSON(result)
}
