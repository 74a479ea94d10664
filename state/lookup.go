package state

// WorkspaceMap describes a workspace to a seat that has not looked at it yet (LU3).
type WorkspaceMap struct {
	Name string `json:"name"`
	// Commit is the short hash, with "+changes" if files differ from it; "" without git.
	Commit string `json:"commit"`
	// Tree lists files and folders, one a line.
	Tree string `json:"tree"`
	// Passages are those that fit the question best.
	Passages []Passage `json:"passages"`
	// Bound says what of a large folder was looked at, as in "the first 20,000 files"; "" if that was all.
	Bound string `json:"bound,omitempty"`
}

// Passage is a piece of a file of the workspace, without secrets.
type Passage struct {
	Path string `json:"path"`
	From int    `json:"from"`
	To   int    `json:"to"`
	// Digest is the SHA-256 of the file. Text is empty for a lookup, which is on record by
	// its digest alone.
	Digest string `json:"digest,omitempty"`
	Text   string `json:"text,omitempty"`
}

// LookupAnswered says what a seat looked up in the workspace during its turn, and what it was
// shown (LU1).
type LookupAnswered struct {
	Seat  Seat  `json:"seat"`
	Stage Stage `json:"stage"`
	// What names the lookup: LIST, SEARCH, READ, or a tool that does not exist. The fields
	// below are its arguments.
	What  string `json:"what"`
	Query string `json:"query,omitempty"`
	Glob  string `json:"glob,omitempty"`
	Path  string `json:"path,omitempty"`
	From  int    `json:"from,omitempty"`
	To    int    `json:"to,omitempty"`
	// Shown are the passages of the answer, Bytes is its size.
	Shown []Passage `json:"shown"`
	Bytes int       `json:"bytes"`
	// Bound says what of a large folder was looked at, as in "the first 20,000 files"; "" if that was all.
	Bound string `json:"bound,omitempty"`
	// Refused says why nothing was shown, or is "".
	Refused string `json:"refused,omitempty"`
}

// Fold implements Payload.
func (e *LookupAnswered) Fold(s *State) error {
	s.Lookups = s.Lookups.Append(e)
	return nil
}
