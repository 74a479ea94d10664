package protocol

import (
	"encoding/json"
	"strings"
)

// TextOf writes a move of a proposal, or of who compares answers and takes sides
// in a panel, in the telegraphic form, on one line, as the parser reads it; "" for
// a move of another kind. Free text loses its line ends and bars.
func TextOf(m Move) string {
	switch m := m.(type) {
	case *Propose:
		line := "PROPOSE " + lean(m.Path) + " = " + string(m.Value)
		line += partOf("category", m.Category) + partOf("severity", m.Severity) + partOf("why", m.Text)
		if m.Grounded != nil && !*m.Grounded {
			line += partOf("grounded", "no")
		}
		return line + cited(m.Citations)
	case *Revise:
		return "REVISE " + m.Point + " = " + string(m.Value) + partOf("why", m.Text) + cited(m.Citations)
	case *Object:
		line := "OBJECT " + m.Point
		if m.Flag != "" {
			line += " [" + m.Flag + "]"
		}
		line += ": " + lean(m.Text)
		line += partOf("category", m.Category) + partOf("severity", string(m.Severity)) + partOf("predicate", m.Predicate)
		return line + partOf("request", m.Request) + cited(m.Citations)
	case *RequestMove:
		return "REQUEST " + m.Challenge + ": " + lean(m.Text)
	case *Supply:
		line := "SUPPLY " + first(m.Challenge, m.Point)
		if m.Relation != "" {
			line += " " + string(m.Relation)
		}
		return line + strings.TrimPrefix(cited([]Citation{{Reference: m.Reference, Quote: m.Quote}}), " |")
	case *Defend:
		return "Re " + m.Challenge + ": " + lean(m.Text) + cited(m.Citations)
	case *Concede:
		return "I concede " + m.Challenge
	case *Withdraw:
		return "WITHDRAW " + m.Point + ": " + lean(m.Reason)
	case *NoObjection:
		return "NO OBJECTION: " + lean(m.Reason)
	}
	return textOfMark(m)
}

// textOfMark writes a move on the answers of a panel.
func textOfMark(m Move) string {
	switch m := m.(type) {
	case *Triage:
		if m.Other == "" {
			return "TRIAGE " + m.Point + " " + string(m.Scope) + ": " + lean(m.Reason)
		}
		how := pairSubject
		switch {
		case m.Opposed:
			how = pairOpposed
		case m.Alike:
			how = pairAlike
		}
		return "TRIAGE " + m.Point + " " + m.Other + ": " + how
	case *Merge:
		return "MERGE " + strings.Join(m.From, " ") + " into " + m.Into
	case *Classify:
		return string(m.Class) + ": " + m.Point + " " + lean(first(m.Reason, m.Flaw))
	}
	return ""
}

// lean is a text that neither ends a line nor a part of one.
func lean(text string) string { return strings.ReplaceAll(oneLine(text), "|", "/") }

func partOf(name, text string) string {
	if text = lean(text); text == "" {
		return ""
	}
	return " | " + name + ": " + text
}

// cited writes citations: a reference with its quote, a command with what is
// expected of it.
func cited(citations []Citation) string {
	line := ""
	for _, c := range citations {
		switch {
		case c.Reference == "":
		case strings.HasPrefix(c.Reference, "$"):
			line += " | `" + lean(c.Reference) + " => " + lean(c.Quote) + "`"
		default:
			quote, err := json.Marshal(oneLine(c.Quote))
			if err == nil {
				line += " | " + lean(c.Reference) + " " + string(quote)
			}
		}
	}
	return line
}
