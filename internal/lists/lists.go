// Package lists has what package slices lacks: new slices made from the elements of others.
package lists

// Map returns what f makes of each element, or nil for a nil list.
func Map[T, U any](list []T, f func(T) U) []U {
	if list == nil {
		return nil
	}
	made := make([]U, len(list))
	for i, one := range list {
		made[i] = f(one)
	}
	return made
}

// Filter returns the elements that keep picks, or nil.
func Filter[T any](list []T, keep func(T) bool) []T {
	var kept []T
	for _, one := range list {
		if keep(one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// Last returns the last element that the test picks, or nil.
func Last[T any](list []T, pick func(*T) bool) *T {
	for i := len(list) - 1; i >= 0; i-- {
		if pick(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// Distinct returns the values without repetitions, in the order of first use. It is never nil.
func Distinct[T comparable](values []T) []T {
	distinct, seen := make([]T, 0, len(values)), make(map[T]bool, len(values))
	for _, v := range values {
		if !seen[v] {
			distinct, seen[v] = append(distinct, v), true
		}
	}
	return distinct
}
