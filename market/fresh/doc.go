// Package fresh tells whether what was read of a store still holds. A Watch
// stands around the market's Store and its Publisher, and counts what changes
// there; whoever keeps an answer takes a Mark before reading, and asks it later.
//
// It speaks for what goes through this process. What another process writes is
// counted when its events are published here, or heard (see Watch.Heard).
package fresh
