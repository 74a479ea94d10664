package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"moot/report"
	"moot/resolver"
	"moot/resolver/dialectic"
)

// claims is what an export says, as it is checked.
type claims struct {
	// parts are its values by name, numbers as they are written.
	parts map[string]any
	read  struct {
		Schema  string `json:"schema"`
		Outcome struct {
			Decision string              `json:"decision"`
			Receipts []dialectic.Receipt `json:"receipts"`
			Head     string              `json:"head"`
		} `json:"outcome"`
		Chain  report.Chain `json:"chain"`
		Events []string     `json:"events"`
	}
}

// readExport reads an exported session; ok is false for any other file.
func readExport(text []byte) (e claims, ok bool) {
	if json.Unmarshal(text, &e.read) != nil || e.read.Schema != report.SchemaName {
		return e, false
	}
	parts, err := partsOf(text)
	e.parts = parts
	return e, err == nil
}

func partsOf(text []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var parts map[string]any
	if err := decoder.Decode(&parts); err != nil {
		return nil, fmt.Errorf("read the exported session: %w", err)
	}
	return parts, nil
}

// export checks an exported session: with its events all that it says, without
// them the receipts of a proposal.
func (o *verifyOptions) export(path string, e claims, head string) error {
	failed := func(format string, args ...any) error {
		return &codeError{code: ExitFound, err: fmt.Errorf("FAILED %s: %s", path, fmt.Sprintf(format, args...))}
	}
	if head != "" && head != e.read.Chain.Head {
		return failed("its chain.head is %s, not the known %s", e.read.Chain.Head, head)
	}
	last, err := dialectic.Replay(e.read.Outcome.Receipts)
	receipts := e.read.Outcome.Receipts
	switch {
	case err != nil:
		return failed("outcome: %s", err)
	case len(receipts) > 0 && (last != e.read.Outcome.Head || receipts[len(receipts)-1].Outcome != e.read.Outcome.Decision):
		return failed("outcome: the last receipt is %s %s, and it says %s %s", receipts[len(receipts)-1].Outcome, last, e.read.Outcome.Decision, e.read.Outcome.Head)
	case len(e.read.Events) > 0:
		return o.events(path, e, failed)
	case len(receipts) == 0:
		return usage("%s holds nothing that can be checked by itself: export it with --events, or check the session against its head: moot verify ID --head %s", path, e.read.Chain.Head)
	}
	return o.console.Print(fmt.Sprintf(
		"OK %s: %d receipts follow from one another, the last is %s; what they read can be checked in an export with --events, or with: moot verify ID --head %s\n",
		path, len(receipts), last, e.read.Chain.Head))
}

// events checks that the events of an export are whole, and that all else in it
// follows from them.
func (o *verifyOptions) events(path string, e claims, failed func(string, ...any) error) error {
	text := strings.Join(e.read.Events, "\n") + "\n"
	s, found, err := recomputed(path, []byte(text), e.read.Chain.Head)
	if err != nil {
		return o.failed(path, err)
	}
	again, err := json.Marshal(report.Export(&s, resolver.Rule(s), found, nil))
	if err != nil {
		return fmt.Errorf("export what the events give: %w", err)
	}
	want, err := partsOf(again)
	if err != nil {
		return err
	}
	var differ []string
	for name := range want {
		if !reflect.DeepEqual(want[name], e.parts[name]) {
			differ = append(differ, name)
		}
	}
	slices.Sort(differ)
	if len(differ) > 0 {
		return failed("its events are whole, and what they give is not what it says under %s; or another version of moot wrote it", strings.Join(differ, ", "))
	}
	return o.console.Print(fmt.Sprintf("OK %s: %d events, every ruling recomputes, and so does all that the export says; head %s\n", path, s.Seq, found))
}
