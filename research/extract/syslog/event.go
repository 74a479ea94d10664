package syslog

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"moot/ledger"
	"moot/research/extract"
)

// A message that is understood becomes an event with its parts, and its text stays in Record.Raw. Another message is a
// field of its own, "message".
//
// Rules count attempts by the words of an event. So only one line of an attempt is a failure: sshd's "Failed password"
// is, and what sshd and PAM write about the same attempt before and after says "refused" or "unknown user". A key that
// is refused is no failure either: clients offer one after another at ordinary logins.

// form is a form of messages. Named groups become fields, unless they are empty.
type form struct {
	programs       string
	event, outcome string
	text           *regexp.Regexp
}

const (
	success, failure = "success", "failure"

	// sshd writes the name of an account as the client sent it, blanks included, so the last address counts.
	who    = `(?P<unknown>invalid user |illegal user )?(?P<account>.*)`
	origin = ` from (?P<address>\S+)(?: port (?P<source_port>\d+))?`
	key    = `(?: ssh\d?)?(?:: (?P<key>[A-Z0-9-]+ .*))?`
	auth   = `(?: \[preauth\])?$`
	peer   = `(?:(?:authenticating user|(?P<unknown>invalid user)|user) (?P<account>.*) )?(?P<address>[\w%-]*[.:][\w.:%-]*)(?: port (?P<source_port>\d+))?`
)

// forms are tried in their order.
//
//nolint:gochecknoglobals // a table
var forms = []form{
	{"sshd", "accepted logon", success, regexp.MustCompile(`^Accepted (?P<method>\S+) for (?P<account>.*?)` + origin + key + `$`)},
	{"sshd", "key refused", "", regexp.MustCompile(`^(?:error: )?Failed (?P<method>publickey|hostbased) for ` + who + origin + key + `$`)},
	{"sshd", "logon without a method refused", "", regexp.MustCompile(`^(?:error: )?Failed (?:none) for ` + who + origin + key + `$`)},
	{"sshd", "failed logon", failure, regexp.MustCompile(`^(?:error: )?Failed (?P<method>\S+) for ` + who + origin + key + `$`)},
	{"sshd", "logon not complete", "", regexp.MustCompile(`^Postponed (?P<method>\S+) for ` + who + origin + key + auth)},
	{"sshd", "unknown user", "", regexp.MustCompile(`^(?P<unknown>Invalid|Illegal) user (?P<account>.*)` + origin + `$`)},
	{"sshd", "unknown user", "", regexp.MustCompile(`^input_userauth_request: (?P<unknown>invalid) user (?P<account>.*)` + auth)},
	{"sshd", "too many attempts", "", regexp.MustCompile(`^(?:error: )?maximum authentication attempts exceeded for ` + who + origin + key + auth)},
	{"sshd", "PAM refused", "", regexp.MustCompile(`^error: PAM: .* for ` + who + origin + `$`)},
	{"sshd", "account not allowed", "", regexp.MustCompile(`^User (?P<account>.*) from (?P<address>\S+) not allowed because (?P<reason>.*)$`)},
	{"sshd", "disconnected", "", regexp.MustCompile(`^Disconnected from ` + peer + auth)},
	{"sshd", "disconnected", "", regexp.MustCompile(`^Received disconnect from (?P<address>\S+?)(?: port (?P<source_port>\d+))?: ?(?P<code>\d+): ?(?P<reason>.*?)` + auth)},
	{"sshd", "disconnecting", "", regexp.MustCompile(`^Disconnecting ` + peer + `: (?P<reason>.*?)` + auth)},
	{"sshd", "disconnecting", "", regexp.MustCompile(`^Disconnecting: (?P<reason>Too many authentication failures) for ` + who + auth)},
	{"sshd", "connection closed", "", regexp.MustCompile(`^Connection closed by ` + peer + auth)},
	{"sshd", "connection reset", "", regexp.MustCompile(`^Connection reset by ` + peer + auth)},
	{"sshd", "connection", "", regexp.MustCompile(`^Connection from (?P<address>\S+) port (?P<source_port>\d+)(?: on (?P<server>\S+) port (?P<port>\d+))?(?: rdomain .*)?$`)},
	{"sshd", "session started", "", regexp.MustCompile(`^Starting session: (?P<session>.*) for (?P<account>.*)` + origin + `(?: id \d+)?$`)},
	{"sudo", "command refused", "", regexp.MustCompile(`^(?P<account>\S+) : (?P<reason>[^;=]*[^;= ]) ; (?P<settings>(?:[A-Z]+=.*? ; )*?)COMMAND=(?P<command_line>(?s:.*))$`)},
	{"sudo", "command", "", regexp.MustCompile(`^(?P<account>\S+) : (?P<settings>(?:[A-Z]+=.*? ; )*?)COMMAND=(?P<command_line>(?s:.*))$`)},
	{"su", "switched account", success, regexp.MustCompile(`^\(to (?P<target>\S+)\) (?P<account>.*) on (?P<terminal>\S+)$`)},
	{"su", "switch of account", failure, regexp.MustCompile(`^FAILED SU \(to (?P<target>\S+)\) (?P<account>.*) on (?P<terminal>\S+)$`)},
	{"su", "switched account", success, regexp.MustCompile(`^Successful su for (?P<target>\S+) by (?P<account>.*)$`)},
	{"su", "switch of account", failure, regexp.MustCompile(`^FAILED su for (?P<target>\S+) by (?P<account>.*)$`)},
	{"su", "switched account", success, regexp.MustCompile(`^\+ (?P<terminal>\S+) (?P<account>[^:]*):(?P<target>\S+)$`)},
	{"su", "switch of account", failure, regexp.MustCompile(`^- (?P<terminal>\S+) (?P<account>[^:]*):(?P<target>\S+)$`)},
	{"su", "switched account", success, regexp.MustCompile(`^'su (?P<target>[^']+)' succeeded for (?P<account>.*) on (?P<terminal>\S+)$`)},
	{"su", "switch of account", failure, regexp.MustCompile(`^'su (?P<target>[^']+)' failed for (?P<account>.*) on (?P<terminal>\S+)$`)},
	{"su", "switch of account", failure, regexp.MustCompile(`^BAD SU (?P<account>\S+) to (?P<target>\S+) on (?P<terminal>\S+)$`)},
	{"cron", "command", "", regexp.MustCompile(`^\((?P<account>[^)]*)\) CMD \(\s*(?P<command_line>(?s:.*))\)$`)},
	{"cron", "command ended", "", regexp.MustCompile(`^\((?P<account>[^)]*)\) CMDEND \(\s*(?P<command_line>(?s:.*))\)$`)},
	{"cron", "table", "", regexp.MustCompile(`^\((?P<account>[^)]*)\) (?P<action>BEGIN EDIT|END EDIT|REPLACE|DELETE|LIST|RELOAD) \((?P<detail>.*)\)$`)},
	{"useradd", "new account", "", regexp.MustCompile(`^new user: name=(?P<target>[^,]*)(?:, UID=(?P<number>\d+))?(?:, GID=\d+)?(?:, home=(?P<folder>[^,]*))?(?:, shell=(?P<shell>[^,]*))?(?:, from=(?P<terminal>.*))?$`)},
	{"useradd groupadd usermod", "new group", "", regexp.MustCompile(`^new group: name=(?P<group>[^,]*)(?:, GID=(?P<number>\d+))?`)},
	{"useradd usermod groupmems groupadd", "member added to a group", "", regexp.MustCompile(`^add '(?P<target>[^']*)' to (?:shadow )?group '(?P<group>[^']*)'$`)},
	{"usermod", "account changed", "", regexp.MustCompile(`^(?P<action>change user|lock user|unlock user|set user) '(?P<target>[^']*)' (?P<detail>.*)$`)},
	{"gpasswd", "member added to a group", "", regexp.MustCompile(`^user (?P<target>\S+) added by (?P<account>\S+) to group (?P<group>\S+)$`)},
	{"gpasswd", "member removed from a group", "", regexp.MustCompile(`^user (?P<target>\S+) removed by (?P<account>\S+) from group (?P<group>\S+)$`)},
	{"usermod userdel groupmems", "member removed from a group", "", regexp.MustCompile(`^(?:delete|remove) '(?P<target>[^']*)' from (?:shadow )?group '(?P<group>[^']*)'$`)},
	{"groupadd", "group added", "", regexp.MustCompile(`^group added to (?P<file>[^:]*): name=(?P<group>[^,]*)(?:, GID=(?P<number>\d+))?$`)},
	{"userdel", "account deleted", "", regexp.MustCompile(`^delete user '(?P<target>[^']*)'$`)},
	{"systemd-logind", "new session", "", regexp.MustCompile(`^New session '?(?P<session>[^\s']+)'? of user '?(?P<account>[^\s']*?)'?(?: with class '(?P<class>[^']*)' and type '(?P<type>[^']*)')?\.$`)},
	{"systemd-logind", "session ended", "", regexp.MustCompile(`^(?:Session (?P<session>\S+) logged out\. Waiting for processes to exit\.|Removed session (?P<ended>[^\s.]+)\.)$`)},
	{"login", "logon", failure, regexp.MustCompile(`^FAILED LOGIN \((?P<attempt>\d+)\) on '?(?P<terminal>[^']*?)'? (?:from '(?P<address>[^']*)' )?FOR '?(?P<account>.*?)'?, (?P<reason>.*)$`)},
	{"login", "logon", success, regexp.MustCompile(`^(?:(?P<account>ROOT) LOGIN +ON '?(?P<terminal>[^']*)'?|LOGIN ON (?P<tty>\S+) BY (?P<user>\S+))(?: FROM (?P<address>\S+))?$`)},
	{"pkexec", "command", "", regexp.MustCompile(`^(?P<account>\S+): Executing command \[USER=(?P<target>[^\]]*)\] \[TTY=(?P<terminal>[^\]]*)\] \[CWD=(?P<folder>[^\]]*)\] \[COMMAND=(?P<command_line>.*)\]$`)},
	{"doas", "command", "", regexp.MustCompile(`^(?P<account>\S+) ran command (?P<command_line>.*) as (?P<target>\S+) from (?P<folder>.*)$`)},
	{"*", "session opened", "", regexp.MustCompile(`^pam_\w+\((?P<service>[^:)]*):(?:session)?\): session opened for user (?P<user>[^\s(]+)(?:\(uid=\d+\))?(?: by (?P<by>[^\s(]*)(?:\(uid=\d+\))?)?$`)},
	{"*", "session closed", "", regexp.MustCompile(`^pam_\w+\((?P<service>[^:)]*):(?:session)?\): session closed for user (?P<user>.*)$`)},
	{"*", "authentication", failure, regexp.MustCompile(`^(?:pam_\w+\((?P<service>[^:)]*):\w*\): |PAM )(?:(?P<count>\d+) more )?authentication failures?; ` + pamPairs)},
	{"*", "authentication", success, regexp.MustCompile(`^pam_\w+\((?P<service>[^:)]*):auth\): authentication success; ` + pamPairs)},
	{"*", "password changed", "", regexp.MustCompile(`^pam_\w+\((?P<service>[^:)]*):chauthtok\): password changed for (?P<user>.*)$`)},
	{"*", "PAM asked about an unknown user", "", regexp.MustCompile(`^pam_\w+\((?P<service>[^:)]*):auth\): check pass; (?P<unknown>user unknown)$`)},
}

const pamPairs = `logname=\S* uid=\d* euid=\d* tty=(?P<terminal>\S*) ruser=(?P<by>.*?) rhost=(?P<address>\S*)(?:\s+user=(?P<user>.*))?\s*$`

// Messages around others, and the settings that sudo writes before a command.
var (
	repeated = regexp.MustCompile(`^message repeated (\d+) times: \[ ?((?s:.*?)) ?\]$`)
	again    = regexp.MustCompile(`^last message repeated (\d+) times?$`)
	oldSSHD  = regexp.MustCompile(`^authentication failure; logname=`)
)

// family is the name by which the table of forms knows a program.
func family(program string) string {
	if at := strings.LastIndexByte(program, '/'); at >= 0 {
		program = program[at+1:]
	}
	switch strings.ToLower(program) {
	case "sshd", "sshd-session", "sshd-auth":
		return "sshd"
	case "su", "su-l", "runuser":
		return "su"
	case "cron", "crond", "crontab", "anacron", "cronie":
		return "cron"
	}
	return strings.ToLower(program)
}

// record is the record of a message without its place and raw text.
func (m *message) record() extract.Record {
	record := extract.Record{At: m.at, Assumed: m.assumed, Host: m.host, Kind: m.program, Source: ledger.SourceSyslog}
	add := func(name, value string) {
		if value == "" || slices.ContainsFunc(record.Fields, func(f extract.Field) bool { return f.Name == name }) {
			return
		}
		made := ledger.TextValue(value)
		switch name {
		case "pid", "source_port", "port", "count", "number", "attempt":
			if n, err := strconv.ParseUint(value, 10, 63); err == nil {
				made = ledger.Value(strconv.FormatUint(n, 10))
			}
		case "unknown_user":
			made = "true"
		}
		record.Fields = append(record.Fields, extract.Field{Name: name, Value: made})
	}
	for _, part := range [][2]string{
		{"host", m.host}, {"program", m.program}, {"pid", m.pid}, {"facility", m.facility}, {"severity", m.severity},
	} {
		add(part[0], part[1])
	}
	text, count := m.text, ""
	if times := repeated.FindStringSubmatch(text); times != nil {
		count, text = times[1], times[2]
	}
	program := family(m.program)
	event, outcome, parts := understand(program, text)
	switch {
	case m.facility == "auth" || m.facility == "authpriv", event != "" && program != "cron", event != "" && parts["service"] != "":
		record.Source = ledger.SourceAuthLog
	case slices.Contains([]string{"sshd", "sudo", "su", "login", "systemd-logind", "polkitd", "useradd", "usermod", "passwd"}, program):
		record.Source = ledger.SourceAuthLog
	}
	if event == "" {
		add("message", m.text)
	} else {
		record.Kind = strings.TrimSpace(program + " " + event)
		record.Account = parts["account"]
		add("event", record.Kind)
		add("outcome", outcome)
		add("account", parts["account"])
		add("address", parts["address"])
		for _, name := range sorted(parts) {
			add(name, parts[name])
		}
		add("count", count)
	}
	for i := 0; i < len(m.data); i += 2 {
		add(m.data[i], m.data[i+1])
	}
	if len(record.Fields) == 0 {
		add("message", " ")
	}
	return record
}

// formsOf returns the forms of each program.
//
//nolint:gochecknoglobals // a table
var formsOf = sync.OnceValue(func() map[string][]*form {
	all := map[string][]*form{}
	for i := range forms {
		for program := range strings.FieldsSeq(forms[i].programs) {
			all[program] = append(all[program], &forms[i])
		}
	}
	return all
})

// understand returns the event that a message of a program states, its outcome, and its fields, or "".
func understand(program, text string) (event, outcome string, parts map[string]string) {
	if oldSSHD.MatchString(text) {
		text = "PAM " + text
	}
	text = strings.Trim(text, " ")
	for _, f := range slices.Concat(formsOf()[program], formsOf()["*"]) {
		found := f.text.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		parts := map[string]string{}
		for at, name := range f.text.SubexpNames() {
			if name != "" && found[at] != "" {
				parts[name] = found[at]
			}
		}
		event, outcome = f.event, f.outcome
		complete(program, parts)
		if outcome == failure && program == "sshd" && (parts["service"] != "" || strings.HasPrefix(text, "PAM ")) {
			event, outcome = "PAM refused", ""
			delete(parts, "count")
		}
		return event, outcome, parts
	}
	return "", "", nil
}

// complete turns what groups of forms hold into fields: the acting account and the one that it acts on.
func complete(program string, parts map[string]string) {
	if parts["unknown"] != "" {
		parts["unknown_user"] = "true"
	}
	if settings := parts["settings"]; settings != "" {
		names := map[string]string{"TTY": "terminal", "PWD": "folder", "USER": "target", "GROUP": "group", "CHROOT": "root_folder"}
		for setting := range strings.SplitSeq(settings, " ; ") {
			name, value, _ := strings.Cut(setting, "=")
			if field := names[name]; field != "" && value != "" {
				parts[field] = value
			}
		}
	}
	service := family(parts["service"])
	switches := slices.Contains([]string{"su", "sudo", "sudo-i", "doas", "pkexec", "polkit-1"}, service) || program == "su" || program == "sudo"
	user, by := parts["user"], parts["by"]
	switch {
	case user == "" && by == "":
	case by != "" && (switches || user == ""):
		parts["account"] = by
		if user != by {
			parts["target"] = user
		}
	default:
		parts["account"] = user
	}
	for short, long := range map[string]string{"tty": "terminal", "ended": "session"} {
		if parts[short] != "" {
			parts[long] = parts[short]
		}
	}
	for _, name := range []string{"unknown", "settings", "user", "by", "tty", "ended"} {
		delete(parts, name)
	}
	for name, value := range parts {
		if !utf8.ValidString(value) {
			parts[name] = strings.ToValidUTF8(value, "\ufffd")
		}
	}
}
