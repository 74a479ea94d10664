// Package research checks evidence: given a reference and a quote or an expectation, it answers with a ledger.Finding,
// verified or refused with a reason. Citation checks quotes in the files of a workspace, Command runs commands, Kinds
// chooses between them, and Redacting removes secrets from what they found. A refusal is an answer, not an error.
package research
