package cli

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent/endpoint"
	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
)

// budgetOptions are the caps of a session; 0 is no cap.
type budgetOptions struct {
	maxTokens int
	maxCost   float64
	timeout   time.Duration
}

func (o *budgetOptions) flags(cmd *cobra.Command, promptBudget *int) {
	group(cmd, "Budget (reaching a cap pauses the session)", func(f *pflag.FlagSet) {
		f.IntVar(&o.maxTokens, "max-tokens", 0, "cap on prompt and completion tokens")
		f.Float64Var(&o.maxCost, "max-cost", 0, "cap on the cost in US dollars")
		f.DurationVar(&o.timeout, "timeout", 0, "cap on the running time, as in 10m")
		if promptBudget != nil {
			f.IntVar(promptBudget, "prompt-budget", 0,
				fmt.Sprintf("size of a prompt in tokens, estimated as bytes/4 (default %d)",
					protocol.DefaultPromptBudget))
		}
	})
}

func (o *budgetOptions) check() error {
	for _, limit := range []struct {
		field    string
		negative bool
	}{{"max-tokens", o.maxTokens < 0}, {"max-cost", o.maxCost < 0}, {"timeout", o.timeout < 0}} {
		if limit.negative {
			return in(limit.field, usage("a cap is a positive number; leave the flag out for no cap"))
		}
	}
	return nil
}

// callOptions say how models are called.
type callOptions struct {
	endpoint.Limits
	settings endpoint.Settings
}

// limitsTitle is the title of the flags that [limits] sets.
const limitsTitle = "Limits of a call to a model endpoint"

func (o *callOptions) flags(cmd *cobra.Command) {
	group(cmd, "Models (config.toml has more settings for each participant)", func(f *pflag.FlagSet) {
		f.Func("reasoning-effort", "how long a model thinks: none, minimal, low, medium, high, xhigh, max",
			func(text string) error {
				o.settings.Effort = text
				return (endpoint.Settings{Effort: text}).Check()
			})
	})
	l, d := &o.Limits, endpoint.DefaultLimits()
	group(cmd, limitsTitle, func(f *pflag.FlagSet) {
		f.IntVar(&l.Attempts, "attempts", d.Attempts, "the maximum number of attempts")
		f.DurationVar(&l.BaseWait, "base-wait", d.BaseWait, "the first wait between attempts, doubled each time")
		f.DurationVar(&l.MaxWait, "max-wait", d.MaxWait, "the longest wait between attempts")
		f.DurationVar(&l.MaxRetryAfter, "max-retry-after", d.MaxRetryAfter,
			"the longest wait that a server may ask for")
		f.DurationVar(&l.Connect, "connect-timeout", d.Connect, "time limit for the connection")
		f.DurationVar(&l.FirstToken, "first-token-timeout", d.FirstToken, "time limit for the first token")
		f.DurationVar(&l.Idle, "idle-timeout", d.Idle, "the longest silence after the first token")
		f.DurationVar(&l.Total, "call-timeout", d.Total, "time limit for a call with all its attempts")
		f.IntVar(&l.MaxReplyBytes, "max-reply-bytes", d.MaxReplyBytes, "the longest reply")
	})
}

// sharedPacer returns the pacer that all endpoints of this process share.
func (c *Console) sharedPacer() *endpoint.Pacer {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pacer == nil {
		c.pacer = endpoint.NewPacer()
	}
	return c.pacer
}

// commandOptions say which commands may run as evidence without asking.
type commandOptions struct {
	allowed []string
	timeout time.Duration
}

func (o *commandOptions) flags(cmd *cobra.Command) {
	group(cmd, "Commands as evidence (moot asks before running others; headless, only these run)",
		func(f *pflag.FlagSet) {
			f.Func("allow-command", "a `command` that may run without asking, as \"go test ...\": exact words, * "+
				"for one word, ... at the end for the rest (repeatable)", func(text string) error {
				p, err := ledger.ParseCommandPattern(text)
				if err == nil && !slices.Contains(o.allowed, p.String()) {
					o.allowed = append(o.allowed, p.String())
				}
				return err
			})
			f.Func("command-timeout", fmt.Sprintf("time limit for one command (default %s)", run.DefaultCommandTime),
				func(text string) (err error) {
					if o.timeout, err = time.ParseDuration(text); err != nil || o.timeout <= 0 {
						return fmt.Errorf("it must be a positive duration with its unit, as in 5m, not %q", text)
					}
					return nil
				})
		})
}

// requirements are the metrics that a result must reach.
type requirements []requirement

// requirement is the minimum of a metric.
type requirement struct {
	metric  string
	minimum float64
}

func (o *requirements) flags(f *pflag.FlagSet) {
	f.Func("require", "a `metric` that the result must reach, as in overall>=0.6 (repeatable; exit code 4 if it "+
		"doesn't)",
		func(text string) error {
			one, err := parseRequirement(text)
			*o = append(*o, one)
			return err
		})
}

// parseRequirement parses "METRIC>=X".
func parseRequirement(text string) (requirement, error) {
	const shape = "write it as METRIC>=X, in quotes, as in --require 'overall>=0.6'"
	name, value, ok := strings.Cut(text, ">=")
	if !ok {
		return requirement{}, fmt.Errorf("%q has no minimum; %s", text, shape)
	}
	figures := (&state.Metrics{}).Figures()
	names := make([]string, len(figures))
	for i, figure := range figures {
		names[i] = figure.Name
	}
	metric, err := enum.Parse("metric", metricName(name), names)
	if err != nil {
		return requirement{}, err
	}
	value = strings.TrimSpace(value)
	minimum, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(minimum, 0) || !(minimum >= 0) {
		return requirement{}, fmt.Errorf("%q: %q is not a number of 0 or more; %s", text, value, shape)
	}
	if figures[slices.Index(names, metric)].Share && minimum > 1 {
		return requirement{}, fmt.Errorf("%q: %s is from 0 to 1, and never reaches %s", text, metric, value)
	}
	return requirement{metric, minimum}, nil
}

// missed reports whether the result of a finished session misses a requirement, and prints which.
func (o requirements) missed(c *Console, s *state.State, rulings []state.Ruling) bool {
	switch {
	case len(o) == 0 || !s.Closed:
		return false
	case s.Inconclusive:
		c.Say("require    an inconclusive session meets no requirement")
		return true
	}
	metrics, missed := resolver.Measure(s, rulings), false
	for _, r := range o {
		for _, figure := range metrics.Figures() {
			// Sums of floating-point numbers may miss the minimum by this much.
			const tolerance = 1e-9
			if figure.Name != r.metric || figure.Value != nil && *figure.Value >= r.minimum-tolerance {
				continue
			}
			missed = true
			if figure.Value == nil {
				c.Say("require    %s has no value in this session, and at least %s is required", r.metric,
					number(r.minimum))
				continue
			}
			// Rounding up could show the required value.
			value := math.Floor(*figure.Value*1000) / 1000
			c.Say("require    %s is %s, and at least %s is required", r.metric, number(value), number(r.minimum))
		}
	}
	return missed
}

// readMetricWeights parses "process_rigor=0.4,evidence_quality=0.6". It returns nil for "".
func readMetricWeights(typed string) (*state.MetricWeights, error) {
	if strings.TrimSpace(typed) == "" {
		return nil, nil //nolint:nilnil // there are no weights
	}
	weights := &state.MetricWeights{}
	into := map[string]*float64{
		"process_rigor": &weights.Rigor, "evidence_quality": &weights.Evidence,
		"perspective_diversity": &weights.Diversity, "consensus_strength": &weights.Consensus,
	}
	for part := range strings.SplitSeq(typed, ",") {
		name, value, _ := strings.Cut(part, "=")
		weight := into[metricName(name)]
		number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if weight == nil || err != nil || math.IsInf(number, 0) || !(number >= 0) {
			return nil, usage("--metric-weights is METRIC=WEIGHT, separated by commas, as in "+
				"process_rigor=0.4,consensus_strength=0.6, with weights of 0 or more; got %q; the metrics are %s", part,
				strings.Join(slices.Sorted(maps.Keys(into)), ", "))
		}
		*weight = number
	}
	if *weights == (state.MetricWeights{}) {
		return nil, usage("--metric-weights: all weights are 0")
	}
	return weights, nil
}

// metricName is the name of a metric in JSON. Users also type hyphens.
func metricName(text string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "-", "_")
}
