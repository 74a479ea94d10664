package figure

// lineOf is how a line of a bearing is drawn.
func lineOf(bearing relation, broken bool) (stroke, Role) {
	switch {
	case broken:
		return strokeBroken, RoleFaint
	case bearing == relationAttack:
		return strokeAttack, RoleAttack
	case bearing == relationSupport:
		return strokeSupport, RoleSupport
	}
	return strokeNote, RoleBorder
}

// join draws the lines of a group of boxes to the one that they bear on: a trunk
// with a branch for each. Later groups have their trunk nearer to the box, so
// that no line crosses another.
func (l *layout) join(parent int, members []int, group, groups int) {
	g := l.graph
	to, bearing := g.placed[parent], g.placed[members[0]].bearing
	broken := true
	for _, m := range members {
		broken = broken && g.placed[m].broken
	}
	s, role := lineOf(bearing, broken)
	var port, turn spot
	if l.columns {
		port = spot{to.X + to.W, to.Y + 1 + group}
		turn = spot{port.x + 2*(groups-group), port.y}
	} else {
		port = spot{to.X + min(2, indent-2*groups) + 2*(groups-1-group), to.Y + to.H}
		turn = port
	}
	g.marks = append(g.marks, mark{port.x, port.y, Row{{l.head(bearing, broken), role}}, false})
	l.stroke(port, turn, s, role)
	l.stroke(turn, spot{turn.x, g.placed[members[len(members)-1]].Y + 1}, s, role)
	for _, m := range members {
		l.branch(m, parent, port, turn)
	}
}

// branch draws the line from a trunk to one box, with its word where it has room.
func (l *layout) branch(member, parent int, port, turn spot) {
	g := l.graph
	from := g.placed[member]
	y := from.Y + 1
	s, role := lineOf(from.bearing, from.broken)
	end := spot{from.X - 1, y}
	l.stroke(spot{turn.x, y}, end, s, role)
	if from.word {
		wide := l.width(from.box.word) + 2
		g.marks = append(g.marks, mark{end.x - wide, y, Row{{" " + from.box.word + " ", role}}, false})
	}
	g.links = append(g.links, link{
		from: member, to: parent, bearing: from.bearing, broken: from.broken, word: from.box.word,
		path: straighten(port, turn, spot{turn.x, y}, end),
	})
}

// head is the sign at the end of a line.
func (l *layout) head(bearing relation, broken bool) string {
	switch bearing {
	case relationAttack:
		return l.signs.cross
	case relationSupport:
		if l.columns {
			return when(broken, l.signs.failedLeft, l.signs.arrowLeft)
		}
		return when(broken, l.signs.failedUp, l.signs.arrowUp)
	case relationNote, relationNone:
	}
	return l.signs.note
}

// stroke adds a line, where it has a length.
func (l *layout) stroke(from, to spot, s stroke, role Role) {
	if from != to {
		l.graph.lines = append(l.graph.lines, line{from.x, from.y, to.x, to.y, s, role})
	}
}

// straighten leaves out corners that are none.
func straighten(spots ...spot) []spot {
	path := spots[:1]
	for _, at := range spots[1:] {
		last := path[len(path)-1]
		if at == last {
			continue
		}
		if n := len(path); n > 1 && (path[n-2].x == last.x && last.x == at.x || path[n-2].y == last.y && last.y == at.y) {
			path[n-1] = at
			continue
		}
		path = append(path, at)
	}
	return path
}
