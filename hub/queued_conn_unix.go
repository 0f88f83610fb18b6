//go:build unix

package hub

import (
	"errors"
	"net"
	"syscall"
)

// descriptorOf returns the descriptor of a plain socket, which can be read and written
// without waiting, or noDescriptor for any other connection, such as one under TLS.
func descriptorOf(conn net.Conn) int {
	sc, ok := conn.(syscall.Conn)
	if !ok {
		return noDescriptor
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return noDescriptor
	}
	fd := noDescriptor
	if err := raw.Control(func(d uintptr) { fd = int(d) }); err != nil {
		return noDescriptor
	}
	return fd
}

// tryWrite returns how many bytes the socket took, 0 when its buffer is full. The caller
// must keep the descriptor open during the call.
func tryWrite(fd int, b []byte) (int, error) {
	for {
		n, err := syscall.Write(fd, b)
		switch {
		case err == nil:
			return n, nil
		case errors.Is(err, syscall.EAGAIN):
			return 0, nil
		case !errors.Is(err, syscall.EINTR):
			return 0, err
		}
	}
}

// tryRead returns errWouldBlock when there is nothing to read, and 0 at the end.
func tryRead(fd int, b []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, b)
		switch {
		case err == nil:
			return n, nil
		case errors.Is(err, syscall.EAGAIN):
			return 0, errWouldBlock
		case !errors.Is(err, syscall.EINTR):
			return 0, err
		}
	}
}
