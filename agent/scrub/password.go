package scrub

import (
	"regexp"
	"slices"
	"strings"
)

// passwordPattern finds what stands behind a name such as password: db_password=word,
// --password=word, password: word. What is in quotes is left to package redact.
var passwordPattern = regexp.MustCompile(`(?i)(passwords?|passwd|passphrase|pwd)([ \t]*=[ \t]*|[ \t]*:[ \t]+|:)([^\s"'` + "`" + `]{3,})`)

// wordsFollow finds that a sentence goes on.
var wordsFollow = regexp.MustCompile(`^[ \t]+[a-z]+(?:[\s.,;:]|$)`)

// helpful are words that say of a password what is wrong with it, or stand for one. They
// are in lower case.
func helpful() []string {
	return []string{
		"required", "missing", "invalid", "incorrect", "wrong", "expired", "unknown", "empty", "unset", "rejected", "refused", "denied", "disabled",
		"mismatch", "failed", "none", "null", "nil", "undefined", "true", "false", "yes", "not", "must", "cannot", "should", "please", "enter",
		"password", "passwd", "passphrase", "pwd", "string", "hidden", "redacted", "masked",
	}
}

// Passwords takes out of a message the values that it gives to a password, without
// quotes. It leaves what helps a person: a word such as "required", a sentence behind
// a colon ("password: authentication failed"), and what stands for a value, such as
// $PASSWORD, <password> or ****.
func Passwords(message string) string {
	var out strings.Builder
	at := 0
	for _, m := range passwordPattern.FindAllStringSubmatchIndex(message, -1) {
		sign, value := strings.TrimSpace(message[m[4]:m[5]]), strings.TrimRight(message[m[6]:m[7]], ".,;:!?)]}")
		sentence := sign == ":" && wordsFollow.MatchString(message[m[7]:]) && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") == ""
		if sentence || value == "" || strings.ContainsRune("$<*[{(%/", rune(value[0])) || slices.Contains(helpful(), strings.ToLower(value)) {
			continue
		}
		out.WriteString(message[at:m[6]])
		out.WriteString(Redacted)
		at = m[6] + len(value)
	}
	out.WriteString(message[at:])
	return out.String()
}
