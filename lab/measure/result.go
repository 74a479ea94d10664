package measure

import (
	"moot/state"
)

// Turn is what one seat said in one round.
type Turn struct {
	// Confidence is what counts of the seat's overall confidence, 0 to 1.
	Confidence float64 `json:"confidence"`
	// HeldBack is how much lower the seat stated it, where the rule of conviction
	// kept the old value; else 0.
	HeldBack float64 `json:"held_back,omitempty"`
	// Facts are the distinct facts that the seat cites in this round.
	Facts []string `json:"facts"`
	// Rebutted are the facts that stood against the seat when it spoke: the other
	// side's latest argument cites them as contradicting one of the seat's claims,
	// and the seat had not answered them before. None in round 1.
	Rebutted []string `json:"rebutted,omitempty"`
	// Named says that the seat named the fact that would change its mind.
	Named bool `json:"named,omitempty"`
}

// Round holds the turns of both seats in one round.
type Round struct {
	Architect Turn `json:"architect"`
	Skeptic   Turn `json:"skeptic"`
}

// Usage is what hearings took of models.
type Usage struct {
	Calls            int `json:"calls"`
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	// Cost is in dollars; calls without a known price count as 0.
	Cost float64 `json:"cost"`
}

// Plus is the sum of both.
func (u Usage) Plus(other Usage) Usage {
	return Usage{
		Calls: u.Calls + other.Calls, PromptTokens: u.PromptTokens + other.PromptTokens,
		CompletionTokens: u.CompletionTokens + other.CompletionTokens, Cost: u.Cost + other.Cost,
	}
}

// Result is how one case came out in one hearing.
type Result struct {
	// Case is the id of the case, Repeat which hearing of it this is, from 1.
	Case   string `json:"case"`
	Repeat int    `json:"repeat"`
	// Outcome and Confidence (0 to 1) are the verdict's, Rule the row that decided.
	Outcome    state.Outcome `json:"outcome,omitempty"`
	Confidence float64       `json:"confidence"`
	Rule       string        `json:"rule,omitempty"`
	// Rounds are the turns in their order. Of the form audit there may be none.
	Rounds []Round `json:"rounds,omitempty"`
	// Opened says that the gate of the form selective sent the case on.
	Opened bool  `json:"opened,omitempty"`
	Usage  Usage `json:"usage"`
	// Failed says why there is no verdict, "" where there is one. A failed hearing is
	// counted, and is in no other figure.
	Failed string `json:"failed,omitempty"`
}

// Run holds the hearings of one mode.
type Run struct {
	Mode    Mode     `json:"mode"`
	Results []Result `json:"results"`
}

// Right reports whether the verdict is the one that the case expects.
func (r *Result) Right(c Case) bool { return r.Failed == "" && r.Outcome == c.Expected }
