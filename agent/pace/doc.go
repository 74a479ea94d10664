// Package pace spreads the calls to one endpoint over time, for all sessions of
// this machine. Each endpoint has a lane: a small file that holds two times, when
// the next call may go out and until when the endpoint asked to be left alone, so
// that programs which know nothing of one another wait for the same. A file that
// cannot be used never stops a call. Nothing of a key is in a file or its name
// but a hash of it. Start at Keeper, then Lane.Enter.
package pace
