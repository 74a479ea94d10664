package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

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
