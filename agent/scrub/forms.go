package scrub

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
)

// shortestEncoded is the length in bytes from which a secret is looked for inside
// of what is encoded: a few letters of base64 stand in many words.
const shortestEncoded = 8

// escapes are the bytes that a URL encodes.
var escapes = regexp.MustCompile(`%[0-9A-F]{2}`)

// forms are the ways in which a secret may be written by a server or a library.
func forms(secret string) []string {
	quoted, _ := json.Marshal(secret) // A string always marshals.
	found := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), strings.Trim(string(quoted), `"`),
		html.EscapeString(secret), strings.ReplaceAll(secret, "/", `\/`),
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte(secret)),
	}
	for _, escaped := range found[1:3] {
		found = append(found, escapes.ReplaceAllStringFunc(escaped, strings.ToLower))
	}
	if len(secret) < shortestEncoded {
		return found
	}
	plain := hex.EncodeToString([]byte(secret))
	found = append(found, plain, strings.ToUpper(plain))
	for before := range 3 {
		found = append(found, inside(base64.RawStdEncoding, secret, before), inside(base64.RawURLEncoding, secret, before))
	}
	return found
}

// inside is what of a secret's encoding does not depend on what stands around it,
// where so many bytes (modulo 3) stand before it: user:password, say.
func inside(encoding *base64.Encoding, secret string, before int) string {
	text := encoding.EncodeToString(append(make([]byte, before), secret...))
	text = text[(before*8+5)/6:]
	if (before+len(secret))%3 != 0 {
		text = text[:len(text)-1]
	}
	return text
}
