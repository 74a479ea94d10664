// Package extract makes facts for packets of what other programs wrote: JSON, CSV, and
// the lines of texts. An extractor observes: it says what stands in a record, when and
// where, and holds no opinion of it. A record that is damaged is told with its place
// and skipped, and the rest goes on.
//
// Each form is an [Extractor] in a file of its own; a further one, of syslog say, is a
// file and a line in [Of]. Start at Extractor; [Collect] makes a packet of what
// extractors find.
package extract
