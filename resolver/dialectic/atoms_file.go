package dialectic

import (
	"path"
	"strings"
)

// file takes a path, with a slash in it or with an ending, and the line behind
// it: ./a//b.go:12 is a/b.go at line 12.
func (s *scanner) file() bool {
	b := s.text[s.at]
	if s.at < s.fileless || !isWord(b) && strings.IndexByte(`/\.~$`, b) < 0 {
		return false
	}
	end := fileEnd(s.text, s.at)
	run := end
	name := trimRight(s.text[s.at:end], ".,:;!?-*@#+=%$")
	end = s.at + len(name)
	switch {
	case !isFile(name):
		s.fileless = run
		return false
	case isDigit(b) && s.quantities(end):
		return true
	}
	line, stop := lineAt(s.text, end)
	cleaned := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	s.add(atomFile, cleaned, line, stop)
	return true
}

// fileEnd is the end of a path. A colon ends it, except after the letter of a drive.
func fileEnd(text string, at int) int {
	end := at
	for end < len(text) && end-at < longestPath &&
		(isWord(text[end]) || strings.IndexByte(`./\-~+@%#*$`, text[end]) >= 0) {
		// What follows the number sign is a line.
		if text[end] == '#' {
			break
		}
		end++
		if end == at+1 && isLetter(text[at]) && byteAt(text, end) == ':' &&
			strings.IndexByte(`/\`, byteAt(text, end+1)) >= 0 &&
			byteAt(text, end+2) != '/' {
			end++
		}
	}
	return end
}

// quantities takes numbers with their units that go up to a place: 10mb/s, 24/7
// and 61/100 are no paths.
func (s *scanner) quantities(end int) bool {
	trial := scanner{text: s.text[:end], at: s.at, found: s.found[:len(s.found):len(s.found)]}
	for trial.number() {
		switch {
		case trial.at == end:
			s.found, s.at = trial.found, end
			return true
		case s.text[trial.at] == '/' || s.text[trial.at] == '-':
			trial.at++
		}
		if trial.at < end && !isDigit(s.text[trial.at]) {
			return false
		}
	}
	return false
}

// isFile reports whether a name is one of a file or folder.
func isFile(name string) bool {
	if strings.ContainsAny(name, `/\`) {
		return strings.Trim(name, `/\.~`) != "" && !isAlternative(name)
	}
	if hidden, ok := strings.CutPrefix(name, "."); ok {
		return len(hidden) > 1 && isLetter(hidden[0]) && !strings.Contains(hidden, ".")
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 || len(name) < 4 || len(name)-dot > 6 || len(name)-dot < 2 {
		return false
	}
	return isLetter(name[dot+1]) && isWord(name[dot-1]) && !isInitials(name)
}

// isInitials reports whether a name is single letters with points: u.s.a.
func isInitials(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if len(part) > 1 {
			return false
		}
	}
	return true
}

// isAlternative reports whether a slash separates two words, or comes before a unit of time.
func isAlternative(name string) bool {
	switch name {
	case "and/or", "n/a", "w/", "w/o", "i/o", "tcp/ip", "he/she", "his/her", "s/he", "yes/no", "on/off", "true/false",
		"read/write", "input/output", "client/server", "either/or", "pros/cons", "ci/cd", "a/b", "up/down", "in/out",
		"start/stop", "before/after", "pass/fail", "http/https", "ipv4/ipv6", "http/1.1", "http/2", "http/3":
		return true
	}
	before, of, one := strings.Cut(name, "/")
	return one && before != "" && !strings.Contains(of, "/") && canonicalUnit(before) != "" && isTime(canonicalUnit(of))
}

// lineAt reads the line behind a path: :12, :12-14, :12:5, #l12.
func lineAt(text string, at int) (line string, end int) {
	from := after(text, at, ":", "#l")
	if from == at {
		return "", at
	}
	end = digitsAt(text, from)
	if end == from {
		return "", at
	}
	line = text[from:end]
	for {
		next := after(text, end, "-l", "-", ":")
		stop := digitsAt(text, next)
		if next == end || stop == next {
			return line, end
		}
		line, end = line+"-"+text[next:stop], stop
	}
}

// code takes versions, hashes, addresses and names with a number in them:
// 1.2.3-rc1, go1.26, 3f9a2b1c, 10.0.0.1, cve-2026-1234.
func (s *scanner) code() bool {
	end := s.at
	for end < len(s.text) && end-s.at < longestCode &&
		(isWord(s.text[end]) || strings.IndexByte(".-+", s.text[end]) >= 0) {
		end++
	}
	word := trimRight(s.text[s.at:end], ".-+_")
	end = s.at + len(word)
	if word == "" || !strings.ContainsAny(word, "0123456789") || strings.IndexByte(`/\@`, byteAt(s.text, end)) >= 0 &&
		isWord(byteAt(s.text, end+1)) {
		return false
	}
	switch {
	case isHash(word):
		s.add(atomHash, word, "", end)
	case isVersion(word):
		if word[0] == 'v' && isDigit(word[1]) && strings.Contains(word, ".") {
			word = word[1:]
		}
		s.add(atomCode, word, "", end)
	case isNumbered(word), isRadix(word):
		s.add(atomCode, word, "", end)
	default:
		return false
	}
	return true
}

// shortestHash is the shortest hash that people write.
const shortestHash = 7

// isHash reports whether a word is hexadecimal, has digits and letters, and is long enough; hyphens may separate the
// groups of a UUID.
func isHash(word string) bool {
	letters, digits, hyphens := 0, 0, 0
	for i := range len(word) {
		switch b := word[i]; {
		case isDigit(b):
			digits++
		case b >= 'a' && b <= 'f':
			letters++
		case b == '-' && i > 0:
			hyphens++
		default:
			return false
		}
	}
	if canonicalUnit(word[digitsAt(word, 0):]) != "" {
		return false
	}
	if letters == 1 && strings.IndexByte(word, 'e') > 0 && digits < 2*shortestHash {
		// 12345e67 is a number.
		return false
	}
	return letters > 0 && digits > 0 && letters+digits >= shortestHash &&
		(hyphens == 0 || hyphens == 4)
}

// isVersion reports whether a word is a version or an address: two points
// between figures, or one behind letters.
func isVersion(word string) bool {
	letters := 0
	for letters < len(word) && isLetter(word[letters]) {
		letters++
	}
	if letters == len(word) || !isDigit(word[letters]) {
		return false
	}
	if word[0] == 'v' && letters == 1 {
		return true
	}
	points, at := 0, digitsAt(word, letters)
	for byteAt(word, at) == '.' && isDigit(byteAt(word, at+1)) {
		points++
		at = digitsAt(word, at+1)
	}
	return points > 1 || points == 1 && letters > 0 || points == 1 && byteAt(word, at) == '-' &&
		isLetter(byteAt(word, at+1)) && canonicalUnit(word[at+1:]) == ""
}

// isNumbered reports whether a word is a name with a number in it, told apart
// by hyphens: eu-west-1, utf-8.
func isNumbered(word string) bool {
	return isLetter(word[0]) && strings.Contains(word, "-") && !strings.HasSuffix(word, "-")
}

// isRadix reports whether a word is a number in another base: 0x1f, 0b101, 0o755.
func isRadix(word string) bool {
	if len(word) < len("0x1") || word[0] != '0' || strings.IndexByte("xbo", word[1]) < 0 {
		return false
	}
	for i := 2; i < len(word); i++ {
		if b := word[i]; !isDigit(b) && (word[1] != 'x' || b < 'a' || b > 'f') {
			return false
		}
	}
	return true
}
