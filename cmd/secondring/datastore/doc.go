// Package datastore manages the data of the program as a whole: it opens the store that
// the settings name, backs it up and restores it, and writes it to a file and reads it from one.
//
// Start at Open (open_store.go). A new store gets its brands (init_store.go) and, as a demo,
// its data (seed.go). lock.go locks a DATA_DIR against a second server and a second command.
// backup.go, restore.go, export.go and import.go are the subcommands; a file in DATA_DIR records
// the progress of a restore (restore.json), so that it continues after a crash. removals.go
// records the removals that a restore must repeat. The format of a backup is in package backup, and
// that of an export in package marketfile.
package datastore
