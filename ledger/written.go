package ledger

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

// IsProse reports whether a file is a document that people read, by its extension.
func IsProse(name string) bool {
	return slices.Contains([]string{
		".md", ".markdown", ".txt", ".rst", ".adoc", ".org", ".tex", ".pdf", ".docx", ".html", ".htm",
	}, strings.ToLower(path.Ext(name)))
}

// IsSource reports whether a file is source code, by its extension. The others are documents, data, or logs.
func IsSource(name string) bool {
	const extensions = " " +
		".asm .bash .bat .c .cc .clj .cljs .cmake .cpp .cs .css .cxx .dart .elm .erl .ex .exs .f90 .fish .fs " +
		".go .gradle .groovy .h .hh .hpp .hs .hxx .java .jl .js .jsx .kt .kts .lisp .lua .m .mjs .ml .mm .nim " +
		".nix .pas .php .pl .pm .proto .ps1 .py .r .rb .rs .s .sass .scala .scss .sh .sol .sql .svelte .swift " +
		".tcl .tf .ts .tsx .v .vb .vue .zig .zsh "
	extension := strings.ToLower(path.Ext(name))
	return extension != "" && strings.Contains(extensions, " "+extension+" ")
}

// WrittenByMoot reports whether a text was written by moot, as a whole or in a part that somebody pasted: its result,
// its progress lines, an export in any form, a comment, or a session file (RV4). Such a text is known by its marker,
// and by the ID of a session in one of moot's own layouts; a text that only mentions a session is not meant. Source
// code is known by the marker alone, because comments and tests quote what programs print.
func WrittenByMoot(name string, text []byte) bool {
	const within = 4 << 10
	if bytes.Contains(text[:min(len(text), within)], []byte(Marker)) {
		return true
	}
	if IsSource(name) {
		return false
	}
	if slices.ContainsFunc([]string{
		"<!-- " + Marker, `"kind":"session-opened"`, `"schema":"` + Marker, `"schema": "` + Marker,
		`<title id="map-title">`,
	}, func(own string) bool { return bytes.Contains(text, []byte(own)) }) {
		return true
	}
	const before, behind = 200, 80
	return slices.ContainsFunc(sessionID.FindAllIndex(text, -1), func(at []int) bool {
		return ownLayout.Match(text[max(0, at[0]-before):min(len(text), at[1]+behind)])
	})
}

// The ID of a session, and the layouts in which moot writes it.
var (
	sessionID = regexp.MustCompile(anID)
	ownLayout = regexp.MustCompile(`(?im)` +
		// "session    ID (panel)" in text, Markdown and HTML
		`\bsession\b` + between + anID + `(?:</?[a-z][^<>]*>|[\s*_` + "`" + `])*\([a-z]+\)` +
		// the line "session    ID" of the progress, also quoted
		`|^[^\pL\pN\n]*session\b` + between + anID + `[^\pL\pN\n]*$` +
		// the last progress line
		`|\bsaved\s+` + anID + `, \d+ events\b` +
		// the foot of a comment
		`|\bmoot session ` + anID + `, round \d` +
		// a JSON object
		`|\\?"(?:id|session)\\?"\s*:\s*\\?"` + anID + `\\?"`)
)

const (
	anID    = `20\d{6}-\d{6}-[0-9a-z]{4}\b`
	between = `(?:[^\pL\pN<]|</?[a-z][^<>]*>){1,60}?`
)
