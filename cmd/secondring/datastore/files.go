package datastore

import (
	"errors"
	"os"
	"path/filepath"
)

// replaceFile replaces a file in one step and syncs it to the disk.
func replaceFile(dir, name string, text []byte) error {
	temp, err := os.CreateTemp(dir, name+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // fails after a successful rename
	_, err = temp.Write(text)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncFolder(dir)
}
