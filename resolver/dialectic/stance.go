package dialectic

import (
	"moot/internal/enum"
	"moot/ledger"
)

// stance is a relation in the words of the contract.
type stance string

const (
	stanceSupports    stance = "supports"
	stanceContradicts stance = "contradicts"
)

// stanceOf reads a stance as a relation.
func stanceOf(word string) (ledger.Relation, error) {
	s, err := enum.Parse("stance", word, []stance{stanceSupports, stanceContradicts})
	switch {
	case err != nil:
		return "", err
	case s == stanceSupports:
		return ledger.Supports, nil
	}
	return ledger.Refutes, nil
}
