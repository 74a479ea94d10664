// Package claims has what debates over claims share: points, challenges, evidence and its
// relevance, admission of the moves on them, prompts over them, the decisions of the user on
// them, and the answer to the question. A format embeds Base and builds its turns from the
// steps in steps.go. The rules are numbered as in docs/consult.md. Start at Format, then read
// admit.go.
package claims
