// Package server is the HTTP server: the router, the middleware of all requests, and the
// limits of connections and calls.
//
// Start at New. router.go combines the routes, the site and the middleware; endpoint.go has
// the steps of one call: time limit, credentials (auth.go), rate limit (rate_limit.go),
// concurrency (concurrency.go), handler. The middleware runs before them, in this order:
// logging.go, security_headers.go, host.go and cors.go. conn_limit.go limits connections.
// operations.go has the routes for operators: probes and metrics.
package server
