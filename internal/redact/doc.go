// Package redact removes secrets from text. Known key formats are rows of rules.toml. All others are found by one grammar:
// a name from names.toml, a separator, a value, and the line around them (grammar.go); blocks.go has what runs over
// several lines, such as a private key. In source code a literal is a value and a variable is not. It works on whole
// texts, so cut them afterwards. Start at New.
package redact
