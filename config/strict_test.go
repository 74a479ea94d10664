package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"moot/config"
)

// shelf is a file as its own package would declare it.
type shelf struct {
	Title  string              `toml:"title"`
	Books  []book              `toml:"book"`
	Lent   map[string][]string `toml:"lent"`
	Kept   *bool               `toml:"kept"`
	Hidden string              `toml:"-"`
	moved
}

type moved struct {
	Room struct {
		Name   string    `toml:"name"`
		Widths []float64 `toml:"widths"`
		Sizes  []int     `toml:"sizes"`
	} `toml:"room"`
}

type book struct {
	Name     string         `toml:"name"`
	Pages    int            `toml:"pages"`
	Weight   float64        `toml:"weight"`
	Chapters []chapter      `toml:"chapter"`
	Notes    map[string]any `toml:"notes"`
}

type chapter struct {
	Begins *int `toml:"begins"`
}

func readShelf(data string, kind config.Kind) error {
	kind.Name, kind.MaxBytes = "shelf", 1000
	r := config.Reader{Name: "my.toml"}
	var form shelf
	r.Decode([]byte(data), kind, &form)
	return r.Err()
}

// Decoding errors have their line, and are in terms of TOML instead of Go.
func TestStrictTellsLines(t *testing.T) {
	for data, want := range map[string]string{
		"": "",
		"\xef\xbb\xbftitle = 'x'\r\nkept = true\r\n": "",
		"Title = 'x'":                                  "",
		strings.Repeat("#", 1001):                      "my.toml: larger than 1000 bytes, the limit for shelf files",
		"title = 'x'\nlent = { a = ['\xff'] }":         "my.toml:2: this is not UTF-8 text: save it as UTF-8",
		"title = ":                                     "my.toml:1: this is not a valid shelf: ",
		"\n[book":                                      "my.toml:2: this is not a valid shelf: ",
		"title = 'x'\ntitle = 'y'":                     "my.toml:2: this is not a valid shelf: key title is already defined",
		"[room]\n[room]":                               "my.toml:2: this is not a valid shelf: table room already exists",
		"title = 3":                                    "my.toml:1: title is a text in quotes",
		"kept = 'yes'":                                 "my.toml:1: kept is true or false, without quotes",
		"book = 'x'":                                   "my.toml:1: book is a list: begin each with [[book]]",
		"[[book]]\npages = 1.5":                        "my.toml:2: pages is a whole number, without quotes",
		"[[book]]\npages = 99999999999999999999":       "my.toml:2: pages: decimal number is too large",
		"[[book]]\nweight = true":                      "my.toml:2: weight is a number, without quotes",
		"[[book]]\nchapter = 1":                        "my.toml:2: chapter is a list: begin each with [[book.chapter]]",
		"[[book]]\n[[book.chapter]]\nbegins = 'x'":     "my.toml:3: begins is a whole number, without quotes",
		"[[book]]\nnotes = 1":                          "my.toml:2: notes is a table: put its keys below [book.notes]",
		"lent = 1":                                     "my.toml:1: lent is a table: put its keys below [lent]",
		"[lent]\n\"a\\u001b\" = 1":                     `my.toml:2: "a\x1b" is a list in square brackets`,
		"room = 1":                                     "my.toml:1: room is a table: put its keys below [room]",
		"[room]\nwidths = 1":                           "my.toml:2: widths is a list in square brackets",
		"[room]\nsizes = [1.5]":                        "my.toml:2: sizes is a list in square brackets",
		"titel = 'x'":                                  "my.toml:1: unknown key titel; did you mean title?",
		"hidden = 'x'":                                 "my.toml:1: unknown key hidden; the file has title, book, lent, kept, room",
		"[rom]\nname = 'x'\nwidht = 3":                 "my.toml:1: unknown key rom; did you mean room?",
		"[room]\nnaem = 'x'":                           "my.toml:2: unknown key naem in [room]; did you mean name?",
		"[room]\nvase = 'x'":                           "my.toml:2: unknown key vase in [room]; it has name, widths, sizes",
		"room.vase.of.glass = 'x'":                     "my.toml:1: unknown key vase in [room]; it has name, widths, sizes",
		"[[book]]\n[[book.chapter]]\n\n[book.notse]\n": "my.toml:4: unknown key notse in [[book]]; did you mean notes?",
		"[[book]]\nchapter = [{ begin = 1 }]":          "my.toml:2: unknown key begin in [[book.chapter]]; did you mean begins?",
		"room = { vase = 1 }":                          "my.toml:1: unknown key vase in [room]; it has name, widths, sizes",
		"book = [{ chapter = [{ begin = 1 }] }]":       "my.toml:1: unknown key begin in [[book.chapter]]; did you mean begins?",
		"[room]\n\"a.b\" = 1":                          `my.toml:2: unknown key "a.b" in [room]; it has name, widths, sizes`,
		"[room]\nbegins = 1":                           "my.toml:2: unknown key begins in [room]; it has name, widths, sizes",
		"name = 'x'":                                   "my.toml:1: unknown key name; the file has title, book, lent, kept, room",
		"[[book]]\nlent = 1":                           "my.toml:2: unknown key lent in [[book]]; ",
		"\"\\u202e\" = 1":                              `my.toml:1: unknown key "\u202e"; the file has title, book, lent, kept, room`,
	} {
		err := readShelf(data, config.Kind{})
		if err == nil && want != "" || err != nil && (want == "" || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%.100q:\n%v, want\n%s", data, err, want)
		}
	}
}

// A kind of file says in its own words what a value is.
func TestStrictTakesTheWordsOfAKind(t *testing.T) {
	kind := config.Kind{
		Mistyped: func(key []string) string {
			if len(key) == 1 {
				return "write " + key[0] + " so"
			}
			return ""
		},
	}
	for data, want := range map[string]string{
		"title = 1":          "my.toml:1: write title so",
		"[room]\nname = 1":   "my.toml:2: name is a text in quotes",
		"[room]\n\n[room]\n": "my.toml:3: this is not a valid shelf: table room already exists",
	} {
		if err := readShelf(data, kind); err == nil || err.Error() != want {
			t.Errorf("%q:\n%v, want\n%s", data, err, want)
		}
	}
}

// A large file of another program is refused at once: the decoder compares each key with
// all before it.
func TestStrictRefusesTheFileOfAnother(t *testing.T) {
	var data strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&data, "key%d = 1\n", i)
	}
	r := config.Reader{Name: "my.toml"}
	if r.Decode([]byte(data.String()), config.Kind{Name: "shelf", MaxBytes: data.Len()}, &shelf{}) || r.Wrong() != 5000 {
		t.Errorf("%d problems", r.Wrong())
	}
	if problems, is := errors.AsType[config.Problems](r.Err()); !is || problems[len(problems)-1].What != "and 4960 more problems" {
		t.Errorf("%v", problems[len(problems)-1])
	}
}
