package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"

	"secondring/cmd/secondring/settings"
)

// runDemo serves the demo until the context ends. Of the environment it reads only ADDR, without which
// it listens on the first free port, and DATA_DIR, without which it keeps its data in a new temporary
// folder and deletes them at the end.
func runDemo(ctx context.Context, out io.Writer) (err error) {
	addr, dir := os.Getenv("ADDR"), os.Getenv("DATA_DIR")
	if addr == "" {
		if addr, err = freeAddr(ctx); err != nil {
			return err
		}
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return &settings.Error{Setting: "ADDR", Problem: fmt.Sprintf("is %q, which is no address", addr), Fix: "write it like :8080, or unset it"}
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "secondring-demo-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	values := map[string]string{"DEMO": "1", "ADDR": addr, "DATA_DIR": dir, "PUBLIC_URL": "http://localhost:" + port}
	s, err := settings.Read(func(name string) string { return values[name] })
	if err != nil {
		return err
	}
	return serve(ctx, s, out, slog.LevelWarn) // each call would hide the address and the logins
}

// The ports that the demo tries.
const (
	firstDemoPort = 8080
	demoPorts     = 100
)

// freeAddr returns the address of the first free port on this machine.
func freeAddr(ctx context.Context) (string, error) {
	for port := firstDemoPort; port < firstDemoPort+demoPorts; port++ {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
		if err == nil {
			return addr, listener.Close()
		}
	}
	return "", fmt.Errorf("the ports %d to %d of this machine are in use: name a free one, as in ADDR=:9000", firstDemoPort, firstDemoPort+demoPorts-1)
}
