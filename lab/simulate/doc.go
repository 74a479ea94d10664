// Package simulate draws hearings: confidences, facts and rebuttals come from stated
// dynamics, and no seat argues anything. What decides is the program's own: the judge,
// the gates, when an exchange ends, and the rule of conviction. So it shows what a
// protocol does to seats that behave as stated, and never how seats behave. The
// dynamics are data: dynamics.toml, or a file of the user. Start at Run.
package simulate
