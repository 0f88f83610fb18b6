// Package datastore is everything that the program does with its data as a whole: it opens
// the store that the settings name, and backs it up, restores it and moves it to another
// engine.
//
// Start at Open (open_store.go). A new store gets its brands (init_store.go) and, as a demo,
// its data (seed.go). lock.go keeps a second server, and a second command, out of a DATA_DIR.
// backup.go, restore.go and migrate.go are the subcommands; files in DATA_DIR note how far a
// restore (restore.json) and a migration (migration.json) have come, so that each continues
// after a crash. removals.go notes what a restore must not undo. The archive's format is in
// package backup, and the copying of entities in package move.
package datastore
