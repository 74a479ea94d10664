package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/recheck"
	"moot/search"
	"moot/state"
	"moot/state/store"
	"moot/tui/home"
)

const (
	// maxEarlier is the most claims that are offered, maxRechecked the most sessions whose evidence is checked for that.
	maxEarlier   = 5
	maxRechecked = 5
	// earlierTime is how long the look for earlier decisions may take.
	earlierTime = 2 * time.Second
	// allEarlier is the value of --earlier without one.
	allEarlier = "all"
)

// earlierClaim is an agreed claim of a finished session of the same repository that fits a question.
type earlierClaim struct {
	session, id string
	at          time.Time
	text        string
	// places are the evidence that its ruling rests on, as it is today.
	places []string
	// changed says what became of the evidence, or is "" if it holds.
	changed string
}

// name is how a claim is named with --earlier.
func (e *earlierClaim) name() string { return e.session + ":" + e.id }

// fact is the event that takes it in. It binds nobody.
func (e *earlierClaim) fact() *state.FactRecorded {
	return &state.FactRecorded{
		Tag: ledger.TagEarlier, Seat: state.User, Reference: e.session + " " + e.id,
		Text: e.text + " (agreed then; rests on " + strings.Join(e.places, ", ") + ")",
	}
}

// earlierOptions is the flag --earlier.
type earlierOptions struct {
	// offer says that someone at a terminal is asked.
	offer bool
	taken []string
}

func (o *earlierOptions) flags(cmd *cobra.Command) {
	group(cmd, "Question", func(f *pflag.FlagSet) {
		f.StringSliceVar(&o.taken, "earlier", nil, "take in what earlier sessions of the repository agreed on, if it fits the "+
			"question and its evidence still holds, as facts that bind nobody: all of it, or only `ID:P3`")
		f.Lookup("earlier").NoOptDefVal = allEarlier
	})
}

// take looks for earlier decisions, offers them, and returns the facts that were taken in.
func (o *earlierOptions) take(ctx context.Context, c *Console, opened *state.SessionOpened, say func(string)) ([]*state.FactRecorded, error) {
	asks := o.offer && c.InTerminal && c.ErrTerminal
	if len(o.taken) == 0 && !asks {
		return nil, nil
	}
	if opened.Settings.Workspace == "" && len(o.taken) > 0 {
		return nil, in("earlier", usage("--earlier looks for sessions of the same workspace, and --no-workspace was given"))
	}
	claims, partial, err := c.earlier(ctx, opened.Question, opened.Settings.Workspace, opened.Settings.Follows)
	if err != nil {
		if len(o.taken) == 0 {
			say("note       earlier decisions could not be looked for: " + cause(err))
			return nil, nil
		}
		return nil, in("earlier", err)
	}
	if partial {
		say("note       " + partialEarlier)
	}
	holds := lists.Filter(claims, func(e earlierClaim) bool { return e.changed == "" })
	if len(holds) > 0 {
		say("earlier    sessions on this repository agreed on " + plain.Counted(len(holds), "claim") +
			" that may fit; the evidence still holds:")
	}
	for i := range holds {
		e := &holds[i]
		say(fmt.Sprintf("  %d) %s (%s; %s, %s)", i+1, plain.Line(clip(e.text)), plain.Line(strings.Join(e.places, ", ")), e.name(),
			ago(c.Now().Sub(e.at))))
	}
	for i := range claims {
		if e := &claims[i]; e.changed != "" {
			say(fmt.Sprintf("earlier    %s was decided, evidence changed: %s (%s)", e.name(), plain.Line(clip(e.text)),
				plain.Line(e.changed)))
		}
	}
	switch {
	case len(o.taken) == 0 && len(holds) > 0:
		holds = c.chooseEarlier(holds)
	case len(o.taken) == 0:
		holds = nil
	case !slices.Contains(o.taken, allEarlier):
		for _, name := range o.taken {
			if !slices.ContainsFunc(holds, func(e earlierClaim) bool { return strings.EqualFold(e.name(), name) }) {
				return nil, in("earlier", usage("--earlier %s is not among the claims that fit and whose evidence holds%s", name,
					named(holds)))
			}
		}
		holds = lists.Filter(holds, func(e earlierClaim) bool {
			return slices.ContainsFunc(o.taken, func(name string) bool { return strings.EqualFold(e.name(), name) })
		})
	case len(holds) == 0:
		say("earlier    found no agreed claim of an earlier session on this repository that fits the question and whose evidence is " +
			"known to hold")
	}
	return lists.Map(holds, func(e earlierClaim) *state.FactRecorded { return e.fact() }), nil
}

// partialEarlier says that earlier returned a part.
const partialEarlier = "not all earlier sessions, or not all of their claims, were looked at for decisions that fit"

func ago(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return home.Age(d) + " ago"
}

func named(claims []earlierClaim) string {
	if len(claims) == 0 {
		return "; there is none"
	}
	return ": " + strings.Join(lists.Map(claims, func(e earlierClaim) string { return e.name() }), ", ")
}

// chooseEarlier asks which claims to take in.
func (c *Console) chooseEarlier(claims []earlierClaim) []earlierClaim {
	for {
		c.Say("take in    which of them, as facts that bind nobody? a for all, or %s; enter for none", numbersTo(len(claims)))
		line, err := c.readLine()
		if err != nil && line == "" {
			return nil // The end of the input is an answer, too.
		}
		line = strings.ToLower(strings.TrimSpace(line))
		if line == "a" || line == "all" {
			return claims
		}
		var chosen []earlierClaim
		valid := true
		for _, field := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' }) {
			n := 0
			if _, err := fmt.Sscan(field, &n); err != nil || n < 1 || n > len(claims) {
				valid = false
				break
			}
			chosen = append(chosen, claims[n-1])
		}
		if valid {
			return chosen
		}
	}
}

func numbersTo(n int) string {
	if n == 1 {
		return "1"
	}
	return fmt.Sprintf("numbers such as 1 or 1 2, up to %d", n)
}

// earlier returns at most maxEarlier agreed claims of finished sessions on the repository that fit a question, those whose
// evidence holds first. A claim whose evidence cannot be checked, or that has none, is left out.
//
// partial says that sessions were left out: they were not read in time, or more fit than are checked.
func (c *Console) earlier(
	ctx context.Context, question, workspace string, follows *state.Earlier,
) (claims []earlierClaim, partial bool, err error) {
	dir, err := c.sessions()
	if err != nil || workspace == "" {
		return nil, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, earlierTime)
	defer cancel()
	tokens := telling(question)
	// Longer questions say more than what they ask.
	tokens = tokens[:min(len(tokens), 40)]
	if len(tokens) == 0 {
		return nil, false, nil
	}
	found, err := search.Open(dir, c.rules()...).Find(ctx, search.Query{
		Words: strings.Join(tokens, " ") + " ", Any: true, Bucket: state.BucketAgreed, Limit: 200, Patience: earlierTime / 2,
	})
	if err != nil {
		return nil, false, err
	}
	partial = found.Missing > 0 || found.More || len(found.Unread) > 0
	places := placesOf(workspace)
	same := map[string]bool{}
	var sessions []string
	wanted := map[string]search.Hit{}
	for _, hit := range found.Hits {
		finished := hit.Status == store.StatusFinished || hit.Status == store.StatusInconclusive
		if !finished || hit.Place == "" || hit.Place != hit.Point || follows != nil && follows.ID == hit.Session {
			continue
		}
		if _, known := same[hit.Workspace]; !known {
			same[hit.Workspace] = hit.Workspace != "" && sameRepository(places, hit.Workspace)
		}
		if !same[hit.Workspace] {
			continue
		}
		if !slices.Contains(sessions, hit.Session) {
			if len(sessions) == maxRechecked {
				partial = true
				continue
			}
			sessions = append(sessions, hit.Session)
		}
		wanted[hit.Session+":"+hit.Point] = hit
	}
	for _, id := range sessions {
		some, err := c.recheckEarlier(ctx, id, tokens, wanted)
		if err != nil {
			return nil, false, err
		}
		claims = append(claims, some...)
	}
	// A check that ran out of time counts as one that cannot be made.
	partial = partial || ctx.Err() != nil
	slices.SortStableFunc(claims, func(a, b earlierClaim) int {
		rank := func(e earlierClaim) int {
			if e.changed != "" {
				return 1
			}
			return 0
		}
		return cmp.Or(rank(a)-rank(b), b.at.Compare(a.at))
	})
	// What several sessions agreed on is offered once, as the latest of those has it whose evidence holds, or changed.
	type offer struct {
		text    string
		changed bool
	}
	known := map[offer]bool{}
	claims = slices.DeleteFunc(claims, func(e earlierClaim) bool {
		o := offer{ledger.Normalized(e.text), e.changed != ""}
		again := known[o]
		known[o] = true
		return again
	})
	return claims[:min(len(claims), maxEarlier)], partial || len(claims) > maxEarlier, nil
}

// recheckEarlier checks the evidence of a session, and returns those of its claims that are wanted and fit.
func (c *Console) recheckEarlier(
	ctx context.Context, id string, tokens []string, wanted map[string]search.Hit,
) (claims []earlierClaim, err error) {
	s, err := read(c, id)
	if err != nil || !s.state.Closed {
		// Another process may have removed or continued it since the search.
		return nil, nil //nolint:nilerr // what is not there is not offered
	}
	o := &recheckOptions{console: c}
	result, err := o.session(ctx, s)
	if err != nil {
		return nil, err
	}
	for i := range result.Points {
		p := &result.Points[i]
		hit, is := wanted[id+":"+p.ID]
		if !is || p.Bucket != state.BucketAgreed || !fits(tokens, p.Text) {
			continue
		}
		e := earlierClaim{session: id, id: p.ID, at: hit.UpdatedAt, text: p.Text}
		for j := range p.Evidence {
			item := &p.Evidence[j]
			if !item.Rests {
				continue
			}
			place := item.Cited
			if item.Word == recheck.Moved && item.Now != "" {
				place = item.Now
			}
			e.places = append(e.places, place)
			if item.Word == recheck.Changed || item.Word == recheck.Gone {
				e.changed = cmp.Or(e.changed, item.Cited+" "+string(item.Word))
			}
		}
		switch {
		case len(e.places) == 0:
		case e.changed != "", p.Word == recheck.Holds, p.Word == recheck.Moved:
			claims = append(claims, e)
		}
	}
	return claims, nil
}

// telling returns the tokens of a text that say what it is about: not the words that any question has.
func telling(text string) []string {
	return lists.Filter(search.Tokens(text), func(token string) bool {
		if token[0] >= utf8.RuneSelf {
			return utf8.RuneCountInString(token) > 1
		}
		return len(token) > 2 && !common[token]
	})
}

// fits reports whether a claim shares enough words with a question: two, or all that it has.
func fits(tokens []string, claim string) bool {
	shared := 0
	words := telling(claim)
	for _, word := range words {
		if slices.ContainsFunc(tokens, func(token string) bool { return stem(token) == stem(word) }) {
			shared++
		}
	}
	return shared >= 2 || shared > 0 && shared == len(words)
}

// stem takes the common endings off an English word, so that "retries" is "retry" and "limited" is "limit".
func stem(word string) string {
	for _, ending := range [...][2]string{
		{"ies", "y"}, {"ied", "y"}, {"ing", ""}, {"ed", ""}, {"es", ""}, {"s", ""}, {"e", ""},
	} {
		if rest, is := strings.CutSuffix(word, ending[0]); is && len(rest) > 2 {
			return rest + ending[1]
		}
	}
	return word
}

// common are words of questions that say nothing of their subject.
var common = map[string]bool{ //nolint:gochecknoglobals // a table
	"about": true, "and": true, "any": true, "are": true, "because": true, "been": true, "best": true, "better": true, "between": true,
	"but": true, "can": true, "could": true, "did": true, "does": true, "each": true, "for": true, "from": true, "had": true,
	"has": true, "have": true, "how": true, "into": true, "its": true, "make": true, "may": true, "more": true, "most": true,
	"much": true, "must": true, "need": true, "not": true, "now": true, "one": true, "only": true, "our": true, "out": true,
	"should": true, "some": true, "such": true, "than": true, "that": true, "the": true, "their": true, "then": true,
	"there": true, "they": true, "this": true, "use": true, "used": true, "using": true, "was": true, "well": true, "were": true,
	"what": true, "when": true, "where": true, "which": true, "who": true, "why": true, "will": true, "with": true,
	"without": true, "would": true, "you": true, "your": true,
}
