package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"secondring/hub"
	"secondring/hub/redisbroker"
)

// Timeouts of the server; they are those of the product.
const (
	headerTimeout     = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	drainTimeout      = 8 * time.Second
	subscribeInterval = 500 * time.Millisecond // between two attempts to subscribe to the broker
)

// server is a hub, its broker and a listener.
type server struct {
	broker   hub.Broker
	hub      *hub.Hub
	listener net.Listener
	http     *http.Server
	log      *slog.Logger
}

// newServer returns a server that listens but does not serve yet.
func newServer(ctx context.Context, addr, redisURL string, log *slog.Logger) (*server, error) {
	broker, err := newBroker(redisURL, log)
	if err != nil {
		return nil, err
	}
	s := &server{broker: broker, log: log}
	if err := s.listen(ctx, addr); err != nil {
		return nil, errors.Join(err, broker.Close())
	}
	return s, nil
}

func newBroker(redisURL string, log *slog.Logger) (hub.Broker, error) {
	if redisURL == "" || redisURL == "none" {
		return hub.NewMemoryBroker(hub.HistoryLimits{}), nil
	}
	b, err := redisbroker.New(redisbroker.Options{URL: redisURL, Logger: log})
	if err != nil { // it may contain the password, so it is not returned
		return nil, errors.New("REDIS_URL is no address of a Redis: write it like redis://user:password@host:6379/0")
	}
	return b, nil
}

func (s *server) listen(ctx context.Context, addr string) (err error) {
	s.hub, err = hub.New(hub.Config{
		Broker:         s.broker,
		Authenticate:   authenticateVisitor,
		Authorize:      authorize,
		AllowedOrigins: func(string) bool { return true },
		Logger:         s.log,
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /live", s.hub)
	mux.HandleFunc("POST /publish", s.publish)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout}
	s.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("ADDR: %w", err)
	}
	return nil
}

// authenticateVisitor accepts any token as a visitor's.
func authenticateVisitor(context.Context, string) (hub.Viewer, error) { return hub.Viewer{}, nil }

// run serves until ctx ends, then drains: sockets are closed with 1012, calls finish.
func (s *server) run(ctx context.Context) error {
	subscribeErr := s.hub.Run(ctx) // before the first caller, unless the broker cannot be reached
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(s.listener) }()
	if subscribeErr != nil {
		s.subscribeAgain(ctx, subscribeErr)
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	}
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, context.Canceled) {
		err = nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- s.hub.Close(ctx) }()
	return errors.Join(err, s.http.Shutdown(ctx), <-closed, s.broker.Close())
}

// subscribeAgain starts the hub once the broker is reachable.
func (s *server) subscribeAgain(ctx context.Context, err error) {
	tick := time.NewTicker(subscribeInterval)
	defer tick.Stop()
	for err != nil {
		s.log.Warn("hubd: cannot subscribe to the broker", "error", err)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err = s.hub.Run(ctx)
	}
}
