package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/search"
	"moot/state"
	"moot/state/store"
)

// writer makes texts of words that are about as frequent as those of a language.
type writer struct {
	random *rand.Rand
	zipf   *rand.Zipf
}

func newWriter(seed uint64) *writer {
	random := rand.New(rand.NewPCG(seed, 1))
	return &writer{random, rand.NewZipf(random, 1.2, 4, 30_000)}
}

func (w *writer) word() string {
	n := w.zipf.Uint64()
	text := ""
	for m := n*2654435761%1_000_003 + 17; m > 0; m /= 40 {
		text += string("bcdfghklmnprstvz"[m%16]) + string("aeiou"[m/16%5])
	}
	return text
}

func (w *writer) text(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = w.word()
	}
	return strings.Join(list, " ")
}

// session makes the events of a session with 12 claims, as consultations have: 180 places, 30 KB of text.
func (w *writer) session(t testing.TB, id string) []state.Event {
	r := protocoltest.NewRecord(t)
	opened := protocoltest.ConsultOpened()
	opened.ID, opened.Question = id, w.text(20)
	opened.Settings.Workspace = "/src/" + w.word()
	r.Add(opened)
	for i := range 12 {
		point := state.NextID('P', i)
		r.Add(&state.PointRaised{ID: point, By: state.Consultee, Text: w.text(25)})
		for j := range 2 {
			id := state.NextID('E', 2*i+j)
			r.Add(&state.EvidenceOffered{
				ID: id, Point: point, Relation: ledger.Supports, Reference: w.word() + "/" + w.word() + ".go:" + fmt.Sprint(i+1),
				By: state.Consultee, Quote: w.text(5),
			}, &state.EvidenceVerified{
				ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9, Excerpt: w.text(60),
				Admitted: true, Reason: "in place", Digest: "sha256:0",
			})
		}
		challenge := state.NextID('C', i)
		r.Add(
			&state.PointClassified{Point: point, By: state.Orchestrator, Class: state.Skeptical, Reason: w.text(15)},
			&state.ChallengeRaised{
				ID: challenge, Point: point, By: state.Orchestrator, Kind: state.Skeptical, Objection: w.text(20),
				UpgradeIf: w.text(8),
			},
			&state.ChallengeAnswered{Challenge: challenge, By: state.Consultee, Text: w.text(30)},
		)
	}
	return r.Events
}

// many returns a folder with sessions.
func many(b *testing.B, n int) *home {
	b.Helper()
	root := os.Getenv("MOOT_BENCH_SESSIONS")
	if root == "" {
		root = b.TempDir()
	}
	h := &home{b, filepath.Join(root, "sessions")}
	w := newWriter(1)
	for i := range n {
		id := fmt.Sprintf("s%05d", i)
		if _, err := os.Stat(h.path(id)); err != nil {
			h.save(id, w.session(b, id))
		}
	}
	return h
}

// BenchmarkFind measures searches in 10,000 sessions, with the check for changed files. Target: 100 ms. The folder is in
// MOOT_BENCH_SESSIONS, and stays there, or else it is made each time.
func BenchmarkFind(b *testing.B) {
	h := many(b, 10_000)
	w := newWriter(1)
	question := strings.Fields(w.text(20))
	rare := ""
	for _, word := range question {
		if len(word) > len(rare) {
			rare = word
		}
	}
	if r := h.find(search.Query{Words: rare}); len(r.Hits) == 0 {
		b.Fatal("nothing is found")
	}
	b.Run("no hit", func(b *testing.B) {
		for b.Loop() {
			h.find(search.Query{Words: "nothing"})
		}
	})
	for _, words := range []string{rare, rare[:4], rare[:3], question[0] + " " + question[1], strings.Join(question[:6], " "), question[0], "go"} {
		b.Run(words, func(b *testing.B) {
			hits := 0
			for b.Loop() {
				hits = len(h.find(search.Query{Words: words}).Hits)
			}
			b.ReportMetric(float64(hits), "hits")
		})
	}
}

// BenchmarkNewSession measures a search after one session was added to 10,000. The difference to
// BenchmarkFind is the time for reading the session. Target: 50 ms.
func BenchmarkNewSession(b *testing.B) {
	h := many(b, 10_000)
	w := newWriter(uint64(b.N))
	h.find(search.Query{Words: "nothing"})
	var added []string
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		id := fmt.Sprintf("n%05d", i)
		h.save(id, w.session(b, id))
		added = append(added, id)
		b.StartTimer()
		h.find(search.Query{Words: "nothing"})
	}
	b.StopTimer()
	for _, id := range added {
		if err := os.Remove(h.path(id)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkChangedSession is BenchmarkNewSession for a session that grows by a claim, as a running one does.
func BenchmarkChangedSession(b *testing.B) {
	h := many(b, 10_000)
	w := newWriter(99)
	events := w.session(b, "grows")
	h.save("grows", events)
	defer os.Remove(h.path("grows"))
	h.find(search.Query{Words: "nothing"})
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		f, opened, err := store.Open(h.path("grows"), formats.Rules()...)
		if err != nil {
			b.Fatal(err)
		}
		last := opened.Events[len(opened.Events)-1]
		err = f.Append([]state.Event{{Seq: last.Seq + 1, At: last.At, Data: &state.PointRaised{
			ID: state.NextID('P', 12+i), By: state.Consultee, Text: w.text(25),
		}}})
		if err := errors.Join(err, f.Close()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		h.find(search.Query{Words: "nothing"})
	}
}
