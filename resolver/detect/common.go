package detect

// isCommon reports whether a stem is of words that stand in facts of every kind, so
// that two facts that have it have nothing in common.
func isCommon(stem string) bool {
	switch stem {
	case "with", "from", "this", "that", "then", "than", "been", "have", "were", "will", "into", "over", "under", "after", "before",
		"name", "type", "user", "users", "accoun", "host", "hosts", "state", "status", "result", "event", "events", "value", "count",
		"number", "true", "false", "null", "none", "only", "also", "each", "same", "other", "some", "more", "less", "most", "until",
		"since", "about", "time", "times", "date", "start", "started", "starte", "ended", "source", "destin", "target", "system",
		"window", "windows", "micros", "progra", "files", "file", "proces", "comman", "line", "path", "image", "local", "remote", //nolint:misspell // a stem
		"servic", "server", "client", "domain", "networ", "intern", "extern", "exampl", "http", "https", "text", "info", "data",
		"ticket", "change", "approv", "reques", "reason", "owner", "statem", "note", "known", "usual", "first", "seen", "last",
		"night", "mornin", "evenin", "today", "monday", "tuesda", "wednes", "thursd", "friday", "saturd", "sunday", "january",
		"bytes", "edge", "node", "list", "action", "operat", "object", "subjec", "there", "which", "whose", "their", "does",
		"compan", "team", "manage", "record", "logon", "login", "query", "parent", "hour", "hours", "minute", "second", "days":
		return true
	}
	return false
}
