package search

import "testing"

func TestLineNotes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file, line string
		kind       lineKind
		name       string
	}{
		{"a.go", "func (s *Server) Serve(l net.Listener) error {", kindDefinition, "Serve"},
		{"a.go", "func New() *Index {", kindDefinition, "New"},
		{"a.go", "type Index struct {", kindDefinition, "Index"},
		{"a.go", "type index struct {", kindDefinition, "index"},
		{"a.ts", "export const enum Color {", kindDefinition, "Color"},
		{"a.go", "const DefaultLimit = 8", kindDefinition, "DefaultLimit"},
		{"a.go", "\tDefaultLimit = 8", kindMember, "DefaultLimit"},
		{"a.go", "\tMaxHeaderBytes int", kindMember, "MaxHeaderBytes"},
		{"a.go", "\treturn limit", kindCode, ""},
		{"a.go", "\tif limit == 0 {", kindCode, ""},
		{"a.go", "\tserver.limit = 4", kindCode, ""},
		{"a.go", "\tcall(limit)", kindCode, ""},
		{"a.go", "// Limit is how many.", kindComment, ""},
		{"a.go", "\t\"net/http\"", kindImport, ""},
		{"a.py", "    async def claim(self, queue: str):", kindDefinition, "claim"},
		{"a.py", "class Client(Base):", kindDefinition, "Client"},
		{"a.py", "BEAT_SECONDS = 10.0", kindMember, "BEAT_SECONDS"},
		{"a.py", "# a comment", kindComment, ""},
		{"a.py", "    Runs until it is told to stop, then waits for the rest", kindComment, ""},
		{"a.py", "from x import y", kindImport, ""},
		{"a.ts", "export async function listJobs(state: JobState) {", kindDefinition, "listJobs"},
		{"a.ts", "export default class Table {", kindDefinition, "Table"},
		{"a.ts", "  maxAttempts?: number;", kindMember, "maxAttempts"},
		{"a.ts", " * A line of a block comment.", kindComment, ""},
		{"a.rs", "pub(crate) fn parse_header(input: &str) -> Header {", kindDefinition, "parse_header"},
		{"a.sql", "CREATE TABLE jobs (", kindDefinition, "jobs"},
		{"a.sql", "CREATE UNIQUE INDEX IF NOT EXISTS jobs_due ON jobs (run_at)", kindDefinition, "jobs_due"},
		{"a.sql", "-- a comment", kindComment, ""},
		{"a.c", "#define MAX_SIZE 10", kindDefinition, "MAX_SIZE"},
		{"a.yaml", "  max_connections: 16", kindMember, "max_connections"},
		{"a.yaml", "# a comment", kindComment, ""},
		{"a.json", `  "name": "ferry",`, kindMember, `"name`},
		{"a.md", "## Getting started", kindHeading, " Getting started"},
		{"a.md", "Run the migrations first.", kindProse, ""},
		{"a.md", "#hashtag", kindProse, ""},
		{"a.go", "   \t", kindBlank, ""},
	} {
		note := languageOf(test.file).note([]byte(test.line))
		if name := test.line[note.from:note.to]; note.kind != test.kind || name != test.name {
			t.Errorf("%s: %q is %d and names %q, want %d and %q", test.file, test.line, note.kind, name, test.kind, test.name)
		}
	}
}

func TestFilePrior(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ lesser, greater string }{
		{"queue/job_test.go", "queue/job.go"},
		{"web/a.test.ts", "web/a.ts"},
		{"tests/a.py", "src/a.py"},
		{"vendor/x/a.go", "x/a.go"},
		{"examples/a.go", "a.go"},
		{"CHANGELOG.md", "README.md"},
	} {
		if lesser, greater := filePrior(test.lesser, intent{}), filePrior(test.greater, intent{}); lesser >= greater {
			t.Errorf("%s is preferred with %.2f, %s with %.2f", test.lesser, lesser, test.greater, greater)
		}
	}
	if got := filePrior("queue/job_test.go", intent{tests: true}); got != 1 {
		t.Errorf("a test is held back by %.2f though tests are asked for", got)
	}
}
