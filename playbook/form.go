package playbook

// form is a file as TOML decodes it: words that are checked afterwards, so that
// each problem is told with its line.
type form struct {
	Title      string              `toml:"title"`
	About      string              `toml:"about"`
	Extends    string              `toml:"extends"`
	Without    []string            `toml:"without"`
	MaxRounds  *int                `toml:"maxRounds"`
	Authority  []string            `toml:"authority"`
	Thresholds map[string]float64  `toml:"thresholds"`
	Allow      map[string][]string `toml:"allow"`
	Gates      struct {
		Freshness map[string]string `toml:"freshness"`
	} `toml:"gates"`
	Flags []flagForm `toml:"flag"`
}

// flagForm is a [[flag]].
type flagForm struct {
	ID        string      `toml:"id"`
	Title     string      `toml:"title"`
	Look      string      `toml:"look"`
	Why       string      `toml:"why"`
	Category  string      `toml:"category"`
	Severity  string      `toml:"severity"`
	Predicate string      `toml:"predicate"`
	Clears    string      `toml:"clears"`
	Checks    []checkForm `toml:"check"`
}

// checkForm is a [[flag.check]].
type checkForm struct {
	Kind    string   `toml:"kind"`
	Files   []string `toml:"files"`
	Except  []string `toml:"except"`
	Scope   string   `toml:"scope"`
	Set     string   `toml:"set"`
	Pattern string   `toml:"pattern"`
	Unless  string   `toml:"unless"`
	Near    string   `toml:"near"`
	Where   string   `toml:"where"`
	When    string   `toml:"when"`
	Needs   []string `toml:"needs"`
	Change  []string `toml:"change"`
	Limit   int      `toml:"limit"`
}

// given returns the keys that a check was given, besides kind, files,
// except and scope.
func (c *checkForm) given() []string {
	var keys []string
	for _, field := range []struct {
		key   string
		given bool
	}{
		{"set", c.Set != ""},
		{"pattern", c.Pattern != ""},
		{"unless", c.Unless != ""},
		{"near", c.Near != ""},
		{"where", c.Where != ""},
		{"when", c.When != ""},
		{"needs", len(c.Needs) > 0},
		{"change", len(c.Change) > 0},
		{"limit", c.Limit != 0},
	} {
		if field.given {
			keys = append(keys, field.key)
		}
	}
	return keys
}

// setsForm is patterns.toml.
type setsForm struct {
	Sets []struct {
		Name string        `toml:"name"`
		Rows []patternForm `toml:"row"`
	} `toml:"set"`
}

// patternForm is a row of a set.
type patternForm struct {
	Files   []string `toml:"files"`
	Pattern string   `toml:"pattern"`
	Unless  string   `toml:"unless"`
	Where   string   `toml:"where"`
}
