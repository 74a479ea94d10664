// Package grouptest tells tests which processes a program started, and whether they
// have ended, as package group was to see to. Only tests import it. Start at Gone.
package grouptest
