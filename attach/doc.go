// Package attach lets other processes of the user join a running session through a Unix socket.
// A Host belongs to the process that runs the session, a Client to one that joins it.
//
// Both sides send JSON, one object per line: {"kind": …, "id": …, "data": …}. The client sends
// Hello first. The host answers with its Hello, sends every event so far, then the notices that
// describe the present, then all that follow. The client sends acts of the user, whose kinds are
// the methods of Session; the host answers each with a result of the same id.
//
// To make a session joinable, create a Host with New, pass every notice of the session to its
// Watch, call Listen before the session runs, and Close after it ended.
package attach
