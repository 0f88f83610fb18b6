// Package sqlite implements market.Store in one SQLite file.
//
// The file is in WAL mode with synchronous=FULL, so a write that has returned
// survives a power cut. One connection writes; several others read. Only searches may wait
// for the writer, which updates their index first. Other processes, such as the command
// line, may use the file at the same time.
//
// A write is a function that Store.write (group_commit.go) runs in a transaction
// together with all other waiting writes. It changes an entity by compare-and-set (cas.go)
// and stores its events in the outbox (outbox.go). A read takes a connection
// (Store.read in db.go) and runs prepared statements (statement.go, read.go).
//
//	products.go, bookings.go, …  one file for each entity
//	search.go                    search; search_index.go keeps its index
//	schema.sql                   the tables, for readers; generated
//	migrate.go, migrations/      how older files get this schema
//	snapshot.go, create.go       backups and new files
//	prepare_restored.go          what a restored file needs before it is used
//	move.go                      migration from and to MongoDB
//
// Every statement is a package variable made by query. A test explains each of them:
// none scans a table or sorts, except searches, which have a limit.
package sqlite
