// Package nodetest runs nodes in processes of their own, for tests that send them real
// signals. A node is the test's own binary: with Mark in its environment it is a server.
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
	"syscall"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
)

// Mark is the variable that makes a process a node: a TestMain that finds it in
// its environment calls Serve and nothing else.
const Mark = "SECONDRING_TEST_NODE"

// patience is how long a node may take to be ready on a busy machine.
const patience = 20 * time.Second

// Serve does what the command "serve" does, until SIGTERM. Options that are left out are
// those of the command, except that only errors are logged.
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
	// URL is its address, the same after each Open; Folder is its DATA_DIR.
	URL, Folder string

	tb   testing.TB
	env  []string
	cmd  *exec.Cmd
	gone chan error // how it ended
}

// Start starts a node with these settings, beside which it gets an address and
// a folder of its own, and waits until it is ready.
func Start(tb testing.TB, settings map[string]string) *Process {
	tb.Helper()
	address := FreeAddress(tb)
	p := &Process{tb: tb, URL: "http://" + address, Folder: tb.TempDir()}
	p.env = append(os.Environ(), Mark+"=1", "ADDR="+address, "DATA_DIR="+p.Folder, "RATE_LIMIT=off", "MAX_HOLDS=1000")
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

// FreeAddress returns an address of this machine that nobody listens on. Its port is below
// those that the system gives to a listener that asks for any, so that no other test's
// server gets it meanwhile.
func FreeAddress(tb testing.TB) string {
	tb.Helper()
	const first, ports, tries = 20_000, 12_000, 100
	for range tries {
		address := fmt.Sprintf("127.0.0.1:%d", first+rand.N(ports))
		free, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
		if err != nil {
			continue
		}
		if err := free.Close(); err != nil {
			tb.Fatal(err)
		}
		return address
	}
	tb.Fatalf("no port is free after %d tries", tries)
	return ""
}

// Open starts the process again, at the same address and with the same folder,
// and waits until it is ready.
func (p *Process) Open() {
	p.tb.Helper()
	p.Launch()
	late, again := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for !Ready(context.Background(), p.URL) {
		select {
		case <-late:
			p.tb.Fatalf("the node is not ready after %v", patience)
		case <-again.C:
		}
	}
}

// Launch is Open without the waiting, for a node whose servers cannot be reached.
func (p *Process) Launch() {
	p.tb.Helper()
	p.cmd = exec.CommandContext(context.Background(), os.Args[0])
	p.cmd.Env, p.cmd.Stderr = p.env, os.Stderr
	if err := p.cmd.Start(); err != nil {
		p.tb.Fatal(err)
	}
	cmd, gone := p.cmd, make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	p.gone = gone
}

// End sends the signal and returns the exit code, -1 if the signal ended the process, and
// how long that took.
func (p *Process) End(signal os.Signal) (code int, took time.Duration) {
	p.tb.Helper()
	began := time.Now()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.tb.Fatal(err)
	}
	err := <-p.gone
	p.cmd = nil
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), time.Since(began)
	}
	if err != nil {
		p.tb.Fatal(err)
	}
	return 0, time.Since(began)
}

// Ready returns the answer of a node's readiness check.
func Ready(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/readyz", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}
