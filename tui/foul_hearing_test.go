package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/state"
)

// foulPacket are facts whose texts are all nasty, some of them with the ids of points.
func foulPacket(t testing.TB, next func() string, facts int) *ledger.Packet {
	t.Helper()
	begin := time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC)
	packet, err := ledger.NewPacket("nasty", begin, begin.Add(100*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	text := func() string { return "x" + strings.ToValidUTF8(next(), "") }
	for i := range facts {
		if err := packet.Add(ledger.PacketFact{
			ID: fmt.Sprintf("P%d%s", i+1, when(i%3 == 0, "", text())), Entity: text(), EntityType: ledger.EntityTypes()[i%2], Field: text(),
			Value: ledger.TextValue(strings.Repeat(text(), 1+i%7*40)), At: begin.Add(time.Duration((i*37)%facts) * time.Hour / time.Duration(facts)),
			SourceType: ledger.SourceManual, SourceID: text(), ParserVersion: text(), Raw: text(),
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	return packet
}

// foulHearing is a session of the format hearing in which every text is nasty: many
// facts and claims, numbers at the edges, violations, drifts and ignored rebuttals.
func foulHearing(t testing.TB, at int) *recorder {
	t.Helper()
	next := func() string {
		at++
		return nasty()[at%len(nasty())]
	}
	r := &recorder{t: t}
	open := heardOpened()
	open.Question, open.Settings.Hearing.Domain.Prefix = next(), next()
	open.Settings.Hearing.Form = state.FormMulti
	for i := range open.Seats {
		open.Seats[i].Participant, open.Seats[i].Model = next(), next()
	}
	r.add(open)
	packet := foulPacket(t, next, 60)
	r.add(state.PacketEvents(packet)...)
	r.add(
		&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Protocol, Text: next()},
		&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope, Reason: next()},
	)
	r.add(replied(state.Architect, state.StageArgue, next(), 1, 1)...)
	sides := []state.Seat{state.Architect, state.Skeptic}
	for i := range 24 {
		id, c, seat := fmt.Sprint("P", i+2), fmt.Sprint("C", i+1), sides[i%2]
		cites := []string{packet.At(i).ID, packet.At((i * 7) % 60).ID}
		r.add(
			&state.PointRaised{ID: id, By: seat, Text: next(), Facts: cites},
			&state.PointTriaged{Point: id, By: state.Protocol, Scope: state.InScope, Reason: next()},
			&state.ConfidenceReported{Seat: seat, Point: id, Stated: float64(i%3) / 2, Admitted: 1, Cause: next()},
			&state.ChallengeRaised{ID: c, Point: id, By: state.Opponent(seat), What: state.Skeptical, Objection: next(), Facts: cites[1:]},
			&state.ChallengeAnswered{Challenge: c, By: seat, Text: next(), Facts: cites[:1]},
			&state.SchemaViolated{Seat: seat, Move: "CLAIM", Text: next(), Facts: []string{fmt.Sprint("nowhere ", i, next())}},
		)
	}
	r.add(
		&state.Argued{Seat: state.Architect, Stated: 0, Confidence: 1, WouldChange: next()},
		&state.Argued{Seat: state.Skeptic, Stated: 1, Confidence: 1, WouldChange: next()},
		&state.RebuttalIgnored{Seat: state.Architect, Challenge: "C1", Fact: packet.At(0).ID},
		&state.Gated{Gating: state.Gating{Gate: state.GateEither, Confidence: 1, Flags: []string{next()}, Risk: 0.25, Opens: true}},
		&state.RoundStarted{Round: 2}, &state.PointConceded{Point: "P3", By: state.Skeptic, Reason: next()},
		&state.Argued{Seat: state.Architect, Stated: 0.1, Confidence: 0.30000000000000004, WouldChange: next()},
	)
	return r
}
