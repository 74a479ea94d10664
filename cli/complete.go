package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moot/agent"
	"moot/agent/endpoint"
	"moot/agent/person"
	"moot/demo"
	"moot/internal/plain"
	"moot/state"
	"moot/view"
)

// completeWords completes the value of a flag from a list.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	complete(cmd, flag, func(string) []string { return words }, cobra.ShellCompDirectiveNoFileComp)
}

// complete completes the value of a flag. Flags that the command doesn't have are ignored.
func complete(cmd *cobra.Command, flag string, values func(typed string) []string, how cobra.ShellCompDirective) {
	if cmd.Flags().Lookup(flag) == nil {
		return
	}
	// It fails only if the flag is unknown or registered twice.
	_ = cmd.RegisterFlagCompletionFunc(flag,
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return values(typed), how
		})
}

// completeFlags completes the values of all flags that several commands share.
func (c *Console) completeFlags(cmd *cobra.Command) {
	completeWords(cmd, "format", c.formatNames()...)
	words, how := map[string][]string{}, map[string]cobra.ShellCompDirective{}
	for _, format := range c.formats() {
		settings := format.Settings()
		for _, f := range settings.Fields {
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
		complete(cmd, key, func(string) []string { return words[key] }, how[key])
	}
	completeWords(cmd, "theme", "auto", "dark", "light", "contrast", "ansi", "mono")
	completeWords(cmd, "reasoning-effort", "none", "minimal", "low", "medium", "high", "xhigh", "max")
	folders := func(string) []string { return nil }
	complete(cmd, "workspace", folders, cobra.ShellCompDirectiveFilterDirs)
	seats := seatNames(c.formats()...)
	for _, seat := range seats {
		complete(cmd, seat, func(string) []string { return c.participantNames() }, cobra.ShellCompDirectiveDefault)
	}
	complete(cmd, "seat", func(typed string) []string {
		seat, _, named := strings.Cut(typed, "=")
		var values []string
		if !named {
			for _, seat := range seats {
				values = append(values, seat+"=")
			}
			return values
		}
		for _, name := range c.participantNames() {
			values = append(values, seat+"="+name)
		}
		return values
	}, cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp)
}

// participantNames returns the names that complete a participant, without asking any server.
func (c *Console) participantNames() []string {
	d := c.readDefaults()
	names := d.book.Names()
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

// completeParticipants completes an argument that is a participant.
func (c *Console) completeParticipants(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.participantNames(), cobra.ShellCompDirectiveNoSpace
}

// completeSessions completes the ID of a session as the first argument, with its title as the description.
func completeSessions(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeMoreSessions(cmd, args, typed)
}

// completeMoreSessions completes the ID of another session than those before.
func completeMoreSessions(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	summaries, err := listSessions()
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
func completeSessionsOrFiles(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	ids, _ := completeSessions(cmd, args, typed)
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
