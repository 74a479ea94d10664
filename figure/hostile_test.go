package figure

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/resolver/conflict"
	"moot/state"
)

// hostile returns texts that may break borders.
func hostile() []string {
	return []string{
		"", " ", "plain words of a claim", "界界界界界界 wide 界", "e\u0301\u0301\u0301 \u0301\u0302 marks", "\u0301 begins with a mark",
		"\x1b[31mred\x1b[0m \x1b]0;title\x07", "\u202e turned \u2066 round", "العربية من اليمين إلى اليسار", "👩‍👩‍👧 👍🏽 🇩🇪🇫🇷 ❤️ 1️⃣", "क्षि ൎ ಕ್ಷ 각각", "\x00\xff\xfe\u0085\ufffd\ufffe\uffff",
		"line\nbreaks\tand\rtabs", strings.Repeat("word ", 2000), strings.Repeat("w", 10_000), strings.Repeat("界", 4000), "<script>alert('&')</script>", "]]> <!-- -->",
	}
}

// wellFormed reads a document to its end and returns its texts and ids.
func wellFormed(document string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(document))
	var seen strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return seen.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "script" {
				return "", errors.New("the document holds a script")
			}
			for _, a := range token.Attr {
				if a.Name.Local == "id" {
					seen.WriteString(" id=" + a.Value + " ")
				}
			}
		case xml.CharData:
			seen.Write(token)
		}
	}
}

// session draws a session at random, with hostile texts or plain ones.
func session(t *rapid.T, tb testing.TB, texts []string) (*protocoltest.Record, []state.Ruling) {
	r := protocoltest.NewRecord(tb)
	word := func() string { return rapid.SampledFrom(texts).Draw(t, "text") }
	n := func(most int, label string) int { return rapid.IntRange(0, most).Draw(t, label) }
	seats := []state.Seat{state.Orchestrator, state.Consultee, "consultee-2", state.User}
	seat := func() state.Seat { return rapid.SampledFrom(seats).Draw(t, "seat") }
	format := rapid.SampledFrom([]state.Format{consult.Name, panel.Name, dialectic.Name}).Draw(t, "format")
	// The points of a panel may be in conflict. Those of a proposal are fields, and its challenges are objections.
	compares, proposal := format == panel.Name, format == dialectic.Name
	if compares {
		seats = append(seats, panel.Panelist, "panelist-2", "panelist-3")
	}
	r.Add(&state.SessionOpened{Rules: formats.ByName(format), Version: state.Version, ID: "x", Question: word(), Settings: state.Settings{Format: format}}, &state.RoundStarted{Round: 1})
	points := n(9, "points")
	var rulings []state.Ruling
	for i := range points {
		id := fmt.Sprint("P", i+1)
		r.Add(&state.PointRaised{ID: id, By: seat(), Text: word()})
		if value, err := json.Marshal(word()); proposal && err == nil {
			r.Add(&dialectic.FieldProposed{Point: id, Path: id + word(), Value: value, Category: word(), Severity: word(), Grounded: true, Cites: []string{word()}})
		}
		rulings = append(rulings, state.Ruling{Point: id, Bucket: rapid.SampledFrom(state.Buckets()).Draw(t, "bucket")})
	}
	if points == 0 {
		return r, nil
	}
	point := func() string { return fmt.Sprint("P", rapid.IntRange(1, points).Draw(t, "point")) }
	for i := range n(8, "challenges") {
		id := fmt.Sprint("C", i+1)
		r.Add(&state.ChallengeRaised{ID: id, Point: point(), By: seat(), Kind: state.Skeptical, Objection: word()})
		if proposal {
			r.Add(&dialectic.ObjectionFiled{Challenge: id, Category: word(), Severity: rapid.SampledFrom(gates.Severities()).Draw(t, "severity"), Predicate: word()},
				&state.Requested{Point: "P1", Kind: state.RequestEvidence, By: seat(), Text: word(), About: id})
		}
		for range n(2, "answers") {
			r.Add(&state.ChallengeAnswered{Challenge: id, By: seat(), Text: word()},
				&state.ChallengeJudged{Challenge: id, By: seat(), Judgment: rapid.SampledFrom(state.Judgments()).Draw(t, "judgment"), Reason: word()})
		}
	}
	for i := range n(8, "items") {
		id := fmt.Sprint("E", i+1)
		r.Add(&state.EvidenceOffered{ID: id, Point: point(), Relation: rapid.SampledFrom(ledger.Relations()).Draw(t, "relation"), Reference: word(), Quote: word(), By: seat()})
		switch n(3, "check") {
		case 0:
			r.Add(&state.EvidenceRefused{ID: id, Reason: word()})
		case 1:
			r.Add(&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: word(), Excerpt: word(), Admitted: n(1, "admitted") == 0})
		}
	}
	if proposal {
		r.Add(&dialectic.RoundResolved{Resolution: dialectic.Recorded(r.State, time.Time{})})
	}
	for range n(12, "ties") {
		a, b := point(), point()
		switch {
		case a == b || r.State.Point(a).MergedInto != "" || r.State.Point(b).MergedInto != "":
		case n(5, "merged") == 0:
			r.Add(&state.PointsMerged{Into: a, From: []string{b}, By: seat()})
		default:
			r.Add(&state.PointsPaired{A: a, B: b, Same: true, Opposed: true, By: seat()})
		}
	}
	for range n(8, "conflicts") {
		if a, b := point(), point(); compares && a != b {
			id := state.NextID('K', panel.Of(r.State).Conflicts.Len())
			r.Add(&panel.ConflictFound{ID: id, What: rapid.SampledFrom(conflict.Types()).Draw(t, "kind"), A: a, B: b, By: seat(), Challenges: []string{}},
				&panel.ConflictSettled{ID: id, Settlement: panel.Settlement{Method: "vote", Winner: rapid.SampledFrom([]string{"", a, b}).Draw(t, "winner"), Settled: true, Reasoning: word()}})
		}
	}
	for range n(12, "reports") {
		r.Sure(seat(), point(), rapid.Float64Range(0, 1).Draw(t, "stated"), rapid.Float64Range(0, 1).Draw(t, "admitted"))
		if n(3, "next") == 0 && r.State.Round < state.MaxRounds {
			r.Add(&state.RoundStarted{Round: r.State.Round + 1})
		}
	}
	for range n(5, "calls") {
		r.Call(seat(), n(100_000, "in"), n(9000, "out"), rapid.Float64Range(0, 2).Draw(t, "cost"))
	}
	return r, rulings
}
