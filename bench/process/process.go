// Package process runs what is measured: one process on a processor of its own,
// whose time and memory are read from the kernel, beside a generator on the other.
package process

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Process is one process of a peer, on a processor of its own.
type Process struct {
	Addr  string // where it listens: its setting ADDR
	Calls string // a second address, its setting CALLS, for who needs one
	// Started is how long it took until it could be connected to.
	Started time.Duration
	cmd     *exec.Cmd
}

// Which processor is whose: on two, server and generator do not meet.
const (
	serverCore    = "0"
	generatorCore = "1"
)

// ticks of the kernel's clock in a second, as /proc has them.
const ticks = 100

// Start runs a peer with these settings more, and waits until it listens.
func Start(command []string, env ...string) (*Process, error) {
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
	if os.Getenv("BENCH_LOG") != "" {
		cmd.Stderr = os.Stderr
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{Addr: addr, Calls: calls, cmd: cmd}
	for deadline := time.Now().Add(2 * time.Minute); ; {
		conn, err := net.Dial("tcp4", addr)
		if err == nil {
			p.Started = time.Since(began)
			return p, conn.Close()
		}
		if time.Now().After(deadline) {
			return nil, errors.Join(err, p.Stop())
		}
		<-time.After(2 * time.Millisecond)
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

// Stop kills it.
func (p *Process) Stop() error {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	return nil
}

// CPU is the processor time the process has used.
func (p *Process) CPU() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name before may hold anything
	fields := strings.Fields(after)
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticks, errors.Join(err1, err2)
}

// RSS is the memory the process has, in bytes.
func (p *Process) RSS() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// MB is the same in millions of bytes.
func (p *Process) MB() (float64, error) {
	rss, err := p.RSS()
	return float64(rss) / 1e6, err
}

// Own is the processor time of the generator, which is this process.
func Own() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Alone has this process on its own processor, with one thread at work.
func Alone() error {
	runtime.GOMAXPROCS(1)
	if runtime.NumCPU() == 1 {
		return errors.New("two processors are needed, one for the server")
	}
	return exec.Command("taskset", "-acp", generatorCore, strconv.Itoa(os.Getpid())).Run()
}

// MoreFiles lets this process, and those it starts, have as many files as they may.
func MoreFiles() error {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return err
	}
	l.Cur = l.Max
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &l)
}
