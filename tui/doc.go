// Package tui is the terminal screen of a session: what stands, what is
// contested and who speaks, live, with the keys to step, overrule and leave.
// It draws from the states and rulings that a running session tells it and
// folds nothing itself; it touches neither network nor disk. There is one
// tea.Model; panes are plain structs with setters and View(width, height).
// Start at Run, then Model.Update, then Arrange.
package tui
