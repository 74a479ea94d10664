package dialectic

import (
	"slices"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/dialectic/gates"
	"moot/protocol/move"
	"moot/state"
)

// asks records a request of the pressure-tester about an objection. One in a form that code checks gets an item.
func (o *objecting) asks(about, text string, w state.Wanted) *state.Request {
	o.t.Helper()
	if w.Typed() && w.Lacks == "" {
		w.Evidence = state.NextID('E', o.s.Evidence.Len())
		o.add(
			&state.EvidenceOffered{
				ID: w.Evidence, Point: "P1", Relation: ledger.Neutral, Reference: "SEARCH " + w.Query, Quote: w.Expect,
				By: PressureTester, Asked: true,
			},
			&EvidenceSupplied{Evidence: w.Evidence, Challenge: about},
		)
	}
	o.add(&state.Requested{Point: "P1", Kind: state.RequestEvidence, By: PressureTester, Text: text, About: about, Wanted: w})
	return o.request(0)
}

// request returns the request that is n places before the last one.
func (o *objecting) request(n int) *state.Request {
	return o.s.Requests.At(o.s.Requests.Len() - 1 - n)
}

// ran records the result of the check of an item.
func (o *objecting) ran(id string, unmet bool) {
	o.t.Helper()
	o.add(&state.EvidenceVerified{
		ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9, Admitted: true,
		Reference: o.s.Item(id).Reference, Unmet: unmet,
	})
}

// testerReplies gives the pressure-tester a turn.
func (o *objecting) testerReplies() {
	o.t.Helper()
	o.add(
		&state.PromptSent{Seat: PressureTester, Stage: state.StageJudge},
		&state.ReplyReceived{Seat: PressureTester, Stage: state.StageJudge, Valid: true},
		&ProposalExamined{By: PressureTester},
	)
}

func (o *objecting) revised(value string) {
	o.t.Helper()
	o.add(&FieldRevised{Point: "P1", By: Proposer, Value: []byte(value), Severity: "HIGH", Text: "a = " + value})
}

// recordedKinds are kinds that a session may record: a count, a page, and one that runs.
func recordedKinds() []ledger.Kind {
	return []ledger.Kind{
		{Name: "absence", Marks: "SEARCH CALLERS", Type: ledger.Textual},
		{Name: "page", Marks: "GET", Type: ledger.Textual},
		{Name: "probe", Marks: "PROBE", Runs: true, Type: ledger.Textual},
	}
}

func TestWhatARequestAsksFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		of    Asked
		kinds []ledger.Kind
		// want are the words of the request, lacks the missing checker, and refused a part of the refusal.
		want, lacks, refused string
	}{
		"words":                         {text: "a run of the tests"},
		"a command":                     {of: Asked{Command: "make check"}, want: "$ make check => exit 0"},
		"a command in words":            {text: "$ make check => exit 1", want: "$ make check => exit 1"},
		"an expectation beside it":      {of: Asked{Command: "make check", Expect: "exit 2"}, want: "$ make check => exit 2"},
		"an arrow inside of a command":  {of: Asked{Command: `grep "=>" a.go => exit 0`}, want: "$ grep '=>' a.go => exit 0"},
		"an expectation of no form":     {of: Asked{Command: "make check => all is well"}, refused: "all is well"},
		"a query":                       {of: Asked{Query: "password"}, want: "SEARCH password => found"},
		"a query with its expectation":  {of: Asked{Query: "password => none"}, want: "SEARCH password => none"},
		"an arrow that is sought":       {of: Asked{Query: "a => b", Expect: "none"}, want: "SEARCH a => b => none"},
		"a query that begins with one":  {of: Asked{Query: "=> b"}, want: "SEARCH => b => found"},
		"lines":                         {of: Asked{Lookup: "store.go:14"}, want: "READ store.go:14 => found"},
		"files":                         {of: Asked{Lookup: "*_test.go"}, want: "LIST *_test.go => found"},
		"lines of a file with a brace":  {of: Asked{Lookup: "READ a{1}.go:3"}, want: "READ a{1}.go:3 => found"},
		"callers":                       {of: Asked{Lookup: "CALLERS Open"}, want: "CALLERS Open => found", lacks: "CALLERS"},
		"a symbol":                      {text: "SYMBOL Open", want: "SYMBOL Open => found", lacks: "SYMBOL"},
		"an address":                    {text: "https://example.org/a", want: "https://example.org/a", lacks: "--allow-host"},
		"nothing":                       {refused: "which evidence"},
		"two things":                    {text: "$ make check", of: Asked{Query: "password"}, refused: "query and text"},
		"what is expected of words":     {text: "a run", of: Asked{Expect: "exit 0"}, refused: "what is expected needs"},
		"a query that is far too long":  {of: Asked{Query: strings.Repeat("a", ledger.MaxReference)}, refused: "that can be checked"},
		"a counted query without kinds": {of: Asked{Query: "/a/ in *.go = 0"}, want: "SEARCH /a/ in *.go = 0 => found"},
		"a counted query": {
			of: Asked{Query: "/a/ in *.go = 0"}, kinds: recordedKinds(), want: "SEARCH /a/ in *.go = 0",
		},
		"a query that does not count": {
			text: "SEARCH a == 0 => none", kinds: recordedKinds(), want: "SEARCH a == 0 => none",
		},
		"callers that are counted": {text: "CALLERS Open = 0", kinds: recordedKinds(), want: "CALLERS Open = 0"},
		"callers and a number": {
			of: Asked{Lookup: "CALLERS Open", Expect: "0"}, kinds: recordedKinds(), want: "CALLERS Open => 0",
		},
		"a page": {
			of:    Asked{URL: "https://example.org/a", Expect: `"It retries."`},
			kinds: recordedKinds(), want: "GET https://example.org/a => It retries.",
		},
		"a page in words": {
			text: "https://example.org/a => it retries", kinds: recordedKinds(), want: "GET https://example.org/a => it retries",
		},
		"a call": {
			text: `PROBE  budget/read '{"day": 1}' => output has "61%"`, kinds: recordedKinds(),
			want: `PROBE budget/read '{"day": 1}' => output has "61%"`,
		},
		"a call that should not fail":           {text: "PROBE budget/read", kinds: recordedKinds(), want: "PROBE budget/read => exit 0"},
		"a call with an expectation of no form": {text: "PROBE budget/read => 61%", kinds: recordedKinds(), refused: "61%"},
		"an expectation of another kind":        {of: Asked{Query: "password", Expect: "exit 0"}, refused: "expectation"},
	} {
		w, reference, err := wanted(c.kinds, c.text, c.of)
		if refused := c.refused != ""; refused != (err != nil) || refused && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := wantedWords(&w); c.refused == "" && got != c.want {
			t.Errorf("%s: asks for %q, want %q", name, got, c.want)
		}
		if !strings.Contains(w.Lacks, c.lacks) || c.lacks == "" && w.Lacks != "" {
			t.Errorf("%s: lacks %q", name, w.Lacks)
		}
		if (reference != "") != (c.want != "" && c.lacks == "") {
			t.Errorf("%s: the item has the reference %q", name, reference)
		}
	}
}

// A request is repeated if it asks the same for the same objection, and the answer would be the same: the field has not
// changed, or nothing answered it yet.
func TestARepeatedRequest(t *testing.T) {
	t.Parallel()
	ask := func(s *state.State, challenge, text string, of Asked) bool {
		a := Format{}.Admit(s, protocol.Ask{Seat: PressureTester, Stage: state.StageEvaluate, Moves: []move.Kind{MoveRequest}},
			[]move.Move{&RequestEvidence{Challenge: challenge, Text: text, Asked: of}})
		return len(a.Refused) == 1 && a.Refused[0].Code == "repeated"
	}
	asked := func(t *testing.T, w state.Wanted, text string) *objecting {
		o := newObjecting(t)
		o.add(fileObjection("C1", "HIGH")...)
		o.add(fileObjection("C2", "HIGH")...)
		o.asks("C1", text, w)
		return o
	}
	query := state.Wanted{Query: "password", Expect: "found", Clears: state.ResultMet}
	lookup := state.Wanted{Lookup: "READ a.go:1", Expect: "found", Clears: state.ResultMet}
	url := state.Wanted{URL: "https://example.org/a", Lacks: "no checker"}
	for name, c := range map[string]struct {
		first     state.Wanted
		text      string
		challenge string
		again     string
		of        Asked
		want      bool
	}{
		"the same query":                 {query, "q", "C1", "in other words", Asked{Query: "password"}, true},
		"another query":                  {query, "q", "C1", "", Asked{Query: "secret"}, false},
		"another expectation":            {query, "q", "C1", "", Asked{Query: "password", Expect: "none"}, false},
		"the same for another objection": {query, "q", "C2", "", Asked{Query: "password"}, false},
		"the same lookup":                {lookup, "l", "C1", "", Asked{Lookup: "a.go:1"}, true},
		"another lookup":                 {lookup, "l", "C1", "", Asked{Lookup: "a.go:2"}, false},
		"the same address":               {url, "u", "C1", "", Asked{URL: "https://example.org/a"}, true},
		"another address":                {url, "u", "C1", "", Asked{URL: "https://example.org/b"}, false},
		"the same words":                 {state.Wanted{}, "A run of the tests", "C1", "a run of  the tests", Asked{}, true},
		"other words":                    {state.Wanted{}, "A run of the tests", "C1", "a profile", Asked{}, false},
	} {
		if got := ask(asked(t, c.first, c.text).s, c.challenge, c.again, c.of); got != c.want {
			t.Errorf("%s: repeated is %v", name, got)
		}
	}
	o := asked(t, query, "q")
	o.ran("E1", false)
	if !ask(o.s, "C1", "", Asked{Query: "password"}) {
		t.Error("it was answered, and the field has not changed: asking again is no repetition")
	}
	o.revised("2")
	if ask(o.s, "C1", "", Asked{Query: "password"}) {
		t.Error("it was answered for another value: asking again is a repetition")
	}
	o = asked(t, query, "q")
	o.revised("2")
	if !ask(o.s, "C1", "", Asked{Query: "password"}) {
		t.Error("it is still open: asking again is no repetition")
	}
}

// The words of a request come before its form, unless they only say the same.
func TestTheWordsOfARequest(t *testing.T) {
	t.Parallel()
	command := state.Wanted{Command: "make check", Expect: "exit 0", Clears: state.ResultMet}
	query := state.Wanted{Query: "password", Expect: "none", Clears: state.ResultUnmet}
	url := state.Wanted{URL: "https://example.org/a", Clears: state.ResultMet}
	const form = "$ make check => exit 0, clears C1 if met"
	for _, c := range []struct {
		text string
		w    state.Wanted
		want string
	}{
		{"a run", state.Wanted{}, "a run"},
		{"does it pass?", command, "does it pass?: " + form},
		{"$ make  check", command, form},
		{"SEARCH password", query, "SEARCH password => none, clears C1 if not met"},
		{"https://example.org/a", url, "https://example.org/a, clears C1 if met"},
		{"https://example.org/a => a date", state.Wanted{URL: url.URL, Expect: "a date", Clears: state.ResultMet}, "https://example.org/a => a date, clears C1 if met"},
		{"https://example.org/a", state.Wanted{URL: url.URL, Expect: "a date", Clears: state.ResultMet}, "https://example.org/a => a date, clears C1 if met"},
	} {
		r := &state.Request{Requested: state.Requested{About: "C1", Text: c.text, Wanted: c.w}}
		if got := requestWords(r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestWhatBecameOfARequest(t *testing.T) {
	t.Parallel()
	query := func(clears state.CheckResult) state.Wanted {
		return state.Wanted{Query: "password", Expect: "found", Clears: clears}
	}
	for name, c := range map[string]struct {
		w    state.Wanted
		then func(*objecting)
		want string
	}{
		"open":           {query(state.ResultMet), nil, ""},
		"met":            {query(state.ResultMet), func(o *objecting) { o.ran("E1", false) }, "met, E1"},
		"not met":        {query(state.ResultMet), func(o *objecting) { o.ran("E1", true) }, "not met, E1"},
		"not met clears": {query(state.ResultUnmet), func(o *objecting) { o.ran("E1", true) }, "not met, E1"},
		"met convicts":   {query(state.ResultUnmet), func(o *objecting) { o.ran("E1", false) }, "met, E1"},
		"did not run": {query(state.ResultMet), func(o *objecting) {
			o.add(&state.EvidenceRefused{ID: "E1", Reason: "not allowed"})
		}, "not run: not allowed"},
		"no checker": {state.Wanted{URL: "https://example.org/a", Lacks: "nobody fetches"}, nil, "not run: nobody fetches"},
		"no item":    {state.Wanted{URL: "https://example.org/a"}, nil, ""},
		"in words":   {state.Wanted{}, nil, ""},
		"answered": {state.Wanted{}, func(o *objecting) {
			o.add(supplyEvidence("E1", "C1", ledger.Supports)...)
			o.testerReplies()
		}, "answered by E1"},
	} {
		o := newObjecting(t)
		o.add(fileObjection("C1", "HIGH")...)
		if c.w.URL != "" {
			o.add(&state.Requested{Point: "P1", Kind: state.RequestEvidence, By: PressureTester, Text: "it", About: "C1", Wanted: c.w})
		} else {
			o.asks("C1", "it", c.w)
		}
		if c.then != nil {
			c.then(o)
		}
		if got := requestResult(o.s, o.request(0)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	o := newObjecting(t)
	o.add(&state.Requested{Point: "P1", Kind: state.RequestEvidence, By: PressureTester, Text: "it"})
	if got := requestResult(o.s, o.request(0)); got != "" {
		t.Errorf("about no objection: %q", got)
	}
}

// A request in words is answered by a verified item that came since, was brought and not asked for, and that the
// pressure-tester saw and does not contest; or by what ends its objection.
func TestWhatAnswersARequestInWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, then func(*objecting)
		want         bool
	}{
		"nothing":        {nil, func(*objecting) {}, false},
		"an item":        {nil, func(o *objecting) { o.add(supplyEvidence("E1", "C1", ledger.Supports)...) }, true},
		"an earlier one": {func(o *objecting) { o.add(supplyEvidence("E1", "C1", ledger.Supports)...) }, func(*objecting) {}, false},
		"a refused one": {nil, func(o *objecting) {
			o.add(&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: Proposer},
				&EvidenceSupplied{Evidence: "E1", Challenge: "C1"}, &state.EvidenceRefused{ID: "E1", Reason: "no such line"})
		}, false},
		"a contested one": {nil, func(o *objecting) {
			o.add(supplyEvidence("E1", "C1", ledger.Supports)...)
			o.add(&state.EvidenceContested{ID: "E1", By: PressureTester, Reason: "beside it"})
		}, false},
		"the result of another request": {nil, func(o *objecting) {
			o.asks("C1", "q", state.Wanted{Query: "password", Expect: "found", Clears: state.ResultMet})
			o.ran("E1", false)
		}, false},
		"the word of a seat": {nil, func(o *objecting) {
			o.add(&state.RequestSettled{Point: "P1", What: state.RequestEvidence, Answered: true, By: Proposer})
		}, true},
		"the objection is withdrawn": {nil, func(o *objecting) { o.add(&state.Withdrawn{ID: "C1", By: PressureTester}) }, true},
		"the field is withdrawn":     {nil, func(o *objecting) { o.add(&FieldWithdrawn{Point: "P1", By: Proposer}) }, true},
		"the user cleared it":        {nil, func(o *objecting) { o.add(&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingCleared}) }, true},
	} {
		o := newObjecting(t)
		o.add(fileObjection("C1", "HIGH")...)
		o.add(fileObjection("C2", "HIGH")...)
		if c.before != nil {
			c.before(o)
		}
		r := o.asks("C1", "a run", state.Wanted{})
		c.then(o)
		o.testerReplies()
		if got := requestAnswered(o.s, o.s.Requests.At(0), o.s.Challenge("C1")); got != c.want {
			t.Errorf("%s: answered is %v", name, got)
		}
		if left := owed(o.s, o.s.Challenge("C1")); slices.ContainsFunc(left, func(open *state.Request) bool { return open.Seq == r.Seq }) == c.want {
			t.Errorf("%s: owed are %d", name, len(left))
		}
		if left := owed(o.s, o.s.Challenge("C2")); len(left) > 0 {
			t.Errorf("%s: %d are owed for C2, about which nobody asked", name, len(left))
		}
	}
}

// The result of a check is out of date if the same check was asked for again for the same objection, and ran.
func TestASupersededResult(t *testing.T) {
	t.Parallel()
	query := func(text string) state.Wanted {
		return state.Wanted{Query: text, Expect: "found", Clears: state.ResultMet}
	}
	for name, c := range map[string]struct {
		about, query string
		then         func(*objecting)
		want         bool
	}{
		"ran again":             {"C1", "password", func(o *objecting) { o.ran("E2", false) }, true},
		"did not run yet":       {"C1", "password", func(*objecting) {}, false},
		"was refused":           {"C1", "password", func(o *objecting) { o.add(&state.EvidenceRefused{ID: "E2", Reason: "no"}) }, false},
		"another check":         {"C1", "secret", func(o *objecting) { o.ran("E2", false) }, false},
		"for another objection": {"C2", "password", func(o *objecting) { o.ran("E2", false) }, false},
	} {
		o := newObjecting(t)
		o.add(fileObjection("C1", "HIGH")...)
		o.add(fileObjection("C2", "HIGH")...)
		o.asks("C1", "q", query("password"))
		o.ran("E1", true)
		o.asks("C1", "words", state.Wanted{})
		o.revised("2")
		o.asks(c.about, "q", query(c.query))
		c.then(o)
		if got := superseded(o.s, o.s.Item("E1")); got != c.want {
			t.Errorf("%s: superseded is %v", name, got)
		}
		if superseded(o.s, o.s.Item("E2")) {
			t.Errorf("%s: the last result is superseded", name)
		}
	}
}

// Silence clears no grave objection: an item counts if the pressure-tester or the user brought it, or accepted it for the
// value that the field has now, or if the check was asked for on this objection since.
func TestWhatMayClearAGraveObjection(t *testing.T) {
	t.Parallel()
	accepted := func(by state.Seat) func(*objecting) {
		return func(o *objecting) {
			o.add(supplyEvidence("E1", "C1", ledger.Supports)...)
			o.add(&state.EvidenceAccepted{ID: "E1", By: by})
		}
	}
	offered := func(by state.Seat) func(*objecting) {
		return func(o *objecting) {
			o.add(&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: by},
				&EvidenceSupplied{Evidence: "E1", Challenge: "C1"})
			o.ran("E1", false)
		}
	}
	asked := func(about string) func(*objecting) {
		return func(o *objecting) {
			o.asks(about, "q", state.Wanted{Query: "password", Expect: "found", Clears: state.ResultMet})
			o.ran("E1", false)
		}
	}
	then := func(first, next func(*objecting)) func(*objecting) {
		return func(o *objecting) { first(o); next(o) }
	}
	changed := func(o *objecting) { o.revised("2") }
	rules := func(o *objecting) {
		o.add(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: PressureTester, Participant: "rules"}, By: state.User})
	}
	for name, c := range map[string]struct {
		then func(*objecting)
		want bool
	}{
		"nobody said anything":              {offered(Proposer), false},
		"the pressure-tester brought it":    {offered(PressureTester), true},
		"the user brought it":               {offered(state.User), true},
		"the pressure-tester accepted it":   {accepted(PressureTester), true},
		"the user accepted it":              {accepted(state.User), true},
		"the proposer accepted it":          {accepted(Proposer), false},
		"accepted for another value":        {then(accepted(PressureTester), changed), false},
		"built-in rules accepted it":        {then(rules, accepted(PressureTester)), false},
		"it was asked for":                  {asked("C1"), true},
		"it was asked for on another value": {then(asked("C1"), changed), false},
		"it was asked for elsewhere":        {asked("C2"), false},
	} {
		o := newObjecting(t)
		o.add(fileObjection("C1", "HIGH")...)
		o.add(fileObjection("C2", "HIGH")...)
		c.then(o)
		if got := mayClear(o.s, o.s.Challenge("C1"), o.s.Item("E1")); got != c.want {
			t.Errorf("%s: may clear is %v", name, got)
		}
	}
}

// The pressure-tester is asked about verified items for the proposal that would decide a grave objection which is still
// open, each with the number of its turns since.
func TestWhatThePressureTesterIsAskedToAccept(t *testing.T) {
	t.Parallel()
	supplied := func(o *objecting) { o.add(supplyEvidence("E1", "C1", ledger.Supports)...) }
	for name, c := range map[string]struct {
		severity gates.Severity
		then     func(*objecting)
		want     int
	}{
		"an item":               {"HIGH", supplied, 1},
		"of a lesser objection": {"MEDIUM", supplied, 0},
		"against the proposal":  {"HIGH", func(o *objecting) { o.add(supplyEvidence("E1", "C1", ledger.Refutes)...) }, 0},
		"not verified": {"HIGH", func(o *objecting) {
			o.add(&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: Proposer},
				&EvidenceSupplied{Evidence: "E1", Challenge: "C1"})
			// A check that failed leaves the item as weak as a word, but LOW alone reads those.
			o.add(&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9})
		}, 0},
		"accepted": {"HIGH", func(o *objecting) {
			supplied(o)
			o.add(&state.EvidenceAccepted{ID: "E1", By: PressureTester})
		}, 0},
		"contested": {"HIGH", func(o *objecting) {
			supplied(o)
			o.add(&state.EvidenceContested{ID: "E1", By: PressureTester, Reason: "beside it"})
		}, 0},
		"the user ruled": {"HIGH", func(o *objecting) {
			supplied(o)
			o.add(&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingUpheld})
		}, 0},
		"the field is withdrawn": {"HIGH", func(o *objecting) {
			supplied(o)
			o.add(&FieldWithdrawn{Point: "P1", By: Proposer})
		}, 0},
		"conceded": {"HIGH", func(o *objecting) {
			supplied(o)
			o.add(&state.ChallengeConceded{Challenge: "C1", By: Proposer})
		}, 0},
		"taken back": {"HIGH", func(o *objecting) {
			supplied(o)
			o.add(&state.Withdrawn{ID: "C1", By: PressureTester})
		}, 0},
	} {
		o := newObjecting(t)
		o.add(fileObjection("C1", c.severity)...)
		c.then(o)
		if ids, _ := toAccept(o.s); len(ids) != c.want {
			t.Errorf("%s: asked about %q", name, ids)
		}
	}
	o := newObjecting(t)
	o.add(
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: PressureTester, Kind: state.Reject, Objection: "why?"},
		&ObjectionFiled{Challenge: "C1", Category: "Factual", Severity: "HIGH", Predicate: "it holds", Cites: []string{"E9"}},
	)
	if ids, _ := toAccept(o.s); len(ids) != 0 {
		t.Errorf("an item that does not exist: asked about %q", ids)
	}
	supplied(o)
	o.testerReplies()
	o.add(fileObjection("C2", "HIGH")...)
	o.add(&EvidenceSupplied{Evidence: "E1", Challenge: "C2"})
	if ids, turns := toAccept(o.s); len(ids) != 1 || turns["E1"] != 0 {
		t.Errorf("brought again for C2: %q, turns %v", ids, turns)
	}
}
