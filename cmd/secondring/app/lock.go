package app

import (
	"io"
	"os"
	"path/filepath"
	"syscall"

	"secondring/cmd/secondring/settings"
)

// lockDataDir makes this the only server on the embedded store: its live push
// reaches the sockets of this process only. The lock goes with the process.
// With another store there is nothing to lock.
func lockDataDir(s settings.Settings) (io.Closer, error) {
	if s.MongoURI != "" {
		return io.NopCloser(nil), nil
	}
	file, err := os.OpenFile(filepath.Join(s.DataDir, "server.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return nil, &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + s.DataDir + ", where a server is running already",
			Mend: "stop that one, or name another folder",
		}
	}
	return file, nil
}
