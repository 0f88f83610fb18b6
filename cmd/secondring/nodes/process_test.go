package nodes_test

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

// With this in its environment the test binary is a node.
const nodeMark = "SECONDRING_TEST_NODE"

// serveNode is what the command does that serves.
func serveNode() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := settings.Read(os.Getenv)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	a, err := app.New(ctx, s, app.Options{Version: "test", Log: log})
	if err != nil {
		return err
	}
	return a.Run(ctx)
}

// process is a node in a process of its own, that gets real signals.
type process struct {
	t    *testing.T
	url  string
	env  []string
	cmd  *exec.Cmd
	gone chan error // how it ended
}

// startProcess starts a node of the cluster and waits until it is ready.
func (c *cluster) startProcess(t *testing.T) *process {
	t.Helper()
	free, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, url: "http://" + free.Addr().String()}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	p.env = append(os.Environ(), nodeMark+"=1", "ADDR="+free.Addr().String(), "DATA_DIR="+t.TempDir(), "RATE_LIMIT=off", "MAX_HOLDS=1000")
	for name, value := range c.env {
		p.env = append(p.env, name+"="+value)
	}
	p.open()
	t.Cleanup(func() {
		if p.cmd != nil {
			p.end(syscall.SIGKILL)
		}
	})
	return p
}

// open starts the process, at the same address as before.
func (p *process) open() {
	p.t.Helper()
	p.cmd = exec.CommandContext(context.WithoutCancel(p.t.Context()), os.Args[0])
	p.cmd.Env, p.cmd.Stderr = p.env, os.Stderr
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	cmd, gone := p.cmd, make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	p.gone = gone
	eventually(p.t, "the node is ready", func() bool { return ready(p.t.Context(), p.url) })
}

// end sends the signal and returns the exit code, -1 for a death by it, and how
// long that took.
func (p *process) end(signal os.Signal) (code int, took time.Duration) {
	p.t.Helper()
	began := time.Now()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	err := <-p.gone
	p.cmd = nil
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), time.Since(began)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return 0, time.Since(began)
}

// ready tells what a node says to balancers.
func ready(ctx context.Context, url string) bool {
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
