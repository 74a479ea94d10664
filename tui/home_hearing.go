package tui

import (
	"fmt"
	"slices"
	"strconv"

	"moot/domain"
	"moot/state"
)

// hearingFields are the packet that is argued from, who argues, and what decides.
func hearingFields() []*field {
	unless := func(name string, values ...string) func(v map[string]string) bool {
		return func(v map[string]string) bool { return !slices.Contains(values, v[name]) }
	}
	multi, anchored, selective := string(state.FormMulti), string(state.FormAnchored), string(state.FormSelective)
	oracle := seatFields(string(state.Oracle), "Oracle", "It brings the strongest argument against who is more confident, or nobody does.")
	for _, one := range oracle {
		otherwise := one.hidden
		one.hidden = func(v map[string]string) bool {
			return v["form"] == string(state.FormSingle) || otherwise != nil && otherwise(v)
		}
	}
	return slices.Concat(
		[]*field{
			{name: "closed-world", label: "Packet", required: true, placeholder: "packet.json", help: "The facts that both sides argue from: a JSON file; moot packet makes one."},
			{name: "domain", label: "Domain", kind: fieldChoice, options: domainChoices(), help: "What kind of question it is; its own is asked where you ask none."},
			{
				name: "domain-other", label: "", required: true, placeholder: "its file", help: "A domain of your own: a TOML file.",
				hidden: unless("domain", otherName),
			},
		},
		seatFields(string(state.Architect), "Architect", "It argues that it holds."),
		seatFields(string(state.Skeptic), "Skeptic", "It argues that it does not."),
		[]*field{{name: "form", label: "Form", kind: fieldChoice, options: formChoices(), help: "How the turns go."}},
		oracle,
		[]*field{
			{name: "gate", label: "Gate", kind: fieldChoice, options: gateChoices(), help: "What sends the hearing on.", hidden: unless("form", selective)},
			{
				name: "hearing-then", label: "Then", kind: fieldChoice, help: "The form that follows where the gate opens.", hidden: unless("form", selective),
				options: choicesOf(formMeans, state.FormMulti, state.FormAnchored, state.FormAudit),
			},
			{
				name: "hearing-rounds", label: "Rounds", value: strconv.Itoa(state.DefaultHearingRounds),
				help: fmt.Sprintf("How often the sides argue at most, 2 to %d; less once nothing new is cited.", state.MaxHearingRounds),
				hidden: func(v map[string]string) bool {
					return unless("form", multi, anchored)(v) && unless("hearing-then", multi, anchored)(v)
				},
			},
			{
				name: "judge", label: "Judge", kind: fieldChoice, help: "Which arithmetic decides.",
				options: choicesOf(judgeMeans, state.JudgeV2, state.JudgeV2Bounded, state.JudgeV1, state.JudgeV1Facts),
			},
		},
	)
}

// choicesOf are values with what each means.
func choicesOf[T ~string](means func(T) string, values ...T) []choice {
	list := make([]choice, len(values))
	for i, value := range values {
		list[i] = choice{value: string(value), help: means(value)}
	}
	return list
}

func domainChoices() []choice {
	return []choice{{value: domain.BuiltInName}, {value: otherName, help: "a file of your own"}}
}

func formChoices() []choice {
	return choicesOf(formMeans, state.FormMulti, state.FormSingle, state.FormAnchored, state.FormAudit, state.FormSelective)
}

func formMeans(f state.Form) string {
	switch f {
	case state.FormAudit:
		return "each claim is put to the other side and ruled on"
	case state.FormSingle:
		return "each side argues once"
	case state.FormMulti:
		return "the sides exchange arguments"
	case state.FormAnchored:
		return "the sides exchange arguments; a confidence falls by facts alone"
	case state.FormSelective:
		return "continues only if a gate says so"
	}
	return ""
}

func gateChoices() []choice {
	return choicesOf(gateMeans, state.GateEither, state.GateEscalation, state.GateMiscalibration)
}

func gateMeans(g state.Gate) string {
	switch g {
	case state.GateEscalation:
		return "a verdict in the middle"
	case state.GateMiscalibration:
		return "a verdict that looks surer than its facts"
	case state.GateEither:
		return "a verdict in the middle, or one that looks too sure"
	}
	return ""
}

func judgeMeans(v state.JudgeVersion) string {
	switch v {
	case state.JudgeV1:
		return "one side sure, the other not"
	case state.JudgeV1Facts:
		return "as v1, then who cites more than twice the facts"
	case state.JudgeV2:
		return "one side very sure, or ahead"
	case state.JudgeV2Bounded:
		return "one side very sure and the other not, or ahead"
	}
	return ""
}

// offerHearing fills in who can take the seats of a hearing.
func (f *fieldForm) offerHearing(found *Candidates, names []choice) {
	names = slices.Clone(names)
	for i := range names {
		if names[i].value == "rules" {
			names[i].help = "no language model: applies the rules of the domain to the facts"
		}
	}
	f.named(string(state.Architect)).offer(slices.Clone(names), when(found.Consultee == "", "rules", found.Consultee))
	f.named(string(state.Skeptic)).offer(slices.Clone(names), when(found.Orchestrator == "", "rules", found.Orchestrator))
	f.named(string(state.Oracle)).offer(append([]choice{{label: "nobody"}}, names...), "")
}

// hear fills in what a hearing is opened with.
func (q *Question) hear(v map[string]string, seat func(name string) string) {
	q.Architect, q.Skeptic, q.Oracle = seat(string(state.Architect)), seat(string(state.Skeptic)), seat(string(state.Oracle))
	q.Packet, q.Domain, q.Form, q.Judge = v["closed-world"], seat("domain"), v["form"], v["judge"]
	q.Gate, q.Then, q.Rounds = v["gate"], v["hearing-then"], v["hearing-rounds"]
}

// fieldOfFlag is the field of the form that a flag is filled in with: several formats
// have flags of one name.
func fieldOfFlag(format state.Format, flag string) string {
	switch {
	case format == state.FormatPanel && flag == string(state.Orchestrator):
		return "comparer"
	case format == state.FormatHearing && (flag == "rounds" || flag == "then"):
		return "hearing-" + flag
	}
	return flag
}
