// Package config reads the person's configuration, config.toml: bytes in,
// values and problems out. What is wrong in the file is told with its line and
// the nearest known name, and the rest of the file still counts. Names that
// belong to another package, such as actions and colors, are passed on with
// their lines as Entries, for that package to check. The package is pure and
// never touches the file system. Start at Read. The other files that a person writes in
// TOML are read with a Reader, strictly: what is wrong in one is told in the same words,
// and the file is not used.
package config
