package gates

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
)

// Receipt is one step of Resolve, chained to the previous one. It holds no time, so the same input gives the
// same chain.
type Receipt struct {
	// Seq counts from 1.
	Seq   int `json:"seq"`
	Round int `json:"round"`
	// Rule is R0 to R6, G1 to G9, or "decision".
	Rule string `json:"rule"`
	// Subject is the objection's id, or the proposal's.
	Subject string `json:"subject"`
	// Reads lists the ids that the rule read, in order.
	Reads []string `json:"reads"`
	// Threshold is the required confidence for an objection, 0 for a gate, and the last round for the decision.
	Threshold float64 `json:"threshold"`
	// Observed is the confidence of the decisive or closest item for an objection, the number of failures for a
	// gate, and the round for the decision.
	Observed float64 `json:"observed"`
	// Outcome is an Outcome, PASS or FAIL, or a Decision.
	Outcome string `json:"outcome"`
	// Reason says why in one sentence.
	Reason string `json:"reason"`
	// Prev is the hash of the previous receipt, 64 zeros in the first.
	Prev string `json:"prev"`
	// Hash is the SHA-256, in hex, of Prev followed by the RFC 8785 JSON of the
	// receipt without Prev and Hash.
	Hash string `json:"hash"`
}

// hash returns the hash that the receipt must have after prev.
func (r *Receipt) hash(prev string) (string, error) {
	// The outer fields hide those of the receipt.
	sealed := struct {
		Receipt
		Prev string `json:"prev,omitzero"`
		Hash string `json:"hash,omitzero"`
	}{Receipt: *r}
	// Session texts may hold any bytes; invalid UTF-8 becomes U+FFFD.
	encoded, err := json.Marshal(sealed, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return "", fmt.Errorf("encode receipt %d: %w", r.Seq, err)
	}
	text := jsontext.Value(encoded)
	if err := text.Canonicalize(); err != nil {
		return "", fmt.Errorf("encode receipt %d: %w", r.Seq, err)
	}
	return ledger.Hash(append([]byte(prev), text...)), nil
}

// chain collects the receipts of one Resolve.
type chain struct {
	round    int
	receipts []Receipt
}

// add completes a receipt and appends it.
func (c *chain) add(r Receipt) {
	r.Prev = ledger.ZeroHash
	if n := len(c.receipts); n > 0 {
		r.Prev = c.receipts[n-1].Hash
	}
	if r.Reads == nil {
		r.Reads = []string{}
	}
	r.Seq, r.Round = len(c.receipts)+1, c.round
	r.Threshold, r.Observed = finite(r.Threshold), finite(r.Observed)
	// Strings and finite numbers always encode.
	r.Hash, _ = r.hash(r.Prev)
	c.receipts = append(c.receipts, r)
}

// finite replaces NaN and infinities, which JSON cannot hold, by 0. G1 has failed by then.
func finite(f float64) float64 {
	if f-f != 0 {
		return 0
	}
	return f
}

// Write writes a result as one line of JSON, always with the same bytes. Field values are written as given,
// without white space between tokens.
func (r *Result) Write(to io.Writer) error {
	// Session texts may hold any bytes.
	text, err := json.Marshal(r, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	if _, err := to.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}
