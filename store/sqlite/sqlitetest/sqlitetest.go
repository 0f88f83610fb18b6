// Package sqlitetest opens new stores quickly, because many tests need one each.
package sqlitetest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"secondring/store"
	"secondring/store/sqlite"
)

// empty returns the content of a new store's file. It is created once for a process, because
// creating the tables takes ten times as long as opening the file.
var empty = sync.OnceValues(func() (content []byte, err error) {
	dir, err := os.MkdirTemp("", "sqlitetest")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "empty.db")
	engine, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := engine.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Open opens a store in the file at path. A missing file is a copy of an empty store.
func Open(ctx context.Context, path string) (*store.Store, error) {
	if err := Make(path); err != nil {
		return nil, err
	}
	engine, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return store.New(engine), nil
}

// Make creates the file of an empty store and its folder. It does not change an existing file.
func Make(path string) error {
	content, err := empty()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}
