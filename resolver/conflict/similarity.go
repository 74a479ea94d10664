package conflict

import "strings"

// Similarity is how alike two outputs are, 0 to 1. In this order:
//
//   - Null is 0 to all, also to null.
//   - Values of different kinds are 0.
//   - Strings are compared by the word measure (Words): 0 when either has no
//     word, 1 when the sets of words are equal.
//   - Numbers and booleans are 1 when they are equal, else 0. Numbers compare as
//     doubles, so that 0 and -0 are equal.
//   - Arrays are compared by position: the sum over the longer length. Two empty
//     ones are 1, an empty one and another 0.
//   - Objects are compared by name: the sum over the number of names that either
//     has. Two empty ones are 1, an empty one and another 0.
//
// Sums are made in the order of the positions and of the sorted names.
func Similarity(a, b *Value) float64 {
	if a.Kind != b.Kind {
		return 0
	}
	switch a.Kind {
	case Null:
		return 0
	case String:
		return WordsOf(a.Text).Similarity(WordsOf(b.Text))
	case Boolean:
		return similarityOf(a.Truth == b.Truth)
	case Number:
		return similarityOf(a.Float == b.Float)
	case Array:
		return similarArrays(a.Items, b.Items)
	case Object:
	}
	return similarObjects(a, b)
}

func similarArrays(a, b []Value) float64 {
	sum := 0.0
	for i := range min(len(a), len(b)) {
		sum += Similarity(&a[i], &b[i])
	}
	return mean(sum, max(len(a), len(b)))
}

func similarObjects(a, b *Value) float64 {
	sum, shared := 0.0, 0
	for i, j := 0, 0; i < len(a.Names) && j < len(b.Names); {
		switch strings.Compare(a.Names[i], b.Names[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			sum += Similarity(&a.Items[i], &b.Items[j])
			shared++
			i++
			j++
		}
	}
	return mean(sum, len(a.Names)+len(b.Names)-shared)
}

// similarityOf is that of two numbers or booleans.
func similarityOf(equal bool) float64 {
	if equal {
		return 1
	}
	return 0
}

// mean is the similarity of two arrays or objects of which either has size
// positions or names.
func mean(sum float64, size int) float64 {
	if size == 0 {
		return 1
	}
	return sum / float64(size)
}
