// Package results shows the results of the lab: as tables, pictures, and one HTML page. Start at Tables, Charts and
// Page.
package results
