package state

import "iter"

// branching is the width of a List's nodes.
const branching = 32

// List is a persistent list: Append and Update return a new list that shares
// all but one path of nodes with the old one, which stays as it was. Reading
// and changing take time logarithmic in the length with base 32. The zero
// List is empty. The items must not be changed through the pointers it hands
// out.
type List[T any] struct {
	root   *listNode[T]
	height int
	length int
}

type listNode[T any] struct {
	children []*listNode[T]
	items    []*T
}

// Len returns the number of items.
func (l List[T]) Len() int { return l.length }

// At returns item i, 0 to Len()-1, or nil outside that range.
func (l List[T]) At(i int) *T {
	if i < 0 || i >= l.length {
		return nil
	}
	node := l.root
	for h := l.height; h > 0; h-- {
		node = node.children[(i>>(5*h))%branching]
	}
	return node.items[i%branching]
}

// Append returns the list with one more item.
func (l List[T]) Append(item *T) List[T] {
	switch {
	case l.root == nil:
		l.root = &listNode[T]{}
	case l.length == branching<<(5*l.height):
		l.root = &listNode[T]{children: []*listNode[T]{l.root}}
		l.height++
	}
	l.root = l.root.with(l.height, l.length, item)
	l.length++
	return l
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
	l.root = l.root.with(l.height, i, &item)
	return l
}

// All yields the items in order.
func (l List[T]) All() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		if l.root != nil {
			l.root.walk(0, l.height, yield)
		}
	}
}

// Find returns the first item for which pick is true, or nil.
func (l List[T]) Find(pick func(*T) bool) *T {
	for _, item := range l.All() {
		if pick(item) {
			return item
		}
	}
	return nil
}

// Any reports whether pick is true for an item.
func (l List[T]) Any(pick func(*T) bool) bool { return l.Find(pick) != nil }

// Filter returns the items for which pick is true, or nil.
func (l List[T]) Filter(pick func(*T) bool) []*T {
	var picked []*T
	for _, item := range l.All() {
		if pick(item) {
			picked = append(picked, item)
		}
	}
	return picked
}

// with copies the path to index i and sets the item there.
func (n *listNode[T]) with(height, i int, item *T) *listNode[T] {
	slot := (i >> (5 * height)) % branching
	if height == 0 {
		return &listNode[T]{items: withSlot(n.items, slot, item)}
	}
	child := &listNode[T]{}
	if slot < len(n.children) {
		child = n.children[slot]
	}
	return &listNode[T]{children: withSlot(n.children, slot, child.with(height-1, i, item))}
}

// withSlot returns a copy of slots with value at index slot, at most one past the end.
func withSlot[V any](slots []V, slot int, value V) []V {
	copied := make([]V, max(len(slots), slot+1))
	copy(copied, slots)
	copied[slot] = value
	return copied
}

func (n *listNode[T]) walk(start, height int, yield func(int, *T) bool) bool {
	for i, item := range n.items {
		if !yield(start+i, item) {
			return false
		}
	}
	for i, child := range n.children {
		if !child.walk(start+i<<(5*height), height-1, yield) {
			return false
		}
	}
	return true
}
