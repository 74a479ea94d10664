// Package lab measures moot on cases with known answers: false consensus, where
// seats seem to agree and must not be believed, and stubbornness, where they
// never come to an end by themselves. The cases are data, in cases/; each runs
// the real loop of package protocol, with scripted seats, a clock that only
// counts and no files. It holds no rule of its own. Start at FalseConsensus and
// Stubbornness. The folders below measure hearings: corpora, matrix and simulate hold or
// draw them, measure counts what came out, results shows it; learn makes the weights of
// domains from scenarios, and practice holds some.
package lab
