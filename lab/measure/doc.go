// Package measure is the arithmetic of the lab: from hearings on cases with known answers to
// accuracy with intervals, flips, calibration, traces of confidence, and why verdicts are wrong.
// It reads no file and draws nothing. Start at Result and Summarize.
package measure
