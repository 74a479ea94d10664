package windows

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// element is an element of XML. Its text has several parts if a value is a list.
type element struct {
	name  string
	attrs []attribute
	kids  []*element
	text  string
	list  []string
}

type attribute struct{ name, value string }

// kid returns the first child with a name, or an empty element.
func (e *element) kid(name string) *element {
	for _, kid := range e.kids {
		if kid.name == name {
			return kid
		}
	}
	return &element{}
}

// attr returns the value of an attribute, or "".
func (e *element) attr(name string) string {
	for _, a := range e.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// Limits of the binary XML of one chunk, which has 64 KiB. Records repeat its templates, so that a small chunk can ask for
// much.
const (
	maxDepth = 32
	// maxRecord and maxChunk bound what is made of a record and of a chunk: one for each byte of text, and nodeCost for each
	// element, attribute and value.
	maxRecord = 4 << 20
	maxChunk  = 32 << 20
	nodeCost  = 64
)

// The tokens of binary XML. A set bit moreFollows says that there are attributes, or more of a value.
const (
	tokenEnd           = 0x00
	tokenOpen          = 0x01
	tokenCloseStart    = 0x02
	tokenCloseEmpty    = 0x03
	tokenClose         = 0x04
	tokenValue         = 0x05
	tokenAttribute     = 0x06
	tokenCDATA         = 0x07
	tokenCharacter     = 0x08
	tokenEntity        = 0x09
	tokenInstruction   = 0x0a
	tokenInstructionIs = 0x0b
	tokenTemplate      = 0x0c
	tokenSubstitute    = 0x0d
	tokenOptional      = 0x0e
	tokenFragment      = 0x0f

	moreFollows = 0x40
)

// value is a value that a record puts into a template: its type, and its bytes in the chunk.
type value struct {
	kind    byte
	at, end int
}

const kindXML = 0x21

// binary XML of a chunk.
type decoder struct {
	data  []byte
	names map[int]string
	// left and chunk are the rest of maxRecord and maxChunk.
	left, chunk int
}

var (
	errCut  = errors.New("its data ends too early")
	errDeep = errors.New("its elements are nested too deep")
	errLong = errors.New("it is larger than moot reads")
)

// take pays for what is made of the data.
func (d *decoder) take(cost int) error {
	d.left -= cost
	d.chunk -= cost
	if d.left < 0 || d.chunk < 0 {
		return errLong
	}
	return nil
}

// record reads the XML of a record between two places of the chunk.
func (d *decoder) record(at, end int) (*element, error) {
	d.left = maxRecord
	root := &element{}
	if _, err := d.content(at, end, scope{}, root); err != nil {
		return nil, err
	}
	if len(root.kids) == 0 {
		return nil, errors.New("it has no event")
	}
	return root.kids[0], nil
}

func (d *decoder) u16(at int) (int, error) {
	if at < 0 || at+2 > len(d.data) {
		return 0, errCut
	}
	return int(binary.LittleEndian.Uint16(d.data[at:])), nil
}

func (d *decoder) u32(at int) (int, error) {
	if at < 0 || at+4 > len(d.data) {
		return 0, errCut
	}
	return int(binary.LittleEndian.Uint32(d.data[at:])), nil
}

// chars reads so many UTF-16 characters.
func (d *decoder) chars(at, count int) (string, error) {
	if at < 0 || count < 0 || at+2*count > len(d.data) {
		return "", errCut
	}
	return utf16Text(d.data[at : at+2*count]), nil
}

func utf16Text(data []byte) string {
	ascii := make([]byte, 0, len(data)/2)
	for i := 0; i+1 < len(data) && data[i] < 0x80 && data[i+1] == 0; i += 2 {
		ascii = append(ascii, data[i])
	}
	if len(ascii) == len(data)/2 {
		return strings.TrimRight(string(ascii), "\x00")
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}

// scope says where tokens stand.
type scope struct {
	// isTemplate says that the tokens are those of a template, into which the values are put.
	values     []value
	isTemplate bool
	depth      int
}

func (s scope) deeper() scope {
	s.depth++
	return s
}

// content reads tokens into an element up to its end, and returns where they end.
func (d *decoder) content(at, end int, in scope, into *element) (int, error) {
	if in.depth > maxDepth {
		return 0, errDeep
	}
	for at < end {
		next, text, err := d.text(at, end, in, into)
		if err != nil {
			return 0, err
		}
		if next > at {
			into.text += text
			at = next
			continue
		}
		switch token := d.data[at] &^ moreFollows; token {
		case tokenEnd, tokenClose:
			return at + 1, nil
		case tokenFragment:
			at += 4
		case tokenOpen:
			at, err = d.element(at, end, in, into)
		case tokenTemplate:
			at, err = d.template(at, end, in, into)
		case tokenInstruction:
			_, at, err = d.name(at + 1)
		case tokenInstructionIs:
			var count int
			count, err = d.u16(at + 1)
			at += 3 + 2*count
		default:
			return 0, fmt.Errorf("its data has the unknown token %#02x", token)
		}
		if err != nil {
			return 0, err
		}
	}
	return at, nil
}

//nolint:gochecknoglobals // a table
var entities = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}

// text reads a piece of text: of the data, or of a value. If there is no text, it returns at. A value that is XML becomes
// children of the element.
func (d *decoder) text(at, end int, in scope, into *element) (next int, text string, err error) {
	switch d.data[at] &^ moreFollows {
	case tokenValue:
		at++ // Its type is text.
		fallthrough
	case tokenCDATA:
		count, err := d.u16(at + 1)
		if err != nil {
			return 0, "", err
		}
		if text, err = d.chars(at+3, count); err != nil {
			return 0, "", err
		}
		next = at + 3 + 2*count
	case tokenCharacter:
		code, err := d.u16(at + 1)
		if err != nil {
			return 0, "", err
		}
		next, text = at+3, string(utf16.Decode([]uint16{uint16(code)})) //nolint:gosec // it has 16 bits
	case tokenEntity:
		name, after, err := d.name(at + 1)
		if err != nil {
			return 0, "", err
		}
		if text = entities[name]; text == "" {
			text = "&" + name + ";"
		}
		next = after
	case tokenSubstitute, tokenOptional:
		number, err := d.u16(at + 1)
		if err != nil || at+4 > end {
			return 0, "", errCut
		}
		if next = at + 4; number >= len(in.values) {
			return next, "", nil
		}
		v := in.values[number]
		if v.kind == kindXML {
			if v.at == v.end {
				return next, "", nil
			}
			_, err := d.content(v.at, v.end, scope{depth: in.depth + 1}, into)
			return next, "", err
		}
		list := d.format(v)
		if len(list) == 1 {
			text = list[0]
		} else if len(list) > 1 {
			into.list = append(into.list, list...)
			text = strings.Join(list, ", ")
		}
	default:
		return at, "", nil
	}
	return next, text, d.take(nodeCost + len(text))
}

// name reads a name by its offset, and returns it and the place behind it, which is behind the offset if the name is
// elsewhere.
func (d *decoder) name(at int) (name string, next int, err error) {
	offset, err := d.u32(at)
	if err != nil {
		return "", 0, err
	}
	count, err := d.u16(offset + 6)
	if err != nil {
		return "", 0, err
	}
	next = at + 4
	if offset == next {
		next += 10 + 2*count
	}
	if known, is := d.names[offset]; is {
		return known, next, nil
	}
	const longest = 512
	if count == 0 || count > longest {
		return "", 0, errors.New("it has a name of no sensible length")
	}
	if name, err = d.chars(offset+8, count); err == nil {
		d.names[offset] = name
	}
	return name, next, err
}

// element reads an element with its attributes and content.
func (d *decoder) element(at, end int, in scope, into *element) (int, error) {
	hasAttributes := d.data[at]&moreFollows != 0
	// In templates, a number of 16 bits comes before the size.
	places := [2]int{at + 5, at + 7}
	if in.isTemplate {
		places = [2]int{at + 7, at + 5}
	}
	name, next, err := d.name(places[0])
	if err != nil || next > end {
		if name, next, err = d.name(places[1]); err != nil {
			return 0, err
		}
	}
	e := &element{name: name}
	if err := d.take(nodeCost + len(name)); err != nil {
		return 0, err
	}
	into.kids = append(into.kids, e)
	if at = next; hasAttributes {
		at += 4
		for at < end && d.data[at]&^moreFollows == tokenAttribute {
			a := attribute{}
			if a.name, at, err = d.name(at + 1); err != nil {
				return 0, err
			}
			for at < end {
				next, text, err := d.text(at, end, in, &element{})
				if err != nil {
					return 0, err
				}
				if next == at {
					break
				}
				a.value += text
				at = next
			}
			if err := d.take(nodeCost + len(a.name)); err != nil {
				return 0, err
			}
			e.attrs = append(e.attrs, a)
		}
	}
	if at >= end {
		return 0, errCut
	}
	switch d.data[at] {
	case tokenCloseEmpty:
		return at + 1, nil
	case tokenCloseStart:
		return d.content(at+1, end, in.deeper(), e)
	}
	return 0, fmt.Errorf("its data has the unknown token %#02x in an element", d.data[at])
}

// template reads an instance of a template: the place of the template, which may follow at once, and the values.
func (d *decoder) template(at, end int, in scope, into *element) (int, error) {
	offset, err := d.u32(at + 6)
	if err != nil {
		return 0, err
	}
	size, err := d.u32(offset + 20)
	if err != nil {
		return 0, err
	}
	body := offset + 24
	if body+size > len(d.data) {
		return 0, errCut
	}
	if at += 10; offset == at {
		at = body + size
	}
	count, err := d.u32(at)
	if err != nil {
		return 0, err
	}
	next := at + 4
	at = next + 4*count
	if at > end {
		return 0, errCut
	}
	if err := d.take(count * nodeCost); err != nil {
		return 0, err
	}
	values := make([]value, count)
	for i := range values {
		length, _ := d.u16(next + 4*i) // It lies before at.
		values[i] = value{d.data[next+4*i+2], at, at + length}
		if at += length; at > end {
			return 0, errCut
		}
	}
	_, err = d.content(body, body+size, scope{values, true, in.depth + 1}, into)
	return at, err
}

// format returns a value as Windows writes it in XML: one text, or several for a list.
func (d *decoder) format(v value) []string {
	data := d.data[v.at:v.end]
	const isList, kinds = 0x80, 0x7f
	if v.kind&isList == 0 {
		if text, ok := formatOne(v.kind, data); ok {
			return []string{text}
		}
		return nil
	}
	kind := v.kind & kinds
	var all []string
	if kind == 0x01 {
		for text := range strings.SplitSeq(strings.TrimSuffix(utf16Text(data)+"\x00", "\x00"), "\x00") {
			all = append(all, text)
		}
		return all
	}
	width := map[byte]int{3: 1, 4: 1, 5: 2, 6: 2, 7: 4, 8: 4, 9: 8, 10: 8, 11: 4, 12: 8, 13: 4, 15: 16, 17: 8, 18: 16, 20: 4, 21: 8}[kind]
	if width == 0 {
		return []string{strings.ToUpper(hex.EncodeToString(data))}
	}
	for len(data) >= width {
		text, _ := formatOne(kind, data[:width])
		all = append(all, text)
		data = data[width:]
	}
	return all
}

// formatOne returns a value of a type that is no list, and whether there is one.
func formatOne(kind byte, data []byte) (text string, ok bool) {
	var number uint64
	for i, b := range data[:min(len(data), 8)] {
		number |= uint64(b) << (8 * i)
	}
	signed := func() string {
		bits := 8 * min(len(data), 8)
		if bits == 0 {
			return ""
		}
		return strconv.FormatInt(int64(number<<(64-bits))>>(64-bits), 10) //nolint:gosec // the sign is meant
	}
	switch kind {
	case 0x00:
		return "", false
	case 0x01:
		return utf16Text(data), true
	case 0x02:
		return strings.ToValidUTF8(strings.TrimRight(string(data), "\x00"), "\uFFFD"), true
	case 0x03, 0x05, 0x07, 0x09:
		return signed(), true
	case 0x04, 0x06, 0x08, 0x0a:
		return strconv.FormatUint(number, 10), true
	case 0x0b:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(number))), 'g', -1, 32), true //nolint:gosec // four bytes
	case 0x0c:
		return strconv.FormatFloat(math.Float64frombits(number), 'g', -1, 64), true
	case 0x0d:
		return strconv.FormatBool(number != 0), true
	case 0x0f:
		if len(data) != 16 {
			break
		}
		return fmt.Sprintf("{%08x-%04x-%04x-%x-%x}", binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint16(data[4:]),
			binary.LittleEndian.Uint16(data[6:]), data[8:10], data[10:]), true
	case 0x10, 0x14, 0x15:
		return "0x" + strconv.FormatUint(number, 16), true
	case 0x11:
		return filetime(number).Format(time.RFC3339Nano), true
	case 0x12:
		if len(data) != 16 {
			break
		}
		part := func(i int) int { return int(binary.LittleEndian.Uint16(data[2*i:])) }
		return time.Date(part(0), time.Month(part(1)), part(3), part(4), part(5), part(6), part(7)*1e6, time.UTC).
			Format(time.RFC3339Nano), true
	case 0x13:
		if len(data) < 8 {
			break
		}
		authority := uint64(0)
		for _, b := range data[2:8] {
			authority = authority<<8 | uint64(b)
		}
		text = fmt.Sprintf("S-%d-%d", data[0], authority)
		for rest := data[8:]; len(rest) >= 4; rest = rest[4:] {
			text += "-" + strconv.FormatUint(uint64(binary.LittleEndian.Uint32(rest)), 10)
		}
		return text, true
	}
	return strings.ToUpper(hex.EncodeToString(data)), true
}

// filetime is a time in units of 100 ns since 1601.
func filetime(n uint64) time.Time {
	const second, from1601 = 10_000_000, 11_644_473_600
	return time.Unix(int64(n/second)-from1601, int64(n%second)*100).UTC() //nolint:gosec // n/second fits
}
