package figure

// stroke is how a line is drawn. A stronger one wins where two meet.
type stroke uint8

const (
	strokeNone stroke = iota
	// strokeBroken is for what failed: a refused item, a defeated attack.
	strokeBroken
	// strokeNote is for what neither attacks nor supports.
	strokeNote
	strokeSupport
	strokeAttack
)

// line is a straight line between two cells, both included.
type line struct {
	x1, y1, x2, y2 int
	stroke         stroke
	role           Role
}

// joint is the sign of a cell where lines run in the directions of the mask.
func joint(mask uint8, across, down stroke, ascii bool) string {
	if mask&(east|west) == 0 {
		return straightDown(down, ascii)
	}
	if mask&(north|south) == 0 {
		return straightAcross(across, ascii)
	}
	if ascii {
		if across == strokeAttack || down == strokeAttack {
			return "#"
		}
		return "+"
	}
	switch {
	case across == strokeAttack && down == strokeAttack:
		return pick("   ╚  ╔╠ ╝ ╩╗╣╦╬", mask)
	case across == strokeAttack:
		return pick("   ╘  ╒╞ ╛ ╧╕╡╤╪", mask)
	case down == strokeAttack:
		return pick("   ╙  ╓╟ ╜ ╨╖╢╥╫", mask)
	}
	return pick("   ╰  ╭├ ╯ ┴╮┤┬┼", mask)
}

// pick returns the sign at the mask's place.
func pick(signs string, mask uint8) string { return string([]rune(signs)[mask]) }

func straightDown(s stroke, ascii bool) string {
	switch s {
	case strokeAttack:
		return when(ascii, "#", "║")
	case strokeNote:
		return when(ascii, ";", "╎")
	case strokeBroken:
		return when(ascii, ":", "┊")
	case strokeSupport, strokeNone:
	}
	return when(ascii, "|", "│")
}

func straightAcross(s stroke, ascii bool) string {
	switch s {
	case strokeAttack:
		return when(ascii, "=", "═")
	case strokeNote:
		return when(ascii, "~", "╌")
	case strokeBroken:
		return when(ascii, ".", "┈")
	case strokeSupport, strokeNone:
	}
	return when(ascii, "-", "─")
}

func when[T any](holds bool, yes, no T) T {
	if holds {
		return yes
	}
	return no
}

// ownSign reports whether a sign beyond ASCII is one of the pictures' own, which
// takes one cell everywhere.
func ownSign(s string) bool {
	r := []rune(s)
	return len(r) == 1 && (r[0] >= 0x2500 && r[0] <= 0x25ff || r[0] >= 0x2800 && r[0] <= 0x28ff)
}

// frame is how a box is drawn: corners from the top left on, clockwise, then the
// sides.
type frame struct{ topLeft, topRight, bottomRight, bottomLeft, across, down string }

// frameOf gives each kind of box a shape of its own.
func frameOf(k NodeKind, ascii bool) frame {
	if ascii {
		switch k {
		case NodePoint:
			return frame{".", ".", "'", "'", "-", "|"}
		case NodeChallenge:
			return frame{"/", "\\", "/", "\\", "-", "|"}
		case NodeDefense:
			return frame{"+", "+", "/", "\\", "-", "|"}
		case NodeEvidence:
			return frame{"+", "\\", "+", "+", "-", "|"}
		}
	}
	switch k {
	case NodePoint:
		return frame{"╭", "╮", "╯", "╰", "─", "│"}
	case NodeChallenge:
		return frame{"╱", "╲", "╱", "╲", "─", "│"}
	case NodeDefense:
		return frame{"┌", "┐", "╱", "╲", "─", "│"}
	case NodeEvidence:
		return frame{"┌", "╲", "┘", "└", "─", "│"}
	}
	return frame{"┌", "┐", "┘", "└", "─", "│"}
}

// signs are the marks beside words, as the screens have them.
type signs struct {
	agreed, dismissed, unresolved, notEvaluated, open string
	yes, no, pending, warn, pointer, separator        string
	// Heads: of an attack, of a support from the right and from below, of what
	// replaces, and of what only bears on a point.
	cross, arrowLeft, arrowUp, replaces, note string
	failedLeft, failedUp                      string
}

func signsOf(ascii bool) signs {
	if ascii {
		return signs{
			agreed: "+", dismissed: "x", unresolved: "?", notEvaluated: "-", open: "o",
			yes: "+", no: "x", pending: "o", warn: "!", pointer: ">", separator: " - ",
			cross: "x", arrowLeft: "<", arrowUp: "^", replaces: ">", note: "o", failedLeft: ".", failedUp: ":",
		}
	}
	return signs{
		agreed: "✓", dismissed: "✗", unresolved: "?", notEvaluated: "–", open: "○",
		yes: "✓", no: "✗", pending: "○", warn: "!", pointer: "▸", separator: " · ",
		cross: "╳", arrowLeft: "◄", arrowUp: "▲", replaces: "▷", note: "○", failedLeft: "◁", failedUp: "△",
	}
}
