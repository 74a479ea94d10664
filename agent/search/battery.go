package search

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// batteryLimit is how many passages are looked at for each question.
const batteryLimit = 8

// A Question of a battery is a question with the places that answer it.
type Question struct {
	// Text is the question.
	Text string
	// Answers are places of which any will do; empty if nothing in the
	// workspace bears on the question, so that nothing may be found.
	Answers []Answer
}

// An Answer is a line that answers a question, named by what it says rather
// than by its number, which every edit would change.
type Answer struct {
	Path string // relative to the root, with slashes
	Text string // what the line holds
}

// A BatteryScore says how well a search does on a battery of questions.
type BatteryScore struct {
	Answerable int     // questions with an answer
	Recall1    float64 // the share of them whose first passage answers it, from 0 to 1
	Recall3    float64 // … one of the first three
	Recall8    float64 // … one of the first eight
	MRR        float64 // the mean of 1/rank of the first passage that answers, 0 where none does
	Unbearing  int     // questions that nothing bears on
	Silence    float64 // the share of them for which nothing was found; 1 if there are none
	Misses     []Miss  // the questions that were not answered first
}

// A Miss is a question whose first passage does not answer it.
type Miss struct {
	Question Question
	Rank     int // of the first passage that does, from 2; 0 if none of the first eight does
	Found    []Passage
}

// String tells the figures in one line.
func (s BatteryScore) String() string {
	return fmt.Sprintf("%d questions: recall@1 %.3f, @3 %.3f, @8 %.3f, MRR %.3f; silent on %.0f %% of %d that nothing bears on",
		s.Answerable, s.Recall1, s.Recall3, s.Recall8, s.MRR, 100*s.Silence, s.Unbearing)
}

// ReadBattery reads questions from text. A question is a line that does not
// begin with a blank; below it, indented, each place that answers it is
// "path: text", or "nothing". Empty lines and lines that begin with "#" are
// skipped. An error names the line.
func ReadBattery(text io.Reader) ([]Question, error) {
	var questions []Question
	nothing := false
	lines := bufio.NewScanner(text)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(line, "#"):
		case line == strings.TrimLeft(line, " \t"):
			if n := len(questions); n > 0 && len(questions[n-1].Answers) == 0 && !nothing {
				return nil, fmt.Errorf("battery: line %d: the question before has no answer", number)
			}
			questions, nothing = append(questions, Question{Text: trimmed}), false
		case len(questions) == 0:
			return nil, fmt.Errorf("battery: line %d: an answer without a question", number)
		case trimmed == "nothing":
			nothing = true
		default:
			path, text, found := strings.Cut(trimmed, ": ")
			if !found {
				return nil, fmt.Errorf("battery: line %d: want \"path: text\"", number)
			}
			last := &questions[len(questions)-1]
			last.Answers = append(last.Answers, Answer{path, text})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("battery: %w", err)
	}
	if n := len(questions); n > 0 && len(questions[n-1].Answers) == 0 && !nothing {
		return nil, errors.New("battery: the last question has no answer")
	}
	return questions, nil
}

// Measure asks the questions and counts how many are answered, and how early.
// It fails only if the context ends.
func Measure(ctx context.Context, index *Index, questions []Question) (BatteryScore, error) {
	var score BatteryScore
	silent := 0
	for _, question := range questions {
		result, err := index.Search(ctx, question.Text, batteryLimit)
		if err != nil {
			return score, err
		}
		if len(question.Answers) == 0 {
			score.Unbearing++
			if len(result.Passages) == 0 {
				silent++
			} else {
				score.Misses = append(score.Misses, Miss{question, 0, result.Passages})
			}
			continue
		}
		score.Answerable++
		rank := question.rank(result.Passages)
		if rank != 1 {
			score.Misses = append(score.Misses, Miss{question, rank, result.Passages})
		}
		score.count(rank)
	}
	score.average(silent)
	return score, nil
}

// rank returns the place of the first passage that answers, from 1, or 0.
func (q Question) rank(passages []Passage) int {
	for i, passage := range passages {
		for _, answer := range q.Answers {
			if passage.Path == answer.Path && strings.Contains(passage.Text, answer.Text) {
				return i + 1
			}
		}
	}
	return 0
}

func (s *BatteryScore) count(rank int) {
	if rank == 0 {
		return
	}
	s.MRR += 1 / float64(rank)
	if rank == 1 {
		s.Recall1++
	}
	if rank <= 3 {
		s.Recall3++
	}
	s.Recall8++
}

func (s *BatteryScore) average(silent int) {
	if n := float64(s.Answerable); n > 0 {
		s.MRR /= n
		s.Recall1 /= n
		s.Recall3 /= n
		s.Recall8 /= n
	}
	s.Silence = 1
	if s.Unbearing > 0 {
		s.Silence = float64(silent) / float64(s.Unbearing)
	}
}
