package protocol

import (
	"github.com/google/jsonschema-go/jsonschema"

	"moot/ledger"
	"moot/state"
)

// What the tests outside of the package read.
const (
	MaxText = maxText
	MoveKey = moveKey
)

// Spec returns the row of a move and its schema.
func (p *Parser) Spec(kind MoveKind) (*MoveRow, *jsonschema.Schema) {
	return &p.Specs[kind].row, p.Specs[kind].schema
}

func (row *MoveRow) Template(form *LineForm) string { return row.template(form) }

func Wanted(s *jsonschema.Schema) string { return wanted(s) }

func EnumWords(s *jsonschema.Schema) []string { return enumWords(s) }

func EncodeJSON(v any) ([]byte, error) { return encodeJSON(v) }

func ExaminedBy(s *state.State, f *ledger.Finding) string { return examined(s, f) }
