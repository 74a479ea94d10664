package adr

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"moot/ledger"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

func TestLayouts(t *testing.T) {
	for _, test := range []struct {
		name, file, text string
		want             Record
	}{
		{
			"MADR 4", "0007-use-streams.md",
			"---\nstatus: \"accepted\"\ndate: 2026-01-02\n---\n# Use *streams*\n\n## Considered Options\n\n* [lists](#lists)\n* streams\n\n" +
				"## Decision Outcome\n\nChosen option: \"streams\", because.\n",
			Record{Number: 7, Title: "Use streams", Status: "accepted", Options: []string{"lists", "streams"}, Chosen: "streams"},
		},
		{
			"MADR 2", "ADR-12 pick.md",
			"# Pick\n\n* Status: superseded by [0013](0013-x.md)\n* Deciders: a\n\n## Considered Options\n\n* a\n* b\n\n## Decision Outcome\n\n" +
				"Chosen option: [a](#a), because.\n",
			Record{Number: 12, Title: "Pick", Status: "superseded by 0013", Options: []string{"a", "b"}, Chosen: "a"},
		},
		{
			"Nygard", "1.md", "# 1. Record decisions\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nStatus: none of it\n",
			Record{Number: 1, Title: "1. Record decisions", Status: "accepted"},
		},
		{"code is no heading", "0001-x.md", "```\n# No\n```\n# Yes\n", Record{Number: 1, Title: "Yes"}},
		{"empty", "0001-x.md", "", Record{Number: 1}},
		{"not UTF-8", "0001-x.md", "# A\xff\x00B\n", Record{Number: 1, Title: `A�\x00B`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), test.file)
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := ReadRecord(path)
			if err != nil {
				t.Fatal(err)
			}
			if got.Number != test.want.Number || got.Title != test.want.Title || got.Status != test.want.Status ||
				strings.Join(got.Options, "|") != strings.Join(test.want.Options, "|") || got.Chosen != test.want.Chosen {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"003-a.md": "# A\n", "003-b.md": "# B\n", "010-c.md": "# C\n", "README.md": "# No record\n", "notes.txt": "# No\n",
		"011-huge.md": strings.Repeat("x", maxRecord+1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Records) != 4 || f.Next() != 12 || f.Width != 3 || len(f.Twice) != 1 || f.Twice[0] != 3 {
		t.Errorf("%+v, next %d", f, f.Next())
	}
	if len(f.Unread) != 1 || !strings.HasPrefix(f.Unread[0], "011-huge.md: ") {
		t.Errorf("unread: %q", f.Unread)
	}
	if none, err := Read(filepath.Join(dir, "missing")); err != nil || none.Next() != 1 {
		t.Errorf("a missing folder: %+v, %v", none, err)
	}
}

func TestName(t *testing.T) {
	for file, want := range map[string]string{
		"0007-x.md": "0007", "7.md": "7", "20261129-x.md": "20261129-x.md", "7days.md": "7days.md", "ADR-7 x.md": "ADR-7 x.md",
	} {
		if r := (Record{File: file}); r.Name() != want {
			t.Errorf("%s is called %s", file, r.Name())
		}
	}
}

// TestUnreadableRecords counts a record once, also one that cannot be read.
func TestUnreadableRecords(t *testing.T) {
	dir := t.TempDir()
	for i := range maxRecords/2 + 1 {
		if err := os.Symlink("missing", filepath.Join(dir, fmt.Sprintf("%05d.md", i))); err != nil {
			t.Skip(err)
		}
	}
	if f, err := Read(dir); err != nil || len(f.Unread) != maxRecords/2+1 {
		t.Errorf("%d unread, %v", len(f.Unread), err)
	}
}

// hostile are texts that do something in Markdown, in HTML or in YAML.
func hostile() string {
	return "# Heading\n---\n<script>alert(1)</script> --> [link](javascript:alert(1)) ![i](http://x/) `code` **b** @you #1 \x1b[2J\u202e\n" +
		"- status: accepted\n```\n~~~\n| a | b |\n| - | - |\n<!-- {\"schema\":\"" + SchemaName + "\",\"session\":\"forged\"} -->\nhttp://www.x.example"
}

// checkMarkdown reports what foreign text could have done.
func checkMarkdown(t *testing.T, record string, links map[string]bool) {
	t.Helper()
	_, body, _ := strings.Cut(strings.TrimPrefix(record, "---\n"), "\n---\n")
	source := []byte(body)
	comments := 0
	err := ast.Walk(goldmark.New().Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML, *ast.Image, *ast.AutoLink:
			t.Errorf("%s in the record", n.Kind())
		case *ast.HTMLBlock:
			comments++
		case *ast.Link:
			if !links[string(n.Destination)] {
				t.Errorf("a link to %q", n.Destination)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if comments != 1 || strings.Count(record, "<!--") < 1 || strings.Contains(record, "\x1b") || strings.Contains(record, "\u202e") {
		t.Errorf("%d blocks of HTML, or control characters, in:\n%s", comments, record)
	}
}

// TestEveryScenario writes records of the sessions of all formats, also with hostile questions, and reads them again.
func TestEveryScenario(t *testing.T) {
	protocoltest.AllScenarios(t, "../protocol", func(t *testing.T, d *protocoltest.Desk) {
		s := *d.State
		for _, question := range []string{s.Question, hostile()} {
			s.Question = question
			f := Folder{Path: "x", Width: 4, Records: []Record{{
				Number: 3, File: "0003-[x](y) <b>.md", Title: view.Title(question), Status: hostile(), Options: []string{hostile()}, Chosen: hostile(),
			}}}
			out := Write(Session{State: &s, Rulings: resolver.Rule(&s), Head: "h"}, &f, "docs/adr")
			if !strings.HasPrefix(out.Name, "0004-") || strings.ContainsAny(out.Name, "/\\<>") {
				t.Errorf("the name is %q", out.Name)
			}
			checkMarkdown(t, out.Text, map[string]bool{"0003-%5Bx%5D%28y%29%20%3Cb%3E.md": true})
			var again Record
			again.parse(out.Text)
			if again.Origin == nil || again.Origin.Session != s.ID || again.Status != "proposed" || again.Origin.Workspace != "../.." {
				t.Fatalf("read again, it is %+v %+v", again, again.Origin)
			}
			for _, p := range again.Origin.Points {
				r, ok := resolver.RuleOne(&s, p.ID)
				if !ok || r.Bucket != p.Bucket {
					t.Errorf("%s is %s in the record, and %s in the session", p.ID, p.Bucket, r.Bucket)
				}
			}
		}
	})
}

// TestHugeRecord promises no check of a record that is not read.
func TestHugeRecord(t *testing.T) {
	d := protocoltest.ConsultDebate(t).Raise(state.Consultee, "Short").Checked("P1", "a.go:1", ledger.DomainEvidence)
	for _, huge := range []bool{false, true} {
		s := *d.State
		if huge {
			s.Question = strings.Repeat("q ", maxRecord)
		}
		rulings := resolver.Rule(&s)
		for i := range rulings {
			rulings[i].Bucket = state.BucketAgreed
		}
		out := Write(Session{State: &s, Rulings: rulings, Shown: "docs/adr"}, &Folder{Width: 4}, "docs/adr")
		if promised := strings.Contains(out.Text, "`moot recheck docs/adr/"); promised == huge || huge != (len(out.Notes) > 0) {
			t.Errorf("huge %v: a check is promised: %v, notes %q", huge, promised, out.Notes)
		}
	}
}

// TestQuotedComment reads the comment of moot, not one that a cited file or a claim has.
func TestQuotedComment(t *testing.T) {
	own := `<!-- {"schema":"` + SchemaName + `","session":"own"} -->`
	for _, quoted := range []string{
		`<!-- {"schema":"` + SchemaName + `","session":"forged"} -->`, `<!-- {"schema":"` + SchemaName + `","session":`,
	} {
		var r Record
		if r.parse("# A\n\n```\n" + quoted + "\n```\n\n" + own + "\n"); r.Origin == nil || r.Origin.Session != "own" || r.Damage != "" {
			t.Errorf("%s: %+v, %q", quoted, r.Origin, r.Damage)
		}
	}
	for _, damaged := range []string{own[:len(own)-4], strings.Replace(own, "adr/1", "adr/2", 1), strings.Replace(own, "own", `own"`, 1)} {
		var r Record
		if r.parse("# A\n\n" + damaged + "\n"); r.Origin != nil || r.Damage == "" {
			t.Errorf("%s: %+v, %q", damaged, r.Origin, r.Damage)
		}
	}
}

// TestHiddenCharacters writes no character that an editor does not show, and reads the same claims again.
func TestHiddenCharacters(t *testing.T) {
	d := protocoltest.ConsultDebate(t).Raise(state.Consultee, "Left \u202e right \U000e0041 \u0085 é")
	rulings := resolver.Rule(d.State)
	for i := range rulings {
		rulings[i].Bucket = state.BucketAgreed
	}
	out := Write(Session{State: d.State, Rulings: rulings, File: "use it.md"}, &Folder{Width: 4}, "docs/adr")
	if strings.ContainsAny(out.Text, "\u202e\U000e0041\u0085") {
		t.Error(out.Text)
	}
	var r Record
	r.parse(out.Text)
	if last := r.Origin.Points[len(r.Origin.Points)-1]; last.Text != d.State.Point(last.ID).Text {
		t.Errorf("%q", last.Text)
	}
	if out.Name != "use it.md" || !strings.Contains(out.Text, "`moot recheck` has nothing to check") {
		t.Errorf("%s:\n%s", out.Name, out.Text)
	}
}

// TestRelations has one case for each kind, and for what keeps it from being one.
func TestRelations(t *testing.T) {
	d := protocoltest.ConsultDebate(t).Raise(state.Consultee, "The job queue should move to Redis streams")
	s := *d.State
	s.Question = "Should the job queue move to Redis streams?"
	s.ID = "S"
	s.Settings.Framing = state.FramingCompare
	s.Settings.Input.Options = []string{"lists", "streams"}
	s.Settings.Follows = &state.Earlier{ID: "before"}
	rulings := resolver.Rule(&s)
	for i := range rulings {
		rulings[i].Bucket = state.BucketAgreed
	}
	for _, p := range s.Points.All() {
		p.Option = "streams"
	}
	for _, test := range []struct {
		name   string
		record Record
		want   RelationKind
	}{
		{"same session", Record{Title: "x", Origin: &Origin{Session: "S"}}, Supersedes},
		{"continued", Record{Title: "x", Origin: &Origin{Session: "before"}}, Supersedes},
		{"same title", Record{Title: "should the job QUEUE move to redis streams"}, Supersedes},
		{"superseded already", Record{Title: "x", Status: "superseded by 9", Origin: &Origin{Session: "S"}}, ""},
		{"other choice", Record{Title: "x", Options: []string{"Lists", "streams", "files"}, Chosen: "lists"}, Conflicts},
		{"same choice", Record{Title: "x", Options: []string{"Lists", "streams"}, Chosen: "Streams"}, ""},
		{"one shared option", Record{Title: "x", Options: []string{"lists", "files"}, Chosen: "lists"}, ""},
		{"chose what is no option here", Record{Title: "x", Options: []string{"lists", "streams", "files"}, Chosen: "files"}, ""},
		{"other choice, deprecated", Record{Title: "x", Status: "deprecated", Options: []string{"lists", "streams"}, Chosen: "lists"}, ""},
		{"similar title", Record{Title: "Move the job queue to Redis streams"}, Resembles},
		{"other title", Record{Title: "Move the docs to another host"}, ""},
		{"no title", Record{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.record.File = "0001-x.md"
			out := Write(Session{State: &s, Rulings: rulings}, &Folder{Width: 4, Records: []Record{test.record}}, "")
			got := RelationKind("")
			if len(out.Relations) > 0 {
				got = out.Relations[0].Kind
			}
			said := strings.Contains(strings.Join(out.Notes, "\n"), "not compared by title, because it has none: 0001-x.md")
			if isBlank := test.record.Title == ""; said != isBlank {
				t.Errorf("a record with the title %q: %q", test.record.Title, out.Notes)
			}
			if got != test.want || len(out.Relations) > 1 {
				t.Errorf("got %q, %+v", got, out.Relations)
			}
		})
	}
}

// TestCitedRecords: what was cited of a record for a ruling, or against it.
func TestCitedRecords(t *testing.T) {
	for _, test := range []struct {
		relation ledger.Relation
		want     RelationKind
	}{{ledger.Supports, Cites}, {ledger.Refutes, Conflicts}} {
		d := protocoltest.ConsultDebate(t).Raise(state.Consultee, "The queue is safe")
		d.Offered(state.Orchestrator, test.relation, "docs/adr/0001-x.md:3")
		s := d.State
		rulings := resolver.Rule(s)
		for i := range rulings {
			rulings[i].Bucket, rulings[i].Reads = state.BucketAgreed, []string{"E1"}
		}
		for _, e := range s.Evidence.All() {
			e.Verified, e.Checked, e.Admitted = true, true, true
		}
		f := Folder{Width: 4, Records: []Record{{Number: 1, File: "0001-x.md", Title: "Other"}}}
		out := Write(Session{State: s, Rulings: rulings}, &f, "docs/adr")
		if len(out.Relations) != 1 || out.Relations[0].Kind != test.want || !strings.Contains(out.Relations[0].Reason, "E1 cites it") {
			t.Errorf("%s: %+v", test.relation, out.Relations)
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add("---\nstatus: x\n---\n# T\n## Considered Options\n- a\nChosen option: \"a\"\n")
	f.Add(hostile())
	f.Fuzz(func(t *testing.T, text string) {
		var r Record
		r.parse(text)
		if strings.ContainsAny(r.Title+r.Status+r.Chosen, "\n\x1b") {
			t.Errorf("%+v", r)
		}
	})
}
