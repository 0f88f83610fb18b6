// Package api has the handlers of the market's calls, in files named after their
// resources.
//
// Start at Routes: each file has a function that lists its routes and the handlers that they
// name. A handler decodes the request, calls the market, and encodes what the market
// returns; the rules are in package market. lists.go serves every list: its pages, its ETag,
// its live position. cached.go caches responses.
//
// Around the handlers: rest has the Route type and what handlers share, server runs the
// middleware and the router, openapi describes the routes, site serves the client.
package api
