package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"moot/internal/plain"
	"moot/state"
	"moot/view"
)

// CodexAsk is the state file of codex-ask, the first implementation of the protocol of consult.
type CodexAsk struct {
	// Version is 1.
	Version   int    `json:"version"`
	SessionID string `json:"session_id"`
	// QuestionHash is the first 8 hex digits of the SHA-256 of the question, QuestionExcerpt its first 100 characters.
	QuestionHash    string `json:"question_hash"`
	QuestionExcerpt string `json:"question_excerpt"`
	UpdatedAt       string `json:"updated_at"`
	// Iteration is the round.
	Iteration  int                       `json:"iteration"`
	Phase      string                    `json:"phase"`
	Challenges map[string]CodexChallenge `json:"challenges"`
	// Ledger has lines such as "F1 [user]: writes are idempotent".
	Ledger []string `json:"ledger"`
	// Disputed are the IDs of challenges on disputed points.
	Disputed []string     `json:"disputed"`
	SSM      CodexSpace   `json:"ssm"`
	Buckets  CodexBuckets `json:"buckets"`
	// LastFailureType is the kind of the last failure, or "".
	LastFailureType string `json:"last_failure_type"`
}

// CodexChallenge is a challenge by its ID.
type CodexChallenge struct {
	Point        string `json:"point"`
	Objection    string `json:"objection"`
	RaisedIter   int    `json:"raised_iter"`
	Status       string `json:"status"`
	ReminderSent bool   `json:"reminder_sent"`
}

// CodexSpace is the map of the question.
type CodexSpace struct {
	Shape        string `json:"shape"`
	Tangents     string `json:"tangents"`
	DriftSignals string `json:"drift_signals"`
}

// CodexBuckets are the points, by their text.
type CodexBuckets struct {
	Agreed     []CodexAgreed     `json:"agreed"`
	Dismissed  []CodexDismissed  `json:"dismissed"`
	Unresolved []CodexUnresolved `json:"unresolved"`
}

// CodexAgreed is an agreed point.
type CodexAgreed struct {
	Point        string `json:"point"`
	EvidenceType string `json:"evidence_type"`
	Reason       string `json:"reason"`
}

// CodexDismissed is a dismissed point.
type CodexDismissed struct {
	Point  string `json:"point"`
	Tag    string `json:"tag"`
	Reason string `json:"reason"`
}

// CodexUnresolved is an unresolved point.
type CodexUnresolved struct {
	Point  string `json:"point"`
	Crux   string `json:"crux"`
	Status string `json:"status"`
}

// The lengths in a state file: characters of the excerpt, and hex digits of the hash.
const (
	codexExcerpt = 100
	codexHash    = 8
)

// writeCodexAsk writes the state file. It has no place for points that are open or not evaluated, nor for evidence.
func writeCodexAsk(in *Input) (string, error) {
	s := in.State
	space := view.SpaceOf(s)
	out := CodexAsk{
		Version: 1, SessionID: s.ID, QuestionHash: codexHashOf(s.Question), QuestionExcerpt: s.Question,
		UpdatedAt: in.UpdatedAt.UTC().Format(time.RFC3339), Iteration: s.Round, Phase: string(s.Phase),
		Challenges: map[string]CodexChallenge{}, Ledger: []string{}, Disputed: []string{},
		SSM:             CodexSpace{space.Shape, space.Tangents, space.DriftSignals},
		LastFailureType: string(s.PauseFailure.Kind),
		Buckets: CodexBuckets{
			Agreed: []CodexAgreed{}, Dismissed: []CodexDismissed{}, Unresolved: []CodexUnresolved{},
		},
	}
	if runes := []rune(s.Question); len(runes) > codexExcerpt {
		out.QuestionExcerpt = string(runes[:codexExcerpt])
	}
	for _, f := range s.Facts.All() {
		if f.Live {
			out.Ledger = append(out.Ledger, fmt.Sprintf("%s [%s]: %s", f.ID, f.Label(), f.Text))
		}
	}
	disputed := map[string]bool{}
	for i := range in.Rulings {
		r := &in.Rulings[i]
		p := s.Point(r.Point)
		if p == nil || p.MergedInto != "" {
			continue
		}
		switch r.Bucket {
		case state.BucketAgreed:
			out.Buckets.Agreed = append(out.Buckets.Agreed, CodexAgreed{p.Text, string(r.Tag), r.Reason})
		case state.BucketDismissed:
			out.Buckets.Dismissed = append(out.Buckets.Dismissed, CodexDismissed{p.Text, string(r.Tag), r.Reason})
		case state.BucketUnresolved:
			out.Buckets.Unresolved = append(out.Buckets.Unresolved, CodexUnresolved{p.Text, r.Crux, string(r.Status)})
			disputed[p.ID] = r.Status == state.StatusDisputed
		case state.BucketOpen, state.BucketNotEvaluated:
		}
	}
	for _, c := range s.Challenges.All() {
		one := CodexChallenge{Objection: c.Objection, RaisedIter: c.Round, Status: string(c.Status), ReminderSent: c.ReminderSent}
		if p := s.Point(c.Point); p != nil {
			one.Point = p.Text
		}
		out.Challenges[c.ID] = one
		if disputed[c.Point] {
			out.Disputed = append(out.Disputed, c.ID)
		}
	}
	return JSON(&out)
}

func codexHashOf(question string) string {
	sum := sha256.Sum256([]byte(question))
	return hex.EncodeToString(sum[:])[:codexHash]
}

// ErrNoCodexAsk says that a text is not a state file of codex-ask.
var ErrNoCodexAsk = errors.New("it is not a state file of codex-ask: it has no question_hash")

// maxCodexLedger is the most lines of a ledger that are read. codex-ask writes a few dozen.
const maxCodexLedger = 1000

// ParseCodexAsk reads a state file. Keys that it does not know are ignored. An error says what is wrong in it.
func ParseCodexAsk(text []byte) (*CodexAsk, error) {
	var c CodexAsk
	if !utf8.Valid(text) {
		return nil, errors.New("it is not UTF-8")
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&c); err != nil {
		return nil, fmt.Errorf("it is not the JSON of a state file: %w", err)
	}
	switch {
	case c.QuestionHash == "":
		return nil, ErrNoCodexAsk
	case c.Version != 1:
		return nil, fmt.Errorf("its version is %d, and moot reads version 1", c.Version)
	case len(c.QuestionHash) != codexHash || strings.Trim(c.QuestionHash, "0123456789abcdef") != "":
		return nil, fmt.Errorf("its question_hash %.20q is not 8 hex digits", c.QuestionHash)
	case len(c.Ledger) > maxCodexLedger:
		return nil, fmt.Errorf("its ledger has %d lines, and moot reads at most %d", len(c.Ledger), maxCodexLedger)
	}
	return &c, nil
}

// Asks reports whether a question is the one of the state file.
func (c *CodexAsk) Asks(question string) bool { return codexHashOf(question) == c.QuestionHash }

// Earlier returns a summary for a session that continues it, and how many points and challenges it leaves out. None of it is
// a ruling of moot.
func (c *CodexAsk) Earlier(question string) (e *state.Earlier, left int) {
	const most, longest = 12, 600
	e = &state.Earlier{ID: plain.Clip(c.SessionID, longest), Question: question, Answer: []string{}, Open: []string{}, Cited: []string{}}
	add := func(list *[]string, text string, about ...string) {
		switch text = plain.Clip(text, longest); {
		case text == "":
		case len(*list) == most:
			left++
		default:
			*list = append(*list, text+" ["+plain.Clip(view.Join(", ", about...), longest)+"]")
		}
	}
	for _, p := range c.Buckets.Agreed {
		add(&e.Answer, p.Point, "agreed in codex-ask", p.EvidenceType, p.Reason)
	}
	for _, p := range c.Buckets.Dismissed {
		add(&e.Answer, p.Point, "dismissed in codex-ask", p.Tag, p.Reason)
	}
	for _, p := range c.Buckets.Unresolved {
		add(&e.Open, p.Point, "unresolved in codex-ask", p.Status, p.Crux)
	}
	ids := make([]string, 0, len(c.Challenges))
	for id := range c.Challenges {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if one := c.Challenges[id]; slices.Contains(c.Disputed, id) || one.Status == string(state.StandsOpen) {
			add(&e.Open, one.Objection, "challenge "+id, one.Status, "on: "+one.Point)
		}
	}
	return e, left
}

// Facts returns the facts of the user in the ledger, and how many others there are.
func (c *CodexAsk) Facts() (user []string, others int) {
	for _, line := range c.Ledger {
		head, text, found := strings.Cut(line, "]: ")
		_, tag, tagged := strings.Cut(head, "[")
		if found && tagged && tag == "user" && strings.TrimSpace(text) != "" {
			user = append(user, text)
		} else {
			others++
		}
	}
	return user, others
}
