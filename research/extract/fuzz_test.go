package extract_test

import (
	"bytes"
	"strings"
	"testing"

	"moot/ledger"
	"moot/research/extract"
)

// fuzz makes packets of anything: what is taken is a sound packet that can be written
// and read.
func fuzz(f *testing.F, form extract.Form) {
	f.Fuzz(func(t *testing.T, text string) {
		c := extract.NewCollector(usual())
		if err := c.Take(extract.Of(form),
			extract.Source{Name: "in", From: strings.NewReader(text), Modified: modified()}); err != nil {
			return
		}
		made, err := c.Packet()
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := made.Packet.Write(&out); err != nil {
			t.Fatal(err)
		}
		again, err := ledger.ReadPacket(&out, "again")
		if err != nil || again.Digest() != made.Packet.Digest() {
			t.Fatalf("read again it is another: %v", err)
		}
	})
}

func FuzzJSON(f *testing.F) {
	const fact = `{"id":"a","entity":"web","field":"f","value":[1.0],"timestamp":"2026-11-21 10:00:00"}`
	for _, text := range []string{
		fact + "\n" + fact, "[" + fact + "]",
		`{"packet_id":"p","window":["2026-11-21T10:00:00Z","2026-11-21T10:00:00Z"],"facts":[` + fact + `,7]}`, "{\n{",
	} {
		f.Add(text)
	}
	fuzz(f, extract.FormJSON)
}

func FuzzCSV(f *testing.F) {
	for _, text := range []string{
		"id,entity,field,value,timestamp\na,web,f,1.0,2026-11-21T10:00:00Z\n",
		"\ufeffentity;field;value;timestamp\r\nw;f;\"a\"\"b\";2026-11-21 10:00:00\r\n;\n",
	} {
		f.Add(text)
	}
	fuzz(f, extract.FormCSV)
}

func FuzzLines(f *testing.F) {
	for _, text := range []string{
		"2026-11-21T10:00:00Z a\nb\n", "[2026-11-21 10:00:00,1] \xff\n\r\n",
		"0000-01-01T00:00:00Z",
	} {
		f.Add(text)
	}
	fuzz(f, extract.FormText)
}
