// Package formats is the list of the formats. Nothing below it knows one of them by name.
package formats

import (
	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/protocol/panel"
	"moot/protocol/review"
	"moot/state"
)

// All returns every format, in the order in which they are listed to the user.
func All() []protocol.Format {
	return []protocol.Format{
		consult.Format{}, dialectic.Format{}, panel.Format{}, council.Format{}, hearing.Format{}, review.Format{},
	}
}

// Rules returns every format as state.NewDecoder takes them.
func Rules() []state.Rules { return lists.Map(All(), func(f protocol.Format) state.Rules { return f }) }

// ByName returns the format with the name, or nil.
func ByName(name state.Format) protocol.Format {
	for _, f := range All() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}
