package app

import (
	"context"
	"errors"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metricsServer serves GET /metrics on an address of its own (METRICS_ADDR).
type metricsServer struct {
	listener net.Listener
	server   *http.Server
}

func listenMetrics(ctx context.Context, addr string, registry *prometheus.Registry) (*metricsServer, error) {
	listener, err := listenOn(ctx, "METRICS_ADDR", addr)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return &metricsServer{
		listener: listener,
		server:   &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout, WriteTimeout: callTimeout},
	}, nil
}

func (m *metricsServer) serve() error { return m.server.Serve(m.listener) }

func (m *metricsServer) close() error {
	return errors.Join(m.server.Close(), ignoreClosed(m.listener.Close()))
}
