package report

import (
	"crypto/sha256"
	_ "embed" // for the template, the style and the script
	"encoding/base64"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/figure"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

var (
	//go:embed html/page.tmpl
	pageTemplate string
	//go:embed html/page.css
	pageStyle string
	//go:embed html/page.js
	pageScript string
)

// The page needs nothing from a network and no script. Its policy allows the one style and the one script inside of it,
// by their hashes, so even markup that got around the escaping could load and run nothing. All text of a session goes
// through htmlPage.text and then through html/template: no value is a template.HTML, CSS, JS or URL.

const (
	// mostText limits a text of the page, and mostLineText one of the debate, where most is repeated from above, in
	// characters. Longer ones end with what is missing.
	mostText, mostLineText = 6000, 2000
	// mostPage limits the texts of the page in bytes: behind that, each is cut at lateText characters. mostDebate is where
	// the lines of the debate are counted, not shown.
	mostPage, lateText, mostDebate = 350_000, 160, 600_000
	// mostBoxes limits the map, in boxes, and mostCharts the charts of confidence. The tables have all.
	mostBoxes, mostCharts = 240, 12
)

// check says how to check the page, with a command or a digest.
type check struct {
	Text    []span
	Command string
}

// span is a part of a text: plain, or a link to an id of the page. Role is the class of a mark such as "✓".
type span struct{ Text, Link, Role string }

type htmlNote struct {
	// Anchor is the id that the note defines, or "".
	Anchor      string
	Label, Text []span
	// Continues says that the label is that of the note before, which is not shown again.
	Continues bool
	Quote     string
}

type htmlItem struct {
	Anchor string
	// Also are ids that lead here, too.
	Also []string
	ID   string
	// Sign, Role and Bucket show the ruling of a claim.
	Sign, Role, Bucket, Mark string
	// Head is the text in the line that unfolds, and Text is the same with links.
	Head       string
	Text       []span
	Notes      []htmlNote
	Receipt    []span
	Challenges []htmlItem
	Evidence   []htmlItem
	Diff       []view.DiffLine
	// Copy is a text to copy, with its purpose.
	CopyLabel, Copy string
}

// Unfolds reports whether there is more than a line.
func (it *htmlItem) Unfolds() bool {
	return len(it.Notes)+len(it.Receipt)+len(it.Challenges)+len(it.Evidence)+len(it.Diff)+len(it.Copy) > 0
}

type htmlSection struct {
	Anchor, Title string
	Lines         [][]span
	Items         []htmlItem
	Table         [][][]span
	// Words aligns the cells of the table left.
	Words bool
	After []span
}

type htmlRow struct {
	Label string
	Text  []span
}

type htmlLine struct {
	Role, Seat         string
	Lead, Text, Detail []span
	// Reply begins what a seat said in one reply.
	Reply bool
}

type htmlRound struct {
	Number int
	// Short is its name in the choice of rounds.
	Title, Short, Summary string
	Lines                 []htmlLine
	// More says how many lines are left out, or is "".
	More string
}

// htmlPage has the parts of the page in the order in which the template shows them.
type htmlPage struct {
	redactor *redact.Redactor
	state    *state.State
	rulings  []state.Ruling
	argument *view.Argument
	// known are the ids that the page has. placed are those that an element has already.
	known, placed map[string]bool
	// cut counts the texts that were cut, and written the bytes of all.
	cut, written int
	seen         map[cleaned]string

	StyleHash, ScriptHash string

	Marker, Window string
	Kind, When     string
	Title          []span
	Question       string
	Lead           []span
	Alerts         [][]span
	Heading        []span
	Verdict        [][]span
	Answer         htmlSection
	Tally          []htmlRow
	// Waits says how many things are open for the reader, or is "".
	Waits                 string
	Open                  htmlSection
	Warnings              [][]span
	First, Claims, Others []htmlSection
	Map                   htmlMap
	Buckets               htmlBuckets
	Confidence            htmlConfidence
	Rounds                []htmlRound
	Receipts              htmlSection
	Took                  []htmlRow
	NotShown              htmlSection
	Usage                 htmlSection
	Session               []htmlRow
	Verify                []check
	LeftOut               [][]span
}

// cleaned is a text with the number of characters that a place has for it.
type cleaned struct {
	text string
	most int
}

// writeHTML writes a session as a page for a browser.
func writeHTML(in *Input) (string, error) {
	if len(in.Events) == 0 {
		return "", fmt.Errorf("session %s has no events to tell", in.State.ID)
	}
	redactor, err := redact.New()
	if err != nil {
		return "", err
	}
	style, script := withoutComments(pageStyle), withoutComments(pageScript)
	source := strings.NewReplacer("/* STYLE */", style, "/* SCRIPT */", script).Replace(pageTemplate)
	t, err := template.New("page").Parse(source)
	if err != nil {
		return "", fmt.Errorf("read the template of the page that moot is built with: %w", err)
	}
	p := &htmlPage{
		redactor: redactor, state: in.State, rulings: in.Rulings, argument: view.NewArgument(in.State, in.Rulings),
		known: map[string]bool{}, placed: map[string]bool{}, seen: map[cleaned]string{},
		StyleHash: hashOf(style), ScriptHash: hashOf(script), Marker: SchemaName,
	}
	if err := p.fill(in); err != nil {
		return "", err
	}
	var out strings.Builder
	if err := t.Execute(&out, p); err != nil {
		return "", fmt.Errorf("write the session as a page: %w", err)
	}
	return out.String(), nil
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// withoutComments removes comments, which html/template would remove too, and with them the hash would be another one.
func withoutComments(text string) string {
	return strings.TrimSpace(cssComment.ReplaceAllString(text, ""))
}

var (
	cssComment = regexp.MustCompile(`(?s)[ \t]*/\*.*?\*/[ \t]*\n?`)
	// idForm is the form of ids that may be anchors: those of points, challenges, evidence, facts, conflicts, questions
	// and sentences, and of the facts of a packet.
	idForm = regexp.MustCompile(`^[A-Za-z]\d{1,5}$`)
	// idInText finds them in a text. A glyph before one is the mark of a point under an answer.
	idInText = regexp.MustCompile(`(?:[✓✗?] )?\b[A-Za-z]\d{1,5}\b`)
)

// fill reads the session in two passes: the first collects the ids that will be on the page, so that the second can link to
// them.
func (p *htmlPage) fill(in *Input) error {
	s := in.State
	d := view.Session(s, in.Rulings)
	p.collect(&d)
	p.head(&d)
	p.sections(&d)
	p.drawMap()
	rounds, err := view.History(in.Events)
	if err != nil {
		return fmt.Errorf("tell the events of session %s by rounds: %w", s.ID, err)
	}
	p.drawBuckets(rounds)
	p.drawConfidence()
	p.debate(rounds)
	p.Receipts = p.section(ptr(view.ReceiptTable(in.Rulings)), "receipts")
	p.NotShown = p.section(ptr(view.NotShown(s)), "")
	p.Usage = p.section(ptr(view.Spending(s)), "usage")
	p.rows(&d)
	for _, c := range view.HowToVerify(s, in.Head) {
		p.Verify = append(p.Verify, check{p.text(c.Text), p.clean(c.Command, mostText)})
	}
	if p.cut > 0 {
		p.LeftOut = append(p.LeftOut, p.text(fmt.Sprintf("%s too long for this page and end where it says so.",
			resolver.Capital(plain.Counted(p.cut, "text")+map[bool]string{true: " is", false: " are"}[p.cut == 1]))))
	}
	return nil
}

func ptr[T any](v T) *T { return &v }

// collect notes all ids that the page will have.
func (p *htmlPage) collect(d *view.Document) {
	add := func(ids ...string) {
		for _, id := range ids {
			if idForm.MatchString(id) {
				p.known[id] = true
			}
		}
	}
	s := p.state
	for _, one := range s.Points.All() {
		add(one.ID)
	}
	for _, one := range s.Challenges.All() {
		add(one.ID)
	}
	for _, one := range s.Evidence.All() {
		add(one.ID)
	}
	for _, one := range s.Facts.All() {
		add(one.ID)
	}
	for _, one := range s.Questions.All() {
		add(one.ID)
	}
	for _, it := range d.Answer.Items {
		add(it.ID)
	}
	for i := range d.Sections {
		for _, it := range d.Sections[i].Items {
			add(it.ID)
			for _, n := range it.Notes {
				add(n.Label)
			}
		}
	}
}

// place returns the id if the page has it and no element has it yet, else "".
func (p *htmlPage) place(id string) string {
	if !p.known[id] || p.placed[id] {
		return ""
	}
	p.placed[id] = true
	return id
}

// clean makes a text of the session safe to show: without secrets and control characters, and of at most so many
// characters.
func (p *htmlPage) clean(text string, most int) string {
	if p.written > mostPage {
		most = min(most, lateText)
	}
	// Texts recur: in the claims, the map and the debate.
	key := cleaned{text, most}
	if done, ok := p.seen[key]; ok {
		p.written += len(done)
		return done
	}
	text, _ = p.redactor.Text(text)
	if len(text) > most {
		if runes := []rune(text); len(runes) > most {
			p.cut++
			text = string(runes[:most]) + fmt.Sprintf(" … [%d more characters, which the session file has]", len(runes)-most)
		}
	}
	text = strings.TrimRight(plain.Text(text), " \n")
	p.seen[key] = text
	p.written += len(text)
	return text
}

func (p *htmlPage) text(text string) []span { return p.linked(p.clean(text, mostText)) }

// linked splits a safe text at the ids of the page. Ids in addresses and paths stay text.
func (p *htmlPage) linked(text string) []span {
	var spans []span
	at := 0
	for _, found := range idInText.FindAllStringIndex(text, -1) {
		from, to := found[0], found[1]
		id := text[from:to]
		mark, rest, marked := strings.Cut(id, " ")
		if marked {
			id = rest
		}
		if marked && from > 0 && text[from-1] != ' ' {
			// It ends a sentence, as in "is it fast? C1 says no".
			from, marked = to-len(id), false
		}
		behind := to < len(text) && strings.IndexByte("/=@-", text[to]) >= 0
		before := from > 0 && strings.IndexByte("/#=&@.-:%?", text[from-1]) >= 0
		if !p.known[id] || behind || before {
			continue
		}
		if from > at {
			spans = append(spans, span{Text: text[at:from]})
		}
		one := span{Text: text[from:to], Link: id}
		if marked {
			one.Role = map[string]string{"✓": "agreed", "✗": "dismissed", "?": "unresolved"}[mark]
		}
		spans, at = append(spans, one), to
	}
	if at < len(text) {
		spans = append(spans, span{Text: text[at:]})
	}
	return spans
}

func (p *htmlPage) lines(texts []string) [][]span { return lists.Map(texts, p.text) }

// head fills in what comes first: the question, what was decided, and on what it rests.
func (p *htmlPage) head(d *view.Document) {
	s := p.state
	title := p.clean(plain.Clip(view.Title(d.Title), 300), mostText)
	p.Window = plain.Clip(title, 90)
	p.Title = p.linked(title)
	if whole := p.clean(d.Title, mostText); whole != title {
		p.Question = whole
	}
	p.Kind = p.clean(view.Join(", ", string(s.Settings.Format), string(s.Settings.Framing), view.Variant(&s.Settings)), mostText)
	when := s.OpenedAt
	if s.Closed {
		when = s.ClosedAt
	}
	if !when.IsZero() {
		p.When = when.UTC().Format("2006-01-02")
	}
	p.Lead = p.text(d.Lead)
	if d.Stopped != "" {
		p.Alerts = append(p.Alerts, p.text(d.Stopped))
	}
	p.Alerts = append(p.Alerts, p.lines(d.Notices)...)
	p.Heading, p.Verdict = p.text(view.SentenceCase(d.Heading)), p.lines(d.Verdict)
	p.Answer = p.section(&d.Answer, "answer")
	if len(d.Answer.Items) == 0 && d.Lead == "" {
		p.Answer.Lines = p.lines([]string{view.NoAnswer(s)})
	}
	p.Warnings = p.lines(d.Warnings)

	counts := map[state.Bucket]int{}
	for i := range p.rulings {
		if point := s.Point(p.rulings[i].Point); point != nil && point.MergedInto == "" {
			counts[p.rulings[i].Bucket]++
		}
	}
	for _, b := range state.Buckets() {
		if counts[b] > 0 {
			sign, role, _ := figure.BucketLook(b)
			p.Tally = append(p.Tally, htmlRow{
				string(role), []span{{Text: fmt.Sprintf("%s %d %s", sign, counts[b], view.BucketName(b))}},
			})
		}
	}
	open := d.Open
	p.Open = p.section(&open, "open")
	if n := len(open.Items); n > 0 {
		p.Waits = fmt.Sprintf("%d open for you", n)
	}
	for i := range p.Open.Items {
		// The line of a claim is a link to it, and a question is only here.
		if it := &p.Open.Items[i]; s.Point(open.Items[i].ID) != nil {
			delete(p.placed, it.Anchor)
			it.Anchor = ""
		}
	}
}

// sections sorts the sections of the document: those with claims, those that the format puts before them, and the rest.
// Challenges and evidence are shown with their claim.
func (p *htmlPage) sections(d *view.Document) {
	s := p.state
	isPoint := func(it view.Item) bool { return s.Point(it.ID) != nil }
	threads := map[string]view.Item{}
	claims := map[string]bool{}
	for i := range d.Sections {
		for _, it := range d.Sections[i].Items {
			if isPoint(it) {
				claims[it.ID] = true
			}
		}
	}
	nested := func(it view.Item) bool {
		c := s.Challenge(it.ID)
		if c == nil || !claims[c.Point] {
			return false
		}
		threads[it.ID] = it
		return true
	}
	open := func(it view.Item) bool {
		q := s.QuestionByID(it.ID)
		return q != nil && p.placed[it.ID]
	}
	for i := range d.Sections {
		d.Sections[i].Items = slices.DeleteFunc(slices.Clone(d.Sections[i].Items), func(it view.Item) bool {
			return nested(it) || open(it)
		})
	}
	begun := false
	for i := range d.Sections {
		sec := &d.Sections[i]
		if len(sec.Items)+len(sec.Lines)+len(sec.Table)+len(sec.After) == 0 {
			continue
		}
		switch {
		case slices.ContainsFunc(sec.Items, isPoint):
			begun = true
			p.Claims = append(p.Claims, p.claims(sec, threads))
		case begun:
			p.Others = append(p.Others, p.section(sec, ""))
		default:
			p.First = append(p.First, p.section(sec, ""))
		}
	}
	if rest := p.rest(); len(rest.Items) > 0 {
		p.Others = append(p.Others, rest)
	}
}

// claims is a section of claims, each with all that bears on it.
func (p *htmlPage) claims(sec *view.Section, threads map[string]view.Item) htmlSection {
	out := p.section(sec, "")
	for i := range out.Items {
		point := p.state.Point(sec.Items[i].ID)
		if point == nil {
			continue
		}
		it := &out.Items[i]
		if r := resolver.RulingOn(p.rulings, point.ID); r != nil {
			sign, role, name := figure.BucketLook(r.Bucket)
			it.Sign, it.Role = sign, string(role)
			if !strings.EqualFold(view.SentenceCase(sec.Title), name) {
				it.Bucket = strings.ToLower(name)
				if rest, ok := strings.CutPrefix(strings.ToLower(it.Mark), it.Bucket); ok {
					it.Mark = strings.TrimPrefix(it.Mark[len(it.Mark)-len(rest):], ", ")
				}
			}
			it.Receipt = p.text(view.Receipt(r))
		}
		for _, id := range point.Challenges {
			thread, ok := threads[id]
			if p.placed[id] && !ok {
				continue // A note of the claim tells it.
			}
			if c := p.state.Challenge(id); !ok && c != nil {
				if doc, found := p.argument.Document(id); found && len(doc.Sections) > 0 && len(doc.Sections[0].Items) > 0 {
					thread, ok = doc.Sections[0].Items[0], true
				} else {
					thread, ok = p.argument.Challenge(c), true
				}
			}
			if ok {
				one := p.item(&thread)
				one.Sign, one.Role = look(p.argument.Status(p.state.Challenge(id)).Role)
				it.Challenges = append(it.Challenges, one)
			}
		}
		for _, id := range point.Evidence {
			e := p.state.Item(id)
			if e == nil || p.placed[id] || shownElsewhere(e) {
				continue
			}
			shown := view.EvidenceItem(e)
			offered := view.Note{Label: "offered", Text: "by " + e.OfferedBy, Quote: view.Excerpt(e.Excerpt)}
			shown.Notes = append([]view.Note{offered}, shown.Notes...)
			one := p.item(&shown)
			one.Sign, one.Role = look(shown.Role)
			it.Evidence = append(it.Evidence, one)
		}
	}
	return out
}

// shownElsewhere reports whether the result lists an item on its own, as a refused citation.
func shownElsewhere(e *ledger.Evidence) bool { return e.Checked && !e.Verified }

// rest lists what the document does not show, so that each id has a place.
func (p *htmlPage) rest() htmlSection {
	sec := view.Section{Title: "NOT LISTED ABOVE"}
	s := p.state
	add := func(it view.Item) {
		if p.known[it.ID] && !p.placed[it.ID] {
			sec.Items = append(sec.Items, it)
		}
	}
	for _, one := range s.Points.All() {
		add(view.Item{ID: one.ID, Text: view.PointText(one)})
	}
	for _, one := range s.Challenges.All() {
		add(p.argument.Challenge(one))
	}
	for _, one := range s.Evidence.All() {
		add(view.EvidenceItem(one))
	}
	for _, one := range s.Facts.All() {
		add(view.FactItem(one))
	}
	for _, one := range s.Questions.All() {
		add(view.Item{ID: one.ID, Mark: string(one.Kind), Text: one.Text})
	}
	return p.section(&sec, "")
}

func (p *htmlPage) section(sec *view.Section, anchor string) htmlSection {
	out := htmlSection{
		Anchor: anchor, Title: p.clean(view.SentenceCase(sec.Title), mostText), Lines: p.lines(sec.Lines), Words: sec.Words,
		After: p.text(sec.After),
	}
	if sec.Heading() != sec.Title {
		out.Title = p.clean(strings.TrimSpace(view.SentenceCase(sec.Title)+strings.TrimPrefix(sec.Heading(), sec.Title)), mostText)
	}
	for _, row := range sec.Table {
		out.Table = append(out.Table, lists.Map(row, func(cell string) []span { return p.text(strings.TrimSpace(cell)) }))
	}
	for i := range sec.Items {
		out.Items = append(out.Items, p.item(&sec.Items[i]))
	}
	return out
}

func (p *htmlPage) item(it *view.Item) htmlItem {
	out := htmlItem{
		ID: p.clean(it.ID, 40), Anchor: p.place(it.ID), Mark: p.clean(it.Mark, 400), Head: p.clean(it.Text, mostText),
		Diff:      lists.Map(it.Diff, func(l view.DiffLine) view.DiffLine { l.Text = p.clean(l.Text, 1000); return l }),
		CopyLabel: p.clean(it.Copy.Label, 200), Copy: p.clean(it.Copy.Text, mostText),
	}
	out.Text = p.linked(out.Head)
	if it.Role != view.RolePlain {
		out.Sign, out.Role = look(it.Role)
	}
	for i := range it.Notes {
		n := &it.Notes[i]
		if p.thread(&out, n) {
			continue
		}
		note := htmlNote{Anchor: p.place(n.Label), Text: p.text(n.Text), Quote: p.clean(n.Quote, mostText)}
		label := p.clean(n.Label, 200)
		for _, id := range it.Aliases {
			if label == "also "+id {
				note.Anchor = p.place(id)
			}
		}
		// A note that is the story of a challenge is its place.
		if id, _, ok := strings.Cut(n.Text, ","); ok && p.state.Challenge(id) != nil && note.Anchor == "" {
			note.Anchor = p.place(id)
		}
		note.Label = []span{{Text: label}}
		if note.Anchor == "" {
			note.Label = p.linked(label)
		}
		if note.Continues = label == "" && len(out.Notes) > 0; note.Continues {
			note.Label = out.Notes[len(out.Notes)-1].Label
		}
		if i == 0 && len(it.Diff) > 0 {
			note.Quote = "" // The lines of the diff say the same.
		}
		out.Notes = append(out.Notes, note)
	}
	for _, id := range it.Aliases {
		if id = p.place(id); id != "" {
			out.Also = append(out.Also, id)
		}
	}
	return out
}

// thread takes a note that is about a challenge into its thread: the label of the first one is the id, and those of the
// others begin with it. It reports whether the note is one.
func (p *htmlPage) thread(it *htmlItem, n *view.Note) bool {
	id, label, _ := strings.Cut(n.Label, " ")
	c := p.state.Challenge(id)
	switch last := len(it.Challenges) - 1; {
	case c == nil:
		return false
	case label == "":
		one := htmlItem{ID: p.clean(id, 40), Anchor: p.place(id), Text: p.text(n.Text)}
		one.Sign, one.Role = look(p.argument.Status(c).Role)
		it.Challenges = append(it.Challenges, one)
	case last < 0 || it.Challenges[last].ID != id:
		return false
	default:
		it.Challenges[last].Notes = append(it.Challenges[last].Notes, htmlNote{
			Label: []span{{Text: p.clean(label, 200)}}, Text: p.text(n.Text), Quote: p.clean(n.Quote, mostText),
		})
	}
	return true
}

// look returns the sign and the class of a role.
func look(r view.Role) (sign, class string) {
	sign, role := figure.RoleLook(r)
	return sign, string(role)
}

// rows puts the rows of the document where they belong: who took part and what they saw, and all others last.
func (p *htmlPage) rows(d *view.Document) {
	label := ""
	for _, r := range d.Rows {
		if r.Label != "" {
			label = r.Label
		}
		row := htmlRow{p.clean(r.Label, 100), p.text(r.Text)}
		switch label {
		case "seats", "saw":
			p.Took = append(p.Took, row)
		case "usage":
			// The section on usage has it.
		default:
			p.Session = append(p.Session, row)
		}
	}
}

// debate fills in the rounds.
func (p *htmlPage) debate(rounds []view.Round) {
	for i := range rounds {
		r := &rounds[i]
		out := htmlRound{Number: r.Number, Title: r.Title(), Short: strconv.Itoa(r.Number), Summary: r.Summary()}
		if r.Number == 0 {
			out.Short = "before"
		}
		left, speaker := 0, ""
		for j := range r.Lines {
			l := &r.Lines[j]
			if p.written > mostDebate {
				left++
				continue
			}
			line := htmlLine{Reply: l.Role == view.RoleReply, Seat: p.clean(string(l.Seat), 100)}
			lead := p.clean(l.Lead, 200)
			if line.Reply {
				speaker = lead
			}
			// The reply says who speaks, until the next one.
			if line.Seat == speaker || line.Seat == lead {
				line.Seat = ""
			}
			_, line.Role = look(l.Role)
			line.Lead = p.linked(lead)
			text := p.clean(l.Action(), mostLineText)
			line.Text, line.Detail = p.linked(text), p.linked(p.clean(l.Detail, 400))
			out.Lines = append(out.Lines, line)
		}
		if left > 0 {
			out.More = plain.Counted(left, "more line") + ", which the session file has"
		}
		p.Rounds = append(p.Rounds, out)
	}
}
