// Package learn makes the weights of a domain (state.Weights) from scenarios whose facts
// people have sorted: what words a fact has that does this or that, what a cover and an
// act have in common where the one accounts for the other, and what all facts come to
// where the outcome is known. It is arithmetic: three regressions, each of which the one
// behind it reads as it will be read, on scenarios that it was not made of. The same
// scenarios make the same weights. Start at Learn.
package learn
