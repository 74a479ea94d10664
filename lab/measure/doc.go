// Package measure is the lab's arithmetic: from hearings on cases with known answers
// to accuracy with its intervals, flips, calibration, traces of confidence, and why
// verdicts were wrong. It reads no files but what it is handed, and draws nothing.
// Measured and simulated hearings have the same types and never come together: a
// Tally, a Summary and a Document each have one Origin, and refuse the other.
// Start at Result, Tally and Summarize.
package measure
