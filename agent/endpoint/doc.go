// Package endpoint seats a model behind any OpenAI-compatible chat endpoint:
// a hosted service, a server of one's own, a model on this machine. Parse turns
// the string that names one into a Config, New makes it a
// protocol.Participant, Reply asks it. Here live the presets, the prices, what
// is sent, how a stream is read, what is tried again and for how long, and how
// a failure is told. No prompt is written here and no reply is understood: the
// text goes to the protocol as it came. Keys never leave the type Secret but
// in a request's header. Start at Config, then reply.go, then attempt.go.
package endpoint
