package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"
)

// window is the maximum of pendingEvents. Every measured hub queues this number of events for a socket
// without closing it.
const window = 128

// maxConnecting is the number of sockets that connect at the same time.
const maxConnecting = 64

const endOfHeaders = "\r\n\r\n"

var errShortWrite = errors.New("short write")

// loop runs all clients of a server in one thread.
type loop struct {
	protocol   protocol
	addrs      []*net.TCPAddr // of the nodes; the sockets are distributed over them
	epoll      int
	buf        []byte
	sockets    []*socket
	byFD       map[int]*socket
	publishers [publisherCount]*publisher
	now        time.Time

	started, ready int // number of sockets that began to connect, and of those that are ready
	published      int64
	delivered      int64
	sent           [publisherCount][window]time.Time
	delays         histogram // from the publish to the delivery
	err            error
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
	for l.ready < n && l.err == nil {
		for l.started < n && l.started-l.ready < maxConnecting {
			if err := l.startConnect(); err != nil {
				return err
			}
		}
		if err := l.poll(10 * time.Millisecond); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("only %d of %d sockets are ready", l.ready, n)
		}
	}
	return l.err
}

func (l *loop) startConnect() error {
	fd, err := l.dial(l.addrs[l.started%len(l.addrs)])
	if err != nil {
		return err
	}
	l.started++
	s := &socket{fd: fd}
	l.sockets = append(l.sockets, s)
	l.byFD[fd] = s
	if l.protocol.path != "" {
		return send(fd, l.protocol.request())
	}
	return nil
}

func send(fd int, b []byte) error {
	n, err := syscall.Write(fd, b)
	if err == nil && n < len(b) {
		err = errShortWrite
	}
	return err
}

// poll waits until connections have data, and reads it.
func (l *loop) poll(timeout time.Duration) error {
	var events [512]syscall.EpollEvent
	n, err := syscall.EpollWait(l.epoll, events[:], int(timeout/time.Millisecond))
	if err != nil && !errors.Is(err, syscall.EINTR) {
		return err
	}
	for _, e := range events[:max(n, 0)] {
		fd := int(e.Fd)
		got, err := syscall.Read(fd, l.buf)
		if errors.Is(err, syscall.EAGAIN) {
			continue
		}
		if err != nil || got == 0 {
			return fmt.Errorf("a connection was closed: %w", cmp.Or(err, io.EOF))
		}
		l.now = time.Now()
		if s := l.byFD[fd]; s != nil {
			l.handle(s, l.buf[:got])
		} else {
			l.handleResponse(fd, l.buf[:got])
		}
	}
	return l.err
}

// handle handles the bytes that a socket has read.
func (l *loop) handle(s *socket, b []byte) {
	switch {
	case s.state == handshaking:
		l.readHandshake(s, b)
	case l.protocol.path == "":
		l.findMarks(s, b)
	default:
		l.frames(s, b)
	}
}

// readHandshake waits for the end of the response to the handshake. Frames may follow it.
func (l *loop) readHandshake(s *socket, b []byte) {
	end := endOfHeaders
	if l.protocol.path == "" {
		end = tcpHello
	}
	s.received = append(s.received, b...)
	_, rest, complete := bytes.Cut(s.received, []byte(end))
	if !complete {
		return
	}
	if l.protocol.path != "" && !bytes.HasPrefix(s.received, []byte("HTTP/1.1 101")) {
		l.fail("the handshake was refused: %.100q", s.received)
		return
	}
	s.received, s.state = nil, subscribing
	l.nextStep(s)
	if len(rest) > 0 {
		l.handle(s, rest)
	}
}

// readStep waits for the text that ends the present step.
func (l *loop) readStep(s *socket, b []byte) {
	s.received = append(s.received, b...)
	if bytes.Contains(s.received, []byte(l.protocol.steps[s.step].until)) {
		s.received = nil
		s.step++
		l.nextStep(s)
	}
}

// nextStep begins the next step. After the last step the socket is ready.
func (l *loop) nextStep(s *socket) {
	if s.step == len(l.protocol.steps) {
		s.state = ready
		l.ready++
		return
	}
	if text := l.protocol.steps[s.step].send; text != "" {
		if err := send(s.fd, masked(text)); err != nil {
			l.fail("%w", err)
		}
	}
}

// close closes all connections.
func (l *loop) close() {
	for _, s := range l.sockets {
		_ = syscall.Close(s.fd)
	}
	for _, p := range l.publishers {
		if p != nil {
			_ = syscall.Close(p.fd)
		}
	}
	_ = syscall.Close(l.epoll)
}
