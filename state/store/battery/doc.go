// Package battery tampers with a session file in every simple way there is
// and counts what the store finds and recovers: each byte changed, each line
// dropped, doubled, swapped with the next, the file cut at each length. The
// expected answers are data, in cases.json; the session is sample.jsonl. It
// holds no rule of its own on what damage is. Start at Run.
package battery
