package endpoint

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

type heard struct {
	path   string
	header http.Header
}

// listening starts a server that keeps the last request and answers by body.
func listening(t *testing.T, body string) (*heard, string) {
	t.Helper()
	last := &heard{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last.path, last.header = r.URL.Path, r.Header
		if body == "" {
			good(w, "fine")
			return
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return last, server.URL
}

func TestAzureIsAskedItsOwnWay(t *testing.T) {
	last, address := listening(t, "")
	config, err := Parse("azure:dep", environment("AZURE_OPENAI_ENDPOINT", address, "AZURE_OPENAI_API_KEY", testKey))
	if err != nil {
		t.Fatal(err)
	}
	e := New(config, Limits{}, nil, nil)
	if _, err := e.Reply(t.Context(), testCall(), nil); err != nil {
		t.Fatal(err)
	}
	if last.path != "/openai/v1/chat/completions" || last.header.Get("Api-Key") != testKey || last.header.Get("Authorization") != "" {
		t.Errorf("asked at %s with %v", last.path, last.header)
	}
	_ = e.Survey(t.Context())
	if last.path != "/openai/v1/models" || last.header.Get("Api-Key") != testKey {
		t.Errorf("models asked at %s with %v", last.path, last.header)
	}
}

func TestConfigsAreShownWithoutKeys(t *testing.T) {
	config := Config{Name: "x", Base: "http://h/v1", Model: "m", Key: NewSecret(testKey), Password: NewSecret(testKey)}
	written, _ := json.Marshal(config)
	for _, shown := range []string{fmt.Sprintf("%v %+v %#v", config, config, config), string(written)} {
		if strings.Contains(shown, testKey) {
			t.Errorf("shown: %s", shown)
		}
	}
}

func TestModelsInEveryShape(t *testing.T) {
	many := make([]string, maxModels+10)
	for i := range many {
		many[i] = fmt.Sprintf(`{"id":"m%d"}`, i)
	}
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"OpenAI's":              {`{"object":"list","data":[{"id":"b"},{"id":"a"}]}`, []string{"b", "a"}},
		"a bare list":           {`[{"id":"a"},{"name":"b"}]`, []string{"a", "b"}},
		"Ollama's":              {`{"models":[{"name":"a:8b","model":"a:8b"}]}`, []string{"a:8b"}},
		"only model":            {`{"models":[{"model":"a"}]}`, []string{"a"}},
		"plain names":           {`{"data":["a","b"]}`, []string{"a", "b"}},
		"both, as llama.cpp":    {`{"models":[{"name":"x"}],"object":"list","data":[{"id":"a"}]}`, []string{"a"}},
		"one that is told once": {`{"data":[{"id":"a"},{"id":"a"},{"id":null},{}]}`, []string{"a"}},
		"terminal escapes":      {`{"data":[{"id":"a\u001b[31m\u202eb"},{"id":"` + strings.Repeat("x", 600) + `"}]}`, []string{"a[31mb"}},
		"no model":              {`{"object":"list","data":null}`, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			last, address := listening(t, c.body)
			got := New(Config{Name: "x", Base: address, Model: "m", Key: NewSecret(testKey)}, Limits{}, nil, nil).Survey(t.Context())
			if !slices.Equal(got.Models, c.want) {
				t.Errorf("%+v", got)
			}
			if last.header.Get("Authorization") != "Bearer "+testKey {
				t.Errorf("asked without the key: %v", last.header)
			}
		})
	}
	_, address := listening(t, `{"data":[`+strings.Join(many, ",")+`]}`)
	if got := New(Config{Base: address}, Limits{}, nil, nil).Survey(t.Context()); len(got.Models) != maxModels {
		t.Errorf("%d models", len(got.Models))
	}
}

func TestSettingsOverOthers(t *testing.T) {
	warm := 0.5
	upper, lower := Settings{Effort: "low"}, Settings{Effort: "high", Temperature: &warm, MaxTokens: 9}
	if got := upper.Over(lower); got.Effort != "low" || got.Temperature != &warm || got.MaxTokens != 9 {
		t.Errorf("%+v", got)
	}
}

func TestSurvey(t *testing.T) {
	for name, c := range map[string]struct {
		handler  http.HandlerFunc
		noModels bool
		want     Status
		words    string
	}{
		"a server":              {answer(200, `{"object":"list","data":[{"id":"m"}]}`), false, StatusAnswers, ""},
		"another service":       {answer(200, `<html><title>hi</title></html>`), false, StatusForeign, "not a list of models"},
		"other JSON":            {answer(200, `{}`), false, StatusForeign, "no list of models"},
		"a hanging server":      {func(_ http.ResponseWriter, r *http.Request) { untilGone(r) }, false, StatusSilent, "sent no answer in 1 s"},
		"a wrong key":           {answer(401, `{}`), false, StatusDenied, "refused the key in OPENAI_API_KEY"},
		"a broken server":       {answer(502, `{}`), false, StatusFailing, "answered 502"},
		"no path":               {answer(404, `{}`), false, StatusForeign, "has no model"},
		"no list by design":     {answer(404, `{}`), true, StatusAnswers, ""},
		"no method by design":   {answer(405, `{}`), true, StatusAnswers, ""},
		"an answer by design":   {answer(200, `{}`), true, StatusAnswers, ""},
		"a denied key, no list": {answer(401, `{}`), true, StatusDenied, "refused the key"},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig()
			config.NoModels = c.noModels
			inBubble(t, setup{config: config}, c.handler, func(b *bench) {
				began := time.Now()
				got := b.Survey(b.Context())
				if got.Status != c.want || !strings.Contains(got.What, c.words) || (got.Fix == "") != (c.words == "") {
					b.Errorf("%+v", got)
				}
				if took := time.Since(began); took > time.Second {
					b.Errorf("took %s", took)
				}
			})
		})
	}
}
