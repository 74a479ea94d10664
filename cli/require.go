package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"moot/internal/enum"
	"moot/resolver"
	"moot/state"
)

// requireOptions are the metrics that a result must reach.
type requireOptions struct {
	// typed is as given; read is filled by check.
	typed []string
	read  []requirement
}

// requirement is a metric and the least that it must be.
type requirement struct {
	metric string
	least  float64
}

func (o *requireOptions) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.typed, "require", nil, "a metric that the result must reach, as in overall>=0.6; may be given again\n(exit code 4 where it does not)")
}

// check reads what is required.
func (o *requireOptions) check() error {
	o.read = nil
	for _, text := range o.typed {
		one, err := readRequirement(text)
		if err != nil {
			return err
		}
		o.read = append(o.read, one)
	}
	return nil
}

// readRequirement reads "METRIC>=X".
func readRequirement(text string) (requirement, error) {
	const shape = "write it as METRIC>=X, in quotes, as in --require 'overall>=0.6'"
	word, value, ok := strings.Cut(text, ">=")
	if !ok {
		return requirement{}, usage("--require %q names no least value; %s", text, shape)
	}
	figures := (&state.Metrics{}).Figures()
	names := make([]string, len(figures))
	for i, figure := range figures {
		names[i] = figure.Name
	}
	metric, err := enum.Parse("metric", metricName(word), names)
	if err != nil {
		return requirement{}, usage("--require: %w", err)
	}
	least, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(least) || math.IsInf(least, 0) || least < 0 {
		return requirement{}, usage("--require %q: %q is no number from 0; %s", text, strings.TrimSpace(value), shape)
	}
	if figures[slices.Index(names, metric)].Share && least > 1 {
		return requirement{}, usage("--require %q: %s is from 0 to 1, and never reaches %s", text, metric, strings.TrimSpace(value))
	}
	return requirement{metric, least}, nil
}

// metricName is a metric as the JSON names it; people also type hyphens.
func metricName(word string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(word)), "-", "_")
}

// judge says which metrics of a result fall short of what is required of them, and
// ends with an exit code of its own where one does. A session that is not finished
// is not judged.
func (o *requireOptions) judge(c *Console, s *state.State, rulings []state.Ruling) error {
	if len(o.read) == 0 {
		return nil
	}
	if !s.Closed {
		c.Say("require    the session is not finished: it is not judged yet")
		return leaveWith(ExitInconclusive)
	}
	metrics := resolver.Measure(s, rulings)
	short := false
	for _, r := range o.read {
		for _, figure := range metrics.Figures() {
			if figure.Name == r.metric && !r.met(figure.Value) {
				c.Say("require    %s", r.missed(figure.Value))
				short = true
			}
		}
	}
	if short {
		return leaveWith(ExitFound)
	}
	return nil
}

// met reports whether a metric is what is required, but for what sums of doubles
// may miss it by. What there is none of is not.
func (r requirement) met(value *float64) bool { return value != nil && *value >= r.least-1e-9 }

// missed says by what a metric falls short.
func (r requirement) missed(value *float64) string {
	least := strconv.FormatFloat(r.least, 'f', -1, 64)
	if value == nil {
		return fmt.Sprintf("%s: this session gives no ground for it, and at least %s is required", r.metric, least)
	}
	// Rounded it might look like what is required.
	said := strconv.FormatFloat(math.Floor(*value*1000)/1000, 'f', -1, 64)
	return fmt.Sprintf("%s is %s, and at least %s is required", r.metric, said, least)
}

// readMetricWeights reads "process_rigor=0.4,evidence_quality=0.6"; nil is for "".
func readMetricWeights(typed string) (*state.MetricWeights, error) {
	if strings.TrimSpace(typed) == "" {
		return nil, nil //nolint:nilnil // nothing was said, and nothing is wrong
	}
	const shape = "--metric-weights is METRIC=WEIGHT, parted by commas, as in process_rigor=0.4,consensus_strength=0.6"
	weights := &state.MetricWeights{}
	into := map[string]*float64{
		"process_rigor": &weights.Rigor, "evidence_quality": &weights.Evidence,
		"perspective_diversity": &weights.Diversity, "consensus_strength": &weights.Consensus,
	}
	known := []string{"process_rigor", "evidence_quality", "perspective_diversity", "consensus_strength"}
	named, sum := map[string]bool{}, 0.0
	for part := range strings.SplitSeq(typed, ",") {
		word, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, usage("%s; got %q", shape, part)
		}
		metric, err := enum.Parse("summary", metricName(word), known)
		if err != nil {
			return nil, usage("--metric-weights: %w", err)
		}
		if named[metric] {
			return nil, usage("--metric-weights names %s twice", metric)
		}
		weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || math.IsNaN(weight) || math.IsInf(weight, 0) || weight < 0 {
			return nil, usage("--metric-weights: the weight of %s is a number from 0, as in 0.4, not %q", metric, strings.TrimSpace(value))
		}
		named[metric], *into[metric] = true, weight
		sum += weight
	}
	if sum == 0 {
		return nil, usage("--metric-weights: all weights are 0, so that nothing would count")
	}
	return weights, nil
}
