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
func Create(ctx context.Context, path string, fill func(*Store) error) error {
	if err := create(ctx, path, fill); err != nil {
		return fmt.Errorf("sqlite: make %s: %w", path, err)
	}
	return nil
}

func create(ctx context.Context, path string, fill func(*Store) error) (err error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, market.ErrExists)
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
	store, err := open(ctx, tempPath, unsynced)
	if err != nil {
		return err
	}
	// Closing the last connection writes the write-ahead log into the file.
	if err := errors.Join(fill(store), store.Close()); err != nil {
		return err
	}
	if err := syncFile(tempPath); err != nil {
		return err
	}
	if err := os.Link(tempPath, path); errors.Is(err, fs.ErrExist) {
		return market.ErrExists
	} else if err != nil {
		return err
	}
	return syncFile(parent)
}

// syncFile waits until a file, or the names in a folder, are on the disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
