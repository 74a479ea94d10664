// Package matrix runs hearings on the scenarios of a corpus, in every form and with every judge of a plan, and
// records the outcomes. The hearings are real sessions of package protocol in memory; the caller provides the
// participants. Judges that read the same arguments rule on one session. Results go to a journal as they arrive, so
// that an interrupted run can continue. Package measure computes the figures. Start at New and Run.
package matrix
