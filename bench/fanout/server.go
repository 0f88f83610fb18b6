package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is one process of a peer, on a processor of its own.
type server struct {
	addr  string
	calls string // where the floor takes events, which has no HTTP on addr
	cmd   *exec.Cmd
}

// Which processor is whose: on two, server and generator do not meet.
const (
	serverCore    = "0"
	generatorCore = "1"
)

// ticks of the kernel's clock in a second, as /proc has them.
const ticks = 100

// start runs a peer and waits until it listens.
func start(command []string, env ...string) (*server, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	calls, err := freeAddr()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("taskset", append([]string{"-c", serverCore}, command...)...)
	cmd.Env = append(append(os.Environ(), "ADDR="+addr, "CALLS="+calls, "GOMAXPROCS=1"), env...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{addr: addr, calls: calls, cmd: cmd}
	for deadline := time.Now().Add(10 * time.Second); ; {
		conn, err := net.Dial("tcp4", addr)
		if err == nil {
			return s, conn.Close()
		}
		if time.Now().After(deadline) {
			return nil, errors.Join(err, s.stop())
		}
		<-time.After(50 * time.Millisecond)
	}
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

func (s *server) stop() error {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	return nil
}

// cpu is the processor time the process has used.
func (s *server) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name before may hold anything
	fields := strings.Fields(after)
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticks, errors.Join(err1, err2)
}

// rss is the memory the process has, in bytes.
func (s *server) rss() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// own is the processor time of the generator.
func own() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
