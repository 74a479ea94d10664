// Package lab measures how often hearings are right on cases with known answers. Its folders do the work: corpora reads
// scenarios, matrix runs them in every form and with every judge, and measure computes the figures and their tables.
package lab
