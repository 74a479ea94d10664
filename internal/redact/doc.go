// Package redact removes secrets from text. Known key formats are rows of rules.toml. All other secrets are found by
// one grammar: a name from names.toml, a separator, a value, and the rest of the line (grammar.go). blocks.go handles
// secrets of several lines, such as private keys. In source code, a literal is a value and a variable is not. Redact
// whole texts, and cut them afterwards. Start at New.
package redact
