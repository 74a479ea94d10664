// Package processtest tells tests which processes a program started, and whether they
// have ended, as package process is to see to. Only tests import it. Start at Gone.
package processtest
