package syslog_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/hearing/domain"
	"moot/research/extract"
	"moot/research/extract/syslog"
)

// written is when the files of these tests were last written.
var written = time.Date(2026, time.November, 20, 9, 0, 0, 0, time.UTC)

// readAs reads a text with the form that recognizes it, and returns the records and what was lost.
func readAs(t testing.TB, text string, modified time.Time) (records []extract.Record, lost []string) {
	t.Helper()
	for _, form := range syslog.Forms() {
		if !form.Recognize([]byte(text[:min(len(text), extract.HeadSize)])) {
			continue
		}
		file := &extract.File{Name: "log", ReaderAt: strings.NewReader(text), Size: int64(len(text)), Modified: modified}
		err := form.Read(context.Background(), file, extract.Sink{
			Record: func(r extract.Record) error {
				records = append(records, r)
				return nil
			},
			Lost: func(place string, n int, what string) {
				lost = append(lost, fmt.Sprintf("%s (%d): %s", place, n, what))
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return records, lost
	}
	t.Fatalf("nothing recognizes %.200q", text)
	return nil, nil
}

// fieldsOf shows the fields of a record in their order.
func fieldsOf(r *extract.Record) string {
	var b strings.Builder
	for _, f := range r.Fields {
		if text, is := f.Value.Text(); is {
			fmt.Fprintf(&b, "%s=%s; ", f.Name, text)
		} else {
			fmt.Fprintf(&b, "%s=%s; ", f.Name, f.Value)
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	const program = "program=app; pid=7; "
	for _, c := range []struct{ line, at, assumed, fields string }{
		{"Nov  3 10:04:11 web app[7]: up", "2026-11-03T10:04:11Z", "the year and the zone", "host=web; " + program + "message=up"},
		{"<34>Nov  3 10:04:11 web app[7]: up", "2026-11-03T10:04:11Z", "the year and the zone", "host=web; " + program + "facility=auth; severity=crit; message=up"},
		{"<189>Nov 03 2025 10:04:11: %ASA-6-302013: Built outbound", "2025-11-03T10:04:11Z", "the zone", "program=%ASA-6-302013; facility=local7; severity=notice; message=Built outbound"},
		{"Nov 03 10:04:11.123456 web app[7]: up", "2026-11-03T10:04:11.123456Z", "the year and the zone", "host=web; " + program + "message=up"},
		{"2026-11-03T10:04:11.123456+01:00 web app[7]: up", "2026-11-03T09:04:11.123456Z", "", "host=web; " + program + "message=up"},
		{"2026-11-03T10:04:11-0330 web app[7]: up", "2026-11-03T13:34:11Z", "", "host=web; " + program + "message=up"},
		{"2026-11-03T23:59:60Z web app[7]: leap", "2026-11-04T00:00:00Z", "", "host=web; " + program + "message=leap"},
		{"Tue 2026-11-03 10:04:11 CET web app[7]: up", "2026-11-03T09:04:11Z", "", "host=web; " + program + "message=up"},
		{"Tue 2026-11-03 10:04:11.5 XYZ web app[7]: up", "2026-11-03T10:04:11.5Z", "the zone", "host=web; " + program + "message=up"},
		{"1793700251.000042 web app[7]: up", "2026-11-03T10:04:11.000042Z", "", "host=web; " + program + "message=up"},
		{"<165>1 2026-11-03T10:04:11.003Z web app 7 ID47 [origin@32473 ip=\"192.0.2.1\" note=\"a\\]b\"] \ufeffup", "2026-11-03T10:04:11.003Z", "", "host=web; " + program + "facility=local4; severity=notice; message=up; message_id=ID47; origin@32473.ip=192.0.2.1; origin@32473.note=a]b"},
		{"<165>1 - web app 7 - - up", "2026-11-20T09:00:00Z", "the date and the hour", "host=web; " + program + "facility=local4; severity=notice; message=up"},
		{"<13>2026-11-03T10:04:11Z web kernel: [   12.3] usb", "2026-11-03T10:04:11Z", "", "host=web; program=kernel; facility=user; severity=notice; message=[   12.3] usb"},
	} {
		records, lost := readAs(t, c.line+"\n", written)
		if len(records) != 1 || len(lost) > 0 {
			t.Errorf("%s: %d records, lost %q", c.line, len(records), lost)
			continue
		}
		r := &records[0]
		if got := r.At.Format(time.RFC3339Nano); got != c.at || r.Assumed != c.assumed || fieldsOf(r) != c.fields || r.Raw != c.line {
			t.Errorf("%s:\n got %s, assumed %q: %s\nwant %s, assumed %q: %s", c.line, got, r.Assumed, fieldsOf(r), c.at, c.assumed, c.fields)
		}
	}
}

// Each message that is understood has its parts as fields, and only one line of an attempt is a failure.
func TestEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ program, text, fields string }{
		{"sshd", "Accepted publickey for anna from 10.0.4.2 port 50122 ssh2: ED25519 SHA256:abc", "event=sshd accepted logon; outcome=success; account=anna; address=10.0.4.2; key=ED25519 SHA256:abc; method=publickey; source_port=50122"},
		{"sshd-session", "Accepted password for anna from 2001:db8::7 port 50122 ssh2", "event=sshd accepted logon; outcome=success; account=anna; address=2001:db8::7; method=password; source_port=50122"},
		{"sshd", "Failed password for root from 203.0.113.9 port 4022 ssh2", "event=sshd failed logon; outcome=failure; account=root; address=203.0.113.9; method=password; source_port=4022"},
		{"sshd", "Failed password for invalid user x from 10.0.0.1 port 1 ssh2 from 203.0.113.9 port 4022 ssh2", "event=sshd failed logon; outcome=failure; account=x from 10.0.0.1 port 1 ssh2; address=203.0.113.9; method=password; source_port=4022; unknown_user=true"},
		{"sshd", "message repeated 5 times: [ Failed password for root from 203.0.113.9 port 4022 ssh2]", "event=sshd failed logon; outcome=failure; account=root; address=203.0.113.9; method=password; source_port=4022; count=5"},
		{"sshd", "Failed none for invalid user pi from 203.0.113.9 port 4022 ssh2", "event=sshd logon without a method refused; account=pi; address=203.0.113.9; source_port=4022; unknown_user=true"},
		{"sshd", "Failed publickey for anna from 10.0.4.2 port 4022 ssh2: RSA SHA256:abc", "event=sshd key refused; account=anna; address=10.0.4.2; key=RSA SHA256:abc; method=publickey; source_port=4022"},
		{"sshd", "Failed keyboard-interactive/pam for anna from 10.0.4.2 port 4022 ssh2", "event=sshd failed logon; outcome=failure; account=anna; address=10.0.4.2; method=keyboard-interactive/pam; source_port=4022"},
		{"sshd", "Invalid user  from 203.0.113.9 port 4022", "event=sshd unknown user; address=203.0.113.9; source_port=4022; unknown_user=true"},
		{"sshd", "Invalid user pi from 203.0.113.9", "event=sshd unknown user; account=pi; address=203.0.113.9; unknown_user=true"},
		{"sshd", "Disconnected from authenticating user root 203.0.113.9 port 4022 [preauth]", "event=sshd disconnected; account=root; address=203.0.113.9; source_port=4022"},
		{"sshd", "Disconnected from user anna 10.0.4.2 port 4022", "event=sshd disconnected; account=anna; address=10.0.4.2; source_port=4022"},
		{"sshd", "Received disconnect from 203.0.113.9 port 4022:11: Bye Bye [preauth]", "event=sshd disconnected; address=203.0.113.9; code=11; reason=Bye Bye; source_port=4022"},
		{"sshd", "Received disconnect from 203.0.113.9: 11: Bye Bye", "event=sshd disconnected; address=203.0.113.9; code=11; reason=Bye Bye"},
		{"sshd", "Connection closed by invalid user pi 203.0.113.9 port 4022 [preauth]", "event=sshd connection closed; account=pi; address=203.0.113.9; source_port=4022; unknown_user=true"},
		{"sshd", "Connection closed by 203.0.113.9 port 4022 [preauth]", "event=sshd connection closed; address=203.0.113.9; source_port=4022"},
		{"sshd", "Connection reset by 203.0.113.9 port 4022", "event=sshd connection reset; address=203.0.113.9; source_port=4022"},
		{"sshd", "error: maximum authentication attempts exceeded for invalid user pi from 203.0.113.9 port 4022 ssh2 [preauth]", "event=sshd too many attempts; account=pi; address=203.0.113.9; source_port=4022; unknown_user=true"},
		{"sshd", "Disconnecting authenticating user root 203.0.113.9 port 4022: Too many authentication failures [preauth]", "event=sshd disconnecting; account=root; address=203.0.113.9; reason=Too many authentication failures; source_port=4022"},
		{"sshd", "error: PAM: Authentication failure for root from 203.0.113.9", "event=sshd PAM refused; account=root; address=203.0.113.9"},
		{"sshd", "pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=203.0.113.9  user=root", "event=sshd PAM refused; account=root; address=203.0.113.9; service=sshd; terminal=ssh"},
		{"sshd", "PAM 2 more authentication failures; logname= uid=0 euid=0 tty=ssh ruser= rhost=203.0.113.9  user=root", "event=sshd PAM refused; account=root; address=203.0.113.9; terminal=ssh"},
		{"sshd", "pam_unix(sshd:session): session opened for user anna(uid=1000) by (uid=0)", "event=sshd session opened; account=anna; service=sshd"},
		{"sshd", "pam_unix(sshd:session): session closed for user anna", "event=sshd session closed; account=anna; service=sshd"},
		{"sshd", "User bo from 203.0.113.9 not allowed because not listed in AllowUsers", "event=sshd account not allowed; account=bo; address=203.0.113.9; reason=not listed in AllowUsers"},
		{"sshd", "Server listening on 0.0.0.0 port 22.", "message=Server listening on 0.0.0.0 port 22."},
		{"vsftpd", "pam_unix(vsftpd:auth): authentication failure; logname= uid=0 euid=0 tty=ftp ruser=bo rhost=203.0.113.9  user=bo", "event=vsftpd authentication; outcome=failure; account=bo; address=203.0.113.9; service=vsftpd; terminal=ftp"},
		{"sudo", "  anna : TTY=pts/0 ; PWD=/home/anna ; USER=root ; COMMAND=/usr/bin/apt update", "event=sudo command; account=anna; command_line=/usr/bin/apt update; folder=/home/anna; target=root; terminal=pts/0"},
		{"sudo", "anna : user NOT in sudoers ; TTY=pts/1 ; PWD=/ ; USER=root ; COMMAND=/bin/bash", "event=sudo command refused; account=anna; command_line=/bin/bash; folder=/; reason=user NOT in sudoers; target=root; terminal=pts/1"},
		{"sudo", "anna : 3 incorrect password attempts ; TTY=pts/1 ; PWD=/ ; USER=root ; COMMAND=/bin/sh -c a ; COMMAND=b", "event=sudo command refused; account=anna; command_line=/bin/sh -c a ; COMMAND=b; folder=/; reason=3 incorrect password attempts; target=root; terminal=pts/1"},
		{"sudo", "pam_unix(sudo:auth): authentication failure; logname=anna uid=1000 euid=0 tty=/dev/pts/0 ruser=anna rhost=  user=anna", "event=sudo authentication; outcome=failure; account=anna; service=sudo; terminal=/dev/pts/0"},
		{"sudo", "pam_unix(sudo:session): session opened for user root(uid=0) by anna(uid=1000)", "event=sudo session opened; account=anna; service=sudo; target=root"},
		{"su", "(to root) anna on pts/0", "event=su switched account; outcome=success; account=anna; target=root; terminal=pts/0"},
		{"su", "FAILED SU (to root) anna on pts/0", "event=su switch of account; outcome=failure; account=anna; target=root; terminal=pts/0"},
		{"su", "- /dev/pts/0 anna:root", "event=su switch of account; outcome=failure; account=anna; target=root; terminal=/dev/pts/0"},
		{"su", "'su root' failed for anna on /dev/pts/8", "event=su switch of account; outcome=failure; account=anna; target=root; terminal=/dev/pts/8"},
		{"su-l", "pam_unix(su-l:auth): authentication failure; logname=anna uid=1000 euid=0 tty=pts/0 ruser=anna rhost=  user=root", "event=su authentication; outcome=failure; account=anna; service=su-l; target=root; terminal=pts/0"},
		{"su(pam_unix)", "session opened for user root by anna(uid=500)", "event=su session opened; account=anna; service=su; target=root"},
		{"CRON", "(root) CMD (   cd / && run-parts --report /etc/cron.hourly)", "event=cron command; account=root; command_line=cd / && run-parts --report /etc/cron.hourly"},
		{"crontab", "(anna) REPLACE (anna)", "event=cron table; account=anna; action=REPLACE; detail=anna"},
		{"CRON", "pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)", "event=cron session opened; account=root; service=cron"},
		{"useradd", "new user: name=bo, UID=1001, GID=1001, home=/home/bo, shell=/bin/bash, from=/dev/pts/0", "event=useradd new account; folder=/home/bo; number=1001; shell=/bin/bash; target=bo; terminal=/dev/pts/0"},
		{"usermod", "add 'bo' to group 'sudo'", "event=usermod member added to a group; group=sudo; target=bo"},
		{"groupadd", "new group: name=dev, GID=1002", "event=groupadd new group; group=dev; number=1002"},
		{"passwd", "pam_unix(passwd:chauthtok): password changed for bo", "event=passwd password changed; account=bo; service=passwd"},
		{"systemd-logind", "New session 12 of user anna.", "event=systemd-logind new session; account=anna; session=12"},
		{"systemd-logind", "New session '12' of user 'anna' with class 'user' and type 'tty'.", "event=systemd-logind new session; account=anna; class=user; session=12; type=tty"},
		{"systemd-logind", "Session 12 logged out. Waiting for processes to exit.", "event=systemd-logind session ended; session=12"},
		{"login", "FAILED LOGIN (1) on '/dev/tty1' FOR 'root', Authentication failure", "event=login logon; outcome=failure; account=root; attempt=1; reason=Authentication failure; terminal=/dev/tty1"},
	} {
		records, lost := readAs(t, fmt.Sprintf("Nov  3 10:04:11 web %s[7]: %s\n", c.program, c.text), written)
		if len(records) != 1 || len(lost) > 0 {
			t.Errorf("%s: %d records, lost %q", c.text, len(records), lost)
			continue
		}
		_, got, _ := strings.Cut(fieldsOf(&records[0]), "pid=7; ")
		if got != c.fields {
			t.Errorf("%s: %s:\n got %s\nwant %s", c.program, c.text, got, c.fields)
		}
	}
}

// Times without a year are of the last year in which they are not after the file's own time, and a line of January after
// one of December is of the next year.
func TestYears(t *testing.T) {
	t.Parallel()
	january := time.Date(2027, time.January, 10, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		modified time.Time
		stamps   string
		want     string
	}{
		"december in a file of january":       {january, "Dec 30,Dec 31,Jan  1,Jan  2", "2026-12-30 2026-12-31 2027-01-01 2027-01-02"},
		"only december in a file of january":  {january, "Dec 30,Dec 31", "2026-12-30 2026-12-31"},
		"out of order at new year":            {january, "Dec 31,Jan  1,Dec 31,Jan  1", "2026-12-31 2027-01-01 2026-12-31 2027-01-01"},
		"two years":                           {january, "Dec 31,May  1,Sep  1,Jan  2,May  1,Sep  1,Jan  2", "2024-12-31 2025-05-01 2025-09-01 2026-01-02 2026-05-01 2026-09-01 2027-01-02"},
		"a later file before an earlier one":  {written, "Nov 14,Nov 18,Nov  7,Nov 13", "2026-11-14 2026-11-18 2026-11-07 2026-11-13"},
		"February 29 in a file of 2026":       {written, "Feb 28,Feb 29,Mar  1", "2024-02-28 2024-02-29 2024-03-01"},
		"a day after the file's, other clock": {written, "Nov 20,Nov 21", "2026-11-20 2026-11-21"},
	} {
		var text strings.Builder
		for stamp := range strings.SplitSeq(c.stamps, ",") {
			text.WriteString(stamp + " 00:00:01 web app[7]: up\n")
		}
		records, lost := readAs(t, text.String(), c.modified)
		var got []string
		for i := range records {
			got = append(got, records[i].At.Format("2006-01-02"))
		}
		if strings.Join(got, " ") != c.want || len(lost) > 0 {
			t.Errorf("%s: got %v, lost %q, want %s", name, got, lost, c.want)
		}
	}
}

func TestJournal(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		`{"__REALTIME_TIMESTAMP":"1793700251000042","_SOURCE_REALTIME_TIMESTAMP":"1793700250999999","_HOSTNAME":"web","SYSLOG_IDENTIFIER":"sshd","_PID":"7","PRIORITY":"6","SYSLOG_FACILITY":"4","_SYSTEMD_UNIT":"ssh.service","MESSAGE":"Failed password for root from 203.0.113.9 port 4022 ssh2"}`,
		`{"__REALTIME_TIMESTAMP":"1793700251000042","_COMM":"app","MESSAGE":[104,27,91,49,109,105],"UNIT":["a","b"],"_UID":"0"}`,
		`{"__REALTIME_TIMESTAMP":"1793700251000042","_COMM":"app","MESSAGE":null}`,
		`{"__REALTIME_TIMESTAMP":"1793700251000042","_COMM":"app","MESSAGE":["one",[116,119,111]]}`,
		`{"MESSAGE":"no time"}`,
		`{"__REALTIME_TIMESTAMP":"1793700251`,
	}, "\n")
	records, lost := readAs(t, text, written)
	want := []string{
		"2026-11-03T10:04:10.999999Z host=web; program=sshd; pid=7; facility=auth; severity=info; event=sshd failed logon; outcome=failure; account=root; address=203.0.113.9; method=password; source_port=4022; unit=ssh.service",
		"2026-11-03T10:04:11.000042Z program=app; message=h\x1b[1mi; journal.unit=a\nb",
		"2026-11-03T10:04:11.000042Z program=app; message=null",
		"2026-11-03T10:04:11.000042Z program=app; message=one\ntwo",
	}
	var got []string
	for i := range records {
		got = append(got, records[i].At.Format(time.RFC3339Nano)+" "+fieldsOf(&records[i]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := []string{"line 5 (1): it has no time: no __REALTIME_TIMESTAMP", "line 6 (1): the JSON ends before the object does"}; !slices.Equal(lost, want) {
		t.Errorf("lost %q, want %q", lost, want)
	}
}

// What a record has no room for is counted.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	var entry, data strings.Builder
	for i := range 50 {
		fmt.Fprintf(&entry, `,"NAME%02d":"x"`, i)
		fmt.Fprintf(&data, ` n%02d="x"`, i)
	}
	for name, text := range map[string]string{
		"journal": `{"__REALTIME_TIMESTAMP":"1793700251000042","MESSAGE":"up"` + entry.String() + "}",
		"RFC5424": "<165>1 2026-11-03T10:04:11Z web app 7 - [a" + data.String() + "] up",
	} {
		records, _ := readAs(t, text, written)
		if len(records) != 1 || value(&records[0], "left_out") != "10 other values" {
			t.Errorf("%s: %+v", name, records)
		}
	}
}

// Lines that are no messages are lost with their places; an indented line continues the message before it.
func TestOtherLines(t *testing.T) {
	t.Parallel()
	records, lost := readAs(t, strings.Join([]string{
		"-- Boot 3c6a --", "Nov  3 10:04:11 web app[7]: it failed:", "   at main", "\tat start", "caused by", "   a thing",
		"Nov  3 10:04:12 web app[7]: up", strings.Repeat("x", extract.Longest+10), "Nov 31 10:04:13 web app[7]: never",
		"<999>Nov  3 10:04:14 web app[7]: never", "Nov  3 10:04:15 web last message repeated 3 times", "Nov  3 10:04:16 web -- MARK --",
	}, "\n"), written)
	var got []string
	for i := range records {
		got = append(got, records[i].Place+": "+fieldsOf(&records[i]))
	}
	want := []string{
		"2: host=web; program=app; pid=7; message=it failed:\nat main\nat start", "7: host=web; program=app; pid=7; message=up",
		"11: host=web; program=app; pid=7; message=message repeated 3 times: [ up]", "12: host=web; message=-- MARK --",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	const noTime = "it does not begin with a time of syslog"
	wantLost := []string{
		"lines 5 to 6 (2): " + noTime, "line 8 (1): it is longer than 1048576 bytes", "line 9 (1): there is no such time",
		"line 10 (1): its priority is above 191",
	}
	slices.Sort(lost)
	slices.Sort(wantLost)
	if !slices.Equal(lost, wantLost) {
		t.Errorf("lost %q\nwant %q", lost, wantLost)
	}
}

// Messages with their length before them are read, also with line feeds in them, and a wrong length does not end the reading.
func TestFrames(t *testing.T) {
	t.Parallel()
	frame := func(text string) string { return strconv.Itoa(len(text)) + " " + text }
	first, second := frame("<34>1 2026-11-03T10:04:11Z web app 7 - - two\nlines"), frame("<34>Nov  3 10:04:12 web app[7]: up")
	records, lost := readAs(t, first+second+"99 <34>broken"+second+first, written)
	var got []string
	for i := range records {
		_, text, _ := strings.Cut(fieldsOf(&records[i]), "message=")
		got = append(got, records[i].Place+": "+text)
	}
	if want := []string{"1: two\nlines", "2: up", "3: up", "4: two\nlines"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(lost) != 1 || !strings.HasPrefix(lost[0], fmt.Sprintf("bytes %d to %d", len(first+second), len(first+second)+12)) {
		t.Errorf("lost %q", lost)
	}
	large := strings.Repeat(first, 3*extract.Longest/len(first))
	if records, lost := readAs(t, large, written); len(records) != len(large)/len(first) || len(lost) > 0 {
		t.Errorf("%d of %d records of a large file, lost %q", len(records), len(large)/len(first), lost)
	}
}

// Other files are not syslog.
func TestNotRecognized(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":              "",
		"prose":              "On Nov  3 10:04:11 the host said hello.\nNobody knows why.\n",
		"an application":     "2026-11-03T10:04:11Z INFO main: started\n2026-11-03T10:04:12Z ERROR db: down\n",
		"another":            "2026-11-03T10:04:11Z server listening: port 80\n",
		"a table":            "time,host,text\n2026-11-03,web,up\n",
		"JSON":               `{"time":"2026-11-03T10:04:11Z","msg":"up"}` + "\n",
		"few syslog lines":   strings.Repeat("other\n", 9) + "Nov  3 10:04:11 web app[7]: up\n",
		"binary":             "Nov  3 10:04:11 web app[7]: up\n\x00\x01",
		"a web server's log": `10.0.0.4 - - [03/Nov/2026:10:04:11 +0000] "GET / HTTP/1.1" 200 5` + "\n",
	} {
		for _, form := range syslog.Forms() {
			if form.Recognize([]byte(text)) {
				t.Errorf("%s is %s", name, form.Name)
			}
		}
	}
}

// rsyslog wrote 60 messages in three forms, and journalctl wrote them in six: what they say is the same.
func TestSameInEachForm(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*")
	if err != nil || len(names) != 9 {
		t.Fatalf("%q, %v", names, err)
	}
	said := func(r *extract.Record) string {
		var parts []string
		for _, f := range r.Fields {
			if f.Name == "facility" || f.Name == "severity" || strings.HasPrefix(f.Name, "journal.") {
				continue
			}
			text, _ := f.Value.Text()
			text = strings.TrimSuffix(text, "\nand a second line")
			if f.Name == "program" {
				text = strings.TrimSuffix(text, "/smtpd") // A name in RFC 5424 ends at the slash for rsyslog.
			}
			parts = append(parts, f.Name+"="+cmp.Or(text, f.Value.String()))
		}
		return strings.Join(parts, "; ")
	}
	var want []string
	seen := map[string]int{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		records, lost := readAs(t, string(text), time.Date(2026, time.November, 30, 0, 0, 0, 0, time.UTC))
		var got []string
		for i := range records {
			got = append(got, said(&records[i]))
			seen[value(&records[i], "event")]++
			if i > 0 && (records[i].At.Before(records[i-1].At) || records[i].At.Sub(records[i-1].At) > 2*time.Second) {
				t.Errorf("%s: record %d is at %v", name, i, records[i].At)
			}
		}
		if want == nil {
			want = got
		}
		if len(got) != 60 || len(lost) > 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %d records, lost %q", name, len(got), lost)
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("got  %s\nwant %s", got[i], want[i])
				}
			}
		}
	}
	for _, event := range []string{"sshd failed logon", "sshd accepted logon", "sshd unknown user", "sudo command", "cron command", "su session opened"} {
		if seen[event] != 54 {
			t.Errorf("%d of %s", seen[event], event)
		}
	}
}

// value returns a field as text, or "".
func value(r *extract.Record, name string) string {
	for _, f := range r.Fields {
		if f.Name == name {
			text, _ := f.Value.Text()
			return text
		}
	}
	return ""
}

// packetOf makes a packet with a fact for each field, whose entity is the event.
func packetOf(t *testing.T, records []extract.Record) *ledger.Packet {
	t.Helper()
	at := func(r extract.Record) int64 { return r.At.UnixNano() }
	byTime := func(a, b extract.Record) int { return cmp.Compare(at(a), at(b)) }
	packet, err := ledger.NewPacket("night", slices.MinFunc(records, byTime).At, slices.MaxFunc(records, byTime).At)
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		for _, f := range records[i].Fields {
			entity := "log:" + records[i].Place
			if err := packet.Add(ledger.PacketFact{
				ID: entity + ":" + f.Name, Entity: entity, EntityType: ledger.EntityNode, Field: f.Name, Value: f.Value,
				At: records[i].At, SourceType: records[i].Source, SourceID: "log",
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	return packet
}

// attempt returns the lines that sshd and PAM write about a wrong password.
func attempt(minute int, account, address string) string {
	var b strings.Builder
	for _, text := range []string{
		"pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=%[3]s  user=%[2]s",
		"Failed password for %[2]s from %[3]s port 4022 ssh2", "Connection closed by authenticating user %[2]s %[3]s port 4022 [preauth]",
	} {
		fmt.Fprintf(&b, "Nov  3 10:%02d:11 10.0.0.5 sshd[7]: "+text+"\n", minute, account, address)
	}
	return b.String()
}

func accepted(minute int, account, address string) string {
	return fmt.Sprintf("Nov  3 10:%02d:11 10.0.0.5 sshd[7]: Accepted password for %s from %s port 4022 ssh2\n", minute, account, address) +
		fmt.Sprintf("Nov  3 10:%02d:11 10.0.0.5 sshd[7]: pam_unix(sshd:session): session opened for user %s(uid=1000) by (uid=0)\n", minute, account)
}

// The relation over failures and a success sees a burst in a real log, and neither wrong passwords as they happen nor
// an accepted logon of another address or account.
func TestGuessedPassword(t *testing.T) {
	t.Parallel()
	d, err := domain.BuiltIn(domain.BuiltInName)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := domain.Of(&d)
	if err != nil {
		t.Fatal(err)
	}
	failed := func(n int, account, address string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(attempt(i, account, address))
		}
		return b.String()
	}
	var ordinary strings.Builder
	for hour := range 12 {
		for _, text := range []string{
			"CRON[1]: (root) CMD (   cd / && run-parts --report /etc/cron.hourly)", "CRON[1]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)",
			"sshd[2]: Accepted publickey for dora from 10.0.4.7 port 50122 ssh2: ED25519 SHA256:abc", "sshd[2]: pam_unix(sshd:session): session opened for user dora(uid=1000) by (uid=0)",
			"systemd-logind[1]: New session 4 of user dora.", "sudo:     dora : TTY=pts/0 ; PWD=/home/dora ; USER=root ; COMMAND=/usr/bin/apt upgrade",
			"sudo: pam_unix(sudo:session): session opened for user root(uid=0) by dora(uid=1000)", "su[3]: (to root) dora on pts/0", "su[3]: FAILED SU (to root) erik on pts/1",
			"sshd[4]: Failed password for erik from 10.0.4.8 port 51000 ssh2", "sshd[4]: Accepted password for erik from 10.0.4.8 port 51000 ssh2",
			"sshd[5]: Connection closed by 10.0.4.9 port 51001 [preauth]", "passwd[6]: pam_unix(passwd:chauthtok): password changed for erik",
			"dhclient[7]: bound to 10.0.0.5 -- renewal in 1700 seconds.", "systemd[1]: Started Daily apt upgrade and clean activities.", "kernel: [12345.6] usb 1-1: new device",
		} {
			fmt.Fprintf(&ordinary, "Nov  3 %02d:07:11 10.0.0.5 %s\n", 7+hour, text)
		}
	}
	keys := strings.Repeat("Nov  3 10:01:11 10.0.0.5 sshd[7]: Failed publickey for dora from 203.0.113.9 port 4022 ssh2: RSA SHA256:abc\n", 20)
	for name, c := range map[string]struct {
		text  string
		found bool
	}{
		"a burst, then accepted":   {failed(12, "dora", "203.0.113.9") + accepted(30, "dora", "203.0.113.9"), true},
		"a repeated message":       {strings.Replace(attempt(0, "dora", "203.0.113.9"), "Failed", "message repeated 11 times: [ Failed", 1) + accepted(30, "dora", "203.0.113.9"), false},
		"a whole repeated message": {"Nov  3 10:00:11 10.0.0.5 sshd[7]: message repeated 11 times: [ Failed password for dora from 203.0.113.9 port 4022 ssh2]\n" + accepted(30, "dora", "203.0.113.9"), true},
		"an ordinary day":          {ordinary.String(), false},
		"a few wrong passwords":    {failed(6, "dora", "203.0.113.9") + accepted(30, "dora", "203.0.113.9"), false},
		"keys of an agent":         {keys + accepted(30, "dora", "203.0.113.9"), false},
		"another address":          {failed(12, "dora", "203.0.113.9") + accepted(30, "dora", "198.51.100.4"), false},
		"another account":          {failed(12, "root", "203.0.113.9") + accepted(30, "dora", "203.0.113.9"), false},
		"ordinary logons":          {accepted(1, "dora", "10.0.0.7") + accepted(2, "dora", "10.0.0.7") + accepted(3, "erik", "10.0.0.8"), false},
	} {
		records, _ := readAs(t, c.text, written)
		found := rules.Find(packetOf(t, records)).Findings
		if got := slices.ContainsFunc(found, func(f domain.Finding) bool { return f.Rule == "guessed-password" }); got != c.found {
			t.Errorf("%s: found %+v", name, found)
		}
		if !c.found && len(found) > 0 {
			t.Errorf("%s: found %+v", name, found)
		}
	}
}

// samples are a file of each form.
func samples() []string {
	var traditional, iso, frames, journal strings.Builder
	for i := range 40 {
		text := strings.ReplaceAll(attempt(i, "dora", "203.0.113.9"), "Nov  3", "Nov  4")
		traditional.WriteString(text)
		for line := range strings.Lines(text) {
			message := line[len("Nov  4 10:00:11 10.0.0.5 "):]
			iso.WriteString("2026-11-04T10:00:11.5+01:00 web " + message)
			rfc5424 := "<86>1 2026-11-04T10:00:11Z web sshd 7 ID [a b=\"c\"] " + strings.TrimSpace(message)
			fmt.Fprintf(&frames, "%d %s", len(rfc5424), rfc5424)
			quoted, _ := json.Marshal(strings.TrimSpace(message))
			fmt.Fprintf(&journal, `{"__REALTIME_TIMESTAMP":"17937002510000%02d","SYSLOG_IDENTIFIER":"sshd","MESSAGE":%s}`+"\n", i, quoted)
		}
	}
	return []string{traditional.String(), iso.String(), frames.String(), journal.String()}
}

// damage flips bits, cuts, and repeats parts.
func damage(text string, random *rand.Rand) string {
	data := []byte(text)
	for range 1 + random.IntN(20) {
		at := random.IntN(len(data))
		switch random.IntN(5) {
		case 0:
			data[at] ^= 1 << random.IntN(8)
		case 1:
			data[at] = "0123456789<>[]: \n\x00\xff"[random.IntN(19)]
		case 2:
			data = append(data[:at], data[min(len(data), at+random.IntN(200)):]...)
		case 3:
			data = slices.Insert(data, at, bytes.Repeat(data[at:at+1], random.IntN(300))...)
		case 4:
			data = data[:max(1, at)]
		}
		if len(data) == 0 {
			return "\n"
		}
	}
	return string(data)
}

// Of damaged files, each line becomes a record or a part of one, or is lost with its place.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(40, 1))
	all := samples()
	for i := range 500 {
		text := damage(all[i%4], random)
		form := syslog.Forms()[i%4/3]
		form.Recognize([]byte(text[:min(len(text), extract.HeadSize)]))
		records, lines := 0, 0
		file := &extract.File{Name: "log", ReaderAt: strings.NewReader(text), Size: int64(len(text)), Modified: written}
		err := form.Read(context.Background(), file, extract.Sink{
			Record: func(r extract.Record) error {
				if r.Place == "" || r.At.IsZero() || len(r.Fields) == 0 {
					t.Errorf("file %d: an empty record: %+v", i, r)
				}
				records, lines = records+1, lines+1+strings.Count(r.Raw, "\n")
				return nil
			},
			Lost: func(place string, n int, what string) {
				if place == "" || what == "" {
					t.Errorf("file %d: a loss without a place or a reason", i)
				}
				lines += n
			},
		})
		if err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
		written := 0
		for line := range strings.SplitSeq(text, "\n") {
			if strings.TrimSpace(line) != "" {
				written++
			}
		}
		if i%4 < 2 && lines != written {
			t.Errorf("file %d: %d of %d lines are records or lost", i, lines, written)
		}
	}
}

// The error of the sink ends the reading.
func TestEndOfReading(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	for i, text := range samples() {
		form := syslog.Forms()[i/3]
		file := &extract.File{Name: "log", ReaderAt: strings.NewReader(text), Size: int64(len(text)), Modified: written}
		count := 0
		sink := extract.Sink{Lost: func(string, int, string) {}, Record: func(extract.Record) error {
			count++
			return full
		}}
		if err := form.Read(context.Background(), file, sink); !errors.Is(err, full) || count != 1 {
			t.Errorf("sample %d: %v after %d records", i, err, count)
		}
	}
}

// A clock without a zone is one of the zone that the user gives.
func TestZone(t *testing.T) {
	t.Parallel()
	text := "Nov  3 10:04:11 web app[7]: up\n2026-11-03T10:04:11Z web app[7]: up\n"
	file := &extract.File{
		Name: "log", ReaderAt: strings.NewReader(text), Size: int64(len(text)), Modified: written, Zone: time.FixedZone("", 2*3600),
	}
	var got []string
	if err := syslog.Forms()[0].Read(context.Background(), file, extract.Sink{Record: func(r extract.Record) error {
		got = append(got, r.At.Format(time.TimeOnly)+" "+r.Assumed)
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"08:04:11 the year and the zone", "10:04:11 "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range samples() {
		f.Add(text[:1000])
	}
	f.Add("Feb 29 10:04:11 web last message repeated 3 times\n  x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range syslog.Forms() {
			form.Recognize([]byte(text))
			file := &extract.File{Name: "log", ReaderAt: strings.NewReader(text), Size: int64(len(text)), Modified: written}
			if err := form.Read(context.Background(), file, extract.Sink{
				Record: func(r extract.Record) error {
					for _, field := range r.Fields {
						if _, err := ledger.ParseValue([]byte(field.Value)); err != nil || field.Name == "" {
							t.Errorf("field %q: %q: %v", field.Name, field.Value, err)
						}
					}
					return nil
				},
				Lost: func(string, int, string) {},
			}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// BenchmarkRead reads 100,000 messages.
func BenchmarkRead(b *testing.B) {
	text := strings.Repeat(samples()[0], 100_000/120)
	for b.Loop() {
		records, _ := readAs(b, text, written)
		if len(records) != 120*(100_000/120) {
			b.Fatal(len(records))
		}
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.Sys)/(1<<20), "MiB-of-the-system")
}
