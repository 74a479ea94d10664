package endpoint

import (
	"regexp"
	"strconv"
	"strings"
)

// mostContext is more tokens than any model takes: a larger number is no limit.
const mostContext = 100_000_000

// contextLimit is how many tokens the server says that it takes, prompt and reply
// together, or 0 where its refusal does not say.
func (r *refusal) contextLimit() int {
	if r.context > 0 && r.context < mostContext {
		return r.context
	}
	for _, pattern := range []string{
		// OpenAI, vLLM, OpenRouter; "maximum context length of only 4096" of LM Studio.
		`(?:maximum |model'?s? )?context (?:length|window|size)\s*(?:is|of|:)?\s*(?:only|at most)?\s*\(?(\d[\d,_]*)`,
		// "210000 tokens > 200000 maximum" of Anthropic.
		`\d[\d,_]* tokens? > (\d[\d,_]*) maximum`,
		// "exceeds the maximum number of tokens allowed (1048576)" of Gemini.
		`maximum number of (?:input )?tokens(?: allowed)?\s*\(?(\d[\d,_]*)`,
		// "too large for model with 32768 maximum context length" of Mistral.
		`(\d[\d,_]*) maximum context`,
		`limit (?:is|of) (\d[\d,_]*) tokens`,
	} {
		found := regexp.MustCompile(pattern).FindStringSubmatch(strings.ToLower(r.message))
		if found == nil {
			continue
		}
		n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(found[1]))
		if err == nil && n > 0 && n < mostContext {
			return n
		}
	}
	return 0
}
