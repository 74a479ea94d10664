package scrub

import (
	"slices"
	"strings"
	"sync"
)

// Redacted stands where a secret stood.
const Redacted = "[REDACTED]"

// Shortest is the length in bytes under which a secret is not looked for in
// foreign text: local servers are given keys like "x", and a message with each
// x replaced says nothing any more.
const Shortest = 4

// Scrubber takes secrets out of text. It may be used by several goroutines; nil
// takes nothing out.
type Scrubber struct {
	mutex sync.RWMutex
	// set is a pointer also because package fmt walks into fields that are not
	// exported, and prints only the address of what is two pointers away.
	set *secrets
}

// secrets are what is looked for, never changed once made.
type secrets struct {
	known []string
	// forms are the secrets in each way in which they may be written, the
	// longest first; byFirst are the same by their first byte.
	forms   []string
	byFirst [256][]string
	// heads are how masked secrets begin.
	heads    []string
	longest  int
	replacer *strings.Replacer
}

// New returns a scrubber for secrets.
func New(hidden ...string) *Scrubber {
	s := &Scrubber{set: &secrets{}}
	s.Hide(hidden...)
	return s
}

// Hide adds secrets, each in the forms in which a server or a library may write
// it. Those shorter than Shortest are passed over.
func (s *Scrubber) Hide(hidden ...string) {
	if s == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known := slices.Clone(s.set.known)
	for _, secret := range hidden {
		secret = strings.TrimSpace(secret)
		if len(secret) >= Shortest && !slices.Contains(known, secret) {
			known = append(known, secret)
		}
	}
	if len(known) > len(s.set.known) {
		s.set = newSecrets(known)
	}
}

func newSecrets(known []string) *secrets {
	set := &secrets{known: known}
	for _, secret := range known {
		set.forms = append(set.forms, forms(secret)...)
		set.heads = append(set.heads, secret[:Shortest-1])
	}
	slices.SortFunc(set.forms, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	set.forms = slices.Compact(set.forms)
	pairs := make([]string, 0, 2*len(set.forms))
	for _, form := range set.forms {
		pairs = append(pairs, form, Redacted)
		set.byFirst[form[0]] = append(set.byFirst[form[0]], form)
		set.longest = max(set.longest, len(form))
	}
	if len(pairs) > 0 {
		set.replacer = strings.NewReplacer(pairs...)
	}
	return set
}

// current returns what is looked for now.
func (s *Scrubber) current() *secrets {
	if s == nil {
		return &secrets{}
	}
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.set
}

// Clean returns the text without the secrets.
func (s *Scrubber) Clean(text string) string {
	set := s.current()
	if set.replacer == nil {
		return text
	}
	return set.dropMasked(set.replacer.Replace(text))
}

// delimiters part words, as far as keys are concerned.
const delimiters = " \t\r\n\"'`,;:()[]{}<>"

// dropMasked replaces words that look like a secret with its middle starred
// out, "sk-pr***********9xQz": the ends of a key are no business of a log.
func (set *secrets) dropMasked(text string) string {
	if !strings.Contains(text, "**") && !strings.Contains(text, "...") {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		end := strings.IndexAny(text, delimiters)
		word, rest := text, ""
		if end >= 0 {
			word, rest = text[:end], text[end:end+1]
			text = text[end+1:]
		} else {
			text = ""
		}
		if set.masked(word) {
			word = Redacted
		}
		out.WriteString(word)
		out.WriteString(rest)
	}
	return out.String()
}

// masked reports that a word begins like a secret and has a masked middle.
func (set *secrets) masked(word string) bool {
	if !strings.Contains(word, "**") && !strings.Contains(word, "...") {
		return false
	}
	return set.begins(word)
}

// begins reports that a word begins like a secret.
func (set *secrets) begins(word string) bool {
	return slices.ContainsFunc(set.heads, func(head string) bool { return strings.HasPrefix(word, head) })
}
