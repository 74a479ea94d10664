// Package record keeps what goes over the wire between a session and its
// participants, for tests and reports of defects: every request to a model
// endpoint and every answer as it came, every agent program with what it read and
// wrote, and the replies that the session took from them. Keys are taken out of
// all of it. The file is JSON Lines, see line.go. Open reads it again: as the
// replies of a session (Recording.Replies) and as the wire itself
// (Recording.Replay).
//
// A Recorder is told of calls by the loop (protocol.Recorder), of requests by
// its Transport, and of programs by who runs them, through From. Start at Create
// and at Open.
package record
