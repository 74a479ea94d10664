package review

import (
	"cmp"
	_ "embed" // for prompts.md
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/state"
)

//go:embed prompts.md
var prompts string

// text returns an embedded prompt text.
func text(name string) string { return protocol.PromptText(prompts, name) }

// Prompt implements Format.
func (Format) Prompt(s *state.State, ask protocol.Ask) protocol.Prompt {
	b := claims.NewPrompt(s, ask, prompts)
	b.Without = append(b.Without, "challenge", "fact", "sentence")
	b.UsersFacts = true // What others cite would say what they found.
	role := strings.ReplaceAll(text("role-reviewer"), "{{seat}}", string(ask.Seat))
	if ask.Seat == Author {
		role = text("role-author")
	}
	if ask.Stage == StageFind {
		b.Without = append(b.Without, "point")
	}
	b.Begin(text("preamble"), role)
	b.Commands()
	b.Anchor()
	if flags := SettingsOf(s).Playbook.Flags; len(flags) > 0 && ask.Stage == StageFind {
		b.Line("Look for these in particular:")
		for i := range flags {
			b.Line("- %s: %s", plain.OneLine(flags[i].Title), plain.OneLine(flags[i].Look))
		}
	}
	b.Facts()
	instructions := string(ask.Stage)
	switch ask.Stage { //nolint:exhaustive // the others have no list
	case StagePlace:
		listMisplaced(b)
	case StageAuthor:
		listFindings(b, "findings", ToAnswer(s), true)
	case StageExamine:
		listExamined(b)
		if len(ToExamine(s, ask.Seat)) == 0 && len(Merged(s, ask.Seat)) > 0 {
			instructions = ""
		}
	case state.StageAnswer:
		listAgainst(b)
	}
	b.LastReply()
	if instructions != "" {
		b.Line("%s", text(instructions))
	}
	material(b)
	return b.Within()
}

// material writes the changed files that fit, each whole, the likeliest to matter first, in the order of the diff. What
// does not fit comes in a further turn, or is withheld.
func material(b *claims.PromptBuilder) {
	s, seat := b.State, b.Ask.Seat
	settings := SettingsOf(s)
	said := b.Take()
	left := s.PromptBudget(seat, protocol.DefaultPromptBudget)*protocol.BytesPerToken - len(b.System) - len(said)
	finds := b.Ask.Stage == StageFind
	fresh := unshown(s, seat)
	asked := s.AskedOf(seat, StageFind)
	again := finds && len(fresh) == 0 // a repeated turn shows the change once more
	last := !finds || asked.Replies+1 >= settings.Turns
	var chosen []*File
	for i := range settings.Change.Files {
		f := &settings.Change.Files[i]
		if f.Diff != "" && (!finds || again || slices.Contains(fresh, f)) {
			chosen = append(chosen, f)
		}
	}
	// Lock files and generated ones are cut first, then the biggest.
	byWorth := slices.Clone(chosen)
	slices.SortStableFunc(byWorth, func(a, b *File) int {
		worth := func(f *File) int {
			if f.Generated {
				return 1
			}
			return 0
		}
		return cmp.Or(worth(a)-worth(b), len(a.Diff)-len(b.Diff))
	})
	capacity := left
	fits := map[*File]bool{}
	for _, f := range byWorth {
		size := len(f.Diff) + 200 // with its fence and its surroundings
		switch {
		case s.ByRules(seat) || size <= left:
			fits[f] = true
			left -= size
		case finds && (last || size > capacity):
			b.Withheld = append(b.Withheld, &state.Withheld{Path: f.Path, Reason: state.NotFitting, Seats: []state.Seat{seat}})
			b.Omitted = append(b.Omitted, plain.OneLine(f.Path))
		}
	}
	var waiting []string
	for _, f := range chosen {
		if !fits[f] {
			waiting = append(waiting, plain.OneLine(f.Path))
			continue
		}
		label := string(f.Status) + " " + plain.OneLine(f.Path)
		if f.From != "" {
			label += " (from " + plain.OneLine(f.From) + ")"
		}
		b.Fence(label, f.Diff)
		if len(f.Around) > 0 && finds {
			b.Fence("beside "+plain.OneLine(f.Path), plain.Clip(plain.OneLine(strings.Join(f.Around, ", ")), 400))
		}
		if finds {
			b.Shown = append(b.Shown, protocol.Material{Path: f.Path, Text: f.Diff})
		}
	}
	files := b.Take()
	b.WriteString(said)
	if files != "" {
		b.Line("The change:")
		b.WriteString(files)
	}
	if more := len(waiting); more > 0 && finds && !last {
		b.Line("%s follow in a further turn.", plain.Counted(more, "more file"))
	}
}

// listMisplaced lists the findings of the seat whose place is wrong, with the nearest changed line.
func listMisplaced(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	for _, f := range misplacedOf(b.State, b.Ask.Seat) {
		fmt.Fprintf(inner, "%s at %s: %s\n", f.Point, cmp.Or(Place(f), "no place"), plain.Indent(f.What))
		if near := nearest(b.State, f); near != "" {
			fmt.Fprintf(inner, "   nearest changed line: %s\n", near)
		}
	}
	b.List("Your findings without a place in the change:", "findings", inner)
}

// listFindings lists findings without who raised them. With how, their severity is shown.
func listFindings(b *claims.PromptBuilder, label string, points []*state.Point, how bool) {
	inner := &strings.Builder{}
	for _, p := range points {
		f := Of(b.State).Finding(p.ID)
		spot := SpotOf(b.State, placed(b.State, p))
		marks := ""
		if asksWhetherFixed(b.State, p) {
			marks = " [known from an earlier review]"
		}
		if how {
			marks += " [" + string(SeverityOf(b.State, p)) + "]"
		}
		fmt.Fprintf(inner, "%s%s at %s: %s\n", p.ID, marks, cmp.Or(spot.String(), "no place"), plain.Indent(f.What))
		if f.Why != "" {
			fmt.Fprintf(inner, "   why: %s\n", plain.Indent(f.Why))
		}
		for line := range strings.Lines(plain.Clip(Quoted(b.State, p), 600)) {
			fmt.Fprintf(inner, "   > %s\n", strings.TrimRight(line, "\n"))
		}
	}
	b.List("Findings:", label, inner)
}

// listExamined lists what the seat is asked about: findings of others, and its own that were merged.
func listExamined(b *claims.PromptBuilder) {
	others := ToExamine(b.State, b.Ask.Seat)
	listFindings(b, "findings", others, false)
	merged := Merged(b.State, b.Ask.Seat)
	inner := &strings.Builder{}
	for _, p := range merged {
		for i, f := range Members(b.State, p) {
			lead, whose := "means the same: ", "of another"
			if i == 0 {
				lead = ""
			}
			if f.By == b.Ask.Seat {
				whose = "yours"
			}
			fmt.Fprintf(inner, "%s%s (%s) at %s: %s\n", lead, f.Point, whose, Place(f), plain.Indent(f.What))
		}
	}
	b.List("Findings that code merged:", "merged", inner)
	if len(merged) > 0 {
		b.Line("%s", text("examine-merged"))
	}
}

// listAgainst lists the items against the seat's findings.
func listAgainst(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	for _, item := range against(b.State, b.Ask.Seat) {
		p := b.State.Live(item.Point)
		f := Of(b.State).Finding(p.ID)
		fmt.Fprintf(inner, "%s against %s (%s): %s\n", item.ID, p.ID, plain.Indent(f.What), plain.OneLine(item.Reference))
		for _, w := range words(b.State, p) {
			if slices.Contains(w.Items, item.ID) {
				fmt.Fprintf(inner, "   reason: %s\n", plain.Indent(w.Reason))
			}
		}
		for line := range strings.Lines(plain.Clip(item.Excerpt, 600)) {
			fmt.Fprintf(inner, "   > %s\n", strings.TrimRight(line, "\n"))
		}
	}
	b.List("Against your findings:", "against", inner)
}
