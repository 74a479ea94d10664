package syslog

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leodido/go-syslog/v4"
	"github.com/leodido/go-syslog/v4/rfc5424"

	"moot/internal/plain"
)

// message is a syslog message with what its header says.
type message struct {
	at time.Time
	// noYear means that at has the year 0. assumed says what else of the time the header does not hold.
	noYear  bool
	assumed string
	// pid, facility and severity may be empty.
	host, program, pid, facility, severity string
	// data is the structured data of RFC 5424: "id.parameter" and value, in turns.
	data []string
	text string
	// tagged means that there is a priority or a program before the text, so that this can hardly be anything else.
	tagged bool
}

// Parts of a header. All forms without RFC 5424's version have a time, a host, a program with or without a process id,
// and the text.
//
//nolint:gochecknoglobals // a table
var (
	// stamp is the time in the forms of RFC 3164 and journalctl -o short (with a year: Cisco); RFC 3339 and short-iso;
	// short-full; short-unix.
	stamp = regexp.MustCompile(`^(?:` +
		`(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) (?:(\d{4}) )?(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?:?|` +
		`(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?|` +
		`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))? ([A-Z]{1,5}|[+-]\d\d(?:\d\d)?)|` +
		`(\d{9,11})\.(\d{6})) `)
	// longestStamp is more than the longest time, in bytes.
	longestStamp = 60
	// tag is the program, which old PAM writes as sshd(pam_unix), and its process id.
	tag      = regexp.MustCompile(`^([^\s\[\]:]{1,128}?)(?:\[([^\]\s]{0,64})\])?:(?: +|$)`)
	oldPAM   = regexp.MustCompile(`^([\w-]+)\(pam_unix\)$`)
	priority = regexp.MustCompile(`^<(\d{1,3})>`)
	// level is a word after the time in logs of applications, where syslog has the host.
	level = regexp.MustCompile(`(?i)^\W*(trace|debug|info|notice|warn|warning|err|error|crit|critical|fatal|panic|alert)\W*$`)
)

// zones are the offsets of abbreviations in hours, as far as each has only one in wide use.
//
//nolint:gochecknoglobals // a table
var zones = map[string]int{
	"UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "EST": -5, "EDT": -4,
	"CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}

// readMessage reads a line or frame, or says what it is instead of a syslog message.
func readMessage(text []byte, rfc5424s syslog.Machine) (message, string) {
	var m message
	if pri := priority.FindSubmatch(text); pri != nil {
		const highest = 191
		n, _ := strconv.Atoi(string(pri[1]))
		if n > highest {
			return m, "its priority is above 191"
		}
		if rest := text[len(pri[0]):]; len(rest) > 1 && rest[0] == '1' && rest[1] == ' ' {
			return readRFC5424(text, rfc5424s)
		}
		m.setPriority(n)
		m.tagged, text = true, text[len(pri[0]):]
	}
	rest, what := m.readStamp(text)
	// Logs of applications have times in RFC 3339 and colons too.
	plain := !m.tagged && !m.noYear
	if what != "" {
		return m, what
	}
	host, after, _ := bytes.Cut(rest, []byte(" "))
	if level.Match(host) {
		return m, "it has a level where syslog has the host"
	}
	m.host = string(host)
	if strings.HasPrefix(m.host, "%") && strings.HasSuffix(m.host, ":") { // Cisco, without a host.
		m.host, after = "", rest
	}
	after = bytes.TrimLeft(after, " ")
	if found := tag.FindSubmatch(after); found != nil {
		m.program, m.pid = string(found[1]), string(found[2])
		m.tagged = m.tagged || !plain || m.pid != "" || slices.Contains(withoutPID(), m.program)
		if old := oldPAM.FindStringSubmatch(m.program); old != nil {
			m.program = old[1]
			m.text = "pam_unix(" + old[1] + ":): "
		}
		after = after[len(found[0]):]
	}
	m.text += string(after)
	if m.program == "" && strings.TrimSpace(m.text) == "" {
		return m, "there is nothing after the time and the host"
	}
	return m, ""
}

// withoutPID are programs that log without a process id.
func withoutPID() []string {
	return []string{"kernel", "sudo", "su", "systemd", "rsyslogd", "dhclient", "useradd", "usermod", "groupadd"}
}

// noTime is missing in a message of RFC 5424 without a time.
const noTime = "the date and the hour"

// leftOut says how many other values the message has.
func (m *message) leftOut(values int) {
	if values > 0 {
		m.data = append(m.data, "left_out", plain.Counted(values, "other value"))
	}
}

func (m *message) setPriority(n int) {
	var base syslog.Base
	base.ComputeFromPriority(uint8(n)) //nolint:gosec // at most 191
	if word := base.FacilityLevel(); word != nil {
		m.facility = *word
	}
	if word := base.SeverityShortLevel(); word != nil {
		m.severity = *word
	}
}

// readRFC5424 reads a message with a version.
func readRFC5424(text []byte, machine syslog.Machine) (message, string) {
	parsed, err := machine.Parse(text)
	if err != nil {
		return message{}, "it is not RFC 5424: " + err.Error()
	}
	p, ok := parsed.(*rfc5424.SyslogMessage)
	if !ok {
		return message{}, "it is not RFC 5424"
	}
	m := message{tagged: true}
	m.setPriority(int(*p.Priority))
	for to, from := range map[*string]*string{&m.host: p.Hostname, &m.program: p.Appname, &m.pid: p.ProcID, &m.text: p.Message} {
		if from != nil {
			*to = *from
		}
	}
	m.text = strings.TrimPrefix(strings.TrimLeft(m.text, " "), "\ufeff") // rsyslog writes a blank before it.
	if p.Timestamp != nil {
		m.at = p.Timestamp.UTC()
	} else {
		m.assumed = noTime
	}
	if p.MsgID != nil {
		m.data = append(m.data, "message_id", *p.MsgID)
	}
	if p.StructuredData != nil {
		left := 0
		for _, id := range sorted(*p.StructuredData) {
			for _, name := range sorted((*p.StructuredData)[id]) {
				if len(m.data) >= 2*maxFields {
					left++
					continue
				}
				m.data = append(m.data, id+"."+name, (*p.StructuredData)[id][name])
			}
		}
		m.leftOut(left)
	}
	return m, ""
}

// readStamp reads the time at the beginning, and returns what follows, or says what is wrong.
func (m *message) readStamp(text []byte) ([]byte, string) {
	found := stamp.FindSubmatch(append(bytes.Clone(text[:min(len(text), longestStamp)]), ' '))
	if found == nil {
		return nil, "it does not begin with a time of syslog"
	}
	part := func(i int) string { return string(found[i]) }
	number := func(i int) int {
		n, _ := strconv.Atoi(part(i))
		return n
	}
	rest := text[min(len(text), len(found[0])):]
	var first int
	var zone, fraction string
	switch {
	case part(1) != "":
		month := 1 + strings.Index("JanFebMarAprMayJunJulAugSepOctNovDec", part(1))/3
		m.noYear = part(3) == ""
		if !m.date(number(3), month, number(2), number(4), number(5), number(6), part(7)) {
			return nil, "there is no such time"
		}
		m.assumed = "the zone"
		return rest, ""
	case part(8) != "":
		first, zone, fraction = 8, part(15), part(14)
	case part(16) != "":
		first, zone, fraction = 16, part(23), part(22)
	default:
		seconds, _ := strconv.ParseInt(part(24), 10, 64)
		m.at = time.UnixMicro(seconds*1e6 + int64(number(25))).UTC()
		return rest, ""
	}
	if !m.date(number(first), number(first+1), number(first+2), number(first+3), number(first+4), number(first+5), fraction) {
		return nil, "there is no such time"
	}
	hours, known := zones[zone]
	switch {
	case known:
		m.at = m.at.Add(-time.Duration(hours) * time.Hour)
	case zone == "" || zone[0] != '+' && zone[0] != '-':
		m.assumed = "the zone"
	default:
		digits := strings.ReplaceAll(zone[1:], ":", "") + "00"
		h, _ := strconv.Atoi(digits[:2])
		minutes, _ := strconv.Atoi(digits[2:4])
		offset := time.Duration(h)*time.Hour + time.Duration(minutes)*time.Minute
		if zone[0] == '+' {
			offset = -offset
		}
		m.at = m.at.Add(offset)
	}
	return rest, ""
}

// date sets the time, and reports whether the calendar has it. A leap second is the second after it.
func (m *message) date(year, month, day, hour, minute, second int, fraction string) bool {
	nanos, _ := strconv.Atoi((fraction + "000000000")[:9])
	m.at = time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC)
	days := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return month >= 1 && month <= 12 && day >= 1 && day <= days && hour < 24 && minute < 60 && second <= 60
}
