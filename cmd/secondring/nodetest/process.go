// Package nodetest runs nodes and makes calls to them, for tests. A node runs in the process
// of the test (StartInProcess), or in a process of its own (Start) if the test sends it
// signals: that is the test binary with EnvVar in its environment.
package nodetest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
)

// EnvVar is the environment variable that makes a process a node: if it is set, TestMain
// calls Serve instead of running the tests.
const EnvVar = "SECONDRING_TEST_NODE"

// readyTimeout is how long a node may take to be ready, on a busy machine.
const readyTimeout = 3 * time.Minute

// Serve runs the server as the command "serve" does, until SIGTERM. Without o.Log it logs only
// errors.
func Serve(o app.Options) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := settings.Read(os.Getenv)
	if err != nil {
		return err
	}
	o.Version = "test"
	if o.Log == nil {
		o.Log = slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	}
	a, err := app.New(ctx, s, o)
	if err != nil {
		return err
	}
	return a.Run(ctx)
}

// Process is a node in a process of its own. It ends with its test.
type Process struct {
	URL     string // the same after each Open
	DataDir string // DATA_DIR

	tb   testing.TB
	env  []string
	cmd  *exec.Cmd
	done chan error // gets the result of cmd.Wait
}

// Start starts a node with these settings and with its own address and DATA_DIR, and waits
// until it is ready.
func Start(tb testing.TB, settings map[string]string) *Process {
	tb.Helper()
	address := FreeAddress(tb)
	p := &Process{tb: tb, URL: "http://" + address, DataDir: tb.TempDir()}
	p.env = append(os.Environ(), EnvVar+"=1", "ADDR="+address, "DATA_DIR="+p.DataDir, "RATE_LIMIT=off", "MAX_HOLDS=1000")
	for name, value := range settings {
		p.env = append(p.env, name+"="+value)
	}
	p.Open()
	tb.Cleanup(func() {
		if p.cmd != nil {
			p.End(syscall.SIGKILL)
		}
	})
	return p
}

// FreeAddress returns an unused address of this machine. Its port is below the range of the
// ephemeral ports, so that a listener of another test on port 0 does not get it.
func FreeAddress(tb testing.TB) string {
	tb.Helper()
	const first, ports, tries = 20_000, 12_000, 100
	for range tries {
		address := fmt.Sprintf("127.0.0.1:%d", first+rand.N(ports))
		listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
		if err != nil {
			continue
		}
		if err := listener.Close(); err != nil {
			tb.Fatal(err)
		}
		return address
	}
	tb.Fatalf("no port is free after %d tries", tries)
	return ""
}

// Open starts the process with the same address and DATA_DIR as before, and waits until it is
// ready.
func (p *Process) Open() {
	p.tb.Helper()
	p.Launch()
	deadline, tick := time.After(readyTimeout), time.NewTicker(20*time.Millisecond)
	defer tick.Stop()
	for !Ready(context.Background(), p.URL) {
		select {
		case <-deadline:
			p.tb.Fatalf("the node is not ready after %v", readyTimeout)
		case err := <-p.done:
			p.cmd = nil
			p.tb.Fatalf("the node ended before it was ready: %v", err)
		case <-tick.C:
		}
	}
}

// Launch starts the process without waiting, for a node whose stores cannot be reached.
func (p *Process) Launch() {
	p.tb.Helper()
	p.cmd = exec.CommandContext(context.Background(), os.Args[0])
	p.cmd.Env, p.cmd.Stderr = p.env, os.Stderr
	if err := p.cmd.Start(); err != nil {
		p.tb.Fatal(err)
	}
	cmd, done := p.cmd, make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	p.done = done
}

// End sends the signal and returns the exit code, -1 if the signal ended the process, and
// how long that took.
func (p *Process) End(signal os.Signal) (code int, took time.Duration) {
	p.tb.Helper()
	began := time.Now()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.tb.Fatal(err)
	}
	err := <-p.done
	p.cmd = nil
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), time.Since(began)
	}
	if err != nil {
		p.tb.Fatal(err)
	}
	return 0, time.Since(began)
}

// KillSelf kills the calling process, in a node's hook. It does not return.
func KillSelf() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {} // until the signal arrives
}

// Wait waits until the process has killed itself.
func (p *Process) Wait() {
	p.tb.Helper()
	if err := <-p.done; err == nil {
		p.tb.Error("the node ended without a signal")
	}
	p.cmd = nil
}

// KillCount returns how often a test kills a process: the value of KILLS, or n without it.
func KillCount(tb testing.TB, n int) int {
	tb.Helper()
	value := os.Getenv("KILLS")
	if value == "" {
		return n
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// Ready returns whether the readiness check of a node succeeds.
func Ready(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}
