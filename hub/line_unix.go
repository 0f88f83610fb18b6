//go:build unix

package hub

import (
	"errors"
	"net"
	"syscall"
)

// tryWriter writes to a socket without waiting for it.
type tryWriter struct {
	raw syscall.RawConn
	do  func(fd uintptr) bool // made once: a closure per write would be garbage per write
	buf []byte
	n   int
	err error
}

// newTryWriter returns nil for a connection that is no plain socket, such as
// one under TLS.
func newTryWriter(conn net.Conn) *tryWriter {
	sc, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	w := &tryWriter{raw: raw}
	w.do = func(fd uintptr) bool {
		for {
			w.n, w.err = syscall.Write(int(fd), w.buf)
			if w.err == nil || !errors.Is(w.err, syscall.EINTR) {
				return true // never false: that would wait
			}
		}
	}
	return w
}

// write returns how many bytes the socket took, 0 when its buffer is full.
func (w *tryWriter) write(b []byte) (int, error) {
	w.buf = b
	err := w.raw.Write(w.do)
	w.buf = nil
	switch {
	case err != nil:
		return 0, err
	case errors.Is(w.err, syscall.EAGAIN):
		return 0, nil
	case w.err != nil:
		return 0, w.err
	}
	return w.n, nil
}
