package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/hub"
	"secondring/market"
)

// Timeouts and limits of the server.
const (
	headerTimeout = 10 * time.Second // for a client to send the header of a request
	callTimeout   = time.Minute      // for a client to send the body of a request, and to receive the response
	idleTimeout   = 2 * time.Minute  // between two requests of a connection
	// After SIGTERM the process ends within the sum of these, which must be less than 10 s.
	notReadyDelay  = 1500 * time.Millisecond // for load balancers to notice that this node is not ready
	drainTimeout   = 8 * time.Second         // for running calls and sockets to end
	maxHeaderBytes = 32 << 10                // bytes
)

// Options are options that do not come from the environment.
type Options struct {
	Version string
	Log     *slog.Logger
	Clock   market.Clock // nil is the system's
	// StoreHook is a hook of the store, for tests of its failures; nil for none.
	StoreHook market.StoreHook
	// History limits the history of each topic, for tests of readers that were
	// disconnected for longer; the zero value has the defaults.
	History hub.HistoryLimits
}

// App is the server with everything that it needs.
type App struct {
	settings      settings.Settings
	log           *slog.Logger
	store         market.Store
	cluster       cluster
	hub           *hub.Hub
	server        *http.Server
	listener      net.Listener
	metrics       *metrics
	metricsServer *metricsServer // nil unless METRICS_ADDR is set
	runner        *market.Runner // of the background work that the store's queues have
	loops         []func(context.Context)
	lock          io.Closer
	firstAdmin    string      // the link to create the first admin; "" if there is an account
	stopping      atomic.Bool // Run was told to stop
}

// New opens the store, fills a new demo, and listens. Run serves.
func New(ctx context.Context, s settings.Settings, o Options) (*App, error) {
	if o.Clock == nil {
		o.Clock = market.SystemClock{}
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	a := &App{settings: s, log: o.Log, metrics: newMetrics(o.Version)}
	a.runner = market.NewRunner(o.Clock, o.Log, a.metrics.countJob)
	a.loops = append(a.loops, a.runner.Run)
	if err := a.open(ctx, o); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// URL returns the base URL at which clients on this machine reach the server. It returns ""
// if the server does not listen on TCP.
func (a *App) URL() string {
	addr, ok := a.listener.Addr().(*net.TCPAddr)
	if !ok {
		return ""
	}
	host := "127.0.0.1"
	if !addr.IP.IsUnspecified() {
		host = addr.IP.String()
	}
	return "http://" + net.JoinHostPort(host, fmt.Sprint(addr.Port))
}

// Welcome prints the address of the server, and the logins of a demo or the link to create
// the first admin of a new market.
func (a *App) Welcome(out io.Writer) error {
	if _, err := fmt.Fprintf(out, "\n  SecondRing is at %s\n\n", a.settings.PublicURL); err != nil {
		return err
	}
	if a.firstAdmin != "" {
		_, err := fmt.Fprintf(out, "  This market has no admin yet. Open this link within an hour to become the admin:\n\n  %s\n\n", a.firstAdmin)
		return err
	}
	if !a.settings.Demo {
		return nil
	}
	for _, l := range demo.Logins() {
		if _, err := fmt.Fprintf(out, "  %-16s %-22s %s\n", l.Role, l.Email, l.Password); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(out, "\n  Open two windows, sign in as two of them, and book a phone in one.\n\n")
	return err
}

// Run serves until the context ends. Then it reports not ready, so that load balancers send
// new calls to other nodes, and drains: sockets are closed with 1012, running calls finish.
func (a *App) Run(ctx context.Context) error {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var loops sync.WaitGroup
	for _, loop := range a.loops {
		loops.Go(func() { loop(work) })
	}
	served := make(chan error, 2)
	go func() { served <- a.server.Serve(a.listener) }()
	if a.metricsServer != nil {
		go func() { served <- a.metricsServer.serve() }()
	}
	var err error
	select {
	case <-ctx.Done():
		a.reportNotReady()
	case err = <-served:
	}
	err = errors.Join(ignoreClosed(err), a.drain(work))
	stop()
	loops.Wait()
	return errors.Join(err, a.Close())
}

// drain closes the sockets and waits for running calls, both at the same time. After
// drainTimeout it ends the calls that still run.
func (a *App) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- a.hub.Close(ctx) }()
	err := a.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = a.server.Close() // end the calls that still run
	}
	return errors.Join(err, <-closed)
}

// Close closes everything that New has opened. Run calls it at its end.
func (a *App) Close() error {
	var all []error
	if a.listener != nil {
		all = append(all, ignoreClosed(a.listener.Close()))
	}
	if a.metricsServer != nil {
		all = append(all, a.metricsServer.close())
	}
	if a.cluster.broker != nil {
		all = append(all, ignoreClosed(a.cluster.broker.Close()))
	}
	if a.store != nil {
		all = append(all, a.store.Close())
	}
	if a.lock != nil {
		all = append(all, a.lock.Close())
	}
	return errors.Join(all...)
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) || errors.Is(err, hub.ErrClosed) {
		return nil
	}
	return err
}
