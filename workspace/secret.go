package workspace

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"moot/internal/git"
	"moot/internal/redact"
)

// secretKind is a kind of files with secrets.
type secretKind struct {
	why string
	// names are lower-case patterns for the last one or two elements of a path; higher folders do not make a file
	// secret. folders contain only such files, except for source code and documents.
	names, folders []string
}

// secretKinds returns the kinds, the most specific reason first.
func secretKinds() []secretKind {
	return []secretKind{
		{"it holds environment variables, such as passwords", []string{
			".env", ".env.*", ".env-*", ".env_*", "*.env", "*.env.*", ".envrc", ".envrc.*", ".flaskenv", ".environment", "env.local",
			"env.*.local", "env.prod", "env.production", "env.dev", "env.development", "env.staging", "env.test", "dotenv", "*.envfile", ".dev.vars", ".prod.vars",
			"*.env-cmdrc", ".env-cmdrc",
		}, nil},
		{"files of that name hold passwords", []string{
			".netrc", "_netrc", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd", "htpasswd", ".htdigest", ".git-credentials", ".gitcookies",
			"shadow", "gshadow", "master.passwd", ".smbcredentials", "smbpasswd", ".vnc/passwd", "password.txt", "passwords.*", "password-store", "credentials",
			"credentials.*", "creds.*", ".credentials", ".secrets", ".secret", "*.secret", "*.secrets", "secrets.*", ".curlrc", ".wgetrc", ".hg/hgrc", ".pwd", "*.passwd",
			"chap-secrets", "pap-secrets", "sudoers", "auth.json", ".auth.json", "users.htpasswd", "local.settings.json", ".streamlit/secrets.toml", "kaggle.json",
			"key.properties", "keystore.properties", "signing.properties", "local.properties", "robomongo.json", "jupyter_*_config.json", "cookies.txt", "cookies.json",
			"cookies.sqlite*", "cookies", "login data*", "logins.json", "key3.db", "key4.db", "signons.sqlite", "*.rdp", "*.rdg", "winscp.ini", "filezilla.xml", "sitemanager.xml",
			"recentservers.xml",
		}, []string{".password-store"}},
		{"it is a history of commands, which may hold passwords", []string{
			".*_history", ".history", ".histfile", ".zhistory", "*_history", "*.history", ".*-history", ".rhistory", ".lesshst", ".viminfo", ".dbshell", ".mycli-history", ".pgcli-history",
			"consolehost_history.txt", ".netrwhist", ".wget-hsts", ".*history",
		}, nil},
		{"it is a private key or a key store", []string{
			"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss", "id_*_sk", "id_rsa[\\-_.]*", "id_dsa[\\-_.]*", "id_ecdsa[\\-_.]*", "id_ed25519[\\-_.]*", "*_rsa", "*_dsa",
			"*_ecdsa", "*_ed25519", "ssh_host_*_key", "*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.pkcs12", "*.pk8", "*.ppk", "*.pvk", "*.snk", "*.jks", "*.jceks", "*.bks", "*.keystore",
			"*.truststore", "*.kdb", "*.kdbx", "*.psafe3", "*.agilekeychain", "*.1pif", "*.opvault", "*.keychain", "*.keychain-db", "secring.*", "*.privkey", "privkey*", "age/keys.txt",
			"*.age-key", "*.asc.key", "*.wallet", "wallet.dat", "*.keytab", "*.keyring", "krb5cc_*", "*.nsec",
		}, []string{".ssh", ".gnupg", "private-keys-v1.d"}},
		{"it holds the credentials of a cloud service", []string{
			".boto", ".s3cfg", ".passwd-s3fs", ".ossutilconfig", ".aws/config", "aws/credentials", "access_tokens.db", "credentials.db", "client_secret*.json", "service[\\-_]account*.json",
			"*service[\\-_]account*.json", "*firebase-adminsdk*.json", "gcp-key*.json", "gcloud-*.json", "gcloud/*.json", "gcloud/*.db", "*-credentials.json", "*_credentials.json", "application_default_credentials.json",
			"accesstokens.json", "azureprofile.json", "msal_token_cache.*", "service_principal_entries.*", ".oci/config", ".aliyun/config.json", ".bluemix/config.json", "doctl/config.yaml",
			"hcloud/cli.toml", ".fly/config.yml", ".linode-cli", "linode-cli", ".vercel/auth.json", ".netlify/config.json", "rclone.conf", ".rclone.conf", ".vault-token", ".vault_pass*", "vault_pass*",
			".vault-pass*", "vault-pass*", ".vault-password*", ".consul-token", ".nomad-token", "ngrok.yml", ".cloudflared/*.json", ".databrickscfg", ".snowsql/config", "snowflake.toml",
			".config/op/config", ".doppler.yaml", ".infracost/credentials.yml", "token.json", ".token", "*.publishsettings", "*.azureauth", "*.cscfg", "aws_credentials*", ".chef/*.pem",
		}, []string{".aws", ".azure", ".gcloud", "legacy_credentials"}},
		{"it holds the state or the variables of Terraform, with their secrets", []string{
			"*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.*", ".terraformrc", "terraform.rc", "*.tfrc", "*.tfrc.json", "*.tfplan", ".pulumi/credentials.json",
		}, []string{".terraform.d"}},
		{"it holds the credentials of a cluster", []string{
			"kubeconfig", "*.kubeconfig", "kubeconfig.*", "kubeconfig-*", "*-kubeconfig", "*-kubeconfig.*", "*_kubeconfig.*", "kube_config*", "kube.conf", "kubernetes/*.conf", "k3s.yaml", "rke2.yaml",
			"talosconfig", ".talos/config", "argocd/config", "bootstrap-kubeconfig", ".docker/config.json", ".dockercfg", ".dockerconfigjson", "containers/auth.json",
		}, []string{".kube"}},
		{"it holds the credentials of a package manager", []string{
			".npmrc", "npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", "pip/pip.conf", ".pip/pip.conf", ".cargo/credentials*", ".gem/credentials", ".m2/settings*.xml", "settings-security.xml",
			".gradle/gradle.properties", ".composer/auth.json", "gh/hosts.yml", ".config/hub", "glab-cli/config.yml", ".bundle/config", ".anaconda/token", "huggingface/token",
			".huggingface/token", "pypoetry/auth.toml", ".jfrog/*", "jfrog-cli.conf*", ".lein/credentials*", ".condarc", ".gemrc", ".hex/hex.config", ".config/configstore/*.json", ".clasprc.json",
		}, nil},
		{"it holds the password of a mail account", []string{
			".muttrc", "muttrc", ".mutt/*", ".mailrc", ".msmtprc", "msmtprc", ".fetchmailrc", ".getmailrc", ".offlineimaprc", ".mbsyncrc", ".isyncrc", ".authinfo", ".authinfo.*", "sasl_passwd*",
			"passwd.client", ".ssmtp.conf", "ssmtp.conf", ".esmtprc", ".nmailrc", ".neomuttrc", "aerc/accounts.conf", "dovecot.passwd", "exim.passwd",
		}, nil},
		{"it holds the key of a VPN or a wireless network", []string{
			"*.ovpn", "wg[0-9]*.conf", "wireguard/*.conf", "*.wg", "*.wgconf", "ipsec.secrets", "*.mobileconfig", "*.nmconnection", "wpa_supplicant*.conf", "*.pcf", "*.psk", "vpnc/*.conf",
			"openvpn/*.conf", "openvpn/*.txt", "swanctl/*.conf", "ipsec.d/*.secrets", "openfortivpn/config", "psk.txt",
		}, []string{"system-connections"}},
		{"it holds the passwords of an editor or a database client", []string{
			".idea/datasources*.xml", "datasources.local.xml", ".idea/webservers.xml", ".idea/deployment.xml", ".idea/workspace.xml", "http-client.private.env.json", "sftp.json", "sftp-config.json",
			"sftp-config-alt*.json", ".ftpconfig", ".ftppass", ".ftp-sync.json", ".ftp-simple/*", ".remote-sync.json", ".dbeaver-data-sources.xml", "credentials-config.json", ".dbvis/*", ".sqltools.json",
			"tnsnames.ora", "sqlnet.ora", ".mongorc.js", ".sqliterc", ".psqlrc.local", "pgadmin4.db", "servers.json.bak", ".tnsadmin/*",
		}, nil},
	}
}

// Allowed reports whether one of the globs matches a path.
func Allowed(name string, globs []string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		ok, _ := doublestar.Match(strings.TrimPrefix(glob, "./"), name)
		return ok
	})
}

// secretTable is secretKinds for fast lookups: plain names, endings such as ".pem", patterns, and folders.
type secretTable struct {
	exact, endings, folders map[string]string
	patterns                []struct{ pattern, why string }
}

//nolint:gochecknoglobals // a table
var secretNames = sync.OnceValue(func() *secretTable {
	t := &secretTable{exact: map[string]string{}, endings: map[string]string{}, folders: map[string]string{}}
	for _, kind := range secretKinds() {
		for _, name := range kind.names {
			ending := strings.TrimPrefix(name, "*")
			switch {
			case !strings.ContainsAny(name, "*?["):
				t.exact[name] = cmp.Or(t.exact[name], kind.why)
			case ending != name && path.Ext(ending) == ending && !strings.ContainsAny(ending, "*?["):
				t.endings[ending] = cmp.Or(t.endings[ending], kind.why)
			default:
				t.patterns = append(t.patterns, struct{ pattern, why string }{name, kind.why})
			}
		}
		for _, folder := range kind.folders {
			t.folders[folder] = kind.why
		}
	}
	return t
})

//nolint:gochecknoglobals // a table
var redactNames = sync.OnceValues(redact.New)

// SecretName returns why a file is not shown because of its name, or "". It checks the last element of the path and
// its folder. Copies and backups of a secret file are secret; its examples and source code are not. A file is also
// not shown if its name contains a secret.
func SecretName(name string) string {
	folded := strings.ToLower(name)
	for part := range strings.SplitSeq(folded, "/") {
		if part == ".git" {
			return "it is part of .git"
		}
	}
	folder, base := path.Split(folded)
	folder = path.Base(folder)
	table := secretNames()
	for copies := 0; ; copies++ {
		if why := table.why(folder, base); why != "" {
			return why
		}
		original := originalName(base)
		if original == base || copies == 3 {
			break
		}
		base = original
	}
	redactor, err := redactNames()
	if err != nil {
		return err.Error()
	}
	_, found := redactor.Text(name)
	for _, f := range found {
		if f.Reason != redact.Random {
			return "its name holds what looks like a secret"
		}
	}
	return ""
}

// ShownName returns a name for screens, prompts and the record, without a secret that it may contain.
func ShownName(name string) string {
	redactor, err := redactNames()
	if err != nil {
		return redact.Mark("name")
	}
	shown, _ := redactor.Text(name)
	return shown
}

// why returns why a file in a folder is secret. Both names are in lower case.
func (t *secretTable) why(folder, base string) string {
	if why := cmp.Or(t.exact[folder+"/"+base], t.exact[base]); why != "" {
		return why
	}
	if isExample(base) || isCode(base) {
		return ""
	}
	if why := cmp.Or(t.endings[path.Ext(base)], t.folders[folder]); why != "" {
		return why
	}
	for _, p := range t.patterns {
		target := base
		if strings.Contains(p.pattern, "/") {
			target = folder + "/" + base
		}
		if ok, _ := path.Match(p.pattern, target); ok {
			return p.why
		}
	}
	return ""
}

// isExample reports whether a file is an example of a secret file, such as .env.example. Its values are still
// redacted.
func isExample(base string) bool {
	for _, word := range []string{"example", "sample", "template", "tmpl", "dist", "pub"} {
		if strings.HasSuffix(base, "."+word) || strings.Contains(base, "."+word+".") || strings.HasSuffix(base, "-"+word) {
			return true
		}
	}
	return false
}

// isCode reports whether a file is source code or a document.
func isCode(base string) bool {
	switch path.Ext(base) {
	case ".go", ".py", ".pyi", ".c", ".h", ".cc", ".cpp", ".hpp", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".java", ".kt", ".kts", ".scala", ".rs", ".rb",
		".php", ".cs", ".swift", ".dart", ".lua", ".pl", ".pm", ".ex", ".exs", ".erl", ".hs", ".clj", ".sh", ".bash", ".vue", ".svelte", ".html", ".css", ".md", ".rst", ".adoc",
		".proto", ".sql", ".tf", ".gradle", ".groovy", ".m", ".mm", ".zig":
		return true
	}
	return false
}

// copySuffix matches suffixes added by backups, editors and package managers.
var copySuffix = regexp.MustCompile(`(?:~|\.(?:bak|back|backup|bkp|old|orig|original|save|saved|copy|tmp|temp|swp|swo|swn|rej|prev|previous|new|disabled|dpkg-\w+|rpm\w+|ucf-\w+|pacsave|gz|bz2|xz|zst|zip|\d{1,14}|\d{4}-\d\d-\d\d|[0-9a-f]{32,})|[-_ .](?:bak|backup|old|orig|copy|save)(?:[-_ .]?\d+)?|(?: - | )copy(?: \d+)?|[-_. ]\d{4}-?\d\d-?\d\d|\(\d+\)| \(\d+\))$`)

// originalName returns the name of the file that a copy was made from, or the name itself.
func originalName(base string) string {
	if strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#") && len(base) > 2 {
		return base[1 : len(base)-1]
	}
	if end := path.Ext(base); (end == ".swp" || end == ".swo" || end == ".swn") && strings.HasPrefix(base, ".") {
		// vim's swap file for both x and .x is .x.swp.
		original := strings.TrimSuffix(base, end)
		if secretNames().why("", original) == "" {
			return strings.TrimPrefix(original, ".")
		}
		return original
	}
	if strings.HasPrefix(base, ".#") || strings.HasPrefix(base, "~$") {
		return base[2:]
	}
	if cut := copySuffix.ReplaceAllString(base, ""); cut != "" && cut != base {
		return cut
	}
	// The copy may keep the extension: server-old.pem has it already, credentials (1).json does not.
	if end := path.Ext(base); end != "" {
		stem := strings.TrimSuffix(base, end)
		if cut := copySuffix.ReplaceAllString(stem, ""); cut != "" && cut != stem {
			return cut + end
		}
	}
	for _, prefix := range []string{"copy of ", "copy_of_", "backup_", "backup-", "old_", "old-", "bak_"} {
		if rest, ok := strings.CutPrefix(base, prefix); ok {
			return rest
		}
	}
	return base
}

// WorkTree returns the top of the git work tree that contains dir, or dir itself. Repositories of other users do not
// count.
func WorkTree(dir string) string {
	if place, err := git.Find(dir); err == nil {
		return place.Top
	}
	return dir
}

// InWorkTree reports whether dir is in a git work tree.
func InWorkTree(dir string) bool {
	_, err := git.Find(dir)
	return err == nil
}

// TooWide reports whether a folder outside of a work tree is too large for a question: the top of a disk, or the
// user's home folder.
func TooWide(dir, home string) bool {
	resolved := func(name string) string {
		name, _ = filepath.Abs(name)
		if target, err := filepath.EvalSymlinks(name); err == nil {
			return target
		}
		return name
	}
	dir = resolved(dir)
	if InWorkTree(dir) {
		return false
	}
	return filepath.Dir(dir) == dir || home != "" && dir == resolved(home)
}
