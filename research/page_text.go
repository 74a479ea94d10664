package research

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"codeberg.org/readeck/go-readability/v2"
	"codeberg.org/readeck/go-readability/v2/render"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"moot/internal/plain"
	"moot/ledger"
)

// page is the answer to a URL.
type page struct {
	// host is the allowed one that sent it, at some time.
	host   ledger.Host
	at     time.Time
	digest string
	// bodies are the texts that may have a quote, the most likely one first. The last one is all of the page.
	bodies []body
	// part says that not all of it was read, cut that it was too large, and note what else a reader should know, or is "".
	part, cut bool
	note      string
	// scripted says that the page shows next to nothing without its scripts.
	scripted bool
}

// body is a text of a page.
type body struct {
	*text

	// where says where a quote was found.
	where   string
	squeeze squeezing
}

// squeezing is which white space counts when a quote is compared.
type squeezing int

const (
	// squeezeNone compares as in a file, since the lines of the source are known.
	squeezeNone squeezing = iota
	// squeezeRuns takes white space for one blank, as in HTML, where line breaks mean nothing.
	squeezeRuns
	// squeezeAll ignores white space, as in PDF, where a reader has to guess it.
	squeezeAll
)

// look looks for a quote on the page, and fills in the finding.
func (p *page) look(ctx context.Context, quoted *quotation, finding *ledger.Finding) {
	read := fmt.Sprintf(", read %s%s", p.at.Format(time.RFC3339), p.note)
	if p.cut {
		read += fmt.Sprintf("; only the first %d MiB were read", maxPage>>20)
	}
	for _, b := range p.bodies {
		found, ok := b.find(quoted)
		if !ok {
			continue
		}
		finding.Verified, finding.Reason, finding.Excerpt = true, b.where+read, b.excerpt(found)
		return
	}
	all := p.bodies[len(p.bodies)-1]
	best, alike, err := all.nearest(ctx, quoted, ledger.Span{First: 1, Last: 1})
	if err != nil {
		finding.Reason = ended(err)
		return
	}
	reason := "the page does not have the quote or anything like it"
	if alike {
		finding.Nearest, finding.Similarity = all.excerpt(best), best.similarity
		finding.NearestReference = finding.Reference
		reason = fmt.Sprintf("the page does not have the quote; its nearest passage is %d %% similar", int(100*best.similarity))
	}
	switch {
	case p.scripted:
		reason += "; the page shows its text with scripts, which are not run"
	case !p.part:
		finding.Unmet = true
	}
	finding.Reason = reason + read
}

// find looks for a quote.
func (b *body) find(quoted *quotation) (passage, bool) {
	if b.squeeze == squeezeNone {
		for _, q := range b.readings(quoted) {
			if found, ok := b.closest(q, []ledger.Span{{First: 1, Last: 1}}); ok {
				return found, true
			}
		}
		return passage{}, false
	}
	needle, _ := squeezed(quoted.needle, b.squeeze)
	needle = bytes.TrimSpace(needle)
	all, at := squeezed(b.plain, b.squeeze)
	i := bytes.Index(all, needle)
	if i < 0 || len(needle) == 0 {
		return passage{}, false
	}
	last := at[i+len(needle)-1]
	_, size := utf8.DecodeRune(b.plain[last:])
	return b.passageAt(at[i], last+size), true
}

// ligatures are single characters that PDF files have for several.
func ligatures() *strings.Replacer {
	return strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl")
}

// squeezed returns a text with less white space and without characters that have no width, and where each of its bytes
// comes from.
func squeezed(text []byte, how squeezing) (out []byte, at []int) {
	replaced := ligatures()
	blank := false
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRune(text[i:])
		switch {
		case unicode.IsSpace(c):
			blank = true
		case c == '\u00AD' || c == '\u200B' || c == '\uFEFF':
		default:
			if blank && how == squeezeRuns {
				out, at = append(out, ' '), append(at, i)
			}
			blank = false
			written := string(text[i : i+size])
			if how == squeezeAll && c >= 'ﬀ' {
				written = replaced.Replace(written)
			}
			out = append(out, written...)
			for range len(written) {
				at = append(at, i)
			}
		}
		i += size
	}
	return out, at
}

// texts fills in the texts of a page by the type of its content. Other types are refused.
func (p *Pages) texts(ctx context.Context, page *page, content []byte, header string, from *url.URL) error {
	if strings.TrimSpace(header) == "" {
		header = http.DetectContentType(content)
	}
	kind, parameters, err := mime.ParseMediaType(header)
	if err != nil {
		return fmt.Errorf("its type is %s, which is not read", shown(header))
	}
	add := func(where, written string, how squeezing) {
		t := newText([]byte(written))
		t.redactor = p.redactor
		page.bodies = append(page.bodies, body{text: t, where: where, squeeze: how})
	}
	_, suffix, _ := strings.Cut(kind, "+")
	switch {
	case kind == "text/html" || kind == "application/xhtml+xml":
		main, all, scripted, err := readHTML(content, header, from)
		if err != nil {
			return err
		}
		if main != "" {
			add("found in the main text of the page", main, squeezeRuns)
		}
		add("found on the page, outside of its main text", all, squeezeRuns)
		if main == "" {
			page.bodies[0].where = "found on the page"
		}
		page.scripted = scripted
	case kind == "application/pdf":
		if page.part {
			return fmt.Errorf("it is a PDF file of more than %d MiB", maxPage>>20)
		}
		written, part, err := p.readPDF(ctx, content)
		if err != nil {
			return err
		}
		add("found in the PDF file, compared without white space", written, squeezeAll)
		if page.part = part; part {
			page.note = "; not all of the PDF file could be read"
		}
	case strings.HasPrefix(kind, "text/"), kind == "application/json", kind == "application/xml",
		kind == "application/yaml", suffix == "json", suffix == "xml", suffix == "yaml":
		written, err := decodePlain(content, parameters["charset"], page.part)
		if err != nil {
			return err
		}
		add("found on the page", written, squeezeNone)
		page.bodies[0].name = path.Base(from.Path)
	default:
		return fmt.Errorf("its type is %s, which is not read: only HTML, text, JSON, XML, YAML and PDF are", shown(kind))
	}
	if page.bodies[len(page.bodies)-1].lines == 0 {
		return errors.New("the page has no text" + map[bool]string{true: " without its scripts, which are not run"}[page.scripted])
	}
	return nil
}

// decodePlain decodes a text in the character set that its header names, or by itself.
func decodePlain(content []byte, label string, part bool) (string, error) {
	if part && !utf8.Valid(content) {
		// The bound may be inside of a character.
		if i := len(content) - utf8.UTFMax; i > 0 {
			for n := range utf8.UTFMax {
				if shorter := content[:len(content)-n]; utf8.Valid(shorter) {
					content = shorter
				}
			}
		}
	}
	written := decodeText(content)
	if named, name := charset.Lookup(label); named != nil && name != "utf-8" {
		var err error
		if written, err = decodeAs(named, name, content); err != nil {
			return "", err
		}
	}
	if bytes.IndexByte(written, 0) >= 0 {
		return "", errors.New("it is said to be text, but it is binary")
	}
	return strings.TrimPrefix(string(written), "\uFEFF"), nil
}

func decodeAs(from encoding.Encoding, name string, content []byte) ([]byte, error) {
	written, err := from.NewDecoder().Bytes(content)
	if err != nil || name == "replacement" {
		return nil, fmt.Errorf("its character set %s is not read", shown(cmp.Or(name, "unknown")))
	}
	return written, nil
}

const (
	// maxElements is up to how many elements the main text of a page is looked for; a page with more is no article.
	maxElements = 20_000
	// usualAttributes is how many attributes count as another element.
	usualAttributes = 10
	// fewCharacters is how little text a page shows that is made by its scripts.
	fewCharacters = 200
)

// readHTML returns the main text of a page, or "" if it cannot be told apart, and all text that a reader sees.
func readHTML(content []byte, header string, from *url.URL) (main, all string, scripted bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errors.New("the HTML cannot be read: " + shown(fmt.Sprint(v)))
		}
	}()
	named, name, certain := charset.DetermineEncoding(content, header)
	// Without a name, only the first kilobyte was looked at.
	if certain && name != "utf-8" || !certain && !utf8.Valid(content) {
		if content, err = decodeAs(named, name, content); err != nil {
			return "", "", false, err
		}
	}
	doc, err := html.Parse(bytes.NewReader(bytes.TrimPrefix(content, []byte("\uFEFF"))))
	if err != nil {
		return "", "", false, errors.New("the HTML cannot be read: " + shown(err.Error()))
	}
	title := ""
	var hidden []*html.Node
	elements := 0
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		elements += 1 + len(n.Attr)/usualAttributes
		switch n.Data {
		case "title":
			if title == "" && n.FirstChild != nil {
				title = strings.Join(strings.Fields(n.FirstChild.Data), " ")
			}
		case "script":
			scripted = true
		}
		if isHidden(n) {
			hidden = append(hidden, n)
		}
	}
	for _, n := range hidden {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	all = strings.TrimSpace(title + "\n" + render.InnerText(doc))
	scripted = scripted && countVisible([]byte(all)) < fewCharacters
	if elements <= maxElements {
		parser := readability.NewParser()
		parser.DisableJSONLD = true
		if article, err := parser.ParseAndMutate(doc, from); err == nil && article.Node != nil {
			main = strings.TrimSpace(render.InnerText(article.Node))
		}
	}
	return main, all, scripted, nil
}

// isHidden reports whether a reader does not see an element.
func isHidden(n *html.Node) bool {
	if slices.Contains([]string{"script", "style", "template", "noscript"}, n.Data) {
		return true
	}
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		if a.Key != "style" {
			return a.Key == "hidden"
		}
		style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
		return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
	})
}

// clean makes what a server wrote fit a record.
func (p *Pages) clean(text string) string {
	if p.secrets != nil {
		text, _ = p.secrets.Text(text)
	}
	return plain.Clip(plain.Line(text), 300)
}
