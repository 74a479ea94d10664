package endpoint

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"moot/protocol"
)

// maxModelsBytes is how much of a list of models is read; the longest known is
// under one megabyte.
const maxModelsBytes = 8 << 20

// maxModels is how many models are told of one list, and maxModelBytes how long
// the name of one may be.
const (
	maxModels     = 10_000
	maxModelBytes = 512
)

// NoModelsError says that an endpoint gives no list of its models.
type NoModelsError struct {
	// Participant is the string that named the endpoint.
	Participant string
}

// Error says what to do.
func (e *NoModelsError) Error() string {
	return e.Participant + " gives no list of its models: look in its documentation"
}

// Probe asks whether the server is there and answers as a chat endpoint does.
// It takes at most Limits.Probe and is not tried again. The error is a
// *protocol.Unreachable, or the context's. Of an endpoint that gives no list of
// its models it tells only that something answers, and whether it denies the key.
func (e *Endpoint) Probe(ctx context.Context) error {
	if !e.config.NoModels {
		_, err := e.Models(ctx)
		return err
	}
	err := e.get(ctx, e.config.Base+"/models", func([]byte) bool { return true })
	var said *refusal
	if errors.As(err, &said) && (said.status == http.StatusNotFound || said.status == http.StatusMethodNotAllowed) {
		return nil
	}
	return e.unanswered(ctx, err)
}

// Models returns the names of the models that the endpoint serves, in its
// order, within Limits.Probe. They are foreign text without control characters.
// The error is as in Probe, or a *NoModelsError.
func (e *Endpoint) Models(ctx context.Context) ([]string, error) {
	if e.config.NoModels {
		return nil, &NoModelsError{Participant: e.Name()}
	}
	var models []string
	err := e.get(ctx, modelsAddress(e.config.Base), func(body []byte) (ok bool) {
		models, ok = parseModels(body)
		return ok
	})
	if err != nil {
		return nil, e.unanswered(ctx, err)
	}
	return models, nil
}

// Version returns the version that the server tells of itself, as "0.12.3", or
// "" where it is known to tell none. The error is as in Probe.
func (e *Endpoint) Version(ctx context.Context) (string, error) {
	address := e.config.fromRoot(e.config.Version)
	if address == "" {
		return "", nil
	}
	version := ""
	err := e.get(ctx, address, func(body []byte) bool {
		version = e.quote(parseVersion(body))
		return true
	})
	if err != nil {
		return "", e.unanswered(ctx, err)
	}
	return version, nil
}

// parseVersion reads the version of a server: Ollama's, vLLM's and SGLang's
// "version", llama.cpp's "build_info", LiteLLM's "litellm_version".
func parseVersion(body []byte) string {
	if tooDeep(body) || !gjson.ValidBytes(body) {
		return ""
	}
	for _, name := range []string{"version", "build_info", "litellm_version"} {
		if value := gjson.GetBytes(body, name); value.Type == gjson.String {
			return value.Str
		}
	}
	return ""
}

// modelsAddress is where the list of models is: with Azure's older addresses it is
// not below the deployment.
func modelsAddress(base string) string {
	before, _, _ := strings.Cut(base, "/deployments/")
	return before + "/models"
}

// get fetches what an address answers within Limits.Probe, and has it read.
func (e *Endpoint) get(ctx context.Context, address string, read func([]byte) bool) error {
	limited, cancel := context.WithTimeoutCause(ctx, e.limits.Probe, &stallError{"no answer", e.limits.Probe})
	defer cancel()
	body, err := e.fetch(limited, address)
	if err == nil && !read(body) {
		err = &foreignError{what: "no list of models"}
	}
	return stalled(limited, err)
}

// unanswered is the error for a request of Probe, Models or Version that failed.
func (e *Endpoint) unanswered(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if gone := ctx.Err(); gone != nil {
		return gone
	}
	r := &run{Endpoint: e}
	failed := r.classify(ctx, err)
	if failed.fix == "" {
		failed.fix = e.addressFix()
	}
	return &protocol.Unreachable{Participant: e.Name(), What: "it " + failed.what, Fix: failed.fix}
}

// fetch reads what an address answers.
func (e *Endpoint) fetch(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := e.wire.Do(request)
	if err != nil {
		return nil, err
	}
	defer closeBody(response.Body)
	body, err := io.ReadAll(io.LimitReader(response.Body, maxModelsBytes))
	if err == nil && len(body) == maxModelsBytes {
		err = errors.New("the answer has no end")
	}
	return body, err
}

// parseModels reads a list of models: {"data":[{"id":…}]}, the bare list that
// one provider sends, Ollama's {"models":[{"name":…}]}, and lists of plain names.
// The library's struct refuses all but the first.
func parseModels(body []byte) ([]string, bool) {
	if tooDeep(body) || !gjson.ValidBytes(body) {
		return nil, false
	}
	root := gjson.ParseBytes(body)
	list := root
	if !list.IsArray() {
		list = root.Get("data")
	}
	if !list.IsArray() {
		list = root.Get("models")
	}
	if !list.IsArray() && !(list.Type == gjson.Null && root.Get("object").Str == "list") {
		return nil, false
	}
	models, seen := []string{}, map[string]bool{}
	list.ForEach(func(_, entry gjson.Result) bool {
		name := ""
		if entry.Type == gjson.String {
			name = entry.Str
		} else {
			for _, field := range []string{"id", "name", "model"} {
				if value := entry.Get(field); value.Type == gjson.String && name == "" {
					name = value.Str
				}
			}
		}
		name = strings.Map(printable, strings.ToValidUTF8(name, ""))
		if name != "" && len(name) <= maxModelBytes && !seen[name] {
			seen[name] = true
			models = append(models, name)
		}
		return len(models) < maxModels
	})
	return models, true
}

// printable drops what no name of a model holds, and a terminal would obey.
func printable(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}
