package state

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestDecoderReadsEveryKind(t *testing.T) {
	d := NewDecoder()
	for _, kind := range d.Kinds() {
		if payload, err := d.Decode(kind, []byte(`{}`)); err != nil || KindOf(payload) != kind {
			t.Errorf("%s: got %v, %v", kind, payload, err)
		}
	}
}

func TestDecoderRefuses(t *testing.T) {
	d := NewDecoder()
	for _, test := range []struct{ kind, data, want string }{
		{"no-such-kind", `{}`, `unknown kind of event "no-such-kind"`},
		{"round-started", `{"round":1,"extra":2}`, `unknown field "extra"`},
		{"round-started", `{"round":1} {"round":2}`, "invalid character '{' after top-level value"},
		{"round-started", `{"round":1}x`, "invalid character 'x' after top-level value"},
		{"round-started", `{"round":1`, "unexpected end of JSON input"},
		{"round-started", ``, "unexpected end of JSON input"},
		{"exit-reached", `{"exit":"nowhere","reason":""}`, `unknown exit "nowhere"`},
	} {
		_, err := d.Decode(test.kind, []byte(test.data))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: got %v, want %q", test.kind, test.data, err, test.want)
		}
		// The decoder still works after each of them.
		got, err := d.Decode("round-started", []byte(`{"round":3}`))
		if err != nil || !reflect.DeepEqual(got, &RoundStarted{Round: 3}) {
			t.Fatalf("after %s %s: got %v, %v", test.kind, test.data, got, err)
		}
	}
}

// A file may be forged: no sum of its counts overflows, or is more than JSON can say.
func TestUsageDoesNotOverflow(t *testing.T) {
	var s State
	for range 40 {
		e := UsageCounted{Seat: "consultee", PromptTokens: math.MaxInt, CompletionTokens: math.MaxInt, Cost: math.MaxFloat64}
		if err := e.Fold(&s); err != nil {
			t.Fatal(err)
		}
	}
	if s.Usage.PromptTokens+s.Usage.CompletionTokens <= 0 || s.Spent[0].Tokens() <= 0 {
		t.Errorf("%+v, %+v", s.Usage, s.Spent)
	}
	if _, err := json.Marshal(s.Usage); err != nil {
		t.Error(err)
	}
}
