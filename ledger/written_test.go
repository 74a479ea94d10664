package ledger_test

import (
	"strings"
	"testing"

	"moot/ledger"
)

func TestTextOfMootIsKnownByItsLayout(t *testing.T) {
	const id = "20250309-140502-k3f9"
	filler := strings.Repeat("A line of the host document.\n", 400)
	for name, text := range map[string]string{
		"result.txt":    "Is it safe?\n\nsession    " + id + " (panel)\nrounds     1 of 8\n",
		"pasted.txt":    filler + "> session    " + id + " (consult)\n" + filler,
		"log.txt":       "workspace  /srv/app\nsession    " + id + "\nround      1\n",
		"quoted.md":     "    session    " + id + "\n",
		"last-line.log": "saved      " + id + ", 52 events, head 0a1b2c\n",
		"summary.md":    "- **session** " + id + " (council)\n",
		"summary.html":  "<ul><li><strong>session</strong> " + id + " (council)</li><li>x</li></ul>",
		"table.html":    "<td class=\"k\">session</td>\n <td><code>" + id + "</code> (hearing)</td>",
		"comment.md":    "*Argued by 2 models, decided by code: moot session " + id + ", round 3.*",
		"export.json":   `{"session": {"id": "` + id + `", "question": "q"}}`,
		"in-json.json":  `{"body": "{\"id\":\"` + id + `\"}"}`,
		"tool.json":     `{"session":"` + id + `","state":"running"}`,
		"events.jsonl":  `{"seq":1,"kind":"session-opened","data":{}}`,
		"map.svg":       "<svg><title id=\"map-title\">Argument map: q</title></svg>",
		"marked.md":     "<!-- " + ledger.Marker + "1 -->\n# q\n",
		"inside.md":     filler + "<!-- " + ledger.Marker + "1 -->\n# q\n",
		"marked.go":     "// " + ledger.Marker + "1\n",
		"no-extension":  "session    " + id + " (panel)\n",
	} {
		if !ledger.WrittenByMoot(name, []byte(text)) {
			t.Errorf("%s is not taken as moot's own: %.80s", name, text)
		}
	}
	for name, text := range map[string]string{
		"adr.md":       "# Retention\nWe decided this with moot session " + id + " and kept 7 days.\n",
		"link.md":      "See session " + id + " for the discussion.\n",
		"how-to.md":    "    moot show " + id + "\n    moot resume " + id + "\n",
		"other.log":    "session 20250309140502 (worker) opened\n",
		"date.txt":     "session of 2025-03-09 (planning)\n",
		"snapshot.txt": "backup-" + id + ".tar (complete)\n",
		"store.go":     "// session    " + id + " (panel)\nconst MaxRetries = 3\n",
		"later.go":     strings.Repeat("// a line of code\n", 400) + ledger.Marker + "1\n",
		"late.md":      strings.Repeat("one line of prose\n", 400) + "The schema is " + ledger.Marker + "1.\n",
		"empty":        "",
	} {
		if ledger.WrittenByMoot(name, []byte(text)) {
			t.Errorf("%s is taken as moot's own: %.80s", name, text)
		}
	}
}

func TestKindsOfFiles(t *testing.T) {
	for name, want := range map[string][2]bool{
		"docs/PLAN.MD": {true, false}, "a.html": {true, false}, "paper.tex": {true, false}, "x.docx": {true, false},
		"store.go": {false, true}, "a/b.TSX": {false, true}, "run.sh": {false, true},
		"notes": {false, false}, "data.json": {false, false}, ".gitignore": {false, false}, "app.log": {false, false},
	} {
		if got := [2]bool{ledger.IsProse(name), ledger.IsSource(name)}; got != want {
			t.Errorf("%s: prose and source are %v, want %v", name, got, want)
		}
	}
}
