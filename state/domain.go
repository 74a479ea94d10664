package state

import (
	"encoding/json"
	"errors"
)

// Domain configures hearings on one kind of question.
type Domain struct {
	// Name names a built-in domain or the one in the user's file.
	Name string `json:"name"`
	// Prefix precedes outcomes, without the underscore: THREAT.
	Prefix string `json:"prefix"`
	// Question is asked if the user asks none.
	Question string `json:"question"`
	// Opposites are pairs of fields of which an entity has only one if its facts agree (the
	// miscalibration gate).
	Opposites []Opposites `json:"opposites"`
	// Rules is the text of the domain's file in TOML, which built-in rules on a seat apply.
	Rules RulesText `json:"rules"`
}

// RulesText is the text of a domain's file.
type RulesText string

// UnmarshalJSON refuses the rules of earlier versions, which were a list with learned weights.
func (r *RulesText) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return errors.New("the hearing was recorded by an earlier version of moot, whose domains had learned weights: " +
			"that version can read the session; with this one, start the hearing again from its packet")
	}
	return json.Unmarshal(data, (*string)(r))
}

// Opposites are two fields that contradict each other, named by their words: "login
// success" is also login_success and LoginSuccess.
type Opposites struct {
	A string `json:"a"`
	B string `json:"b"`
}

// Shown is an outcome with the prefix of the domain.
func (d *Domain) Shown(o Outcome) string {
	if d.Prefix == "" || o == "" {
		return string(o)
	}
	return d.Prefix + "_" + string(o)
}
