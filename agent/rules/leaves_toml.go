package rules

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlEntry is a key with its value, or the heading of a table: the line where it
// begins, as an offset, and the table that it is in.
type tomlEntry struct {
	table  string
	offset int
	isKey  bool
}

// tomlLeaves reads TOML: where each key stands, and of each the value of its own
// lines.
func tomlLeaves(text []byte) ([]leaf, error) {
	var whole map[string]any
	if err := toml.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	// The parser measures by capacity: what lies beyond is not the file's.
	text = text[:len(text):len(text)]
	entries, err := tomlEntries(text)
	if err != nil {
		return nil, err
	}
	var found []leaf
	line, counted := 1, 0
	for i, e := range entries {
		end := len(text)
		if i+1 < len(entries) {
			end = max(entries[i+1].offset, e.offset)
		}
		line += bytes.Count(text[counted:e.offset], []byte("\n"))
		counted = e.offset
		var values map[string]any
		if !e.isKey || toml.Unmarshal(text[e.offset:end], &values) != nil {
			continue
		}
		last := line + lastLine(text[e.offset:end], "#")
		if err := flatten(&found, e.table, values, leaf{first: line, last: last}, 0); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// tomlEntries are the keys and tables of a file, in their order.
func tomlEntries(text []byte) ([]tomlEntry, error) {
	var parser unstable.Parser
	parser.Reset(text)
	var entries []tomlEntry
	items, table := map[string]int{}, ""
	for parser.NextExpression() {
		e := parser.Expression()
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		var names []string
		offset := -1
		for keys := e.Key(); keys.Next(); {
			if offset < 0 {
				offset = int(keys.Node().Raw.Offset)
			}
			names = append(names, string(keys.Node().Data))
		}
		begin := bytes.LastIndexByte(text[:offset], '\n') + 1
		if e.Kind == unstable.KeyValue {
			entries = append(entries, tomlEntry{table, begin, true})
			continue
		}
		table = tablePath(items, names, e.Kind == unstable.ArrayTable)
		entries = append(entries, tomlEntry{table, begin, false})
	}
	return entries, parser.Error()
}

// tablePath is the path of a table: where a name lists tables it stands for the
// last of them, and another begins a new one.
func tablePath(items map[string]int, names []string, another bool) string {
	where := ""
	for i, name := range names {
		where = join(where, name)
		if another && i == len(names)-1 {
			items[where]++
		}
		if n := items[where]; n > 0 {
			where = item(where, n-1)
		}
	}
	return where
}

// flatten adds the values below a value, by their paths.
func flatten(found *[]leaf, where string, value any, at leaf, depth int) error {
	if depth > deepest {
		return errTooDeep
	}
	if len(*found) > mostLeaves {
		return errTooMany
	}
	switch v := value.(type) {
	case map[string]any:
		var names []string
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if err := flatten(found, join(where, name), v[name], at, depth+1); err != nil {
				return err
			}
		}
		return nil
	case []any:
		if slices.ContainsFunc(v, nested) {
			for n := range v {
				if err := flatten(found, item(where, n), v[n], at, depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		if len(v) == 0 {
			return nil
		}
	}
	// Infinity and what is no number have no JSON.
	if encoded, err := json.Marshal(value); err == nil {
		at.path, at.value = where, encoded
		*found = append(*found, at)
	}
	return nil
}

// nested reports whether a value holds others.
func nested(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}
