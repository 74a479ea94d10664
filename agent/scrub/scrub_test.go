package scrub

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const testKey = "sk-proj-VeryS3cret+Key/0123456789\"abc<def"

// ways lists how a server may write a secret.
func ways() map[string]string {
	quoted, _ := json.Marshal(testKey)
	return map[string]string{
		"unchanged":          testKey,
		"in a query":         url.QueryEscape(testKey),
		"in a path":          url.PathEscape(testKey),
		"in lower case":      escapes.ReplaceAllStringFunc(url.QueryEscape(testKey), strings.ToLower),
		"in JSON":            strings.Trim(string(quoted), `"`),
		"in HTML":            html.EscapeString(testKey),
		"in base64":          base64.StdEncoding.EncodeToString([]byte(testKey)),
		"in base64 of a URL": base64.RawURLEncoding.EncodeToString([]byte(testKey)),
		"after one byte":     base64.StdEncoding.EncodeToString([]byte(":" + testKey)),
		"after a user":       base64.StdEncoding.EncodeToString([]byte("me:" + testKey + "!")),
		"after a name":       base64.StdEncoding.EncodeToString([]byte("anna:" + testKey)),
		"in hex":             hex.EncodeToString([]byte(testKey)),
		"masked":             "sk-proj-****************cdef",
		"with dots":          "sk-proj...cdef",
	}
}

// shown returns a piece of the key that a text shows, or "".
func shown(text string) string {
	for _, piece := range []string{
		"S3cret", "0123456789", hex.EncodeToString([]byte("S3cret")), "cdef",
		inside(base64.RawStdEncoding, "S3cret+Key", 0), inside(base64.RawStdEncoding, "S3cret+Key", 1),
		inside(base64.RawStdEncoding, "S3cret+Key", 2),
	} {
		if strings.Contains(text, piece) {
			return piece
		}
	}
	return ""
}

func TestCleanRemovesEveryForm(t *testing.T) {
	t.Parallel()
	s := New(testKey)
	for name, way := range ways() {
		got := s.Clean("before " + way + " after")
		if piece := shown(got); piece != "" || !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") || !strings.Contains(got, Redacted) {
			t.Errorf("%s: %q shows %q", name, got, piece)
		}
	}
	if got := s.Clean("**bold** and so on... skill"); got != "**bold** and so on... skill" {
		t.Errorf("a text without a secret became %q", got)
	}
	var none *Scrubber
	none.Hide(testKey)
	if got := none.Clean(testKey); got != testKey {
		t.Errorf("no scrubber: %q", got)
	}
	if got := New("x", " ", "abc").Clean("x abc xyz"); got != "x abc xyz" {
		t.Errorf("short secrets: %q", got)
	}
}

func TestBodyFindsSecretsInsideOfJSON(t *testing.T) {
	t.Parallel()
	s := New(testKey)
	escaped := `{"error":{"message":"not \u0073k-proj-Very\u00533cret+Key\/0123456789\"abc\u003cdef, sorry"}}`
	if got := s.Body(escaped); got != `{"error":{"message":"not [REDACTED], sorry"}}` {
		t.Errorf("escapes: %q", got)
	}
	harmless := `data: {"content":"a \"quoted\" word"}` + "\n\n" + `data: {"content":"and one more"}`
	if got := s.Body(harmless); got != harmless {
		t.Errorf("a harmless body became %q", got)
	}
	for size := 1; size < 9; size++ {
		var text strings.Builder
		for piece := range slices.Chunk([]byte("the key is "+testKey+", keep it"), size) {
			quoted, _ := json.Marshal(string(piece))
			fmt.Fprintf(&text, "data: {\"model\":\"tasks\",\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", quoted)
		}
		if got := s.Body(text.String()); got != Spelled {
			t.Errorf("pieces of %d bytes: %q", size, got)
		}
	}
}

func FuzzBody(f *testing.F) {
	f.Add("data: {\"content\":\"sk-\"}\n{\"content\":\"proj-\\u0056\"}")
	f.Add("{\"a\":\"\\")
	f.Fuzz(func(t *testing.T, text string) {
		if got := New(testKey, text).Body(text + testKey); strings.Contains(got, testKey) {
			t.Errorf("%q", got)
		}
	})
}

func TestSecretsOfAnEnvironment(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-of-the-environment"
	for _, name := range []string{
		"DBPASS", "PGPASSWORD", "GITHUBTOKEN", "MYAPIKEY", "APP_SECRETS", "ci_jwt", "SENTRY_DSN", "SLACK_WEBHOOK", "DB_PWD",
	} {
		if found, err := Secrets([]string{name + "=" + secret}); err != nil || !slices.Equal(found, []string{secret}) {
			t.Errorf("%s: %q, %v", name, found, err)
		}
	}
	if found, err := Secrets([]string{"DB=postgres://me:" + secret + "@host/db"}); err != nil || !slices.Contains(found, secret) {
		t.Errorf("a password in a URL: %q, %v", found, err)
	}
	innocent := []string{
		"GOPATH=/home/me/work-2", "MAX_OUTPUT_TOKENS=32000", "KEYBOARD=us-intl-2", "BYPASS_LIST=host-1.example", "SSH_AUTH_SOCK=/run/user/1",
	}
	if found, err := Secrets(innocent); err != nil || len(found) > 0 {
		t.Errorf("%q is taken for a secret, %v", found, err)
	}
}
