package domain_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
)

// day spreads facts over working hours.
func day(count int, line func(i int) string) []string {
	lines := make([]string, count)
	for i := range lines {
		at := 8*3600 + i*9*3600/count
		lines[i] = fmt.Sprintf("%02d:%02d:%02d | %s", at/3600, at/60%60, at%60, line(i))
	}
	return lines
}

// ordinary are packets of ordinary activity, of ten kinds and from 2 to 200 facts.
func ordinary() map[string][]string {
	users := []string{"anna", "ben", "carla", "deniz", "eva", "farid"}
	user := func(i int) string { return users[i%len(users)] }
	packets := map[string][]string{}
	for _, count := range []int{2, 5, 20, 60, 200} {
		kind := func(name string, line func(i int) string) { packets[fmt.Sprint(name, " ", count)] = day(count, line) }
		kind("ssh logins", func(i int) string {
			return fmt.Sprintf("srv-%d | sshd | @Accepted publickey for %s from 10.0.%d.%d port %d ssh2: ED25519 SHA256:x%d@ | auth_log", i%4, user(i), i%6, 10+i%6, 40000+i, i%6)
		})
		kind("web browsing", func(i int) string {
			site := []string{"142.250.185.78", "151.101.1.69", "185.199.108.153", "104.16.132.229"}[i%4]
			return fmt.Sprintf("ws-%d -> %s | flow | {@dport@:443,@bytes_out@:%d,@bytes_in@:%d} | netflow", i%9, site, 4000+i*373%15000, 18000+i*7919%900000)
		})
		kind("saved files", func(i int) string {
			return fmt.Sprintf("ws-%d | file_write | {@image@:@C:/Program Files/Microsoft Office/root/Office16/WINWORD.EXE@,@path@:@C:/Users/%s/Documents/report-%d.docx@} | process_list", i%9, user(i), i)
		})
		kind("backups", func(i int) string {
			return fmt.Sprintf("fs-%d | backup_job | {@job@:@nightly-%d@,@account@:@svc-veeam@,@state@:@success@,@bytes@:%d}", i%5, i, 900000000+i*77777777)
		})
		kind("updates", func(i int) string {
			if i%2 == 0 {
				return fmt.Sprintf("web-%d | dpkg.log | @upgrade openssl:amd64 3.0.%d 3.0.%d@", i%7, i, i+1)
			}
			return fmt.Sprintf("ws-%d | new_process | {@image@:@C:/Windows/System32/wuauclt.exe@,@CommandLine@:@wuauclt /detectnow@,@user@:@SYSTEM@} | process_list", i%7)
		})
		kind("admin in a window", func(i int) string {
			if i == 0 {
				return "srv-1 | maintenance_window | @remote access by adm-k, CHG-4711, approved, 00:00-23:59@ | manual"
			}
			return "srv-1 | logon | {@LogonType@:10,@user@:@adm-k@,@from@:@paw-3@} | auth_log"
		})
		kind("scheduled tasks", func(i int) string {
			return fmt.Sprintf("app-%d | cron | @(%s) CMD (/usr/local/bin/rotate-reports --day %d)@", i%3, user(i), i%31)
		})
		kind("vpn", func(i int) string {
			return fmt.Sprintf("vpn-1 | session_start | {@user@:@%s@,@country@:@DE@,@mfa@:@ok@,@client@:@AnyConnect 5.1@,@result@:@success@} | auth_log", user(i))
		})
		kind("dns", func(i int) string {
			name := []string{"www.wikipedia.org", "outlook.office365.com", "ocsp.digicert.com", "time.windows.com", "intranet.corp.example"}[i%5]
			return fmt.Sprintf("ws-%d | query | {@qname@:@%s@,@qtype@:@A@,@rcode@:@NOERROR@} | dns_log", i%11, name)
		})
		kind("mail", func(i int) string {
			return fmt.Sprintf("mx-1 | delivered | {@from@:@%s.corp.example@,@to@:@partner%d.example.org@,@size@:%d,@dkim@:@pass@}", user(i), i%8, 4000+i*311)
		})
	}
	maps.Copy(packets, ordinaryRecords())
	packets["backup and its snapshots"] = []string{
		"22:00 | fs-1 | backup_job | {@account@:@svc-veeam@,@state@:@success@,@schedule@:@nightly@}",
		"22:05 | fs-1 | cmd | {@args@:@vssadmin delete shadows /for=D: /oldest@,@user@:@svc-veeam@} | process_list",
		"22:10 | fs-1 -> bk-1 | bytes_out | 91340221440 | netflow",
	}
	packets["a wrong password"] = []string{
		"09:00 | ws-7 | logon | {@user@:@anna@,@ip@:@10.0.0.7@,@result@:@failed@,@EventID@:4625} | auth_log",
		"09:01 | ws-7 | logon | {@user@:@anna@,@ip@:@10.0.0.7@,@result@:@success@,@EventID@:4624,@LogonType@:2} | auth_log",
	}
	packets["a scan of viruses"] = []string{
		"12:00 | ws-7 | antivirus_scan | {@product@:@Defender@,@threats_found@:0,@result@:@no mimikatz, no web shell and no ransom note found@}",
		"12:30 | ws-7 | signature_update | @1.401.22.0@",
	}
	packets["a domain controller built as ordered"] = []string{
		covers()["approved-change"][1], covers()["approved-change"][0],
		"10:20 | dc-2 -> dc-9 | bytes_out | 7340221440 | netflow", "10:40 | dc-9 | directory_event | @promoted from media@",
	}
	packets["office and mail in the same hour"] = append(day(30, func(i int) string {
		return fmt.Sprintf("ws-%d | process_start | {@image@:@C:/Program Files/App%d/app.exe@,@signed@:true,@user@:@%s@} | process_list", i%5, i%6, user(i))
	}), "17:30 | mx-1 | delivered | {@attachment@:@invoice-2026.pdf@,@spam@:false}")
	return packets
}

// ordinaryRecords are packets of records of logs, as an administrator's day leaves them. Some have suspicious findings.
func ordinaryRecords() map[string][]string {
	each := func(count int, of func(i int) []string) []string { return slices.Concat(repeated(count, of)...) }
	clock := func(i int) string { return fmt.Sprintf("%02d:%02d:%02d", 8+i/60%9, i%60, i%7) }
	return map[string][]string{
		"records: logons with typing errors": each(120, func(i int) []string {
			event := "accepted logon"
			if i%9 == 0 {
				event = "failed logon"
			}
			return record(clock(i), i, "event", event, "program", "sshd", "host", fmt.Sprintf("web-%d", i%3),
				"account", fmt.Sprintf("user%d", i%14), "address", fmt.Sprintf("10.0.0.%d", i%14), "method", "password")
		}),
		"records: Windows logons": each(100, func(i int) []string {
			kind, id := "4624 logon", "4624"
			if i%11 == 0 {
				kind, id = "4625 failed logon", "4625"
			}
			return record(clock(i), i, "kind", kind, "event_id", id, "provider", "Microsoft-Windows-Security-Auditing", "computer", "ws-7",
				"account", fmt.Sprintf(`CORP\\user%d`, i%8), "LogonType", "3", "IpAddress", fmt.Sprintf("10.0.0.%d", i%8))
		}),
		"records: processes": each(80, func(i int) []string {
			return record(clock(i), i, "kind", "4688 process created", "event_id", "4688", "computer", "ws-7", "account", `CORP\\anna`,
				"NewProcessName", `C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
				"CommandLine", fmt.Sprintf("powershell.exe -File report-%d.ps1", i))
		}),
		"records: PowerShell of a module": each(40, func(i int) []string {
			return record(clock(i), i, "kind", "4104 PowerShell script", "event_id", "4104", "computer", "ws-7",
				"ScriptBlockText", "function Get-Disk { param($Name) Get-CimInstance -Class MSFT_Disk -Filter $Name }")
		}),
		"records: antivirus looks at lsass": each(20, func(i int) []string {
			return record(clock(i), i, "kind", "10 sysmon process opened", "computer", "ws-7",
				"SourceImage", `C:\\ProgramData\\Microsoft\\Windows Defender\\Platform\\4.18\\MsMpEng.exe`,
				"TargetImage", `C:\\Windows\\System32\\lsass.exe`, "GrantedAccess", "0x1010")
		}),
		"records: the system asks lsass": each(20, func(i int) []string {
			return record(clock(i), i, "kind", "10 sysmon process opened", "computer", "ws-7", "SourceImage", `C:\\Windows\\System32\\svchost.exe`,
				"TargetImage", `C:\\Windows\\System32\\lsass.exe`, "GrantedAccess", "0x1400")
		}),
		"records: another log has an event 1102": record("10:00", 1, "kind", "1102 Contoso Backup", "event_id", "1102", "provider", "Contoso Backup", "computer", "ws-7"),
		"records: services, tasks and accounts of a setup": slices.Concat(
			record("10:00", 1, "kind", "7045 service installed", "event_id", "7045", "provider", "Service Control Manager", "computer", "ws-7",
				"ServiceName", "PrinterHelper", "ImagePath", `C:\\Program Files\\Printer\\helper.exe`),
			record("10:01", 2, "kind", "4698 scheduled task created", "event_id", "4698", "provider", "Microsoft-Windows-Security-Auditing", "computer", "ws-7",
				"account", `CORP\\adm-k`, "TaskName", `\\Printer\\Update`),
			record("10:02", 3, "kind", "4720 account created", "event_id", "4720", "provider", "Microsoft-Windows-Security-Auditing", "computer", "dc-1",
				"account", `CORP\\adm-k`, "TargetUserName", "svc-print", "TargetSid", "S-1-5-21-7-2001"),
			record("10:03", 4, "kind", "4732 member added to a local group", "event_id", "4732", "provider", "Microsoft-Windows-Security-Auditing", "computer", "dc-1",
				"account", `CORP\\adm-k`, "TargetUserName", "Administrators", "MemberSid", "S-1-5-21-7-2001")),
		"records: sudo and cron": each(60, func(i int) []string {
			if i%2 == 0 {
				return record(clock(i), i, "event", "command", "program", "CRON", "host", "web-1", "account", "root", "command_line", "/usr/lib/update-notifier/update-motd")
			}
			return record(clock(i), i, "event", "command", "program", "sudo", "host", "web-1", "account", "anna", "command_line", "/usr/bin/systemctl restart nginx")
		}),
		"records: flows of a day": each(200, func(i int) []string {
			return record(clock(i), i, "connection", fmt.Sprintf("10.0.0.%d:%d -> 151.101.1.69:443", 4+i%9, 40000+i), "bytes", fmt.Sprint(4000+i*7919%900000), "protocol", "tcp")
		}),
	}
}

// Built-in rules confirm a threat in no packet of ordinary activity, under no judge; and the same
// facts always give the same findings.
func TestOrdinaryActivityIsNoThreat(t *testing.T) {
	packets := ordinary()
	if len(packets) < 40 {
		t.Fatalf("there are %d packets", len(packets))
	}
	rules := security(t)
	for name, lines := range packets {
		p := packetOf(t, lines...)
		c := rules.Find(p)
		a, s := c.Confidence(judge.Architect), c.Confidence(judge.Skeptic)
		for _, version := range judge.Versions() {
			v, err := judge.Judge(version, judge.Side{Confidence: a}, judge.Side{Confidence: s})
			if err != nil {
				t.Fatal(err)
			}
			if v.Outcome == judge.Confirmed {
				t.Errorf("%s is CONFIRMED by %s: %+v", name, version, c.Findings)
			}
		}
		if strings.HasPrefix(name, "records: ") {
			continue
		}
		if len(c.Left(domain.Conclusive))+len(c.Left(domain.Suspicious)) > 0 {
			t.Errorf("%s has a finding without a cover: %+v", name, slices.Concat(c.Left(domain.Conclusive), c.Left(domain.Suspicious)))
		}
	}
}

// BenchmarkFind applies the rules to a packet of 50,000 facts, the fields of 6,250 records.
func BenchmarkFind(b *testing.B) {
	var lines []string
	for i := range 6250 {
		event := "accepted logon"
		if i%3 == 0 {
			event = "failed logon"
		}
		at := fmt.Sprintf("%02d:%02d:%02d", i/3600, i/60%60, i%60)
		lines = append(lines, record(at, i, "event", event, "program", "sshd", "host", fmt.Sprintf("web-%d", i%3), "account",
			fmt.Sprintf("user%d", i%14), "address", fmt.Sprintf("203.0.113.%d", i%200), "method", "password", "pid", "17", "source_port", "4000")...)
	}
	p, rules := packetOf(b, lines...), security(b)
	b.ReportAllocs()
	for b.Loop() {
		rules.Find(p)
	}
}
