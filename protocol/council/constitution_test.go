package council_test

import (
	"strings"
	"testing"

	"moot/protocol/council"
)

// sentences are texts that a test of words holds of, and texts that it does not.
type sentences struct {
	test    func(string) bool
	yes, no []string
}

func (s *sentences) check(t *testing.T) {
	t.Helper()
	for _, text := range s.yes {
		if !s.test(text) {
			t.Errorf("not seen in %q", text)
		}
		if upper := strings.ToUpper(text); !s.test(upper) && !strings.Contains(text, "µ") {
			t.Errorf("not seen in capitals: %q", upper)
		}
	}
	for _, text := range s.no {
		if s.test(text) {
			t.Errorf("wrongly seen in %q", text)
		}
	}
}

// CV4: a claim names its limit in its text.
func TestStatesLimit(t *testing.T) {
	(&sentences{
		test: council.StatesLimit,
		yes: []string{
			"Every job is run once, except when the queue is full.",
			"All tables are migrated except audit_log.",
			"No job is lost unless the disk fails.",
			"The answer comes in time as long as the cache is warm.",
			"Retries are safe only if the handler is idempotent.",
			"This holds only for reads.",
			"The order is kept, but not across partitions: it holds only within one, assuming a single writer.",
			"The rule does not apply to guests.",
			"It doesn’t cover Windows.",
			"Measured only on Linux.",
			"The lock is fair for readers but not for writers.",
			"As far as the tests show, nothing leaks.",
			"A restart is enough, provided that the log is whole.",
			"Memory stays flat under this load.",
		},
		no: []string{
			"Every job is run once.",
			"The try/except block swallows the error.",
			"The except clause is never reached.",
			"Up to date clients reconnect.",
			"It is up to the caller to close the file.",
			"The leader only writes.",
			"Only the leader writes.",
			"The reader does not hold the lock.",
			"The worker holds only one lock.",
			"The client provided the token.",
			"Within the loop a handler is called.",
			"At least one job is lost.",
			"The effort was not for nothing.",
		},
	}).check(t)
}

// CV4: a claim gives a range.
func TestStatesRange(t *testing.T) {
	(&sentences{
		test: council.StatesRange,
		yes: []string{
			"The cache answers in 10-20 ms.",
			"It takes 10–20 ms.",
			"It takes 10ms-20ms.",
			"It takes 10 to 20 ms.",
			"It takes 900 ms to 2 s.",
			"Between 3 and 5 jobs wait.",
			"Between 3 ms and 5 ms pass.",
			"The load is from 30% to 40%.",
			"It takes 20 ±2 ms.",
			"The clock is off by +/- 2 s.",
			"It costs $5-$7 per day.",
			"It needs 1,000-2,000 rows.",
			"It takes 2 or 3 seconds.",
			"It takes at most 20 ms.",
			"It takes less than 5 s.",
			"The p99 is <20 ms.",
			"The share is ≥ 0.9.",
			"It answers within 50 ms.",
			"Errors stay at .5-.7 per cent.",
		},
		no: []string{
			"The cache answers in 20 ms.",
			"The cache is fast.",
			"It broke with v1.2-3.",
			"The outage was on 2024-01-15.",
			"It was slow in 2023-2024.",
			"Between 2019 and 2021 nobody looked.",
			"See docs/a.md:3-5 for it.",
			"See docs/a.md:3–5 for it.",
			"The code in lines 3-5 does it.",
			"The timeout was raised from 10 to 20 s.",
			"There is a 1 to 1 mapping.",
			"The vote was 5-3.",
			"The hash is SHA-256 and the text UTF-8.",
			"The error is 1e-3.",
			"It is CVE-2024-1234.",
			"It ran from 12:30-13:00.",
			"The 1st to 3rd call fails.",
			"± is a sign.",
			"Between them and 5 others there is a wall.",
			"At most once.",
			"It uses Go 1.25-1.26.",
		},
	}).check(t)
}

// CV3, feasibility: a claim recommends something.
func TestProposes(t *testing.T) {
	(&sentences{
		test: council.Proposes,
		yes: []string{
			"We should migrate to the new queue.",
			"The cache should be replaced.",
			"Replace the queue with a stream.",
			"Adopt Redis.",
			"Add a test for the restore.",
			"Use a mutex around the map.",
			"The handler must use a timeout.",
			"We recommend two replicas.",
			"The log grows without end. Rotate it each day.",
			"Let us wait a week.",
			"The service ought to switch to HTTP/3.",
			"The config has to be split.",
			"Clients should not use the old endpoint.",
			"Stop the nightly job.",
			"It is best to keep both.",
			"Jobs should go to streams.",
		},
		no: []string{
			"Callers must hold the lock.",
			"The function should return nil.",
			"Each job must run once.",
			"The docs recommend that callers close it.",
			"Add returns the sum of both.",
			"Use of the flag is rare.",
			"Move semantics avoid the copy.",
			"Build times are three minutes.",
			"Test coverage is low.",
			"Cache misses take 20 ms.",
			"The cache is used by users.",
			"The value must not be nil.",
			"The queue was replaced in May.",
			"A mustache is drawn.",
			"Start blocks until the port is open.",
			"",
		},
	}).check(t)
}

// CV3, no-harm: a claim says a phrase of the deny list.
func TestDenied(t *testing.T) {
	deny := []string{"drop the database", "delet* the backup*", "rm -rf", "format C:", "Größe ändern"}
	for text, want := range map[string]string{
		"Drop the database and start anew.":                 "drop the database",
		"DROP THE DATABASE":                                 "drop the database",
		"drop\tthe\n database":                              "drop the database",
		"Drop, the: database!":                              "drop the database",
		"Drop. The database follows.":                       "drop the database",
		"We should delete the backups.":                     "delet* the backup*",
		"Deleting the backup frees room.":                   "delet* the backup*",
		"Run rm -rf on it.":                                 "rm -rf",
		"Run rm  -RF / on it.":                              "rm -rf",
		"Then format c: and wait.":                          "format C:",
		"d\u200brop the data\u00adbase":                     "drop the database",
		"ｄｒｏｐ the database":                                 "drop the database",
		"Gro\u0308ße a\u0308ndern":                          "Größe ändern",
		"Drop the old database.":                            "",
		"Drop the databases.":                               "",
		"Eavesdrop the database.":                           "",
		"Undelete the backup.":                              "",
		"Delete a backup.":                                  "",
		"The firm rf antenna":                               "",
		"":                                                  "",
		"the database drop":                                 "",
		"delete the":                                        "",
		strings.Repeat("drop the ", 1000) + "data base":     "",
		strings.Repeat("drop the ", 900) + "database.":      "drop the database",
		"It is not wise to drop drop the drop the database": "drop the database",
	} {
		if got := council.Denied(text, deny); got != want {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
	}
	if got := council.Denied("anything", []string{"", " - "}); got != "" {
		t.Errorf("a phrase of nothing denies: %q", got)
	}
}

// CV4: who says that there is no limit names none.
func TestNothing(t *testing.T) {
	for _, text := range []string{
		"", " ", "-", "none", "None.", "n/a", "N/A", "no limits", "no known limitations",
		"unknown", "not applicable",
	} {
		if !council.SaysNothing(text) {
			t.Errorf("%q says something", text)
		}
	}
	for _, text := range []string{"none of the writes", "Windows", "no limit on reads only", "unknown above 4 GB"} {
		if council.SaysNothing(text) {
			t.Errorf("%q says nothing", text)
		}
	}
}
