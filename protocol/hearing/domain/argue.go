package domain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/hearing/judge"
	"moot/state"
)

// Case holds the findings in one packet.
type Case struct {
	Findings []Finding
	// Untied lists the explanations in the packet that are tied to no finding. They explain nothing.
	Untied []Cover
	// Rules counts the findings and relations of the domain, Facts the facts of the packet.
	Rules, Facts int
	domain       string
}

// Finding is a fact, or several related ones, that matches a rule.
type Finding struct {
	Rule     string
	Strength Strength
	// Facts lists the ids of the facts that show it.
	Facts []string
	// Quote says what it is and quotes the first of the facts.
	Quote string
	// Covers lists its benign explanations. A finding without one is left.
	Covers []Cover
	// Near is an authorization that is not tied to a conclusive finding but includes its time, so that it counts as
	// suspicious; or nil.
	Near *Cover

	kind  string
	facts []*fact
}

// Cover is a benign explanation of a finding.
type Cover struct {
	Rule  string
	Fact  string
	Quote string
}

// slack is how far outside of a stated time window an act may be.
const slack = 15 * time.Minute

// Find applies the rules to a packet.
func (r *Rules) Find(p *ledger.Packet) *Case {
	c := &Case{Rules: len(r.file.Findings) + len(r.file.Relations), Facts: p.Len(), domain: r.name}
	facts := make([]*fact, 0, p.Len())
	for _, f := range p.All() {
		facts = append(facts, readFact(&f, &r.times))
	}
	together := events(facts, &r.patterns)
	for i := range r.file.Findings {
		rule := &r.file.Findings[i]
		for _, f := range facts {
			if !anyHolds(rule.When, f) {
				continue
			}
			strength := rule.Strength
			if r.blocked.in(f.words) {
				strength = Suspicious
			}
			c.Findings = append(c.Findings, found(&rule.head, strength, "", f))
		}
	}
	for i := range r.file.Relations {
		c.Findings = append(c.Findings, r.file.Relations[i].find(facts, together, &r.patterns)...)
	}
	r.cover(c, facts)
	return c
}

// found returns a finding of a rule. note is the result of a relation.
func found(h *head, strength Strength, note string, facts ...*fact) Finding {
	f := Finding{Rule: h.ID, Strength: strength, kind: h.Kind, facts: facts}
	for _, one := range facts {
		f.Facts = append(f.Facts, one.ids()...)
	}
	f.Quote = h.Name
	if note != "" {
		f.Quote += ", " + note
	}
	what := "rule " + h.ID
	if h.Technique != "" {
		what += ", " + h.Technique
	}
	f.Quote += fmt.Sprintf(" (%s): %s", what, facts[0].quote())
	return f
}

// quote formats a fact, or the parts of an event, in a line.
func (f *fact) quote() string {
	at := f.At.Format("2006-01-02 15:04")
	text := fmt.Sprintf("%s %s at %s: %s = %s", f.ID, f.Entity, at, f.Field, f.Value)
	for _, part := range f.parts[min(1, len(f.parts)):] {
		text += fmt.Sprintf("; %s: %s = %s", part.ID, part.Field, part.Value)
	}
	return plain.Clip(plain.Line(text), maxQuote)
}

// maxQuote bounds the quote of a fact, in characters.
const maxQuote = 240

// cover adds the covers of each finding, and lists those that are tied to none.
func (r *Rules) cover(c *Case, facts []*fact) {
	explains := map[string]bool{}
	var untied []Cover
	for i := range r.file.Covers {
		rule := &r.file.Covers[i]
		for _, f := range facts {
			if !anyHolds(rule.When, f) || r.denied(f, facts) {
				continue
			}
			one := Cover{
				Rule: rule.ID, Fact: f.ID, Quote: fmt.Sprintf("%s (rule %s): %s", rule.Name, rule.ID, f.quote()),
			}
			untied = append(untied, one)
			for j := range c.Findings {
				if found := &c.Findings[j]; r.explains(rule, f, found, facts) {
					found.Covers = append(found.Covers, one)
					explains[f.ID] = true
				}
			}
		}
	}
	for _, f := range facts {
		if !anyHolds(r.file.Authorized, f) || r.denied(f, facts) {
			continue
		}
		said := Cover{Fact: f.ID, Quote: "an authorization: " + f.quote()}
		untied = append(untied, said)
		for j := range c.Findings {
			// It is not tied to the act, but they overlap in time: nobody can say that it is another one.
			one := &c.Findings[j]
			isWithin := !slices.ContainsFunc(one.facts, func(act *fact) bool { return act == f || !f.includes(act.At) })
			if isWithin && !f.from.IsZero() && !f.to.IsZero() && len(one.Covers) == 0 && one.Strength == Conclusive {
				one.Strength, one.Near = Suspicious, &said
			}
		}
	}
	listed := map[string]bool{}
	for _, one := range untied {
		isAct := slices.ContainsFunc(c.Findings, func(f Finding) bool { return slices.Contains(f.Facts, one.Fact) })
		if !explains[one.Fact] && !listed[one.Fact] && !isAct {
			listed[one.Fact] = true
			c.Untied = append(c.Untied, one)
		}
	}
}

// denied reports whether a person denies the ticket of a cover.
func (r *Rules) denied(cover *fact, facts []*fact) bool {
	return slices.ContainsFunc(facts, func(f *fact) bool {
		return f != cover && f.SourceType == ledger.SourceManual && r.denials.in(f.words) &&
			tied(sameTicket, cover, f, nil)
	})
}

// explains reports whether a fact explains a finding: the cover applies to its kind, the stated time window
// includes it, and they are tied.
func (r *Rules) explains(rule *cover, f *fact, one *Finding, facts []*fact) bool {
	switch {
	case slices.Contains(one.Facts, f.ID),
		!slices.Contains(rule.Explains, "*") && !slices.Contains(rule.Explains, one.kind),
		rule.About && !r.about[one.kind].in(f.words):
		return false
	}
	return !slices.ContainsFunc(one.facts, func(act *fact) bool {
		return !f.includes(act.At)
	}) && slices.ContainsFunc(rule.Tie, func(by tie) bool { return tied(by, f, one.facts[0], facts) })
}

// includes reports whether the time window that a fact states, if any, includes a moment.
func (f *fact) includes(at time.Time) bool {
	return (f.from.IsZero() || !at.Before(f.from.Add(-slack))) && (f.to.IsZero() || !at.After(f.to.Add(slack)))
}

func tied(how tie, cover, act *fact, facts []*fact) bool {
	switch how {
	case sameHost:
		return slices.ContainsFunc(act.ends, func(end string) bool { return cover.names[end] })
	case sameAccount:
		return slices.ContainsFunc(actors(act, facts), func(account string) bool { return cover.names[account] })
	case sameTicket:
		for name := range cover.names {
			letters := strings.TrimRight(name, "0123456789")
			isTicket := len(name)-len(letters) > 1 && strings.Trim(letters, "abcdefghijklmnopqrstuvwxyz-") == ""
			if act.names[name] && isTicket {
				return true
			}
		}
	case anyTie:
		return !cover.from.IsZero() || !cover.to.IsZero()
	}
	return false
}

// Tied returns those of the cited facts that are tied to a claim as a cover is tied to a finding: they are among its
// facts, or name the same entity, account, host or ticket, or state a time window that includes one. A claim
// without facts rests on the whole packet, so that every fact is tied to it.
func Tied(p *ledger.Packet, cited, claim []string) []string {
	if len(claim) == 0 {
		return cited
	}
	times := newTimes()
	var all, acts []*fact
	byID := map[string]*fact{}
	for _, f := range p.All() {
		one := readFact(&f, &times)
		all, byID[f.ID] = append(all, one), one
		if slices.Contains(claim, f.ID) {
			acts = append(acts, one)
		}
	}
	return lists.Filter(cited, func(id string) bool {
		f := byID[id]
		return f != nil && slices.ContainsFunc(acts, func(act *fact) bool {
			isWithin := !f.from.IsZero() && !f.to.IsZero() && f.includes(act.At)
			return f == act || isWithin || tied(sameHost, f, act, all) || tied(sameAccount, f, act, all) ||
				tied(sameTicket, f, act, all)
		})
	})
}

// actors returns the accounts that act in a fact. If it names none, it returns those of the last logon to its
// host within two hours.
func actors(act *fact, facts []*fact) []string {
	if len(act.accounts) > 0 {
		return act.accounts
	}
	var last *fact
	for _, f := range facts {
		if slices.ContainsFunc(f.accounts, func(account string) bool { return slices.Contains(act.ends, account) }) {
			// The fact is about an account.
			return act.ends
		}
		isLogon := f.SourceType == ledger.SourceAuthLog && len(f.accounts) > 0 && slices.Contains(f.ends, act.ends[0])
		isRecent := !f.At.After(act.At) && act.At.Sub(f.At) <= 2*time.Hour
		if isLogon && isRecent && (last == nil || f.At.After(last.At)) {
			last = f
		}
	}
	if last == nil {
		return nil
	}
	return last.accounts
}

// Left returns the findings of a strength without a cover.
func (c *Case) Left(strength Strength) []Finding {
	return lists.Filter(c.Findings, func(f Finding) bool { return len(f.Covers) == 0 && f.Strength == strength })
}

// The confidences of the sides.
const (
	sure   = 0.9
	half   = 0.55
	unsure = 0.5
	low    = 0.3
	hardly = 0.1
)

// Confidence returns how confident a side is in its answer to the question. If no rule names a fact, neither
// side is: not knowing is no explanation.
func (c *Case) Confidence(seat state.Seat) float64 {
	architect, skeptic := hardly, sure // Every finding is covered.
	switch {
	case len(c.Left(Conclusive)) > 0:
		architect, skeptic = sure, hardly
	case len(c.Left(Suspicious)) > 0:
		architect, skeptic = half, unsure
	case len(c.Findings) == 0:
		architect, skeptic = low, unsure
	}
	if seat == judge.Architect {
		return architect
	}
	return skeptic
}

// Check returns how confident a side is that checks what the other side, which is not filled by rules, cites: one
// list of fact ids for each of its claims. The skeptic is sure only if each of these claims cites a finding, and
// every finding that is cited is covered. A side to which the rules say nothing about the claims is unsure.
func (c *Case) Check(seat state.Seat, claims [][]string) float64 {
	switch {
	case len(c.Left(Conclusive)) > 0, seat == judge.Architect && len(c.Findings) > 0:
		return c.Confidence(seat)
	case seat == judge.Architect || len(claims) == 0:
		return unsure
	}
	for _, cited := range claims {
		about := c.about(cited)
		if len(about) == 0 || slices.ContainsFunc(about, func(f Finding) bool { return len(f.Covers) == 0 }) {
			return unsure
		}
	}
	return sure
}

// About returns the case without the findings that no cited fact shows.
func (c *Case) About(cited []string) *Case {
	about := *c
	about.Findings = c.about(cited)
	return &about
}

func (c *Case) about(cited []string) []Finding {
	return lists.Filter(c.Findings, func(f Finding) bool {
		return slices.ContainsFunc(f.Facts, func(id string) bool { return slices.Contains(cited, id) })
	})
}

// Claim is a claim of a side about the packet.
type Claim struct {
	Text string
	// Facts lists the ids of the facts that it rests on, or WholePacket.
	Facts      []string
	Confidence float64
}

// WholePacket stands for all facts, in the claim that nothing was found.
const WholePacket = "*"

// Claims returns the claims of a side, at most one for each rule.
func (c *Case) Claims(seat state.Seat) []Claim {
	if seat == judge.Architect {
		untied := c.untied()
		return append(c.leftClaims(Conclusive, untied, sure),
			c.leftClaims(Suspicious, untied, half)...)
	}
	if len(c.Findings) == 0 {
		return []Claim{c.Unknown()}
	}
	var claims []Claim
	at := map[string]int{}
	for _, f := range c.Findings {
		for _, cover := range f.Covers {
			key := cover.Rule + " " + cover.Fact
			if _, known := at[key]; !known {
				at[key] = len(claims)
				text := cover.Quote + "; explains " + f.Rule
				claims = append(claims, Claim{Text: text, Facts: []string{cover.Fact}, Confidence: sure})
			}
			one := &claims[at[key]]
			one.Facts = append(one.Facts, f.Facts...)
		}
	}
	if len(c.Left(Conclusive)) > 0 {
		return claims
	}
	return append(claims, c.leftClaims(Suspicious, "", unsure)...)
}

// Unknown returns the claim that no rule names a fact, which supports neither side.
func (c *Case) Unknown() Claim {
	text := fmt.Sprintf("no finding (rule no-finding): none of the %s of the domain %s names any of the %s of the "+
		"packet, so the rules cannot answer the question", plain.Counted(c.Rules, "rule"), c.domain,
		plain.Counted(c.Facts, "fact"))
	return Claim{Text: text, Facts: []string{WholePacket}, Confidence: unsure}
}

// mostUntied bounds the explanations that a claim lists.
const mostUntied = 5

// untied returns a clause that says that no rule explains a finding, and lists the explanations that are tied to
// no finding.
func (c *Case) untied() string {
	text := fmt.Sprintf("; no rule of the domain %s ties any of the %s to it as an explanation", c.domain,
		plain.Counted(c.Facts, "fact"))
	if len(c.Untied) == 0 {
		return text
	}
	listed := lists.Map(c.Untied[:min(len(c.Untied), mostUntied)], func(one Cover) string { return one.Quote })
	text += "; explanations that are not tied to any finding: " + strings.Join(listed, "; ")
	if more := len(c.Untied) - mostUntied; more > 0 {
		text += fmt.Sprintf("; %d more", more)
	}
	return text
}

// leftClaims returns a claim for each rule of a strength with findings that are left.
func (c *Case) leftClaims(strength Strength, says string, confidence float64) []Claim {
	var claims []Claim
	at := map[string]int{}
	for _, f := range c.Left(strength) {
		if n, known := at[f.Rule]; known {
			claims[n].Facts = append(claims[n].Facts, f.Facts...)
			continue
		}
		at[f.Rule] = len(claims)
		text := f.Quote + says
		switch {
		case f.Near != nil:
			text += "; it counts as suspicious, since " + f.Near.Fact + " states an authorization at its time"
		case strength == Suspicious:
			text += "; it is only suspicious on its own"
		}
		claims = append(claims, Claim{Text: text, Facts: slices.Clone(f.Facts), Confidence: confidence})
	}
	return claims
}

// Against returns facts that contradict a claim that cites facts: covers of its findings or, for a claim of the
// skeptic, findings without a cover. The quote says why; it is "" if there are no such facts.
func (c *Case) Against(by state.Seat, cited []string) (facts []string, quote string) {
	for _, f := range c.Findings {
		reads := slices.ContainsFunc(f.Facts, func(id string) bool { return slices.Contains(cited, id) })
		switch {
		case by == judge.Architect && reads && len(f.Covers) > 0:
			facts = append(facts, f.Covers[0].Fact)
			quote = cmp.Or(quote, f.Covers[0].Quote)
		case by == judge.Skeptic && len(f.Covers) == 0 && f.Strength == Conclusive &&
			(reads || slices.Contains(cited, WholePacket)):
			facts = append(facts, f.Facts...)
			quote = cmp.Or(quote, f.Quote)
		}
	}
	slices.Sort(facts)
	return slices.Compact(facts), quote
}

// Reads reports whether a rule matches one of the facts.
func (c *Case) Reads(cited []string) bool {
	for _, f := range c.Findings {
		for _, id := range cited {
			if slices.Contains(f.Facts, id) ||
				slices.ContainsFunc(f.Covers, func(cover Cover) bool { return cover.Fact == id }) {
				return true
			}
		}
	}
	return false
}
