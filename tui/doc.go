// Package tui is the terminal screen: the list of sessions, and one session with
// its points, challenges and debate, live, with the keys to step and overrule. It
// draws the states and rulings that a running session sends; only a replay folds
// events itself. It uses neither network nor disk: those are reached through
// Services and Home. Model is the only tea.Model; panes are in tui/pane, themes
// and styles in tui/theme.
//
// Start at Run in run.go, then Model.Update in model.go and Arrange in layout.go.
// The table of keys is bindings.go; actions.go and act_ files carry actions out.
package tui
