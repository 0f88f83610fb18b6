package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"
)

// window is the maximum number of events that are published and that the sockets, on
// average, have not read yet. Every measured hub keeps this number of events for a socket
// without closing it.
const window = 128

// atOnce is the number of sockets that connect at the same time.
const atOnce = 64

const endOfHead = "\r\n\r\n"

var errBroken = errors.New("broken")

// loop runs all clients of a server in one thread.
type loop struct {
	protocol protocol
	addrs    []*net.TCPAddr // of the nodes; the sockets are distributed over them
	epoll    int
	buf      []byte
	sockets  []*socket
	byFD     map[int]*socket
	posts    [publishers]*post
	now      time.Time

	begun, in int // number of sockets that began to connect, and of those that are ready
	published int64
	delivered int64
	sent      [publishers][window]time.Time
	late      histogram
	err       error
}

func newLoop(p protocol, addrs []string) (*loop, error) {
	l := &loop{protocol: p, buf: make([]byte, 512<<10), byFD: map[int]*socket{}}
	for _, a := range addrs {
		addr, err := net.ResolveTCPAddr("tcp4", a)
		if err != nil {
			return nil, err
		}
		l.addrs = append(l.addrs, addr)
	}
	var err error
	l.epoll, err = syscall.EpollCreate1(0)
	return l, err
}

func (l *loop) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf(format, args...)
	}
}

// dial opens a connection. It is non-blocking after it is established.
func (l *loop) dial(addr *net.TCPAddr) (int, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	_ = syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)
	to := &syscall.SockaddrInet4{Port: addr.Port}
	copy(to.Addr[:], addr.IP.To4())
	if err := syscall.Connect(fd, to); err != nil {
		_ = syscall.Close(fd)
		return 0, err
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		return 0, err
	}
	return fd, syscall.EpollCtl(l.epoll, syscall.EPOLL_CTL_ADD, fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)})
}

// connect opens n sockets and returns when all of them are ready.
func (l *loop) connect(n int, patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for l.in < n && l.err == nil {
		for l.begun < n && l.begun-l.in < atOnce {
			if err := l.begin(); err != nil {
				return err
			}
		}
		if err := l.turn(10 * time.Millisecond); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("only %d of %d sockets are ready", l.in, n)
		}
	}
	return l.err
}

func (l *loop) begin() error {
	fd, err := l.dial(l.addrs[l.begun%len(l.addrs)])
	if err != nil {
		return err
	}
	l.begun++
	s := &socket{fd: fd}
	l.sockets = append(l.sockets, s)
	l.byFD[fd] = s
	if l.protocol.path != "" {
		return say(fd, l.protocol.request())
	}
	return nil
}

func say(fd int, b []byte) error {
	n, err := syscall.Write(fd, b)
	if err == nil && n < len(b) {
		err = errBroken
	}
	return err
}

// turn waits until connections have data, and reads it.
func (l *loop) turn(wait time.Duration) error {
	var ready [512]syscall.EpollEvent
	n, err := syscall.EpollWait(l.epoll, ready[:], int(wait/time.Millisecond))
	if err != nil && !errors.Is(err, syscall.EINTR) {
		return err
	}
	for _, e := range ready[:max(n, 0)] {
		fd := int(e.Fd)
		got, err := syscall.Read(fd, l.buf)
		if errors.Is(err, syscall.EAGAIN) {
			continue
		}
		if err != nil || got == 0 {
			return fmt.Errorf("a connection ended: %w", errors.Join(err, errBroken))
		}
		l.now = time.Now()
		if s := l.byFD[fd]; s != nil {
			l.take(s, l.buf[:got])
		} else {
			l.answered(fd, l.buf[:got])
		}
	}
	return l.err
}

// take handles the bytes that a socket has read.
func (l *loop) take(s *socket, b []byte) {
	switch {
	case s.state == greeting:
		l.greet(s, b)
	case l.protocol.path == "":
		l.marks(s, b)
	default:
		l.frames(s, b)
	}
}

// greet waits for the end of the response to the handshake. Frames may follow it.
func (l *loop) greet(s *socket, b []byte) {
	end := endOfHead
	if l.protocol.path == "" {
		end = bareHello
	}
	s.said = append(s.said, b...)
	_, rest, whole := bytes.Cut(s.said, []byte(end))
	if !whole {
		return
	}
	if l.protocol.path != "" && !bytes.HasPrefix(s.said, []byte("HTTP/1.1 101")) {
		l.fail("refused: %.100q", s.said)
		return
	}
	s.said, s.state = nil, joining
	l.proceed(s)
	if len(rest) > 0 {
		l.take(s, rest)
	}
}

// join waits for the text that ends the present step.
func (l *loop) join(s *socket, b []byte) {
	s.said = append(s.said, b...)
	if bytes.Contains(s.said, []byte(l.protocol.steps[s.step].until)) {
		s.said = nil
		s.step++
		l.proceed(s)
	}
}

// proceed begins the next step. After the last step the socket is ready.
func (l *loop) proceed(s *socket) {
	if s.step == len(l.protocol.steps) {
		s.state = ready
		l.in++
		return
	}
	if text := l.protocol.steps[s.step].say; text != "" {
		if err := say(s.fd, masked(text)); err != nil {
			l.fail("%w", err)
		}
	}
}

// close closes all connections.
func (l *loop) close() {
	for _, s := range l.sockets {
		_ = syscall.Close(s.fd)
	}
	for _, p := range l.posts {
		if p != nil {
			_ = syscall.Close(p.fd)
		}
	}
	_ = syscall.Close(l.epoll)
}
