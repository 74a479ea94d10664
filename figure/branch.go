package figure

// Bearing says how a box bears on its parent, in a word for renderers that draw the line on their own.
type Bearing string

// The bearings. A point bears on nothing.
const (
	BearsNot      Bearing = ""
	BearsAgainst  Bearing = "attack"
	BearsFor      Bearing = "support"
	BearsAsRemark Bearing = "note"
)

// Branch is one box of the map for a renderer that draws it in its own layout, such as a page. Its texts are safe to show,
// without control characters, and not escaped for any markup.
type Branch struct {
	ID   string
	Kind Kind
	// Level is 0 for a point, 1 for what bears on it, and so on. Trunks say for the parent, and its parents, whether
	// their line continues below the box.
	Level  int
	Trunks []bool
	// Heading begins a bucket: its sign, name and number of points. It is nil for all but the first point of a bucket.
	Heading Row
	// Bearing says how the box bears on its parent, Broken that it fails to, and Word says so in words.
	Bearing Bearing
	Broken  bool
	Word    string
	// Title has its signs and words without its id, By names the seat that said it, and Text is its text.
	Title Row
	By    string
	Text  string
}

// Branches returns the boxes in reading order.
func (m *Map) Branches() []Branch {
	branches := make([]Branch, len(m.Nodes))
	for i := range m.Nodes {
		n := &m.Nodes[i]
		b := n.box
		text := b.text
		if b.lead != "" {
			text = b.lead
		}
		branches[i] = Branch{
			ID: n.ID, Kind: n.Kind, Level: len(n.trunks), Trunks: n.trunks, Heading: n.heading, Broken: b.broken,
			Word: b.word, Title: b.title[1:], By: b.by.Text, Text: text,
		}
		if len(n.trunks) == 0 {
			continue
		}
		switch b.bearing {
		case relationAttack:
			branches[i].Bearing = BearsAgainst
		case relationSupport:
			branches[i].Bearing = BearsFor
		case relationNote, relationNone:
			branches[i].Bearing = BearsAsRemark
		}
	}
	return branches
}

// Title names the map in words.
func (m *Map) Title() string { return m.title }

// Summary counts its boxes in words.
func (m *Map) Summary() string { return m.summary }
