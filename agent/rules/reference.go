package rules

import (
	"regexp"
	"strconv"
	"strings"
)

// splitReference takes "path:12-18" apart; a reference of another form has no
// path.
func splitReference(reference string) (file string, span [2]int) {
	colon := strings.LastIndexByte(reference, ':')
	if colon < 1 {
		return "", span
	}
	first, last, isRange := strings.Cut(reference[colon+1:], "-")
	if !isRange {
		last = first
	}
	var err1, err2 error
	span[0], err1 = strconv.Atoi(first)
	span[1], err2 = strconv.Atoi(last)
	if err1 != nil || err2 != nil {
		return "", [2]int{}
	}
	return reference[:colon], span
}

// mention is a citation in a text: "queue/consumer.go:88", with the words that
// it quotes from there or "".
type mention struct {
	reference string
	file      string
	line      int
	quote     string
}

// mentionPattern finds path:line[-line] and path#Lline; quotePattern a
// quotation behind it, on the same line and near.
const (
	mentionPattern = `([\p{L}\p{N}_./-]*[\p{L}\p{N}_-]\.[\p{L}\p{N}]{1,8}|[\p{L}\p{N}_.-]+(?:/[\p{L}\p{N}_.-]+)+)(?::|#L)(\d{1,7})(?:-L?(\d{1,7}))?`
	quotePattern   = "^[^\"“`\n]{0,40}(?:\"([^\"\n]{3,600})\"|“([^”\n]{3,600})”|`([^`\n]{3,600})`)"
)

// patterns are the two, and those of documents, compiled once per participant.
type patterns struct {
	mention, quote *regexp.Regexp
	documentPatterns
	councilPatterns
}

func newPatterns() patterns {
	return patterns{regexp.MustCompile(mentionPattern), regexp.MustCompile(quotePattern), newDocumentPatterns(), newCouncilPatterns()}
}

// maxMentions bounds how many citations of a text are looked at.
const maxMentions = 10

// in returns the citations in a text, in order, each place once.
func (p *patterns) in(text string) []mention {
	var found []mention
	seen := map[string]bool{}
	for _, at := range p.mention.FindAllStringSubmatchIndex(text, -1) {
		if len(found) == maxMentions {
			break
		}
		line, err := strconv.Atoi(text[at[4]:at[5]])
		if err != nil || line == 0 || text[at[2]] == '/' {
			// No line, or an address: "//host.org:8080".
			continue
		}
		m := mention{file: strings.TrimPrefix(text[at[2]:at[3]], "./"), line: line}
		m.reference = m.file + ":" + text[at[4]:at[5]]
		if at[6] >= 0 {
			m.reference += "-" + text[at[6]:at[7]]
		}
		m.quote = p.quoteBehind(text[at[1]:])
		if !seen[m.reference] {
			seen[m.reference] = true
			found = append(found, m)
		}
	}
	return found
}

func (p *patterns) quoteBehind(text string) string {
	for i, quote := range p.quote.FindStringSubmatch(text) {
		if i > 0 && quote != "" {
			return quote
		}
	}
	return ""
}
