package datastore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"secondring/cmd/secondring/settings"
)

// makeDataDir creates DATA_DIR if it does not exist. It returns a settings error if that is not possible,
// or if this user may not enter the folder.
func makeDataDir(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	// MkdirAll says "file exists" about a link to a folder that this user may not enter.
	if _, cause := os.Stat(dir); cause != nil && !errors.Is(cause, fs.ErrNotExist) {
		err = cause
	}
	if err == nil {
		return nil
	}
	return &settings.Error{
		Setting: "DATA_DIR", Problem: "cannot be used (" + err.Error() + ")",
		Fix: "name a folder to which this user can write, or run the command as the user of the server, which secondringctl does",
	}
}

// requireNew returns an error unless a file can be created under this name. It never overwrites one.
func requireNew(file string) error {
	_, err := os.Lstat(file)
	switch {
	case err == nil:
		return fmt.Errorf("%s exists already: name another file, because a file is never overwritten", file)
	case !errors.Is(err, fs.ErrNotExist):
		return notWritable(file, err)
	}
	return nil
}

// notWritable adds to an error that a file cannot be created.
func notWritable(file string, err error) error {
	return fmt.Errorf("%s cannot be created (%w): name a file in a folder to which this user can write", file, err)
}

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
