package dialectic

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
)

// Receipt is one step of Resolve, chained to the one before. It holds no clock,
// so the same input gives the same chain.
type Receipt struct {
	// Seq counts from 1.
	Seq   int `json:"seq"`
	Round int `json:"round"`
	// Rule is R0 to R6, G1 to G8, or "decision".
	Rule string `json:"rule"`
	// Subject is the objection's id, or the proposal's.
	Subject string `json:"subject"`
	// Reads are the ids that the rule read, in that order.
	Reads []string `json:"reads"`
	// Threshold is the least confidence of an objection's category; of a gate 0,
	// of the decision the last round.
	Threshold float64 `json:"threshold"`
	// Observed is the confidence of the item that was decisive, or came nearest;
	// of a gate the number of failures, of the decision the round.
	Observed float64 `json:"observed"`
	// Outcome is an Outcome, PASS or FAIL, or a Decision.
	Outcome string `json:"outcome"`
	// Reason says why in one sentence.
	Reason string `json:"reason"`
	// Prev is the hash of the receipt before, 64 zeros in the first.
	Prev string `json:"prev"`
	// Hash is the SHA-256, in hex, of Prev followed by the RFC 8785 JSON of the
	// receipt without Prev and Hash.
	Hash string `json:"hash"`
}

// sealed is covered by a hash besides prev. Its names are in the order of RFC 8785, and the encoder writes strings and
// numbers in its form, so that the JSON is canonical (TestReceiptsAreCanonical).
type sealed struct {
	Observed  float64  `json:"observed"`
	Outcome   string   `json:"outcome"`
	Reads     []string `json:"reads"`
	Reason    string   `json:"reason"`
	Round     int      `json:"round"`
	Rule      string   `json:"rule"`
	Seq       int      `json:"seq"`
	Subject   string   `json:"subject"`
	Threshold float64  `json:"threshold"`
}

// hash is the hash that the receipt must have after prev.
func (r *Receipt) hash(prev string) (string, error) {
	// Texts of a session may hold any bytes; invalid UTF-8 becomes U+FFFD.
	text, err := json.Marshal(sealed{
		Observed: r.Observed, Outcome: r.Outcome, Reads: r.Reads, Reason: r.Reason, Round: r.Round,
		Rule: r.Rule, Seq: r.Seq, Subject: r.Subject, Threshold: r.Threshold,
	}, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return "", fmt.Errorf("encode receipt %d: %w", r.Seq, err)
	}
	sum := sha256.Sum256(append([]byte(prev), text...))
	return hex.EncodeToString(sum[:]), nil
}

// Replay computes the hashes of receipts again and returns the last, 64 zeros without receipts. The error names the
// first that does not follow from the one before it.
func Replay(receipts []Receipt) (string, error) {
	prev := ledger.ZeroHash
	for i := range receipts {
		r := &receipts[i]
		if err := ledger.CheckLink(r.Seq, i+1, r.Prev, prev); err != nil {
			return prev, fmt.Errorf("receipt %d: %w", i+1, err)
		}
		sum, err := r.hash(prev)
		if err != nil {
			return prev, err
		}
		if sum != r.Hash {
			return prev, fmt.Errorf("receipt %d: its hash does not fit what it says", r.Seq)
		}
		prev = sum
	}
	return prev, nil
}

// entry is the content of a receipt.
type entry struct {
	rule, subject       string
	reads               []string
	threshold, observed float64
	outcome, reason     string
}

// chain is the receipts of one Resolve.
type chain struct {
	round    int
	receipts []Receipt
}

func newChain(round, size int) chain {
	return chain{round: round, receipts: make([]Receipt, 0, size)}
}

// add appends a receipt.
func (c *chain) add(e entry) {
	prev := ledger.ZeroHash
	if n := len(c.receipts); n > 0 {
		prev = c.receipts[n-1].Hash
	}
	if e.reads == nil {
		e.reads = []string{}
	}
	r := Receipt{
		Seq: len(c.receipts) + 1, Round: c.round, Rule: e.rule, Subject: e.subject, Reads: e.reads,
		Threshold: finite(e.threshold), Observed: finite(e.observed), Outcome: e.outcome, Reason: e.reason, Prev: prev,
	}
	// Strings and finite numbers always encode.
	r.Hash, _ = r.hash(prev)
	c.receipts = append(c.receipts, r)
}

// finite is the number, or 0 for one that JSON does not have: G1 has failed by
// then.
func finite(f float64) float64 {
	if f-f != 0 {
		return 0
	}
	return f
}
