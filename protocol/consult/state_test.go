package consult

import (
	"strings"
	"testing"
	"time"

	"moot/state"
	"moot/view"
)

func opened(t *testing.T, rules state.Rules, own ...state.Payload) (*state.State, error) {
	t.Helper()
	events := append([]state.Payload{&state.SessionOpened{
		Rules: rules, Version: state.Version, ID: "s", Settings: state.Settings{Format: rules.Name()},
	}, &state.RoundStarted{Round: 1}}, own...)
	s, _, err := state.Extend(&state.State{}, time.Unix(0, 0), events...)
	return s, err
}

// other is a format that has claims, but no consultation.
type other struct{}

func (other) Name() state.Format { return "other" }
func (other) Own() state.Own     { return state.Own{Claims: true} }

// The map and the coverage check belong to consultations; the map is exported and described.
func TestMapAndCoverageAreTheConsultationsOwn(t *testing.T) {
	t.Parallel()
	drawn := &MapDrawn{Map{Shape: "two ways", Tangents: "cost"}}
	s, err := opened(t, Format{}, drawn, &CoverageChecked{New: 2})
	if err != nil {
		t.Fatal(err)
	}
	own := Of(s)
	if own.Coverage != 1 || own.NewDisputes != 2 || own.Map.Shape != "two ways" {
		t.Errorf("%+v", own)
	}
	if space := view.SpaceOf(s); space.Shape != "two ways" || space.Tangents != "cost" || space.Ambiguities == nil {
		t.Errorf("exported as %+v", space)
	}
	if lines, ok := (document{}).Event(s, s, drawn); !ok || len(lines) != 2 || lines[1].Text != "cost" {
		t.Errorf("the map reads %v", lines)
	}
	for _, event := range []state.Payload{drawn, &CoverageChecked{}} {
		if _, err := opened(t, other{}, event); err == nil || !strings.Contains(err.Error(), "the format other has no such event") {
			t.Errorf("%s: %v", state.KindOf(event), err)
		}
	}
}
