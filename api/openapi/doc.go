// Package openapi describes a table of routes as an OpenAPI 3.1 document and as an HTML
// page.
//
// Start at Document. operation.go describes one route, responses.go its possible responses;
// huma makes schemas of the Go types. Routes has the calls of the document,
// the page and its style sheet.
package openapi
