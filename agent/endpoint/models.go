package endpoint

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/tidwall/gjson"

	"moot/protocol"
)

// maxModelsBytes is how much of a list of models is read; the longest known is
// under one megabyte.
const maxModelsBytes = 8 << 20

// Probe asks whether the server is there and answers as a chat endpoint does.
// It takes at most Limits.Probe and is not tried again. The error is a
// *protocol.Unreachable, or the context's.
func (e *Endpoint) Probe(ctx context.Context) error {
	_, err := e.Models(ctx)
	return err
}

// Models returns the names of the models that the endpoint serves, in its
// order, within Limits.Probe. The error is as in Probe.
func (e *Endpoint) Models(ctx context.Context) ([]string, error) {
	limited, cancel := context.WithTimeoutCause(ctx, e.limits.Probe, &stallError{"no answer", e.limits.Probe})
	defer cancel()
	body, err := e.getModels(limited)
	if err == nil {
		if models, ok := parseModels(body); ok {
			return models, nil
		}
		err = &foreignError{what: "no list of models"}
	}
	if gone := ctx.Err(); gone != nil {
		return nil, gone
	}
	r := &run{Endpoint: e}
	failed := r.classify(ctx, stalled(limited, err))
	if failed.fix == "" {
		failed.fix = e.addressFix()
	}
	return nil, &protocol.Unreachable{Participant: e.Name(), What: "it " + failed.what, Fix: failed.fix}
}

// getModels fetches the list of models.
func (e *Endpoint) getModels(ctx context.Context) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.config.Base+"/models", http.NoBody)
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
		err = errors.New("the list of models has no end")
	}
	return body, err
}

// parseModels reads a list of models: {"data":[{"id":…}]}, the bare list that
// one provider sends, or Ollama's {"models":[{"name":…}]}. The library's struct
// refuses the last two.
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
	models := []string{}
	list.ForEach(func(_, entry gjson.Result) bool {
		if name := firstText(entry.Get("id"), entry.Get("name")); name != "" {
			models = append(models, name)
		}
		return true
	})
	return models, true
}
