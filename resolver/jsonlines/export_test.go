package jsonlines

// SetLimit makes the largest object smaller, for tests.
func (r *Reader) SetLimit(limit int64) { r.limit = limit }
