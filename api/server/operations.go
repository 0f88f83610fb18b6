package server

import (
	"net/http"
	"net/netip"

	"secondring/api/rest"
	"secondring/market"
)

// Health is the response to the probes.
type Health struct {
	Status  string `json:"status" enum:"ok"`
	Version string `json:"version"`
}

// operations returns the routes for operators. Routes adds those of OpenAPI and docs, which
// need the whole table.
func operations(c Config) []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: livePath, ID: "live", Tag: "live", Unlimited: true,
			Summary:       "Open a WebSocket for live updates, with the subprotocol secondring.v1",
			Status:        http.StatusSwitchingProtocols,
			ErrorStatuses: []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests},
		},
		{
			Method: http.MethodGet, Path: "/healthz", ID: "health", Tag: "operations",
			Summary: "Check whether the server runs", Response: Health{}, Unlimited: true,
			Handle: func(w http.ResponseWriter, _ *http.Request) error {
				rest.JSON(w, http.StatusOK, Health{Status: "ok", Version: c.Version})
				return nil
			},
		},
		{
			Method: http.MethodGet, Path: "/readyz", ID: "ready", Tag: "operations",
			Summary:  "Check whether the server can handle requests. Status 503 if a server that it needs, such as the database, cannot be reached",
			Response: Health{}, Unlimited: true, ErrorStatuses: []int{http.StatusServiceUnavailable}, Handle: ready(c),
		},
		{
			Method: http.MethodGet, Path: "/metrics", ID: "metrics", Tag: "operations", MediaType: "text/plain",
			Summary: "Get the metrics in Prometheus format (only from the same machine)", Unlimited: true,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound}, Handle: localMetrics(c),
		},
	}
}

func ready(c Config) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if c.Ready != nil {
			if err := c.Ready(r.Context()); err != nil {
				if c.Log != nil {
					c.Log.WarnContext(r.Context(), "readiness check failed", "error", err)
				}
				return rest.NewError(market.CodeUnavailable, "A required server cannot be reached")
			}
		}
		rest.JSON(w, http.StatusOK, Health{Status: "ok", Version: c.Version})
		return nil
	}
}

// localMetrics serves callers on this machine only. It refuses a request through a local
// proxy that is not trusted, because it may come from anywhere.
func localMetrics(c Config) func(http.ResponseWriter, *http.Request) error {
	handler := Metrics(c.Registry)
	return func(w http.ResponseWriter, r *http.Request) error {
		if !c.MetricsOnLoopback {
			return rest.NewError(market.CodeNotFound, "Metrics are not served here")
		}
		address, err := netip.ParseAddr(rest.Address(r.Context()))
		forwarded := r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != ""
		if err != nil || !address.IsLoopback() || (forwarded && len(c.TrustedProxies) == 0) {
			return rest.NewError(market.CodeForbidden, "Metrics are for callers on this machine")
		}
		handler.ServeHTTP(w, r)
		return nil
	}
}
