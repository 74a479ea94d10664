package workspace

import (
	"fmt"
	"strings"
	"testing"

	"moot/protocol/move"
)

// notes are documents in several languages, each about its own subject.
func notes(t testing.TB) string {
	t.Helper()
	return writeTree(t, map[string]string{
		"zh.md":   "# 存储\n\n会话记录保存在用户目录。\n\n服务器重启之后，旧会话会从快照恢复。\n\n令牌每隔一小时轮换一次。\n",
		"ja.md":   "# 障害\n\n接続が切れた場合は、指数的に待ち時間を延ばす。\n\n署名鍵の有効期限は九十日です。\n\nログはデータベースに保存しない。\n",
		"ko.md":   "# 배포\n\nKafka는 운영 부담 때문에 제외했다.\n\n스냅샷은 매일 새벽에 생성한다.\n\n인증서 갱신은 자동으로 처리된다.\n",
		"th.md":   "# ระบบ\n\nเซิร์ฟเวอร์สำรองข้อมูลทุกคืน\n\nรหัสผ่านหมดอายุหลังเก้าสิบวัน\n",
		"de.md":   "Abgelaufene Sitzungen werden nachts gelöscht.\n\nDer Schlüssel liegt im Tresor.\n",
		"fr.md":   "Les sessions expirées sont supprimées chaque nuit.\n\nLa clé reste dans le coffre.\n",
		"es.md":   "Las sesiones caducadas se eliminan cada noche.\n\nLa clave queda en la caja fuerte.\n",
		"pt.md":   "Os pedidos rejeitados são arquivados durante um mês.\n\nO relógio vem do servidor.\n",
		"it.md":   "I messaggi rifiutati restano in archivio per un mese.\n\nL'orologio arriva dal server.\n",
		"ru.md":   "Просроченные сертификаты обновляются автоматически.\n\nКлюч хранится в сейфе.\n",
		"en.md":   "Expired certificates are renewed by a timer.\n\nThe queue is drained before a restart.\n",
		"main.go": "package main\n\n// drain empties the queue.\nfunc drain() {}\n",
	})
}

// The first passage is the line that answers, in a script without spaces, with Latin names in it, and with another
// inflection than the question's.
func TestQuestionsInOtherLanguages(t *testing.T) {
	t.Parallel()
	root := notes(t)
	for question, want := range map[string]string{
		"服务器重启后怎么恢复旧会话？":                            "zh.md:5",
		"令牌多久轮换？":                                   "zh.md:7",
		"会话记录保存在哪里":                                 "zh.md:3",
		"署名鍵の有効期限はいつですか？":                           "ja.md:5",
		"接続が切れたらどうする？":                              "ja.md:3",
		"ﾃﾞｰﾀﾍﾞｰｽに保存しますか":                           "ja.md:7",
		"Kafka를 왜 제외했나요?":                           "ko.md:3",
		"Ｋａｆｋａ는 어떻게 됐나요?":                           "ko.md:3",
		"인증서는 어떻게 갱신되나요?":                           "ko.md:7",
		"รหัสผ่านหมดอายุเมื่อไร":                    "th.md:5",
		"เซิร์ฟเวอร์สำรองข้อมูลเมื่อไหร่":           "th.md:3",
		"Wann löscht man eine abgelaufene Sitzung?": "de.md:1",
		"Wo liegen die Schlüssel?":                  "de.md:3",
		"Quand supprime-t-on une session expirée ?": "fr.md:1",
		"¿Cuándo se elimina una sesión caducada?":   "es.md:1",
		"Onde fica arquivado um pedido rejeitado?":  "pt.md:1",
		"Dove resta il messaggio rifiutato?":        "it.md:1",
		"Как обновляется просроченный сертификат?":  "ru.md:1",
		"How is an expired certificate renewed?":    "en.md:1",
	} {
		found := find(t, root, question)
		if len(found) == 0 {
			t.Errorf("%s: nothing found, want %s", question, want)
			continue
		}
		if got := reference(found[0]); got != want {
			t.Errorf("%s: found %s %q, want %s", question, got, found[0].Text, want)
		}
	}
}

func reference(p Passage) string {
	number, _, _ := strings.Cut(numbered(p.Line, ""), ":")
	return p.Path + ":" + number
}

// A question in a language finds nothing where no line is about it.
func TestNothingInOtherLanguages(t *testing.T) {
	t.Parallel()
	root := notes(t)
	for _, question := range []string{
		"支付接口如何退款？", "決済の返金はどうやって行いますか？", "결제 환불은 어떻게 하나요?", "การคืนเงินทำอย่างไร",
		"Wie wird eine Rechnung storniert?", "Comment rembourser une facture ?", "¿Cómo se devuelve una factura?",
		"Как вернуть платёж?",
	} {
		if found := find(t, root, question); len(found) > 0 {
			t.Errorf("%s: found %s %q", question, reference(found[0]), found[0].Text)
		}
	}
}

// A question for an opinion is answered by a passage that weighs, not by one that shares a word.
func TestOpinionQuestions(t *testing.T) {
	t.Parallel()
	root := writeTree(t, map[string]string{
		"deploy.md": "The broker is Kafka.\n\nBackups go to the archive bucket each night.\n\n" +
			"We chose Postgres over SQLite because two writers need row locks.\n",
		"zh.md": "消息队列使用卡夫卡。\n\n因为运维成本，数据库选择了单机部署。\n",
		"ko.md": "메시지는 Kafka로 보낸다.\n",
		"ja.md": "通知はカフカで送る。\n",
	})
	for _, question := range []string{
		"Should we replace Kafka?", "Is Kafka better than NATS?", "Would you recommend Kafka?", "Is Kafka worth it?",
		"Should backups be encrypted at rest?", "Sollten wir Kafka ersetzen?", "Ist Kafka besser als NATS?",
		"Faut-il remplacer Kafka ?", "¿Deberíamos reemplazar Kafka?", "Dovremmo sostituire Kafka?",
		"Deveríamos substituir o Kafka?", "Стоит ли заменить Kafka?", "应该用卡夫卡吗？", "卡夫卡更好吗？",
		"カフカを使うべきですか？", "Kafka를 쓰는 게 좋을까요?", "ควรใช้ Kafka ไหม",
	} {
		if found := find(t, root, question); len(found) > 0 {
			t.Errorf("%s: found %s %q", question, reference(found[0]), found[0].Text)
		}
	}
	for question, want := range map[string]string{
		"Is Postgres better than SQLite?":             "deploy.md:5",
		"Should we use SQLite or Postgres?":           "deploy.md:5",
		"数据库单机部署更好吗？":                                 "zh.md:3",
		"Which broker is there, Kafka?":               "deploy.md:1",
		"Should backups go to an archive each night?": "deploy.md:3",
	} {
		if found := find(t, root, question); len(found) == 0 || reference(found[0]) != want {
			t.Errorf("%s: found %v, want %s", question, found, want)
		}
	}
}

// SEARCH finds a text anywhere: within a word, in punctuation, in a generated file, at the end of a long line.
func TestSearchFindsALiteral(t *testing.T) {
	t.Parallel()
	root := writeTree(t, map[string]string{
		"a.go":       "package a\n\nfunc renderInvoiceTable() {\n\tx := y[i]->z && q\n}\n",
		"b.md":       "the and of\n\n配置中心推送变更，再由网关下发。\n",
		"gen.pb.go":  "// Code generated by a tool. DO NOT EDIT.\nvar zqGenerated = 1\n",
		"go.sum":     "example.org/zqdep v1.0.0 h1:abc=\n",
		"latin1.txt": "die Stra\xdfe und das zqlatin\n",
		"long.txt":   strings.Repeat("filler words ", 120) + "zqtail\n",
		"many.txt":   strings.Repeat("zqmany times\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", 5),
	})
	w := open(t, root)
	for query, want := range map[string]string{
		"derInvoiceTab": "3: func renderInvoiceTable() {",
		"DERINVOICETAB": "3: func renderInvoiceTable() {",
		"y[i]->z":       "4: \tx := y[i]->z && q",
		"the":           "1: the and of",
		"&&":            "4: \tx := y[i]->z && q",
		`"the and"`:     "1: the and of",
		"推送变更":          "3: 配置中心推送变更",
		"网":             "3: 配置中心推送变更",
		"qGener":        "2: var zqGenerated = 1",
		"zqdep v1":      "1: example.org/zqdep",
		"zqlatin":       "1: die Stra",
		"qtail":         "qtail",
		"zqmany":        "many.txt:80-",
	} {
		text, _, err := w.Look(t.Context(), &move.Search{Query: query}, 64<<10)
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %.400q, %v, want %q", query, text, err, want)
		}
	}
}

// Each line is shown once, and the line that fits best is the first of a passage, or in the middle of what SEARCH shows.
func TestPassagesComeOnce(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for i := range 60 {
		if i%4 == 0 {
			fmt.Fprintf(&long, "turbine %d is throttled by the governor\n", i)
		} else {
			long.WriteString(strings.Repeat("x", i+1) + "\n")
		}
	}
	root := writeTree(t, map[string]string{
		"long.txt": long.String(), "copy.md": "intro\n\nA copied sentence says that the turbine spins at 3000 rpm.\n",
		"docs/copy.md": "A copied   sentence says that the turbine spins at 3000 rpm.\nMore text.\n",
		"order.md":     "governor\nsome line\nanother line\nthe turbine waits for the governor and then the pump starts\nlast\n",
	})
	w := open(t, root)
	_, shown, err := w.Look(t.Context(), &move.Search{Query: "turbine governor throttled"}, 64<<10)
	if err != nil || len(shown) < 3 {
		t.Fatal(shown, err)
	}
	for i, p := range shown {
		for _, q := range shown[:i] {
			if p.Path == q.Path && p.From <= q.To && q.From <= p.To {
				t.Errorf("%s:%d-%d and %d-%d overlap", p.Path, p.From, p.To, q.From, q.To)
			}
		}
	}
	copies := 0
	for _, p := range find(t, root, "How fast does the turbine spin, in rpm?") {
		if strings.Contains(p.Text, "copied") {
			copies++
		}
	}
	if copies != 1 {
		t.Errorf("the copied sentence came %d times", copies)
	}
	found := find(t, root, "When does the pump start, after the turbine waits for the governor?")
	if len(found) == 0 || found[0].Path != "order.md" || !strings.HasPrefix(found[0].Text, "the turbine waits") {
		t.Errorf("found %+v", found)
	}
	_, shown, err = w.Look(t.Context(), &move.Search{Query: "wwwww"}, 64<<10)
	if err == nil {
		t.Errorf("found %v", shown)
	}
	if _, shown, err = w.Look(t.Context(), &move.Search{Query: strings.Repeat("x", 30)}, 64<<10); err != nil {
		t.Fatal(err)
	}
	if p := shown[0]; (p.From+p.To)/2 < 30 {
		t.Errorf("long.txt:%d-%d is not around a line with 30 letters", p.From, p.To)
	}
}
