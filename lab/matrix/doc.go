// Package matrix holds hearings on the scenarios of a corpus, in every form and before
// every judge that a plan names, and writes down how each came out. The hearings are
// real sessions of package protocol, kept in memory; participants, rules or models,
// come from whoever calls. Judges that read the same arguments rule on one session. The
// results go to a journal as they come, so that a run that was broken off goes on where
// it stopped. What they come to is counted in package measure. Start at New and Run.
package matrix
