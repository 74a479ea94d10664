package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/state/store"
)

// tagOptions are the flags of moot tag.
type tagOptions struct {
	name   string
	remove []string
}

func newTag(c *Console) *cobra.Command {
	o := &tagOptions{}
	cmd := &cobra.Command{
		Use:               "tag",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(c, args[0], args[1:], cmd.Flags().Changed("name"))
		},
	}
	cmd.Flags().StringVar(&o.name, "name", "", "a `TEXT` that lists show before the question; \"\" removes it")
	cmd.Flags().StringArrayVar(&o.remove, "remove", nil, "remove this `TAG`; may be repeated")
	return cmd
}

// run adds and removes tags and sets the name. Without a change, it prints them.
func (o *tagOptions) run(c *Console, id string, add []string, named bool) error {
	path, err := find(c, id)
	if err != nil {
		return err
	}
	word := func(tag string) string { return strings.TrimPrefix(tag, "#") }
	add, remove := lists.Map(add, word), lists.Map(o.remove, word)
	for _, tag := range add {
		if err := store.CheckTag(tag); err != nil {
			return usage("%w", err)
		}
	}
	var tags store.Tags
	if named || len(add)+len(remove) > 0 {
		tags, err = store.ChangeTags(path, func(tags *store.Tags) error {
			for _, tag := range remove {
				if !slices.Contains(tags.Tags, tag) {
					return usage("session %s does not have the tag %s", sessionID(path), plain.Line(clip(tag)))
				}
			}
			tags.Tags = slices.DeleteFunc(append(tags.Tags, add...), func(tag string) bool { return slices.Contains(remove, tag) })
			if named {
				tags.Name = o.name
			}
			return nil
		})
	} else {
		tags, err = store.ReadTags(path)
	}
	if err != nil {
		return err
	}
	return c.Print(tagText(tags) + "\n")
}

// tagText is a name and tags in a line: "The queue  #redis #decided".
func tagText(t store.Tags) string {
	words := lists.Map(t.Tags, func(tag string) string { return "#" + tag })
	if t.Name != "" {
		words = append([]string{t.Name + " "}, words...)
	}
	if len(words) == 0 {
		return "no name and no tags"
	}
	return strings.TrimSpace(strings.Join(words, " "))
}
