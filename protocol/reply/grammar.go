package reply

import (
	"regexp"

	"moot/protocol"
	"moot/protocol/move"
)

// grammar reads replies that are written as lines, one move each, as the table of moves describes
// them. Patterns match a masked copy of the text, in which nothing is left that its writer only
// quotes (ST6); texts are cut from the original. Each move becomes a JSON object, so that moves of
// both forms are checked by the same code.
type grammar struct {
	moves map[move.Kind]*move.Spec
	// words are the forms that begin with a word, by that word in capitals with blanks; bare are
	// those that begin with ids.
	words map[string][]wordForm
	bare  []wordForm

	decoration, listed, word, id, amount, marks, command, answers, silence, conditional, ends, conceding, anyID,
	behind, file, symbol, block, proposes, fact, evidence *regexp.Regexp
}

// wordForm is a form from the table with its move.
type wordForm struct {
	*move.LineForm
	move *move.Spec
}

// head is the beginning of a line that starts a move.
type head struct {
	wordForm
	ids []string
	// body is where the text begins in the line.
	body int
	// conditional says that the verdict is under a condition.
	conditional bool
}

// passage is a run of lines that is one move, an entry of a list of points, or a plain
// paragraph.
type passage struct {
	head *head
	item bool
	// finding is the section of a review that it is, or nil.
	finding *section
	// from and to bound the body in the text.
	from, to int
}

// lineReader parses one reply with the grammar.
type lineReader struct {
	*grammar
	*collector
	text, mask string
	// points and answers say whether entries of lists are points, and whether plain
	// paragraphs answer a challenge.
	points, answering bool
	now               *passage
	// list is the mark of the first item of a list of points, indent its indentation.
	list   byte
	indent int
	// sections of a review under headings, if points are asked for.
	sections []section
	// missed counts paragraphs with places that are no points.
	missed int
}

// collector gathers the moves of one reply.
type collector struct {
	parser *Parser
	ask    protocol.Ask
	number int
	parsed Parsed
	// silent says that the seat wrote that it has nothing to say.
	silent bool
}

// body is a part of a text with its masked copy.
type body struct{ text, mask string }

// sectionKind is how a section of a review is read.
type sectionKind int

const (
	// sectionPlain is read line by line.
	sectionPlain sectionKind = iota
	// sectionFinding is one point: its heading with the prose below it.
	sectionFinding
	// sectionAside makes no claim, as what is under "Tests to add" or "Fix".
	sectionAside
	// sectionDetail explains the finding above it.
	sectionDetail
)

// section is a heading with the text up to the next one.
type section struct {
	kind     sectionKind
	level    int
	title    string
	from, to int
	// body is where the text below the heading begins.
	body int
	// moves says that it holds lines that are moves.
	moves bool
}
