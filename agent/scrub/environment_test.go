package scrub

import (
	"slices"
	"strings"
	"testing"
)

// A program knows what it needs and no secret that is not its own.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	random := "q7Rk2PzX9mVb4LsT8wYc3NfH6jDg5aUe"
	for _, c := range []struct {
		entry string
		stays bool
	}{
		{"PATH=/usr/local/bin:/usr/bin:/home/Ann1/go/bin", true},
		{"HOME=/home/ann", true},
		{"USER=ann", true},
		{"LANG=en_US.UTF-8", true},
		{"LC_ALL=C", true},
		{"TZ=Europe/Vienna", true},
		{"TMPDIR=/var/folders/Zz/q7Rk2PzX9mVb4LsT8wYc3NfH6jDg5aUe/T/", true},
		{"SHELL=/bin/zsh", true},
		{"XDG_CONFIG_HOME=/home/ann/.config", true},
		{"XDG_SESSION_ID=2", true},
		{"XDG_RUNTIME_DIR=/run/user/1000", true},
		{"DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus", true},
		{"SSL_CERT_FILE=/etc/ssl/cert.pem", true},
		{"NODE_EXTRA_CA_CERTS=/etc/ssl/ours.pem", true},
		{"NODE_OPTIONS=--max-old-space-size=4096", true},
		{"NVM_DIR=/home/ann/.nvm", true},
		{"GOFLAGS=-mod=mod", true},
		{"VIRTUAL_ENV=/home/ann/venv", true},
		{"SYSTEMROOT=C:\\Windows", true},
		{"CODEX_HOME=/home/ann/.codex", true},
		{"GIT_AUTHOR_EMAIL=ann@example.org", true},
		{"GIT_SSH_COMMAND=ssh -p 22", true},
		{"EDITOR=vim", true},
		// They only begin like a secret.
		{"KEYBOARD_LAYOUT=de", true},
		{"XKB_DEFAULT_LAYOUT=de", true},
		{"PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring", true},
		{"MONKEY_PATCH=1", true},
		{"TOKENIZERS_PARALLELISM=false", true},
		{"AUTHOR=Ann", true},
		{"COMPASS_HOME=/opt/compass", true},
		{"BYPASS_CACHE=1", true},
		{"PATTERN=a*", true},
		{"PINNED=1", true},
		{"PRIVATEER=1", true},
		// A count is no token.
		{"CLAUDE_CODE_MAX_OUTPUT_TOKENS=32000", true},
		{"MAX_THINKING_TOKENS=8000", true},
		{"TOKEN_LIMIT=4096", true},
		{"SESSION_TOKEN_TTL=3600", true},
		{"MAX_TOKEN=" + random, false},
		{"TOKENS=12345678", false},
		// Proxies are needed to reach anything.
		{"https_proxy=http://ann:pass@proxy.example:3128", true},
		{"ALL_PROXY=socks5://proxy:1080", true},
		{"NO_PROXY=localhost", true},
		// Without a password, a URL is a place.
		{"DATABASE_URL=postgres://localhost/app", true},
		{"OLLAMA_HOST=http://127.0.0.1:11434", true},

		{"AWS_SECRET_ACCESS_KEY=" + random, false},
		{"AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", false},
		{"AWS_SESSION_TOKEN=x", false},
		{"GITHUB_TOKEN=x", false},
		{"GITHUBTOKEN=x", false},
		{"GH_ENTERPRISE_TOKEN=x", false},
		{"NPM_TOKEN=x", false},
		{"npm_config_//registry.npmjs.org/:_authToken=x", false},
		{"NODE_AUTH_TOKEN=x", false},
		{"AZURE_DEVOPS_EXT_PAT=x", false},
		{"OPENAI_API_KEY=x", false},
		{"ANTHROPIC_API_KEY=x", false},
		{"openai_api_key=x", false},
		{"MYAPIKEY=x", false},
		{"SSH_KEY=x", false},
		{"SSH_AUTH_SOCK=/run/ssh", false},
		{"GPG_AGENT_INFO=/run/gpg", false},
		{"SSH_ASKPASS=/usr/bin/ask", false},
		{"GIT_ASKPASS=/usr/bin/ask", false},
		{"PGPASSWORD=x", false},
		{"PGPASSFILE=/home/ann/.pgpass", false},
		{"MYSQL_PWD=x", false},
		{"DB_PASS=x", false},
		{"DB_PASSWORD=test", false},
		{"DB_PASSWORD=", false},
		{"VAULT_PASSPHRASE=x", false},
		{"CLIENT_SECRET=x", false},
		{"DJANGO_SECRETKEY=x", false},
		{"GOOGLE_APPLICATION_CREDENTIALS=/home/ann/key.json", false},
		{"SENTRY_DSN=https://x@sentry.io/1", false},
		{"SESSION_COOKIE=x", false},
		{"SLACK_WEBHOOK_URL=https://hooks.slack.com/services/x", false},
		{"AZURE_STORAGE_CONNECTION_STRING=x", false},
		{"KUBECONFIG=/home/ann/.kube/config", false},
		{"XAUTHORITY=/run/user/1000/auth", false},
		// A secret under an innocent name.
		{"DATABASE_URL=postgres://app:pw@db/app", false},
		{"REDIS=redis://:pw@cache:6379", false},
		{"MYSQL=app:pw@tcp(db:3306)/app", false},
		{"MSSQL=Server=db;User Id=app;Password=pw;", false},
		{"FEED=https://example.org/feed?token=abc", false},
		{"EXTRA=ghp_" + random + "abcd", false},
		{"EXTRA=" + random, false},
		{"EXTRA=-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----", false},
		{"EXTRA=eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4", false},

		// The program's own.
		{"OWN_API_KEY=x", true},
		{"OWN_TOOL_TOKEN=x", true},
		{"OWNER_TOKEN=x", false},
		{"TERM=xterm-256color", false},
		{"FORCE_COLOR=3", false},
		{"PWD=/home/ann", false},
		// No variables.
		{"=C:=C:\\", false},
		{"nonsense", false},
	} {
		kept, err := Environment([]string{c.entry}, []string{"OWN_API_KEY", "OWN_TOOL_*"})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(kept, c.entry) != c.stays {
			t.Errorf("%.40q: it stays is %t", c.entry, !c.stays)
		}
		if after := strings.Join(kept[len(kept)-3:], " "); after != "TERM=dumb NO_COLOR=1 GIT_TERMINAL_PROMPT=0" {
			t.Errorf("set is %s", after)
		}
	}
}
