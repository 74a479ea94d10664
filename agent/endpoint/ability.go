package endpoint

import (
	"encoding/json"
	"slices"
	"strings"
)

// ability is what a server takes, as far as is known.
type ability struct {
	structure Structure
	// usage says that stream_options is sent.
	usage bool
	// completionTokens says that the limit is max_completion_tokens.
	completionTokens bool
	// sampling says that a temperature may be sent.
	sampling bool
	// effort says that a reasoning effort may be sent.
	effort bool
	// schema is what goes out as json_schema, for this call only.
	schema json.RawMessage
}

// firstAbility is what is assumed of a server that was never asked.
func firstAbility(config Config) ability {
	structure := config.Structured
	if structure == "" {
		structure = StructureSchema
	}
	reasoning := isReasoning(config.Model)
	return ability{
		structure: structure, usage: true,
		completionTokens: reasoning || config.MaxTokens == 0,
		sampling:         !reasoning && config.Temperature != nil,
		effort:           config.Effort != "",
	}
}

// without returns the ability that a refusal leaves, and what to say of it, or
// "" if the refusal is about nothing that can be left out.
func (a ability) without(said *refusal, structured bool) (ability, string) {
	text := said.words()
	switch {
	case !said.refusesRequest():
		return a, ""
	case a.usage && containsAny(text, "stream_options", "include_usage"):
		a.usage = false
		return a, "the endpoint refuses stream_options: tokens may go uncounted"
	case !a.completionTokens && containsAny(text, "max_completion_tokens"):
		a.completionTokens = true
		return a, "the endpoint wants max_completion_tokens"
	case a.sampling && containsAny(text, "temperature"):
		a.sampling = false
		return a, "the endpoint refuses a temperature: it is left out"
	case a.effort && containsAny(text, "reasoning_effort", "reasoning effort", "reasoning.effort", "reasoningeffort"):
		a.effort = false
		return a, "the endpoint refuses the reasoning effort: it is left out"
	case structured && a.structure != StructurePlain && said.refusesStructure():
		before := a.structure
		a.structure = before.weaker()
		return a, "the endpoint refuses " + before.asked() + ": it is asked for " + a.structure.asked() + " from now on"
	}
	return a, ""
}

// asked says how a structure is asked for.
func (s Structure) asked() string {
	switch s {
	case StructureStrict:
		return "a strict json_schema"
	case StructureSchema:
		return "a json_schema"
	case StructureObject:
		return "a json_object"
	case StructurePlain:
		return "plain text"
	}
	return string(s)
}

// merged returns the weaker of two abilities in every respect: two calls at
// once may each have learned one thing.
func (a ability) merged(b ability) ability {
	order := Structures()
	if slices.Index(order, b.structure) > slices.Index(order, a.structure) {
		a.structure = b.structure
	}
	a.usage = a.usage && b.usage
	a.completionTokens = a.completionTokens || b.completionTokens
	a.sampling = a.sampling && b.sampling
	a.effort = a.effort && b.effort
	a.schema = nil
	return a
}

// containsAny reports that text holds one of the words.
func containsAny(text string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
