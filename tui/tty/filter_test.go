package tty

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// piece holds the bytes of one read, after a pause.
type piece struct {
	pause time.Duration
	bytes string
}

// read returns what a filter passes on of some pieces, and of a long pause after them.
func read(pieces ...piece) string {
	var f Filter
	now := time.Unix(1, 0)
	out := ""
	rest := func(pause time.Duration) {
		for f.Wait() > 0 && f.Wait() <= pause {
			now = now.Add(f.Wait())
			pause -= f.Wait()
			out += string(f.Expire(now))
		}
		now = now.Add(pause)
	}
	for _, p := range pieces {
		rest(p.pause)
		out += string(f.Feed([]byte(p.bytes), now))
	}
	rest(time.Hour)
	return out
}

// typed returns pieces of a single byte each, as far apart as a person types.
func typed(keys string) []piece {
	var pieces []piece
	for _, c := range []byte(keys) {
		pieces = append(pieces, piece{90 * time.Millisecond, string(c)})
	}
	return pieces
}

func replies() []string {
	return []string{
		"\x1b]11;rgb:1e1e/1E1E/2e2e\x1b\\", "\x1b]10;rgb:ffff/ffff/ffff\a", "\x1b]12;#ffffff\x1b\\", "\x1b]4;3;rgb:00/00/00\x1b\\",
		"\x1b]52;c;aGVsbG8=\a", "\x1b[?62;22c", "\x1b[?6c", "\x1b[>41;354;0c", "\x1b[?2026;2$y", "\x1b[?2027;0$y", "\x1b[24;80R", "\x1b[1;5R",
		"\x1b[?12;1;1R", "\x1b[0n", "\x1b[?1u", "\x1b[8;24;80t", "\x1bP>|xterm(390)\x1b\\", "\x1bP1+r524742=38\x1b\\", "\x1b_Gi=1;OK\x1b\\",
	}
}

// A key behind the escape key is not the rest of a sequence that it began.
func TestAKeyFollowsTheEscapeKey(t *testing.T) {
	for _, key := range []string{"\x1b[B", "\x1b[A", "\x1b[5~", "\x1bOP", "\x1b[1;5D"} {
		for _, pause := range []time.Duration{300 * time.Millisecond, time.Second, 20 * time.Second} {
			got := read(piece{0, "\x1b"}, piece{pause, key}, piece{time.Second, "b"})
			if want := escapeKey + key + "b"; got != want {
				t.Errorf("%q after %v: got %q", key, pause, got)
			}
		}
	}
}

// Wherever a reply is cut, and however long the pause is, nothing of it becomes a key.
func TestRepliesAreNotKeys(t *testing.T) {
	for _, reply := range replies() {
		for _, pause := range []time.Duration{0, 40 * time.Millisecond, 150 * time.Millisecond, 2 * time.Second, 5 * time.Second} {
			for cut := 1; cut < len(reply); cut++ {
				if rest := len(reply) - cut; pause > replyTime && rest < 2 || cut < 3 && pause > escapeTime && strings.HasSuffix(reply, "\x1b\\") && rest < 2 {
					// By now a single character is typed by a person.
					continue
				}
				got := read(piece{0, "a"}, piece{time.Second, reply[:cut]}, piece{pause, reply[cut:]}, piece{time.Second, "b"})
				got = strings.Replace(got, reply, "", 1)
				if cut == 1 && pause > escapeTime {
					got = strings.Replace(got, escapeKey, "", 1)
				}
				if cut == 2 && pause > escapeTime {
					// The beginning was a key with alt.
					got = strings.Replace(got, reply[:2], "", 1)
				}
				if got != "ab" {
					t.Errorf("%q cut at %d with a pause of %s: %q is left", reply, cut, pause, got)
				}
			}
		}
		if got := read(append(append(typed("a"), typed(reply)...), typed("b")...)...); reply[1] != 'P' && reply[1] != '_' && strings.Replace(got, reply, "", 1) != "ab" {
			t.Errorf("%q byte by byte: %q is left", reply, got)
		}
		if got := read(piece{0, "a" + reply + "b"}); strings.Replace(got, reply, "", 1) != "ab" {
			t.Errorf("%q in the middle of keys: %q is left", reply, got)
		}
	}
}

func TestKeysPass(t *testing.T) {
	in := func(pieces ...piece) []piece { return pieces }
	const soon, later = time.Millisecond, 100 * time.Millisecond
	for _, test := range []struct {
		name   string
		pieces []piece
		want   string
	}{
		{"typed text", typed("Fa fact\r"), "Fa fact\r"},
		{"a line and enter at once", in(piece{0, "a fact\r"}), "a fact\r"},
		{"enter, then text at once", in(piece{0, "\ra fact\r"}), "\ra fact\r"},
		{"enter held down", in(piece{0, "\r\r\r"}, piece{soon, "\r\r"}), "\r\r\r\r\r"},
		{"cursor keys and enter at once", in(piece{0, "\x1b[B\x1b[B\rx"}), "\x1b[B\x1b[B\rx"},
		{"control keys", in(piece{0, "\x01\x03\x7f\x00"}), "\x01\x03\x7f\x00"},
		{"the escape key", in(piece{0, "\x1b"}), escapeKey},
		{"escape twice", in(piece{0, "\x1b"}, piece{later, "\x1b"}), escapeKey + escapeKey},
		{"escape, then a letter", in(piece{0, "\x1b"}, piece{later, "q"}), escapeKey + "q"},
		{"escape, then a bracket", in(piece{0, "\x1b"}, piece{later, "["}), escapeKey + "["},
		{"escape, then a capital letter", in(piece{0, "\x1b"}, piece{later, "P"}, piece{later, "x"}), escapeKey + "Px"},
		{"alt and a letter", in(piece{0, "\x1bq"}), "\x1bq"},
		{"alt and a letter in two reads", in(piece{0, "\x1b"}, piece{soon, "q"}), "\x1bq"},
		{"alt and a bracket", in(piece{0, "\x1b]"}, piece{time.Second, "q"}), "\x1b]q"},
		{"alt and enter", in(piece{0, "\x1b\r"}), "\x1b\r"},
		{"a cursor key in pieces", in(piece{0, "\x1b"}, piece{later, "["}, piece{later, "A"}), "\x1b[A"},
		{"a key of the Linux console", in(piece{0, "\x1b[[A"}), "\x1b[[A"},
		{"F3", in(piece{0, "\x1bOR\x1b[R\x1b[13~"}), "\x1bOR\x1b[R\x1b[13~"},
		{"the mouse", in(piece{0, "\x1b[<35;10;10M\x1b[<0;1;1m\x1b[M !\x80"}), "\x1b[<35;10;10M\x1b[<0;1;1m\x1b[M !\x80"},
		{"a broken reply, then keys", in(piece{0, "\x1b]11;rgb:1"}, piece{later, "q"}), "q"},
		{"a broken reply, then enter", in(piece{0, "\x1b]4;1;x"}, piece{later, "\r"}), "\r"},
		{"a reply that never ends", in(append([]piece{{0, "\x1b]4;1;x"}}, typed(strings.Repeat("k", 60))...)...), strings.Repeat("k", 27)},
		{"a character in pieces", in(piece{0, "\xf0\x9f"}, piece{later, "\x91"}, piece{time.Second, "\x8d"}), "👍"},
		{"half a character", in(piece{0, "\xf0\x9f"}, piece{5 * time.Second, "q"}), "q"},
		{"bytes that are no text", in(piece{0, "\xff\xfe"}), "\xff\xfe"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := read(test.pieces...); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestPastesGetBrackets(t *testing.T) {
	const soon = 5 * time.Millisecond
	paste := func(text string) string { return pasteStart + text + pasteEnd }
	long := strings.Repeat("a line of a log\r", 400)
	for _, test := range []struct {
		name   string
		pieces []piece
		want   string
	}{
		{"lines", []piece{{0, "one\rtwo\rthree\r"}}, paste("one\rtwo\rthree\r")},
		{"lines with line feeds", []piece{{0, "one\ntwo"}}, paste("one\ntwo")},
		{"it begins with a line break", []piece{{0, "\rone\rtwo"}}, paste("\rone\rtwo")},
		{"in two reads", []piece{{0, "one\rtwo"}, {soon, "three\r"}}, paste("one\rtwothree\r")},
		{"cut behind a line break", []piece{{0, "one\r"}, {soon, "two"}}, paste("one\rtwo")},
		{"cut before a line break", []piece{{0, "one"}, {soon, "\rtwo"}}, "one" + paste("\rtwo")},
		{"a second burst", []piece{{0, "one\rtwo"}, {90 * time.Millisecond, "three\r"}}, paste("one\rtwo") + paste("three\r")},
		{"enter after it", []piece{{0, "one\rtwo"}, {time.Second, "\r"}}, paste("one\rtwo") + "\r"},
		{"a key after it", []piece{{0, "one\rtwo"}, {time.Second, "\x1b[A"}}, paste("one\rtwo") + "\x1b[A"},
		{"a mark of its own end", []piece{{0, "one\rtwo\x1b[201~A\r"}}, paste("one\rtwoA\r")},
		{"a reply in it", []piece{{0, "one\rtwo\x1b[?62c\rthree"}}, paste("one\rtwo\rthree")},
		{"characters", []piece{{0, "é\r語\xe8"}, {soon, "\xaa\x9e"}}, paste("é\r語語")},
		{"a long one", []piece{{0, long[:500]}, {soon, long[500:1000]}, {soon, long[1000:]}}, paste(long)},
		{"with brackets", []piece{{0, paste("one\rtwo\x1b]11;x\xf0")}, {0, "\r"}}, paste("one\rtwo\x1b]11;x\xf0") + "\r"},
		{"with brackets, slowly", typed(paste("one\rtwo\r")), paste("one\rtwo\r")},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := read(test.pieces...); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	var pieces []piece
	for _, c := range []byte("one\rtwo\rthree\r") {
		pieces = append(pieces, piece{time.Millisecond, string(c)})
	}
	if got, want := read(pieces...), "one"+paste("\rtwo\rthree\r"); got != want {
		t.Errorf("byte by byte: got %q, want %q", got, want)
	}
}

// Whatever arrives however cut, brackets match, what was held comes out in the end, and printable text is not lost.
func TestFilterKeepsText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "é", "🙂", "\r", "\n", " ", "\t", "word", "\x7f"}), 0, 20).Draw(rt, "parts")
		text := strings.Join(parts, "")
		var pieces []piece
		for at := 0; at < len(text); {
			n := rapid.IntRange(1, len(text)-at).Draw(rt, "length")
			pause := time.Duration(rapid.SampledFrom([]int{0, 1, 14, 16, 100, 400}).Draw(rt, "pause")) * time.Millisecond
			pieces = append(pieces, piece{pause, text[at : at+n]})
			at += n
		}
		got := read(pieces...)
		if plain := strings.NewReplacer(pasteStart, "", pasteEnd, "").Replace(got); plain != text {
			rt.Errorf("%v\ngot  %q\nwant %q", pieces, plain, text)
		}
		if strings.Count(got, pasteStart) != strings.Count(got, pasteEnd) {
			rt.Errorf("brackets don't match: %q", got)
		}
	})
}

func FuzzFilter(f *testing.F) {
	for _, reply := range replies() {
		f.Add([]byte("a"+reply+"\rb"), 3, 20)
	}
	f.Fuzz(func(t *testing.T, sent []byte, cut, pause int) {
		cut = max(0, min(cut, len(sent)))
		var filter Filter
		now := time.Unix(1, 0)
		size := len(filter.Feed(sent[:cut], now))
		now = now.Add(time.Duration(max(0, pause%5000)) * time.Millisecond)
		size += len(filter.Feed(sent[cut:], now))
		for range 4 {
			if filter.Wait() > 0 {
				size += len(filter.Expire(now))
			}
		}
		if filter.Wait() > 0 || filter.pasting {
			t.Errorf("it waits forever after %q", sent)
		}
		if size > expansion*len(sent)+4*len(pasteStart) {
			t.Errorf("%d bytes became %d", len(sent), size)
		}
	})
}
