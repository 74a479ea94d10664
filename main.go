// Command moot puts a question to two participants and lets them argue it
// claim by claim; code, not a model, decides what stands.
package main

func main() {}
