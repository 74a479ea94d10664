// Package review asks several participants about a change, none seeing what the others find, and merges what they say
// into one list of findings. Start at Format.Next.
package review
