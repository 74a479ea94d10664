package record

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"moot/agent/scrub"
	"moot/redact"
)

// shortestGuessed is the length in bytes from which a value is taken for a secret
// because of the name that it has.
const shortestGuessed = 8

// shortestHeader is the same for the value of a header that has no such name: many
// are a name or a word.
const shortestHeader = 12

// secretWords make a name that of a secret: OPENAI_API_KEY, X-Goog-Api-Key.
func secretWords() []string {
	return []string{
		"APIKEY", "AUTH", "AUTHENTICATE", "AUTHORIZATION", "COOKIE", "CREDENTIAL", "CREDENTIALS", "KEY", "PASS", "PASSWD", "PASSWORD",
		"PAT", "SECRET", "SESSION", "SIGNATURE", "TOKEN",
	}
}

// namesSecret reports that a name is one of a secret, by its words.
func namesSecret(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return r == '_' || r == '-' }),
		func(word string) bool { return slices.Contains(secretWords(), word) })
}

// secretEnds end a word of a variable's name that makes it one of a secret:
// PGPASSWORD, DBPASS, GITHUBTOKEN; not BYPASS.
func secretEnds() []string {
	return []string{
		"ACCESSKEY", "APIKEY", "CREDENTIAL", "DBPASS", "DSN", "JWT", "PASSPHRASE", "PASSWD", "PASSWORD", "PGPASS", "PRIVATEKEY", "PWD", "SECRET", "SECRETS",
		"TOKEN", "TOKENS", "WEBHOOK",
	}
}

// variableNamesSecret reports that a variable is named as one of a secret. Of a
// header that says less: many count tokens.
func variableNamesSecret(name string) bool {
	return namesSecret(name) || slices.ContainsFunc(strings.Split(strings.ToUpper(name), "_"), func(word string) bool {
		return slices.ContainsFunc(secretEnds(), func(end string) bool { return strings.HasSuffix(word, end) })
	})
}

// secretsOf are the values of an environment that look like secrets: by their
// names, and by what package redact knows.
func secretsOf(environ []string) ([]string, error) {
	redactor, err := redact.New()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if variableNamesSecret(name) && guessable(value) {
			found = append(found, value)
			continue
		}
		found = append(found, takenOut(redactor, entry)...)
	}
	return found, nil
}

// guessable reports that a value is long enough for a secret and is no path,
// word or phrase, which would be taken out of all that is recorded.
func guessable(value string) bool {
	return len(value) >= shortestGuessed && !strings.ContainsAny(value, " \t\n") && !strings.HasPrefix(value, "/") &&
		!strings.HasPrefix(value, "~") && strings.ContainsAny(value, "0123456789+/=_-.!$%&")
}

// takenOut are the passages that redaction takes out of a text.
func takenOut(redactor *redact.Redactor, text string) []string {
	cleaned, findings := redactor.Text(text)
	var found []string
	rest := text
	for _, finding := range findings {
		mark := redact.Mark(finding.Reason)
		before, after, _ := strings.Cut(cleaned, mark)
		if !strings.HasPrefix(rest, before) {
			return append(found, text)
		}
		rest = rest[len(before):]
		next := after
		if i := strings.Index(after, "[REDACTED: "); i >= 0 {
			next = after[:i]
		}
		end := strings.Index(rest, next)
		if next == "" {
			end = len(rest)
		}
		if end < 0 {
			return append(found, text)
		}
		found = append(found, rest[:end])
		rest, cleaned = rest[end:], after
	}
	return found
}

// openHeaders are those of a request whose values tell nothing that is the
// person's own; any other may come from the config.
func openHeaders() []string {
	return []string{
		"Accept", "Accept-Encoding", "Anthropic-Beta", "Anthropic-Version", "Cache-Control", "Connection", "Content-Length", "Content-Type", "Openai-Beta", "User-Agent",
	}
}

// requestHeaders are the headers of a request as they are recorded. Values that
// are left out are hidden from then on: servers echo them.
func requestHeaders(sent http.Header, hide *scrub.Scrubber) map[string][]string {
	kept := map[string][]string{}
	for name, values := range sent {
		if slices.Contains(openHeaders(), name) {
			kept[name] = values
			continue
		}
		kept[name] = []string{scrub.Redacted}
		for _, value := range values {
			hideHeader(name, value, hide)
		}
	}
	return cleaned(kept, hide)
}

// hideHeader hides the value of a header, with or without its scheme.
func hideHeader(name, value string, hide *scrub.Scrubber) {
	request := http.Request{Header: http.Header{"Authorization": {value}}}
	if _, password, ok := request.BasicAuth(); ok {
		hide.Hide(password)
	}
	scheme, rest, parted := strings.Cut(value, " ")
	switch {
	case parted && rest != "" && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic")):
		hide.Hide(rest)
	case namesSecret(name) || len(value) >= shortestHeader && guessable(value):
		hide.Hide(value)
	}
}

// privateWords make the name of an answer's header one that is left out.
func privateWords() []string { return []string{"ACCOUNT", "ORGANIZATION", "PROJECT"} }

// responseHeaders are the headers of an answer as they are recorded.
func responseHeaders(got http.Header, hide *scrub.Scrubber) map[string][]string {
	kept := map[string][]string{}
	for name, values := range got {
		kept[name] = values
		private := slices.ContainsFunc(strings.Split(strings.ToUpper(name), "-"), func(word string) bool {
			return slices.Contains(privateWords(), word)
		})
		if private || namesSecret(name) {
			kept[name] = []string{scrub.Redacted}
		}
	}
	return cleaned(kept, hide)
}

// cleaned are headers without secrets.
func cleaned(headers map[string][]string, hide *scrub.Scrubber) map[string][]string {
	for name, values := range headers {
		values = slices.Clone(values)
		for i := range values {
			values[i] = hide.Clean(values[i])
		}
		headers[name] = values
	}
	return headers
}

// openQueries are the fields of a query whose values tell nothing of one's own.
func openQueries() []string { return []string{"alt", "api-version", "beta"} }

// plainURL is a URL without user information, and without the values of its query.
func plainURL(full *url.URL) string {
	shown := *full
	shown.User, shown.Fragment, shown.RawFragment = nil, "", ""
	if shown.RawQuery == "" {
		return shown.String()
	}
	query := shown.Query()
	for name := range query {
		if !slices.Contains(openQueries(), strings.ToLower(name)) {
			query[name] = []string{scrub.Redacted}
		}
	}
	shown.RawQuery = query.Encode()
	return shown.String()
}
