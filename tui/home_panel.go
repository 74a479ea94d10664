package tui

import (
	"fmt"
	"slices"

	strategies "moot/resolver/conflict"
	"moot/state"
)

// mostPanelists is how many can be named in the form.
const mostPanelists = 12

// panelists are the names of their fields, which are those of the seats.
func panelists() []string {
	names := []string{string(state.Panelist)}
	for n := 2; n <= mostPanelists; n++ {
		names = append(names, fmt.Sprintf("%s-%d", state.Panelist, n))
	}
	return names
}

// panelFields are who answers, who compares, and what settles a conflict. A
// further panelist is asked for once all before it are named.
func panelFields() []*field {
	var fields []*field
	names := panelists()
	for i, name := range names {
		label := fmt.Sprintf("Panelist %d", i+1)
		pair := seatFields(name, label, when(i < 2, "It answers unseen by the others.", "One more who answers, or nobody."))
		for _, one := range pair {
			otherwise := one.hidden
			one.hidden = func(v map[string]string) bool {
				return i > 1 && slices.ContainsFunc(names[2:i], func(before string) bool { return v[before] == "" }) ||
					otherwise != nil && otherwise(v)
			}
		}
		fields = append(fields, pair...)
	}
	return slices.Concat(fields, seatFields("comparer", "Compares", "It says which claims are about the same, without knowing whose they are."), []*field{
		{name: "strategy", label: "Settled by", kind: fieldChoice, options: strategyChoices(), help: "What settles a conflict of two answers."},
		{name: "then", label: "The rest", kind: fieldChoice, help: "What becomes of a conflict that this does not settle.", options: []choice{
			{label: "you decide", help: "it is put to you as a question"},
			{value: state.ThenConsult, label: "is argued", help: "its two sides argue it first, in up to seven rounds"},
		}},
	})
}

func strategyChoices() []choice {
	var list []choice
	for _, s := range []strategies.Strategy{strategies.Tiered, strategies.Vote, strategies.EvidenceWeight, strategies.Escalate} {
		list = append(list, choice{value: string(s), help: strategyMeans(s)})
	}
	return list
}

func strategyMeans(s strategies.Strategy) string {
	switch s {
	case strategies.Tiered:
		return "a clear vote, else clear verified evidence, else nothing"
	case strategies.Vote:
		return "what more than half of them hold"
	case strategies.EvidenceWeight:
		return "the side with the weightier verified evidence"
	case strategies.Escalate:
		return "nothing: each conflict is left open"
	}
	return ""
}

// offerPanel fills in who can answer: two different ones where there are such,
// and a third where there is one more model.
func (f *fieldForm) offerPanel(found *Candidates, names []choice) {
	proposed := []string{when(found.Consultee == "", "rules", found.Consultee), when(found.Orchestrator == "", "rules", found.Orchestrator)}
	for _, c := range found.Found {
		if c.Usable && len(proposed) < 3 && !slices.Contains(proposed, c.Name) {
			proposed = append(proposed, c.Name)
		}
	}
	for i, name := range panelists() {
		options, value := slices.Clone(names), ""
		if i > 1 {
			options = append([]choice{{label: "nobody"}}, options...)
		}
		if i < len(proposed) {
			value = proposed[i]
		}
		f.named(name).offer(options, value)
	}
	first := choice{label: "the first model", help: "the first panelist that is a model endpoint, else rules"}
	f.named("comparer").offer(append([]choice{first}, names...), "")
}
