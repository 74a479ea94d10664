// Package measure is the arithmetic of the lab. It turns hearings on cases with known answers into accuracy with
// intervals, flips, calibration, traces of confidence, and reasons for wrong verdicts, and shows these as tables. It
// reads no file. Start at Result, Summarize and Tables.
package measure
