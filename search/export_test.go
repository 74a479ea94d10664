package search

// LimitPages limits the size of the cache, as a full disk does.
func (x *Index) LimitPages(n int) { x.pages = n }

// LimitApart sets how many places make a word frequent.
func (x *Index) LimitApart(n int) { x.apart = n }
