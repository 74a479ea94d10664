// Package agent names the participants: one short string each, as the command
// line and the config give them, read by Parse and seated by New. Discover
// looks for what is at hand where none is named. The participants themselves
// are the packages below: endpoint for models, rules, script and person for
// what is no model; search is what rules reads with. Start at Parse.
package agent
