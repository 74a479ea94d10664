package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/report"
	"moot/resolver"
	"moot/state"
)

// pages are sessions of all formats, by name, and one that has only begun.
func pages(t testing.TB) map[string][]state.Event {
	t.Helper()
	all := map[string][]state.Event{
		"consult": protocoltest.Dispute(t).Events, "consult-buckets": protocoltest.EveryBucket(t).Events,
		"council": protocoltest.CouncilTable(t).Events, "dialectic": protocoltest.ProposalTable(t).Events,
		"hearing": protocoltest.HearingTable(t).Events, "panel": protocoltest.PanelOfThree(t).Events,
	}
	opened := protocoltest.NewRecord(t)
	opened.Add(protocoltest.ConsultOpened())
	all["opened"] = opened.Events
	if test, ok := t.(*testing.T); ok {
		all["review"] = longestReview(test)
	}
	return all
}

// longestReview is the longest session of the scenarios of the format review.
func longestReview(t *testing.T) (longest []state.Event) {
	t.Helper()
	dir := filepath.Join("..", "protocol", "review", "testdata", "scenarios")
	protocoltest.Scenarios(t, review.Name, dir, func(_ *testing.T, d *protocoltest.Desk) {
		if len(d.Events) > len(longest) {
			longest = slices.Clone(d.Events)
		}
	})
	return longest
}

// shared writes a session as a page.
func shared(t testing.TB, events []state.Event) string {
	t.Helper()
	s, err := state.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	text, err := report.FormHTML.Write(report.Input{
		State: s, Rulings: resolver.Rule(s), Head: strings.Repeat("0f", 32), Events: events,
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A page needs nothing outside of it, allows only its own style and script, and each link leads to an element of it.
func TestAPageStandsAlone(t *testing.T) {
	for name, events := range pages(t) {
		t.Run(name, func(t *testing.T) {
			standsAlone(t, shared(t, events))
			standsAlone(t, shared(t, poisoned(t, events)))
		})
	}
}

// standsAlone checks the markup of a page.
func standsAlone(t *testing.T, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	ids, links, policy := map[string]int{}, map[string]bool{}, ""
	var inline []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{"img", "iframe", "object", "embed", "link", "base", "form", "image", "use", "foreignobject", "video", "audio"}, n.Data) {
			t.Errorf("the page has <%s>", n.Data)
		}
		if n.Data == "style" || n.Data == "script" {
			sum := sha256.Sum256([]byte(n.FirstChild.Data))
			inline = append(inline, fmt.Sprintf("%s-src 'sha256-%s'", n.Data, base64.StdEncoding.EncodeToString(sum[:])))
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "style" || strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "srcset" || a.Key == "action":
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			case a.Key == "href" && !strings.HasPrefix(a.Val, "#"):
				t.Errorf("<%s> leads to %q", n.Data, a.Val)
			case a.Key == "href":
				links[a.Val[1:]] = true
			case a.Key == "id":
				ids[a.Val]++
			case a.Key == "content" && strings.Contains(a.Val, "default-src"):
				policy = a.Val
			}
			if named := slices.Contains([]string{"for", "aria-labelledby"}, a.Key); named {
				for _, id := range strings.Fields(a.Val) {
					links[id] = true
				}
			}
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have the id %q", n, id)
		}
	}
	for id := range links {
		if ids[id] == 0 {
			t.Errorf("no element has the id %q, to which a link leads", id)
		}
	}
	if len(inline) != 2 || policy != "default-src 'none'; "+inline[0]+"; "+inline[1]+"; base-uri 'none'; form-action 'none'" {
		t.Errorf("the policy is %q, and the page has %q", policy, inline)
	}
}

// Each point, challenge, item of evidence, fact and question of a session has an element that a link can lead to, and so
// has each round.
func TestEachIDHasAPermalink(t *testing.T) {
	for name, events := range pages(t) {
		s, err := state.Replay(events)
		if err != nil {
			t.Fatal(err)
		}
		page := shared(t, events)
		var ids []string
		for _, one := range s.Points.All() {
			ids = append(ids, one.ID)
		}
		for _, one := range s.Challenges.All() {
			ids = append(ids, one.ID)
		}
		for _, one := range s.Evidence.All() {
			ids = append(ids, one.ID)
		}
		for _, one := range s.Facts.All() {
			ids = append(ids, one.ID)
		}
		for _, one := range s.Questions.All() {
			ids = append(ids, one.ID)
		}
		for round := 1; round <= s.Round; round++ {
			ids = append(ids, fmt.Sprint("round-", round))
		}
		for _, id := range ids {
			if !strings.Contains(page, ` id="`+id+`"`) {
				t.Errorf("%s: %s has no element", name, id)
			}
		}
	}
}

// The order of a page, as its headings and the ids that they hold.
func TestTheOrderOfAPage(t *testing.T) {
	root, err := html.Parse(strings.NewReader(shared(t, protocoltest.Dispute(t).Events)))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	id := regexp.MustCompile(`^[A-Z]\d+$`)
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case slices.Contains([]string{"h1", "h2", "h3"}, n.Data):
			fmt.Fprintf(&out, "\n%s %s:", n.Data, strings.Join(strings.Fields(textOf(n)), " "))
		default:
			for _, a := range n.Attr {
				if a.Key == "id" && id.MatchString(a.Val) {
					out.WriteString(" " + a.Val)
				}
			}
		}
	}
	golden(t, filepath.Join("testdata", "page.txt"), []byte(strings.TrimSpace(out.String())+"\n"))
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// What a session holds is redacted again, in the claims, the debate, the map and the quotes.
func TestAPageHoldsNoSecret(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	r := protocoltest.NewRecord(t)
	r.Add(
		protocoltest.ConsultOpened(), &state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "the token " + secret + " is in the file"},
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Orchestrator, Kind: state.Skeptical, Objection: "export TOKEN=" + secret},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: "supports", Reference: "a.txt:1", Quote: secret, By: state.Consultee},
		&state.EvidenceVerified{ID: "E1", Type: "textual", SourceKind: "domain-evidence", Reference: "a.txt:1", Excerpt: "key: " + secret, Admitted: true},
	)
	page := shared(t, r.Events)
	if strings.Contains(page, secret) || strings.Contains(page, secret[4:20]) {
		t.Error("the page holds the secret")
	}
	if n := strings.Count(page, "[REDACTED: "); n < 4 {
		t.Errorf("%d places are redacted, want one in each part", n)
	}
}

// The text of a model is a link only to what the page has.
func TestOnlyIDsOfThePageAreLinks(t *testing.T) {
	r := protocoltest.NewRecord(t)
	r.Add(
		protocoltest.ConsultOpened(), &state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "see P1, P9, https://example.com/P1#P1 and a/P1-b: (fast)? P1 says no"},
	)
	page := shared(t, r.Events)
	for _, want := range []string{
		`see <a href="#P1">P1</a>, P9, https://example.com/P1#P1 and a/P1-b: (fast)? <a href="#P1">P1</a> says no`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// A text that is too long ends with what is missing, and the page says so.
func TestAPageSaysWhatItLeavesOut(t *testing.T) {
	r := protocoltest.NewRecord(t)
	r.Add(
		protocoltest.ConsultOpened(), &state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: strings.Repeat("a ", 10_000)},
	)
	page := shared(t, r.Events)
	for _, want := range []string{"more characters, which the session file has]", "What is left out", "too long for this page"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if short := shared(t, protocoltest.Dispute(t).Events); strings.Contains(short, "What is left out") {
		t.Error("a page with everything says that something is left out")
	}
}

// hostileTexts returns texts that a page must show and never obey.
func hostileTexts() []string {
	return []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`, `javascript:alert(3)//`, `</style><style>*{display:none}</style>`,
		`{{.}}{{define "text"}}`, "\u202eevil\u2066\u200b", "nul\x00byte \x1b[31m", `<svg/onload=alert(4)>`, `</title></script><script>alert(5)</script>`,
		`' onfocus=alert(6) autofocus x='`, `<base href=//x.example><a href=//x.example>P1</a>`, `<meta http-equiv=refresh content="0;url=//x.example">`,
		`]]><!--`, `url(//x.example/a)`, strings.Repeat("A", 100_000), strings.Repeat("wide 界 ", 200), "e" + strings.Repeat("\u0301", 500),
	}
}

var looksLikeID = regexp.MustCompile(`^(?:[A-Za-z]{1,2}\d+|)$`)

// poisoned is a session with hostile text in each string of each event that the state takes it in. Names of seats and ids
// stay, for without them no event follows from another.
func poisoned(t *testing.T, events []state.Event) []state.Event {
	t.Helper()
	texts, next := hostileTexts(), 0
	before := &state.State{}
	var out []state.Event
	changed := 0
	for i := range events {
		e := events[i]
		e.Data = copied(reflect.ValueOf(events[i].Data)).Interface().(state.Payload)
		var fields []reflect.Value
		collect(reflect.ValueOf(e.Data), &fields)
		for _, f := range fields {
			old := f.String()
			if looksLikeID.MatchString(old) {
				continue
			}
			f.SetString(texts[next%len(texts)])
			next++
			after, err := state.Apply(before, e)
			if err == nil {
				// A field that later events refer to is found by their errors.
				for j := i + 1; j < len(events) && err == nil; j++ {
					after, err = state.Apply(after, events[j])
				}
			}
			if err != nil {
				f.SetString(old)
				continue
			}
			changed++
		}
		after, err := state.Apply(before, e)
		if err != nil {
			t.Fatal(err)
		}
		before, out = after, append(out, e)
	}
	if changed < len(events)/4 || changed == 0 {
		t.Fatalf("only %d texts of %d events are hostile", changed, len(events))
	}
	return out
}

// collect finds the plain strings in a value that can be set.
func collect(v reflect.Value, into *[]reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() && v.Type() == reflect.TypeFor[string]() {
			*into = append(*into, v)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), into)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			collect(v.Index(i), into)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				collect(v.Field(i), into)
			}
		}
	}
}

// copied is a value that shares no strings that can be set with the original.
func copied(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(copied(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(copied(v.Index(i)))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(copied(v.Field(i)))
			}
		}
	}
	return out
}

// BenchmarkHTML writes a session of 1,000 events: 40 claims, each with a challenge, answers and evidence, in 8 rounds.
func BenchmarkHTML(b *testing.B) {
	events := manyEvents(b, 1000, 1)
	page := ""
	for b.Loop() {
		page = shared(b, events)
	}
	b.ReportMetric(float64(len(page))/1000, "KB")
	b.ReportMetric(float64(len(events)), "events")
}

// A page of 1,000 events stays under 1 MB.
func TestAPageOfManyEventsIsSmall(t *testing.T) {
	for _, length := range []int{1, 5, 50} {
		if n := len(shared(t, manyEvents(t, 1000, length))); n > 1_000_000 {
			t.Errorf("with texts of %d sentences the page has %d bytes", length, n)
		}
	}
}

// manyEvents is a session with so many events, whose texts have so many sentences.
func manyEvents(t testing.TB, most, length int) []state.Event {
	t.Helper()
	r := protocoltest.NewRecord(t)
	r.Add(protocoltest.ConsultOpened())
	said := func(i int) string {
		return strings.Repeat("The text of a model is as long as the model likes. ", length-1) + fmt.Sprintf("In case %d each server counts for itself, so a client that reaches all of them gets more than it should, as the "+
			"operations page says where it describes the balancer; P%d says the same of the sweep.", i, i%40+1)
	}
	points, challenges, items := 0, 0, 0
	for round := 1; round <= state.MaxRounds; round++ {
		r.Add(&state.RoundStarted{Round: round})
		for len(r.Events) < most*round/state.MaxRounds-1 {
			points++
			point := fmt.Sprint("P", points)
			r.Add(&state.PointRaised{ID: point, By: state.Consultee, Text: said(points)})
			for range 3 {
				items++
				id := fmt.Sprint("E", items)
				r.Add(
					&state.EvidenceOffered{ID: id, Point: point, Relation: "supports", Reference: "docs/operations.md:3-9", Quote: said(items), By: state.Consultee},
					&state.EvidenceVerified{ID: id, Type: "textual", SourceKind: "domain-evidence", Reference: "docs/operations.md:3-9", Excerpt: strings.Repeat(said(items)+"\n", 4), Admitted: true},
					&state.EvidenceAccepted{ID: id, By: state.Orchestrator, Reason: said(items)},
				)
			}
			challenges++
			id := fmt.Sprint("C", challenges)
			r.Add(
				&state.ChallengeRaised{ID: id, Point: point, By: state.Orchestrator, Kind: state.Skeptical, Objection: said(challenges)},
				&state.ChallengeAnswered{Challenge: id, By: state.Consultee, Text: said(challenges)},
				&state.ChallengeJudged{Challenge: id, By: state.Orchestrator, Judgment: state.Accepted, Reason: said(challenges)},
				&state.ConfidenceReported{Point: point, Seat: state.Consultee, Stated: .9, Admitted: .9},
			)
		}
		r.Rule()
	}
	return r.Events
}

// A page has all the words of the document, as the other forms do.
func TestAPageHasTheWordsOfTheDocument(t *testing.T) {
	names := slices.Sorted(maps.Keys(pages(t)))
	all := pages(t)
	for _, name := range names {
		s, err := state.Replay(all[name])
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(strings.NewReader(shared(t, all[name])))
		if err != nil {
			t.Fatal(err)
		}
		shown := words(textOf(root))
		d := document(s, resolver.Rule(s))
		headings := map[string]bool{} // Challenges and questions are with their claims, without the heading of their section.
		for i := range d.Sections {
			headings[d.Sections[i].Heading()] = true
		}
		for _, group := range protocoltest.Groups(d) {
			for _, text := range group {
				if headings[text] {
					continue
				}
				// The notes on a challenge are below its id.
				if id, rest, ok := strings.Cut(text, " "); ok && s.Challenge(id) != nil {
					text = rest
				}
				if text = strings.TrimSpace(words(text)); !strings.Contains(strings.ToLower(shown), strings.ToLower(text)) {
					t.Errorf("%s: the page lacks %q", name, text)
				}
			}
		}
	}
}
