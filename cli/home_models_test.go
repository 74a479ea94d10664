package cli

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"moot/agent"
)

// An endpoint at an address lists its models, with the key of such endpoints; a name
// that nobody has is asked nothing.
func TestModelsAtAnAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" && r.Header.Get("Authorization") == "Bearer secret-of-mine" {
			_, _ = w.Write([]byte(`{"data":[{"id":"small"},{"id":"big"}]}`))
		}
	}))
	defer server.Close()
	o := &outside{console: &Console{Environ: []string{"MOOT_CONFIG=/dev/null", "MOOT_API_KEY=secret-of-mine"}}}
	if models, err := o.models(t.Context(), server.URL+"/v1"); err != nil || !slices.Equal(models, []string{"small", "big"}) {
		t.Errorf("%q, %v", models, err)
	}
	for _, name := range []string{"nobody", "http://", "http://a b/v1"} {
		if models, err := o.models(t.Context(), name); err == nil {
			t.Errorf("%s: %q", name, models)
		}
	}
}

// Of presets that share an address only the first is found: of the others it is not said
// that nothing answers there.
func TestEndpointsThatShareAnAddress(t *testing.T) {
	c := &Console{Environ: []string{"MOOT_CONFIG=/dev/null"}}
	const base = "http://127.0.0.1:8080/v1"
	said := func(found ...agent.Found) map[string]string {
		why := map[string]string{}
		for _, e := range c.endpoints(nil, found) {
			if strings.Contains(e.Why, base) {
				why[e.Name] = e.Why
			}
		}
		return why
	}
	none := said()
	if len(none) < 2 {
		t.Fatalf("only %v share %s: the test tries nothing", none, base)
	}
	for name, why := range none {
		if why != "no server with a model answered at "+base {
			t.Errorf("%s: %s", name, why)
		}
	}
	found := said(agent.Found{Name: "llamacpp:m", Title: "llama.cpp", Vendor: "llamacpp", Why: "it answers at " + base, Usable: true, Local: true})
	for name, why := range found {
		want := "a server answers at " + base + ", which is the address of llama.cpp too"
		if name == "llamacpp" {
			want = "it answers at " + base
		}
		if why != want {
			t.Errorf("%s: %s", name, why)
		}
	}
	if len(found) != len(none) {
		t.Errorf("%v", found)
	}
}
