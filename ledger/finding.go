package ledger

// Finding is what a researcher says of one reference: checked, or refused with
// a reason. A refusal is a finding too, never the end of a session.
type Finding struct {
	// Verified says that the reference holds what is quoted.
	Verified bool `json:"verified"`
	// Reason says how the check came out, in one clause.
	Reason string `json:"reason"`
	// Type, SourceKind and Confidence are stamped by the researcher.
	Type       Type       `json:"type"`
	SourceKind SourceKind `json:"source_kind"`
	Confidence float64    `json:"confidence"`
	// Reference is normalised, with the lines corrected where the passage
	// stands elsewhere (Moved).
	Reference string `json:"reference"`
	Moved     bool   `json:"moved"`
	// Excerpt is the passage as it stands in the source, or what a command wrote.
	Excerpt string `json:"excerpt"`
	// Digest is that of the whole source; Commit the work tree's, or "".
	Digest string `json:"digest"`
	Commit string `json:"commit"`
	// Run is how a command ran, or nil.
	Run *Run `json:"run"`
	// Nearest is the passage most like the quote when it was not found, or what
	// a command wrote that was not what was expected, and
	// Similarity its likeness, 0 to 1.
	Nearest          string  `json:"nearest"`
	NearestReference string  `json:"nearest_reference"`
	Similarity       float64 `json:"similarity"`
}
