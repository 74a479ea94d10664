package search

// LimitPages limits the size of the cache, as a full disk does.
func (x *Index) LimitPages(n int) { x.pages = n }
