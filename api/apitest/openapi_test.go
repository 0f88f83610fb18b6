package apitest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// openAPIDocument is the part of the document that the tests use.
type openAPIDocument struct {
	OpenAPI string
	Paths   map[string]map[string]struct {
		OperationID string
		Tags        []string
		Parameters  []struct {
			Name, In string
			Required bool
		}
		RequestBody *struct{ Content map[string]any }
		Responses   map[string]struct {
			Ref     string `json:"$ref"`
			Content map[string]any
		}
		Security []map[string][]string
	}
	Components struct {
		Responses       map[string]struct{ Content map[string]any }
		Schemas         map[string]struct{ Required []string }
		SecuritySchemes map[string]any
	}
	Tags []struct{ Name string }
}

func TestOpenAPI(t *testing.T) {
	e := newEnv(t)
	raw := e.visitor().get("/openapi.json").wantStatus(http.StatusOK).body
	var doc openAPIDocument
	must(t, json.Unmarshal(raw, &doc))
	if doc.OpenAPI != "3.1.0" || doc.Components.SecuritySchemes["bearer"] == nil || doc.Components.SecuritySchemes["cookie"] == nil {
		t.Errorf("the version is %q, the security schemes are %v", doc.OpenAPI, doc.Components.SecuritySchemes)
	}
	t.Run("the document describes every route", func(t *testing.T) {
		for _, call := range e.routes() {
			op, exists := doc.Paths[call.Path][strings.ToLower(call.Method)]
			if !exists || op.OperationID != call.ID || len(op.Tags) != 1 || op.Tags[0] != call.Tag {
				t.Errorf("the operation of %s %s is %+v", call.Method, call.Path, op)
			}
			if !slices.ContainsFunc(doc.Tags, func(tag struct{ Name string }) bool { return tag.Name == call.Tag }) {
				t.Errorf("%s %s has the tag %q, which is not described", call.Method, call.Path, call.Tag)
			}
			if _, exists := op.Responses[fmt.Sprint(call.Success())]; !exists || (call.Body != nil) != (op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil) {
				t.Errorf("%s %s: the request body or the response is missing", call.Method, call.Path)
			}
			for _, name := range strings.Split(call.Path, "{")[1:] {
				name, _, _ = strings.Cut(name, "}")
				if len(op.Parameters) == 0 || op.Parameters[0].Name != name || !op.Parameters[0].Required {
					t.Errorf("%s %s does not describe %s", call.Method, call.Path, name)
				}
			}
		}
	})
	t.Run("an operation has its credentials and errors", func(t *testing.T) {
		op := doc.Paths["/bookings"]["put"]
		if len(op.Security) != 2 || op.Security[0]["bearer"] == nil || op.Security[1]["cookie"] == nil {
			t.Errorf("the credentials of PUT /bookings are %v", op.Security)
		}
		for _, status := range []string{"200", "400", "401", "403", "404", "409", "413", "422", "429", "500", "503"} {
			response := op.Responses[status]
			if name, shared := strings.CutPrefix(response.Ref, "#/components/responses/"); shared {
				response.Content = doc.Components.Responses[name].Content
			}
			if response.Content["application/json"] == nil {
				t.Errorf("PUT /bookings has no response %s", status)
			}
		}
		if both := doc.Paths["/products/advertised"]["get"].Security; len(both) != 3 || len(both[2]) != 0 {
			t.Errorf("the credentials of GET /products/advertised are %v, want three alternatives", both)
		}
	})
	t.Run("a schema has its required fields", func(t *testing.T) {
		got := doc.Components.Schemas["BookingRequest"].Required
		if slices.Sort(got); !slices.Equal(got, []string{"phone", "productID"}) {
			t.Errorf("a booking requires %v", got)
		}
	})
}

func TestDocs(t *testing.T) {
	e := newEnv(t)
	page := e.visitor().get("/docs").wantStatus(http.StatusOK)
	if page.Header.Get("Content-Type") != "text/html; charset=utf-8" || strings.Contains(string(page.body), "<script") {
		t.Errorf("the page has a script or the headers %v", page.Header)
	}
	for _, call := range e.routes() {
		if !strings.Contains(string(page.body), `id="`+call.ID+`"`) {
			t.Errorf("%s %s is not described on the page", call.Method, call.Path)
		}
	}
	e.visitor().get("/docs/style.css").wantStatus(http.StatusOK)
}
