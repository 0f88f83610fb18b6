// Package sqlite is the embedded engine: market.Store in one SQLite file.
//
// The file is in WAL mode with synchronous=FULL, so a write that has returned
// survives a power cut. One connection writes, one transaction at a time
// (Store.write); several others read, and never wait for the writer. Another
// process, as the command line is, may use the same file at the same time.
//
// Every statement is a package variable made by query, and is prepared once
// per connection. A test explains each of them: none scans a table or sorts,
// but for searches, which say where they end (search.go).
package sqlite
