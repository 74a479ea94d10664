package protocol

import (
	"slices"

	"moot/view"
)

func (o overrides) council() []Override {
	first, rest := o.questions()
	return slices.Concat(o.selectedFact(), first, o.points(), []Override{o.key()}, o.challenges(), o.facts(), rest, o.course(), o.answered())
}

// key marks a claim as a key claim, or takes that back.
func (o overrides) key() Override {
	return o.onPoint("claim", func(id string) Override {
		key := true
		p := o.Live(id)
		if p != nil {
			id, key = p.ID, !p.Key
		}
		override := Override{
			ID: "key", About: id, Title: "mark % as key", Detail: "much depends on it: it needs verified evidence of two sources (CV1)",
			Build: func(view.Values) ([]UserMove, string, error) {
				if key {
					return one(MarkKey{Point: id, Key: true}, id+" is a key claim: it needs two sources")
				}
				return one(MarkKey{Point: id}, id+" is not a key claim any more")
			},
		}
		switch {
		case id == "":
			return override
		case key:
			override.Title = "mark " + id + " as key"
		default:
			override.Title, override.Detail = "unmark "+id+" as key", "verified evidence of one source is enough (CV1)"
		}
		override.Why = o.refusal(MarkKey{Point: id, Key: key})
		return override
	})
}
