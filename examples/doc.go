// Package examples holds runs of moot that anyone can repeat: each folder has a
// README.md with the commands and what comes of them, which the tests run and
// compare.
package examples
