// Package jsonlines finds the JSON objects of a stream, JSON Lines or one object,
// and says what is wrong with one by its line and the path within it. It is what
// the readers of moot resolve, moot conflicts and moot judge share: packages
// dialectic, conflict and hearing know what an object must hold, this one how it is
// found, decoded and complained of. It is pure.
//
// Start at Reader; Decode fills a type from the text of an object.
package jsonlines
