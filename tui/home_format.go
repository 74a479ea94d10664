package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/state"
	"moot/state/store"
)

// formatChoices say of each format what it is for.
func formatChoices() []choice {
	var list []choice
	for _, f := range state.Formats() {
		list = append(list, choice{value: string(f), help: formatMeans(f)})
	}
	return list
}

func formatMeans(f state.Format) string {
	switch f {
	case state.FormatConsult:
		return "a question, argued claim by claim"
	case state.FormatDialectic:
		return "a proposal, attacked until it may go ahead"
	case state.FormatPanel:
		return "many answers unseen by each other, and where they conflict"
	case state.FormatCouncil:
		return "claims, tested by a critic and an adversary until they stand or fall"
	case state.FormatHearing:
		return "a yes-or-no question, argued from the facts of a packet alone"
	}
	return ""
}

// listedPhase is the phase and the round that a deliberation has come to,
// listedProposal the round of a proposal, and what code last decided.
func listedPhase(s *store.Summary) string {
	return fmt.Sprintf("%s %d/%d", strings.ToLower(string(s.Phase)), s.Round, state.MaxRounds)
}

// listedPanel is what became of the conflicts of a panel, or its round before any
// was found.
func listedPanel(s *store.Summary) string {
	if s.Conflicts == 0 {
		return fmt.Sprintf("round %d", s.Round)
	}
	return plain.Counted(s.Conflicts, "conflict") + fmt.Sprintf(", %d left", s.Unsettled)
}

func listedProposal(s *store.Summary) string {
	return fmt.Sprintf("round %d", s.Round) + when(s.Decision == "", "", ", "+s.Decision)
}

// inFormat hides fields while another format is chosen.
func inFormat(format state.Format, fields ...*field) []*field {
	for _, one := range fields {
		otherwise := one.hidden
		one.hidden = func(v map[string]string) bool {
			return state.Format(v["format"]) != format || otherwise != nil && otherwise(v)
		}
	}
	return fields
}

// pressFields are what a proposal is attacked by, and who sits there.
func pressFields() []*field {
	return slices.Concat([]*field{
		{name: "playbook", label: "Playbook", kind: fieldChoice, help: "What to look for, and how strict to be."},
		{
			name: "playbook-other", label: "", required: true, placeholder: "its file", help: "A playbook of your own: a TOML file.",
			hidden: func(v map[string]string) bool { return v["playbook"] != otherName },
		},
	}, seatFields(string(state.Proposer), "Proposer", "It makes the proposal and mends it."),
		seatFields(string(state.PressureTester), "Pressure-tester", "It attacks the proposal."))
}

// offerPressing fills in who can take the seats of a proposal.
func (f *fieldForm) offerPressing(found *Candidates, names []choice) {
	f.named(string(state.Proposer)).offer(slices.Clone(names), when(found.Consultee == "", "rules", found.Consultee))
	f.named(string(state.PressureTester)).offer(slices.Clone(names), when(found.Orchestrator == "", "rules", found.Orchestrator))
}

// offerPlaybooks fills in the playbooks that moot is built with.
func (f *fieldForm) offerPlaybooks(books []Playbook) {
	var names []choice
	for _, b := range books {
		names = append(names, choice{value: b.Name, help: b.About})
	}
	f.named("playbook").offer(append(names, choice{value: otherName, help: "a file of your own"}), when(len(books) == 0, otherName, ""))
}

// findPlaybooks reads the playbooks outside: their patterns take a moment.
func (m *Model) findPlaybooks() tea.Cmd {
	read := m.options.Home.Playbooks
	if read == nil {
		return nil
	}
	return m.outside(func() answer {
		books := read()
		return func(m *Model) tea.Cmd {
			if m.home.draft != nil {
				m.home.draft.offerPlaybooks(books)
			}
			return nil
		}
	})
}
