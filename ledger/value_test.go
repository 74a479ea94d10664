package ledger_test

import (
	"encoding/json"
	"testing"

	"moot/ledger"
)

func TestAValueHasOneForm(t *testing.T) {
	for written, want := range map[string]string{
		`1`: `1`, `-0`: `0`, `0.0`: `0`, `-0e5`: `0`, `1.0`: `1`, `1.50`: `1.5`, `1e3`: `1000`, `1E+3`: `1000`,
		`100e-2`: `1`,
		`0.1e-5`: `0.000001`, `0.0000001`: `1e-7`, `-12.5e-9`: `-1.25e-8`, `123e18`: `123000000000000000000`,
		`1e21`: `1e+21`,
		// Whole numbers keep all their digits.
		`1.7976931348623157e308`: `1.7976931348623157e+308`,
		`9007199254740993`:       `9007199254740993`, `18446744073709551615`: `18446744073709551615`,
		`0.12345678901234567890123`: `0.12345678901234568`,
		`"a"`:                       `"a"`, `"\u0061"`: `"a"`, `"\u003cb\u003e \/ \u2028"`: "\"<b> / \u2028\"",
		`"\u001F\t"`:  `"\u001f\t"`,
		`"1.0 \"1.0"`: `"1.0 \"1.0"`, "\"\u00e9\"": "\"\u00e9\"", `"\ud83d\ude00"`: `"😀"`,
		` [ 1.0 , { "b" : "1.0" , "a" : null } , true ] `: `[1,{"a":null,"b":"1.0"},true]`,
		`{"\u0061":1e0,"B":{}}`:                           `{"B":{},"a":1}`,
		`null`:                                            `null`, `{}`: `{}`, `[[[]]]`: `[[[]]]`,
	} {
		value, err := ledger.ParseValue([]byte(written))
		if err != nil || string(value) != want {
			t.Errorf("%s is read as %s, %v; want %s", written, value, err, want)
		}
		again, err := ledger.ParseValue([]byte(value))
		if err != nil || again != value {
			t.Errorf("%s is read again as %s, %v", value, again, err)
		}
	}
}

func TestWhatIsNoValueIsRefused(t *testing.T) {
	for _, written := range []string{
		"", " ", "nope", "1 2", "01", "1.", `"a`, "\"\xff\"", `{"a":1,"a":2}`,
		`{"a":1,"\u0061":2}`, `[1,]`, `"\ud800"`, "NaN",
	} {
		if value, err := ledger.ParseValue([]byte(written)); err == nil || value != "" {
			t.Errorf("%q is read as %s", written, value)
		}
	}
}

func TestWhatAValueSays(t *testing.T) {
	for written, want := range map[ledger.Value]struct {
		kind   byte
		text   string
		isText bool
		number float64
		isNum  bool
	}{
		`"a \"b\" é"`:    {'"', `a "b" é`, true, 0, false},
		`"plain"`:        {'"', "plain", true, 0, false},
		`""`:             {'"', "", true, 0, false},
		`-1.5`:           {'0', "", false, -1.5, true},
		`4624`:           {'0', "", false, 4624, true},
		`1e+999`:         {'0', "", false, 0, false},
		`true`:           {'t', "", false, 0, false},
		`null`:           {'n', "", false, 0, false},
		`["4624"]`:       {'[', "", false, 0, false},
		`{"a":1}`:        {'{', "", false, 0, false},
		ledger.Value(""): {0, "", false, 0, false},
	} {
		if kind := written.Kind(); kind != want.kind {
			t.Errorf("%s is of kind %q", written, kind)
		}
		if text, is := written.Text(); text != want.text || is != want.isText {
			t.Errorf("%s says %q, %t", written, text, is)
		}
		if number, is := written.Number(); is != want.isNum || is && number != want.number {
			t.Errorf("%s is %v, %t", written, number, is)
		}
	}
	if value := ledger.TextValue("a\"b\n<\xff>"); value != "\"a\\\"b\\n<\ufffd>\"" {
		t.Errorf("the text becomes %s", value)
	}
	if _, err := json.Marshal(ledger.PacketFact{}); err == nil {
		t.Error("a fact without a value is written")
	}
}
