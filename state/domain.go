package state

// Domain is what hearings on one kind of question go by: what is asked, and the rules
// that read facts without a model.
type Domain struct {
	// Name is that of a domain that is built in, or of the user's file.
	Name string `json:"name"`
	// Prefix stands before outcomes, without the underscore: THREAT.
	Prefix string `json:"prefix"`
	// Question is asked where the user asks none.
	Question string `json:"question"`
	// Opposites are pairs of fields of which one entity has only one where its facts
	// agree (the miscalibration gate).
	Opposites []Opposites `json:"opposites"`
	// Rules are the patterns of the architect and the explanations of the skeptic.
	Rules []FactRule `json:"rules"`
	// Margin is the lead of supported weight with which a side wins (judge claims).
	Margin float64 `json:"margin"`
}

// Opposites are two fields, or values of a field, that contradict each other.
type Opposites struct {
	A string `json:"a"`
	B string `json:"b"`
}

// FactRule finds something in the facts of a packet, for one of the sides.
type FactRule struct {
	ID string `json:"id"`
	// Name is what it finds, in words: "credential access".
	Name string `json:"name"`
	// Side is the seat that it speaks for.
	Side Seat `json:"side"`
	// Technique is that of MITRE ATT&CK, as in T1003.001, or "".
	Technique string `json:"technique"`
	// Weight is what it adds, 0 to 1.
	Weight float64 `json:"weight"`
}

// Shown is an outcome as it is shown: with the prefix of the domain.
func (d *Domain) Shown(o Outcome) string {
	if d.Prefix == "" || o == "" {
		return string(o)
	}
	return d.Prefix + "_" + string(o)
}
