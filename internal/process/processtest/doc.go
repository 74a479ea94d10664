// Package processtest lets tests check that the processes started by a program have ended. Only tests import it.
// Start at Gone.
package processtest
