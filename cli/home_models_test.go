package cli

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
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
