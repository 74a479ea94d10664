package pane

// when returns yes if the condition holds, else no.
func when[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}
