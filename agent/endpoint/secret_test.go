package endpoint

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestNoWayOfPrintingShowsASecret(t *testing.T) {
	config := Config{Name: "n", Base: "http://h/v1", Key: NewSecret(testKey), Password: NewSecret(testKey)}
	e := New(config, Limits{}, nil, nil)
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
		outputs = append(outputs, fmt.Sprintf(verb, config), fmt.Sprintf(verb, config.Key), fmt.Sprintf(verb, e))
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
