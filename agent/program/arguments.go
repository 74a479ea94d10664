package program

import (
	"regexp"
	"slices"
	"strings"
)

// maxArgument is the longest text that is passed as an argument: the kernel takes
// 128 KiB, and other bytes stand for some of these.
const maxArgument = 100 << 10

// values are what the placeholders of arguments stand for; "" is what does not
// apply.
type values struct {
	model, effort, system, schema, workspace, conversation string
}

// idPattern is a conversation's name that may stand on a command line. It is
// foreign text: nothing in it may pass for a flag or a path.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,199}$`)

// line is what the program is started with: Begin where v names no conversation
// that it knows, GoOn otherwise.
func (a *Arguments) line(template []string, v *values) []string {
	var line []string
	for _, argument := range template {
		list, isList := a.list(argument, v)
		if isList {
			line = append(line, v.fill(list)...)
			continue
		}
		line = append(line, v.fill([]string{argument})...)
	}
	return line
}

// list is what an argument such as "{model...}" is replaced by.
func (a *Arguments) list(argument string, v *values) (list []string, isList bool) {
	switch argument {
	case "{model...}":
		if v.model == "" {
			return a.Default, true
		}
		return a.Model, true
	case "{effort...}":
		return where(v.effort != "", a.Effort), true
	case "{system...}":
		return where(v.system != "", a.System), true
	case "{schema...}":
		return where(v.schema != "", a.Schema), true
	case "{workspace...}":
		if v.workspace == "" {
			return a.Alone, true
		}
		return a.Workspace, true
	}
	return nil, false
}

func where(applies bool, list []string) []string {
	if !applies {
		return nil
	}
	return list
}

// fill puts the values in the places of their names, once: what stands in a value
// stays as it is.
func (v *values) fill(list []string) []string {
	replacer := strings.NewReplacer(
		"{model}", v.model, "{effort}", v.effort, "{system}", v.system, "{schema}", v.schema,
		"{workspace}", v.workspace, "{conversation}", v.conversation,
	)
	filled := make([]string, len(list))
	for i, argument := range list {
		// An argument ends where a NUL stands, and a program does not start with one.
		filled[i] = strings.ReplaceAll(replacer.Replace(argument), "\x00", "")
	}
	return filled
}

// takesSystem reports whether the system prompt is passed as an argument.
func (a *Arguments) takesSystem(system string) bool {
	return len(a.System) > 0 && len(system) <= maxArgument &&
		slices.Contains(a.Begin, "{system...}") && (len(a.GoOn) == 0 || slices.Contains(a.GoOn, "{system...}"))
}
