// Package datastore manages the data of the program as a whole: it opens the store that
// the settings name, backs it up, restores it, and migrates it to another engine.
//
// Start at Open (open_store.go). A new store gets its brands (init_store.go) and, as a demo,
// its data (seed.go). lock.go locks a DATA_DIR against a second server and a second command.
// backup.go, restore.go and migrate.go are the subcommands; files in DATA_DIR record the
// progress of a restore (restore.json) and a migration (migration.json), so that each
// continues after a crash. removals.go records the removals that a restore must repeat. The
// archive's format is in package backup, and the copying of entities in package move.
package datastore
