// Package move copies a whole market from one store into an empty one, and verifies
// the copy.
//
// It stores no progress. A move that is run again first compares each entity of the target
// with the source and deletes it if it differs; then it copies the missing entities. So it
// can be killed at any moment, and the source may change between runs. At the end it reads
// both stores completely and compares them.
//
// Start at Run in move.go. images.go copies the images, sum.go compares, progress.go
// reports.
package move
