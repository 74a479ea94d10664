package workspace

import (
	"slices"
	"strings"
	"testing"
)

// Whatever the bytes of a question and of a file are, the passages are lines of the file, in every language.
func FuzzPassages(f *testing.F) {
	f.Add("Wie viele Versuche gibt es für die Größe?", "Die Größen der Versuche\n")
	f.Add("配置变更后如何通知客户端?", "配置变更后，服务端通过长轮询通知客户端。\n")
	f.Add("EFS는 왜 버렸나요?", "EFS를 버리고\n\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab\n")
	f.Add("¿Debería usar \u0301\u0e31 ﾃﾞ ａ １?", "\u0301\u0e31\u0e31ก ﾃﾞｰﾀ\n\xff\xed\xa0\x80é漢\n")
	f.Add("как обновляется ключ -_-a_B", "ключи_обновлялись-x \x00\n")
	f.Fuzz(func(t *testing.T, question, text string) {
		lines := strings.Split(text, "\n")
		for _, language := range []string{"", "wie die ", "est-ce que le ", "¿qué es el ", "o que é a ", "che cos'è il ", "что это "} {
			for _, p := range Texts([]Text{{"a.md", text}}, language+question, 5) {
				if got := strings.Join(lines[p.Line-1:p.EndLine], "\n"); strings.ReplaceAll(got, "\r\n", "\n") != p.Text &&
					strings.TrimSuffix(strings.ReplaceAll(got, "\r\n", "\n"), "\r") != p.Text {
					t.Errorf("lines %d-%d are %q, not %q", p.Line, p.EndLine, got, p.Text)
				}
			}
		}
		var read []string
		for w := (words{rest: []byte(text)}); w.next(); {
			read = append(read, string(w.run), string(slices.Concat(w.parts...)))
			if len(read) > 2*len(text)+2 {
				t.Fatal("the words have no end")
			}
		}
	})
}
