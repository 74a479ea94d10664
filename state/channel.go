package state

// Channel is the way that a decision of the user came.
type Channel string

// The channels.
const (
	// ChannelTerminal is the keyboard of the screens or of the plain mode, or a command line. It is the default, so
	// it is not written.
	ChannelTerminal Channel = ""
	// ChannelAttach is moot attach, run by the same user.
	ChannelAttach Channel = "attach"
	// ChannelElicitation is a form that the program of a coding agent says it showed to its user.
	ChannelElicitation Channel = "elicitation"
	// ChannelTrusted is such a form after the user started moot mcp with --trust-client.
	ChannelTrusted Channel = "trusted-client"
)

// Channels returns every Channel.
func Channels() []Channel {
	return []Channel{ChannelTerminal, ChannelAttach, ChannelElicitation, ChannelTrusted}
}

// IsUser reports whether what comes through a channel counts as the user. A form of a program that the user doesn't
// trust does not: nothing shows that a person filled it in. It may only answer questions, see protocol.AdmitUser.
func (c Channel) IsUser() bool {
	switch c {
	case ChannelTerminal, ChannelAttach, ChannelTrusted:
		return true
	case ChannelElicitation:
	}
	return false
}

// Words describes a channel, or is "" for the terminal.
func (c Channel) Words() string {
	switch c {
	case ChannelTerminal:
	case ChannelAttach:
		return "through moot attach"
	case ChannelElicitation:
		return "through a form of the agent's program"
	case ChannelTrusted:
		return "through a form of the agent's program, which you trust"
	}
	return ""
}
