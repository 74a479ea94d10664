package cli

import (
	"context"
	_ "embed" // for help.txt
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moot/agent"
	"moot/agent/endpoint"
	"moot/agent/person"
	"moot/config"
	"moot/demo"
	"moot/internal/plain"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// helpText is the help of all commands: the path, the usage, a summary, a description and examples of each.
//
//go:embed help.txt
var helpText string

// addHelp sets the help of the commands. What a command has as its description already comes last.
func addHelp(root *cobra.Command) {
	for _, section := range strings.Split(helpText, "=== ")[1:] {
		path, rest, _ := strings.Cut(section, "\n")
		cmd, _, err := root.Find(strings.Fields(path)[1:])
		if err != nil || cmd.CommandPath() != path {
			continue
		}
		cmd.Use, rest, _ = strings.Cut(rest, "\n")
		cmd.Short, rest, _ = strings.Cut(rest, "\n")
		rest, cmd.Example, _ = strings.Cut(rest, "\nExamples:\n")
		cmd.Long, cmd.Example = strings.TrimSpace(rest)+cmd.Long, strings.TrimRight(cmd.Example, "\n")
	}
}

// writeUsage writes the usage line, commands, examples and flags of a command.
func writeUsage(w io.Writer, cmd *cobra.Command) error {
	var out strings.Builder
	fmt.Fprintf(&out, "Usage:\n  %s\n", cmd.UseLine())
	list := func(title, id string) {
		first := true
		for _, sub := range cmd.Commands() {
			if sub.GroupID != id || !sub.IsAvailableCommand() {
				continue
			}
			if first {
				fmt.Fprintf(&out, "\n%s:\n", title)
			}
			first = false
			fmt.Fprintf(&out, "  %-10s %s\n", sub.Name(), sub.Short)
		}
	}
	for _, g := range cmd.Groups() {
		list(g.Title, g.ID)
	}
	list("Commands", "")
	if cmd.Example != "" {
		fmt.Fprintf(&out, "\nExamples:\n%s\n", cmd.Example)
	}
	titles, sets := flagGroups(cmd)
	for _, title := range titles {
		fmt.Fprintf(&out, "\n%s:\n%s", title, sets[title].FlagUsagesWrapped(maxWidth))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "\nSee %s COMMAND --help for the details of a command.\n", cmd.CommandPath())
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// completeFlags completes the values of all flags that several commands share.
func (c *Console) completeFlags(cmd *cobra.Command) {
	completeWords(cmd, "format", c.formatNames()...)
	words, how := map[string][]string{}, map[string]cobra.ShellCompDirective{}
	for _, format := range c.formats() {
		for _, f := range format.Settings().Fields {
			if f.Kind == view.FieldParticipant || len(f.Words()) == 0 {
				continue
			}
			words[f.Key] = append(words[f.Key], f.Words()...)
			if how[f.Key] |= cobra.ShellCompDirectiveNoFileComp; f.Other != "" {
				how[f.Key] = cobra.ShellCompDirectiveDefault
			}
		}
	}
	for key := range words {
		complete(cmd, key, func(context.Context, string) []string { return words[key] }, how[key])
	}
	completeWords(cmd, "theme", "auto", "dark", "light", "contrast", "ansi", "mono")
	completeWords(cmd, "reasoning-effort", config.Efforts()...)
	folders := func(context.Context, string) []string { return nil }
	complete(cmd, "workspace", folders, cobra.ShellCompDirectiveFilterDirs)
	seats := seatNames(c.formats()...)
	for _, seat := range seats {
		complete(cmd, seat, c.completeParticipant, cobra.ShellCompDirectiveDefault)
	}
	complete(cmd, "seat", func(ctx context.Context, typed string) []string {
		seat, participant, named := strings.Cut(typed, "=")
		var values []string
		if !named {
			for _, seat := range seats {
				values = append(values, seat+"=")
			}
			return values
		}
		for _, name := range c.completeParticipant(ctx, participant) {
			values = append(values, seat+"="+name)
		}
		return values
	}, cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp)
}

// completeParticipants completes an argument that is a participant.
func (c *Console) completeParticipants(
	cmd *cobra.Command, args []string, typed string,
) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.completeParticipant(cmd.Context(), typed), cobra.ShellCompDirectiveNoSpace
}

// completeSessions completes the ID of a session as the first argument, with its title as the description.
func (c *Console) completeSessions(
	cmd *cobra.Command, args []string, typed string,
) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.completeMoreSessions(cmd, args, typed)
}

// completeMoreSessions completes the ID of another session than those before.
func (c *Console) completeMoreSessions(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	dir, err := c.sessions()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	summaries, err := store.NewLister(dir, c.rules()...).List(context.Background(), nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for i := range summaries {
		if s := &summaries[i]; !slices.Contains(args, s.ID) {
			ids = append(ids, cobra.CompletionWithDesc(s.ID, clip(plain.Line(view.Title(s.Question)))))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeSessionsOrFiles is completeSessions for commands that also take a file.
func (c *Console) completeSessionsOrFiles(
	cmd *cobra.Command, args []string, typed string,
) ([]string, cobra.ShellCompDirective) {
	ids, _ := c.completeSessions(cmd, args, typed)
	return ids, cobra.ShellCompDirectiveDefault
}

// completeDemos completes the format of a demo.
func completeDemos(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		for _, d := range demo.All() {
			names = append(names, cobra.CompletionWithDesc(string(d.Format), d.About))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

const (
	// completionTime is how long a server may take to list its models while the user waits for a completion.
	completionTime = 700 * time.Millisecond
	// maxCompleted is how many models complete a participant.
	maxCompleted = 500
)

// serverIn returns the part of a participant that names a server, without its model: "openai:" or
// "http://127.0.0.1:8080/v1#"; or "" if it names none.
func serverIn(participant string) string {
	if strings.HasPrefix(participant, "http://") || strings.HasPrefix(participant, "https://") {
		base, _, found := strings.Cut(participant, "#")
		if !found {
			return ""
		}
		return base + "#"
	}
	name, _, found := strings.Cut(participant, ":")
	presets, err := endpoint.Presets()
	if !found || err != nil {
		return ""
	}
	for i := range presets {
		if presets[i].Name == name {
			return name + ":"
		}
	}
	return ""
}

// models returns the participants that a server offers, one for each model that can be typed.
func (c *Console) models(
	ctx context.Context, server string, env func(string) string, limit time.Duration,
) ([]string, endpoint.Survey, error) {
	config, err := endpoint.Parse(server+"MODEL", env)
	if err != nil {
		return nil, endpoint.Survey{}, err
	}
	survey := endpoint.New(config, endpoint.Limits{Probe: limit, Connect: limit}, c.Transport, nil).Survey(ctx)
	var names []string
	for _, model := range survey.Models {
		// Google lists its models with the name of the list.
		model = strings.TrimPrefix(model, "models/")
		if plain.Line(model) == model && !strings.ContainsAny(model, " \t") {
			names = append(names, server+model)
		}
	}
	return names, survey, nil
}

// completeParticipant returns the names that complete a participant: with a server, those of its models. The keyring is
// not asked for a key, since it may ask the user for a password.
func (c *Console) completeParticipant(ctx context.Context, typed string) []string {
	server := serverIn(typed)
	if server == "" {
		names := c.readDefaults().book.Names()
		names = append(names, state.BuiltInRules, person.Name, string(agent.KindScript)+":", "exec:")
		for _, p := range c.agentPrograms() {
			names = append(names, p.Name)
		}
		if presets, err := endpoint.Presets(); err == nil {
			for i := range presets {
				names = append(names, presets[i].Name+":")
			}
		}
		return names
	}
	names, _, err := c.models(ctx, server, c.Getenv, c.checkTime(completionTime))
	if err != nil {
		return nil
	}
	return names[:min(len(names), maxCompleted)]
}
