package doctor

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"moot/agent/endpoint"
)

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A service for whose models moot has no name is proposed with one that it lists, and not at all before it was asked.
func TestAServiceIsProposedWithAModelThatItHas(t *testing.T) {
	where := Where{
		Env: func(name string) string { return map[string]string{"ZAI_API_KEY": "k"}[name] },
		Transport: transport(func(*http.Request) (*http.Response, error) {
			body := `{"data":[{"id":"text-embedding-9"},{"id":"glm-9"},{"id":"glm-9-air"}]}`
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
		}),
	}
	presets, err := endpoint.Presets()
	if err != nil {
		t.Fatal(err)
	}
	for online, want := range map[bool]string{false: "", true: "zai:glm-9"} {
		where.Online = online
		got := ""
		for _, task := range where.Services(presets) {
			if task.Name == "Z.ai" {
				for _, c := range task.Run(t.Context())[0].Candidates {
					got += c.Name
				}
			}
		}
		if got != want {
			t.Errorf("online %v: it proposes %q, want %q", online, got, want)
		}
	}
}
