package cli

// deaf is a participant that never answers and ignores cancellation.
type deaf struct{ asked, released chan struct{} }
