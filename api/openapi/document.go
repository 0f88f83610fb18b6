package openapi

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"secondring/api/rest"
)

const (
	jsonMedia = "application/json"
	formMedia = "multipart/form-data"
)

var tags = []*huma.Tag{
	{Name: "identity", Description: "Accounts: sign-up, sign-in, sessions, access tokens"},
	{Name: "brands", Description: "Brands (also called categories) and their phones"},
	{Name: "products", Description: "Phones for sale"},
	{Name: "bookings", Description: "Bookings of phones, and waitlists"},
	{Name: "orders", Description: "Paid orders: delivery, refunds, earnings, payouts"},
	{Name: "watching", Description: "Watched phones and saved searches"},
	{Name: "messages", Description: "Conversations of a buyer and a seller about a phone"},
	{Name: "offers", Description: "Prices that buyers offer"},
	{Name: "notifications", Description: "Notifications, and emails about them"},
	{Name: "payments", Description: "Card payments at Stripe"},
	{Name: "reports", Description: "Reports of phones to the admins"},
	{Name: "cases", Description: "Reports, what admins decide about them, and appeals"},
	{Name: "users", Description: "Users and their roles"},
	{Name: "texts", Description: "Texts that admins keep for use in reasons"},
	{Name: "auditLog", Description: "The audit log"},
	{Name: "images", Description: "Photos"},
	{Name: "live", Description: "Live updates"},
	{Name: "operations", Description: "Settings of the client, health checks, metrics, this description"},
}

// Document returns the OpenAPI 3.1 description of a table of routes, as JSON.
func Document(routes []rest.Route) ([]byte, error) {
	doc, err := json.Marshal(describe(routes))
	if err != nil {
		return nil, err
	}
	var indented strings.Builder
	encoder := json.NewEncoder(&indented)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(json.RawMessage(doc))
	return []byte(indented.String()), err
}

func describe(routes []rest.Route) *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", schemaName)
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "SecondRing", Version: "1.0.0",
			Description: "A live marketplace for used phones. Lists are JSON arrays, newest first unless the route says otherwise. " +
				"Prices are in whole US dollars. Unknown fields in request bodies are ignored. " +
				"A visitor is a caller without credentials.",
		},
		Tags:  tags,
		Paths: map[string]*huma.PathItem{},
		Components: &huma.Components{
			Schemas: schemas,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"bearer": {Type: "http", Scheme: "bearer", Description: "Access token from GET /jwt"},
				"cookie": {Type: "apiKey", In: "cookie", Name: "sr_session", Description: "Session cookie, set by sign-up and sign-in. Over HTTPS its name is __Host-sr_session"},
			},
		},
	}
	for _, route := range routes {
		item, exists := doc.Paths[route.Path]
		if !exists {
			item = &huma.PathItem{}
			doc.Paths[route.Path] = item
		}
		place(item, route.Method, operation(schemas, route))
	}
	doc.Components.Responses = errorResponses(schemas, routes)
	for _, schema := range schemas.Map() {
		relax(schema)
	}
	return doc
}

// schemaName returns the public name of a type.
func schemaName(t reflect.Type, hint string) string {
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "View")
}

// relax makes schemas describe what the decoder of bodies does: it ignores unknown fields,
// and no list is null.
func relax(s *huma.Schema) {
	if s.Type == huma.TypeObject && s.AdditionalProperties == false {
		s.AdditionalProperties = nil
	}
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	for _, property := range s.Properties {
		property.Nullable = false // a field without a value is left out
		relax(property)
	}
	if s.Items != nil {
		relax(s.Items)
	}
}

func place(item *huma.PathItem, method string, op *huma.Operation) {
	switch method {
	case http.MethodGet:
		item.Get = op
	case http.MethodPost:
		item.Post = op
	case http.MethodPut:
		item.Put = op
	case http.MethodPatch:
		item.Patch = op
	case http.MethodDelete:
		item.Delete = op
	}
}
