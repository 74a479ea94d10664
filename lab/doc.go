// Package lab measures how right hearings are on cases with known answers. Its folders do the
// work: corpora holds and reads scenarios, matrix runs them in every form and under every judge,
// measure counts what came out, and results shows it.
package lab
