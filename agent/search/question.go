package search

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxTerms bounds how many different words of a question are sought: a set of them
	// fits 32 bits.
	maxTerms = 32
	// maxQuestion is how much of a question is read, in bytes.
	maxQuestion = 16 << 10
)

// The words that ask nothing, those that are used of nearly everything (they are sought,
// but need not be found), and forms of one word that no ending tells.
const (
	stopWords = `a about above across actually after again against all along already also although always am among an
	and another any anyone anything are aren around as ask at away be became because become been before behind being below best
	better between both but by can cannot could couldn did didn do does doesn doing don done down during each either else ever
	every everything exactly explain few find for from further get gets give given gives go goes going good got had has have
	having he help hence her here him his how however i if in instead into is isn it its itself just know known let lets like
	likely look made make makes making many may maybe me mean means might more most much must my need needed needs neither never
	no nor not now of off often on once one only onto or other others otherwise our out over own per perhaps please possible put
	quite rather really same say says see seem seems shall she should show shows since so some somehow someone something
	somewhere still such sure take taken takes tell than that the their them then there therefore these they thing things think
	this those though through thus to together too toward turn turns under until up upon us use used uses using vs versus very
	via want wants was way ways we well went were what whatever when whenever where wherever whether which while who whom whose
	why will with within without won would wouldn yes yet you your repo repository codebase project program currently`

	weakWords = `code file files function functions method methods class classes type types struct variable variables
	constant constants field fields module package packages defined define defines definition declared declare implemented
	implement implements implementation located live lives work works working happen happens handle handles handled handling
	default value values set sets call calls called number amount kind part system behavior decide decides determine determines
	chosen choose correct correctly safe right wrong bug problem issue new exist exists long large big small often fast free`

	irregularWords = `keep kept|send sent|build built|run ran|write wrote written|hold held|lose lost|break broke broken|
	throw threw thrown|hide hidden|bind bound|catch caught|begin began begun|find found|take took taken|give gave given|grow grew grown|
	choose chose chosen|feed fed|sleep slept|wake woke|freeze froze frozen|postgres postgresql|kubernetes k8s|javascript js|
	typescript ts|python py|golang go|index indices|authenticate auth|authorize auth|configuration config|repository repo|
	delete remove deleted removed|maximum max|minimum min|directory folder dir`
)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// wordGroups maps the stem of each word to the stems of its group.
func wordGroups(text string) map[string][]string {
	groups := map[string][]string{}
	for group := range strings.SplitSeq(text, "|") {
		var stems []string
		for word := range strings.FieldsSeq(group) {
			stems = append(stems, stemOf(word))
		}
		for _, s := range stems {
			groups[s] = stems
		}
	}
	return groups
}

// stemOf returns the part that all forms of a lower-case word share.
func stemOf(word string) string { return string(root(stem([]byte(word)))) }

// term is one word or identifier that a question asks about.
type term struct {
	// stems are the word's own and those of its irregular forms. An identifier has joined
	// instead: its letters in lower case, without separators.
	stems  []string
	joined string
	weight float64
	// optional says that a passage may do without it.
	optional bool
}

// query is a question as the search reads it.
type query struct {
	terms    []term
	mentions []mention
}

// mention is a file or folder that a question names, and a line in it or 0.
type mention struct {
	path string
	line int
}

// readQuestion takes the words, identifiers and paths out of a question.
func readQuestion(text string) *query {
	q := &query{}
	stop, weak, irregular := wordSet(stopWords), wordSet(weakWords), wordGroups(irregularWords)
	text = text[:min(len(text), maxQuestion)]
	for field := range strings.FieldsSeq(text) {
		name := strings.Trim(field, "\"'`“”‘’()[]{}<>,;:!?.")
		file, line, numbered := strings.Cut(name, ":")
		number := 0
		if numbered {
			line, _, _ = strings.Cut(line, "-")
			number, _ = strconv.Atoi(line)
		}
		if strings.ContainsAny(file, "/.") && len(file) > 3 && path.Clean(file) != "." {
			q.mentions = append(q.mentions, mention{strings.TrimPrefix(path.Clean(file), "/"), number})
		}
	}
	line := []byte(text)
	parts := splitWords(nil, line)
	for i := 0; i < len(parts); {
		j := i
		for j < len(parts) && parts[j].word == parts[i].word {
			j++
		}
		if j-i > 1 && !strings.Contains(string(line[parts[i].start:parts[j-1].end]), "-") {
			joined := ""
			for _, p := range parts[i:j] {
				joined += strings.ToLower(string(line[p.start:p.end]))
			}
			q.add(term{joined: joined, weight: 1.5})
		}
		for _, p := range parts[i:j] {
			word := strings.ToLower(string(line[p.start:p.end]))
			if stop[word] || len(word) < 2 {
				continue
			}
			t := term{weight: 1, optional: j-i > 1 && !strings.Contains(string(line[parts[i].start:parts[j-1].end]), "-")}
			t.stems = append([]string{stemOf(word)}, irregular[stemOf(word)]...)
			if weak[word] {
				t.weight, t.optional = 0.4, true
			}
			q.add(t)
		}
		i = j
	}
	return q
}

// add takes a term that is not there yet.
func (q *query) add(t term) {
	for i := range q.terms {
		known := &q.terms[i]
		if t.joined != "" && t.joined == known.joined || t.joined == "" && len(known.stems) > 0 && known.stems[0] == t.stems[0] {
			return
		}
	}
	if len(q.terms) < maxTerms {
		q.terms = append(q.terms, t)
	}
}

// names reports whether the question names a file: by its path, the end of it, or its
// base name.
func (q *query) names(file string) bool {
	return slices.ContainsFunc(q.mentions, func(m mention) bool {
		return m.path == file || strings.HasSuffix(file, "/"+m.path) || strings.HasPrefix(file, m.path+"/")
	})
}

// leadsTo reports whether the question names a path or something below it.
func (q *query) leadsTo(name string) bool {
	return q.names(name) || slices.ContainsFunc(q.mentions, func(m mention) bool { return strings.HasPrefix(m.path, name+"/") })
}

// line is the line of a file that the question names, or 0.
func (q *query) line(file string) int {
	for _, m := range q.mentions {
		if m.line > 0 && (m.path == file || strings.HasSuffix(file, "/"+m.path)) {
			return m.line
		}
	}
	return 0
}
