// Package detect finds, by the rules and the weights of a domain, what the facts of a
// packet do, and makes arguments of it without a model. A Detector is a domain made ready
// once; Find goes over a packet once and returns a Case: findings with their facts, what
// cancels them, what both sides say of them, and what all facts come to (Case.Weigh). It
// knows no session and no judge, keeps few facts of many, and is pure. Start at Compile
// and Detector.Find; rules and weights are data, in package domain, and package lab/learn
// makes the weights.
package detect
