package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"

	"moot/plain"
)

// leaf is a value of a structured file: a text, a number, true, false, null, or
// a list of those, with the lines that it stands on.
type leaf struct {
	path        string
	value       json.RawMessage
	first, last int
}

const (
	// deepest is how far values are nested that are read.
	deepest = 60
	// mostLeaves is how many values of a file are read.
	mostLeaves = 5000
)

// errTooDeep and errTooMany say why a file is not read.
var (
	errTooDeep = errors.New("its values are nested too deep")
	errTooMany = errors.New("it holds too many values")
)

// draftLeaves drafts a field for each value of a structured file.
func (t *turn) draftLeaves(m *material) []drafted {
	leaves, err := leavesOf(m.path, m.text)
	if err != nil {
		t.note(sayNoteUnread, "file", shown(m.path), "reason", plain.Line(clip(err.Error(), quoted)))
		return nil
	}
	var all []drafted
	secrets, long := 0, 0
	for _, l := range leaves {
		quote := m.span(l.first, l.last)
		if string(l.value) == "null" {
			// Nothing is set there.
			continue
		}
		if t.source.secret(quote) {
			// A value that is a secret is neither proposed nor quoted.
			secrets++
			continue
		}
		if !proposable(l.value) || len(l.value) > longestQuote || len(quote) > longestQuote {
			long++
			continue
		}
		all = append(all, drafted{
			path: cleanedPath(l.path), value: l.value, from: m, file: m.path, line: l.first, last: l.last, quote: quote,
		})
	}
	if secrets > 0 {
		t.note(sayNoteSecrets, "file", shown(m.path), "count", counted(secrets, "value"))
	}
	if long > 0 {
		t.note(sayNoteLong, "file", shown(m.path), "count", counted(long, "value"))
	}
	return all
}

// proposable reports whether a value can be that of a field: not null, and no
// list that is long or has null in it.
func proposable(value json.RawMessage) bool {
	const most = 40
	var items []any
	if json.Unmarshal(value, &items) != nil {
		return true
	}
	return len(items) <= most && !slices.Contains(items, nil)
}

// cleanedPath is the path of a value with the letters that a field's path may
// have. What is too long keeps its end.
func cleanedPath(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-[]/", r) {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "value"
	}
	const room = longestPath - len("...") - len("-1000")
	if len(name) > room {
		name = "..." + name[len(name)-room:]
	}
	return name
}

// leavesOf reads the values of a structured file, in the order of the file.
func leavesOf(name string, text []byte) ([]leaf, error) {
	switch path.Ext(name) {
	case ".json":
		return jsonLeaves(text)
	case ".toml":
		return tomlLeaves(text)
	}
	return yamlLeaves(text)
}

// join puts a key behind a path, and item the number of an item.
func join(where, key string) string { return strings.TrimPrefix(where+"."+key, ".") }

func item(where string, n int) string { return where + "[" + strconv.Itoa(n) + "]" }

// jsonLeaves reads JSON, one value behind the other where there are several.
func jsonLeaves(text []byte) ([]leaf, error) {
	r := &jsonReader{text: text, decoder: jsontext.NewDecoder(bytes.NewReader(text))}
	for n := 0; ; n++ {
		where := ""
		if n > 0 {
			where = item("document", n)
		}
		if err := r.value(where, 0, 0); errors.Is(err, io.EOF) {
			return r.found, nil
		} else if err != nil {
			return nil, err
		}
	}
}

type jsonReader struct {
	text    []byte
	decoder *jsontext.Decoder
	found   []leaf
	// counted is how far lines were counted, and line the line there.
	counted, line int
}

// lineAt is the line of an offset that does not lie before the last one.
func (r *jsonReader) lineAt(offset int64) int {
	r.line += bytes.Count(r.text[r.counted:offset], []byte("\n"))
	r.counted = int(offset)
	return r.line + 1
}

// value reads one value; first is the line of its key, 0 where it has none.
func (r *jsonReader) value(where string, first, depth int) error {
	switch kind := r.decoder.PeekKind(); {
	case depth > deepest:
		return errTooDeep
	case len(r.found) > mostLeaves:
		return errTooMany
	case kind == '{', kind == '[':
		return r.container(where, first, depth)
	}
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return err
	}
	value := bytes.Clone(raw)
	last := r.lineAt(r.decoder.InputOffset())
	if first == 0 {
		first = last
	}
	r.found = append(r.found, leaf{where, value, first, last})
	return nil
}

func (r *jsonReader) container(where string, first, depth int) error {
	begin, err := r.decoder.ReadToken()
	if err != nil {
		return err
	}
	object := begin.Kind() == '{'
	began := r.lineAt(r.decoder.InputOffset())
	if first == 0 {
		first = began
	}
	before := len(r.found)
	plainItems := !object
	for n := 0; ; n++ {
		switch kind := r.decoder.PeekKind(); {
		case kind == '}' || kind == ']':
			if _, err := r.decoder.ReadToken(); err != nil {
				return err
			}
			if plainItems && n > 0 {
				r.list(where, before, first)
			}
			return nil
		case object:
			key, err := r.decoder.ReadToken()
			if err != nil {
				return err
			}
			name := key.String()
			at := r.lineAt(r.decoder.InputOffset())
			if err := r.value(join(where, name), at, depth+1); err != nil {
				return err
			}
		default:
			plainItems = plainItems && kind != '{' && kind != '['
			if err := r.value(item(where, n), 0, depth+1); err != nil {
				return err
			}
		}
	}
}

// list makes one value of the items of a list.
func (r *jsonReader) list(where string, before, first int) {
	r.found = append(r.found[:before], leaf{where, listed(r.found[before:]), first, r.lineAt(r.decoder.InputOffset())})
}

// listed are values as a list.
func listed(items []leaf) json.RawMessage {
	values := make([][]byte, len(items))
	for i := range items {
		values[i] = items[i].value
	}
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
}

// tomlLeaves reads TOML: where each key stands, and of each the value of its own
// lines.
func tomlLeaves(text []byte) ([]leaf, error) {
	var whole map[string]any
	if err := toml.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	text = text[:len(text):len(text)]
	var parser unstable.Parser
	parser.Reset(text)
	type entry struct {
		table  string
		offset int
		isKey  bool
	}
	var entries []entry
	items, table := map[string]int{}, ""
	for parser.NextExpression() {
		e := parser.Expression()
		var names []string
		offset := -1
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		for keys := e.Key(); keys.Next(); {
			if offset < 0 {
				offset = int(keys.Node().Raw.Offset)
			}
			names = append(names, string(keys.Node().Data))
		}
		offset = bytes.LastIndexByte(text[:offset], '\n') + 1
		if e.Kind == unstable.KeyValue {
			entries = append(entries, entry{table, offset, true})
			continue
		}
		table = strings.Join(names, ".")
		if e.Kind == unstable.ArrayTable {
			items[table]++
			table = item(table, items[table]-1)
		}
		entries = append(entries, entry{table, offset, false})
	}
	if err := parser.Error(); err != nil {
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

// lastLine is how many lines below the first the last one stands that is neither
// empty nor a comment.
func lastLine(text []byte, comment string) int {
	last, at := 0, 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte(comment)) {
			last = at
		}
		at++
	}
	return last
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
	encoded, err := json.Marshal(value)
	if err != nil {
		// Infinity and what is no number have no JSON.
		return nil
	}
	at.path, at.value = where, encoded
	*found = append(*found, at)
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

// yamlLeaves reads YAML, one document behind the other where there are several.
// What an alias stands for is told where it is written.
func yamlLeaves(text []byte) ([]leaf, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	r := &yamlReader{}
	for n := 0; ; n++ {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		where := ""
		if n > 0 {
			where = item("document", n)
		}
		for _, root := range document.Content {
			if err := r.node(where, root, root.Line, 0); err != nil {
				return nil, err
			}
		}
	}
	r.settle(text)
	return r.found, nil
}

type yamlReader struct {
	found []leaf
	// starts are the lines where something begins.
	starts []int
}

func (r *yamlReader) node(where string, n *yaml.Node, first, depth int) error {
	r.starts = append(r.starts, first)
	switch {
	case depth > deepest:
		return errTooDeep
	case len(r.found) > mostLeaves:
		return errTooMany
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if err := r.node(join(where, key.Value), n.Content[i+1], key.Line, depth+1); err != nil {
				return err
			}
		}
	case yaml.SequenceNode:
		if !slices.ContainsFunc(n.Content, func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode }) && len(n.Content) > 0 {
			var items []leaf
			for _, one := range n.Content {
				items = append(items, leaf{value: scalar(one)})
			}
			r.found = append(r.found, leaf{where, listed(items), first, n.Content[len(n.Content)-1].Line})
			return nil
		}
		for i, one := range n.Content {
			if err := r.node(item(where, i), one, one.Line, depth+1); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		r.found = append(r.found, leaf{where, scalar(n), first, n.Line})
	case yaml.AliasNode, yaml.DocumentNode:
	}
	return nil
}

// scalar is a value as JSON: what JSON has no word for is a text.
func scalar(n *yaml.Node) json.RawMessage {
	switch n.ShortTag() {
	case "!!null":
		return json.RawMessage("null")
	case "!!bool", "!!int", "!!float":
		var value any
		if n.Decode(&value) == nil {
			if encoded, err := json.Marshal(value); err == nil {
				return encoded
			}
		}
	}
	return encoded(n.Value)
}

// settle says where each text ends that goes over several lines: before the next
// thing begins.
func (r *yamlReader) settle(text []byte) {
	slices.Sort(r.starts)
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i := range r.found {
		l := &r.found[i]
		next := len(lines) + 1
		if at, _ := slices.BinarySearch(r.starts, l.last+1); at < len(r.starts) {
			next = r.starts[at]
		}
		var value string
		if json.Unmarshal(l.value, &value) != nil || l.last < 1 || l.last > len(lines) {
			continue
		}
		if head := bytes.TrimSpace(lines[l.last-1]); strings.Contains(value, "\n") || bytes.HasSuffix(head, []byte(">")) || bytes.HasSuffix(head, []byte(">-")) {
			l.last += lastLine(bytes.Join(lines[l.last-1:next-1], nil), "\x00")
		}
	}
}
