package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
)

// mostSearched is how many facts of a packet are searched for secrets: it takes some
// 50 microseconds for each.
const mostSearched = 50_000

// redactPacket takes secrets out of the facts that a session keeps, and models read.
// A packet without any is returned as it is.
func redactPacket(p *ledger.Packet, note func(string)) (*ledger.Packet, error) {
	if p.Len() > mostSearched {
		note(fmt.Sprintf("%d facts are more than are searched for secrets (%d): what they hold goes into the session, and to models, as it is", p.Len(), mostSearched))
		return p, nil
	}
	redactor, err := redact.New()
	if err != nil {
		return nil, fmt.Errorf("prepare the redaction of secrets: %w; nothing was opened", err)
	}
	from, to := p.Window()
	cleaned, err := ledger.NewPacket(p.ID(), from, to)
	if err != nil {
		return nil, err
	}
	names := &nameRedactor{redactor: redactor, known: map[string]cleanName{}}
	var found []string
	for _, f := range p.All() {
		text, secrets := redactor.Text(string(f.Value))
		raw, more := redactor.Text(f.Raw)
		if len(secrets)+len(more) > 0 {
			f.Raw = raw
			if f.Value, err = cleanValue(f.Value, text, redactor); err != nil {
				return nil, err
			}
		}
		reason := names.clean(&f)
		if secrets = append(secrets, more...); len(secrets) > 0 {
			reason = secrets[0].Reason
		}
		if reason != "" {
			found = append(found, plain.Line(f.ID)+" ("+reason+")")
		}
		if err := cleaned.Add(f); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return p, nil
	}
	const told = 5
	which := strings.Join(found[:min(len(found), told)], ", ")
	if more := len(found) - told; more > 0 {
		which += fmt.Sprintf(" and %d more", more)
	}
	note("redacted what looks like a secret in " + which +
		"; the digest of the packet is that of what is left (--no-redact keeps all)")
	return cleaned, nil
}

// nameRedactor takes secrets out of what facts are about and where they come from: an
// address may hold a token. Few such names are in many facts, so each is searched once.
type nameRedactor struct {
	redactor *redact.Redactor
	known    map[string]cleanName
}

// cleanName is a name without its secrets, and the kind of the first secret, or "".
type cleanName struct{ text, reason string }

// clean removes secrets from the names of a fact, and returns the kind of the first. Facts are cited by their id, so
// the id stays.
func (n *nameRedactor) clean(f *ledger.PacketFact) (reason string) {
	for _, name := range []*string{&f.Entity, &f.Field, &f.SourceID, &f.ParserVersion} {
		found, known := n.known[*name]
		if !known {
			text, secrets := n.redactor.Text(*name)
			found.text = text
			if len(secrets) > 0 {
				found.reason = secrets[0].Reason
			}
			n.known[*name] = found
		}
		*name = found.text
		if reason == "" {
			reason = found.reason
		}
	}
	return reason
}

// cleanValue is a value without its secrets: redacted as a whole if it is still JSON, else text by text.
func cleanValue(v ledger.Value, redacted string, redactor *redact.Redactor) (ledger.Value, error) {
	if clean, err := ledger.ParseValue([]byte(redacted)); err == nil && clean.Kind() == v.Kind() {
		return clean, nil
	}
	decoder := json.NewDecoder(strings.NewReader(string(v)))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return "", fmt.Errorf("redact a value: %w", err)
	}
	text, err := json.Marshal(cleanTree(tree, redactor))
	if err != nil {
		return "", fmt.Errorf("redact a value: %w", err)
	}
	return ledger.ParseValue(text)
}

func cleanTree(tree any, redactor *redact.Redactor) any {
	switch at := tree.(type) {
	case string:
		clean, _ := redactor.Text(at)
		return clean
	case []any:
		for i := range at {
			at[i] = cleanTree(at[i], redactor)
		}
	case map[string]any:
		clean := make(map[string]any, len(at))
		for key, value := range at {
			name, _ := redactor.Text(key)
			clean[name] = cleanTree(value, redactor)
		}
		return clean
	}
	return tree
}
