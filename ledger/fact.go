// Package ledger holds the facts of a session with their provenance, evidence on its three scales, packets of facts,
// and the hash chain that joins the lines of a session file. It is pure. Start at Fact, Evidence and Packet.
package ledger

import (
	"slices"
	"strings"
	"unicode"
)

// Tag is the provenance of a fact (LE2).
type Tag string

// The tags. An unverified fact is shown with its seat's name, as in
// "consultee-unverified".
const (
	// TagUser is a statement of the user, which is authoritative.
	TagUser Tag = "user"
	// TagVerified was checked; the fact carries the reference.
	TagVerified Tag = "verified"
	// TagUnverified is a seat's hypothesis.
	TagUnverified Tag = "unverified"
	// TagRevision records that a position changed, or that a change was refused.
	TagRevision Tag = "revision"
	// TagEarlier is a point of an earlier session, which the user took in. It binds nobody. The fact carries the session and
	// the point.
	TagEarlier Tag = "earlier"
)

// Tags returns every Tag.
func Tags() []Tag { return []Tag{TagUser, TagVerified, TagUnverified, TagRevision, TagEarlier} }

// Fact is a ledger entry F1, F2, …; entries are only ever added (LE1).
type Fact struct {
	ID  string `json:"id"`
	Tag Tag    `json:"tag"`
	// Seat is the author; it completes the tag of an unverified fact.
	Seat string `json:"seat"`
	// Text is verbatim (LE6).
	Text string `json:"text"`
	// Reference is the source of a verified fact, or the session and the point of an earlier one.
	Reference string `json:"reference"`
	// Supersedes is the fact that this one takes out of the live set, or "".
	Supersedes string `json:"supersedes"`
	Round      int    `json:"round"`
	// Seq is the place of the event that recorded it.
	Seq int `json:"-"`
	// Live is false once another fact supersedes this one.
	Live bool `json:"live"`
	// Evaluated is set once an unverified fact was verified, dismissed or
	// listed at synthesis (LE5).
	Evaluated bool `json:"evaluated"`
	// Predicates are the statements of the text that code can compare.
	Predicates []Predicate `json:"-"`
	// Conflicts are the live facts of the user that exclude this one, as long as the user has not said which holds.
	Conflicts []string `json:"-"`
	// about and negated are the Polarity of the text of a fact of the user.
	about   string
	negated bool
}

// Read reads what the text of a fact of the user states. given is used if the text states nothing that code can
// compare.
func (f *Fact) Read(given *Predicate) {
	f.Predicates = ParsePredicates(f.Text)
	if len(f.Predicates) == 0 && given != nil {
		f.Predicates = []Predicate{*given}
	}
	f.about, f.negated = Polarity(f.Text)
}

// Binds reports whether the fact is the user's, is live, and no other fact of the user's excludes it.
func (f *Fact) Binds() bool { return f.Live && f.Tag == TagUser && len(f.Conflicts) == 0 }

// Label is the tag as shown: "user", "verified: path:3", "consultee-unverified",
// "revision", "earlier: 20261121-153045-k3f9 P3".
func (f *Fact) Label() string {
	switch f.Tag {
	case TagVerified:
		if f.Reference == "" {
			return "verified"
		}
		return "verified: " + f.Reference
	case TagUnverified:
		return f.Seat + "-unverified"
	case TagEarlier:
		return "earlier: " + f.Reference
	case TagUser, TagRevision:
		return string(f.Tag)
	}
	return string(f.Tag)
}

// MaySupersede reports whether a fact of tag newer may take one of tag older
// out of the live set (LE3): only a user fact supersedes a user fact, and an
// unverified fact supersedes neither user nor verified ones.
func MaySupersede(newer, older Tag) bool {
	switch older {
	case TagUser:
		return newer == TagUser
	case TagVerified:
		return newer == TagUser || newer == TagVerified
	case TagUnverified, TagRevision, TagEarlier:
		return true
	}
	return false
}

// InName reports whether a rune belongs to a name or a plain value: retries, max_size, v1.2.
func InName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r)
}

// Normalized prepares a text for comparison (RD2): lower case, no punctuation at the ends of words, single spaces.
func Normalized(text string) string {
	words := strings.Fields(strings.ToLower(text))
	kept := words[:0]
	for _, word := range words {
		if word = strings.TrimFunc(word, unicode.IsPunct); word != "" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// negations are words that turn a statement into its opposite, each with the word that is left without them, or "". The
// apostrophe of a contraction is removed.
var negations = map[string]string{ //nolint:gochecknoglobals // a table
	"not": "", "never": "", "no": "", "without": "with", "cannot": "can", "cant": "can", "wont": "will",
	"shant": "shall",
	"isnt":  "is", "arent": "are", "wasnt": "was", "werent": "were", "hasnt": "has", "havent": "have", "hadnt": "had",
	"doesnt": "", "dont": "", "didnt": "", "wouldnt": "would", "shouldnt": "should", "couldnt": "could",
	"mustnt": "must",
	"neednt": "need", "nicht": "", "kein": "ein", "keine": "eine", "niet": "", "geen": "een", "pas": "", "non": "",
	"não": "", "не": "", "nie": "",
}

// fillers are words that come and go with a negation: "does not hold" and "holds", "there is no cache" and "a cache".
var fillers = strings.Fields("a an the any do does did ne") //nolint:gochecknoglobals // a table

// Polarity returns what a statement is about, without its negations, and whether the number of these is odd. Two texts
// that are about the same and differ in it deny each other.
func Polarity(text string) (about string, negated bool) {
	var words []string
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		word = strings.NewReplacer("'", "", "’", "").Replace(strings.TrimFunc(word, unicode.IsPunct))
		if bare, is := negations[word]; is {
			word, negated = bare, !negated
		}
		if word == "" || slices.Contains(fillers, word) {
			continue
		}
		if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
			// The plural, or the third person of a verb.
			word = word[:len(word)-1]
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), negated
}

// Excludes reports whether two facts of the user cannot both hold: their predicates exclude each other, or their texts
// differ by a negation alone.
func (f *Fact) Excludes(other *Fact) bool {
	if found, _, _ := Conflicts(f.Predicates, other.Predicates); found == CertainConflict {
		return true
	}
	return f.about == other.about && f.negated != other.negated && strings.Contains(f.about, " ")
}

// Against returns what a text says against the fact, or "".
func (f *Fact) Against(text string) string {
	for i := range f.Predicates {
		if says := f.Predicates[i].Against(text); says != "" {
			return says
		}
	}
	return ""
}
