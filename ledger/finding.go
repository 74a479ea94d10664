package ledger

// Finding is the answer of a researcher to one reference: verified, or refused with a reason. A refusal never ends a
// session.
type Finding struct {
	// Verified says that the reference holds what is quoted.
	Verified bool `json:"verified"`
	// Reason says how the check came out, in one clause.
	Reason string `json:"reason"`
	// Type, SourceKind and Confidence are stamped by the researcher.
	Type       Type       `json:"type"`
	SourceKind SourceKind `json:"source_kind"`
	Confidence float64    `json:"confidence"`
	// Reference is normalized, with corrected lines if the passage was found elsewhere (Moved).
	Reference string `json:"reference"`
	Moved     bool   `json:"moved"`
	// Excerpt is the passage verbatim, or the output of a command.
	Excerpt string `json:"excerpt"`
	// Digest covers the whole source. Commit is the commit of the work tree, or "".
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
