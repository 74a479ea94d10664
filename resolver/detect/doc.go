// Package detect finds, by the rules of a domain, what the facts of a packet say, and
// makes arguments of it without a model. A Detector is a domain made ready once; Find
// goes over a packet once and returns a Case: findings with their facts, what cancels
// them, and what both sides say of them. It knows no session and no judge, keeps few
// facts of many, and is pure. Start at Compile and Detector.Find; the rules are data,
// in package domain.
package detect
