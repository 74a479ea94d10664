package view

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Statement is a sentence of moot about a record as data: its words, and the condition that makes them true (SE1).
// The words are printed only through Stated, and so never where the condition does not hold.
type Statement struct {
	// ID is the place in the document and the name of the sentence, as in "verdict/early". The rows of one
	// place follow one another, and Stated takes the first one that holds.
	ID string
	// Words is a template for the values that the condition returns.
	Words string
	// When reports whether the sentence is true of the record, with its values.
	When func(r Record) (values []any, holds bool)
}

// Statements is a table of sentences.
type Statements []Statement

// Record holds what a condition reads: a session with its rulings, and the id of the point, the seat or the item that
// the sentence is about, or "" for the whole session.
type Record struct {
	State   *state.State
	Rulings []state.Ruling
	ID      string
}

// On returns the record with the id of what a sentence is about.
func (r Record) On(id string) Record {
	r.ID = id
	return r
}

// Stated returns the first sentence of a place that is true of the record, or "".
func Stated(place string, r Record) string {
	for _, row := range StatementsOf(FormatOf(r.State)) {
		if !strings.HasPrefix(row.ID, place+"/") {
			continue
		}
		if values, holds := row.When(r); holds {
			return row.Say(values...)
		}
	}
	return ""
}

// Say returns the words with the values.
func (row *Statement) Say(values ...any) string {
	if len(values) == 0 {
		return row.Words
	}
	return fmt.Sprintf(row.Words, values...)
}

// StatementsOf returns the sentences that all formats share, and those of one format.
func StatementsOf(f Format) Statements { return slices.Concat(shared, f.Statements()) }

// shared never changes.
var shared = Statements{ //nolint:gochecknoglobals // a table
	{
		ID: "verdict/audit-none", Words: "The statements name no place.",
		When: func(r Record) ([]any, bool) {
			return nil, r.audited() && len(r.State.Settings.Audited().Count()) == 0
		},
	},
	{
		ID: "verdict/audit-wrong", Words: "The statements name %s: %s.",
		When: func(r Record) ([]any, bool) {
			if !r.audited() {
				return nil, false
			}
			audit := r.State.Settings.Audited()
			return placesOf(audit), audit.Accused() > 0
		},
	},
	{
		ID: "verdict/audit", Words: "The statements name %s, and none is known to be wrong: %s.",
		When: func(r Record) ([]any, bool) {
			if !r.audited() {
				return nil, false
			}
			return placesOf(r.State.Settings.Audited()), true
		},
	},
	{
		ID:    "verdict/found-words",
		Words: "These passages share words with the question. No model judged whether they answer it.",
		When: func(r Record) ([]any, bool) {
			return nil, r.found() && !r.judged() && r.foundBy(func(e *ledger.Evidence) bool {
				return e.OfferedBy == string(state.Consultee) && r.State.ByRules(state.Consultee)
			})
		},
	},
	{
		ID:    "verdict/found-cited",
		Words: "The cited passages exist. No model judged whether they bear out the points.",
		When:  func(r Record) ([]any, bool) { return nil, r.found() && !r.judged() },
	},
	{
		ID: "verdict/found", Words: "The cited passages exist. Whether they bear out the points is not settled.",
		When: func(r Record) ([]any, bool) { return nil, r.found() },
	},
	{
		ID:    "verdict/early",
		Words: "This session is inconclusive: it ended early.",
		When:  func(r Record) ([]any, bool) { return nil, r.State.Inconclusive && r.State.Exit == state.ExitQuality },
	},
	{
		ID:    "verdict/nothing-found",
		Words: "Nothing found that answers this. The built-in rules look for words; they understand nothing.",
		When: func(r Record) ([]any, bool) {
			return nil, r.State.Inconclusive && r.State.Points.Len() == 0 && r.State.ByRules(state.Consultee) &&
				r.searchable() && len(r.State.Searched) == 0
		},
	},
	{
		ID:    "verdict/not-all-searched",
		Words: "No passage was found, and not all was searched: %s. The built-in rules look for words; they understand nothing.",
		When: func(r Record) ([]any, bool) {
			return []any{strings.Join(r.State.Searched, "; ")}, r.State.Inconclusive && r.State.Points.Len() == 0 &&
				r.State.ByRules(state.Consultee) && r.searchable()
		},
	},
	{
		ID:    "verdict/nothing-searched",
		Words: "There was nothing to search: the session has no workspace and no files. The built-in rules only look for words.",
		When: func(r Record) ([]any, bool) {
			return nil, r.State.Inconclusive && r.State.Points.Len() == 0 && r.State.ByRules(state.Consultee)
		},
	},
	{
		ID:    "verdict/unraised",
		Words: "This session is inconclusive: nobody raised a point that could be judged.",
		When:  func(r Record) ([]any, bool) { return nil, r.State.Inconclusive && r.State.Points.Len() == 0 },
	},
	{
		ID: "verdict/unsettled",
		Words: "This session is inconclusive: no claim was agreed or found, and none was dismissed by evidence, by a fact " +
			"of yours or by you.",
		When: func(r Record) ([]any, bool) {
			shows := func(one state.Ruling) bool { return resolver.Shows(&one) || one.Status == state.StatusFound }
			return nil, r.State.Inconclusive && !slices.ContainsFunc(r.Rulings, shows)
		},
	},
	{
		ID: "verdict/inconclusive", Words: "This session is inconclusive.",
		When: func(r Record) ([]any, bool) { return nil, r.State.Inconclusive },
	},
	{
		ID: "debate/none", Words: "no point was raised",
		When: func(r Record) ([]any, bool) { return nil, r.State.Points.Len() == 0 },
	},
	{
		ID: "debate/unmoved", Words: "changed nothing since round 1",
		When: func(r Record) ([]any, bool) { return nil, len(Moves(r.State, Baseline(r.State, r.Rulings))) == 0 },
	},
	{
		ID: "debate/moved", Words: "changed %d of %s since what was said in round 1: %s",
		When: func(r Record) ([]any, bool) {
			changes := Baseline(r.State, r.Rulings)
			moved := Moves(r.State, changes)
			return []any{len(moved), Counted(len(changes), "point"), strings.Join(moved, ", ")}, true
		},
	},
	{
		// A point that is Agreed without evidence rests on what the seats said (ST4).
		ID: "caution/agreement", Words: "nothing but agreement supports this",
		When: func(r Record) ([]any, bool) {
			ruling, p := resolver.RulingOn(r.Rulings, r.ID), r.State.Point(r.ID)
			return nil, ruling != nil && p != nil && AgreementOnly(r.State, ruling) && !r.supported(p)
		},
	},
	{
		ID: "caution/uncounted", Words: "the evidence for it does not decide this, and agreement is no proof",
		When: func(r Record) ([]any, bool) {
			ruling := resolver.RulingOn(r.Rulings, r.ID)
			return nil, ruling != nil && AgreementOnly(r.State, ruling)
		},
	},
	{
		ID: "sentence/decided", Words: "no seat was asked: code wrote it",
		When: func(r Record) ([]any, bool) { return nil, r.State.Answer() == nil },
	},
	{
		ID: "sentence/unseen", Words: "no other seat saw this sentence",
		When: func(r Record) ([]any, bool) {
			a := AnswerOf(r.State, r.Rulings)
			return nil, a != nil && slices.ContainsFunc(a.Sentences, func(one AnswerSentence) bool {
				return one.ID == r.ID && one.Unseen
			})
		},
	},
	{
		ID: "sentence/yours", Words: "no seat was asked: you wrote it",
		When: func(r Record) ([]any, bool) { return nil, r.State.Answer().By == state.User },
	},
	{
		ID: "sentence/composed", Words: "no seat was asked: code composed it",
		When: func(r Record) ([]any, bool) {
			a := AnswerOf(r.State, r.Rulings)
			return nil, a != nil && slices.ContainsFunc(a.Sentences, func(one AnswerSentence) bool {
				return one.ID == r.ID && one.NotShown
			})
		},
	},
	{
		ID: "fact/unevaluated", Words: "a fact that nobody verified or dismissed (LE5)",
		When: func(r Record) ([]any, bool) {
			f := r.State.Fact(r.ID)
			return nil, f != nil && f.Tag == ledger.TagUnverified && f.Live && !f.Evaluated
		},
	},
	{
		ID: "no question/unanswered", Words: "Nothing: no question is unanswered.",
		When: func(r Record) ([]any, bool) { return nil, r.State.Over() && !r.asks() },
	},
	{
		ID: "open for you/nothing", Words: "Nothing: no question is unanswered, and no claim is unresolved.",
		When: func(r Record) ([]any, bool) {
			unresolved := func(one state.Ruling) bool {
				p := r.State.Point(one.Point)
				return one.Bucket == state.BucketUnresolved && p != nil && p.MergedInto == ""
			}
			return nil, r.State.Over() && !r.asks() && !slices.ContainsFunc(r.Rulings, unresolved)
		},
	},
	{
		ID: "blind/material", Words: "%s saw none of the material",
		When: func(r Record) ([]any, bool) {
			seats := unshown(r.State)
			return []any{resolver.SeatNames(seats)}, len(seats) > 0
		},
	},
	{
		ID: "blind/heading", Words: "%s opened no file",
		When: func(r Record) ([]any, bool) {
			seats := Blind(r.State)
			return []any{resolver.SeatNames(seats)}, len(seats) > 0
		},
	},
	{
		// Each seat is shown the map with its first prompt (LU3), and some sessions end before each was asked.
		ID: "saw/map", Words: "%s",
		When: func(r Record) ([]any, bool) {
			var asked []state.Seat
			for _, a := range r.State.Seats {
				spent := func(u state.SeatUsage) bool { return u.Seat == a.Seat }
				if a.NoModel || slices.ContainsFunc(r.State.Spent, spent) {
					asked = append(asked, a.Seat)
				}
			}
			who := "all"
			if len(asked) < len(r.State.Seats) {
				who = Seats(asked)
			}
			return []any{who}, r.State.Settings.Map != nil && len(asked) > 0
		},
	},
	{
		ID: "flags/half",
		Words: "arbiter: %s flagged, at least half of those that were ruled on; read them again before you rely " +
			"on them",
		When: func(r Record) ([]any, bool) {
			flagged := r.flagged()
			text := "1 point is"
			if flagged > 1 {
				text = Counted(flagged, "point") + " are"
			}
			return []any{text}, resolver.HeavilyFlagged(r.State, r.Rulings)
		},
	},
	{
		ID: "redacted/places", Words: "redacted: what looks like a secret was removed in %s before anyone saw it, each marked (LE6)",
		When: func(r Record) ([]any, bool) {
			n := redactions(r.State)
			return []any{Counted(n, "place")}, n > 0
		},
	},
	{
		ID: "same/participant", Words: "%s are %s %s: each is asked separately, but agreeing with itself is no second opinion",
		When: func(r Record) ([]any, bool) {
			same, participant := sameParticipant(r.State)
			both := "all"
			if len(same) == 2 { //nolint:mnd // two are both
				both = "both"
			}
			return []any{Seats(same), both, participant}, len(same) > 0
		},
	},
	{
		ID: "ruled/none", Words: "no points",
		When: func(r Record) ([]any, bool) { return nil, r.State.Rulings.Len() == 0 },
	},
}

// asks reports whether a question to the user is unanswered, other than the one about stopping, which ends with the session.
func (r Record) asks() bool {
	return r.State.Questions.Any(func(q *state.Question) bool {
		return !q.Answered && (q.About != state.AboutStop || !r.State.Over())
	})
}

// flagged counts the points that the arbiter flagged, of those that were ruled on.
func (r Record) flagged() int {
	n := 0
	for i := range r.Rulings {
		p := r.State.Point(r.Rulings[i].Point)
		if p != nil && p.MergedInto == "" && r.Rulings[i].Bucket != state.BucketNotEvaluated &&
			slices.ContainsFunc(r.State.Flags, func(f state.Flag) bool { return f.Point == p.ID }) {
			n++
		}
	}
	return n
}

// audited reports whether the session has the result of an audit.
func (r Record) audited() bool {
	return r.State.Over() && !r.State.Inconclusive && r.State.Settings.Audited() != nil
}

// placesOf counts the places of an audit, and those of each verdict, the accusations first.
func placesOf(audit *state.Audit) []any {
	counts, total := audit.Count(), 0
	var parts []string
	for _, verdict := range state.PlaceVerdicts() {
		if n := counts[verdict]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, verdict))
		}
	}
	return []any{plain.Counted(total, "place"), strings.Join(parts, ", ")}
}

func (r Record) found() bool { return r.State.Over() && resolver.Found(r.State, r.Rulings) }

// judged reports whether a seat able to judge gave its word on a point that was only found.
func (r Record) judged() bool {
	return slices.ContainsFunc(r.Rulings, func(one state.Ruling) bool {
		p := r.State.Point(one.Point)
		return one.Status == state.StatusFound && slices.ContainsFunc(p.Classes, func(c state.Classification) bool {
			return !c.ByRules && !p.IsAuthor(c.Seat)
		})
	})
}

// foundBy reports whether a condition holds for each passage that was found.
func (r Record) foundBy(holds func(*ledger.Evidence) bool) bool {
	for i := range r.Rulings {
		if r.Rulings[i].Status != state.StatusFound {
			continue
		}
		for _, id := range r.Rulings[i].Reads {
			if e := r.State.Item(id); e != nil && !holds(e) {
				return false
			}
		}
	}
	return true
}

// supported reports whether a verified item supports a point, whether it counts or not.
func (r Record) supported(p *state.Point) bool {
	return slices.ContainsFunc(p.Evidence, func(id string) bool {
		e := r.State.Item(id)
		return e.Proven() && e.Relation == ledger.Supports
	})
}

// searchable reports whether built-in rules had files to look into.
func (r Record) searchable() bool {
	return r.State.Settings.Workspace != "" || len(r.State.Settings.Context) > 0
}
