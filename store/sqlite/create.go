package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"secondring/market"
)

// Create creates a new store at path in one step: after a crash it is complete or missing.
// The store is filled in a temporary folder without a disk sync at each commit, synced once
// and linked to path. It returns market.ErrExists if path exists.
func Create(ctx context.Context, path string, fill func(*Engine) error) error {
	if err := create(ctx, path, fill); err != nil {
		return fmt.Errorf("sqlite: create %s: %w", path, err)
	}
	return nil
}

func create(ctx context.Context, path string, fill func(*Engine) error) (err error) {
	if _, err := os.Stat(path); err == nil {
		return market.ErrExists
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	tempDir, err := os.MkdirTemp(parent, ".making-*") // 0700
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tempDir)) }()
	tempPath := filepath.Join(tempDir, filepath.Base(path))
	if err := createFilled(ctx, tempPath, fill); err != nil {
		return err
	}
	if err := os.Link(tempPath, path); errors.Is(err, fs.ErrExist) {
		return market.ErrExists
	} else if err != nil {
		return err
	}
	return syncFile(parent)
}

// createFilled creates a store at path, fills it, closes it and syncs its file.
func createFilled(ctx context.Context, path string, fill func(*Engine) error) error {
	store, err := open(ctx, path, "OFF")
	if err != nil {
		return err
	}
	if err := errors.Join(fill(store), store.Close()); err != nil {
		return err
	}
	if err := CheckComplete(path); err != nil {
		return err
	}
	return syncFile(path)
}

// CheckComplete returns an error unless the file at path, which no process has open, has all
// writes of its store. Only then the file may be moved without its write-ahead log. SQLite writes
// the log into the file and deletes it when the last connection is closed. If this fails, because
// the disk is full for example, SQLite keeps the log and returns no error.
func CheckComplete(path string) error {
	_, err := os.Lstat(path + "-wal")
	switch {
	case err == nil:
		return fmt.Errorf("sqlite: the write-ahead log of %s could not be written into it", path)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return err
	}
}

// syncFile waits until a file, or the names in a folder, are on the disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
