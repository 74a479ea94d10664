package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// secretLine is a generated line and the value that must not be left in it.
type secretLine struct{ file, form, line, value string }

// The four parts of the grammar whose product the test is.
var (
	secretNames = []string{
		"DB_PASSWORD", "password", "adminPassword", "spring.datasource.password", "Passwd", "MYSQL_PWD", "ssh-passphrase", "API_KEY",
		"apiKey", "x-api-key", "SECRET", "clientSecret", "client-secret", "JWT_SECRET_KEY", "access_token", "GITHUB_TOKEN", "authToken",
		"aws.secret.access.key", "SIGNING_KEY", "ServiceCredential", "db_credentials", "PGPASSWORD", "MYAPIKEY", "DB_PASSWORD_PROD",
		"smtp_password2", "privateKey", "encryption-key", "webhook_secret", "kennwort", "redis.passwd",
	}
	// settingsForms are lines of files of settings, scripts and prose: NAME and VALUE are replaced. Quoted says which
	// quotation marks stand around the value, "" if none do.
	settingsForms = []struct{ file, form, quoted string }{
		{".env", "NAME=VALUE", ""},
		{".env", `NAME="VALUE"`, `"`},
		{".env.local", "export NAME=VALUE", ""},
		{"run.sh", "export NAME='VALUE'", "'"},
		{"run.sh", "NAME=VALUE ./serve --port 80", "-"},
		{"run.sh", "  docker run -e NAME=VALUE -p 80:80 app", "-"},
		{"run.sh", "curl 'https://api.example/v1?limit=5&NAME=VALUE&page=2'", "-"},
		{"run.sh", "serve --NAME VALUE --port 80", "flag"},
		{"run.sh", "serve --NAME=VALUE", "flag"},
		{"app.yml", "NAME: VALUE", ""},
		{"app.yml", `NAME: "VALUE"`, `"`},
		{"app.yml", "    NAME: 'VALUE'", "'"},
		{"app.yml", "  - NAME: VALUE", ""},
		{"app.yml", "  - NAME=VALUE", ""},
		{"app.yml", "  - name: NAME\n    value: VALUE", ""},
		{"app.yml", "  - name: NAME\n    value: \"VALUE\"", `"`},
		{"app.yml", "  NAME: VALUE # rotate", "-"},
		{"app.yml", "NAME: |\n  VALUE", ""},
		{"app.yml", "NAME: >-\n    VALUE", ""},
		{"app.yml", "NAME: &anchor VALUE", "-"},
		{"app.json", `"NAME": "VALUE",`, `"`},
		{"app.json", `{"NAME":"VALUE"}`, `"`},
		{"app.json", `{"name": "NAME", "value": "VALUE"}`, `"`},
		{"app.json", `"body": "{\"NAME\":\"VALUE\"}"`, `\"`},
		{"app.toml", `NAME = "VALUE"`, `"`},
		{"app.toml", `NAME = 'VALUE'`, "'"},
		{"app.ini", "NAME = VALUE", ""},
		{"app.ini", "NAME=VALUE", ""},
		{"app.properties", "NAME=VALUE", ""},
		{"app.properties", "NAME: VALUE", ""},
		{"web.xml", "<NAME>VALUE</NAME>", "<"},
		{"web.xml", `<add key="NAME" value="VALUE"/>`, `"`},
		{"web.xml", `<property name="NAME">VALUE</property>`, "<"},
		{"web.xml", `<server NAME="VALUE" port="80"/>`, `"`},
		{"main.tf", `NAME = "VALUE"`, `"`},
		{"main.tf", `variable "NAME" {` + "\n  default = \"VALUE\"", `"`},
		{"Dockerfile", "ENV NAME=VALUE", ""},
		{"Dockerfile", "ENV NAME VALUE", ""},
		{"Dockerfile", "ARG NAME=VALUE", ""},
		{"Makefile", "NAME := VALUE", ""},
		{"Makefile", "NAME ?= VALUE", ""},
		{"setup.ps1", `$NAME = "VALUE"`, `"`},
		{"setup.ps1", `$env:NAME = 'VALUE'`, "'"},
		{"setup.bat", "set NAME=VALUE", ""},
		{"setup.bat", `setx NAME "VALUE"`, `"`},
		{"notes.md", "- NAME: VALUE", ""},
		{"notes.md", "> NAME: VALUE", ""},
		{"notes.md", "| NAME | VALUE |", "-"},
		{"notes.md", "`NAME`: `VALUE`", "`"},
		{"notes.md", "**NAME**: VALUE", ""},
		{"serve.log", "2026-03-01 10:00:00 INFO login with NAME=VALUE from 10.0.0.7", "-"},
		{"serve.log", `time=10:00 level=debug msg="connect" NAME="VALUE" port=80`, `"`},
		{"serve.log", "POST /login?user=ann&NAME=VALUE HTTP/1.1", "-"},
		{"serve.log", "NAME => VALUE", "-"},
		{"serve.log", "NAME\tVALUE", "-"},
		{"", "NAME=VALUE", ""},
		{"", `NAME: "VALUE"`, `"`},
		{"", "# NAME=VALUE", ""},
		{"", "; NAME = VALUE", ""},
		{"", "Server=db;User=app;NAME=VALUE;Encrypt=true", "-"},
		{"", "%26NAME%3DVALUE%26a", "-"},
	}
	// sourceForms are lines of source code.
	sourceForms = []struct{ file, form, quoted string }{
		{"a.go", `	NAME := "VALUE"`, `"`},
		{"a.go", "	const NAME = `VALUE`", "`"},
		{"a.go", `	cfg.NAME = "VALUE"`, `"`},
		{"a.go", `	NAME: "VALUE",`, `"`},
		{"a.go", `	var NAME string = "VALUE"`, `"`},
		{"a.go", `	os.Setenv("NAME", "VALUE")`, `"`},
		{"a.go", `	if NAME == "VALUE" {`, `"`},
		{"a.go", `	NAME := []byte("VALUE")`, `"`},
		{"a.go", `	m["NAME"] = "VALUE"`, `"`},
		{"a.go", `	"NAME": "VALUE",`, `"`},
		{"a.py", `NAME = "VALUE"`, `"`},
		{"a.py", `    self.NAME = 'VALUE'`, "'"},
		{"a.py", `NAME: str = "VALUE"`, `"`},
		{"a.py", `    connect(host, NAME="VALUE")`, `"`},
		{"a.py", `    "NAME": "VALUE",`, `"`},
		{"a.py", `NAME = """VALUE"""`, `"`},
		{"a.py", `NAME = b"VALUE"`, `"`},
		{"a.py", `os.environ["NAME"] = "VALUE"`, `"`},
		{"a.py", `# NAME = "VALUE"`, `"`},
		{"a.js", `const NAME = "VALUE";`, `"`},
		{"a.js", `  NAME: 'VALUE',`, "'"},
		{"a.js", "let NAME = `VALUE`;", "`"},
		{"a.js", `process.env.NAME = 'VALUE';`, "'"},
		{"a.ts", `  private NAME: string = "VALUE";`, `"`},
		{"a.js", `// NAME: "VALUE"`, `"`},
		{"A.java", `    private static final String NAME = "VALUE";`, `"`},
		{"A.java", `    props.put("NAME", "VALUE");`, `"`},
		{"A.java", `    String NAME = "VALUE";`, `"`},
		{"a.c", `static const char NAME[] = "VALUE";`, `"`},
		{"a.c", `#define NAME "VALUE"`, `"`},
		{"a.c", `	char *NAME = "VALUE";`, `"`},
		{"a.rb", `  NAME: 'VALUE',`, "'"},
		{"a.php", `$NAME = 'VALUE';`, "'"},
		{"a.php", `'NAME' => 'VALUE',`, "'"},
		{"a.rs", `let NAME: &str = "VALUE";`, `"`},
		{"a.cs", `NAME = "VALUE";`, `"`},
		{"a.kt", `val NAME: String = "VALUE"`, `"`},
	}
)

// draw returns values of each form. The words are random, so that no list can have them.
func draw(r *rand.Rand) map[string]string {
	letters := func(n int) string {
		const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
		out := make([]byte, n)
		for i := range out {
			out[i] = consonants[r.IntN(len(consonants))]
			if i%2 == 1 {
				out[i] = vowels[r.IntN(len(vowels))]
			}
		}
		return string(out)
	}
	raw := make([]byte, 24)
	for i := range raw {
		raw[i] = byte(r.IntN(256))
	}
	digits := hex.EncodeToString(raw[:16])
	return map[string]string{
		"word":   letters(10),
		"mixed":  strings.ToUpper(letters(1)) + letters(5) + fmt.Sprint(10+r.IntN(90)),
		"signs":  letters(4) + "!" + fmt.Sprint(r.IntN(10)) + letters(3) + "^" + strings.ToUpper(letters(2)),
		"hex":    digits,
		"base64": base64.StdEncoding.EncodeToString(raw),
		"uuid":   digits[:8] + "-" + digits[8:12] + "-4" + digits[13:16] + "-a" + digits[17:20] + "-" + hex.EncodeToString(raw[16:22]),
		"blanks": letters(7) + " " + letters(6) + " " + letters(8) + " " + letters(5),
	}
}

// generated is the product of the tables.
func generated() (lines []secretLine) {
	r := rand.New(rand.NewPCG(7, 11))
	for _, name := range secretNames {
		for i, f := range append(slices.Clone(settingsForms), sourceForms...) {
			values := draw(r)
			for _, form := range slices.Sorted(maps.Keys(values)) {
				value := values[form]
				inSource := i >= len(settingsForms)
				switch {
				case inSource && form == "word" && !strings.Contains(strings.ToLower(name), "pass"):
					continue // A name of a token in code may have any word.
				case form == "blanks" && (f.quoted == "-" || f.quoted == "flag" || inSource && !strings.Contains(strings.ToLower(name), "pass")):
					continue // A value with blanks would end before.
				case form == "signs" && (f.quoted == "-" || f.quoted == "flag") && strings.ContainsAny(value, "&;"):
					continue
				}
				used := name
				if f.file == "a.go" || f.file == "a.py" || strings.HasPrefix(f.file, "a.") || f.file == "A.java" {
					if !strings.Contains(f.form, `"NAME"`) && !strings.Contains(f.form, `'NAME'`) {
						used = strings.NewReplacer(".", "_", "-", "_").Replace(name)
					}
				}
				line := strings.ReplaceAll(strings.ReplaceAll(f.form, "VALUE", value), "NAME", used)
				lines = append(lines, secretLine{f.file, f.form + " with " + form, line, value})
			}
		}
	}
	return lines
}

// kept returns the piece of a value that a text still has: at least half of it, or "".
func kept(text, value string) string {
	half := (len(value) + 1) / 2
	for _, piece := range []string{value[:half], value[len(value)-half:]} {
		if strings.Contains(text, piece) {
			return piece
		}
	}
	return ""
}

// inDiff is a change of a file with the lines, each with a sign.
func inDiff(file, text string, sign byte) string {
	var out strings.Builder
	n := strings.Count(text, "\n") + 1
	fmt.Fprintf(&out, "diff --git a/%s b/%s\nindex 1f2e3d4..5c6b7a8 100644\n--- a/%s\n+++ b/%s\n@@ -1,%d +1,%d @@\n", file, file, file, file, n, n)
	for line := range strings.SplitSeq(text, "\n") {
		out.WriteString(string(sign) + line + "\n")
	}
	return out.String()
}

// Each line of the product of names, separators, values and contexts loses its value: in a file of its name, alone, and
// in a diff with each of its signs. Lines keep their numbers.
func TestGeneratedSecrets(t *testing.T) {
	t.Parallel()
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	lines := generated()
	const least = 2000
	if len(lines) < least {
		t.Fatalf("%d lines", len(lines))
	}
	tried, missed, example := map[string]int{}, map[string]int{}, map[string]string{}
	check := func(how, name, text string, l secretLine) {
		how += ": " + l.form
		tried[how]++
		got, _ := r.Named(name, text)
		if strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: %q became %q, which has other lines", how, text, got)
		}
		if kept(got, l.value) != "" {
			missed[how], example[how] = missed[how]+1, l.line
		}
	}
	for _, l := range lines {
		check("in a file", l.file, l.line+"\n", l)
		check("alone", "", l.line, l)
		if l.file != "" {
			for _, sign := range []byte("+- ") {
				check("in a diff with "+string(sign), "change.diff", inDiff(l.file, l.line, sign), l)
			}
		}
	}
	for _, how := range slices.Sorted(maps.Keys(missed)) {
		t.Errorf("%s: %d of %d lines keep their secret, such as %q", how, missed[how], tried[how], example[how])
	}
}
