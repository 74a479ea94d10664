package figure

// Neighbor returns the id of the box next to the one with the id: above or
// below it, to the left what it bears on, to the right what bears on it first.
// It is "" where there is none, and the first box where the id is not known.
func (g *Graph) Neighbor(id string, to Direction) string {
	at, found := g.index[id]
	if !found {
		if len(g.nodes) == 0 {
			return ""
		}
		return g.nodes[0].ID
	}
	switch to {
	case Left:
		return g.nodes[at].Of
	case Right:
		if at+1 < len(g.nodes) && g.nodes[at+1].Of == id {
			return g.nodes[at+1].ID
		}
	case Up, Down:
		return g.vertical(at, to)
	}
	return ""
}

// vertical is the nearest box above or below that shares a column of cells.
func (g *Graph) vertical(at int, to Direction) string {
	from, best, distance := g.nodes[at].Rect, "", 0
	for i := range g.nodes {
		r := g.nodes[i].Rect
		gap := r.Y - from.Y
		if to == Up {
			gap = -gap
		}
		if i == at || gap <= 0 || r.X >= from.X+from.W || from.X >= r.X+r.W {
			continue
		}
		if best == "" || gap < distance {
			best, distance = g.nodes[i].ID, gap
		}
	}
	return best
}
