package endpoint

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"moot/internal/enum"
)

// environment is env for a test.
func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestParse(t *testing.T) {
	const azure = "https://res.openai.azure.com"
	cases := []struct {
		name              string
		env               []string
		base, model, key  string
		keyVariable, call string
	}{
		{name: "openai:gpt-5-mini", env: []string{"OPENAI_API_KEY", "k1234\n"}, base: "https://api.openai.com/v1", model: "gpt-5-mini", key: "k1234", keyVariable: "OPENAI_API_KEY"},
		{name: "openai:x", env: []string{"OPENAI_BASE_URL", "http://10.0.0.1:9/v1/"}, base: "http://10.0.0.1:9/v1", model: "x", keyVariable: "OPENAI_API_KEY"},
		{name: "ollama:qwen3:8b", base: "http://127.0.0.1:11434/v1", model: "qwen3:8b", keyVariable: "OLLAMA_API_KEY"},
		{name: "ollama:m", env: []string{"OLLAMA_HOST", "0.0.0.0"}, base: "http://127.0.0.1:11434/v1", model: "m", keyVariable: "OLLAMA_API_KEY"},
		{name: "ollama:m", env: []string{"OLLAMA_HOST", "box:9999"}, base: "http://box:9999/v1", model: "m", keyVariable: "OLLAMA_API_KEY"},
		{name: "ollama:m", env: []string{"OLLAMA_HOST", ":9999"}, base: "http://127.0.0.1:9999/v1", model: "m", keyVariable: "OLLAMA_API_KEY"},
		{name: "ollama:m", env: []string{"OLLAMA_HOST", "https://box"}, base: "https://box/v1", model: "m", keyVariable: "OLLAMA_API_KEY"},
		{name: "llamacpp", base: "http://127.0.0.1:8080/v1", model: "default", keyVariable: "LLAMA_API_KEY"},
		{name: "gemini:g", env: []string{"GOOGLE_API_KEY", "g-key"}, base: "https://generativelanguage.googleapis.com/v1beta/openai", model: "g", key: "g-key", keyVariable: "GOOGLE_API_KEY"},
		{name: "http://127.0.0.1:8080/v1#qwen", base: "http://127.0.0.1:8080/v1", model: "qwen", keyVariable: "MOOT_API_KEY"},
		{name: "http://127.0.0.1:8080#a/b%20c", base: "http://127.0.0.1:8080/v1", model: "a/b c", keyVariable: "MOOT_API_KEY"},
		{name: "perplexity:sonar", env: []string{"PERPLEXITY_API_KEY", "k"}, base: "https://api.perplexity.ai", model: "sonar", key: "k", keyVariable: "PERPLEXITY_API_KEY"},
		{name: "azure:dep", env: []string{"AZURE_OPENAI_ENDPOINT", azure + "/", "AZURE_OPENAI_API_KEY", "ak"}, base: azure + "/openai/v1", model: "dep", key: "ak", keyVariable: "AZURE_OPENAI_API_KEY"},
		{name: "azure:dep", env: []string{"AZURE_OPENAI_ENDPOINT", azure + "/openai/v1/", "AZURE_OPENAI_API_KEY", "ak"}, base: azure + "/openai/v1", model: "dep", key: "ak", keyVariable: "AZURE_OPENAI_API_KEY"},
		{name: "cloudflare:@cf/m", env: []string{"CLOUDFLARE_ACCOUNT_ID", "a1/b", "CLOUDFLARE_API_TOKEN", "ck"}, base: "https://api.cloudflare.com/client/v4/accounts/a1%2Fb/ai/v1", model: "@cf/m", key: "ck", keyVariable: "CLOUDFLARE_API_TOKEN"},
		{name: "https://h/api/v1/chat/completions#m", env: []string{"MOOT_API_KEY", "mk"}, base: "https://h/api/v1", model: "m", key: "mk", keyVariable: "MOOT_API_KEY"},
	}
	for _, c := range cases {
		got, err := Parse(c.name, environment(c.env...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got.Base != c.base || got.Model != c.model || got.Key.reveal() != c.key || got.KeyVariable != c.keyVariable {
			t.Errorf("%s %q: %+v with the key %q", c.name, c.env, got, got.Key.reveal())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	cases := map[string][]string{
		"openai":                        {"names no model", "openai:MODEL"},
		"openai:gpt-5":                  {"openai:gpt-5 needs a key", "OPENAI_API_KEY is not set", "nothing was sent"},
		"gemini:x":                      {"GEMINI_API_KEY or GOOGLE_API_KEY"},
		"olama:x":                       {`did you mean "ollama"?`},
		"http://h/v1":                   {"names no model", "http://h/v1#MODEL"},
		"http://h/v1?key=hunter2secret": {"query"},
		"http://h/v1?api-version=1&key=hunter2secret#m": {"query"},
		"azure:dep":                    {"azure:dep needs the address of Azure OpenAI", "AZURE_OPENAI_ENDPOINT is not set", "nothing was sent"},
		"cloudflare:m":                 {"CLOUDFLARE_ACCOUNT_ID is not set"},
		"http://me:hunter2secret@h:x/": {"not a URL"},
		"https://":                     {"not an http or https URL"},
	}
	for name, words := range cases {
		_, err := Parse(name, environment())
		if err == nil {
			t.Errorf("%s is taken", name)
			continue
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %q does not say %q", name, err, word)
			}
		}
		if strings.Contains(err.Error(), "hunter2secret") {
			t.Errorf("%s: %q shows a secret", name, err)
		}
	}
	var unknown *enum.UnknownError
	if _, err := Parse("grok:x", environment()); !errors.As(err, &unknown) {
		t.Errorf("an unknown preset is a %T", err)
	}
	var missing *MissingKeyError
	if _, err := Parse("xai:x", environment()); !errors.As(err, &missing) || missing.Variables[0] != "XAI_API_KEY" {
		t.Errorf("a missing key is a %T: %v", err, err)
	}
}

func TestUserInformationIsNeverShown(t *testing.T) {
	config, err := Parse("http://anna:hunter2secret@10.1.2.3:8080/v1#m", environment())
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{
		config.Name, config.Base, fmt.Sprintf("%+v", config), fmt.Sprintf("%#v", config), New(config, Limits{}, nil, nil).Name(),
	} {
		if strings.Contains(shown, "hunter2secret") || strings.Contains(shown, "anna") {
			t.Errorf("shown: %s", shown)
		}
	}
	if config.Name != "http://10.1.2.3:8080/v1#m" || config.User.reveal() != "anna" {
		t.Errorf("name %q", config.Name)
	}
}

func TestPrices(t *testing.T) {
	cases := map[string]struct {
		config Config
		want   float64
		known  bool
	}{
		"its name":                {Config{Model: "gpt-5-mini"}, 0.25 + 2, true},
		"a vendor before it":      {Config{Model: "openai/gpt-5-mini"}, 0.25 + 2, true},
		"a date behind it":        {Config{Model: "gpt-5-mini-2025-08-07"}, 0.25 + 2, true},
		"a date in one word":      {Config{Model: "claude-haiku-4-5-20251001"}, 1 + 5, true},
		"the latest":              {Config{Model: "mistral-medium-latest"}, 0.4 + 2, true},
		"another of the family":   {Config{Model: "gpt-5-mini-search"}, 0, false},
		"none known":              {Config{Model: "gpt-99"}, 0, false},
		"the user's own":          {Config{Model: "gpt-5-mini", Prices: map[string]Price{"gpt-5-mini": {In: 7, Out: 1}}}, 8, true},
		"a local model":           {Config{Model: "gpt-5-mini", Local: true, Free: true}, 0, true},
		"a proxy on this machine": {Config{Model: "gpt-5-mini", Local: true}, 0.25 + 2, true},
	}
	for name, c := range cases {
		e := New(c.config, Limits{}, nil, nil)
		if got := e.price.Cost(1e6, 1e6); got != c.want || e.priced != c.known {
			t.Errorf("%s: %v dollars, known %v", name, got, e.priced)
		}
	}
	table, err := Prices()
	if err != nil {
		t.Fatal(err)
	}
	for model, price := range table {
		if price.In <= 0 || price.Out < price.In {
			t.Errorf("%s: %+v", model, price)
		}
	}
}

// What the person says otherwise goes before what moot knows: another address,
// and another variable for the key, without which nothing is asked.
func TestParseOwn(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"WORK_KEY": "sk-work", "OPENAI_API_KEY": "sk-mine"}[name]
	}
	config, err := ParseOwn("openai:gpt-5-mini", env, Own{Base: "https://models.example.org/v1/", Key: "WORK_KEY"})
	if err != nil || config.Base != "https://models.example.org/v1" || config.Key.reveal() != "sk-work" || config.KeyVariable != "WORK_KEY" || config.Local || config.Warning != "" {
		t.Errorf("%+v, %v", config, err)
	}
	config, err = ParseOwn("ollama:qwen3:8b", env, Own{Base: "http://10.0.0.7:11434"})
	if err != nil || config.Base != "http://10.0.0.7:11434/v1" || !config.Local {
		t.Errorf("%+v, %v", config, err)
	}
	config, err = ParseOwn("https://models.example.org/v1#m", env, Own{Key: "WORK_KEY"})
	if err != nil || config.Key.reveal() != "sk-work" {
		t.Errorf("%+v, %v", config, err)
	}
	for _, name := range []string{"openai:gpt-5-mini", "ollama:qwen3:8b", "https://models.example.org/v1#m"} {
		_, err := ParseOwn(name, env, Own{Base: "https://models.example.org", Key: "OTHER_KEY"})
		var missing *MissingKeyError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), "OTHER_KEY is not set") || !strings.Contains(err.Error(), "moot key set OTHER_KEY") || strings.Contains(err.Error(), "sk-") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ParseOwn("openai:m", env, Own{Base: "models"}); err == nil || !strings.Contains(err.Error(), "the address in base") {
		t.Errorf("%v", err)
	}
}

// The Responses API is expected where the preset says so, but not at an address of the user's own.
func TestWhereTheResponsesAPIIsExpected(t *testing.T) {
	env := map[string]string{"OPENAI_API_KEY": testKey}
	look := func(name string) string { return env[name] }
	if c, err := Parse("openai:m", look); err != nil || !c.Responses {
		t.Errorf("%+v, %v", c, err)
	}
	env["OPENAI_BASE_URL"] = "http://127.0.0.1:4000/v1"
	if c, err := Parse("openai:m", look); err != nil || c.Responses {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := Parse("http://127.0.0.1:4000/v1/responses#m", look); err != nil || c.Responses || c.Base != "http://127.0.0.1:4000/v1" {
		t.Errorf("%+v, %v", c, err)
	}
}
