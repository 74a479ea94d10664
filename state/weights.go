package state

// Weights are what was learnt from cases whose facts people had sorted: what a fact does
// in a case, how far one accounts for another, and what that comes to. They are numbers
// that are added up, and no model; the same facts come to the same sums.
type Weights struct {
	// Terms are what is looked for in a fact, by its words and what is known of it. A
	// domain without terms goes by its rules alone.
	Terms []Term `json:"terms,omitzero"`
	// Company are terms of what a fact is among: they add to those of its words.
	Company []Term `json:"company,omitzero"`
	// Ties are weights of what a cover and an act have in common.
	Ties []Weight `json:"ties"`
	// Sums are weights of what all facts come to together.
	Sums []SumWeight `json:"sums"`
}

// Readings are what a fact may do in a case; it may also do nothing.
func Readings() []FactRole {
	return []FactRole{RoleAct, RoleCover, RoleMisfit, RoleDenial, RoleGap, RoleFailed}
}

// Reading is what a role comes to of Readings; "" for RoleChange and RoleReturn.
func (r FactRole) Reading() FactRole {
	switch r {
	case RoleAct, RoleEffect, RoleOddity, RoleAlert:
		return RoleAct
	case RoleCover, RoleNature, RoleClear:
		return RoleCover
	case RoleMisfit, RoleDenial, RoleGap, RoleFailed:
		return r
	case RoleChange, RoleReturn:
	}
	return ""
}

// Term is something that a fact may have: a word, two words in a row, a rule that speaks
// of it.
type Term struct {
	Name string `json:"name"`
	// Weights are hundredths, one for each of Readings, against a fact that does nothing.
	Weights []int `json:"weights"`
}

// Weight is what something adds, in logits.
type Weight struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
}

// SumWeight is what one thing that a case comes to adds for either outcome, in logits
// against INCONCLUSIVE.
type SumWeight struct {
	Name      string  `json:"name"`
	Confirmed float64 `json:"confirmed"`
	Dismissed float64 `json:"dismissed"`
}
