//go:build unix

package datastore

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks a file until it is closed, or the process ends.
func tryLock(file *os.File, kind lockKind) error {
	flags := syscall.LOCK_EX
	if kind == shared {
		flags = syscall.LOCK_SH
	}
	err := syscall.Flock(int(file.Fd()), flags|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
