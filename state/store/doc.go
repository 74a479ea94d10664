// Package store keeps sessions on disk: one file per session with one chained line per event, synced before Append
// returns. It handles files, locks, lists, labels and tags; it neither rules nor folds events. Start at File, or for the list
// of sessions at Lister.
//
// # The file
//
// A session is ID.jsonl. Each line has exactly this layout, without spaces, and ends with a newline:
//
//	{"seq":7,"at":"2026-11-21T15:30:45.25Z","prev":"…","kind":"point-raised","data":{…},"sum":"…"}
//
// prev is the SHA-256 of the previous line without its newline, or 64 zeros in the first line. sum is the SHA-256 of
// the line up to it. The head of the chain is the hash of the last line. A line has at most MaxLine bytes.
//
// # Units
//
// The events of one Append are a unit. They count together or not at all, so that a reply is never stored without its
// moves. Every line of a unit except the last has left, the number of lines that follow, counting down to 1:
//
//	{"seq":7,"at":"…","prev":"…","left":2,"kind":"usage-counted","data":{…},"sum":"…"}
//	{"seq":8,"at":"…","prev":"…","left":1,"kind":"reply-received","data":{…},"sum":"…"}
//	{"seq":9,"at":"…","prev":"…","kind":"point-raised","data":{…},"sum":"…"}
//
// # Forks
//
// A replay is the fold of a prefix; a fork is a prefix followed by other events. Fork copies the first units of a
// session to a new file. Only the chain and the first line change: it has the new id, and its "fork" names the old
// session and event.
//
// # Damage
//
// A last line without a newline whose sum is wrong is torn. A file that ends in a torn line, or in part of a unit, has
// an incomplete unit at its end: a write was cut short before it was acknowledged. Open cuts off that unit and reports
// it; Read reports it and changes nothing. A last line that only lacks its newline is complete. A file without one
// complete unit is refused.
//
// Anything else, including a left that does not count down, is a *DamageError with the line number. The file is left
// unchanged, and callers get the complete units before the damage. If complete units are missing at the end, the chain
// is still consistent, so this is only found against a known head.
//
// # Text
//
// Text is UTF-8. A byte that is not part of a valid character is stored as U+FFFD.
package store
