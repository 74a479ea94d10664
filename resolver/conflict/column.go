package conflict

import (
	"cmp"
	"math/bits"
	"slices"
)

// column is the texts at one place of several outputs as sets of words, a row
// each, or the objects there as sets of names. It counts the words that a row
// shares with all later ones at once: words that many rows have stand in a bitmap
// of each row, and of the others each has the list of its rows. A word that all
// rows have is counted once for all, and one that a single row has is not counted.
type column struct {
	// words are those of all rows, by their ids; a row's end at its end, and
	// ends[0] is 0. index puts in place of the ids the numbers of lists, and keeps
	// only those that have one.
	words []int32
	ends  []int
	// sizes are the numbers of different words of the rows.
	sizes []int32
	// common is the number of words that all rows have.
	common int
	// listed are the numbers of words of lists that the row counted last shares
	// with each later one.
	listed []int32
	// maps are the bitmaps of the rows, each of lanes numbers, and mapped how many
	// words each has.
	maps   []uint64
	lanes  int
	mapped []int32
	// rows are the lists, one after the other; list l begins at starts[l]. heads
	// is where its part begins that was not counted yet.
	rows   []int32
	starts []int
	heads  []int
}

// What becomes of a word in a column: the number of a list, or one of these, of
// which the last is that of bit 0 of the bitmaps, and less by the bit for others.
const (
	alone    = -1
	everyone = -2
	inMap    = -3
)

func newColumn() *column { return &column{ends: []int{0}} }

// add adds a word to the row that is being made, which has it not yet.
func (c *column) add(id int32) { c.words = append(c.words, id) }

// end ends the row that is being made.
func (c *column) end() { c.ends = append(c.ends, len(c.words)) }

// index prepares the counting. numbers is scratch for as many words as there are
// in all columns; it must be 0, and is again afterwards.
func (c *column) index(numbers []int32) {
	rows := len(c.ends) - 1
	c.sizes, c.listed = make([]int32, rows), make([]int32, rows)
	for row := range rows {
		c.sizes[row] = narrow(c.ends[row+1] - c.ends[row])
	}
	counts := c.number(numbers)
	c.fill(counts, c.fates(counts))
}

// number puts in place of the ids of words their numbers in this column, and
// returns how many rows have each.
func (c *column) number(numbers []int32) []int32 {
	var counts, ids []int32
	for i, id := range c.words {
		if numbers[id] == 0 {
			ids, counts = append(ids, id), append(counts, 0)
			numbers[id] = narrow(len(ids))
		}
		c.words[i] = numbers[id] - 1
		counts[c.words[i]]++
	}
	for _, id := range ids {
		numbers[id] = 0
	}
	return counts
}

// fates says what becomes of each word by the number of rows that have it.
func (c *column) fates(counts []int32) []int32 {
	rows := len(c.sizes)
	fates := make([]int32, len(counts))
	var frequent []int32
	for word, n := range counts {
		switch {
		case n == 1:
			fates[word] = alone
		case int(n) == rows:
			fates[word] = everyone
			c.common++
		case int(n) > rows/16:
			frequent = append(frequent, int32(word))
		}
	}
	slices.SortFunc(frequent, func(a, b int32) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for lane := range slices.Chunk(frequent, 64) {
		// A lane costs every pair of rows what a list costs each pair within it.
		pairs := 0
		for _, word := range lane {
			pairs += int(counts[word]) * int(counts[word])
		}
		if pairs < rows*rows {
			break
		}
		for bit, word := range lane {
			fates[word] = inMap - narrow(64*c.lanes+bit)
		}
		c.lanes++
	}
	lists := int32(0)
	for word, fate := range fates {
		if fate == 0 {
			fates[word] = lists
			lists++
		}
	}
	return fates
}

// fill makes the bitmaps and the lists.
func (c *column) fill(counts, fates []int32) {
	lists, length := 0, 0
	for word, fate := range fates {
		if fate >= 0 {
			c.starts, lists, length = append(c.starts, length), lists+1, length+int(counts[word])
		}
	}
	c.starts = append(c.starts, length)
	c.rows, c.maps = make([]int32, length), make([]uint64, len(c.sizes)*c.lanes)
	c.mapped = make([]int32, len(c.sizes))
	next := slices.Clone(c.starts)
	kept, begin := 0, 0
	for row := range c.sizes {
		end := c.ends[row+1]
		for _, word := range c.words[begin:end] {
			switch fate := fates[word]; {
			case fate >= 0:
				c.rows[next[fate]] = int32(row)
				next[fate]++
				c.words[kept] = fate
				kept++
			case fate <= inMap:
				bit := int(inMap - fate)
				c.mapped[row]++
				c.maps[row*c.lanes+bit/64] |= 1 << (bit % 64)
			}
		}
		begin, c.ends[row+1] = end, kept
	}
	c.words = slices.Clone(c.words[:kept])
	c.heads = slices.Clone(c.starts[:lists])
}

// count counts the words of lists that a row shares with each later one. Rows are
// counted in their order.
func (c *column) count(row int) {
	if len(c.heads) == 0 {
		return
	}
	clear(c.listed[row+1:])
	for _, list := range c.words[c.ends[row]:c.ends[row+1]] {
		head, end := c.heads[list], c.starts[list+1]
		for head < end && int(c.rows[head]) <= row {
			head++
		}
		c.heads[list] = head
		for _, other := range c.rows[head:end] {
			c.listed[other]++
		}
	}
}

// shared is the number of words that the row counted last shares with a later one.
func (c *column) shared(row, later int) int {
	return c.common + int(c.listed[later]) + c.inMaps(row, later)
}

// inMaps is the number of words of the bitmaps that two rows share.
func (c *column) inMaps(row, later int) int {
	n := 0
	own, other := c.maps[row*c.lanes:], c.maps[later*c.lanes:]
	other = other[:c.lanes]
	for lane, set := range own[:len(other)] {
		n += bits.OnesCount64(set & other[lane])
	}
	return n
}

// union is the number of words that the row counted last or a later one has.
func (c *column) union(row, later int) int {
	return int(c.sizes[row]) + int(c.sizes[later]) - c.shared(row, later)
}

// compare makes the word measure of a row and each later one.
func (c *column) compare(row int, similarity []float64) {
	c.count(row)
	own := int(c.sizes[row])
	sizes, listed := c.sizes[row+1:], c.listed[row+1:]
	similarity = similarity[row+1:][:len(sizes)]
	listed = listed[:len(sizes)]
	for i, size := range sizes {
		shared := c.common + int(listed[i])
		if c.lanes > 0 {
			shared += c.inMaps(row, row+1+i)
		}
		similarity[i] = jaccard(shared, own, int(size))
	}
}

// classify is what there is by the thresholds between the row counted last and a
// later one. Where not even all words of the shorter bitmap bring the similarity
// up to a disagreement, the bitmaps are not compared.
func (c *column) classify(t Thresholds, row, later int) (Type, bool) {
	// Rounding moves neither side by as much as the margin.
	const margin = 1 - 1e-12
	most := c.common + int(c.listed[later]) + int(min(c.mapped[row], c.mapped[later]))
	union := int(c.sizes[row]) + int(c.sizes[later]) - most
	if c.lanes > 0 && float64(most) < t.Contradiction*margin*float64(union) {
		return Contradiction, true
	}
	return t.Classify(jaccard(c.shared(row, later), int(c.sizes[row]), int(c.sizes[later])))
}
