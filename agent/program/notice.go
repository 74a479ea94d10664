package program

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Some programs print failures as if they were replies, such as "You've hit your limit · resets 1pm" on standard
// output or as a successful result. A reply is treated as a failure only if it is short, has no move, and its whole
// first line matches a known message. A review that mentions rate limits does not.

const (
	// maxNotice is the maximum length in bytes of a reply that can be a failure, and maxNoticeLines its maximum
	// number of lines.
	maxNotice      = 600
	maxNoticeLines = 5

	// limitAdvice matches the advice after a limit. limitEnd also matches no advice.
	limitAdvice = `[ .!]?[ ·∙•|,;:.!(—–-]* ?(?:resets?\b|` +
		`(?:it|this|(?:your|the)(?: [\w-]+){1,4}) (?:will )?resets?\b|` +
		`try(?:ing)? again|retry (?:after|in|later|at)|please|upgrade|visit|wait (?:\d|a |until|and )|to (?:continue|` +
		`keep)|` +
		`add (?:funds|more|credits)|purchase|buy|switch (?:to|models?)|run /|/[a-z]|https?:|contact your|ask your|` +
		`raise it|` +
		`increase your|(?:limit:? |max )\d|check your plan|\d{9,}).*`
	limitEnd = `(?:[.!]?|` + limitAdvice + `)`
	// limited matches what is limited.
	limited = `(?:(?:claude|codex|gemini|qwen|openai|gpt|chatgpt|opus|sonnet|haiku|ai|code|oauth|api|account|model|` +
		`workspace|org|organization|plan|fast|free|pro|max|tier|requests?|tokens?|messages?|usage|rate|` +
		`spend|spending|` +
		`credit|hourly|daily|weekly|monthly|annual|session|context|[\d.]+|5-hour|five-hour|org's|allocated)[ -])`
)

// loginEnd matches the end of a message about a login.
const loginEnd = `(?:[.!]?|[.!]? ?[·∙•|,;:.(—–-]+ .*)`

// The known messages, as whole lines in lower case without a prefix such as "Error:".
var (
	busyLine = regexp.MustCompile(`^(?:` +
		`you(?:'ve| have)? (?:hit|reached) your (?:[\w.'-]+ ){0,4}limit` + limitAdvice + `|` +
		`you(?:'ve| have)? (?:hit|reached|exceeded|exhausted|used(?: up| all of)?) (?:your|the) (?:current |own )?` +
		limited + `{0,4}(?:limits?|quota|capacity|credits?|allowance)` +
		`(?: (?:for|on) (?:this |the )?[\w.:/-]+(?: model)?)?` + limitEnd + `|` +
		limited + `{0,4}(?:limit|quota|capacity) (?:(?:has been|was|is) )?` +
		`(?:reached|exceeded|hit|exhausted)(?: (?:for|on) ` +
		`(?:requests|this model|quota metric .*|[\w.:/-]+ (?:in organization|on tokens|on requests) .*))?` + limitEnd +
		`|` +
		`(?:you're|you are|your [\w-]+ is) out of (?:extra )?(?:usage|credits?|tokens|quota)(?: credits?)?` + limitEnd +
		`|` +
		`out of (?:usage )?credits?` + limitEnd + `|` +
		`(?:your )?credit balance (?:is )?too low` + limitEnd + `|` +
		`(?:insufficient|not enough) (?:credits?|balance|quota|funds)` + limitEnd + `|` +
		`(?:too many requests|rate[ -]limited|resource(?:_| | has been )exhausted|payment required)` + limitEnd + `|` +
		`billing hard limit has been reached` + limitEnd + `|` +
		`this request would exceed your (?:account's )?rate limit.*|request rejected \(429\).*)$`)
	loginLine = regexp.MustCompile(`^(?:(?:(?:you are )?not logged in|please (?:run /login|log ?in|sign in)|` +
		`login (?:required|has expired)|oauth token (?:has )?(?:expired|revoked))` + loginEnd +
		`|invalid api key · .*|no auth type is selected.*)$`)
	refusedLine = regexp.MustCompile(
		`^(?:failed to authenticate|incorrect api key provided|invalid api key|unauthorized)` + loginEnd + `$`)
	longLine     = regexp.MustCompile(`^prompt is too long(?:[.!]| ·.*)?$`)
	declinedLine = regexp.MustCompile(
		`^(?:claude code is unable to respond to this request, which appears to violate our usage policy.*|` +
			`(?:(?:i'm |i am )?sorry, (?:but )?)?i (?:can't|cannot|can not|am unable to|won't) ` +
			`(?:help|assist|comply)(?: you)?(?: with (?:that|this)(?: request)?)?[.!]?)$`)
	awayLine = regexp.MustCompile(
		`^(?:connection error|request timed out|fetch failed|network error|terminated|socket hang up|` +
			`internal server error|service unavailable|overloaded|bad gateway|gateway timeout)[.!]?(?: [·(].*)?$`)
)

var (
	// colors matches escape sequences for colors.
	colors = regexp.MustCompile("\x1b\\[[0-9;]*m")
	// apiError matches the start of an error line in several programs.
	apiError = regexp.MustCompile(`^\W*API Error\b\s*(?::|\()`)
	// linePrefix matches a prefix of the message, in lower case.
	linePrefix = regexp.MustCompile(`^(?:[^\pL\pN/]*(?:api error|error|fatal|claude(?: code)?|codex|gemini|` +
		`qwen) ?[:(])*` +
		`(?:[^\pL\pN/]*[45]\d\d[^\pL\pN]+)?[^\pL\pN/]*`)
	// statusIn matches an HTTP status in an error line.
	statusIn = regexp.MustCompile(`\b[45]\d\d\b`)
	// anyMove matches text that only occurs in a reply with moves.
	anyMove = regexp.MustCompile(`(?im)["']?moves?["']?\s*:\s*["'\[{]|^\s*\{|` +
		`^\s*(?:[-*]\s*)?(?:\d+[.)]\s|re [pc]\d|[pcefq]\d+\b)`)
	// moveWord matches the start of a move, such as AGREE.
	moveWord = regexp.MustCompile(`(?m)^\s*[A-Z][A-Z_-]{2,}(?: [PC]\d+)?\s*:`)
)

// noticeOf returns the failure that a line reports, and whether it reports one. The failure is nil if its kind is
// unknown.
func noticeOf(line string) (*Failure, bool) {
	line = strings.TrimSpace(colors.ReplaceAllString(line, ""))
	low := strings.NewReplacer("’", "'", "‘", "'").Replace(strings.ToLower(short(line)))
	low = strings.TrimRight(linePrefix.ReplaceAllString(low, ""), "] ")
	switch {
	case busyLine.MatchString(low):
		return &Failure{Means: Busy}, true
	case loginLine.MatchString(low):
		return &Failure{Means: Login}, true
	case refusedLine.MatchString(low):
		return &Failure{Means: Refused}, true
	case longLine.MatchString(low):
		return &Failure{Means: Long}, true
	case declinedLine.MatchString(low):
		return &Failure{Means: Declined}, true
	case awayLine.MatchString(low):
		return &Failure{Means: Away}, true
	}
	if !apiError.MatchString(line) {
		return nil, false
	}
	status, _ := strconv.Atoi(statusIn.FindString(line))
	means := map[int]Meaning{401: Refused, 402: Busy, 403: Refused, 413: Long, 429: Busy, 529: Busy}[status]
	if means == "" && status >= 500 {
		means = Away
	}
	if means == "" {
		return nil, true
	}
	return &Failure{Means: means}, true
}

// notice recognizes a reply that only reports a failure.
func (a *Adapter) notice(reply string) (*Failure, bool) {
	reply = strings.TrimSpace(reply)
	first, rest, _ := strings.Cut(reply, "\n")
	if len(reply) > maxNotice || strings.Count(reply, "\n") >= maxNoticeLines ||
		anyMove.MatchString(reply) || moveWord.MatchString(rest) {
		return nil, false
	}
	f, is := noticeOf(first)
	if is && f == nil {
		f = a.worded(first)
	}
	return f, is
}

// Times at which a limit ends, as programs print them.
var (
	resetEpoch = regexp.MustCompile(`(?i)(?:limit reached\|| resets?(?:_at| at)?\W{1,4})(\d{10})\b`)
	resetStamp = regexp.MustCompile(`(?i)(?:reset|again|until|after|available)\D{0,20}` +
		`(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))`)
	resetAfter = regexp.MustCompile(`(?i)\b(?:resets?|again|retry|retry-after|wait|available)\b[^\d\n]{0,20}?` +
		`((?:\d+(?:\.\d+)?\s*` + timeUnit + `[\s,]*(?:and\s+)?)+)`)
	timePart   = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)\s*` + timeUnit)
	resetClock = regexp.MustCompile(`(?i)\b(?:resets?|again|until|available)\s+(?:at\s+|on\s+)?` +
		`(?:(?:(today|tomorrow|` + weekdays + `)|(` + months + `)\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?)` +
		`,?\s*(?:at\s+)?)?` +
		`(?:(\d{1,2})(?::(\d\d))?\s*([ap]\.?m\b\.?)?)?\s*(?:\(([A-Za-z][A-Za-z0-9_+/-]*)\)|(UTC|GMT)\b)?`)
)

const (
	timeUnit = `(milliseconds?|ms|days?|d|hours?|hrs?|hr|h|minutes?|mins?|min|m|seconds?|secs?|sec|s)`
	weekdays = `(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?`
	months   = `(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?`
)

// resetTime returns when a limit ends according to a message, or zero. A time without a zone is local.
func resetTime(said string, now time.Time) time.Time {
	const furthest = 400 * 24 * time.Hour
	said = strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(short(said))
	at := time.Time{}
	if found := resetEpoch.FindStringSubmatch(said); found != nil {
		seconds, _ := strconv.ParseInt(found[1], 10, 64)
		at = time.Unix(seconds, 0)
	} else if found := resetStamp.FindStringSubmatch(said); found != nil {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
			if parsed, err := time.Parse(layout, found[1]); err == nil {
				at = parsed
			}
		}
	} else if wait := resetWait(said); wait > 0 {
		at = now.Add(wait)
	} else if found := resetClock.FindAllStringSubmatch(said, -1); found != nil {
		for _, one := range found {
			if at = clockTime(one, now); !at.IsZero() {
				break
			}
		}
	}
	if at.Before(now.Add(-2*time.Minute)) || at.After(now.Add(furthest)) {
		return time.Time{}
	}
	return at
}

// resetWait returns the wait that a message names, or 0: "try again in 3 days 4 hours".
func resetWait(said string) time.Duration {
	found := resetAfter.FindStringSubmatchIndex(said)
	if found == nil {
		return 0
	}
	if next := said[found[3]:]; next != "" && strings.ContainsAny(next[:1], "abcdefghijklmnopqrstuvwxyz:/") {
		return 0 // "2 months", or "3pm".
	}
	total := time.Duration(0)
	for _, part := range timePart.FindAllStringSubmatch(said[found[2]:found[3]], -1) {
		number, err := strconv.ParseFloat(part[1], 64)
		if err != nil || number > 1e6 {
			return 0
		}
		unit := time.Second
		switch word := strings.ToLower(part[2]); {
		case strings.HasPrefix(word, "ms"), strings.HasPrefix(word, "milli"):
			unit = time.Millisecond
		case strings.HasPrefix(word, "m"):
			unit = time.Minute
		case strings.HasPrefix(word, "h"):
			unit = time.Hour
		case strings.HasPrefix(word, "d"):
			unit = 24 * time.Hour
		}
		total += time.Duration(number * float64(unit))
	}
	return total
}

// clockTime returns the next time that the groups of resetClock name, or zero.
func clockTime(found []string, now time.Time) time.Time {
	day, month, date, year, hourText, minutes, half, place, utc := found[1], found[2], found[3], found[4], found[5],
		found[6], found[7], found[8], found[9]
	zone := now.Location()
	switch {
	case utc != "":
		zone = time.UTC
	case place != "":
		named, err := time.LoadLocation(place)
		if err != nil {
			return time.Time{} // with the wrong zone, it would be off by hours
		}
		zone = named
	}
	now = now.In(zone)
	hour, _ := strconv.Atoi(hourText)
	minute, _ := strconv.Atoi(minutes)
	switch {
	case half != "" && (hour < 1 || hour > 12), hour > 23, minute > 59:
		return time.Time{}
	case half == "" && minutes == "" && (hourText != "" || month == ""):
		return time.Time{} // a bare number may mean anything
	case strings.HasPrefix(strings.ToLower(half), "p"):
		hour = hour%12 + 12
	case half != "":
		hour %= 12
	}
	at := func(year int, month time.Month, date int) time.Time {
		return time.Date(year, month, date, hour, minute, 0, 0, zone)
	}
	today := at(now.Date())
	switch {
	case month != "":
		parsed, err := time.Parse("Jan", strings.ToUpper(month[:1])+strings.ToLower(month[1:3]))
		number, _ := strconv.Atoi(date)
		if err != nil || number < 1 || number > 31 {
			return time.Time{}
		}
		next := at(now.Year(), parsed.Month(), number)
		if named, _ := strconv.Atoi(year); year != "" {
			next = at(named, parsed.Month(), number)
		} else if next.Before(now.AddDate(0, 0, -1)) {
			next = at(now.Year()+1, parsed.Month(), number)
		}
		if next.Day() != number { // such as February 31
			return time.Time{}
		}
		return next
	case strings.EqualFold(day, "tomorrow"):
		return today.AddDate(0, 0, 1)
	case day != "" && !strings.EqualFold(day, "today"):
		for range 7 {
			name := strings.ToLower(today.Weekday().String())
			if strings.HasPrefix(name, strings.ToLower(day)[:3]) && today.After(now) {
				break
			}
			today = today.AddDate(0, 0, 1)
		}
		return today
	case today.Before(now.Add(-2 * time.Minute)):
		return today.AddDate(0, 0, 1)
	}
	return today
}
