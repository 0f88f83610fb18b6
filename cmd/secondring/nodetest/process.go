// Package nodetest runs nodes of the market in processes of their own, for
// tests that send them real signals. A node is the test's own binary, which its
// environment turns into a server.
package nodetest

import (
	"context"
	"errors"
	"log/slog"
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

// patience is how long a node may take to be ready on a machine with much to do.
const patience = 20 * time.Second

// Serve does what the command does that serves, until SIGTERM. What is left out
// of the options is as in the command, but for a log of errors only.
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
	// URL is where it listens, each time that it is opened; Folder is its DATA_DIR.
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
	free, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Process{tb: tb, URL: "http://" + free.Addr().String(), Folder: tb.TempDir()}
	if err := free.Close(); err != nil {
		tb.Fatal(err)
	}
	p.env = append(os.Environ(), Mark+"=1", "ADDR="+free.Addr().String(), "DATA_DIR="+p.Folder, "RATE_LIMIT=off", "MAX_HOLDS=1000")
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

// Launch is Open without the waiting: what the node needs may be away.
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

// End sends the signal and returns the exit code, -1 for a death by it, and how
// long that took.
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

// Ready tells what a node says to balancers.
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
