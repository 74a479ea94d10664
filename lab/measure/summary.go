package measure

import "moot/state"

// TierCount is how many verdicts of a tier are right, and where the seats stood.
type TierCount struct {
	Tier  Tier       `json:"tier"`
	Right Proportion `json:"right"`
	// Traces are by round, from the first.
	Traces []Trace `json:"traces"`
}

// Trace is where both seats stood after a round, over the hearings that had it.
type Trace struct {
	Architect Moments `json:"architect"`
	Skeptic   Moments `json:"skeptic"`
}

// Against is a mode beside its reference, on the same hearings: the flips.
type Against struct {
	Reference Mode   `json:"reference"`
	Pairs     Paired `json:"pairs"`
}

// FailureCount is how many wrong verdicts have a failure.
type FailureCount struct {
	Failure Failure `json:"failure"`
	Count   int     `json:"count"`
}

// Wrong is a wrong verdict.
type Wrong struct {
	Case   Case `json:"case"`
	Repeat int  `json:"repeat"`
	// Outcome and Confidence are the verdict's.
	Outcome    state.Outcome `json:"outcome"`
	Confidence float64       `json:"confidence"`
	Failure    Failure       `json:"failure"`
}

// Summary is what the hearings of one mode come to, on one half of a corpus.
type Summary struct {
	Mode Mode `json:"mode"`
	Half Half `json:"half,omitempty"`
	// Hearings counts those that were held, Failed those of them without a verdict,
	// which are in no other figure.
	Hearings int `json:"hearings"`
	Failed   int `json:"failed"`
	// Accuracy is the share of verdicts that are as expected, Tiers the same per tier,
	// in the order of Tiers and with tiers that have no case.
	Accuracy  Proportion  `json:"accuracy"`
	Tiers     []TierCount `json:"tiers"`
	Confusion Confusion   `json:"confusion"`
	// Flips is nil where the mode is the reference, or the reference was not heard.
	Flips *Against `json:"flips,omitempty"`
	// Brier holds the scores of the verdicts, 0 to 2.
	Brier       Moments     `json:"brier"`
	Calibration Calibration `json:"calibration"`
	// CalibrationError is that of Calibration, for readers of the file.
	CalibrationError float64 `json:"calibration_error"`
	// Traces are by round, from the first.
	Traces    []Trace `json:"traces"`
	Architect Conduct `json:"architect"`
	Skeptic   Conduct `json:"skeptic"`
	// Failures are of the wrong verdicts, in the order of Failures.
	Failures []FailureCount `json:"failures"`
	// Repeats holds the accuracy of each repeat, from the first.
	Repeats []Proportion `json:"repeats,omitempty"`
	// Opened counts the hearings that a gate sent on; none in forms without a gate.
	Opened Proportion `json:"opened"`
	Usage  Usage      `json:"usage"`
	// Wrong lists the wrong verdicts where hearings are listed, else none.
	Wrong []Wrong `json:"wrong,omitempty"`
}

// OverRepeats are the accuracies of the repeats: their mean and spread say how much a
// single repeat can be trusted.
func (s *Summary) OverRepeats() Moments {
	var m Moments
	for _, r := range s.Repeats {
		if r.Total > 0 {
			m.Add(r.Share())
		}
	}
	return m
}
