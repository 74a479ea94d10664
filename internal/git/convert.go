package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// conversion lists the conversions that git applies before storing a file. None of them runs a program.
type conversion struct{ lineEnds, ident bool }

// conversions asks git how it converts the files of a snapshot: by core.autocrlf, and by the attributes text, eol,
// crlf and ident in the .gitattributes files of the work tree.
func (s *snapshot) conversions(ctx context.Context) (map[string]conversion, error) {
	s.asking.Lock()
	defer s.asking.Unlock()
	if s.converts != nil {
		return s.converts, nil
	}
	r := s.repository
	env := environ(false, "GIT_DIR="+r.gitDir(), "GIT_WORK_TREE="+r.place.Top)
	out, err := run(ctx, call{
		dir: r.place.Top, env: env, limit: maxSmall,
		args: []string{"config", "--default", "false", "--get", "core.autocrlf"},
	})
	if err != nil {
		return nil, err
	}
	always := strings.TrimSpace(out) != "false"
	out, err = run(ctx, call{
		dir: r.place.Top, env: env, limit: maxList, stdin: []byte(strings.Join(s.names, "\x00")),
		args: []string{"check-attr", "-z", "--stdin", "text", "eol", "crlf", "ident"},
	})
	if err != nil {
		return nil, err
	}
	converts, isBinary := map[string]conversion{}, map[string]bool{}
	fields := strings.Split(out, "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		name, attribute, value := fields[i], fields[i+1], fields[i+2]
		c, known := converts[name]
		if !known {
			c.lineEnds = always
		}
		switch {
		case attribute == "ident":
			c.ident = value == "set"
		case value == "unset" && attribute != "eol":
			isBinary[name] = true
		case value != "unspecified" && value != "unset":
			c.lineEnds = true
		}
		c.lineEnds = c.lineEnds && !isBinary[name]
		converts[name] = c
	}
	s.converts = converts
	return converts, nil
}

// converted converts a changed file of the work tree to the bytes that git would store. $Id$ and git-lfs pointers are
// only restored if the result equals the base, so that no attribute can hide a change.
func (s *snapshot) converted(ctx context.Context, name string, was Entry, content []byte) ([]byte, error) {
	// git-lfs stores files as a pointer with their SHA-256.
	if was.ID != "" {
		sum := sha256.Sum256(content)
		pointer := fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n",
			hex.EncodeToString(sum[:]), len(content))
		if s.repository.name("blob", []byte(pointer)) == was.ID {
			return []byte(pointer), nil
		}
	}
	hasLines, hasIdent := bytes.Contains(content, []byte("\r\n")), bytes.Contains(content, []byte("$Id: "))
	if !hasLines && !hasIdent {
		return content, nil
	}
	converts, err := s.conversions(ctx)
	if err != nil {
		return nil, err
	}
	how := converts[name]
	if hasIdent && how.ident {
		content = bytes.ReplaceAll(content, []byte("$Id: "+was.ID+" $"), []byte("$Id$"))
	}
	if hasLines && how.lineEnds {
		// A file with other line endings in between is stored unchanged, since it cannot result from a conversion.
		if lines := bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")); bytes.Count(lines, []byte("\n")) ==
			bytes.Count(content, []byte("\r\n")) || s.repository.name("blob", lines) == was.ID {
			return lines, nil
		}
	}
	return content, nil
}
