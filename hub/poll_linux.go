package hub

import (
	"os"
	"sync"
	"syscall"
)

// pollEvents is the number of ready sockets taken at once.
const pollEvents = 128

// poller starts the reader of each socket that has bytes to read, so that idle sockets
// need no goroutine (see reader.go for the effect). It is an epoll instance that the Go
// runtime itself waits for, so it blocks no thread. It starts with the first socket that
// can be polled.
type poller struct {
	begin sync.Once
	wg    sync.WaitGroup

	file *os.File // the epoll instance; nil if none could be created
	raw  syscall.RawConn

	mu    sync.Mutex
	conns []*conn // by descriptor
}

// open starts the poller.
func (p *poller) open() {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return
	}
	_ = syscall.SetNonblock(fd, true) // lets the runtime wait for it
	file := os.NewFile(uintptr(fd), "epoll")
	if p.raw, err = file.SyscallConn(); err != nil {
		_ = file.Close()
		return
	}
	p.file = file
	p.wg.Go(p.run)
}

// add wakes c whenever bytes arrive, until the connection is closed.
// It returns false if the socket cannot be polled.
func (p *poller) add(c *conn) bool {
	fd := c.out.fd
	if fd == noDescriptor {
		return false
	}
	if p.begin.Do(p.open); p.file == nil {
		return false
	}
	p.mu.Lock()
	if more := fd + 1 - len(p.conns); more > 0 {
		p.conns = append(p.conns, make([]*conn, more)...)
	}
	p.conns[fd] = c
	p.mu.Unlock()
	e := syscall.EpollEvent{Events: syscall.EPOLLIN | syscall.EPOLLRDHUP | edge, Fd: int32(fd)}
	added := false
	err := p.raw.Control(func(epoll uintptr) {
		added = syscall.EpollCtl(int(epoll), syscall.EPOLL_CTL_ADD, fd, &e) == nil
	})
	return added && err == nil
}

// edge is EPOLLET as an unsigned number; package syscall has it negative.
const edge = 1 << 31

// remove removes a socket that has ended, unless its descriptor is in use again.
func (p *poller) remove(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if fd := c.out.fd; fd >= 0 && fd < len(p.conns) && p.conns[fd] == c {
		p.conns[fd] = nil
	}
}

// run wakes ready sockets until the poller is closed.
func (p *poller) run() {
	var events [pollEvents]syscall.EpollEvent
	var ready []*conn
	for {
		n := 0
		err := p.raw.Read(func(epoll uintptr) bool {
			n, _ = syscall.EpollWait(int(epoll), events[:], 0)
			return n > 0
		})
		if err != nil {
			return
		}
		p.mu.Lock()
		for _, e := range events[:n] {
			if c := p.conns[e.Fd]; c != nil {
				ready = append(ready, c)
			}
		}
		p.mu.Unlock()
		for _, c := range ready {
			c.wake()
		}
		clear(ready)
		ready = ready[:0]
	}
}

// close ends the poller.
func (p *poller) close() {
	p.begin.Do(func() {}) // it cannot start after this
	if p.file != nil {
		_ = p.file.Close()
		p.wg.Wait()
	}
}
