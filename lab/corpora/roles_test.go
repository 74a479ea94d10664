package corpora

import (
	"reflect"
	"strings"
	"testing"

	"moot/state"
)

// sorted is a sound scenario of three facts, f1 to f3, with what is said of them.
func sorted(id, said string) string {
	return scenario(id, fact, fact+","+strings.Replace(fact, `"f1"`, `"f2"`, 1)+","+strings.Replace(fact, `"f1"`, `"f3"`, 1), `"packet":`, said+`"packet":`)
}

func TestRoles(t *testing.T) {
	c, err := Read(folder(map[string]string{
		"a.json": sorted("a", `"roles":{"act":["f1"],"cover":["f2","f3"]},"accounts_for":{"f2":["f1"]},"not_for":{"f3":["f1"]},`),
		"b.json": sorted("b", `"roles":{"misfit":["f1","f1"],"denial":["f2"],"gap":["f3"],"failed":[]},`),
		"c.json": sorted("c", `"roles":{"act":[]},`),
		// Nobody sorted the facts of these.
		"d.json": sorted("d", ``),
		"e.json": sorted("e", `"roles":{},"accounts_for":{},`),
		"f.json": sorted("f", `"roles":null,`),
	}), "own")
	if err != nil || len(c.Broken) > 0 {
		t.Fatal(err, c.Broken)
	}
	for i, want := range []*Roles{
		{
			Of:       map[string]state.FactRole{"f1": state.RoleAct, "f2": state.RoleCover, "f3": state.RoleCover},
			Accounts: map[string]map[string]bool{"f2": {"f1": true}, "f3": {"f1": false}},
		},
		{
			Of:       map[string]state.FactRole{"f1": state.RoleMisfit, "f2": state.RoleDenial, "f3": state.RoleGap},
			Accounts: map[string]map[string]bool{},
		},
		{Of: map[string]state.FactRole{}, Accounts: map[string]map[string]bool{}},
		nil, nil, nil,
	} {
		if s := &c.Scenarios[i]; !reflect.DeepEqual(s.Roles, want) {
			t.Errorf("%s has the roles %+v, want %+v", s.ID, s.Roles, want)
		}
	}
}

// Who sorts facts wrongly is told so, with the file; what others sorted is read.
func TestRolesThatAreBroken(t *testing.T) {
	for said, what := range map[string]string{
		`"roles":{"acts":["f1"]},`:                             `roles: unknown role "acts": did you mean "act"`,
		`"roles":{"effect":["f1"]},`:                           `roles: unknown role "effect"`,
		`"roles":{"act":["f9"]},`:                              `roles: there is no fact "f9"`,
		`"roles":{"act":["f1"],"cover":["f1"]},`:               `roles: the fact "f1" is act and cover: it has one role`,
		`"roles":{},"accounts_for":{"f2":["f1"]},`:             "roles: there are none, so that accounts_for",
		`"roles":["f1"],`:                                      "roles: it takes lists of the ids of facts, by their names",
		`"roles":{"act":"f1"},`:                                "roles/act: it takes lists",
		`"roles":{"act":[1]},`:                                 "roles/act/0: it takes lists",
		`"roles":{"act":["f1"]},"accounts_for":["f1"],`:        "accounts_for: it takes lists",
		`"roles":{"act":["f1"]},"accounts_for":{"f8":["f1"]},`: `accounts_for: there is no fact "f8"`,
		`"roles":{"act":["f1"]},"not_for":{"f2":["f1","f8"]},`: `not_for: there is no fact "f8"`,
		`"roles":{"act":["f1"],"cover":["f2"]},"accounts_for":{"f2":["f1"]},"not_for":{"f2":["f1"]},`: `not_for: the fact "f2" accounts for "f1", as accounts_for says`,
	} {
		c, err := Read(folder(map[string]string{"a.json": sorted("a", `"roles":{"act":["f1"]},`), "x.json": sorted("x", said), "z.json": sorted("z", "")}), "own")
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(&c); got != "a/ z/" || c.Scenarios[0].Roles == nil {
			t.Errorf("%s: read are %s", said, got)
		}
		if len(c.Broken) != 1 || c.Broken[0].Place != "x.json" || c.Broken[0].ID != "x" || len(c.Broken[0].What) != 1 || !strings.Contains(c.Broken[0].What[0], what) {
			t.Errorf("%s: broken are %+v", said, c.Broken)
		}
	}
}

// All that is wrong is told at once, also with the packet.
func TestRolesOfABrokenPacket(t *testing.T) {
	c, err := Read(folder(map[string]string{
		"a.json": sorted("a", `"roles":{"act":["f8"],"acts":[]},`),
		"b.json": scenario("b", fact, "", `"packet":`, `"roles":{"act":["f1"]},"packet":`),
	}), "own")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Broken) != 2 || len(c.Broken[0].What) != 2 || len(c.Broken[1].What) != 1 {
		t.Errorf("broken are %+v", c.Broken)
	}
}
