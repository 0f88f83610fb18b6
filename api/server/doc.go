// Package server is the HTTP server: the router, what every request goes through, and
// the bounds on connections and calls.
//
// Start at New. router.go puts the routes, the site and the middleware together;
// endpoint.go has the steps of one call: credentials (auth.go), rate limit, time limit,
// concurrency, handler. The middleware is in logging.go, security_headers.go, host.go
// and cors.go. conn_limit.go bounds connections.
package server
