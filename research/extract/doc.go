// Package extract makes facts for packets of the output of other programs: JSON, CSV and lines of text. An extractor
// reports what a record says and draws no conclusion; damaged records are skipped and counted with their places. Start
// at Collector and Extractor.
package extract
