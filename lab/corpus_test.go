package lab

import (
	"strings"
	"testing"
	"testing/fstest"

	"moot/protocol/hearing/judge"
)

const fact = `{"id":"f1","entity":"H","entity_type":"node","field":"logon","value":1,"timestamp":"2026-01-01T00:00:00Z","source_type":"auth_log","source_id":"x"}`

// scenario is a sound scenario, with pairs of what is replaced in it.
func scenario(id string, replaced ...string) string {
	text := `{"id":"` + id + `","name":"A logon","tier":"CLEAR_THREAT","mitre":"T1078","tactic":"initial-access","expected":"THREAT_CONFIRMED",` +
		`"packet":{"packet_id":"` + id + `","window":["2026-01-01T00:00:00Z","2026-01-02T00:00:00Z"],"facts":[` + fact + `]}}`
	return strings.NewReplacer(replaced...).Replace(text)
}

func folder(files map[string]string) fstest.MapFS {
	made := fstest.MapFS{}
	for name, text := range files {
		made[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o600}
	}
	return made
}

func ids(c *Corpus) string {
	var all []string
	for i := range c.Scenarios {
		all = append(all, c.Scenarios[i].ID+"/"+string(c.Scenarios[i].Half))
	}
	return strings.Join(all, " ")
}

func TestScenariosOfAFolder(t *testing.T) {
	c, err := ReadCorpus(folder(map[string]string{
		"b.json":                  scenario("b", "THREAT_CONFIRMED", "DISMISSED", `"mitre":"T1078"`, `"mitre":null,"twin":"a"`),
		"test/c.json":             scenario("c", `"THREAT_CONFIRMED"`, `"CHANGE_INCONCLUSIVE","half":"test"`),
		"development/deep/a.json": "\ufeff" + scenario("a", "\n", "") + "\n",
		"lines.jsonl":             scenario("d", `"name":"A logon"`, `"half":"development"`) + "\n\n" + scenario("e") + "\n",
		"README.md":               "no scenario",
		".hidden/x.json":          "{",
		".x.json":                 "{",
	}), "own")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Broken) > 0 {
		t.Fatalf("broken: %+v", c.Broken)
	}
	if got := ids(&c); got != "b/ e/ a/development d/development c/test" {
		t.Errorf("they are %s", got)
	}
	if b := c.Scenarios[0]; b.Expected != judge.Dismissed || b.Twin != "a" || b.Tier != ClearThreat || b.Packet.Len() != 1 {
		t.Errorf("b is %+v", b)
	}
	if place := c.Scenarios[1].Place; place != "lines.jsonl:3" {
		t.Errorf("e lies at %s", place)
	}
	if c.Scenarios[4].Expected != judge.Inconclusive {
		t.Errorf("c is expected to be %s", c.Scenarios[4].Expected)
	}
}

func TestWhatIsBrokenIsNamedAndTheRestIsRead(t *testing.T) {
	for what, text := range map[string]string{
		"line 1: the JSON ends":                  `{"id":"x"`,
		"line 1: there is no JSON object":        "",
		"line 1: it takes an object, not a list": "[]",
		"a second object follows":                scenario("x") + scenario("y"),
		"id: it is missing":                      scenario(""),
		"id: ":                                   scenario("x", `"id":"x"`, `"id":7`),
		"tier: it is missing":                    scenario("x", `"tier":"CLEAR_THREAT",`, ""),
		`tier: unknown tier "CLEAR"`:             scenario("x", "CLEAR_THREAT", "CLEAR"),
		"expected: it is missing":                scenario("x", `"THREAT_CONFIRMED"`, `null`),
		`expected: unknown outcome "CONFRMED"`:   scenario("x", "THREAT_CONFIRMED", "THREAT_CONFRMED"),
		"half: unknown half":                     scenario("x", `"name"`, `"half":"exam","name"`),
		"half: it says test, but it is in":       scenario("x", `"name"`, `"half":"test","name"`),
		"twin: ":                                 scenario("x", `"name"`, `"twin":["a"],"name"`),
		"packet: it is missing":                  strings.SplitAfter(scenario("x"), `"packet":`)[0] + "null}",
		"it takes an object, not a list":         strings.SplitAfter(scenario("x"), `"packet":`)[0] + "[]}",
		"fact \"f1\": timestamp":                 scenario("x", `"timestamp":"2026-01-01`, `"timestamp":"2027-01-01`),
		"another fact has this id":               scenario("x", fact, fact+","+fact),
		"fact \"f1\": source_type":               scenario("x", "auth_log", "oracle_bones"),
		"facts: there are none":                  scenario("x", fact, ""),
		"window":                                 scenario("x", "2026-01-02T", "2025-01-02T"),
		"its id is that of development/a.json":   scenario("a"),
		"duplicate":                              scenario("x", `"name":`, `"id":"z","name":`),
		"invalid UTF-8":                          scenario("x", "A logon", "\xff"),
	} {
		c, err := ReadCorpus(folder(map[string]string{"development/a.json": scenario("a"), "development/x.json": text, "test/z.json": scenario("last")}), "own")
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(&c); !strings.HasPrefix(got, "a/development ") && got != "a/development last/test" {
			t.Errorf("%s: read are %s", what, got)
		}
		if len(c.Broken) != 1 || c.Broken[0].Place != "development/x.json" || !strings.Contains(strings.Join(c.Broken[0].What, "; "), what) {
			t.Errorf("%s: broken are %+v", what, c.Broken)
		}
	}
}

func TestALineThatIsBrokenLeavesTheOthers(t *testing.T) {
	c, err := ReadCorpus(folder(map[string]string{
		"all.jsonl": scenario("a") + "\n{broken\n" + scenario("b") + "\n" + scenario("c", "CLEAR_THREAT", "HARD") + "\n",
	}), "own")
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(&c); got != "a/ b/" {
		t.Errorf("read are %s", got)
	}
	if len(c.Broken) != 2 || !strings.Contains(c.Broken[0].What[0], "line 2") || c.Broken[1].Place != "all.jsonl:4" || c.Broken[1].ID != "c" {
		t.Errorf("broken are %+v", c.Broken)
	}
}

func TestWhatIsNoCorpus(t *testing.T) {
	if _, err := ReadCorpus(folder(map[string]string{"README.md": "x"}), "own"); err == nil || !strings.Contains(err.Error(), "holds no scenario") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := OpenCorpus(t.TempDir() + "/none"); err == nil || !strings.Contains(err.Error(), "security is built in") {
		t.Errorf("no folder: %v", err)
	}
	if _, err := OpenCorpus("corpus.go"); err == nil || !strings.Contains(err.Error(), "is no folder") {
		t.Errorf("a file: %v", err)
	}
}

func TestBuiltInCorporaAreWhole(t *testing.T) {
	for name, want := range map[string]map[Half]int{
		"security": {Development: 42, Test: 42},
	} {
		c, err := OpenCorpus(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Broken) > 0 {
			t.Errorf("%s: broken are %+v", name, c.Broken)
		}
		count, tiers := map[Half]int{}, map[Tier]map[Half]bool{}
		for i := range c.Scenarios {
			s := &c.Scenarios[i]
			count[s.Half]++
			if tiers[s.Tier] == nil {
				tiers[s.Tier] = map[Half]bool{}
			}
			tiers[s.Tier][s.Half] = true
			if s.Reason == "" || s.Name == "" || s.Packet.Len() < 8 || s.Packet.Len() > 30 {
				t.Errorf("%s: %s has a reason of %d bytes and %d facts", name, s.ID, len(s.Reason), s.Packet.Len())
			}
		}
		for half, n := range want {
			if count[half] != n {
				t.Errorf("%s: %d are %s, not %d", name, count[half], half, n)
			}
		}
		for _, tier := range Tiers() {
			if len(tiers[tier]) != 2 {
				t.Errorf("%s: %s is not in both halves", name, tier)
			}
		}
		known := map[string]Scenario{}
		for _, s := range c.Scenarios {
			known[s.ID] = s
		}
		for _, s := range c.Scenarios {
			if twin := known[s.Twin]; s.Twin != "" && (twin.Half != s.Half || twin.Expected == s.Expected) {
				t.Errorf("%s: %s and %s are no twins", name, s.ID, s.Twin)
			}
		}
	}
}

func TestDigestsNameTheContent(t *testing.T) {
	digest := func(name, text string) string {
		c, err := ReadCorpus(folder(map[string]string{name: text}), "own")
		if err != nil || len(c.Broken) > 0 {
			t.Fatal(err, c.Broken)
		}
		return c.Digest()
	}
	plain := digest("a.json", scenario("a"))
	if digest("b.jsonl", scenario("a", "A logon", "Another name")) != plain {
		t.Error("a name and a file change it")
	}
	for what, other := range map[string]string{
		"a label": scenario("a", "THREAT_CONFIRMED", "DISMISSED"), "a tier": scenario("a", "CLEAR_THREAT", "AMBIGUOUS"),
		"a fact": scenario("a", `"value":1`, `"value":2`), "a half": scenario("a", `"name"`, `"half":"test","name"`),
	} {
		if digest("a.json", other) == plain {
			t.Errorf("%s does not change it", what)
		}
	}
}
