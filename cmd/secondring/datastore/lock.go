package datastore

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"secondring/cmd/secondring/settings"
)

// Files of DATA_DIR that are locked. A lock ends with its process.
const (
	serverLock = "server.lock" // held by the server
	useLock    = "use.lock"    // shared by all processes that have the store open; exclusive for an import or a restore
)

// LockServer makes this process the only server on the embedded store, because its live
// push reaches only its own sockets. With MongoDB it locks nothing. It returns a settings
// error if another server runs.
func LockServer(s settings.Settings) (io.Closer, error) {
	if s.MongoURI != "" {
		return io.NopCloser(nil), nil
	}
	return lockServer(s.DataDir)
}

func lockServer(dir string) (io.Closer, error) {
	lock, err := lockFile(filepath.Join(dir, serverLock), exclusive)
	if errors.Is(err, errLocked) {
		return nil, &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + dir + ", where a server is running already",
			Fix: "stop that one, or name another folder",
		}
	}
	return lock, err
}

// lockShared prevents an import and a restore while the store is open.
func lockShared(dir string) (io.Closer, error) {
	lock, err := lockFile(filepath.Join(dir, useLock), shared)
	if errors.Is(err, errLocked) {
		return nil, &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + dir + ", where an import or a restore is running",
			Fix: "wait until that is done",
		}
	}
	return lock, err
}

// lockExclusive prevents all other processes from opening the store.
func lockExclusive(dir string) (io.Closer, error) {
	lock, err := lockFile(filepath.Join(dir, useLock), exclusive)
	if errors.Is(err, errLocked) {
		return nil, &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + dir + ", where another secondring command is running",
			Fix: "wait until that is done",
		}
	}
	return lock, err
}

// lockKind is how a file is locked.
type lockKind int

const (
	exclusive lockKind = iota // no other process has a lock
	shared                    // other processes may have shared locks
)

// errLocked means that another process has the lock.
var errLocked = errors.New("the file is locked")

// lockFile locks a file without waiting. It returns errLocked if another process has the
// lock.
func lockFile(path string, kind lockKind) (io.Closer, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := tryLock(file, kind); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
