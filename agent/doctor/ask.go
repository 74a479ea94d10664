package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"moot/agent/endpoint"
	"moot/plain"
	"moot/protocol"
	"moot/state"
)

// The question that a participant is really asked, and the schema of its answer.
const (
	askedSystem   = "You are being tried out. Answer in one short JSON object."
	askedQuestion = `What is two plus three? Answer with a JSON object that has one field, "answer", a short text.`
	askedSchema   = `{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"],"additionalProperties":false}`
)

// Asked is what asking a participant one tiny question came to.
type Asked struct {
	// Model is the model that answered, as it names itself, or "".
	Model            string  `json:"model,omitempty"`
	PromptTokens     int     `json:"prompt_tokens"`
	CompletionTokens int     `json:"completion_tokens"`
	Cost             float64 `json:"cost"`
	// Priced says that the cost is known.
	Priced   bool `json:"priced"`
	Attempts int  `json:"attempts"`
	// Millis is the time from the request to the end of the reply, First that to the
	// first piece of it or of what was thought; 0 where it came in one piece.
	Millis float64 `json:"milliseconds"`
	First  float64 `json:"first_milliseconds,omitempty"`
	// Form is how the structured reply was asked for in the end: json_schema,
	// json_object or plain.
	Form string `json:"form"`
	// Reply says what came: "one JSON object", "JSON within a text", "text".
	Reply string `json:"reply"`
	// Fits says that the answer fits the schema that was asked for.
	Fits bool `json:"fits"`
	// Notes are what happened on the wire.
	Notes []string `json:"notes,omitempty"`
}

// structured is an endpoint that says how it asks for a structured reply.
type structured interface{ Structured() endpoint.Structure }

// priced is a participant whose prices may be known.
type priced interface {
	Price() (endpoint.Price, bool)
}

// Ask asks a participant one tiny question, which spends some hundred tokens. The
// error is that of the participant.
func Ask(ctx context.Context, p protocol.Participant) (Asked, error) {
	call := protocol.Call{
		Ask:    protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose},
		Prompt: protocol.Prompt{System: askedSystem, Text: askedQuestion}, Schema: json.RawMessage(askedSchema),
	}
	begun := time.Now()
	var first time.Duration
	reply, err := p.Reply(ctx, call, func(d protocol.Delta) {
		if first == 0 && (d.Text != "" || d.Thought != "") {
			first = time.Since(begun)
		}
	})
	if err != nil {
		return Asked{}, err
	}
	took := time.Since(begun)
	a := Asked{
		Model: quoted(reply.Model), PromptTokens: reply.PromptTokens, CompletionTokens: reply.CompletionTokens,
		Cost: reply.Cost, Priced: reply.Cost > 0, Attempts: reply.Attempts, Millis: millis(took), Form: "plain",
	}
	if first > 0 && first < took {
		a.First = millis(first)
	}
	if of, ok := p.(priced); ok {
		_, known := of.Price()
		a.Priced = a.Priced || known
	}
	if of, ok := p.(structured); ok {
		a.Form = formOf(of.Structured())
	}
	for _, note := range reply.Notes {
		a.Notes = append(a.Notes, quoted(note))
	}
	a.Reply, a.Fits = replied(reply.Text)
	return a, nil
}

// formOf is what a structure is called on the wire.
func formOf(s endpoint.Structure) string {
	switch s {
	case endpoint.StructureStrict, endpoint.StructureSchema:
		return "json_schema"
	case endpoint.StructureObject:
		return "json_object"
	case endpoint.StructurePlain:
		return "plain"
	}
	return string(s)
}

// replied says what a reply is, and whether it fits the schema.
func replied(text string) (what string, fits bool) {
	text = strings.TrimSpace(text)
	if answered(text) {
		return "one JSON object", true
	}
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	if from >= 0 && to > from && answered(text[from:to+1]) {
		return "JSON within a text", true
	}
	return "text, no JSON that fits", false
}

func answered(text string) bool {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	var reply struct {
		Answer *string `json:"answer"`
	}
	return decoder.Decode(&reply) == nil && reply.Answer != nil && !decoder.More()
}

// Words are what asking came to, in a line.
func (a *Asked) Words() string {
	var parts []string
	if a.Model != "" {
		parts = append(parts, "by "+a.Model)
	}
	parts = append(parts, "in "+plain.Clip(Lasted(a.Millis), 20))
	if a.First > 0 {
		parts[len(parts)-1] += " (first token after " + Lasted(a.First) + ")"
	}
	parts = append(parts, fmt.Sprintf("%d tokens in, %d out", a.PromptTokens, a.CompletionTokens))
	switch {
	case a.Priced && a.Cost == 0:
		parts = append(parts, "free")
	case a.Priced:
		parts = append(parts, fmt.Sprintf("$%.6f", a.Cost))
	default:
		parts = append(parts, "no price known")
	}
	if a.Attempts > 1 {
		parts = append(parts, fmt.Sprintf("%d attempts", a.Attempts))
	}
	return strings.Join(append(parts, a.Form+": "+a.Reply), ", ")
}

// Lasted is a time in milliseconds as a person reads it: "4 ms", "1.2 s".
func Lasted(milliseconds float64) string {
	switch {
	case milliseconds >= 1000:
		return fmt.Sprintf("%.1f s", milliseconds/1000)
	case milliseconds >= 10:
		return fmt.Sprintf("%.0f ms", milliseconds)
	}
	return fmt.Sprintf("%.1f ms", milliseconds)
}

// Failed says what became of a participant that gave no answer, and what to do.
func Failed(err error) (what, fix string) {
	var gone *protocol.Unreachable
	if errors.As(err, &gone) {
		return plain.Line(gone.What), plain.Line(gone.Fix)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "it gave no answer in time", "allow it more time with --timeout"
	}
	return plain.Line(err.Error()), ""
}
