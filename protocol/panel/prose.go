package panel

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/move"
	"moot/protocol/review/written"
	"moot/state"
)

const (
	// maxSentences is how many sentences of the first paragraph of an answer without places are points.
	maxSentences = 7
	// maxPoint is how much of a sentence a point has, in characters.
	maxPoint = 800
)

var (
	// moveLine begins a line in the form of a RAISE, with which an answer is no prose.
	moveLine = regexp.MustCompile(`(?m)^[ \t>*_-]*(?:\d+[.)][ \t]*)?(?:RAISE|POINT|CLAIM|VALUE|P\d*)\b[*_]*[ \t]*[:#\d]`)
	// onlyProposes is the heading of what makes no claim about how something is.
	onlyProposes = regexp.MustCompile(`(?i)^\W*(?:(?:suggested |proposed |recommended |missing )?(?:tests?|fix(?:es)?|patch)` +
		`(?: to add| plan)?|next steps|action items|to-?dos?|references|测试|修复|建议)\W*$`)
)

// ReadProse reads an answer in prose like a written review: its items, and its sentences that name places, are points.
// An answer without any has those of its first paragraph.
func (Format) ReadProse(text string, ask protocol.Ask, lines []move.Move) (moves []move.Move, how string) {
	other := func(m move.Move) bool { return move.RaiseIn(m) == nil }
	if ask.Stage != state.StagePropose || moveLine.MatchString(text) || slices.ContainsFunc(lines, other) {
		return nil, ""
	}
	_, passages := written.ReadPassages(text)
	if !slices.ContainsFunc(passages, func(p written.Passage) bool {
		return p.Part == written.PartRow || p.Part == written.PartParagraph && !leadsOver(p.Text)
	}) {
		return nil, "" // Lists are in the form of moves.
	}
	var first []string
	skipped := 0
	for i := range passages {
		p := &passages[i]
		if p.Part == written.PartHeading {
			if skipped == 0 || p.Level <= skipped {
				skipped = 0
				if onlyProposes.MatchString(p.Text) {
					skipped = p.Level
				}
			}
			continue
		}
		if p.Part == written.PartCode || skipped > 0 {
			continue
		}
		if m := itemMove(p, lines); m != nil {
			moves = append(moves, m)
			continue
		}
		if p.Part == written.PartItem && slices.ContainsFunc(moves, func(m move.Move) bool {
			return strings.Contains(plain.OneLine(move.RaiseIn(m).Text), strings.TrimLeft(plain.OneLine(p.Text), "-*+ "))
		}) {
			continue // A move has it with the item above it.
		}
		sentences := sentencesOf(p)
		for _, s := range sentences {
			placed := false
			raise := &move.Raise{Text: plain.Clip(plain.OneLine(s.text), maxPoint)}
			for _, c := range p.Citations {
				if at := c.From - p.From; !p.Aligned || at >= s.from && at < s.to {
					placed = true
					if c.Inherited {
						raise.Citations = append(raise.Citations, move.Citation{Reference: c.String()})
					}
				}
			}
			if placed || p.Part == written.PartItem && plain.SaysSomething(s.text) {
				moves = append(moves, raise)
			}
		}
		if first == nil && p.Part == written.PartParagraph && !leadsOver(p.Text) && plain.SaysSomething(p.Text) {
			for _, s := range sentences[:min(len(sentences), maxSentences)] {
				first = append(first, plain.Clip(plain.OneLine(s.text), maxPoint))
			}
		}
	}
	if len(moves) == 0 {
		for _, sentence := range first {
			moves = append(moves, &move.Raise{Text: sentence})
		}
	}
	if len(moves) == 0 {
		return nil, ""
	}
	return moves, fmt.Sprintf("it was not in the form of moves: %s read from prose", plain.Counted(len(moves), "point"))
}

// itemMove returns the move that was read of an item of a list, with its kind, label, quotes and commands, or nil.
func itemMove(p *written.Passage, lines []move.Move) move.Move {
	const begins = 30
	if p.Part != written.PartItem {
		return nil
	}
	text := plain.OneLine(p.Text)
	i := slices.IndexFunc(lines, func(m move.Move) bool {
		said := []rune(plain.OneLine(move.RaiseIn(m).Text))
		return len(said) > 0 && strings.Contains(text, string(said[:min(len(said), begins)]))
	})
	if i < 0 {
		return nil
	}
	return lines[i]
}

// leadsOver reports whether a paragraph only leads over to what follows.
func leadsOver(text string) bool {
	text = strings.TrimRight(text, " \t\r\n*_")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// sentence is a sentence of a passage, which begins at from and ends before to.
type sentence struct {
	text     string
	from, to int
}

// sentencesOf returns the sentences of a passage. A row is one.
func sentencesOf(p *written.Passage) (sentences []sentence) {
	if p.Part == written.PartRow {
		cells := strings.Split(strings.Trim(strings.TrimSpace(p.Text), "|"), "|")
		return []sentence{{strings.Join(lists.Map(cells, strings.TrimSpace), "; "), 0, len(p.Text)}}
	}
	from := 0
	for _, s := range plain.Sentences(p.Text) {
		sentences = append(sentences, sentence{strings.TrimSpace(s), from, from + len(s)})
		from += len(s)
	}
	return sentences
}
