// Package person seats the person at the keyboard, "me". The participant asks
// through an Asker that the front end gives: a dialog of the screens, or
// lines on a terminal without them. The reply goes the same road as a model's: the
// telegraphic form or JSON, parsed and admitted. Nothing here reads or judges
// it. Start at Person.Reply.
package person
