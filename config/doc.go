// Package config reads the person's configuration, config.toml: bytes in,
// values and problems out. What is wrong in the file is told with its line and
// the nearest known name, and the rest of the file still counts. Names that
// belong to another package, such as actions and colors, are passed on with
// their lines as Entries, for that package to check. The package is pure and
// never touches the file system. Start at Read; Problem and Lines serve the other
// files that a person writes in TOML.
package config
