// Package redact takes secrets out of text before anybody else reads it: private
// key blocks, tokens by their prefix, values that are assigned to names such as
// password, and long words that are too random to be words. What was taken out
// is marked in its place as [REDACTED: reason] (LE6). The rules are data, in
// rules.toml; the package is pure. Start at New and (*Redactor).Text.
package redact
