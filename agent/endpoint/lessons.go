package endpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"moot/config"
	"moot/internal/lists"
	"moot/state"
)

// Memory shares what endpoints learned about their servers between the sessions of a process. It is safe for
// concurrent use.
type Memory struct {
	mutex sync.Mutex
	known map[string]*lessons
}

// of returns the lessons about a model at a server. A nil Memory remembers nothing.
func (m *Memory) of(c *Config) *lessons {
	if m == nil {
		return &lessons{}
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.known == nil {
		m.known = map[string]*lessons{}
	}
	key := c.Base + "#" + c.Model
	if m.known[key] == nil {
		m.known[key] = &lessons{}
	}
	return m.known[key]
}

// lessons holds what one server refuses for one model.
type lessons struct {
	mutex sync.Mutex
	list  []state.Lesson
	// responds says that the Responses API has answered.
	responds bool
}

func (l *lessons) has(key string) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.ContainsFunc(l.list, func(known state.Lesson) bool { return known.Key == key })
}

func (l *lessons) add(lesson state.Lesson) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !slices.ContainsFunc(l.list, func(known state.Lesson) bool { return known.Key == lesson.Key }) {
		l.list = append(l.list, lesson)
	}
}

func (l *lessons) all() []state.Lesson {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.list)
}

func (l *lessons) setResponds() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.responds = true
}

func (l *lessons) knowsResponses() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.responds
}

// The keys of lessons. Those from refusesTools on are stored per API, prefixed with apiPrefix for the Responses API.
const (
	refusesChat      = "chat completions"
	refusesResponses = "Responses API"

	refusesTools       = "tools"
	refusesToolsEffort = "tools+effort"
	refusesToolsFormat = "tools+format"
	refusesToolChoice  = "tool_choice"
	refusesHistory     = "history"
	refusesEffort      = "effort"
	refusesFormat      = "format="
	refusesWord        = "schema-word="
	refusesUsage       = "stream_options"
	refusesMaxTokens   = "max_tokens"
	refusesCompletion  = "max_completion_tokens"
	refusesTemperature = "temperature"
	refusesSystem      = "system"
	refusesBackground  = "background"
	refusesEncrypted   = "encrypted reasoning"

	apiPrefix = "responses: "
)

// options are the parts of a request that a server may refuse.
type options struct {
	// responses selects the Responses API.
	responses bool
	structure Structure
	// effort is the reasoning effort, or "".
	effort string
	// offer says that lookups are offered as tools, history that their answers are sent as tool messages.
	offer, history, toolChoice bool
	// words are the JSON Schema keywords that the server rejects.
	words []string

	countTokens, completionTokens, sampling, systemRole, background, encrypted bool
}

// key returns the key of a lesson for the selected API.
func (o *options) key(key string) string {
	if o.responses {
		return apiPrefix + key
	}
	return key
}

// isReasoning reports whether a model rejects sampling parameters and max_tokens.
func isReasoning(model string) bool {
	name := bareModel(model)
	return slices.ContainsFunc([]string{"o1", "o3", "o4", "gpt-5", "gpt-6"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// isSlow reports whether a model takes minutes to answer.
func isSlow(model string) bool {
	name := listedModel(model)
	return strings.HasSuffix(name, "-pro") || strings.Contains(name, "deep-research")
}

// options returns the options for a call. lookups says that the seat may look things up.
func (e *Endpoint) options(lookups bool) options {
	c, known := &e.config, e.lessons
	reasoning := isReasoning(c.Model)
	o := options{}
	pair := lookups && !known.has(refusesTools) && known.has(refusesToolsEffort)
	o.responses = !known.has(refusesResponses) && (known.has(refusesChat) || pair ||
		c.Responses && (reasoning || isSlow(c.Model) || strings.Contains(bareModel(c.Model), "codex")))
	refuses := func(key string) bool { return known.has(o.key(key)) }

	o.offer = lookups && !refuses(refusesTools) && !refuses(refusesToolsEffort)
	o.history, o.toolChoice = !refuses(refusesHistory), !refuses(refusesToolChoice)
	o.structure = c.Structured
	o.structure = cmp.Or(o.structure, StructureSchema)
	for o.structure != StructurePlain && refuses(refusesFormat+string(o.structure)) {
		o.structure = next(o.structure)
	}
	if o.offer && refuses(refusesToolsFormat) {
		o.structure = StructurePlain
	}
	for _, lesson := range known.all() {
		if word, ok := strings.CutPrefix(lesson.Key, o.key(refusesWord)); ok {
			o.words = append(o.words, word)
		}
	}
	if c.Effort != "" && !refuses(refusesEffort) {
		o.effort = c.Effort
		for _, lesson := range known.all() {
			if other, ok := strings.CutPrefix(lesson.Key, o.key(refusesEffort)+"="+o.effort+":"); ok {
				o.effort = other
			}
		}
	}
	o.countTokens = !refuses(refusesUsage)
	o.completionTokens = (reasoning || c.MaxTokens == 0 || refuses(refusesMaxTokens)) && !refuses(refusesCompletion)
	o.sampling = !reasoning && c.Temperature != nil && !refuses(refusesTemperature)
	o.systemRole = !refuses(refusesSystem)
	o.background = o.responses && isSlow(c.Model) && !refuses(refusesBackground)
	o.encrypted = !refuses(refusesEncrypted)
	return o
}

func next(structure Structure) Structure {
	order := Structures()
	return order[slices.Index(order, structure)+1]
}

// learn derives a lesson from a refused request; ok is false if changing the request would not help. It gives up what
// the user asked for last: it first tries the other API, then asks for the reply in words instead of a schema, then
// for lookups as moves instead of tools, and only then drops the effort.
func (e *Endpoint) learn(said *refusal, c *conversation) (lesson state.Lesson, ok bool) {
	model, text := e.quote(e.config.Model), said.words()
	lookups := len(c.tools) > 0
	found := func(key, format string, values ...any) (state.Lesson, bool) {
		lesson := state.Lesson{Key: c.key(key), Text: fmt.Sprintf(format, values...)}
		lesson.Lost = strings.HasPrefix(key, refusesEffort) || key == refusesTools || key == refusesTemperature
		return lesson, !e.lessons.has(lesson.Key)
	}
	namesTools := containsAny(text, "tool", "function call", "function_call", "functions")
	namesEffort := containsAny(text, "reasoning_effort", "reasoning effort", "reasoning.effort", "reasoningeffort",
		"support thinking", "thinking level", "thinking_level", "thinking budget", "thinking_config")
	aboutTools := namesTools && containsAny(text, "parameters")
	namesFormat := said.refusesStructure() && !aboutTools
	const byMoves = "it looks things up by moves in its replies"
	switch {
	case !said.refusesRequest() || !said.teaches():
		return lesson, false
	case len(c.turns) > 0 && said.refusesHistory():
		return lesson, false // see withoutHistory

	// Try the other API.
	case !c.responses && lookups && namesTools && (namesEffort || containsAny(text, "reasoning")):
		if e.lessons.has(refusesResponses) {
			break
		}
		const both = "%s is asked through the Responses API: in chat completions it refuses tools together with " +
			"a reasoning effort"
		return found(refusesToolsEffort, both, model)
	case !c.responses && said.wantsResponses():
		const only = "%s is asked through the Responses API: the endpoint does not serve it in chat completions"
		return found(refusesChat, only, model)
	case c.responses && said.lacksResponses() && !e.lessons.knowsResponses():
		return e.withoutResponses(c), !e.lessons.has(refusesResponses)
	}

	// Drop an option that the server does not know and the user did not ask for.
	word := said.schemaWord(c)
	switch {
	case word != "" && !slices.Contains(c.words, word):
		return found(refusesWord+word, "the endpoint does not know %q in a JSON Schema: it is left out", word)
	case c.countTokens && containsAny(text, "stream_options", "include_usage"):
		return found(refusesUsage, "the endpoint rejects stream_options: tokens may not be counted")
	case c.maxTokens > 0 && !c.completionTokens && containsAny(text, "max_completion_tokens"):
		return found(refusesMaxTokens, "the endpoint requires max_completion_tokens")
	case c.maxTokens > 0 && c.completionTokens && containsAny(text, "max_completion_tokens"):
		return found(refusesCompletion, "the endpoint rejects max_completion_tokens: it is asked with max_tokens")
	case c.sampling && containsAny(text, "temperature"):
		return found(refusesTemperature, "the endpoint rejects the temperature: it is left out")
	case c.background && containsAny(text, "background", "store"):
		return found(refusesBackground, "the endpoint rejects answers in the background: it is asked to stream them")
	case c.responses && c.encrypted && containsAny(text, "encrypted", "include"):
		return found(refusesEncrypted, "the endpoint returns no encrypted reasoning: %s reasons again after each "+
			"lookup",
			model)
	case c.system != "" && c.systemRole && said.refusesSystem():
		return found(refusesSystem, "%s takes no system message: it is part of the first message", model)
	case lookups && c.last && c.toolChoice && containsAny(text, "tool_choice"):
		return found(refusesToolChoice, "the endpoint rejects tool_choice: it is left out")
	}

	// From here on the request loses features, the least important first.
	formatted := c.schema != nil || c.structure == StructureObject
	switch {
	case lookups && formatted && namesTools && namesFormat:
		const both = "tools were kept, the JSON Schema was not: %s refuses both together, so it is asked for JSON in " +
			"words"
		return found(refusesToolsFormat, both, model)
	case formatted && namesFormat:
		return e.weaker(c)
	case lookups && namesTools && namesEffort || lookups && namesTools && containsAny(text, "reasoning"):
		const kept = "the effort was kept, tools were not: %s refuses both together, so " + byMoves
		const none = "tools were left out: %s refuses them while it reasons, so " + byMoves
		if c.effort == "" {
			return found(refusesTools, none, model)
		}
		return found(refusesTools, kept, model)
	case c.effort != "" && namesEffort:
		if other := otherEffort(text, c.effort); other != "" {
			return found(refusesEffort+"="+c.effort+":"+other, "%s knows no effort %s: it is asked with %s",
				model, c.effort, other)
		}
		return found(refusesEffort, "the endpoint rejects the reasoning effort: it is left out")
	case lookups && namesTools:
		return found(refusesTools, "the endpoint rejects tools: "+byMoves)
	}
	return lesson, false
}

// weaker returns the lesson that a response format is refused.
func (e *Endpoint) weaker(c *conversation) (state.Lesson, bool) {
	names := map[Structure]string{
		StructureStrict: "a strict json_schema", StructureSchema: "a json_schema",
		StructureObject: "a json_object", StructurePlain: "plain text",
	}
	const note = "the endpoint rejects %s: moot requests %s from now on"
	lesson := state.Lesson{
		Key:  c.key(refusesFormat + string(c.structure)),
		Text: fmt.Sprintf(note, names[c.structure], names[next(c.structure)]),
	}
	return lesson, !e.lessons.has(lesson.Key)
}

// withoutResponses returns the lesson that a server lacks the Responses API.
func (e *Endpoint) withoutResponses(c *conversation) state.Lesson {
	model := e.quote(e.config.Model)
	text := "the endpoint has no Responses API for " + model + ": it is asked through chat completions"
	if e.lessons.has(refusesToolsEffort) {
		text = "the endpoint has no Responses API, and chat completions refuse tools while " + model +
			" reasons: tools were left out, it looks things up by moves in its replies"
		if c.effort != "" {
			text = "the effort was kept, tools were not: " + model + " refuses both together, and the endpoint has " +
				"no Responses API; it looks things up by moves in its replies"
		}
	}
	return state.Lesson{Key: refusesResponses, Text: text, Lost: e.lessons.has(refusesToolsEffort)}
}

// withoutHistory returns the lesson that a server rejects its own earlier messages.
func (e *Endpoint) withoutHistory(c *conversation) state.Lesson {
	return state.Lesson{Key: c.key(refusesHistory), Text: "the endpoint refuses the messages of tools: " +
		e.quote(e.config.Model) + " is shown what it looked up as text"}
}

// guessedResponses reports whether the Responses API was tried as a guess, and the error shows that the server lacks
// it.
func (e *Endpoint) guessedResponses(c *conversation, err error) bool {
	if !c.responses || e.lessons.knowsResponses() || e.lessons.has(refusesResponses) {
		return false
	}
	var said *refusal
	if errors.As(err, &said) {
		return !e.config.Responses && !said.named && (said.status == 400 || said.status == 422)
	}
	var foreign *foreignError
	return !e.config.Responses && (errors.As(err, &foreign) || errors.Is(err, io.EOF) || errors.Is(err, errCut) ||
		errors.Is(err, syscall.ECONNRESET))
}

// otherEffort returns a supported effort to use instead of a refused one, or "" if efforts are refused altogether.
func otherEffort(text, effort string) string {
	named := regexp.MustCompile(`['"\x60]` + regexp.QuoteMeta(effort) + `['"\x60]|: ` + regexp.QuoteMeta(effort) + `\b`)
	if !named.MatchString(text) {
		return ""
	}
	known, at := config.Efforts(), slices.Index(config.Efforts(), effort)
	if at < 0 {
		return ""
	}
	listed := lists.Filter(known, func(other string) bool {
		return other != effort && regexp.MustCompile(`['"\x60]`+other+`['"\x60]`).MatchString(text)
	})
	if listed == nil {
		listed = slices.DeleteFunc([]string{"low", "medium", "high"},
			func(other string) bool { return other == effort })
	}
	best := ""
	for _, other := range listed { // the nearest lower effort, else the nearest higher one
		i := slices.Index(known, other)
		switch {
		case best == "", i < at, i > at && slices.Index(known, best) > at && i < slices.Index(known, best):
			best = other
		}
	}
	return best
}

// wantsResponses reports whether the model requires the Responses API.
func (r *refusal) wantsResponses() bool {
	return containsAny(r.words(), "v1/responses", "responses api", "responses endpoint") ||
		containsAny(r.words(), "not a chat model", "chatcompletion operation",
			"not supported in the v1/chat/completions")
}

// lacksResponses reports whether the server does not offer the Responses API, at least for this model.
func (r *refusal) lacksResponses() bool {
	switch r.status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return containsAny(r.words(), "not supported with the responses api", "responses api is not", "/responses")
}

// refusesSystem reports whether the model has no system message.
func (r *refusal) refusesSystem() bool {
	return containsAny(r.words(), "system role", "role 'system'", `role "system"`, "role: system", "system message",
		"system prompt", "developer instruction", "system instruction")
}

// refusesHistory reports whether the server rejects the messages of earlier lookups.
func (r *refusal) refusesHistory() bool {
	return containsAny(r.words(), "messages[", "messages.", "message[", "thought_signature", "thought signature",
		"reasoning_content", "reasoning_details", "tool_call_id", "tool_calls", "tool call id", "tool_use",
		"tool_result",
		"role 'tool'", `role "tool"`, "input[", "reasoning' was provided", "item with id", "function_call", "jinja",
		"chat template", "prompt template",
		"must alternate", "parse tool call", "tool call message", "not callable")
}

// schemaWord returns the JSON Schema keyword that the error names, if the request has it and can do without it.
func (r *refusal) schemaWord(c *conversation) string {
	sent := string(c.schema)
	for _, tool := range c.tools {
		sent += string(tool.Schema)
	}
	for _, word := range []string{
		"additionalProperties", "const", "description", "title", "default", "format", "minimum", "maximum", "minLength",
		"maxLength", "minItems", "maxItems", "pattern", "$schema",
	} {
		quoted := regexp.MustCompile(`['"\x60(]` + regexp.QuoteMeta(word) + `['"\x60)]`)
		if strings.Contains(sent, `"`+word+`":`) && quoted.MatchString(r.message) &&
			(c.structure != StructureStrict || word != "additionalProperties" ||
				!strings.Contains(r.message, "required")) {
			return word
		}
	}
	return ""
}
