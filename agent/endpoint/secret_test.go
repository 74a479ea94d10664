package endpoint

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moot/protocol"
)

func TestNoWayOfPrintingShowsASecret(t *testing.T) {
	config := Config{Name: "n", Base: "http://h/v1", Key: NewSecret(testKey), Password: NewSecret(testKey)}
	e := New(config, Limits{})
	asJSON, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("config", "config", config, "key", config.Key)
	hidden := struct{ inner Config }{config}
	outputs := []string{
		string(asJSON), logged.String(), fmt.Sprint(hidden), fmt.Sprintf("%+v %#v", hidden, hidden),
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		outputs = append(outputs, fmt.Sprintf(verb, config), fmt.Sprintf(verb, config.Key), fmt.Sprintf(verb, e),
			fmt.Sprintf(verb, e.wire), fmt.Sprintf(verb, *e.client))
	}
	for _, output := range outputs {
		if strings.Contains(output, "S3cret") || strings.Contains(output, fmt.Sprintf("%x", "S3cret")) {
			t.Errorf("shown: %s", output)
		}
	}
	if !strings.Contains(string(asJSON), `"Key":"[REDACTED]"`) || fmt.Sprint(Secret{}) != "" {
		t.Errorf("JSON %s", asJSON)
	}
}

func TestAServerThatEchoesTheKeyIsNotQuoted(t *testing.T) {
	forms := map[string]string{
		"as it is":       testKey,
		"in a URL":       url.QueryEscape(testKey),
		"in a path":      url.PathEscape(testKey),
		"encoded":        base64.StdEncoding.EncodeToString([]byte(testKey)),
		"starred out":    "sk-proj-****************cdef",
		"with an elipse": "sk-proj...cdef",
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			body, _ := json.Marshal(map[string]any{"error": map[string]any{
				"message": "Incorrect API key provided: " + form + ". You can find yours in your account.", "code": "invalid_api_key",
			}})
			handler := func(w http.ResponseWriter, _ *http.Request) { refuse(w, 401, string(body)) }
			inBubble(t, setup{}, handler, func(b *bench) {
				gone := mustFail[*protocol.Unreachable](b, "refused the key in OPENAI_API_KEY (401)", "[REDACTED]", "check OPENAI_API_KEY")
				all := gone.Error() + strings.Join(b.notes, " ")
				for _, part := range []string{"S3cret", "cdef", form} {
					if strings.Contains(all, part) {
						b.Errorf("%q shows %q", all, part)
					}
				}
				if b.calls() != 1 {
					b.Errorf("a refused key was tried %d times", b.calls())
				}
			})
		})
	}
}

func TestAReplyThatHoldsTheKeyIsCleaned(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) { good(w, "Your key is "+testKey) }
	inBubble(t, setup{}, handler, func(b *bench) { b.mustReply("Your key is [REDACTED]") })
}
