package scrub

import "testing"

// A password that a program prints without quotes is taken out of its error, and what
// helps a person stays.
func TestPasswords(t *testing.T) {
	for message, want := range map[string]string{
		"login failed: password=hunter":                 "login failed: password=[REDACTED]",
		"PASSWORD = hunter2, user=me":                   "PASSWORD = [REDACTED], user=me",
		"db_password: hunter2":                          "db_password: [REDACTED]",
		"password: hunter\nretry":                       "password: [REDACTED]\nretry",
		"ran tool --password=Tr0ub4dor&3 --verbose":     "ran tool --password=[REDACTED] --verbose",
		"user=me;pwd=abc;host=db":                       "user=me;pwd=[REDACTED]",
		"password=one and password=two":                 "password=[REDACTED] and password=[REDACTED]",
		"password=one password=two":                     "password=[REDACTED] password=[REDACTED]",
		"password: Wone password: two":                  "password: [REDACTED] password: [REDACTED]",
		"the passphrase:correct-horse was refused":      "the passphrase:[REDACTED] was refused",
		"password: Hunter was refused":                  "password: [REDACTED] was refused",
		"password: required":                            "password: required",
		"password: required.":                           "password: required.",
		"password=missing":                              "password=missing",
		"password: must have 8 characters":              "password: must have 8 characters",
		"invalid password: authentication failed":       "invalid password: authentication failed",
		"set password=$DB_PASSWORD or password=<yours>": "set password=$DB_PASSWORD or password=<yours>",
		"password=****":                                 "password=****",
		"password=[REDACTED]":                           "password=[REDACTED]",
		`password="in quotes"`:                          `password="in quotes"`,
		"usage: tool --password=PASSWORD":               "usage: tool --password=PASSWORD",
		"the password is wrong":                         "the password is wrong",
		"max_tokens=32000":                              "max_tokens=32000",
		"":                                              "",
	} {
		got := Passwords(message)
		if got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
		if again := Passwords(got); again != got {
			t.Errorf("%q becomes %q the second time", got, again)
		}
	}
}
