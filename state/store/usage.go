package store

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"time"

	"moot/state"
)

// Spent counts the calls of one seat with one participant on one day.
type Spent struct {
	// Day is a date such as 2026-11-21, in the time zone that was asked for.
	Day  string     `json:"day"`
	Seat state.Seat `json:"seat"`
	// Participant answered: a fallback is named itself.
	Participant string `json:"participant"`
	// Sessions is the number of sessions in which it did.
	Sessions int `json:"sessions"`
	state.Usage
}

// Usage counts the calls of the sessions in a folder.
type Usage struct {
	// Spent has a row for each day, seat and participant, the newest day first. A call that used no tokens, such as one
	// of the built-in rules, is left out if it has no price either.
	Spent []Spent
	// Sessions is the number of sessions with a call, Read the number of all.
	Sessions, Read int
	// Unread are the sessions whose files could not be read to their end, with the reason. What they used before the
	// damage is counted.
	Unread []Unread
}

// Unread is a session that could not be read to its end.
type Unread struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// ReadUsage adds up the calls that the sessions in a folder made since a time, by days of a time zone. Events that a
// fork copied count in the session that they are from, and no longer once that is removed. The only error is a folder
// that cannot be read.
func ReadUsage(dir string, since time.Time, zone *time.Location) (Usage, error) {
	ids, err := list(dir)
	if err != nil {
		return Usage{}, err
	}
	u := Usage{Read: len(ids)}
	type key struct {
		day         string
		seat        state.Seat
		participant string
	}
	rows := map[key]*Spent{}
	decoder := state.NewDecoder()
	for _, id := range ids {
		calls, err := callsOf(dir, id, since, decoder)
		if err != nil {
			u.Unread = append(u.Unread, Unread{id, err.Error()})
		}
		seen := map[key]bool{}
		for _, c := range calls {
			k := key{c.at.In(zone).Format(time.DateOnly), c.used.Seat, c.participant}
			row := rows[k]
			if row == nil {
				row = &Spent{Day: k.day, Seat: k.seat, Participant: k.participant}
				rows[k] = row
			}
			if !seen[k] {
				seen[k] = true
				row.Sessions++
			}
			used := c.used.Used()
			row.Add(&used)
		}
		if len(calls) > 0 {
			u.Sessions++
		}
	}
	for _, row := range rows {
		u.Spent = append(u.Spent, *row)
	}
	slices.SortFunc(u.Spent, func(a, b Spent) int {
		return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(a.Participant, b.Participant), cmp.Compare(a.Seat, b.Seat))
	})
	return u, nil
}

// call is one call of a participant.
type call struct {
	at          time.Time
	used        *state.UsageCounted
	participant string
}

// callsOf returns the calls of a session since a time, also with an error: then those before the damage.
func callsOf(dir, id string, since time.Time, decoder *state.Decoder) ([]call, error) {
	path, err := Path(dir, id)
	if err != nil {
		return nil, err
	}
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.ModTime().Before(since) {
		return nil, nil
	}
	var calls, unit []call
	var copied int
	participants := map[state.Seat]string{}
	visit := func(_ []byte, l line) error {
		if l.seq == 1 {
			version, err := versionOf(path, l)
			if err != nil {
				return err
			}
			if version < state.Version {
				decoder = decoder.Earlier()
			}
		}
		if l.kind == opening || l.kind == "seat-taken" || l.kind == "usage-counted" {
			payload, err := decoder.Decode(l.kind, l.data)
			if err != nil {
				return fmt.Errorf("event %d: %w", l.seq, err)
			}
			switch e := payload.(type) {
			case *state.SessionOpened:
				for i := range e.Seats {
					participants[e.Seats[i].Seat], _ = e.Seats[i].Answers()
				}
				if e.Fork != nil {
					copied = e.Fork.Seq
				}
			case *state.SeatTaken:
				participants[e.Seat], _ = e.Answers()
			case *state.UsageCounted:
				if used := e.Used(); l.seq > copied && !l.at.Before(since) && (used.Tokens() > 0 || used.Cost > 0 || used.Unpriced > 0) {
					unit = append(unit, call{at: l.at, used: e})
				}
			}
		}
		if l.left == 0 {
			// A fallback takes the seat in the unit of its first call, after the usage.
			for i := range unit {
				unit[i].participant = participants[unit[i].used.Seat]
			}
			calls, unit = append(calls, unit...), unit[:0]
		}
		return nil
	}
	_, err = walk(file, path, visit)
	return calls, err
}
