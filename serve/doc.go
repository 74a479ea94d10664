// Package serve is the MCP server that lets coding agents hold sessions. The calling agent takes the orchestrator's
// seat: its replies are parsed and admitted like those of any participant. It is never the user: no tool rules on
// points, answers questions or approves commands. Start at New in server.go; tools.go has the calls, live.go a running
// session, and caller.go the agent in its seat.
package serve
