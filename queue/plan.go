package queue

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"moot/internal/plain"
)

// Parts identify an item by digests or short texts: two items with the same parts are one. What is not in them,
// such as ids, keys, addresses, prices, limits and budgets, may change without making another item.
type Parts struct {
	Question string `json:"question"`
	// Material covers what was read for the item: files, facts and findings.
	Material string `json:"material"`
	// Commit identifies the workspace or the revision; "" without one.
	Commit string `json:"commit"`
	// Seats are the participants as resolved.
	Seats string `json:"seats"`
	// Options are the settings of the format.
	Options string `json:"options"`
	// Number tells repeats of the same item apart, from 1.
	Number int `json:"number"`
}

// Digest is the identity of an item, in hex.
func (p *Parts) Digest() string {
	var text strings.Builder
	for _, part := range []string{p.Question, p.Material, p.Commit, p.Seats, p.Options, strconv.Itoa(p.Number)} {
		// With its length, so that no two items make the same text.
		text.WriteString(strconv.Itoa(len(part)) + ":" + part + "\n")
	}
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:])
}

// Changed names the parts in which two items differ.
func (p *Parts) Changed(other *Parts) []string {
	var names []string
	for _, part := range []struct {
		name      string
		different bool
	}{
		{"question", p.Question != other.Question},
		{"material", p.Material != other.Material},
		{"commit", p.Commit != other.Commit},
		{"seats", p.Seats != other.Seats},
		{"options", p.Options != other.Options},
	} {
		if part.different {
			names = append(names, part.name)
		}
	}
	return names
}

// Item is one session to run: a line of ITEMS, or several that are equal.
type Item struct {
	// Schema marks the line as written by moot, so that no session takes it for evidence; see Schema.
	Schema string `json:"schema"`
	// Digest is its identity (BA1).
	Digest string `json:"digest"`
	// IDs are the names of its lines. A line without a name gets the start of the digest.
	IDs []string `json:"ids"`
	// Lines are the numbers of its lines, from 1.
	Lines []int `json:"lines"`
	Parts Parts `json:"parts"`
	// Title is the question on one line, or the change.
	Title string `json:"title"`
	// Fields come from its first line.
	Fields []Field `json:"fields"`
}

// ID is its first name.
func (i *Item) ID() string {
	if len(i.IDs) == 0 {
		return i.Digest[:shortDigest]
	}
	return i.IDs[0]
}

// shortDigest is how many digits of a digest are a name.
const shortDigest = 12

// Is reports whether an item has a name, or a digest that begins with it.
func (i *Item) Is(name string) bool {
	return slices.Contains(i.IDs, name) || len(name) >= 4 && strings.HasPrefix(i.Digest, name)
}

// Plan has the items of a batch in the order of their first lines, each once.
type Plan struct {
	Items []*Item
	known map[string]*Item
}

// Add adds an item, or the names of one that is equal to an earlier one.
func (p *Plan) Add(item *Item) {
	if p.known == nil {
		p.known = map[string]*Item{}
	}
	if known := p.known[item.Digest]; known != nil {
		for _, id := range item.IDs {
			if !slices.Contains(known.IDs, id) {
				known.IDs = append(known.IDs, id)
			}
		}
		known.Lines = append(known.Lines, item.Lines...)
		return
	}
	p.known[item.Digest] = item
	p.Items = append(p.Items, item)
}

// Item returns the item with a digest, or nil.
func (p *Plan) Item(digest string) *Item { return p.known[digest] }

// Named returns the items that a name means: its ids, or the start of its digest.
func (p *Plan) Named(name string) ([]*Item, error) {
	var found []*Item
	for _, item := range p.Items {
		if item.Is(name) {
			found = append(found, item)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no item is named %q; moot batch results DIR lists them", plain.Line(name))
	}
	return found, nil
}

// CheckNames refuses a name that two different items have: results by name would be ambiguous. Repeats share theirs.
func (p *Plan) CheckNames() error {
	owner := map[string]*Item{}
	var wrong Wrong
	for _, item := range p.Items {
		for _, id := range item.IDs {
			other := owner[id]
			if other != nil && !(item.Parts.Number > 1 && slices.Equal(item.Lines, other.Lines)) {
				wrong.Add(item.Lines[0], fmt.Errorf("the id %s belongs to line %d, which is another item", plain.Line(id),
					other.Lines[0]))
				continue
			}
			if other == nil {
				owner[id] = item
			}
		}
	}
	return wrong.Err()
}

// Change is a group of items of an earlier plan that are other items now.
type Change struct {
	// Parts names what changed, such as "seats".
	Parts []string
	// Items are the digests of the items before.
	Before []string
}

// Compare says what a plan changes of an earlier one: groups of items that have the same name or the same line but
// another content, the largest first, and the items that are gone.
func (p *Plan) Compare(before *Plan) (changed []Change, removed []*Item) {
	type key struct {
		id     string
		number int
	}
	now := map[key]*Item{}
	for _, item := range p.Items {
		for _, id := range item.IDs {
			now[key{id, item.Parts.Number}] = item
		}
		now[key{fieldsKey(item.Fields), item.Parts.Number}] = item
	}
	groups := map[string]*Change{}
	for _, old := range before.Items {
		if p.Item(old.Digest) != nil {
			continue
		}
		item := now[key{old.ID(), old.Parts.Number}]
		if item == nil {
			item = now[key{fieldsKey(old.Fields), old.Parts.Number}]
		}
		if item == nil {
			removed = append(removed, old)
			continue
		}
		parts := old.Parts.Changed(&item.Parts)
		name := strings.Join(parts, ", ")
		if groups[name] == nil {
			groups[name] = &Change{Parts: parts}
		}
		groups[name].Before = append(groups[name].Before, old.Digest)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		changed = append(changed, *groups[name])
	}
	slices.SortStableFunc(changed, func(a, b Change) int { return cmp.Compare(len(b.Before), len(a.Before)) })
	return changed, removed
}

// fieldsKey tells lines apart by what they say. It is no name that a user can give.
func fieldsKey(fields []Field) string {
	key := ""
	for _, f := range fields {
		key += "\x00" + f.Name + "\x00" + strings.Join(f.Values, "\x00")
	}
	return key
}

// encode writes a plan, an item a line.
func (p *Plan) encode() ([]byte, error) {
	var text bytes.Buffer
	for _, item := range p.Items {
		item.Schema = Schema
		line, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		text.Write(line)
		text.WriteByte('\n')
	}
	return text.Bytes(), nil
}

// readPlan reads the plan of a folder. A missing file has no items.
func readPlan(path string) (*Plan, error) {
	plan := &Plan{}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return plan, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 4*maxLine)
	for number := 1; lines.Scan(); number++ {
		item := &Item{}
		if err := json.Unmarshal(lines.Bytes(), item, json.RejectUnknownMembers(true)); err != nil ||
			item.Digest != item.Parts.Digest() || len(item.Lines) == 0 {
			return nil, fmt.Errorf("%s: line %d is no item; the sessions are unharmed: remove the file, and run the batch "+
				"again with the same items", path, number)
		}
		plan.Add(item)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return plan, nil
}
