// Package redact removes secrets from text: private key blocks, tokens with known prefixes, and values assigned to
// names such as password or API_KEY. It works on whole texts, so that secrets over several lines are found. Start at
// New.
package redact
