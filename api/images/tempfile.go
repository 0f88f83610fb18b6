package images

import (
	"errors"
	"io/fs"
	"os"
)

// tempFile is a temporary file without a name, if the system supports that. Then the system
// deletes it when the process ends, also after a crash. On Windows an open file keeps its
// name until it is closed.
type tempFile struct{ *os.File }

func newTempFile() (tempFile, error) {
	file, err := os.CreateTemp("", "secondring-upload-*")
	if err != nil {
		return tempFile{}, err
	}
	_ = os.Remove(file.Name()) // discard tries again
	return tempFile{file}, nil
}

// discard closes the file and deletes its name, if it still has one.
func (f tempFile) discard() error {
	closed := f.Close()
	err := os.Remove(f.Name())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(closed, err)
}
