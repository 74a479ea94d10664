package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupKey marks a flag with the title of its group.
const groupKey = "group"

// flagGroup is a titled part of a command's flags.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// group adds flags to a command under a title; help shows groups apart, in the
// order in which they were added.
func group(cmd *cobra.Command, title string, define func(*pflag.FlagSet)) {
	set := pflag.NewFlagSet(title, pflag.ContinueOnError)
	set.SortFlags = false
	define(set)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[groupKey] = []string{title}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(set)
}

// flagGroups returns the flags of a command by their groups.
func flagGroups(cmd *cobra.Command) []flagGroup {
	var groups []flagGroup
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if named := f.Annotations[groupKey]; len(named) > 0 {
			title = named[0]
		}
		for i := range groups {
			if groups[i].title == title {
				groups[i].flags.AddFlag(f)
				return
			}
		}
		set := pflag.NewFlagSet(title, pflag.ContinueOnError)
		set.SortFlags = false
		set.AddFlag(f)
		groups = append(groups, flagGroup{title, set})
	})
	return groups
}
