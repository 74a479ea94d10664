package cli

import (
	"cmp"
	"context"
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
	"moot/config"
	"moot/internal/confine"
	"moot/internal/enum"
	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/run"
	"moot/research"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// command makes a command without flags.
func command(name string, args cobra.PositionalArgs, run func(args []string) error) *cobra.Command {
	return &cobra.Command{
		Use: name, Args: args, RunE: func(_ *cobra.Command, args []string) error { return run(args) },
	}
}

// parent makes a command that has only subcommands.
func parent(name string, subcommands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Args: cobra.ArbitraryArgs}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return noSuchCommand(cmd, args[0])
		}
		var names []string
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return usage("the command is missing: %s; see %s --help", strings.Join(names, ", "), cmd.CommandPath())
	}
	for _, sub := range subcommands {
		sub.DisableFlagsInUseLine = true
	}
	cmd.AddCommand(subcommands...)
	return cmd
}

// noSuchCommand names the nearest command.
func noSuchCommand(parent *cobra.Command, word string) error {
	var known []string
	for _, c := range parent.Commands() {
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	if nearest := enum.Nearest(word, known); nearest != "" {
		return usage("unknown command %q: did you mean %s %s?", word, parent.CommandPath(), nearest)
	}
	if strings.ContainsAny(word, " ?") && !parent.HasParent() {
		return usage("unknown command %q; to ask a question, type: moot ask %q", word, word)
	}
	return usage("unknown command %q; see %s --help", word, parent.CommandPath())
}

// flagGroup is the annotation with the title of a flag's group.
const flagGroup = "group"

// group adds flags to a command under a title. The help shows the groups in the order in which they were added.
func group(cmd *cobra.Command, title string, define func(*pflag.FlagSet)) {
	set := newFlagSet(title)
	define(set)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[flagGroup] = []string{title}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(set)
}

func newFlagSet(name string) *pflag.FlagSet {
	set := pflag.NewFlagSet(name, pflag.ContinueOnError)
	set.SortFlags = false
	return set
}

// flagGroups returns the flags of a command by group, in the order of the help. The name of a set is its title.
func flagGroups(cmd *cobra.Command) (titles []string, sets map[string]*pflag.FlagSet) {
	sets = map[string]*pflag.FlagSet{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if named := f.Annotations[flagGroup]; len(named) > 0 {
			title = named[0]
		}
		if sets[title] == nil {
			titles, sets[title] = append(titles, title), newFlagSet(title)
		}
		sets[title].AddFlag(f)
	})
	return titles, sets
}

// choiceFlag adds a flag whose value is a word of a list. The help says byDefault, or the value of into.
func choiceFlag[T ~string](f *pflag.FlagSet, name string, into *T, known []T, help, byDefault string) {
	help = fmt.Sprintf("%s: %s (default %s)", help, strings.Join(enum.Words(known), ", "),
		cmp.Or(byDefault, string(*into)))
	f.Func(name, help, func(text string) (err error) {
		*into, err = enum.Parse("value", text, known)
		return err
	})
}

// choicesFlag adds a flag that takes words of a list. The default is the value of into, or all words.
func choicesFlag[T ~string](f *pflag.FlagSet, name string, into *[]T, known []T, help string) {
	help = fmt.Sprintf("%s, separated by commas: %s (default all)", help, strings.Join(enum.Words(known), ", "))
	f.Func(name, help, func(text string) error {
		*into = nil
		for word := range strings.SplitSeq(text, ",") {
			one, err := enum.Parse("value", strings.TrimSpace(word), known)
			if err != nil {
				return err
			}
			*into = append(*into, one)
		}
		return nil
	})
}

// numberFlag adds a flag whose value is a number from low to high.
func numberFlag(f *pflag.FlagSet, name string, into *int, low, high int, help string) {
	f.Func(name, help, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			return fmt.Errorf("%q is not a number from %d to %d", text, low, high)
		}
		*into = n
		return nil
	})
}

// completeWords completes the value of a flag from a list.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	complete(cmd, flag, func(context.Context, string) []string { return words }, cobra.ShellCompDirectiveNoFileComp)
}

// complete completes the value of a flag. Flags that the command doesn't have are ignored.
func complete(
	cmd *cobra.Command, flag string, values func(ctx context.Context, typed string) []string,
	how cobra.ShellCompDirective,
) {
	if cmd.Flags().Lookup(flag) == nil {
		return
	}
	// It fails only if the flag is unknown or registered twice.
	_ = cmd.RegisterFlagCompletionFunc(flag,
		func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return values(cmd.Context(), typed), how
		})
}

// isSwitch reports whether the flag of a field takes no value.
func isSwitch(f *view.Field) bool {
	return f.Kind == view.FieldConfirm || slices.Equal(f.Words(), []string{view.No, view.Yes})
}

// settingFlag adds the flag of a field of a format. It stores the value as a form does.
func settingFlag(set *pflag.FlagSet, values view.Values, field *view.Field, help string) {
	key := field.Key
	if isSwitch(field) {
		set.BoolFunc(key, help, func(text string) error {
			yes, err := strconv.ParseBool(text)
			delete(values, key)
			if yes {
				values[key] = view.Yes
			}
			return err
		})
		return
	}
	if byDefault := field.Default; !field.Required {
		if byDefault == "" && field.Kind == view.FieldSelect {
			byDefault = field.Choices[0].Value
		}
		if byDefault != "" {
			help += " (default " + byDefault + ")"
		}
	}
	set.Func(key, help, func(text string) error {
		if field.Kind == view.FieldText { // repeatable
			values[key] += strings.Join(strings.Fields(text), " ") + "\n"
		} else {
			values[key] = strings.TrimSpace(text)
		}
		return nil
	})
}

// settingHelp is the help of the flag of a field.
func settingHelp(f *view.Field) string {
	help := f.Flag
	if text := cmp.Or(f.Help, f.Label); help == "" {
		help = strings.ToLower(text[:1]) + strings.TrimSuffix(text[1:], ".")
	}
	if f.Kind == view.FieldSelect && !isSwitch(f) && f.Other == "" && len(f.Words()) > 1 {
		help += ": " + strings.Join(f.Words(), ", ")
	}
	if f.Other != "" && len(f.Words()) > 1 {
		help += ": a TOML file, or one of " + strings.Join(f.Words(), ", ")
	}
	return help
}

// sharedSettings are the keys of fields that have flags for all formats.
func sharedSettings() []string {
	return lists.Map(protocol.ContextFields(), func(f view.Field) string { return f.Key })
}

// settingFlags adds the flags of formats. A flag of several formats is listed with the first one.
func settingFlags(cmd *cobra.Command, values view.Values, formats []protocol.Format) {
	shared := sharedSettings()
	for _, format := range formats {
		settings := format.Settings()
		group(cmd, "Flags of --format "+string(format.Name()), func(set *pflag.FlagSet) {
			for _, field := range settings.Fields {
				if field.Kind == view.FieldParticipant || slices.Contains(shared, field.Key) {
					continue
				}
				help := settingHelp(&field)
				if other := cmd.Flags().Lookup(field.Key); other != nil {
					other.Usage += fmt.Sprintf("; with --format %s, %s", format.Name(), help)
					continue
				}
				settingFlag(set, values, &field, help)
			}
		})
	}
}

// seatNames returns the names of the seats of some formats, each once.
func seatNames(all ...protocol.Format) []string {
	var names []string
	for _, f := range all {
		settings := f.Settings()
		for _, name := range settings.Seats() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// seatGroup returns those names that are the seat or its numbered siblings, such as panelist and panelist-2.
func seatGroup(names []string, seat string) []string {
	base := func(name string) string { return strings.TrimRight(name, "-0123456789") }
	return lists.Filter(names, func(name string) bool { return base(name) == base(seat) })
}

func sortPlaces(places []state.SeatAssignment, names []string) {
	slices.SortStableFunc(places, func(a, b state.SeatAssignment) int {
		return slices.Index(names, string(a.Seat)) - slices.Index(names, string(b.Seat))
	})
}

// placeOf returns the index of a seat, or -1 if nobody has it.
func placeOf(places []state.SeatAssignment, seat state.Seat) int {
	return slices.IndexFunc(places, func(p state.SeatAssignment) bool { return p.Seat == seat })
}

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
			return in(
				limit.field,
				usage("--%s: a cap is a positive number; leave the flag out for no cap", limit.field),
			)
		}
	}
	return nil
}

// wholeSeconds rounds up.
func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// callOptions say how models are called.
type callOptions struct {
	endpoint.Limits
	settings endpoint.Settings
}

// limitsTitle is the title of the flags that [limits] sets.
const limitsTitle = "Limits of a call to a model endpoint"

func (o *callOptions) flags(cmd *cobra.Command) {
	group(cmd, "Models (config.toml has more settings for each participant)", func(f *pflag.FlagSet) {
		f.Func("reasoning-effort", "how long a model thinks: "+strings.Join(config.Efforts(), ", "),
			func(text string) error {
				_, err := enum.Parse("reasoning effort", text, config.Efforts())
				o.settings.Effort = text
				return err
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

// commandOptions say which commands may run as evidence without asking.
type commandOptions struct {
	allowed []string
	timeout time.Duration
	// unconfined lets commands use all that the user can.
	unconfined bool
	// trials lets patches be tried without asking, if commands are confined.
	trials bool
}

// notConfined is why commands run unconfined, or "".
func (o *commandOptions) notConfined(c *Console) string {
	switch {
	case o.unconfined:
		return "--no-confine"
	case !c.Confines:
		return "this program cannot confine commands"
	}
	_, why := confine.Supported()
	return why
}

// open returns what runs the commands of a session.
func (o *commandOptions) open(c *Console, folder string) (*research.Command, error) {
	_, redactor, err := c.shared()
	if err != nil {
		return nil, err
	}
	command, err := research.OpenCommand(folder, c.Environ, redactor)
	if err != nil {
		return nil, err
	}
	if o.unconfined {
		command.Unconfined("--no-confine")
	} else if c.Confines {
		command.Confine()
	}
	return command, nil
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
			f.BoolVar(&o.trials, "allow-try", false, "let patches and tests of the seats be tried without asking, in a "+
				"temporary copy; only where commands are confined")
			f.BoolVar(
				&o.unconfined,
				"no-confine",
				false,
				"let commands use the network and all your files; else Landlock "+
					"keeps them to the workspace and package caches, on Linux",
			)
			f.Func("command-timeout", fmt.Sprintf("time limit for one command (default %s)", run.DefaultCommandTime),
				func(text string) (err error) {
					if o.timeout, err = time.ParseDuration(text); err != nil || o.timeout <= 0 {
						return fmt.Errorf("it must be a positive duration with its unit, as in 5m, not %q", text)
					}
					return nil
				})
		})
}

// hostOptions say whose pages may be fetched as evidence.
type hostOptions struct{ allowed []ledger.Host }

func (o *hostOptions) flags(cmd *cobra.Command) {
	group(cmd, "Pages as evidence (moot fetches pages of these hosts and of no others)", func(f *pflag.FlagSet) {
		f.Func("allow-host", "a `host` whose pages may be cited, as docs.example.com; NAME:PORT for another port, "+
			"NAME,private if it is in a private network (repeatable; also [hosts] of config.toml)",
			func(text string) error {
				h, err := ledger.ParseHost(text)
				if err == nil {
					o.allowed = addHosts(o.allowed, h)
				}
				return err
			})
	})
}

// addHosts adds hosts to a list. A host with the same name and port keeps its settings.
func addHosts(list []ledger.Host, more ...ledger.Host) []ledger.Host {
	list = slices.Clone(list)
	for _, h := range more {
		i := slices.IndexFunc(list, func(known ledger.Host) bool { return known.Name == h.Name && known.Port == h.Port })
		if i < 0 {
			list = append(list, h)
			continue
		}
		list[i].Private = list[i].Private || h.Private
		list[i].SourceKind = cmp.Or(list[i].SourceKind, h.SourceKind)
	}
	return list
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
	case s.Exit == state.ExitQuality:
		c.Say("require    a session that ended early meets no requirement")
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

// readMetricWeights parses the weights of the summaries. Without weights it returns nil.
func readMetricWeights(typed map[string]string) (*state.MetricWeights, error) {
	if len(typed) == 0 {
		return nil, nil //nolint:nilnil // there are no weights
	}
	weights := &state.MetricWeights{}
	into := map[string]*float64{
		"process_rigor": &weights.Rigor, "evidence_quality": &weights.Evidence,
		"perspective_diversity": &weights.Diversity, "consensus_strength": &weights.Consensus,
	}
	for name, value := range typed {
		weight := into[metricName(name)]
		number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if weight == nil || err != nil || math.IsInf(number, 0) || !(number >= 0) {
			return nil, usage(
				"--metric-weights: %s=%s is not the weight of a metric; write numbers of 0 or more, as in "+
					"process_rigor=0.4,consensus_strength=0.6; the metrics are %s",
				name,
				value,
				strings.Join(slices.Sorted(maps.Keys(into)), ", "),
			)
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

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// describeType says what a flag of a type takes, or "" if the flag's own error says it.
func describeType(kind string) string {
	switch kind {
	case "int":
		return "an integer"
	case "uint", "uint64":
		return "an integer of 0 or more"
	case "float64":
		return "a number"
	case "duration":
		return "a duration with its unit, as in 90s or 10m"
	case "bool":
		return "true or false, or nothing"
	default:
		return ""
	}
}
