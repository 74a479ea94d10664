package script

import (
	"fmt"
	"slices"
	"strings"

	"moot/enum"
	"moot/state"
)

// mark begins a header; anything fits any seat or stage.
const (
	mark     = "---"
	anything = "*"
)

// header is a line "--- seat/stage" as it is written.
type header struct {
	seat, stage string
	// slash says that the two were parted; without it one word names either.
	slash bool
}

// readHeader reads a line that has the form of a header: the mark, and then
// nothing or a blank and lower-case words. The line of a patch
// ("--- a/queue.go") has not, for its dot or capitals.
func readHeader(line string) (header, bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t"), mark)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return header{}, false
	}
	rest = strings.TrimSpace(rest)
	seat, stage, slash := strings.Cut(rest, "/")
	seat, stage = strings.TrimSpace(seat), strings.TrimSpace(stage)
	if !isWord(seat) || !isWord(stage) {
		return header{}, false
	}
	return header{seat: seat, stage: stage, slash: slash}, true
}

func isWord(text string) bool {
	if text == anything {
		return true
	}
	for _, b := range []byte(text) {
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '-' {
			return false
		}
	}
	return true
}

// bare reports whether the header names neither seat nor stage.
func (h header) bare() bool { return h.seat == "" && h.stage == "" }

// meaning returns the seat and stage that the header names, "" for any.
func (h header) meaning() (state.Seat, state.Stage, error) {
	seat, stage := h.seat, h.stage
	if !h.slash && isStage(seat) {
		seat, stage = "", seat
	}
	if seat != "" && seat != anything && !isSeat(seat) {
		known := seats()
		if !h.slash {
			known = append(known, enum.Words(state.Stages())...)
		}
		unknown := &enum.UnknownError{What: "seat", Word: seat, Known: known, Nearest: enum.Nearest(seat, known)}
		return "", "", fmt.Errorf("read the header %q: %w", h, unknown)
	}
	if stage != "" && stage != anything {
		if _, err := enum.Parse("stage", stage, state.Stages()); err != nil {
			return "", "", fmt.Errorf("read the header %q: %w", h, err)
		}
	}
	return state.Seat(strings.TrimPrefix(seat, anything)), state.Stage(strings.TrimPrefix(stage, anything)), nil
}

// String is the header as it is written, with one blank.
func (h header) String() string {
	if h.slash {
		return mark + " " + h.seat + "/" + h.stage
	}
	return strings.TrimSpace(mark + " " + h.seat)
}

// near reports whether a header that names no seat or stage seems to mean one.
func (h header) near() bool {
	known := append(seats(), enum.Words(state.Stages())...)
	if !h.slash {
		return enum.Nearest(h.seat, known) != ""
	}
	return (isSeat(h.seat) || enum.Nearest(h.seat, seats()) != "") && h.stage != "" || h.stage != "" && isStage(h.stage)
}

func seats() []string {
	return []string{
		string(state.Orchestrator), string(state.Consultee), string(state.Arbiter),
		string(state.Proposer), string(state.PressureTester), string(state.Panelist),
		string(state.Strategist), string(state.Critic), string(state.Adversary), string(state.Moderator), string(state.Expert),
		string(state.Architect), string(state.Skeptic), string(state.Oracle),
	}
}

// isSeat reports whether a participant can sit in a seat of this name.
func isSeat(word string) bool {
	return state.Seat(word).IsConsultee() || state.Seat(word).IsPanelist() || slices.Contains(seats(), word)
}

func isStage(word string) bool {
	_, err := enum.Parse("stage", word, state.Stages())
	return err == nil
}
