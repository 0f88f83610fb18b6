// Package backup writes and reads the backup file of a store in SQLite, and checks a file
// completely before it is used.
//
// The file is a tar of plain files, so that it can be read without SecondRing:
// secondring.db, images/…, manifest.json, and at its end SHA256SUMS of all the others,
// which `sha256sum -c` reads too. A truncated file has no checksums; the checksums of a
// damaged one do not match. The file does not contain the keys of the market.
//
// write.go writes, read.go reads; backup.go has the format. Package datastore decides what
// is backed up, and restores.
package backup
