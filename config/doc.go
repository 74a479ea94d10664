// Package config parses config.toml: it turns bytes into values and problems. A problem has the line and the nearest
// known name, and the rest of the file still applies. Names that other packages know, such as actions and colors, are
// passed on with their lines as Entries. The package is pure. Start at Read. Reader reads the other TOML files that
// users write, such as playbooks; those are used only if they have no problems.
package config
