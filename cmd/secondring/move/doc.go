// Package move copies a whole market from one store into an empty one, and verifies
// the copy.
//
// It stores no progress. When it is run again it first compares each thing in the
// target with the source and removes or replaces what differs; then it adds what is
// missing. So it can be killed at any moment, and the source may change between runs.
// At the end it reads both stores completely and compares them.
//
// Start at Run in move.go. images.go copies the images, sum.go compares, progress.go
// reports.
package move
