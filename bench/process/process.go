// Package process runs the measured servers. A server runs alone on one processor, and the
// load generator on the other. The kernel reports how much processor time and memory the
// server uses.
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

// Process is one process of a measured product, alone on one processor.
type Process struct {
	Addr  string // the address on which it listens, its setting ADDR
	Calls string // a second address, its setting CALLS, for products that need one
	// Started is the time from the start until it accepted a connection.
	Started time.Duration
	cmd     *exec.Cmd
}

// The processors of the server and the generator, which do not share one.
const (
	serverCore    = "0"
	generatorCore = "1"
)

// ticks is the number of clock ticks in a second, the unit of times in /proc.
const ticks = 100

// Start runs a command with additional environment variables, and waits until it listens.
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
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{Addr: addr, Calls: calls, cmd: cmd}
	for deadline := time.Now().Add(2 * time.Minute); ; {
		conn, err := net.Dial("tcp4", addr)
		if err == nil {
			p.Started = time.Since(start)
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

// Stop kills the process.
func (p *Process) Stop() error {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	return nil
}

// CPU returns the processor time that the process has used.
func (p *Process) CPU() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name of the process may contain spaces
	fields := strings.Fields(rest)
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticks, errors.Join(err1, err2)
}

// RSS returns the resident memory of the process in bytes.
func (p *Process) RSS() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// MB returns the resident memory in millions of bytes.
func (p *Process) MB() (float64, error) {
	rss, err := p.RSS()
	return float64(rss) / 1e6, err
}

// GeneratorCPU returns the processor time of this process, the generator.
func GeneratorCPU() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// PinGenerator binds this process to its processor and lets one thread run at a time.
func PinGenerator() error {
	runtime.GOMAXPROCS(1)
	if runtime.NumCPU() == 1 {
		return errors.New("two processors are needed, one for the server")
	}
	return exec.Command("taskset", "-acp", generatorCore, strconv.Itoa(os.Getpid())).Run()
}

// RaiseFileLimit raises the limit of open files of this process, and of those that it starts,
// to the permitted maximum.
func RaiseFileLimit() error {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return err
	}
	l.Cur = l.Max
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &l)
}
