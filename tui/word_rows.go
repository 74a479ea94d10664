package tui

import "strings"

// The signs around words that the other text has not: they say it where no style
// can.
const apartOpen, apartClose = "[", "]"

// markedPiece is what is not broken at the end of a line, save where a line is too
// short for it.
type markedPiece struct {
	spans  []span
	joined bool
}

// markedPieces are the words of a text; each run of words that are apart stands in
// brackets.
func (l *look) markedPieces(words []markedWord) []markedPiece {
	pieces := make([]markedPiece, len(words))
	for i, w := range words {
		piece := markedPiece{joined: w.joined, spans: []span{{when(w.apart, l.bold, l.text), l.line(w.text)}}}
		if w.apart && (i == 0 || !words[i-1].apart) {
			piece.spans = append([]span{{l.accent, apartOpen}}, piece.spans...)
		}
		if w.apart && (i == len(words)-1 || !words[i+1].apart) {
			piece.spans = append(piece.spans, span{l.accent, apartClose})
		}
		pieces[i] = piece
	}
	return pieces
}

// markedRows draws marked words behind a lead in rows of exactly the width; those
// below the first are indented as far as the lead is wide.
func (l *look) markedRows(width int, lead []span, words []markedWord) []string {
	if width <= 0 {
		return []string{""}
	}
	hang := 0
	for _, s := range lead {
		hang += l.width(l.line(s.text))
	}
	hang = min(hang, width/2)
	w := markedWriter{look: l, width: width, hang: hang}
	for _, s := range lead {
		w.add(s.style, l.clip(l.line(s.text), hang-w.used))
	}
	w.begun = w.used
	for _, piece := range l.markedPieces(words) {
		w.piece(piece)
	}
	w.end()
	return w.rows
}

// markedWriter fills rows with pieces.
type markedWriter struct {
	look        *look
	width, hang int
	rows        []string
	row         strings.Builder
	// used are the cells of the row that are taken, begun those before its first
	// word.
	used, begun int
}

func (w *markedWriter) add(st style, text string) {
	w.row.WriteString(st.paint(text))
	w.used += w.look.width(text)
}

// end finishes the row. What a terminal joins may be narrower than its parts.
func (w *markedWriter) end() {
	row := w.row.String()
	if wide := w.look.method.StringWidth(row); wide > w.width {
		row = w.look.method.Truncate(row, w.width, "")
	}
	w.rows = append(w.rows, row+blank(w.width-w.look.method.StringWidth(row)))
	w.row.Reset()
	w.used = 0
}

// next begins a further row.
func (w *markedWriter) next() {
	w.end()
	w.add(style{}, blank(w.hang))
	w.begun = w.used
}

// piece adds a piece, in a further row where this one has no room.
func (w *markedWriter) piece(p markedPiece) {
	wide, gap := 0, when(p.joined || w.used == w.begun, 0, 1)
	for _, s := range p.spans {
		wide += w.look.width(s.text)
	}
	if w.used+gap+wide > w.width && w.used > w.begun {
		w.next()
		gap = 0
	}
	w.add(style{}, blank(gap))
	for _, s := range p.spans {
		w.broken(s)
	}
}

// broken adds a text, broken where rows end.
func (w *markedWriter) broken(s span) {
	for s.text != "" {
		room := w.width - w.used
		part := s.text
		if w.look.width(part) > room {
			part = w.look.exact(w.look.method.Truncate(s.text, max(room, 0), ""), room)
		}
		switch {
		case part != "":
		case w.used > w.begun:
			w.next()
			continue
		default:
			// Not one character fits.
			return
		}
		w.add(s.style, part)
		s.text = strings.TrimPrefix(s.text, part)
	}
}
