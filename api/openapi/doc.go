// Package openapi describes a table of routes: as an OpenAPI 3.1 document and as a page
// for people.
//
// Start at Document. operation.go describes one route, responses.go what it may answer;
// schemas are made of the Go types by huma. Routes serves the document, the page and
// its style.
package openapi
