// Package reply turns what a seat wrote into typed moves: JSON, also damaged JSON, lines such
// as "Re C1: …", and prose with places. The text is foreign: everything is bounded, and one bad
// move never affects the others. Start at Parser.Parse.
package reply
