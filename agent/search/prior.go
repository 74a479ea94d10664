package search

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// filePrior says how likely a file is to hold the answer at all, by its path:
// 1 for ordinary source and documents, less for tests, copies of other
// people's code, examples and lists of past changes.
func filePrior(name string, in intent) float64 {
	folders, base := path.Split(strings.ToLower(name))
	prior := 1.0
	has := func(names ...string) bool {
		return slices.ContainsFunc(strings.Split(folders, "/"), func(folder string) bool {
			return slices.Contains(names, folder)
		})
	}
	if !in.tests && (isTestName(base) || has("test", "tests", "testdata", "__tests__", "spec", "fixtures", "e2e")) {
		prior *= 0.5
	}
	if has("vendor", "third_party", "external", "deps", "dist", "build", "internal_vendor") {
		prior *= 0.5
	}
	if has("example", "examples", "samples", "demo") || strings.HasPrefix(base, "example_") {
		prior *= 0.75
	}
	if strings.HasPrefix(base, "changelog") || strings.HasPrefix(base, "changes") || strings.HasPrefix(base, "license") {
		prior *= 0.7
	}
	return prior
}

func isTestName(base string) bool {
	stemmed := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasSuffix(stemmed, "_test") || strings.HasPrefix(base, "test_") || base == "conftest.py" ||
		strings.HasSuffix(stemmed, ".test") || strings.HasSuffix(stemmed, ".spec") || strings.HasSuffix(stemmed, "tests")
}

// isGenerated looks for the marks that generators leave at the top of a file.
func isGenerated(data []byte) bool {
	top := data[:min(len(data), 2048)]
	return bytes.Contains(top, []byte("DO NOT EDIT")) || bytes.Contains(top, []byte("@generated"))
}
