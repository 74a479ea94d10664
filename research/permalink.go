package research

import (
	"net/url"
	"strings"
)

// isScheme reports whether what stands before "://" is a URL's scheme
// (RFC 3986, 3.1).
func isScheme(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return text != "" && strings.ContainsRune(letters, rune(text[0])) &&
		strings.Trim(text, letters+"0123456789+-.") == ""
}

// parsePermalink reads https://HOST/OWNER/REPOSITORY/blob/COMMIT/PATH#L1-L2 and
// GitLab's https://HOST/GROUP/…/-/blob/COMMIT/PATH#L1-2, on any host. Only a
// full commit (40 or 64 hex digits) makes a link permanent: a branch, a tag or
// a shortened commit is refused. A query ("?plain=1") does not count.
func parsePermalink(text string) (reference Reference, why string) {
	link, err := url.Parse(text)
	if err != nil || (link.Scheme != "https" && link.Scheme != "http") {
		return reference, "it is a link, and no permalink to a commit"
	}
	commit, path, found := cutBlob(link.Path)
	switch {
	case !found:
		return reference, "it is a link, and no permalink to a file at a commit"
	case !isCommit(commit):
		return reference, "the link names a branch, a tag or a shortened commit, and so can change; take one with the full commit"
	case !strings.HasPrefix(link.Fragment, "L"):
		return reference, "the link names no line"
	}
	reference.Commit = commit
	if reference.Spans, why = parseSpans(link.Fragment, true); why != "" {
		return Reference{}, why
	}
	reference.Path, why = parsePath(path)
	if why == "" {
		// Escapes of the link may decode to what the text itself may not hold.
		_, why = parseReference(reference.String())
	}
	if why != "" {
		return Reference{}, why
	}
	return reference, ""
}

// cutBlob takes the commit and the file's path out of a permalink's path.
func cutBlob(path string) (commit, file string, found bool) {
	_, rest, found := strings.Cut(path, "/-/blob/")
	if !found {
		// "", owner, repository, "blob", commit, path.
		parts := strings.SplitN(path, "/", 5)
		if len(parts) < 5 || parts[3] != "blob" {
			return "", "", false
		}
		rest = parts[4]
	}
	return strings.Cut(rest, "/")
}

// isCommit reports whether a text is a full git object name in lower-case hex:
// 40 digits for SHA-1, 64 for SHA-256.
func isCommit(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}
