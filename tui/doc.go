// Package tui is the terminal screen: home with the sessions, and a session with
// what stands, what is contested and who speaks, live, with the keys to step,
// overrule and leave. It draws from the states and rulings that a running session
// tells it; only a replay folds, the events that it was given. It touches neither
// network nor disk: what lies outside is reached through Services and Home. There
// is one tea.Model; panes are plain structs with setters and view(width, height).
//
// Start at Run in run.go, then Model.Update and Arrange in layout.go. Files begin
// with what they hold: pane_ is a view, act_ a family of actions, home_ the list
// of sessions, override_ a form of a decision, replay_ an earlier moment. The
// table of keys is bindings.go.
package tui
