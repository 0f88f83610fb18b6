// Package rest has what all handlers share. Start at Route (route.go): one row of the table
// of calls, from which the router and the OpenAPI document are made.
//
// A handler gets the caller from caller.go, reads the body with body.go and decode.go, and
// sends JSON with an ETag (response.go) or returns an error, which errors.go maps to a
// status. page.go and cursor.go split lists into pages.
package rest
