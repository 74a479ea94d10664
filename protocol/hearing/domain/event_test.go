package domain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/protocol/hearing/domain"
)

// fields splits an event into a line for each of its fields.
func fields(at, entity string, values ...string) []string {
	var lines []string
	for i := 0; i < len(values); i += 2 {
		lines = append(lines, fmt.Sprintf("%s | %s | %s | @%s@ | auth_log", at, entity, values[i], values[i+1]))
	}
	return lines
}

// Relations see the same events whether a packet holds an event as one object, or as a fact for each field.
func TestRelationsOverEvents(t *testing.T) {
	rules := security(t)
	var failures, sameSecond, flows, internal, logons []string
	for i := range 12 {
		at := fmt.Sprintf("10:%02d:00", i)
		failures = append(failures, fields(at, "vpn-1", "logon", "failure", "account", "dora", "source_ip", "203.0.113.9")...)
		sameSecond = append(sameSecond, fields("10:00:00", "vpn-1", "logon", "failure", "account", "dora", "source_ip", "203.0.113.9")...)
		flows = append(flows, fmt.Sprintf("10:%02d | conn-%d | seen | @10.0.0.4:%d -> 198.51.100.9:443/TCP (4 pkts, 250 bytes)@ | unknown", i*5, i, 40000+i))
		internal = append(internal, fmt.Sprintf("10:%02d | conn-%d | seen | @10.0.0.4:%d -> 10.0.0.9:443/TCP (4 pkts, 250 bytes)@ | unknown", i*5, i, 40000+i))
		logons = append(logons, fields(at, fmt.Sprintf("logon-%d", i), "event", "ssh logon success", "account", "dora")...)
	}
	flows = append(flows, "11:00 | conn-x | seen | @10.0.0.4:1 -> 198.51.100.9:443/TCP@ | unknown")
	accepted := fields("10:20:00", "vpn-1", "logon", "success", "account", "dora", "source_ip", "203.0.113.9")
	other := fields("10:20:00", "vpn-1", "logon", "success", "account", "erik", "source_ip", "203.0.113.9")
	behind := func(address string, outcome string, minute int) []string {
		return fields(fmt.Sprintf("10:%02d:00", minute), fmt.Sprintf("vpn.log:%d", minute), "host", "10.0.0.5", "logon", outcome, "account", "dora", "address", address)
	}
	var onHost []string
	for i := range 12 {
		onHost = append(onHost, behind("203.0.113.9", "failure", i)...)
	}
	var transfers, messages []string
	for i, octets := range []string{"1000", "5000000000", "2000", "3000"} {
		at, entity := fmt.Sprintf("10:%02d", i), fmt.Sprintf("flows.log:%d", i)
		transfers = append(transfers, fmt.Sprintf("%s | %s | flow | @10.0.0.4:%d -> 198.51.100.9:443/TCP (4 pkts, %s bytes)@ | netflow", at, entity, 40000+i, octets),
			fmt.Sprintf("%s | %s | bytes | %s | netflow", at, entity, octets))
	}
	incoming := []string{
		"10:00 | conn-9 | flow | @10.0.0.4:40000 -> 198.51.100.9:443/TCP (4 pkts, 1000 bytes)@ | netflow",
		"10:00 | conn-9 | bytes | 1000 | netflow", "10:00 | conn-9 | bytes_in | 5000000000 | netflow",
	}
	for i := range 6 {
		messages = append(messages, fields(fmt.Sprintf("10:%02d:00", i), fmt.Sprintf("vpn.log:%d", i), "message", "failure of user dora from 203.0.113.9",
			"account", "dora", "address", "203.0.113.9", "outcome", "failure")...)
	}
	places := func(first, second string) []string {
		return append(fields("10:00", "l-1", "event", "logon_success", "account", "X\\\\dora", "source_ip", first),
			fields("10:30", "l-2", "event", "logon_success", "account", "X\\\\dora", "source_ip", second)...)
	}
	byField := slices.SortedStableFunc(slices.Values(sameSecond), func(a, b string) int {
		return strings.Compare(strings.Split(a, " | ")[2], strings.Split(b, " | ")[2])
	})
	for name, c := range map[string]struct {
		lines []string
		rule  string
		facts int
	}{
		"failures, then success":              {slices.Concat(failures, accepted), "guessed-password", 39},
		"all failures in one second":          {slices.Concat(sameSecond, accepted), "guessed-password", 39},
		"one field after another":             {slices.Concat(byField, accepted), "guessed-password", 39},
		"a host named by its address":         {slices.Concat(onHost, behind("203.0.113.9", "success", 20)), "guessed-password", 13},
		"a success from another address":      {slices.Concat(onHost, behind("198.51.100.4", "success", 20)), "", 0},
		"a flow and its bytes are one event":  {transfers, "far-volume", 1},
		"bytes of a flow to the outside":      {transfers, "data-to-outside", 2},
		"bytes that came in":                  {incoming, "", 0},
		"a message and its parts are one":     {slices.Concat(messages, behind("203.0.113.9", "success", 20)), "", 0},
		"a success of another account":        {slices.Concat(failures, other), "", 0},
		"two places":                          {places("198.51.100.4 (Lisbon, PT)", "203.0.113.8 (Osaka, JP)"), "two-places", 6},
		"one place":                           {places("198.51.100.4 (Lisbon, PT)", "203.0.113.8 (Lisbon, PT)"), "", 0},
		"a name after an address is no place": {places("198.51.100.4 (vpn-a)", "203.0.113.8 (vpn-b)"), "", 0},
		"an address of our own has no place":  {places("10.0.0.4 (Lisbon, PT)", "10.0.0.8 (Osaka, JP)"), "", 0},
		"flows as text":                       {flows, "beacon", 13},
		"flows as text that stay inside":      {internal, "", 0},
		"entities that name events":           {logons, "", 0},
	} {
		found := rules.Find(packetOf(t, c.lines...)).Findings
		at := slices.IndexFunc(found, func(f domain.Finding) bool { return f.Rule == c.rule })
		switch {
		case c.rule == "" && len(found) > 0:
			t.Errorf("%s: found %+v", name, found)
		case c.rule != "" && (at < 0 || len(found[at].Facts) != c.facts):
			t.Errorf("%s: no %s of %d facts: %+v", name, c.rule, c.facts, found)
		}
	}
}

// A cover of the account explains an event whose account is a fact of its own.
func TestCoverOfAnEvent(t *testing.T) {
	rules := security(t)
	lines := append(fields("10:00", "l-1", "event", "logon_success", "account", "dora", "source_ip", "198.51.100.4 (Lisbon, PT)"),
		fields("10:30", "l-2", "event", "logon_success", "account", "dora", "source_ip", "203.0.113.8 (Osaka, JP)")...)
	for account, covered := range map[string]bool{"dora": true, "erik": false} {
		booking := "09:00 | " + account + " | travel_booking | {@to@:@Osaka@} | manual"
		found := rules.Find(packetOf(t, append(lines, booking)...)).Findings
		if len(found) != 1 || len(found[0].Covers) > 0 != covered {
			t.Errorf("a booking of %s: %+v", account, found)
		}
	}
}

// A fact is tied to a claim by entity, account, host, ticket or time window.
func TestTied(t *testing.T) {
	p := packetOf(t,
		"10:00 | ws-7 | cmdline | {@args@:@x@,@user@:@dora@,@ticket@:@CHG-71@} | process_list",
		"09:00 | ws-7 | inventory | @laptop@ | manual", "09:00 | rota | on_call | @dora until noon@ | manual",
		"09:00 | board | note | @CHG-71 is approved@ | manual", "09:00 | board | window | @09:30-10:30@ | manual",
		"09:00 | board | window | @19:30-20:30@ | manual", "09:00 | ws-8 | inventory | @laptop of erik, CHG-8@ | manual",
	)
	all := []string{"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f99"}
	if got := domain.Tied(p, all, []string{"f1"}); !slices.Equal(got, []string{"f1", "f2", "f3", "f4", "f5"}) {
		t.Errorf("tied to f1: %v", got)
	}
	if got := domain.Tied(p, all[:7], nil); len(got) != 7 {
		t.Errorf("tied to the whole packet: %v", got)
	}
}

// The fields of a record of a log are one event: it is quoted in its own words, with its host and its account, and a
// claim about one field is about all of them.
func TestFieldsOfARecord(t *testing.T) {
	rules := security(t)
	var lines []string
	for i := range 12 {
		entity := fmt.Sprintf("auth.log:%d", i+1)
		event, words := "failed logon", "Failed password for dora from 203.0.113.9 port 4000 ssh2"
		if i == 11 {
			event, words = "accepted logon", "Accepted password for dora from 203.0.113.9 port 4000 ssh2"
		}
		for j, field := range [][2]string{{"event", event}, {"host", "web-1"}, {"account", "dora"}, {"address", "203.0.113.9"}} {
			line := fmt.Sprintf("10:%02d:00 | %s | %s | @%s@ | auth_log", i, entity, field[0], field[1])
			if j == 0 {
				line += " | " + words
			}
			lines = append(lines, line)
		}
	}
	p := packetOf(t, lines...)
	found := rules.Find(p).Findings
	want := "auth.log:12 web-1, dora at 2026-03-02 10:11: Accepted password for dora from 203.0.113.9 port 4000 ssh2"
	if len(found) != 1 || found[0].Rule != "guessed-password" || !strings.Contains(found[0].Quote, want) {
		t.Errorf("want %q in %+v", want, found)
	}
	cited := []string{"auth.log:3:event", "auth.log:4:host"}
	if got := domain.Tied(p, cited, []string{"auth.log:12:address"}); !slices.Equal(got, cited) {
		t.Errorf("tied: %v", got)
	}
}

// A logon that failed and a connection that was blocked are no remote session. The words of a record without a text are its
// kind and what it says beyond its header.
func TestWhatDidNotHappenIsNoSession(t *testing.T) {
	rules := security(t)
	failed := record("10:00", 1, "kind", "4625 failed logon", "event_id", "4625", "computer", "srv-1", "account", "dora", "LogonType", "10", "IpAddress", "-")
	blocked := record("10:01", 2, "kind", "5152 Security-Auditing", "event_id", "5152", "computer", "srv-1", "DestPort", "3389")
	if found := rules.Find(packetOf(t, append(failed, blocked...)...)).Findings; len(found) > 0 {
		t.Errorf("found %+v", found)
	}
	logon := record("10:02", 3, "kind", "4624 logon", "event_id", "4624", "provider", "Microsoft-Windows-Security-Auditing", "channel", "Security",
		"computer", "srv-1", "account", "dora", "LogonType", "10", "IpAddress", "203.0.113.9", "ProcessName", "-")
	found := rules.Find(packetOf(t, logon...)).Findings
	want := "events.log:3 srv-1, dora at 2026-03-02 10:02: 4624 logon: LogonType 10, IpAddress 203.0.113.9"
	if len(found) != 1 || !strings.HasSuffix(found[0].Quote, want) {
		t.Errorf("want %q in %+v", want, found)
	}
}
