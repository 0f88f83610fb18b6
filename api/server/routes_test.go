package server_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-chi/chi/v5"

	"secondring/api/openapi"
	"secondring/api/server"
	"secondring/api/site"
)

// Everything that is served is a row of the route table, a screen or a file.
func TestEveryRouteIsInTheTable(t *testing.T) {
	config := server.Config{
		Live:   http.NotFoundHandler(),
		Photos: fstest.MapFS{},
		Client: fstest.MapFS{"index.html": {Data: []byte("<html>")}, "favicon.svg": {Data: []byte("<svg>")}},
	}
	handler, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	calls, err := server.Routes(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range calls {
		known[call.Method+" "+call.Path] = true
	}
	files := []string{"/assets/*", "/photos/*", "/favicon.svg"}
	served := 0
	err = chi.Walk(handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		served++
		if !known[method+" "+route] && !slices.Contains(site.Screens, route) && !slices.Contains(files, route) {
			t.Errorf("%s %s is served but not in the route table", method, route)
		}
		return nil
	})
	if err != nil || served < len(known) {
		t.Errorf("walked %d routes of %d calls: %v", served, len(known), err)
	}
}

// The document has each call once, and all of its references resolve.
func TestDocumentReferencesResolve(t *testing.T) {
	calls, err := server.Routes(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := openapi.Document(calls)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		OpenAPI    string
		Paths      map[string]map[string]struct{ OperationID string }
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("openapi is %q", doc.OpenAPI)
	}
	for _, call := range calls {
		if got := doc.Paths[call.Path][strings.ToLower(call.Method)].OperationID; got != call.ID {
			t.Errorf("%s %s has the operationId %q, want %q", call.Method, call.Path, got, call.ID)
		}
	}
	for _, part := range strings.Split(string(raw), `"#/components/schemas/`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if _, ok := doc.Components.Schemas[name]; !ok {
			t.Errorf("the schema %s is referenced but not defined", name)
		}
	}
}
