package consult

import (
	"fmt"
	"strings"

	"moot/state"
)

// framing is the way a session opens. The rules are the same for all framings.
type framing struct {
	// The seats that propose in round 1, without seeing each other.
	consultees, orchestrator bool
	// seeds returns the points of the user that exist before any seat replies.
	seeds func(in *state.Input) []state.PointRaised
	// needs is the flag of the required input, as the user types it.
	needs string
	has   func(in *state.Input) bool
}

// framingOf returns the opening for a framing.
func framingOf(f state.Framing) framing {
	design := func(in *state.Input) bool { return strings.TrimSpace(in.Design) != "" }
	position := func(in *state.Input) bool { return strings.TrimSpace(in.Position) != "" }
	switch f {
	case state.FramingCritique, state.FramingRedteam:
		return framing{seeds: designSeed, needs: "--design FILE", has: design}
	case state.FramingSteelman:
		return framing{consultees: true, needs: "--position TEXT", has: position}
	case state.FramingComplete:
		return framing{consultees: true, needs: "--design FILE", has: design}
	case state.FramingCompare:
		return framing{
			consultees: true, needs: "--option TEXT --option TEXT",
			has: func(in *state.Input) bool { return len(in.Options) >= 2 },
		}
	case state.FramingVerify:
		return framing{seeds: stepSeeds, needs: "--design FILE", has: design}
	case state.FramingPosition:
		return framing{orchestrator: true, seeds: positionSeed, needs: "--position TEXT", has: position}
	case state.FramingSynthesize:
		return framing{
			consultees: true, seeds: viewSeeds, needs: "--view NAME=TEXT --view NAME=TEXT",
			has: func(in *state.Input) bool { return len(in.Views) >= 2 },
		}
	case state.FramingParallel:
		return framing{consultees: true, orchestrator: true}
	case state.FramingPropose:
	}
	return framing{consultees: true}
}

// proposers returns the seats that propose in round 1.
func proposers(s *state.State) []state.Seat {
	row := framingOf(s.Settings.Framing)
	var seats []state.Seat
	if row.consultees {
		seats = append(seats, s.Consultees()...)
	}
	if row.orchestrator {
		seats = append(seats, state.Orchestrator)
	}
	return seats
}

// maxSeed limits the text of a point made from a design, in bytes.
const maxSeed = 4096

func designSeed(in *state.Input) []state.PointRaised {
	text := strings.TrimSpace(in.Design)
	if len(text) > maxSeed {
		text = strings.ToValidUTF8(text[:maxSeed], "") +
			fmt.Sprintf("\n[see %s - the first %d of %d bytes]", in.DesignPath, maxSeed, len(in.Design))
	}
	return []state.PointRaised{{By: state.User, Text: text}}
}

func positionSeed(in *state.Input) []state.PointRaised {
	return []state.PointRaised{{By: state.User, Text: strings.TrimSpace(in.Position)}}
}

func viewSeeds(in *state.Input) []state.PointRaised {
	var seeds []state.PointRaised
	for _, v := range in.Views {
		seeds = append(seeds, state.PointRaised{By: state.User, Text: strings.TrimSpace(v.Text), Holder: v.Name})
	}
	return seeds
}

// stepSeeds makes a point of each step of a reasoning: each list item, or each paragraph
// if there is no list.
func stepSeeds(in *state.Input) []state.PointRaised {
	steps := listItems(in.Design)
	if len(steps) == 0 {
		steps = paragraphs(in.Design)
	}
	var seeds []state.PointRaised
	for _, step := range steps {
		if len(step) > maxSeed {
			step = strings.ToValidUTF8(step[:maxSeed], "")
		}
		seeds = append(seeds, state.PointRaised{By: state.User, Text: step})
	}
	return seeds
}

// listItems returns the items of the numbered or bulleted lists of a text,
// with their continuation lines.
func listItems(text string) []string {
	var items []string
	inItem := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		item, ok := listItem(trimmed)
		switch {
		case ok:
			items, inItem = append(items, item), true
		case trimmed == "":
			inItem = false
		case inItem:
			items[len(items)-1] += " " + trimmed
		}
	}
	return items
}

func listItem(line string) (string, bool) {
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, bullet); ok && rest != "" {
			return strings.TrimSpace(rest), true
		}
	}
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits+1 >= len(line) || (line[digits] != '.' && line[digits] != ')') || line[digits+1] != ' ' {
		return "", false
	}
	return strings.TrimSpace(line[digits+1:]), true
}

// paragraphs returns the paragraphs of a text without its headings.
func paragraphs(text string) []string {
	var found []string
	for _, block := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		block = strings.Join(strings.Fields(block), " ")
		if block != "" && !strings.HasPrefix(block, "#") {
			found = append(found, block)
		}
	}
	return found
}
