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

// Create makes a new store at path that is filled when it appears, or does not
// appear at all. It is filled in a folder beside it without waiting for the
// disk at each commit, written out once, and put in its place in one step.
// market.ErrExists where there is a file already, or another was faster.
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
	home := filepath.Dir(path)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(home, ".making-*") // 0700
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	part := filepath.Join(folder, filepath.Base(path))
	store, err := open(ctx, part, unsynced)
	if err != nil {
		return err
	}
	// Closing the last connection takes the write-ahead log into the file.
	if err := errors.Join(fill(store), store.Close()); err != nil {
		return err
	}
	if err := syncFile(part); err != nil {
		return err
	}
	if err := os.Link(part, path); errors.Is(err, fs.ErrExist) {
		return market.ErrExists
	} else if err != nil {
		return err
	}
	return syncFile(home)
}

// syncFile waits until a file, or the names in a folder, are on the disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
