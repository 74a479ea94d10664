package playbook

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"moot/internal/enum"
	"moot/ledger"
	"moot/resolver/dialectic"
)

// settings reads all but the flags into the playbook.
func (r *reader) settings(book *Playbook) {
	r.text("title", r.form.Title, true, &book.Title)
	r.text("about", r.form.About, r.form.About != "", &book.About)
	if given := r.form.MaxRounds; given != nil {
		if *given < 1 || *given > maxRounds {
			r.Tell("maxRounds", "maxRounds is %d; it is a number from 1 to %d", *given, maxRounds)
		}
		book.Config.MaxRounds = *given
	}
	r.emptyLists()
	r.thresholds(book)
	r.allow(book)
	r.authority(book)
	r.freshness(book)
}

// text takes a text on one line; a file may break it over several.
func (r *reader) text(path, given string, must bool, into *string) {
	const longest = 1000
	joined := strings.Join(strings.Fields(given), " ")
	key := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case joined == "" && must:
		r.Tell(path, "%s is missing", key)
	case len(joined) > longest:
		r.Tell(path, "%s is longer than %d bytes", key, longest)
	case strings.ContainsFunc(joined, unicode.IsControl):
		r.Tell(path, "%s has a control character in it", key)
	case joined != "":
		*into = joined
	}
}

// emptyLists tells the lists and tables that are there and hold nothing: who
// wants the default leaves the line out.
func (r *reader) emptyLists() {
	for path, given := range map[string]int{
		"authority":       len(r.form.Authority),
		"without":         len(r.form.Without),
		"thresholds":      len(r.form.Thresholds),
		"allow":           len(r.form.Allow),
		"gates.freshness": len(r.form.Gates.Freshness),
	} {
		if given == 0 && r.Given(path) {
			r.Tell(path, "%s is empty; leave it out for what holds without it", path)
		}
	}
}

func (r *reader) thresholds(book *Playbook) {
	all := maps.Clone(book.Config.Thresholds)
	for _, category := range slices.Sorted(maps.Keys(r.form.Thresholds)) {
		at, path := r.form.Thresholds[category], "thresholds."+category
		if math.IsNaN(at) || at < 0 || at > 1 {
			r.Tell(path, "the threshold of %s is %s; it is a number from 0 to 1", nameOf(category),
				strconv.FormatFloat(at, 'g', -1, 64))
		}
		if near := enum.Nearest(category, slices.Sorted(maps.Keys(book.Config.Thresholds))); near != "" &&
			near != category {
			// A category that differs in a letter would leave the one that was
			// meant as it is.
			r.Tell(path, "the category %s differs from %s by little; name yours so that it cannot be mistaken",
				nameOf(category), near)
		}
		if strings.TrimSpace(category) == "" {
			r.Tell(path, "a category without a name")
		}
		all[category] = at
	}
	book.Config.Thresholds = all
}

func (r *reader) allow(book *Playbook) {
	all := maps.Clone(book.Config.Allow)
	for _, name := range slices.Sorted(maps.Keys(r.form.Allow)) {
		path := "allow." + name
		severity, ok := word(r, path, "severity", name, dialectic.Severities())
		if !ok {
			continue
		}
		given := r.form.Allow[name]
		if len(given) == 0 {
			r.Tell(path, "the list of %s is empty: nothing could ever decide; leave it out for the default", severity)
		}
		all[severity] = words(r, path, "source kind", given, ledger.SourceKinds())
		if severity != dialectic.Low && slices.Contains(all[severity], ledger.LLMInference) {
			r.Tell(path, "%s decides nothing above %s: take it out of %s", ledger.LLMInference, dialectic.Low, severity)
		}
		if len(given) > 0 && !slices.Contains(given, string(ledger.UserOverride)) {
			r.Tell(path, "%s is missing: what the user rules always decides", ledger.UserOverride)
		}
	}
	book.Config.Allow = all
}

func (r *reader) authority(book *Playbook) {
	given := r.form.Authority
	if len(given) == 0 {
		return
	}
	kinds, before := ledger.SourceKinds(), r.Wrong()
	order := words(r, "authority", "source kind", given, kinds)
	if r.Wrong() > before {
		return
	}
	for _, kind := range kinds {
		if !slices.Contains(order, kind) {
			r.Tell("authority", "%s is missing: the order names all source kinds", kind)
		}
	}
	if order[0] != ledger.UserOverride {
		r.Tell("authority", "%s stands first: the user outranks everyone", ledger.UserOverride)
	}
	if order[len(order)-1] != ledger.LLMInference {
		r.Tell("authority", "%s stands last: what a model merely says is the weakest", ledger.LLMInference)
	}
	book.Config.Authority = order
}

func (r *reader) freshness(book *Playbook) {
	all := maps.Clone(book.Config.Freshness)
	for _, name := range slices.Sorted(maps.Keys(r.form.Gates.Freshness)) {
		path := "gates.freshness." + name
		kind, known := word(r, path, "source kind", name, ledger.SourceKinds())
		var age dialectic.Age
		if err := age.UnmarshalText([]byte(r.form.Gates.Freshness[name])); err != nil {
			r.Tell(path, "the age of %s: %v", nameOf(name), err)
			continue
		}
		if known {
			all[kind] = age
		}
	}
	book.Config.Freshness = all
}
