package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hubd: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	addr := os.Getenv("ADDR")
	if addr == "" {
		addr = ":8080"
	}
	s, err := newServer(ctx, addr, os.Getenv("REDIS_URL"), slog.New(slog.NewJSONHandler(os.Stderr, nil)))
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "hubd: listening on "+s.listener.Addr().String())
	return s.run(ctx)
}
