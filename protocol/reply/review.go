package reply

import (
	"fmt"
	"regexp"
	"strings"

	"moot/internal/plain"
	"moot/protocol/move"
	"moot/state"
)

var (
	// headingLine is "## Title", or a line in bold.
	headingLine = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.+?)[ \t#]*$|^\*\*([^*]+)\*\*:?[ \t]*$`)
	// asideTitle is the heading of what is no finding: it proposes, sums up or praises.
	asideTitle = regexp.MustCompile(`(?i)^(?:suggested |proposed |recommended |possible |missing |required )?` +
		`(?:tests?(?: to add| plan| coverage| cases| suggestions)?|testing|(?:fix|fixes|solution|solutions|patch|remedy)\b.*|` +
		`recommendations?|suggestions?|next steps|action items|to-?dos?|summary|overview|introduction|background|context|scope|` +
		`strengths|positives?|praise|what (?:is|works|went|looks) (?:good|well|right).*|good|verdict|conclusions?|` +
		`references|appendix|method(?:ology)?|how (?:to|i) .*|files? (?:reviewed|changed)|out of scope|测试|修复|建议|总结|结论)$`)
	// numberedTitle is the heading of a finding that says so: "1. Title", "Finding 2: Title", "[High] Title", "P1:
	// Title".
	numberedTitle = regexp.MustCompile(
		`(?i)^(?:\d{1,3}[.):]|\[?(?:finding|issue|bug|problem|point|concern|defect)[ #-]*\d{1,3}\b|` +
			`[(\[]?(?:critical|blocking|blocker|high|medium|low|major|minor|nit|p[0-4]|严重|高|中|低)\b[)\]:–—-])`,
	)
	// titleLead matches the number and severity of a title, which are left out.
	titleLead = regexp.MustCompile(`(?i)^(?:[\p{So}\x{FE0F} \t]|\d{1,3}[.):][ \t]*|` +
		`\[?(?:finding|issue|bug|problem|point|concern|defect)[ #-]*\d{1,3}\]?[ \t]*[:.)–—-]*[ \t]*|` +
		`[(\[]?(?:critical|blocking|blocker|high|medium|low|major|minor|nit|p[0-4])(?: severity| priority)?[)\]:–—-]+[ \t]*)+`)
	// asideLabel begins a paragraph that proposes something: the claim of a finding ends before it.
	asideLabel = regexp.MustCompile(
		`(?i)^[ \t]*(?:[-*•][ \t]+)?(?:\*\*|__)?(?:(?:suggested |proposed |recommended )?(?:fix|fixes|solution|patch|change)|` +
			`recommendations?|suggestions?|tests?(?: to add)?|remedy|修复|建议|测试)(?:\*\*|__)?[ \t]*[:：]`,
	)
	// listLine begins an item of a list.
	listLine = regexp.MustCompile(`(?m)^[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t])`)
)

// sectionsOf finds the sections of a review. A heading with prose and a place is a finding, and so is one with a number
// or a severity; sections about tests, fixes and the like are skipped.
func (r *lineReader) sectionsOf() (sections []section) {
	start, moves := 0, false
	for line := range strings.Lines(r.mask) {
		end := start + len(strings.TrimSuffix(line, "\n"))
		line = r.mask[start:end]
		f := headingLine.FindStringSubmatch(r.text[start:end])
		switch {
		case f != nil && !strings.HasPrefix(line, "\x00"):
			if n := len(sections); n > 0 {
				sections[n-1].to, sections[n-1].moves = start, moves
			}
			level, title := len(f[1]), f[2]
			if level == 0 {
				level, title = 7, f[3]
			}
			title = strings.Trim(title, " \t*_:：")
			sections, moves = append(
				sections,
				section{level: level, title: title, from: start, body: end, to: len(r.text)},
			), false
			fallthrough
		default:
			moves = moves || r.head(line, len(r.decoration.FindString(line))) != nil
		}
		start += len(r.mask[start:end]) + 1
	}
	if n := len(sections); n > 0 {
		sections[n-1].moves = moves
	}
	aside, finding := 0, 0 // the level of the aside or finding that the next sections may be below, or 0
	for i := range sections {
		s := &sections[i]
		if aside > 0 && s.level > aside {
			s.kind = sectionAside
			continue
		}
		aside = 0
		switch {
		case s.moves:
		case asideTitle.MatchString(strings.Trim(titleLead.ReplaceAllString(s.title, ""), " `")):
			s.kind, aside = sectionAside, s.level
		case r.isFinding(s):
			s.kind, finding = sectionFinding, s.level
			continue
		case finding > 0 && s.level > finding:
			s.kind = sectionDetail
			continue
		}
		if s.level <= finding {
			finding = 0
		}
	}
	return sections
}

// isFinding reports whether a section makes one claim.
func (r *lineReader) isFinding(s *section) bool {
	content := r.text[s.body : s.body+claimEnd(r.text[s.body:s.to])]
	prose := content
	if at := listLine.FindStringIndex(content); at != nil {
		prose = content[:at[0]]
	}
	placed := func(text string) bool { return len(r.cite(body{text: text, mask: mask(text)}, false)) > 0 }
	says := strings.TrimSpace(fencedBlock.ReplaceAllString(prose, ""))
	switch {
	case strings.TrimSpace(content) == "":
		return placed(s.title)
	case says != "" && (placed(prose) || placed(s.title)):
		return true
	}
	// Its place may be an item of a list below it, as in "- File: store.go:5".
	return numberedTitle.MatchString(s.title) && saysSomething(titleLead.ReplaceAllString(s.title, ""))
}

// claimEnd returns where the claim of a finding ends: at the paragraph that proposes a fix or a test.
func claimEnd(text string) int {
	at := 0
	for line := range strings.Lines(text) {
		if asideLabel.MatchString(line) {
			return at
		}
		at += len(line)
	}
	return len(text)
}

// finding makes a point of a section: its heading and the prose below it, with the places that they cite.
func (r *lineReader) finding(s *section) {
	const longest = 800 // characters of the claim
	content := r.text[s.body : s.body+claimEnd(r.text[s.body:s.to])]
	title := strings.Trim(titleLead.ReplaceAllString(s.title, ""), " ")
	text := strings.ReplaceAll(fencedBlock.ReplaceAllString(content, ""), "**", "")
	if text = plain.OneLine(strings.TrimSpace(text)); text != "" {
		title = strings.TrimRight(title, ".:：") + ": " + strings.TrimRight(text, ":： ")
	}
	whole := s.title + "\n\n" + content
	h := &head{wordForm: r.words["RAISE"][0]}
	object := map[string]any{move.Key: string(move.KindRaise), "text": plain.Clip(title, longest)}
	citations, _ := r.citations(body{text: whole, mask: mask(whole)}, false)
	r.emit(h, object, citations)
}

// noteUnread says which parts of a reply were not read as points, though they may be meant as some.
func (r *lineReader) noteUnread(sections []section) {
	var parts []string
	more := 0
	for _, s := range sections {
		items := len(listLine.FindAllStringIndex(r.text[s.body:s.to], -1))
		switch {
		case s.kind != sectionAside || items == 0:
		case len(parts) < maxNotices:
			parts = append(parts, fmt.Sprintf("%s under %q", plain.Counted(items, "item"), plain.Clip(s.title, 60)))
		default:
			more += items
		}
	}
	if more > 0 {
		parts = append(parts, plain.Counted(more, "item")+" under other titles")
	}
	if r.missed > 0 {
		parts = append(parts, plain.Counted(r.missed, "passage")+" with a place")
	}
	if len(parts) > 0 {
		text := "not read as points: " + strings.Join(parts, ", ")
		r.parsed.Refused = append(r.parsed.Refused, state.Refusal{Code: state.Unread, Text: text})
	}
}

// fencedBlock is a block of code.
var fencedBlock = regexp.MustCompile("(?ms)^[ \t]*```.*?(?:\n[ \t]*```[ \t]*$|\\z)")
