// Package store keeps sessions on disk: one file per session, one chained line
// per event, appended and synced before anyone is told. It holds files, locks,
// listing and labels; it rules nothing and folds nothing. Start at File.
//
// # The file
//
// A session is ID.jsonl. Each line is laid out exactly so, without spaces, and
// ends with a newline:
//
//	{"seq":7,"at":"2026-11-21T15:30:45.25Z","prev":"…","kind":"point-raised","data":{…},"sum":"…"}
//
// Prev is the SHA-256 of the line before without its newline, 64 zeros in the
// first line; sum is the SHA-256 of the line up to it. The head of the chain is
// the hash of the last line. A line has at most MaxLine bytes.
//
// # Units
//
// What one Append writes is a unit: its events count together or not at all, so
// that a reply never stands without its moves. Every line but the last of its
// unit says how many follow, between prev and kind, counting down to 1:
//
//	{"seq":7,"at":"…","prev":"…","left":2,"kind":"usage-counted","data":{…},"sum":"…"}
//	{"seq":8,"at":"…","prev":"…","left":1,"kind":"reply-received","data":{…},"sum":"…"}
//	{"seq":9,"at":"…","prev":"…","kind":"point-raised","data":{…},"sum":"…"}
//
// # Forks
//
// Replay is the fold of a prefix; a fork is a prefix and other events after it.
// Fork writes the first units of a session into a new file, byte for byte but for
// the chain and the first line, which carries the new id and says in "fork" of
// which session and event the past is.
//
// # What is wrong with a file
//
// A last line is torn if it lacks its newline and fails its sum. A file that
// ends in a torn line, or in lines whose unit lacks others, ends in an
// unfinished unit: a write was cut short before it was acknowledged. Open cuts
// off all of that unit and says so; Read says so and changes nothing. A last
// line that only lacks its newline is whole. A file without one whole unit was
// never opened; it is refused.
//
// Anything else, a left that does not count down included, is a *DamageError
// with the line's number; the file is left as it is, and the whole units before
// the damage are handed out. Whole units missing at the end leave a chain that
// fits: they are found only against a known head.
//
// # Text
//
// Text is kept byte for byte. JSON cannot hold bytes that are not UTF-8, so
// such a byte, 0x80 to 0xFF, is stored as the private character U+10FF00 plus
// the byte; a character of that range (U+10FF80 to U+10FFFF) in a text is
// stored as its own four bytes in the same way. Reading turns both back.
package store
