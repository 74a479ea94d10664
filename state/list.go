package state

import (
	"iter"
	"slices"
)

// chunk is how many items of a List are kept together. A change copies one chunk, and the slice of
// all chunks.
const chunk = 512

// List is a list of which every version stays as it was: Append and Update return a new one that
// shares all but one chunk with the old one. The zero List is empty. The items must not be changed
// through the pointers that it hands out.
type List[T any] struct {
	chunks [][]*T
	length int
}

// Len returns the number of items.
func (l List[T]) Len() int { return l.length }

// At returns item i, 0 to Len()-1, or nil outside that range.
func (l List[T]) At(i int) *T {
	if i < 0 || i >= l.length {
		return nil
	}
	return l.chunks[i/chunk][i%chunk]
}

// Append returns the list with one more item.
func (l List[T]) Append(item *T) List[T] {
	chunks := slices.Clone(l.chunks)
	if last := l.length / chunk; last == len(chunks) {
		chunks = append(chunks, []*T{item})
	} else {
		chunks[last] = append(slices.Clip(chunks[last]), item)
	}
	return List[T]{chunks, l.length + 1}
}

// Update returns the list with a changed copy of item i. The copy is shallow:
// change must replace, not write into, slices and pointers that the item
// holds. Outside the range it returns the list as it is.
func (l List[T]) Update(i int, change func(*T)) List[T] {
	old := l.At(i)
	if old == nil {
		return l
	}
	item := *old
	change(&item)
	chunks := slices.Clone(l.chunks)
	chunks[i/chunk] = slices.Clone(chunks[i/chunk])
	chunks[i/chunk][i%chunk] = &item
	return List[T]{chunks, l.length}
}

// All yields the items in order.
func (l List[T]) All() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i, items := range l.chunks {
			for j, item := range items {
				if !yield(i*chunk+j, item) {
					return
				}
			}
		}
	}
}

// Any reports whether pick is true for an item.
func (l List[T]) Any(pick func(*T) bool) bool {
	return slices.ContainsFunc(l.chunks, func(items []*T) bool { return slices.ContainsFunc(items, pick) })
}
