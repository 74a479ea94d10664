// Package results shows what hearings came to: as tables, as pictures, and as one
// page of HTML. Each table and each picture begins with the origin of its figures,
// measured or simulated, and a page holds one origin only. Start at Tables, Charts and
// Page.
package results
