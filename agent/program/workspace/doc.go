// Package workspace tells what a program changed in a folder: a Snapshot before its
// call and one after are compared. It looks at sizes, times and contents, and at what
// git keeps of its own: the branch, the index, the hooks. What .gitignore leaves out
// in whole folders is not looked at. Start at Take.
package workspace
