package cli

import (
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent/endpoint"
)

// callOptions are how models are called: the limits on a call to an endpoint, and
// how each is asked.
type callOptions struct {
	endpoint.Limits
	settings endpoint.Settings
}

// flags are the limits on a model endpoint, and how a model is asked.
func (o *callOptions) flags(cmd *cobra.Command) {
	group(cmd, "How models are asked (what one does not take is left out, and told)", func(f *pflag.FlagSet) {
		f.Var(effortFlag{&o.settings}, "reasoning-effort", "how long a model thinks: none, minimal, low, medium, high, xhigh, max")
		f.Var(temperatureFlag{&o.settings}, "temperature", "how freely it chooses its words, 0 to 2")
		f.IntVar(&o.settings.MaxTokens, "max-reply-tokens", 0, "cap on the tokens of one reply, with what is thought before it")
	})
	l, d := &o.Limits, endpoint.DefaultLimits()
	group(cmd, "Limits on a call to a model endpoint", func(f *pflag.FlagSet) {
		f.IntVar(&l.Attempts, "attempts", d.Attempts, "how often a call is tried in all")
		f.DurationVar(&l.BaseWait, "base-wait", d.BaseWait, "the first wait between attempts, doubled each time")
		f.DurationVar(&l.MaxWait, "max-wait", d.MaxWait, "the longest wait of our own choosing")
		f.DurationVar(&l.MaxRetryAfter, "max-retry-after", d.MaxRetryAfter, "the longest wait that a server may ask for")
		f.DurationVar(&l.Connect, "connect-timeout", d.Connect, "how long a connection may take")
		f.DurationVar(&l.FirstToken, "first-token-timeout", d.FirstToken, "how long the first token may take")
		f.DurationVar(&l.Idle, "idle-timeout", d.Idle, "the longest silence after the first token")
		f.DurationVar(&l.Total, "call-timeout", d.Total, "how long a call may take with all its attempts")
		f.IntVar(&l.MaxReplyBytes, "max-reply-bytes", d.MaxReplyBytes, "the longest reply")
	})
}

// effortFlag takes a reasoning effort.
type effortFlag struct{ settings *endpoint.Settings }

// String implements pflag.Value.
func (f effortFlag) String() string {
	if f.settings == nil {
		return ""
	}
	return string(f.settings.Effort)
}

// Set implements pflag.Value.
func (f effortFlag) Set(text string) error { return f.settings.Effort.UnmarshalText([]byte(text)) }

// Type implements pflag.Value.
func (effortFlag) Type() string { return "word" }

// temperatureFlag takes a temperature, which is not the same as none.
type temperatureFlag struct{ settings *endpoint.Settings }

// String implements pflag.Value.
func (f temperatureFlag) String() string {
	if f.settings == nil || f.settings.Temperature == nil {
		return ""
	}
	return strconv.FormatFloat(*f.settings.Temperature, 'g', -1, 64)
}

// Set implements pflag.Value.
func (f temperatureFlag) Set(text string) error {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return err
	}
	if err := (endpoint.Settings{Temperature: &value}).Check(); err != nil {
		return err
	}
	f.settings.Temperature = &value
	return nil
}

// Type implements pflag.Value.
func (temperatureFlag) Type() string { return "number" }

// pacing returns the pacer that all endpoints of this process share.
func (c *Console) pacing() *endpoint.Pacer {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pacer == nil {
		c.pacer = endpoint.NewPacer()
	}
	return c.pacer
}
